//! Whether: what passages say for yes, for no, and for an open end.

use super::corpus::Corpus;
use super::lexicon::Lexicon;
use super::question::Question;
use super::settle::Group;

mod author;
mod dates;
mod sides;
mod statement;

pub use author::verdict;
use dates::deadline;
use sides::{Asked, Reading, looks_ahead};
pub use statement::said;
use statement::{statement, subject};

/// Share of its weight that a passage keeps for the side it takes only under a condition.
const CONDITIONAL: f64 = 0.4;
/// The same for a passage that looks back where the question looks ahead.
const BACKWARD: f64 = 0.7;
/// What the least that a passage may hold of the question counts beside all of it: voices are counted rather than weighed.
const LEAST: f64 = 0.5;

/// What a passage with a finding counts beside one that only says so.
const FOUND: f64 = 1.3;

/// Yes, no and open, with their passages.
pub fn groups(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let fill = |name: &str| Group { statement: statement(question, name, corpus, lexicon), ..Group::default() };
    let (mut yes, mut no, mut open) = (fill("yes"), fill("no"), fill("depends"));
    let words = super::words::split(&question.text).list;
    let said_from = subject(question, &words, corpus, lexicon).unwrap_or(0).min(words.len());
    let (named, said) = words.split_at(said_from);
    let asked = Asked::new(question, named, said, deadline(question, corpus, lexicon), lexicon);
    for unit in corpus.weightiest(lexicon) {
        let Some((reading, covered)) = asked.reading(unit, corpus, lexicon) else { continue };
        let words = &corpus.units[unit].words.list;
        let looks = !asked.ahead || looks_ahead(words, lexicon);
        let found = if lexicon.grades.finds(words) { FOUND } else { 1.0 };
        let weight = (LEAST + (1.0 - LEAST) * covered) * corpus.recency(unit) * found * if looks { 1.0 } else { BACKWARD };
        match reading {
            Reading::Open => open.support.push((unit, weight)),
            Reading::Side { positive, conditional } => {
                let (mine, other) = if positive { (&mut yes, &mut no) } else { (&mut no, &mut yes) };
                if conditional {
                    open.support.push((unit, weight));
                    mine.support.push((unit, weight * CONDITIONAL));
                    mine.hedged = true;
                } else {
                    mine.support.push((unit, weight));
                    other.against.push((unit, weight));
                }
            }
        }
    }
    for (unit, weight) in asked.unmet(corpus, lexicon) {
        no.support.push((unit, weight));
        yes.against.push((unit, weight));
    }
    [yes, no, open].into_iter().filter(|g| !g.support.is_empty()).collect()
}
