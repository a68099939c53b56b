//! Words of a person: their comparison with a quotation, and the phrases of a list in them.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

/// Returns the words of a text in lower case, without punctuation. Apostrophes stay.
fn folded(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace(['’', '‘', '`'], "'");
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'').map(|word| word.trim_matches('\''));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns whether a source quotes a reply: all its words are in the reply, in their order. Words between them may be left out.
pub fn is_quoted_from(source: &str, reply: &str) -> bool {
    let (source, reply) = (folded(source), folded(reply));
    let mut rest = reply.iter();
    !source.is_empty() && source.iter().all(|word| rest.any(|given| given == word))
}

/// Returns whether a text contains one of the phrases, as whole words.
pub fn has_phrase(text: &str, phrases: &[String]) -> bool {
    let words = folded(text);
    phrases.iter().any(|phrase| contains(&words, &folded(phrase)))
}

fn contains(words: &[String], phrase: &[String]) -> bool {
    !phrase.is_empty() && words.windows(phrase.len()).any(|part| part == phrase)
}

/// Fewest characters of a word that carries content.
const MIN_CONTENT_CHARS: usize = 4;

/// Longer words that carry no content, in English and German.
static FUNCTION_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "about after also because been before being could does doing done down each even ever every from have having \
    here into just like made make many more most much must never only other over really should some something still such than that \
    their them then there these they thing things this those though through very want wants were what when where which while will with \
    without would your aber alle alles auch beim dann dass denn diese dieser dieses doch durch eine einem einen einer etwas gegen habe \
    haben hatte hier ihre immer jetzt kann kein keine können mehr mein meine meinem meinen meiner mich nicht nichts noch oder ohne schon \
    sehr sein seine sich sind soll über unter viel wenn werde werden wieder wird wohl würde"
        .split(' ')
        .collect()
});

/// Most words of a reply that avoids a question. A longer one answers it.
const MAX_DEFLECTION_WORDS: usize = 8;

/// Returns whether a short reply contains one of the phrases of a deflection. A phrase of one word is the whole reply: "Egal.", not
/// "Nicht egal."
pub fn is_deflection(text: &str, phrases: &[String]) -> bool {
    let words = folded(text);
    let is_found = |phrase: &[String]| (phrase.len() > 1 || words.len() == 1) && contains(&words, phrase);
    words.len() <= MAX_DEFLECTION_WORDS && phrases.iter().any(|phrase| is_found(&folded(phrase)))
}

/// Content words of what was said.
pub struct SpokenWords(BTreeSet<String>);

impl SpokenWords {
    pub fn new<'a>(said: impl IntoIterator<Item = &'a str>) -> Self {
        let words = said.into_iter().flat_map(folded);
        let has_content = |word: &str| word.chars().count() >= MIN_CONTENT_CHARS && !FUNCTION_WORDS.contains(word);
        Self(words.filter(|word| has_content(word)).collect())
    }

    /// Returns whether a text shares one of them.
    pub fn are_in(&self, text: &str) -> bool {
        folded(text).iter().any(|word| self.0.contains(word))
    }
}

/// Returns whether a reply is a single word.
pub fn is_one_word(text: &str) -> bool {
    folded(text).len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_has_the_words_of_one_reply_in_order() {
        let reply = "A friend from college. We haven’t seen each other in months.";
        assert!(is_quoted_from("friend from college, haven't seen in months", reply));
        for wrong in ["months in college", "an old friend from college", "", "..."] {
            assert!(!is_quoted_from(wrong, reply), "{wrong}");
        }
    }

    #[test]
    fn phrases_are_found_as_whole_words_in_any_case() {
        let phrases = ["want to die".to_owned(), "i'm suicidal".to_owned()];
        assert!(has_phrase("Sometimes I WANT to die.", &phrases) && has_phrase("I’m suicidal", &phrases));
        assert!(!has_phrase("Watch the suicide bombings; they want to diet.", &phrases));
    }

    #[test]
    fn only_a_short_reply_is_a_deflection() {
        let phrases = ["doesn't matter".to_owned()];
        assert!(is_deflection("It doesn't matter.", &phrases));
        assert!(!is_deflection("The price doesn't matter to me as long as the flour comes on time.", &phrases));
        let phrases = ["whatever".to_owned()];
        assert!(is_deflection("Whatever!", &phrases) && !is_deflection("Whatever I do, he is angry.", &phrases));
    }

    #[test]
    fn content_is_shared_by_a_word_that_is_long_enough() {
        let said = SpokenWords::new(["The grain", "is late."]);
        assert!(said.are_in("Wants GRAIN early") && said.are_in("Late again"));
        assert!(!said.are_in("The sea is blue"));
        assert!(!SpokenWords::new(["I want that with them."]).are_in("What I want from them"), "no words of every text");
    }

    #[test]
    fn a_reply_of_one_word_is_recognised() {
        assert!(is_one_word("Work!") && !is_one_word("My work") && !is_one_word(""));
    }
}
