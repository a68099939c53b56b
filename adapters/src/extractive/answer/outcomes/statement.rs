//! A question of yes or no as a statement. It is turned round only where subject and verb are plain to see; else it is quoted.

use super::super::corpus::Corpus;
use super::super::lexicon::Lexicon;
use super::super::question::Question;
use super::super::settle::capitalised;
use super::super::words::{Shape, Word, split, stem};
use crate::extractive::text;

/// The question turned into a statement where its subject is plain to see, else the question with yes or no.
pub(super) fn statement(question: &Question, side: &str, corpus: &Corpus<'_>, lexicon: &Lexicon) -> String {
    let text = question.parts.first().map_or(question.text.trim(), |p| p.text.as_str());
    let words = split(text).list;
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
pub(super) fn subject(question: &Question, words: &[Word], corpus: &Corpus<'_>, lexicon: &Lexicon) -> Option<usize> {
    if words.get(1)?.norm == "there" {
        return Some(2);
    }
    let asked = Inverted::new(words, lexicon)?;
    let end = match words[0].norm.as_str() {
        aux if lexicon.role("perfect", aux) => asked.been().or_else(|| asked.participle()),
        aux if lexicon.role("passive", aux) => asked.participle().or_else(|| asked.complement()),
        _ => asked.verb(question, corpus),
    }?;
    // "Is the crown still missing?": small words between belong to what is said.
    let end = (asked.begin..=end).rev().find(|&k| k == asked.begin || !asked.adverb(k - 1))?;
    (!words[end - 1].possessive && end <= asked.last).then_some(end)
}

/// The verb of a question that opens with a helping verb, or what is said in its place.
pub fn said(question: &Question, words: &[Word], corpus: &Corpus<'_>, lexicon: &Lexicon) -> Option<String> {
    let end = subject(question, words, corpus, lexicon)?;
    words[end..].iter().find(|w| !lexicon.role("passive", &w.norm) && w.is_word()).map(|w| w.norm.clone())
}

/// The words of a question behind its helping verb.
struct Inverted<'a> {
    words: &'a [Word],
    lexicon: &'a Lexicon,
    /// The first that may no longer be of the subject.
    begin: usize,
    last: usize,
    /// The subject begins with a name.
    named: bool,
    /// The subject has an article.
    articled: bool,
}

impl<'a> Inverted<'a> {
    fn new(words: &'a [Word], lexicon: &'a Lexicon) -> Option<Self> {
        let articled = lexicon.determiners.contains(&words.get(1)?.norm);
        let from = 1 + usize::from(articled);
        let run = words[from..].iter().take_while(|w| matches!(w.shape, Shape::Title | Shape::Upper)).count();
        let last = words.iter().rposition(|w| w.is_word() || w.shape == Shape::Number)?;
        let begin = from + run.max(1);
        (begin <= last).then_some(Self { words, lexicon, begin, last, named: run > 0, articled })
    }

    fn adverb(&self, k: usize) -> bool {
        self.lexicon.role("adverbs", &self.words[k].norm)
    }

    fn stops(&self, k: usize) -> bool {
        self.lexicon.stop.contains(&self.words[k].norm) && !self.adverb(k)
    }

    /// A plain word that may be the verb: written small, with no small word of grammar before it.
    fn plain(&self, k: usize) -> bool {
        let free = !self.stops(k - 1) || k == self.begin;
        self.words[k].shape == Shape::Lower && !self.stops(k) && !self.adverb(k) && free
    }

    /// "Has the crown been found?"
    fn been(&self) -> Option<usize> {
        (self.begin..self.last).find(|&k| self.lexicon.role("passive", &self.words[k].norm))
    }

    /// The one participle; where there are more, any may be of the subject.
    fn participle(&self) -> Option<usize> {
        let past = |k: &usize| {
            let norm = &self.words[*k].norm;
            self.plain(*k) && text::Lexicon::english().is_past(norm)
        };
        let by = (self.begin..=self.last).find(|&k| self.lexicon.role("by", &self.words[k].norm));
        let mut found = (self.begin..by.unwrap_or(self.last + 1)).filter(past);
        found.next().filter(|_| found.next().is_none())
    }

    /// What is said with "is" and no participle: "behind the theft", "open", "director of the museum".
    fn complement(&self) -> Option<usize> {
        let (begin, last) = (self.begin, self.last);
        let of = |k: usize| self.lexicon.of.contains(&self.words[k].norm);
        let small = |k: usize| self.words[k].shape == Shape::Lower;
        if self.named && !self.articled {
            let told = begin == last || self.stops(begin) || self.adverb(begin) || self.stops(begin + 1);
            return (told && !of(begin)).then_some(begin);
        }
        let inside = |k: usize| of(k) || of(k - 1);
        match (begin..=last).find(|&k| (self.stops(k) || self.adverb(k)) && !inside(k)) {
            // "Is the alarm in the museum new?": the place may be of the subject.
            Some(k) => {
                let ends = !small(last) || self.stops(last - 1) || self.adverb(last - 1);
                let owned = (begin..k).any(of);
                (ends && !owned || self.adverb(k)).then_some(k)
            }
            None => (small(last) && !self.stops(last - 1)).then_some(last),
        }
    }

    /// The verb behind "did" or "will": before an object, a small word or the end; one that the passages have in the past before others.
    fn verb(&self, question: &Question, corpus: &Corpus<'_>) -> Option<usize> {
        let be = |k: &usize| matches!(self.words[*k].norm.as_str(), "be" | "have");
        if let Some(k) = (self.begin..=self.last).find(be) {
            return Some(k);
        }
        let opens = |k: usize| k > self.last || self.stops(k) || self.adverb(k) || self.words[k].shape != Shape::Lower;
        let found: Vec<usize> = (self.begin..=self.last).filter(|&k| self.plain(k) && opens(k + 1)).collect();
        let english = text::Lexicon::english();
        let past = |w: &&Word| english.is_past(&w.norm);
        let pasts = || corpus.units.iter().flat_map(|u| &u.words.list).filter(past);
        let done = |k: &usize| {
            let word = &self.words[*k];
            let is = |other: &str| stem(other) == stem(&word.norm);
            let paired = self.lexicon.opposites.iter().any(|(a, b)| is(a) || is(b));
            question.act_word.as_deref() == Some(&word.norm) || paired || pasts().any(|p| is(&p.norm))
        };
        match found.as_slice() {
            [one] => Some(*one),
            [first, ..] if done(first) => Some(*first),
            _ => {
                let mut known = found.iter().copied().filter(|k| done(k));
                known.next().filter(|_| known.next().is_none())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{question::analyse_question, tests::passages};
    use super::*;

    #[test]
    fn a_question_is_turned_round_only_where_its_subject_is_plain_to_see() {
        let lexicon = Lexicon::english().unwrap();
        let table = [
            ("Has the Orne Cup been found?", "The Orne Cup has been found."),
            ("Has the hall reopened?", "The hall has reopened."),
            ("Did the alarm work on the night of the theft?", "The alarm did work on the night of the theft."),
            ("Did Ann Vale confess?", "Ann Vale did confess."),
            ("Did police arrest Bo Sund?", "Police did arrest Bo Sund."),
            ("Will the guards strike?", "The guards will strike."),
            ("Will the hall reopen on 1 December?", "The hall will reopen on 1 December."),
            (
                "Was the Red Kite gang behind the theft of the Orne Cup?",
                "The Red Kite gang was behind the theft of the Orne Cup.",
            ),
            (
                "Was the alarm of the Orne Hall switched off during the theft?",
                "The alarm of the Orne Hall was switched off during the theft.",
            ),
            ("Is the Orne Cup still missing?", "The Orne Cup is still missing."),
            ("Is Ann Vale director of the hall?", "Ann Vale is director of the hall."),
            ("Was the door of the hall open?", "The door of the hall was open."),
            ("Was the hall a target?", "The hall was a target."),
            ("Was there a guard in the hall?", "There was a guard in the hall."),
            ("Was the gold found in the garage stolen?", "Yes, on the question “Was the gold found in the garage stolen?”"),
            ("Is the alarm in the hall new?", "Yes, on the question “Is the alarm in the hall new?”"),
        ];
        for (asked, told) in table {
            let question = analyse_question(asked, &lexicon);
            let passages = passages(&[("a", "The crowd waited.")]);
            let corpus = Corpus::new(&question, &passages);
            assert_eq!(statement(&question, "yes", &corpus, &lexicon), told);
        }
    }
}
