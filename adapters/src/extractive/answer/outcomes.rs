//! Whether: what passages say for yes, for no, and for an open end.

use super::corpus::Corpus;
use super::lexicon::Lexicon;
use super::question::Question;
use super::settle::Group;
use super::words::{Shape, Word, stem};

mod author;
mod dates;
mod sides;

pub use author::verdict;
use dates::deadline;
use sides::{Asked, Reading};

/// Share of its weight that a passage keeps for the side it takes only under a condition.
const CONDITIONAL: f64 = 0.4;
/// The same for a passage that looks back where the question looks ahead.
const BACKWARD: f64 = 0.7;

/// Yes, no and open, with their passages.
pub fn groups(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let fill = |name: &str| Group { statement: statement(question, name, lexicon), ..Group::default() };
    let (mut yes, mut no, mut open) = (fill("yes"), fill("no"), fill("depends"));
    let asked = Asked::new(question, deadline(question, corpus, lexicon), lexicon);
    for unit in corpus.weightiest(lexicon) {
        let Some((reading, covered)) = asked.reading(unit, corpus, lexicon) else { continue };
        let ahead = corpus.units[unit].words.list.iter().any(|w| lexicon.forward.contains(&w.norm));
        let told = (0.2 + 0.8 * covered) * corpus.recency(unit) * if ahead { 1.0 } else { BACKWARD };
        let weight = corpus.weight(unit).max(covered * covered) * told;
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
fn statement(question: &Question, side: &str, lexicon: &Lexicon) -> String {
    let text = question.parts.first().map_or(question.text.trim(), |p| p.text.as_str());
    let words = super::words::split(text).list;
    let capital = |w: &Word| matches!(w.shape, Shape::Title | Shape::Upper);
    let from = 1 + usize::from(words.get(1).is_some_and(|w| lexicon.determiners.contains(&w.norm)));
    let run = words.iter().skip(from).take_while(|w| capital(w)).count();
    // The subject ends before the first word that is known to be done ("reopen"), at most a few words after its name.
    let passive = words.first().is_some_and(|w| lexicon.role("passive", &w.norm));
    let done = |w: &Word| {
        question.act_word.as_deref() == Some(&w.norm) && (!passive || w.norm.ends_with("ed"))
            || w.norm == "be"
            || lexicon.opposites.iter().any(|(a, b)| stem(a) == stem(&w.norm) || stem(b) == stem(&w.norm))
    };
    let end = (from + run..(from + run + 3).min(words.len())).find(|&k| done(&words[k])).unwrap_or(0);
    let name = match side {
        "yes" => "stated",
        "no" => "stated_not",
        _ => return lexicon.say(side, &[("question", text)]),
    };
    let (Some(first), Some(next), Some(last)) =
        (words.first(), words.get(end), words.iter().rfind(|w| w.is_word() || w.shape == Shape::Number))
    else {
        return lexicon.say(side, &[("question", text)]);
    };
    if end <= from || !lexicon.openers.contains(&first.norm) || next.shape == Shape::Mark {
        return lexicon.say(side, &[("question", text)]);
    }
    let subject = &text[words[1].start..words[end - 1].end];
    let possessive = words[end - 1].possessive;
    if possessive {
        return lexicon.say(side, &[("question", text)]);
    }
    let mut letters = subject.chars();
    let subject = letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect());
    lexicon.say(name, &[("subject", &subject), ("aux", &first.norm), ("rest", &text[next.start..last.end])])
}
