//! A question read: its shape, the type of thing asked for, and what it is about.

use crate::{
    text::{ClassSet, Kind, Lexicon, Text, TokenKind, fold},
    words::{QuestionWords, has_phrase},
};

/// What form of answer a question wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Fact,
    YesNo,
    List,
    Sides,
    Series,
    Expectations,
    Brief,
}

/// The type of thing that answers a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Actor,
    /// How many of something.
    Count,
    /// How much, how large: money, a share, a measure.
    Amount,
    Date,
    Place,
    Cause,
    Anything,
}

/// A word that the question is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// As it is written in the question.
    pub text: String,
    /// The stem by which it is compared.
    pub key: String,
    /// Part of a proper name.
    pub is_name: bool,
    /// Part of the name of a place.
    pub is_place: bool,
}

/// A question as the provider understands it.
#[derive(Clone, Debug)]
pub struct Question {
    pub text: String,
    pub shape: Shape,
    pub asked: Asked,
    pub terms: Vec<Term>,
    /// Keys of what is counted: "how many *people*".
    pub counted: Vec<String>,
}

impl Question {
    pub fn read(text: &str, lexicon: &Lexicon, words: &QuestionWords) -> Self {
        let folded = fold(text.trim());
        let any = |phrases: &[String]| phrases.iter().any(|phrase| matches(&folded, phrase));
        let shapes = &words.shapes;
        let by_shape = [
            (&shapes.brief, Shape::Brief),
            (&shapes.sides, Shape::Sides),
            (&shapes.series, Shape::Series),
            (&shapes.expectations, Shape::Expectations),
            (&shapes.list, Shape::List),
            (&shapes.yes_no, Shape::YesNo),
        ];
        let by_type = [
            (&words.asked.count, Asked::Count),
            (&words.asked.amount, Asked::Amount),
            (&words.asked.cause, Asked::Cause),
            (&words.asked.date, Asked::Date),
            (&words.asked.place, Asked::Place),
            (&words.asked.actor, Asked::Actor),
        ];
        let shape = by_shape.into_iter().find(|(phrases, _)| any(phrases)).map_or(Shape::Fact, |(_, shape)| shape);
        let asked = by_type.into_iter().find(|(phrases, _)| any(phrases)).map_or(Asked::Anything, |(_, asked)| asked);
        let reading = Text::new(lexicon, text);
        let mentions = reading.mentions();
        let mut terms: Vec<Term> = vec![];
        let mut counted = vec![];
        let mut is_counting = false;
        for (at, token) in reading.tokens().iter().enumerate() {
            if token.kind == TokenKind::Mark || token.is_possessive() {
                continue;
            }
            let key = words.key(lexicon, token);
            if matches!(&*token.fold, "many" | "much") {
                is_counting = asked == Asked::Count;
                continue;
            }
            let is_name = at > 0 && token.is_capital()
                || token.kind == TokenKind::Number
                || mentions.iter().any(|mention| mention.span.contains(token.span));
            let is_function = token.classes.any(ClassSet::FUNCTION);
            if is_counting {
                if is_function {
                    is_counting = false;
                } else {
                    counted.push(key.clone());
                }
            }
            if (is_function && !(is_name && token.fold.len() > 1 && at > 0)) || (!is_name && words.is_asking(&key)) {
                continue;
            }
            if !terms.iter().any(|term| term.key == key) {
                let is_place = mentions.iter().any(|mention| mention.kind == Kind::Place && mention.span.contains(token.span));
                terms.push(Term { text: token.span.of(text).to_owned(), key, is_name, is_place });
            }
        }
        Self { text: text.trim().to_owned(), shape, asked, terms, counted }
    }
}

/// Whether a question has a phrase: `^` stands for its beginning, `*` for any words between two parts.
fn matches(folded: &str, phrase: &str) -> bool {
    if let Some((first, rest)) = phrase.split_once('*') {
        let first = first.trim();
        let Some(at) = folded.find(first.trim_start_matches('^')) else { return false };
        return matches(folded, first) && matches(&folded[at..], rest.trim());
    }
    match phrase.strip_prefix('^') {
        Some(start) => folded.strip_prefix(start).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)),
        None => has_phrase(folded, phrase),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::shipped;

    #[test]
    fn the_shape_and_the_type_are_read_from_the_question() {
        let rules = shipped();
        let check = |text: &str, shape: Shape, asked: Asked| {
            let question = Question::read(text, &rules.lexicon, &rules.words);
            assert_eq!((question.shape, question.asked), (shape, asked), "{text}");
        };
        check("Who sank the ferry?", Shape::Fact, Asked::Actor);
        check("How many sailors drowned?", Shape::Fact, Asked::Count);
        check("How large is the fleet of Kestravia?", Shape::Fact, Asked::Amount);
        check("When was the ferry raised?", Shape::Fact, Asked::Date);
        check("Where was the captain found?", Shape::Fact, Asked::Place);
        check("Why did the ferry sink?", Shape::Fact, Asked::Cause);
        check("Was the captain drunk?", Shape::YesNo, Asked::Anything);
        check("Which ports did the ferry call at?", Shape::List, Asked::Anything);
        check("How do the accounts of the crew differ?", Shape::Sides, Asked::Anything);
        check("How has the number of wrecks changed?", Shape::Series, Asked::Count);
        check("What happens next in the inquiry?", Shape::Expectations, Asked::Anything);
        check("Assess the safety of the ferries.", Shape::Brief, Asked::Anything);
    }

    #[test]
    fn words_of_asking_are_not_searched_for() {
        let rules = shipped();
        let terms = |text: &str| -> Vec<String> {
            let question = Question::read(text, &rules.lexicon, &rules.words);
            question.terms.into_iter().map(|term| term.text).collect()
        };
        assert_eq!(terms("How do the accounts of Jonna Pell differ?"), ["Jonna", "Pell"]);
        assert_eq!(terms("How many sailors drowned off Varrow?"), ["sailors", "drowned", "Varrow"]);
    }
}
