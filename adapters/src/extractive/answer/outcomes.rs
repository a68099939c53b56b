//! Whether: what passages say for yes, for no, and for an open end.

use super::Mode;
use super::corpus::Corpus;
use super::lexicon::Lexicon;
use super::question::Question;
use super::settle::Group;
use super::words::{Shape, Word, stem};

const REACH: usize = 6;
/// A passage that is not about what the question predicts must name at least this share of its terms.
const MIN_COVERAGE: f64 = 0.5;

/// Yes, no and open, with their passages.
pub fn groups(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let fill = |name: &str| Group { statement: statement(question, name, lexicon), ..Group::default() };
    let (mut yes, mut no, mut open) = (fill("yes"), fill("no"), fill("depends"));
    let asked = Asked::new(question, lexicon);
    for unit in corpus.weightiest(lexicon) {
        let words = &corpus.units[unit].words.list;
        let Some(side) = asked.side(words, corpus.units[unit].coverage, lexicon) else { continue };
        let ahead = words.iter().any(|w| lexicon.forward.contains(&w.norm));
        let weight = corpus.weight(unit) * (0.2 + 0.8 * corpus.units[unit].coverage) * if ahead { 1.0 } else { 0.7 };
        let positive = match corpus.units[unit].passage.mode {
            Mode::Denied => !side.positive && side.negated,
            _ => side.positive,
        };
        let (mine, other) = if positive { (&mut yes, &mut no) } else { (&mut no, &mut yes) };
        if side.conditional {
            open.support.push((unit, weight));
            mine.support.push((unit, weight * 0.4));
            mine.hedged = true;
        } else {
            mine.support.push((unit, weight));
            other.against.push((unit, weight));
        }
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
    let done = |w: &Word| {
        question.act_word.as_deref() == Some(&w.norm)
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
    if run == 0 || end <= from || !lexicon.openers.contains(&first.norm) || next.shape == Shape::Mark {
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

struct Asked {
    predicate: Vec<String>,
    opposite: Vec<String>,
    negated: bool,
}

struct Side {
    positive: bool,
    negated: bool,
    conditional: bool,
}

impl Asked {
    fn new(question: &Question, lexicon: &Lexicon) -> Self {
        let timely = |t: &str| lexicon.figures.measures.iter().any(|m| m == t) || lexicon.months.contains(t);
        let named = |t: &str| question.names.iter().any(|n| n.to_lowercase().contains(t));
        let plain = question
            .terms
            .iter()
            .filter(|t| !named(&t.text) && !timely(&t.text) && !t.text.starts_with(|c: char| c.is_ascii_digit()));
        let mut predicate: Vec<String> = plain.map(|t| t.stem.clone()).collect();
        predicate.extend(question.act.as_deref().map(|a| stem(a).to_owned()));
        let pairs = lexicon.opposites.iter().flat_map(|(a, b)| [(stem(a), stem(b)), (stem(b), stem(a))]);
        let opposite = pairs.filter(|(a, _)| predicate.iter().any(|p| p == a)).map(|(_, b)| b.to_owned());
        let opposite: Vec<String> = opposite.filter(|b| !predicate.contains(b)).collect();
        let negated = super::words::split(&question.text).list.iter().any(|w| w.norm == "not");
        Self { predicate, opposite, negated }
    }

    /// Which side a passage takes, if it speaks of the predicate at all.
    fn side(&self, words: &[Word], coverage: f64, lexicon: &Lexicon) -> Option<Side> {
        let at = |list: &[String]| words.iter().position(|w| w.shape != Shape::Mark && list.iter().any(|s| s == stem(&w.norm)));
        let (place, mut positive) = match (at(&self.predicate), at(&self.opposite)) {
            (_, Some(place)) => (place, false),
            (Some(place), None) => (place, true),
            (None, None) if self.predicate.is_empty() => (0, true),
            (None, None) => return None,
        };
        if coverage < MIN_COVERAGE {
            return None;
        }
        let near = &words[place.saturating_sub(REACH)..(place + REACH).min(words.len())];
        let negated = near.iter().filter(|w| lexicon.negative.contains(&w.norm)).count() % 2 == 1;
        if negated != self.negated {
            positive = !positive;
        }
        let conditional =
            words.iter().any(|w| lexicon.conditional.contains(&w.norm) && (w.norm != "may" || w.shape == Shape::Lower));
        Some(Side { positive, negated, conditional })
    }
}
