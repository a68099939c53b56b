//! Excerpts around the words of a query.

use domain::text::words;
use views::Snippet;

/// Words of a query in lower case.
pub(super) struct Words(Vec<String>);

impl Words {
    pub(super) fn new(query: &str) -> Self {
        Self(words(query).map(str::to_lowercase).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a text has every word.
    pub(super) fn are_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.0.iter().all(|word| text.contains(word))
    }

    fn contain(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.0.iter().any(|wanted| word.starts_with(wanted.as_str()))
    }
}

/// Returns about `most_chars` of a text from shortly before the first match, with matching words marked.
pub(super) fn snippet(text: &str, words: &Words, most_chars: usize) -> Snippet {
    let runs = || {
        runs(text).scan(0, |start, run| {
            let from = *start;
            *start += run.len();
            Some((from, run))
        })
    };
    let first = runs().find(|(_, run)| words.contain(run)).map_or(0, |(start, _)| start);
    let lead = text[..first].char_indices().rev().nth(most_chars / 4).map_or(0, |(start, _)| start);
    let begin = runs().map(|(start, _)| start).find(|start| *start >= lead).unwrap_or(0);
    let mut snippet: Vec<(String, bool)> = vec![];
    let mut left = most_chars;
    if begin > 0 {
        snippet.push(("… ".into(), false));
    }
    for (_, run) in runs().skip_while(|(start, _)| *start < begin) {
        let chars = run.chars().count();
        if chars > left {
            snippet.push((" …".into(), false));
            break;
        }
        left -= chars;
        let is_match = words.contain(run);
        match snippet.last_mut().filter(|last| last.1 == is_match) {
            Some((last, _)) => last.push_str(run),
            None => snippet.push((run.to_owned(), is_match)),
        }
    }
    Snippet(snippet)
}

/// Returns the words of a text and what stands between them, in order.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_word = rest.chars().next()?.is_alphanumeric();
        let end = rest.find(|c: char| c.is_alphanumeric() != is_word).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, query: &str, most_chars: usize) -> String {
        let runs = snippet(text, &Words::new(query), most_chars).0.into_iter();
        runs.map(|(text, is_match)| if is_match { format!("[{text}]") } else { text }).collect()
    }

    #[test]
    fn the_words_of_the_query_are_marked() {
        assert_eq!(marked("The Harbour fire was put out.", "fire harbour", 80), "The [Harbour] [fire] was put out.");
        assert_eq!(marked("Straße und Äpfel", "äpfel", 80), "Straße und [Äpfel]");
        assert_eq!(marked("Nothing here.", "fire", 80), "Nothing here.");
        assert_eq!(marked("", "fire", 80), "");
    }

    #[test]
    fn a_long_text_is_cut_around_the_first_match() {
        let text = format!("{} the fire {}", "before ".repeat(100), "after ".repeat(100));
        let cut = marked(&text, "fire", 60);
        assert!(cut.starts_with("… ") && cut.ends_with(" …") && cut.contains("[fire]"), "{cut}");
        assert!(cut.chars().count() < 80, "{cut}");
    }
}
