//! Why, whether and how many, asked of real addresses, where `AUTOSINT_TESTDATA` has some.

use std::path::{Path, PathBuf};

use super::{Lexicon, Mode, Passage, analyse_question, hypotheses};
use crate::extractive::text::{self, SentenceKind, Text};

fn folder() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "tests find their material through the environment")]
    let root = std::env::var_os("AUTOSINT_TESTDATA")?;
    let folder = Path::new(&root).join("speeches");
    folder.is_dir().then_some(folder)
}

/// The yearly addresses of some years, which begin with their year, with the names of their files.
fn addresses(folder: &Path, years: std::ops::RangeInclusive<u32>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let year = name.get(..4).and_then(|year| year.parse().ok());
        if year.is_some_and(|year: u32| years.contains(&year)) {
            found.push((name, String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned()));
        }
    }
    found.sort();
    found
}

/// The sentences of documents as the provider's own reading gives them, by name and text.
pub(super) fn sentences(documents: &[(String, String)]) -> Vec<Passage<'_>> {
    let mut passages = Vec::new();
    for (name, source) in documents {
        let text = Text::new(text::Lexicon::english(), source);
        let told = text.sentences();
        for sentence in told.iter().filter(|s| matches!(s.kind, SentenceKind::Prose | SentenceKind::Item)) {
            let said = text.attribution(sentence.span);
            passages.push(Passage {
                key: u32::try_from(passages.len()).unwrap(),
                document: name,
                origin: name,
                text: sentence.span.of(source).trim(),
                start: sentence.span.start,
                outlet: None,
                published: None,
                speaker: said.speaker.map(|span| span.of(source)),
                mode: mode(said.mode),
            });
        }
    }
    passages
}

fn mode(mode: domain::claim::Mode) -> Mode {
    match mode {
        domain::claim::Mode::Asserted => Mode::Asserted,
        domain::claim::Mode::Denied => Mode::Denied,
        domain::claim::Mode::Alleged => Mode::Alleged,
        domain::claim::Mode::Promised => Mode::Promised,
        domain::claim::Mode::Forecast => Mode::Forecast,
    }
}

#[test]
fn questions_of_real_addresses_get_the_answer_that_the_address_gives() {
    let Some(folder) = folder() else {
        println!("skipped: AUTOSINT_TESTDATA names no folder with speeches");
        return;
    };
    let lexicon = Lexicon::english().unwrap();
    let cases = [
        ("How many people did the blast in Oklahoma City kill?", 1994..=1998, "169 people"),
        ("How many liters of anthrax could Saddam Hussein produce?", 2001..=2006, "over 25,000 liters"),
        ("How many civilians were killed in the last 32 months?", 1966..=1968, "26,900 civilians"),
        ("How many displaced persons were found in the United States zone?", 1945..=1947, "3,500,000"),
        ("How many Americans are held captive in Iran?", 1979..=1981, "50 Americans"),
        ("Why is the economy passing through a difficult period?", 1973..=1975, "energy crisis"),
        ("Why are some judges reluctant to send convicted criminals to prison?", 1975..=1977, "inadequate facilities"),
        ("Why does everybody pay more for health care?", 2001..=2005, "excessive litigation"),
        ("Why will the number of immigrants from Germany and Austria be reduced?", 1955..=1957, "high prosperity"),
        ("Will there be a recession in the United States?", 1973..=1976, "will not be"),
        ("Will Russia's strategic nuclear missiles be pointed at our children?", 1993..=1996, "will not"),
        ("Will the Civil Rights Commission expire this year?", 1982..=1984, "will expire"),
    ];
    for (question, years, words) in cases {
        let documents = addresses(&folder, years);
        let answer = hypotheses(&analyse_question(question, &lexicon), &sentences(&documents), &lexicon);
        let first = &answer.hypotheses[0];
        assert!(first.statement.contains(words) && !first.supporting.is_empty(), "{question}: {}", first.statement);
    }
}
