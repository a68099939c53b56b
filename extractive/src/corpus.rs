//! Documents with their passages, and the words, figures, names and times of each passage.

use crate::{
    rules::Rules,
    text::{Class, ClassSet, Kind, Lexicon, Mention, Text, Token, TokenKind, fold, one_line},
    words::{QuestionWords, Words},
};
use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
    ops::Range,
};

/// A document that passages are quoted from.
#[derive(Clone, Debug, Default)]
pub struct Source {
    pub title: String,
    /// Its outlet, the host of its address, or the name of its file.
    pub name: String,
    /// It says of itself that it is opinion.
    pub is_opinion: bool,
    /// As exactly as it is known: `2019-11-19`.
    pub published: Option<String>,
    /// The first bytes of the hash of the text: they order documents regardless of their ids.
    pub text: String,
}

/// One quotable sentence of a document.
#[derive(Clone, Debug)]
pub struct Passage {
    /// `c17`.
    pub reference: String,
    /// Index of its document.
    pub source: usize,
    /// The document's own words.
    pub quote: String,
    /// Where it begins in the text, in bytes.
    pub at: u64,
}

/// The words, figures, names and times of a passage.
#[derive(Debug)]
pub struct Reading {
    /// Folded text with single spaces.
    pub folded: String,
    /// Stems of its words, with the number of the token.
    pub keys: Vec<(String, usize)>,
    /// Each stem once, with the parts of compounds and the initials of names: "al-Qaeda" has "qaeda", "British Columbia" has "bc".
    pub vocabulary: HashSet<String>,
    /// Names of several words, with their initials.
    pub initials: Vec<(String, String)>,
    /// It begins with a word that points back: "It", "That".
    pub leans: bool,
    pub numbers: Vec<Number>,
    /// Stems of its past forms that are no verbs of speech, with the number of the token.
    pub verbs: Vec<(String, usize)>,
    pub mentions: Vec<NameMention>,
    /// Times by the number of their token; whether each is a day, month or year and not "Tuesday".
    pub times: Vec<(usize, bool)>,
    pub words: usize,
    pub is_question: bool,
}

/// A figure with what it counts.
#[derive(Debug)]
pub struct Number {
    pub value: f64,
    pub token: usize,
    pub unit: Option<String>,
    pub counted: Vec<String>,
    /// Keys of the thing that a unit measures: "tonnes of *grain*".
    pub measured: Vec<String>,
    /// Whether the true value may be greater ("at least") or less ("up to").
    pub bound: Option<Ordering>,
}

impl Number {
    /// Keys of what is counted or measured.
    pub fn things(&self) -> &[String] {
        if self.counted.is_empty() { &self.measured } else { &self.counted }
    }
}

/// A proper name.
#[derive(Debug)]
pub struct NameMention {
    pub keys: Vec<String>,
    pub kind: Kind,
}

/// Documents and their passages in the order of their texts.
pub struct Corpus {
    pub sources: Vec<Source>,
    pub passages: Vec<Passage>,
    pub readings: Vec<Reading>,
    /// Number of passages with a key.
    frequency: HashMap<String, usize>,
    /// By document: the range of its passages.
    ranges: Vec<Range<usize>>,
    /// By document: keys of its title.
    pub titles: Vec<Vec<String>>,
}

impl Corpus {
    /// Passages are sorted by the text of their documents and their place in it, so that ids and order of arrival do not matter.
    pub fn new(mut sources: Vec<Source>, mut passages: Vec<Passage>, rules: &Rules) -> Self {
        let Rules { lexicon, words, .. } = rules;
        let mut order: Vec<usize> = (0..sources.len()).collect();
        order.sort_by(|a, b| (&sources[*a].text, &sources[*a].title).cmp(&(&sources[*b].text, &sources[*b].title)));
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, old)| place[*old] = new);
        let mut old: Vec<Option<Source>> = std::mem::take(&mut sources).into_iter().map(Some).collect();
        sources.extend(order.iter().filter_map(|from| old[*from].take()));
        passages.iter_mut().for_each(|passage| passage.source = place[passage.source]);
        passages.sort_by(|a, b| (a.source, a.at, &a.quote).cmp(&(b.source, b.at, &b.quote)));
        passages.dedup_by(|a, b| (a.source, &a.quote) == (b.source, &b.quote));
        let readings: Vec<Reading> = passages.iter().map(|passage| Reading::new(&passage.quote, lexicon, words)).collect();
        let mut frequency: HashMap<String, usize> = HashMap::new();
        for key in readings.iter().flat_map(|reading| &reading.vocabulary) {
            *frequency.entry(key.clone()).or_default() += 1;
        }
        let bounds = |source| {
            let start = passages.partition_point(|passage| passage.source < source);
            start..passages.partition_point(|passage| passage.source <= source)
        };
        let ranges = (0..sources.len()).map(bounds).collect();
        let title =
            |source: &Source| Reading::new(&source.title, lexicon, words).keys.into_iter().map(|(key, _)| key).collect();
        let titles = sources.iter().map(title).collect();
        Self { sources, passages, readings, frequency, ranges, titles }
    }

    /// The passages of a document.
    pub fn range(&self, source: usize) -> Range<usize> {
        self.ranges[source].clone()
    }

    /// The passages that are quoted with one: itself and, where it leans on those before it and touches them, these too.
    pub fn quotation(&self, passage: usize, lead_in: usize) -> Range<usize> {
        let leaning = (0..=lead_in.min(passage)).map(|back| passage - back);
        let mut leaning = leaning.take_while(|at| *at == passage || self.touch(*at));
        match leaning.find(|at| !self.readings[*at].leans) {
            Some(start) => start..passage + 1,
            None => passage..passage + 1,
        }
    }

    /// Two quotations as one, where they overlap or touch.
    pub fn join(&self, one: &Range<usize>, other: &Range<usize>) -> Option<Range<usize>> {
        let touch = |before: &Range<usize>, behind: &Range<usize>| before.end == behind.start && self.touch(before.end - 1);
        let overlap = one.start < other.end && other.start < one.end;
        (overlap || touch(one, other) || touch(other, one)).then(|| one.start.min(other.start)..one.end.max(other.end))
    }

    /// Whether only white space stands between a passage and the next one.
    fn touch(&self, passage: usize) -> bool {
        /// A line break, an empty line, or one or two spaces; marks that belong to no sentence are longer.
        const GAP_BYTES: u64 = 2;
        let (before, Some(behind)) = (&self.passages[passage], self.passages.get(passage + 1)) else { return false };
        let gap = behind.at.checked_sub(before.at + before.quote.len() as u64);
        before.source == behind.source && gap.is_some_and(|bytes| (1..=GAP_BYTES).contains(&bytes))
    }

    /// A name of several words that the documents have and that some initials stand for.
    pub fn name_of(&self, initials: &str) -> Option<&str> {
        let names = self.readings.iter().flat_map(|reading| &reading.initials);
        names.filter(|(short, _)| short == initials).map(|(_, name)| name.as_str()).min()
    }

    /// Whether a passage or title has a stem as it is written.
    pub fn spells(&self, key: &str) -> bool {
        let is_key = |(other, _): &(String, usize)| other == key;
        self.readings.iter().any(|reading| reading.keys.iter().any(is_key))
            || self.titles.iter().flatten().any(|other| other == key)
    }

    /// Inverse document frequency of a key over passages, as in BM25.
    pub fn idf(&self, key: &str) -> f64 {
        let (count, with) = (self.passages.len() as f64, *self.frequency.get(key).unwrap_or(&0) as f64);
        (1.0 + (count - with + 0.5) / (with + 0.5)).ln()
    }

    /// Share of the stems of the shorter of two passages that the other has too.
    pub fn overlap(&self, one: usize, other: usize) -> f64 {
        self.readings[one].overlap(&self.readings[other])
    }
}

/// The shortest part of a compound that represents it.
const PART_CHARS: usize = 3;

/// Whether a part of a compound says something by itself.
pub fn is_long(part: &&str) -> bool {
    part.chars().count() >= PART_CHARS
}

/// The initials by which a place or organisation of several words is known: "bc" for "British Columbia".
pub fn initials(text: &Text<'_>, mention: &Mention) -> Option<String> {
    let inside = text.tokens().iter().filter(|token| mention.span.contains(token.span));
    let words = inside.filter(|token| token.is_capital() && !token.is_function());
    let initials: String = words.filter_map(|token| token.fold.chars().next()).collect();
    (mention.kind != Kind::Person && initials.chars().count() > 1).then_some(initials)
}

/// The nouns behind "of", where one stands at a token: "(3,200 tonnes) of winter wheat".
fn measured<'a>(text: &'a Text<'_>, at: usize) -> impl Iterator<Item = &'a str> {
    const NOUNS: usize = 3;
    let tokens = text.tokens();
    let is_of = tokens.get(at).is_some_and(|token| &*token.fold == "of");
    let from = if is_of { at + 1 } else { tokens.len() };
    let nouns = tokens[from..].iter().skip_while(|token| token.is(Class::Determiner));
    let nouns = nouns.take_while(move |token| token.is_word() && !token.is_function() && !text.is_past_verb(token));
    nouns.take(NOUNS).map(|token| &*token.fold)
}

/// Whether the words before a figure make it the least or the most that it may be.
fn bound(text: &Text<'_>, at: usize) -> Option<Ordering> {
    let word = |back: usize| at.checked_sub(back).map_or("", |at| &*text.tokens()[at].fold);
    match (word(2), word(1)) {
        ("at", "least") | ("more", "than") | (_, "over") => Some(Ordering::Greater),
        ("at", "most") | ("less" | "fewer", "than") | ("up", "to") | (_, "under") => Some(Ordering::Less),
        _ => None,
    }
}

impl Reading {
    pub fn new(quote: &str, lexicon: &Lexicon, words: &QuestionWords) -> Self {
        let text = Text::new(lexicon, quote);
        let content = |token: &&crate::text::Token| token.kind != TokenKind::Mark && !token.is_possessive();
        let keys: Vec<(String, usize)> = (0..)
            .zip(text.tokens())
            .filter(|(_, token)| content(token) && !token.is_function())
            .map(|(at, token)| (words.key(lexicon, &token.fold), at))
            .collect();
        let token_at = |start: usize| text.tokens().partition_point(|token| token.span.start < start);
        let keys_of = |span: crate::text::Span| -> Vec<String> {
            let inside = text.tokens().iter().filter(|token| span.contains(token.span));
            inside.filter(content).map(|token| words.key(lexicon, &token.fold)).collect()
        };
        let is_verb = |token: &Token| lexicon.is_past(&token.fold) && !token.classes.any(ClassSet::SPEECH);
        let verbs = keys.iter().filter(|(_, at)| is_verb(&text.tokens()[*at])).cloned().collect();
        let numbers = text.numbers().into_iter().map(|number| Number {
            value: number.value,
            token: token_at(number.span.start),
            unit: number.unit,
            counted: number.counted.map(keys_of).unwrap_or_default(),
            measured: measured(&text, token_at(number.span.end)).map(|fold| words.key(lexicon, fold)).collect(),
            bound: bound(&text, token_at(number.span.start)),
        });
        let found = text.mentions();
        let initials: Vec<(String, String)> =
            found.iter().filter_map(|mention| Some((initials(&text, mention)?, one_line(mention.span.slice(quote))))).collect();
        let parts = keys.iter().filter(|(key, _)| key.contains('-')).flat_map(|(key, _)| key.split('-')).filter(is_long);
        let parts: Vec<String> = parts.map(|part| words.key(lexicon, part)).collect();
        let short = initials.iter().map(|(short, _)| short.clone());
        let vocabulary = keys.iter().map(|(key, _)| key.clone()).chain(parts).chain(short).collect();
        let mentions = found.into_iter().map(|mention| NameMention { keys: keys_of(mention.span), kind: mention.kind });
        // "But it …" points back as "It …" does.
        let mut opening = text.tokens().iter().filter(|token| token.is_word());
        let opening = opening.find(|token| !words.has_word(Words::Joining, &token.fold));
        let times = text.times(None);
        Self {
            folded: fold(&one_line(quote)),
            numbers: numbers.collect(),
            verbs,
            mentions: mentions.collect(),
            times: times.iter().map(|time| (token_at(time.span.start), !time.relative)).collect(),
            words: quote.split_whitespace().count(),
            is_question: quote.trim_end_matches(['"', '\u{201d}', ' ']).ends_with('?'),
            leans: opening.is_some_and(|token| words.has_word(Words::Leaning, &token.fold)),
            vocabulary,
            initials,
            keys,
        }
    }

    fn overlap(&self, other: &Self) -> f64 {
        let least = self.vocabulary.len().min(other.vocabulary.len()).max(1);
        self.vocabulary.intersection(&other.vocabulary).count() as f64 / least as f64
    }
}
