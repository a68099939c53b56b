//! Measures "who carried out …" on real reports, where `AUTOSINT_TESTDATA` has some. Prints its figures with `--nocapture`.

use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Lexicon, Mode, Passage, analyse_question, hypotheses};

/// Shares that a change must not fall below, a little under what was measured: all questions, and those outside the most
/// frequent answer.
const FLOOR_ALL: f64 = 0.85;
const FLOOR_HARD: f64 = 0.80;

#[derive(Deserialize)]
struct Report {
    id: String,
    text: String,
}

#[derive(Deserialize)]
struct Asked {
    question: String,
    reports: Vec<String>,
    gold: Vec<String>,
}

fn folder() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "tests find their material through the environment")]
    let root = std::env::var_os("AUTOSINT_TESTDATA")?;
    let folder = Path::new(&root).join("incidents");
    folder.join("questions.jsonl").is_file().then_some(folder)
}

fn lines<T: for<'d> Deserialize<'d>>(text: &str) -> Vec<T> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

/// Byte ranges of sentences: enough of a splitter for text in capitals, so that this measures the reasoning alone.
fn sentences(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut cuts = vec![0];
    for (i, c) in text.char_indices() {
        let paragraph = c == '\n' && bytes.get(i + 1).is_some_and(|n| matches!(n, b'\n' | b' '));
        let after = text[i + c.len_utf8()..].trim_start_matches(['"', ')', ']']);
        let word: String = text[..i].chars().rev().take_while(|p| p.is_alphabetic()).collect();
        let ends = matches!(c, '.' | '!' | '?') && after.starts_with(char::is_whitespace) && word.chars().count() > 3;
        if paragraph || ends {
            cuts.push(text.len() - after.len());
        }
    }
    cuts.push(text.len());
    let trimmed = cuts.windows(2).filter_map(|pair| {
        let raw = &text[pair[0]..pair[1].max(pair[0])];
        let kept = raw.trim();
        (!kept.is_empty()).then(|| (pair[0] + raw.len() - raw.trim_start().len(), kept))
    });
    trimmed.collect()
}

/// Whole-word occurrences of a name.
fn spans(statement: &str, name: &str) -> Vec<(usize, usize)> {
    let plain = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_uppercase() && !c.is_ascii_digit());
    let found = statement.match_indices(name).map(|(at, _)| (at, at + name.len()));
    found.filter(|&(s, e)| plain(statement[..s].chars().next_back()) && plain(statement[e..].chars().next())).collect()
}

/// A statement hits when it names a gold organisation and at most two others.
fn hits(statement: &str, gold: &[String], known: &BTreeSet<String>) -> bool {
    let statement = statement.to_uppercase();
    let all: HashMap<(usize, usize), &str> = known
        .iter()
        .chain(gold)
        .flat_map(|name| spans(&statement, name).into_iter().map(move |s| (s, name.as_str())))
        .collect();
    let inside = |a: &(usize, usize), b: &(usize, usize)| a != b && b.0 <= a.0 && a.1 <= b.1;
    let outer: BTreeSet<&str> = all.iter().filter(|(a, _)| !all.keys().any(|b| inside(a, b))).map(|(_, name)| *name).collect();
    let others = outer.iter().filter(|name| !gold.iter().any(|g| g == *name)).count();
    gold.iter().any(|g| !spans(&statement, g).is_empty()) && others <= 2
}

#[test]
fn the_body_that_did_it_is_among_the_two_likeliest() {
    let Some(folder) = folder() else {
        println!("skipped: AUTOSINT_TESTDATA names no folder with incidents");
        return;
    };
    let reports: HashMap<String, String> =
        lines::<Report>(&unpacked(&folder.join("reports.jsonl.gz"))).into_iter().map(|r| (r.id, r.text)).collect();
    let questions: Vec<Asked> = lines(&std::fs::read_to_string(folder.join("questions.jsonl")).unwrap());
    let listed = std::fs::read_to_string(folder.join("organisations.txt")).unwrap();
    let known: BTreeSet<String> = listed.split('\n').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let lexicon = Lexicon::english().unwrap();
    let (mut one, mut two, mut hard, mut hard_of) = (0, 0, 0, 0);
    for asked in &questions {
        let mut passages = Vec::new();
        for id in &asked.reports {
            for (start, text) in sentences(&reports[id]) {
                let key = u32::try_from(passages.len()).unwrap();
                passages.push(Passage {
                    key,
                    document: id,
                    origin: id,
                    text,
                    start,
                    outlet: None,
                    published: None,
                    speaker: None,
                    mode: Mode::Asserted,
                });
            }
        }
        let mut answer = hypotheses(&analyse_question(&asked.question, &lexicon), &passages, &lexicon).hypotheses;
        answer.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let hit: Vec<bool> = answer.iter().take(2).map(|h| hits(&h.statement, &asked.gold, &known)).collect();
        let frequent = asked.gold.iter().any(|g| g.contains("FMLN") || g.contains("FARABUNDO"));
        let either = hit.iter().any(|h| *h);
        one += usize::from(hit[0]);
        two += usize::from(either);
        hard += usize::from(either && !frequent);
        hard_of += usize::from(!frequent);
    }
    let of = questions.len();
    let share = |n: usize, of: usize| n as f64 / of.max(1) as f64;
    println!(
        "likeliest {one}/{of}, two likeliest {two}/{of} = {:.3}, hard {hard}/{hard_of} = {:.3}",
        share(two, of),
        share(hard, hard_of)
    );
    assert!(share(two, of) >= FLOOR_ALL && share(hard, hard_of) >= FLOOR_HARD);
}
