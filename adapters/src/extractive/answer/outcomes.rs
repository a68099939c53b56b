//! Whether: what passages say for yes, for no, and for an open end.

use super::corpus::Corpus;
use super::lexicon::Lexicon;
use super::question::Question;
use super::settle::{Group, capitalised};
use super::words::{Shape, Word, stem};
use crate::extractive::text;

mod author;
mod dates;
mod sides;

pub use author::verdict;
use dates::deadline;
use sides::{Asked, Reading, looks_ahead};

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
    let said_from = subject(question, &words, corpus, lexicon).unwrap_or(0);
    let asked = Asked::new(question, &words[said_from.min(words.len())..], deadline(question, corpus, lexicon), lexicon);
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

/// The question turned into a statement where its subject is plain to see, else the question with yes or no.
fn statement(question: &Question, side: &str, corpus: &Corpus<'_>, lexicon: &Lexicon) -> String {
    let text = question.parts.first().map_or(question.text.trim(), |p| p.text.as_str());
    let words = super::words::split(text).list;
    let name = match side {
        "yes" => "stated",
        "no" => "stated_not",
        _ => return lexicon.say(side, &[("question", text)]),
    };
    let told = || {
        let first = words.first().filter(|w| lexicon.openers.contains(&w.norm))?;
        let end = subject(question, &words, corpus, lexicon)?;
        let last = words.iter().rfind(|w| w.is_word() || w.shape == Shape::Number)?;
        let subject = capitalised(&text[words.get(1)?.start..words[end - 1].end]);
        let rest = &text[words.get(end)?.start..last.end];
        Some(lexicon.say(name, &[("subject", &subject), ("aux", &first.norm), ("rest", rest)]))
    };
    told().unwrap_or_else(|| lexicon.say(side, &[("question", text)]))
}

/// One past the subject of a question that opens with a helping verb: it ends where what is said of it begins.
fn subject(question: &Question, words: &[Word], corpus: &Corpus<'_>, lexicon: &Lexicon) -> Option<usize> {
    if words.get(1)?.norm == "there" {
        return Some(2);
    }
    let capital = |w: &Word| matches!(w.shape, Shape::Title | Shape::Upper);
    let from = 1 + usize::from(lexicon.determiners.contains(&words[1].norm));
    let run = words[from..].iter().take_while(|w| capital(w)).count();
    let passive = lexicon.role("passive", &words[0].norm);
    // "Did the guards leave?": a verb that the passages have in the past.
    let past = |w: &Word| text::Lexicon::english().is_past(&w.norm);
    let pasts = || corpus.units.iter().flat_map(|u| &u.words.list).filter(|w| past(w));
    let done = |w: &Word| {
        let known = question.act_word.as_deref() == Some(&w.norm) && !passive || w.norm == "be";
        let paired = lexicon.opposites.iter().any(|(a, b)| stem(a) == stem(&w.norm) || stem(b) == stem(&w.norm));
        known || paired || if passive { past(w) } else { pasts().any(|p| stem(&p.norm) == stem(&w.norm)) }
    };
    let plain =
        |k: &usize| words[*k].shape == Shape::Lower && !lexicon.stop.contains(&words[*k].norm) || words[*k].norm == "be";
    let begin = from + run.max(1);
    let verb = (begin..words.len()).filter(plain).find(|&k| done(&words[k]));
    let end = match verb {
        Some(k) => k,
        None if run > 0 => begin,
        // "Was the door open?": the last word is said of the others.
        None => words.iter().rposition(Word::is_word).filter(|&k| passive && k > begin - 1)?,
    };
    (!words[end - 1].possessive && end < words.len()).then_some(end)
}
