//! A question read: its shape, the type of its answer, and what it is about.

use crate::{
    corpus::{Reading, initials, is_long},
    text::{ClassSet, Kind, Lexicon, Mention, Text, TokenKind, fold},
    words::{QuestionWords, Stems, Words, find_phrase},
};

/// The form of answer that a question wants.
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

impl Shape {
    /// The shapes that phrases of the question tell, with the keys of their lists; the first that fits decides.
    pub const LISTED: &'static [(Shape, &'static str)] = &[
        (Shape::Brief, "brief"),
        (Shape::Sides, "sides"),
        (Shape::Series, "series"),
        (Shape::Expectations, "expectations"),
        (Shape::List, "list"),
        (Shape::YesNo, "yes_no"),
    ];
}

/// The type of the answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerType {
    Actor,
    /// Number of something.
    Count,
    /// Size of something: money, a share, a measure.
    Amount,
    Date,
    Place,
    Cause,
    Anything,
}

impl AnswerType {
    /// The types that phrases of the question tell, with the keys of their lists; the first that fits decides.
    pub const LISTED: &'static [(AnswerType, &'static str)] = &[
        (AnswerType::Count, "count"),
        (AnswerType::Amount, "amount"),
        (AnswerType::Cause, "cause"),
        (AnswerType::Date, "date"),
        (AnswerType::Place, "place"),
        (AnswerType::Actor, "actor"),
    ];
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
    /// Other ways of writing it, each as the stems that stand for it together: "al-Qaeda" as "Qaeda", "Columbia" as "BC".
    pub spellings: Vec<Vec<String>>,
}

/// A question as the provider understands it.
#[derive(Clone, Debug)]
pub struct Question {
    pub text: String,
    pub shape: Shape,
    pub answer_type: AnswerType,
    pub terms: Vec<Term>,
    /// Keys of what is counted: "how many *people*".
    pub counted: Vec<String>,
    /// Whether it asks which ones somebody chose or added.
    pub asks_for_choice: bool,
    /// Numbers that the question states, each with the keys of what it counts: "the six *priests*".
    pub numbers: Vec<(f64, Vec<String>)>,
    /// Whether it names a country, and another place.
    pub has_country: bool,
    pub has_town: bool,
}

impl Question {
    pub fn read(text: &str, lexicon: &Lexicon, words: &QuestionWords) -> Self {
        let folded = fold(text.trim());
        let shape = first(&words.shapes, &folded).unwrap_or(Shape::Fact);
        let answer_type = first(&words.answers, &folded).unwrap_or(AnswerType::Anything);
        let reading = Text::new(lexicon, text);
        let mentions = reading.mentions();
        let mut terms: Vec<Term> = vec![];
        let mut counted = vec![];
        let mut is_counting = false;
        for (at, token) in reading.tokens().iter().enumerate() {
            if token.kind == TokenKind::Mark || token.is_possessive() {
                continue;
            }
            let key = words.key(lexicon, &token.fold);
            if matches!(&*token.fold, "many" | "much") {
                is_counting = answer_type == AnswerType::Count;
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
            if (is_function && !(is_name && token.fold.len() > 1 && at > 0))
                || (!is_name && words.has_stem(Stems::Asking, &key))
            {
                continue;
            }
            let is_place = mentions.iter().any(|mention| mention.kind == Kind::Place && mention.span.contains(token.span));
            match terms.iter_mut().find(|term| term.key == key) {
                // "the San Salvador Market in San Salvador"
                Some(known) => known.is_place |= is_place,
                None => {
                    let parts: Vec<String> = key
                        .split('-')
                        .filter(is_long)
                        .map(|part| words.key(lexicon, part))
                        .filter(|part| *part != key)
                        .collect();
                    let parts = Some(parts).filter(|parts| !parts.is_empty());
                    let named = mentions.iter().filter(|mention| mention.span.contains(token.span));
                    let initials = named.filter_map(|mention| initials(&reading, mention)).map(|initials| vec![initials]);
                    let spellings = parts.into_iter().chain(initials).collect();
                    terms.push(Term { text: token.span.slice(text).to_owned(), key, is_name, is_place, spellings });
                }
            }
        }
        let mut keys = reading.tokens().iter().map(|token| words.key(lexicon, &token.fold));
        let begins = reading.tokens().first().is_some_and(|token| words.has_word(Words::Which, &token.fold));
        let asks_for_choice = begins && keys.any(|key| words.has_stem(Stems::Choosing, &key));
        let numbers =
            Reading::new(text, lexicon, words).numbers.into_iter().map(|number| (number.value, number.counted)).collect();
        let places = || mentions.iter().filter(|mention| mention.kind == Kind::Place && !mention.demonym);
        let is_country = |mention: &Mention| lexicon.country_of(&mention.canonical).is_some();
        Self {
            text: text.trim().to_owned(),
            shape,
            answer_type,
            counted,
            asks_for_choice,
            numbers,
            has_country: places().any(is_country),
            has_town: places().any(|mention| !is_country(mention)),
            terms,
        }
    }
}

/// The first whose list has a phrase of the question.
fn first<K: Copy>(lists: &[(K, Vec<String>)], folded: &str) -> Option<K> {
    lists.iter().find(|(_, phrases)| phrases.iter().any(|phrase| matches(folded, phrase))).map(|(key, _)| *key)
}

/// Whether a question has a phrase: `^` is its beginning, `*` any words between two parts.
fn matches(folded: &str, phrase: &str) -> bool {
    if let Some((first, rest)) = phrase.split_once('*') {
        let first = first.trim();
        let Some(at) = folded.find(first.trim_start_matches('^')) else { return false };
        return matches(folded, first) && matches(&folded[at..], rest.trim());
    }
    match phrase.strip_prefix('^') {
        Some(start) => folded.strip_prefix(start).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)),
        None => find_phrase(folded, phrase).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::shipped;

    #[test]
    fn the_shape_and_the_type_are_read_from_the_question() {
        let rules = shipped();
        let check = |text: &str, shape: Shape, answer_type: AnswerType| {
            let question = Question::read(text, &rules.lexicon, &rules.words);
            assert_eq!((question.shape, question.answer_type), (shape, answer_type), "{text}");
        };
        check("Who sank the ferry?", Shape::Fact, AnswerType::Actor);
        check("How many sailors drowned?", Shape::Fact, AnswerType::Count);
        check("How large is the fleet of Kestravia?", Shape::Fact, AnswerType::Amount);
        check("When was the ferry raised?", Shape::Fact, AnswerType::Date);
        check("Where was the captain found?", Shape::Fact, AnswerType::Place);
        check("Why did the ferry sink?", Shape::Fact, AnswerType::Cause);
        check("Was the captain drunk?", Shape::YesNo, AnswerType::Anything);
        check("Which ports did the ferry call at?", Shape::List, AnswerType::Anything);
        check("How do the accounts of the crew differ?", Shape::Sides, AnswerType::Anything);
        check("How has the number of wrecks changed?", Shape::Series, AnswerType::Count);
        check("What happens next in the inquiry?", Shape::Expectations, AnswerType::Anything);
        check("Assess the safety of the ferries.", Shape::Brief, AnswerType::Anything);
    }

    #[test]
    fn a_question_about_a_choice_is_recognised_by_its_verb() {
        let rules = shipped();
        let asks = |text: &str| Question::read(text, &rules.lexicon, &rules.words).asks_for_choice;
        for question in ["Which ships did the port choose?", "Who was appointed captain?", "Which crews have they added?"] {
            assert!(asks(question), "{question}");
        }
        for question in ["Which ships sank?", "Who addressed the crew?", "Why did the port choose the ferry?"] {
            assert!(!asks(question), "{question}");
        }
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
