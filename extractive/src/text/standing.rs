//! Whether a sentence states a link between two of its names, or negates, denies, supposes, asks or invents it.

use std::ops::Range;

use super::{Class, ClassSet, Text};

/// A frame like "in the 1997 novel" has at most so many tokens between "in" and the kind of work.
const FRAME_TOKENS_MAX: usize = 5;
/// A clause begins at most so many tokens before its first name.
const CLAUSE_TOKENS_MAX: usize = 40;

/// Places in a sentence where it asks, supposes and denies.
pub(super) struct Standing {
    /// The last question mark.
    question: Option<usize>,
    /// The first word of a condition: links behind it are supposed.
    condition: Option<usize>,
    /// Words of denial, each with what it reaches.
    denials: Vec<Range<usize>>,
}

/// So many denials of a sentence are looked at.
const DENIALS_MAX: usize = 8;

impl Text<'_> {
    /// The places where a sentence asks, supposes and denies; none where a condition opens it, or where it tells of a work.
    pub(super) fn standing(&self, sentence: &Range<usize>) -> Option<Standing> {
        let condition = self.find_cue(sentence.clone(), Class::Condition).map(|cue| cue.start);
        let opens = condition.is_some_and(|at| self.tokens[sentence.start..at].iter().all(|token| !token.is_word()));
        if opens || self.is_fiction(sentence) {
            return None;
        }
        let denies = |at: &usize| self.tokens[*at].is(Class::Deny) || self.rejects_contention(*at, sentence.end);
        let ends = |at: &usize| {
            let joins = self.tokens.get(at + 1).is_some_and(|next| matches!(&*next.fold, "and" | "but"));
            matches!(&*self.tokens[*at].fold, ";" | "but") || self.tokens[*at].is_mark(",") && joins
        };
        let reach = |at: usize| at..(at..sentence.end).find(ends).unwrap_or(sentence.end);
        Some(Standing {
            question: sentence.clone().rev().find(|at| self.asks_at(*at)),
            condition,
            denials: sentence.clone().filter(denies).take(DENIALS_MAX).map(reach).collect(),
        })
    }

    /// Whether a sentence states the link of two names, from the first to the second. A role or a place is stated in
    /// passing, in any clause; the link of a verb depends on its clause.
    pub(super) fn states_link(&self, sentence: &Range<usize>, standing: &Standing, link: &Range<usize>, verbal: bool) -> bool {
        let asked = standing.question.is_some_and(|at| at >= link.end);
        let supposed = || standing.condition.is_some_and(|at| at < link.start) || self.has_modal(link);
        let denied = || standing.denials.iter().any(|reach| reach.contains(&link.start));
        !(asked || verbal && (supposed() || denied() || self.is_negated(sentence, link)))
    }

    /// Whether a sentence ends with a question mark, quotation marks aside.
    pub fn is_question(&self, sentence: super::Span) -> bool {
        self.token_range(sentence).rev().take_while(|at| !self.tokens[*at].is_word()).any(|at| self.asks_at(at))
    }

    fn asks_at(&self, at: usize) -> bool {
        matches!(&*self.tokens[at].fold, "?" | "\u{ff1f}" | "\u{61f}")
    }

    /// "In the novel, …", "…, in the film.", "the fictional …": what a work tells, and no event.
    fn is_fiction(&self, sentence: &Range<usize>) -> bool {
        if self.find_cue(sentence.clone(), Class::FictionCue).is_some() {
            return true;
        }
        sentence.clone().filter(|at| self.tokens[*at].is(Class::FictionWork)).any(|work| {
            let near = work.saturating_sub(FRAME_TOKENS_MAX).max(sentence.start)..work;
            let Some(frame) = near.rev().find(|at| &*self.tokens[*at].fold == "in") else { return false };
            let opens = frame == sentence.start || !self.tokens[frame - 1].is_word();
            let closes = work + 1 >= sentence.end || !self.tokens[work + 1].is_word();
            let plain = self.tokens[frame..work].iter().all(|token| !token.is_mark(",") && !self.is_past_verb(token));
            (opens || closes) && plain
        })
    }

    /// "would have", "could".
    fn has_modal(&self, link: &Range<usize>) -> bool {
        let modal = |at: usize| {
            let token = &self.tokens[at];
            let dated = token.is(Class::Month) && (token.is_capital() && !self.in_capitals(token) || self.is_dated(at));
            token.is(Class::Modal) && !dated
        };
        link.clone().any(modal)
    }

    /// "3 May", "in May": the month and not the verb.
    fn is_dated(&self, at: usize) -> bool {
        at > 0 && (self.tokens[at - 1].kind == super::TokenKind::Number || self.tokens[at - 1].is(Class::Preposition))
    }

    /// A negation in the clause up to the second name.
    fn is_negated(&self, sentence: &Range<usize>, link: &Range<usize>) -> bool {
        let breaks = |at: &usize| {
            let token = &self.tokens[*at];
            token.is_dash()
                || matches!(&*token.fold, ";" | ":" | "," | "\"" | "\u{201c}" | "\u{201d}" | "but" | "although" | "while")
        };
        let first = sentence.start.max(link.start.saturating_sub(CLAUSE_TOKENS_MAX));
        let start = (first..link.start).rev().find(breaks).map_or(first, |at| at + 1);
        self.find_cue(start..link.end, Class::Negation).is_some()
    }

    /// "rejected the accusation", "dismissed as false that …": a denial, unlike "rejected the offer".
    pub(super) fn rejects_contention(&self, verb: usize, end: usize) -> bool {
        const OBJECT_TOKENS_MAX: usize = 7;
        if !self.tokens[verb].is(Class::Reject) {
            return false;
        }
        let fold = |at: usize| self.tokens[..end].get(at).map_or("", |token| &*token.fold);
        // "rejected that the bridge was unsafe", and not "rejected that offer".
        let clause = self.tokens[..end].get(verb + 2).is_some_and(|next| {
            next.is(Class::Determiner) || next.is(Class::Pronoun) || next.is_capital() && !self.in_capitals(next)
        });
        let that = fold(verb + 1) == "that" && clause;
        // The object stands before the first preposition: "rejected the offer by the author of the report".
        let in_object = |at: &usize| {
            let token = &self.tokens[*at];
            token.is_word() && !token.is(Class::Auxiliary) && (!token.is(Class::Preposition) || &*token.fold == "as")
        };
        let mut object = (verb + 1..end.min(verb + 1 + OBJECT_TOKENS_MAX)).take_while(in_object);
        that || object.any(|at| {
            let stated = self.tokens[at].classes.any(ClassSet::from_classes(&[Class::Say, Class::Allege]));
            self.cue_at(at, Class::Contention).is_some() || stated && fold(at + 1) == "that"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Lexicon, Span};
    use super::*;

    fn links(text: &str) -> Vec<String> {
        let reading = Text::new(Lexicon::english(), text);
        let mentions = reading.mentions();
        let relations = reading.relations(Span::whole(text), &mentions);
        relations.into_iter().map(|link| link.description).collect()
    }

    #[test]
    fn a_plain_sentence_states_its_link() {
        for (text, link) in [
            ("Orrin Bank bought Halvek Motors.", "bought"),
            ("Ann Vale did not resign, but Orrin Bank bought Halvek Motors.", "bought"),
            ("On 3 May Ann Vale visited Port Calder.", "visited"),
            ("ANN VALE VISITED LIMA ON 3 MAY.", "visited"),
            (
                "Ann Vale starred in the novel adaptation and visited Port Calder.",
                "starred in the novel adaptation and visited",
            ),
        ] {
            assert_eq!(links(text), [link], "{text}");
        }
    }

    #[test]
    fn negated_denied_hypothetical_and_invented_statements_are_no_links() {
        for text in [
            "Orrin Bank did not buy Halvek Motors.",
            "No evidence shows that Orrin Bank bought Halvek Motors.",
            "Orrin Bank failed to visit Port Calder.",
            "The minister denied that Orrin Bank bought Halvek Motors.",
            "The minister dismissed reports that Orrin Bank bought Halvek Motors.",
            "Orrin Bank would have bought Halvek Motors.",
            "If Orrin Bank bought Halvek Motors, prices rose.",
            "Police asked whether Ann Vale visited Port Calder.",
            "Was it true that Ann Vale visited Port Calder?",
            "In the 1997 novel, Ann Vale visited Port Calder.",
            "The fictional detective Ann Vale visited Port Calder.",
        ] {
            assert_eq!(links(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_sentence_that_ends_with_a_question_mark_asks() {
        let is_question = |text: &str| Text::new(Lexicon::english(), text).is_question(Span::whole(text));
        assert!(is_question("Who sank the ferry?") && is_question("\"Who sank the ferry?\""));
        assert!(!is_question("\"Who sank the ferry?\" he asked.") && !is_question("The ferry sank."));
    }
}
