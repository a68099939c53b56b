//! Properties that hold for any text, and how good the names are on real material.
//!
//! The measurements need the folder that `AUTOSINT_TESTDATA` names and are ignored otherwise:
//! `AUTOSINT_TESTDATA=… cargo test -p extractive measure -- --include-ignored --nocapture`

use std::collections::HashSet;
use std::path::PathBuf;

use proptest::prelude::*;

use super::{Kind, Lexicon, Span, Text};

/// The share of names that must at least be found with their kind (F1).
const NAMES_F1_MIN: f64 = 0.65;

#[expect(clippy::disallowed_methods, reason = "tests find their material through the environment")]
fn testdata(folder: &str) -> PathBuf {
    PathBuf::from(std::env::var_os("AUTOSINT_TESTDATA").expect("AUTOSINT_TESTDATA")).join(folder)
}

/// Runs every analysis and checks that all spans lie on boundaries and in order.
fn check_spans(source: &str) {
    let text = Text::new(Lexicon::english(), source);
    let fits = |span: Span| assert!(source.get(span.start..span.end).is_some(), "{span:?} does not fit {source:?}");
    let in_order = |spans: &[Span]| {
        spans.iter().for_each(|span| fits(*span));
        assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start), "{spans:?} in {source:?}");
    };
    in_order(&text.tokens().iter().map(|token| token.span).collect::<Vec<_>>());
    in_order(&text.numbers().iter().map(|number| number.span).collect::<Vec<_>>());
    in_order(&text.times(None).iter().map(|time| time.span).collect::<Vec<_>>());
    let mentions = text.mentions();
    in_order(&mentions.iter().map(|mention| mention.span).collect::<Vec<_>>());
    let entities = text.entities(&mentions);
    assert_eq!(entities.iter().map(|entity| entity.mentions.len()).sum::<usize>(), mentions.len());
    let sentences = text.sentences();
    in_order(&sentences.iter().map(|sentence| sentence.span).collect::<Vec<_>>());
    for sentence in sentences {
        let statement = text.attribution(sentence.span);
        statement.speaker.into_iter().for_each(fits);
        text.relations(sentence.span, &mentions);
        text.due(sentence.span, chrono::NaiveDate::from_ymd_opt(1990, 1, 1));
    }
    if let Some(dateline) = text.dateline() {
        fits(dateline.span);
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_harm(source in "\\PC{0,200}") {
        check_spans(&source);
    }

    #[test]
    fn any_mixture_of_significant_pieces_is_read_without_harm(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just("SAN SALVADOR, "), Just("3 JAN 90 "), Just("-- "), Just("[TEXT] "), Just("[FMLN] "), Just("("), Just(")"),
                Just("Gen. "), Just("U.S. "), Just("Ross "), Just("O\u{2019}Brien's "), Just("said "), Just("that "), Just("\""),
                Just("because of "), Just("led to "), Just("not "), Just("will "), Just("three "), Just("dozen "), Just("$"),
                Just("1990 "), Just("99999999999999999999 "), Just("31 February "), Just("next week "), Just(".\n\n"), Just("\n- "),
                Just(", "), Just("of "), Just("the "), Just("University "), Just("NATIONAL "), Just("LIBERATION "), Just("FRONT "),
                Just("é"), Just("ß"), Just("İ"), Just("他。"), Just("\u{202e}"), Just("'s "), Just("de la "), Just("al-"), Just("No. "),
                Just("a thousand years ago "), Just("999 decades ago "), Just("according to "), Just("denied "), Just("it was reported "),
            ],
            0..40,
        )
    ) {
        check_spans(&pieces.concat());
    }
}

#[test]
#[ignore = "needs AUTOSINT_TESTDATA"]
fn naughty_strings_are_read_without_harm() {
    let folder = testdata("strings");
    let strings = std::fs::read_to_string(folder.join("blns.json")).expect("the list of strings");
    let strings: Vec<String> = serde_json::from_str(&strings).expect("a list of strings");
    strings.iter().for_each(|string| check_spans(string));
    check_spans(&strings.join("\n"));
}

#[test]
fn long_texts_take_time_in_proportion() {
    const REPEATS: usize = 20_000;
    for piece in [
        "a ",
        "Ross ",
        "[",
        "\"",
        "A.",
        "SAN ",
        "de ",
        "-",
        "\n",
        "\n\n",
        "said ",
        "because ",
        "John Smith and Smith. ",
        "FMLN [ELN] ",
        "of ",
    ] {
        check_spans(&piece.repeat(REPEATS / piece.len()));
    }
}

#[test]
#[ignore = "needs AUTOSINT_TESTDATA"]
fn real_reports_are_read_quickly() {
    let folder = testdata("speeches");
    let files = std::fs::read_dir(folder).expect("the folder").filter_map(|entry| std::fs::read(entry.ok()?.path()).ok());
    let texts: Vec<String> = files.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect();
    let start = std::time::Instant::now();
    texts.iter().for_each(|text| check_spans(text));
    let bytes: usize = texts.iter().map(String::len).sum();
    let each = start.elapsed().as_secs_f64() * 1e6 * 900.0 / bytes as f64;
    eprintln!("{} texts, {bytes} bytes: {each:.0} µs for 900 bytes, checks included", texts.len());
}

/// Names of a document of the benchmark, without white space, with their kind.
type Names = HashSet<(String, Kind)>;

#[test]
#[ignore = "needs AUTOSINT_TESTDATA"]
fn names_of_real_articles_are_found() {
    let folder = testdata("entities");
    let articles = std::fs::read_to_string(folder.join("dev_revised.json")).expect("the articles");
    let articles: Vec<serde_json::Value> = serde_json::from_str(&articles).expect("a list of articles");
    let (mut typed, mut untyped) = ((0, 0, 0), (0, 0, 0));
    for article in &articles {
        let (gold, found) = (gold_names(article), found_names(&article_text(article)));
        add(&mut typed, &gold, &found);
        let bare = |names: &Names| names.iter().map(|(name, _)| name.clone()).collect::<HashSet<_>>();
        add(&mut untyped, &bare(&gold), &bare(&found));
    }
    let (typed, untyped) = (f1(typed), f1(untyped));
    eprintln!("names in {} articles: F1 {typed:.3} with kind, {untyped:.3} without", articles.len());
    assert!(typed >= NAMES_F1_MIN);
}

fn add<T: std::hash::Hash + Eq>(sums: &mut (usize, usize, usize), gold: &HashSet<T>, found: &HashSet<T>) {
    sums.0 += gold.intersection(found).count();
    sums.1 += gold.len();
    sums.2 += found.len();
}

fn f1((hits, gold, found): (usize, usize, usize)) -> f64 {
    2.0 * hits as f64 / (gold + found) as f64
}

fn gold_names(article: &serde_json::Value) -> Names {
    let mentions =
        article["vertexSet"].as_array().into_iter().flatten().flat_map(|cluster| cluster.as_array().into_iter().flatten());
    let named = |mention: &serde_json::Value| {
        let kind = match mention["type"].as_str()? {
            "PER" => Kind::Person,
            "ORG" => Kind::Organisation,
            "LOC" => Kind::Place,
            _ => return None,
        };
        Some((without_space(mention["name"].as_str()?), kind))
    };
    mentions.filter_map(named).collect()
}

fn found_names(source: &str) -> Names {
    let mentions = Text::new(Lexicon::english(), source).mentions();
    let named = mentions.iter().filter(|mention| mention.kind != Kind::Other);
    named.map(|mention| (without_space(mention.span.slice(source)), mention.kind)).collect()
}

fn without_space(name: &str) -> String {
    name.chars().filter(|character| !character.is_whitespace()).collect()
}

/// The article as it was written: the benchmark has it in tokens.
fn article_text(article: &serde_json::Value) -> String {
    let mut text = String::new();
    let mut quoted = false;
    for sentence in article["sents"].as_array().into_iter().flatten() {
        let mut glued = true;
        for token in sentence.as_array().into_iter().flatten().filter_map(|token| token.as_str()) {
            let closing = matches!(token, "," | "." | ";" | ":" | ")" | "]" | "!" | "?" | "%" | "-" | "/")
                || token.starts_with(['\'', '\u{2019}']);
            let quote = token == "\"";
            if !(glued || closing || quote && quoted) {
                text.push(' ');
            }
            text.push_str(token);
            glued = matches!(token, "(" | "[" | "$" | "-" | "/") || quote && !quoted;
            quoted ^= quote;
        }
        text.push(' ');
    }
    text
}
