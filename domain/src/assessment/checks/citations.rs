//! Check that a sentence shares words with the claims that it cites. It finds citations that were mixed up, in any language.

use super::{CheckContext, Issue};
use crate::assessment::{Body, Citation, Marker, markers_in, unmarked};
use std::collections::{BTreeMap, BTreeSet};

/// Letters of the shortest content word; shorter ones are in any text.
const MIN_LETTERS: usize = 4;
/// Letters by which the forms of a word count as one.
const STEM_LETTERS: usize = 5;
/// Content words of the shortest sentence that is compared.
const MIN_WORDS: usize = 3;
/// Sentences from which the check fails, and their share of those compared: one in so many.
const MIN_UNFIT: usize = 3;
const ONE_IN: usize = 10;
/// Characters of a sentence that name it.
const BEGIN_CHARS: usize = 60;
const SENTENCE_ENDS: [char; 4] = ['.', '!', '?', ';'];
const CLOSING_MARKS: [char; 4] = ['"', '”', '’', ')'];

/// Sentences that share no content word with what they cite.
struct UnfitSentences {
    issues: Vec<Issue>,
    compared: usize,
}

impl UnfitSentences {
    fn find(context: &CheckContext<'_>) -> Self {
        let words = |citation: &Citation| {
            let source = citation.source_name();
            let texts = [citation.content.as_deref(), Some(&*citation.quote), citation.speaker.as_deref(), Some(&*source)];
            texts.into_iter().flatten().flat_map(content_words).collect::<BTreeSet<String>>()
        };
        let claims: BTreeMap<Marker, BTreeSet<String>> = context.citations.iter().map(|one| (one.marker, words(one))).collect();
        let mut found = Self { issues: vec![], compared: 0 };
        for CitedSentence { place, text, markers } in cited_sentences(context.body) {
            let words = content_words(&text);
            let mut cited = markers.iter().filter_map(|marker| claims.get(marker)).peekable();
            if words.len() < MIN_WORDS || cited.peek().is_none() {
                continue;
            }
            found.compared += 1;
            if cited.all(|claim| claim.is_disjoint(&words)) {
                let begin: String = text.chars().take(BEGIN_CHARS).collect();
                let markers: String = markers.iter().map(|marker| format!("[{marker}]")).collect();
                found.issues.push((place, format!("“{begin}…” shares no word with what it cites, {markers}")));
            }
        }
        found
    }

    const fn are_many(&self) -> bool {
        self.issues.len() >= MIN_UNFIT && self.issues.len() * ONE_IN >= self.compared
    }
}

/// Finds the sentences that do not fit their citations, where they are many.
pub(super) fn citations_fit(context: &CheckContext<'_>) -> Vec<Issue> {
    let unfit = UnfitSentences::find(context);
    if unfit.are_many() { unfit.issues } else { vec![] }
}

/// Finds the same where they are few: a sentence may say in other words what it cites.
pub(super) fn few_unfit(context: &CheckContext<'_>) -> Vec<Issue> {
    let unfit = UnfitSentences::find(context);
    if unfit.are_many() { vec![] } else { unfit.issues }
}

pub(super) fn has_cited_sentences(body: &Body) -> bool {
    !cited_sentences(body).is_empty()
}

struct CitedSentence {
    place: String,
    /// Without its markers.
    text: String,
    markers: BTreeSet<Marker>,
}

/// Returns the sentences with markers, and the statements whose citations stand beside them.
fn cited_sentences(body: &Body) -> Vec<CitedSentence> {
    let lists: BTreeMap<String, &[Marker]> = body.citation_lists().into_iter().collect();
    let mut cited = vec![];
    for (place, text) in body.prose() {
        // Mechanisms and effects are the author's inference from what stands beside them.
        let statement = [".statement", ".text", ".event"].iter().find_map(|end| place.strip_suffix(end));
        let beside = statement.and_then(|start| lists.get(&format!("{start}.citations")).copied()).unwrap_or_default();
        let has_markers = markers_in(text).next().is_some();
        let sentences = if has_markers { sentences(text) } else { vec![text] };
        for sentence in sentences {
            let mut markers: BTreeSet<Marker> = markers_in(sentence).collect();
            if !markers.is_empty() || !has_markers {
                markers.extend(beside);
            }
            if !markers.is_empty() {
                cited.push(CitedSentence { place: place.clone(), text: unmarked(sentence), markers });
            }
        }
    }
    cited
}

/// Splits a text into sentences. Markers behind a full stop belong to the sentence before it.
fn sentences(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut end, mut is_over) = (vec![], 0, 0, false);
    for piece in text.split_inclusive(char::is_whitespace) {
        let bare = unmarked(piece);
        let has_words = bare.contains(char::is_alphanumeric);
        if is_over && has_words {
            found.push(&text[start..end]);
            start = end;
        }
        end += piece.len();
        if has_words || bare.ends_with(SENTENCE_ENDS) {
            is_over = bare.trim_end_matches(CLOSING_MARKS).ends_with(SENTENCE_ENDS);
        }
        // An empty line ends a paragraph.
        is_over |= piece == "\n";
    }
    found.push(&text[start..]);
    found
}

/// Returns the content words of a text by their beginnings: longer words, numbers, and pairs of characters in scripts without spaces.
fn content_words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for run in text.split(|letter: char| !letter.is_alphanumeric()) {
        let letters: Vec<char> = run.chars().flat_map(char::to_lowercase).collect();
        if letters.iter().copied().any(is_unspaced) {
            words.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if letters.len() >= MIN_LETTERS || letters.iter().any(|letter| letter.is_numeric()) {
            words.insert(letters.iter().take(STEM_LETTERS).collect());
        }
    }
    words
}

/// Returns whether a character belongs to Han, Kana, Thai, Lao, Khmer or Burmese, which are written without spaces.
fn is_unspaced(letter: char) -> bool {
    matches!(u32::from(letter), 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_into_sentences_with_their_markers() {
        let text = "The gate was open [1]. [2] It was “late.” [3]\n\n# Then\n\nNo one came";
        assert_eq!(sentences(text), ["The gate was open [1]. [2] ", "It was “late.” [3]\n\n# ", "Then\n\n", "No one came"]);
    }

    #[test]
    fn content_words_are_long_words_numbers_and_pairs_of_characters() {
        let words = |text: &str| Vec::from_iter(content_words(text));
        assert_eq!(words("The guards’ 12 gates, opened"), ["12", "gates", "guard", "opene"]);
        assert_eq!(words("Wächter öffnen"), ["wächt", "öffne"]);
        assert_eq!(words("水闸爆炸"), ["水闸", "爆炸", "闸爆"]);
    }
}
