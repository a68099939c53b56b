//! Readings of documents in view of a question. What such a reading left out is read for the next question that finds the document.

use crate::evidence::sha256_hex;

/// Returns the key of a question under which readings in its view are kept. It reveals no word, and white space does not count.
pub fn question_key(question: &str) -> String {
    let words: Vec<&str> = question.split_whitespace().collect();
    sha256_hex(words.join(" ").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::question_key;

    #[test]
    fn a_question_has_one_key_with_any_spaces() {
        assert_eq!(question_key(" Who pays\n the crew? "), question_key("Who pays the crew?"));
        assert_ne!(question_key("Who pays the crew?"), question_key("Who hired the crew?"));
    }
}
