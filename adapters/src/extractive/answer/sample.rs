//! The sample's plain documents (the others need the parsers): what any good answer to its questions holds.

use std::path::Path;

use super::speeches::sentences;
use super::{Answer, Lexicon, analyse_question, hypotheses};

/// Each document with the day that its name begins with.
fn documents() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../config/samples/varrow-lock/documents");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|kind| kind == "md" || kind == "txt") {
            found.push((path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    found.sort();
    found
}

fn ask(question: &str) -> Answer {
    let lexicon = Lexicon::english().unwrap();
    let documents = documents();
    let days: Vec<String> = documents.iter().map(|(name, _)| format!("2031-{}-{}", &name[..2], &name[2..4])).collect();
    let mut passages = sentences(&documents);
    for passage in &mut passages {
        let at = documents.iter().position(|(name, _)| name == passage.document).unwrap();
        passage.published = Some(&days[at]);
    }
    hypotheses(&analyse_question(question, &lexicon), &passages, &lexicon)
}

fn chance(answer: &Answer, words: &str) -> f64 {
    answer.hypotheses.iter().filter(|h| h.statement.contains(words)).map(|h| h.probability).sum()
}

#[test]
fn everybody_whom_the_documents_accuse_is_among_the_answers_to_who() {
    let answer = ask("Who was behind the explosion at the Varrow Lock?");
    for name in ["Grevald", "Free Ebrin Front", "Sixth Directorate"] {
        assert!(chance(&answer, name) > 0.0, "{name}: {answer:#?}");
    }
    assert!(chance(&answer, "Sixth Directorate") < chance(&answer, "Grevald"), "{answer:#?}");
}

#[test]
fn a_promise_whose_condition_fails_is_not_the_likely_outcome() {
    for question in ["Will it reopen by 30 June?", "Will the lock reopen by 30 June?"] {
        let answer = ask(question);
        assert!(chance(&answer, "will reopen by") < 0.45, "{answer:#?}");
        assert!(chance(&answer, "will not reopen by") > 0.2, "{answer:#?}");
    }
}

#[test]
fn the_dead_of_the_event_are_counted_as_last_corrected() {
    let answer = ask("How many people did the explosion at the Varrow Lock kill?");
    assert!(answer.hypotheses[0].statement.contains("14"), "{answer:#?}");
    let hurt = ask("How many people did the explosion at the Varrow Lock injure?");
    assert!(!hurt.hypotheses[0].statement.contains("14"), "{hurt:#?}");
}
