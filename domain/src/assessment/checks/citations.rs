//! Check that a sentence shares words with the claims that it cites. It finds citations that were mixed up, in any language.
//! Claims in another language than the report are not compared.

use super::{CheckContext, Issue};
use crate::{
    DocumentId,
    assessment::{Body, Citation, Marker, markers_in, unmarked},
};
use std::collections::{BTreeMap, BTreeSet};

/// Letters of the shortest content word; shorter ones are in any text.
const MIN_LETTERS: usize = 4;
/// Letters by which the forms of a word count as one.
const STEM_LETTERS: usize = 5;
/// Letters of the longest short word; languages differ in them.
const MAX_SHORT_LETTERS: usize = 3;
/// Different short words from which the language of claims is judged, and those that a report has at least to be judged against.
const MIN_SHORT_WORDS: usize = 3;
const MIN_REPORT_WORDS: usize = 20;
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
        for CitedSentence { place, text, markers } in comparable_sentences(context) {
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

/// Returns whether any sentence cites claims in its own language only.
pub(super) fn has_comparable_sentences(context: &CheckContext<'_>) -> bool {
    !comparable_sentences(context).is_empty()
}

fn comparable_sentences(context: &CheckContext<'_>) -> Vec<CitedSentence> {
    let foreign = foreign_citations(context);
    let mut sentences = cited_sentences(context.body);
    sentences.retain(|sentence| sentence.markers.is_disjoint(&foreign));
    sentences
}

/// Returns the citations neither whose claim nor whose quote is in the language of the report. A text is in another language if fewer
/// than half of its short words are in the report. Where its document has too few of them, all citations decide.
fn foreign_citations(context: &CheckContext<'_>) -> BTreeSet<Marker> {
    let known: BTreeSet<String> = context.body.prose().iter().flat_map(|(_, text)| short_words(&unmarked(text))).collect();
    if known.len() < MIN_REPORT_WORDS {
        return BTreeSet::new();
    }
    let claims = ClaimLanguages::new(context.citations, |one| one.content.as_deref());
    let quotes = ClaimLanguages::new(context.citations, |one| Some(&*one.quote));
    let is_foreign = |one: &&Citation| {
        (one.content.is_none() || claims.are_foreign(one.document_id, &known)) && quotes.are_foreign(one.document_id, &known)
    };
    context.citations.iter().filter(is_foreign).map(|one| one.marker).collect()
}

/// Short words of the claims or quotes of each document, and of all together.
struct ClaimLanguages {
    by_document: BTreeMap<DocumentId, BTreeSet<String>>,
    all: BTreeSet<String>,
}

impl ClaimLanguages {
    fn new<'a>(citations: &'a [Citation], text: impl Fn(&'a Citation) -> Option<&'a str>) -> Self {
        let mut by_document: BTreeMap<DocumentId, BTreeSet<String>> = BTreeMap::new();
        for citation in citations {
            by_document.entry(citation.document_id).or_default().extend(text(citation).into_iter().flat_map(short_words));
        }
        let all = by_document.values().flatten().cloned().collect();
        Self { by_document, all }
    }

    fn are_foreign(&self, document: DocumentId, known: &BTreeSet<String>) -> bool {
        let words = self.by_document.get(&document).filter(|words| words.len() >= MIN_SHORT_WORDS).unwrap_or(&self.all);
        words.len() >= MIN_SHORT_WORDS && words.intersection(known).count() * 2 < words.len()
    }
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

/// Returns the short words of a text, which are mostly grammar, and single characters of scripts that are compared by pairs.
fn short_words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for run in text.split(|letter: char| !letter.is_alphabetic()).filter(|run| !run.is_empty()) {
        if run.chars().any(is_paired) {
            words.extend(run.chars().map(String::from));
        } else if run.chars().count() <= MAX_SHORT_LETTERS {
            words.insert(run.to_lowercase());
        }
    }
    words
}

/// Returns the content words of a text by their beginnings: longer words, numbers, and pairs of characters in some scripts.
fn content_words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for run in crate::text::words(text) {
        let letters: Vec<char> = run.chars().flat_map(char::to_lowercase).collect();
        if letters.iter().copied().any(is_paired) {
            words.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if letters.len() >= MIN_LETTERS || letters.iter().any(|letter| letter.is_numeric()) {
            words.insert(letters.iter().take(STEM_LETTERS).collect());
        }
    }
    words
}

/// Returns whether a character belongs to Han, Kana, Thai, Lao, Khmer or Burmese, which are written without spaces, or to Hangul,
/// whose words are short and take endings.
fn is_paired(letter: char) -> bool {
    matches!(u32::from(letter), 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0x20000..=0x3ffff)
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
        assert!(!content_words("수문에서는").is_disjoint(&content_words("수문을")), "one word with two endings");
    }

    #[test]
    fn claims_are_in_another_language_than_a_report_with_other_short_words() {
        let known = short_words("Das Tor wurde in der Nacht mit einem Schlüssel geöffnet, und die Wache war an der Tür.");
        let complete = crate::assessment::tests::complete();
        let languages = |texts: [&'static str; 3]| {
            ClaimLanguages::new(&complete.citations, move |one| texts.get(one.marker as usize - 1).copied())
        };
        let are_foreign = |texts| complete.citations.iter().all(|one| languages(texts).are_foreign(one.document_id, &known));
        assert!(are_foreign([
            "Police arrested people in Berlin.",
            "The gate was open, a guard said.",
            "It is not known by whom."
        ]));
        assert!(are_foreign(["Ворота были открыты, и охрана не ушла.", "Это не так.", "Он там и был."]));
        assert!(are_foreign(["大门是用钥匙打开的。", "记录里没有名字。", "星期五渡轮恢复。"]));
        assert!(!are_foreign(["Die Wache war in der Stadt.", "Das Tor war offen.", "An der Tür war die Wache."]));
    }
}
