//! Small sets of invented reports with the answers that a careful analyst gives: one file of `cases/` each; run with
//! `--nocapture` to read the answers.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::speeches::sentences;
use super::{Answer, Lexicon, analyse_question, hypotheses};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    documents: Vec<Document>,
    questions: Vec<Asked>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    name: String,
    outlet: String,
    published: String,
    /// It repeats the text of this document.
    #[serde(default)]
    copy_of: Option<String>,
    text: String,
}

/// What the likeliest answer must be.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    ask: String,
    /// It holds one of these.
    #[serde(default)]
    any: Vec<String>,
    /// It holds none of these.
    #[serde(default)]
    not: Vec<String>,
    /// It says yes, or no.
    #[serde(default)]
    yes: Option<bool>,
}

fn ask(set: &Set, question: &str) -> Answer {
    let texts: Vec<(String, String)> = set.documents.iter().map(|d| (d.name.clone(), d.text.clone())).collect();
    let mut passages = sentences(&texts);
    for passage in &mut passages {
        if let Some(document) = set.documents.iter().find(|d| d.name == passage.document) {
            passage.outlet = Some(&document.outlet);
            passage.published = Some(&document.published);
            passage.origin = document.copy_of.as_deref().unwrap_or(passage.document);
        }
    }
    let copied = |name: &str| set.documents.iter().any(|d| d.name == name && d.copy_of.is_some());
    passages.retain(|passage| !copied(passage.document));
    let lexicon = Lexicon::english().unwrap();
    hypotheses(&analyse_question(question, &lexicon), &passages, &lexicon)
}

/// Whether the likeliest answer is the one that is wanted.
fn fits(asked: &Asked, answer: &Answer) -> bool {
    let first = &answer.hypotheses[0];
    let told = first.statement.to_lowercase();
    let holds = |words: &String| told.contains(&words.to_lowercase());
    let denied = told.starts_with("no,") || told.contains(" not ");
    let sided = asked.yes.is_none_or(|yes| !first.none && denied != yes);
    sided && (asked.any.is_empty() || asked.any.iter().any(holds)) && !asked.not.iter().any(holds)
}

/// How many questions of a set are answered as they should be, of how many; the others are printed.
fn score(path: &Path) -> (usize, usize) {
    let set: Set = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut right = 0;
    for asked in &set.questions {
        let answer = ask(&set, &asked.ask);
        let fits = fits(asked, &answer);
        right += usize::from(fits);
        println!("{} {}", if fits { "right" } else { "WRONG" }, asked.ask);
        for h in answer.hypotheses.iter().take(if fits { 1 } else { 3 }) {
            println!("      {:.2} {} for {:?} against {:?}", h.probability, h.statement, h.supporting, h.against);
        }
    }
    println!("{}: {right} of {}", path.display(), set.questions.len());
    (right, set.questions.len())
}

fn sets(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).map(|found| found.flatten().map(|entry| entry.path()).collect());
    let mut found: Vec<PathBuf> = entries.unwrap_or_default();
    found.retain(|path| path.extension().is_some_and(|kind| kind == "toml"));
    found.sort();
    found
}

#[test]
fn questions_of_invented_reports_get_the_answer_of_a_careful_analyst() {
    let own = sets(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/extractive/answer/cases"));
    assert!(!own.is_empty());
    for path in own {
        let (right, of) = score(&path);
        assert_eq!(right, of, "{}", path.display());
    }
}
