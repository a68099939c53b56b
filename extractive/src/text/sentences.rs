//! Sentence boundaries: abbreviations, quotations, datelines, bracketed notes, lists, headings, wrapped lines.

use super::lexicon::Abbreviation;
use super::span::Span;
use super::tokens::{Gap, Token, TokenKind, starts_item};
use super::{Case, Class, Precision, Text};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentenceKind {
    Prose,
    Heading,
    /// An item of a list, without its bullet.
    Item,
    /// A note of an editor or a wire, in brackets: `[PASSAGE OMITTED]`; the line that names the writer, or the outlet and the day; the
    /// header lines of a letter; page furniture.
    Note,
}

/// One sentence; it never crosses a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    pub span: Span,
    pub kind: SentenceKind,
    /// A bracketed name before a quotation: `[RODRIGUEZ] "WE KNOW …"`.
    pub speaker_note: Option<Span>,
}

/// A line of at most so many words without a full stop is a heading.
const HEADING_WORDS_MAX: usize = 14;

/// A line that names its writer has at most so many words, and so many of them without a capital.
const BYLINE_WORDS_MAX: usize = 12;
const BYLINE_PLAIN_MAX: usize = 3;

/// Header lines and the line of the outlet stand among the first paragraphs; the name of a header has at most so many words.
const HEAD_PARAGRAPHS: u32 = 4;
const HEADER_KEY_WORDS_MAX: usize = 2;

impl Text<'_> {
    /// All sentences, in order. A dateline and the notes behind it belong to none.
    pub fn sentences(&self) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        let mut start =
            self.dateline().map_or(0, |dateline| self.tokens.partition_point(|token| token.span.start < dateline.span.end));
        while start < self.tokens.len() {
            let paragraph = self.tokens[start].paragraph;
            let end = start + self.tokens[start..].partition_point(|token| token.paragraph == paragraph);
            self.blocks(start, end).into_iter().for_each(|block| self.split_block(block.start, block.end, &mut sentences));
            start = end;
        }
        sentences
    }

    fn split_block(&self, start: usize, end: usize, sentences: &mut Vec<Sentence>) {
        let (mut at, marker) = self.skip_marker(start, end);
        let mut note = None;
        while at < end {
            if let Some(close) = self.closing(at, end).filter(|_| self.tokens[at].is_mark("[")) {
                if self.tokens.get(close + 1).is_some_and(is_opening_quote) {
                    note = Some(self.span_of(at + 1..close));
                } else if !self.note_belongs_to_sentence(at, close, end) {
                    self.push(at..close + 1, SentenceKind::Note, None, sentences);
                } else {
                    let stop = self.sentence_end(at, end);
                    self.push(at..stop, self.kind(start, at, stop, end, marker), None, sentences);
                    at = stop;
                    continue;
                }
                at = close + 1;
                continue;
            }
            let stop = self.sentence_end(at, end);
            if let Some(cut) = self.furniture_end(at..stop) {
                self.push(at..cut, SentenceKind::Note, None, sentences);
                at = cut;
                continue;
            }
            self.push(at..stop, self.kind(start, at, stop, end, marker), note.take(), sentences);
            at = stop;
        }
    }

    fn push(&self, range: std::ops::Range<usize>, kind: SentenceKind, note: Option<Span>, to: &mut Vec<Sentence>) {
        if self.tokens[range.clone()].iter().all(|token| token.kind == TokenKind::Mark) {
            return;
        }
        to.push(Sentence { span: self.span_of(range), kind, speaker_note: note });
    }

    /// Skips a bullet, a number, or the marks of a Markdown heading or quotation.
    fn skip_marker(&self, start: usize, end: usize) -> (usize, Option<SentenceKind>) {
        let first = &self.tokens[start];
        let rest = &self.source[first.span.start..];
        if first.kind == TokenKind::Mark && first.fold.starts_with('#') {
            return (start + 1, Some(SentenceKind::Heading));
        }
        if first.is_mark(">") {
            return (start + 1, None);
        }
        if !starts_item(rest) {
            return (start, None);
        }
        let marker = rest.split([' ', '\t']).next().unwrap_or_default().len();
        let after = first.span.start + marker;
        let skipped = self.tokens[start..end].partition_point(|token| token.span.end <= after);
        (start + skipped.min(end - start), Some(SentenceKind::Item))
    }

    fn kind(&self, start: usize, at: usize, stop: usize, end: usize, marker: Option<SentenceKind>) -> SentenceKind {
        if let Some(kind) = marker {
            return kind;
        }
        if self.is_byline(at..stop)
            || self.is_credit(start..end)
            || self.is_source_line(at..stop)
            || at == start && self.is_header(at..end)
        {
            return SentenceKind::Note;
        }
        let words = self.tokens[at..stop].iter().filter(|token| token.is_word()).count();
        let whole = at == start && stop == end;
        let alone = self.tokens.get(end).is_some();
        let closed = is_terminal(&self.tokens[stop - 1]) || is_quote(&self.tokens[stop - 1]);
        let foreign = self.is_foreign(&self.tokens[at]);
        // "Orrin Bank owns": the present is known behind a name.
        let acts = |n: usize| {
            let present = n > at && self.tokens[n - 1].is_capital() && self.is_present(&self.tokens[n]);
            present || self.does(&self.tokens[n])
        };
        let verbless = || !foreign && !(at..stop).any(acts);
        if whole && alone && !closed && (words <= HEADING_WORDS_MAX || verbless()) {
            SentenceKind::Heading
        } else if !closed && self.is_link_list(at..stop) {
            SentenceKind::Note
        } else {
            SentenceKind::Prose
        }
    }

    /// "Ferry sinks By STAFF 11/20/2019 Bank closes By STAFF 11/19/2019": titles of other pages in a row, each with its day.
    fn is_link_list(&self, range: std::ops::Range<usize>) -> bool {
        let day = |token: &&Token| token.kind == TokenKind::Number && token.fold.matches('/').count() == 2;
        self.tokens[range].iter().filter(day).count() > 1
    }

    /// "By Ann Vale." or "By Ann Vale, our correspondent in Minsmere": names and a role, and nothing that they do.
    pub(super) fn is_byline(&self, range: std::ops::Range<usize>) -> bool {
        let tokens = &self.tokens[range];
        let named = tokens.iter().skip(1).find(|token| token.is_word()).is_some_and(|token| {
            token.case == Case::Capitalised && !token.is(Class::Month) && !token.is(Class::Weekday) && !token.is_function()
        });
        let words = tokens.iter().filter(|token| token.is_word()).count();
        let plain = tokens.iter().filter(|token| token.is_word() && !token.is_capital() && !token.is_function()).count();
        &*tokens[0].fold == "by"
            && tokens[0].is_capital()
            && named
            && words <= BYLINE_WORDS_MAX
            && plain <= BYLINE_PLAIN_MAX
            && !tokens.iter().any(|token| self.does(token))
    }

    /// "(Reporting by Ann Vale; Editing by Bo Sund)", "Image credit: Ebrin Pictures": a short paragraph that says whose work it is.
    fn is_credit(&self, paragraph: std::ops::Range<usize>) -> bool {
        let tokens = &self.tokens[paragraph.clone()];
        tokens.len() <= 2 * BYLINE_WORDS_MAX
            && self.find_cue(paragraph, Class::Credit).is_some()
            && !tokens.iter().any(|token| self.does(token))
    }

    /// A verb that carries a sentence, by its looks.
    fn does(&self, token: &Token) -> bool {
        let plain = !token.is_capital() || self.in_capitals(token);
        token.is(Class::Auxiliary) || plain && self.lexicon.is_past(&token.fold)
    }

    /// "Minsmere Herald, 9 November 2031." near the top: names and a day, and nothing that they do.
    fn is_source_line(&self, range: std::ops::Range<usize>) -> bool {
        if self.tokens[range.start].paragraph >= HEAD_PARAGRAPHS {
            return false;
        }
        let [day] = &self.times_in(range.clone(), None)[..] else { return false };
        let outside = self.tokens[range].iter().filter(|token| token.is_word() && !day.span.contains(token.span));
        let named = |token: &Token| token.case == Case::Capitalised && !token.is_function() && !token.is(Class::Auxiliary);
        let names: Vec<bool> = outside.map(|token| named(token) || &*token.fold == "of" || &*token.fold == "the").collect();
        day.precision == Precision::Day
            && !names.is_empty()
            && names.len() <= BYLINE_WORDS_MAX
            && names.iter().all(|named| *named)
    }

    /// "From: …", "To: …", "Subject: …": a paragraph near the top of which every line is a name and what it is.
    fn is_header(&self, range: std::ops::Range<usize>) -> bool {
        let paragraph = self.tokens[range.start].paragraph;
        let lines: Vec<&str> = self.span_of(range).slice(self.source).lines().filter(|line| !line.trim().is_empty()).collect();
        let is_field = |line: &&str| {
            line.split_once(": ").is_some_and(|(key, _)| {
                key.split_whitespace().count() <= HEADER_KEY_WORDS_MAX
                    && key.starts_with(|c: char| c.is_uppercase())
                    && key.chars().all(|c| c.is_alphabetic() || c == '-' || c == ' ')
            })
        };
        paragraph < HEAD_PARAGRAPHS && lines.len() > 1 && lines.iter().all(is_field)
    }

    /// A bracket that the sentence goes on from ("[FORMER MINISTER] VIDES …") and not a note by itself.
    fn note_belongs_to_sentence(&self, open: usize, close: usize, end: usize) -> bool {
        let tag = self.find_cue(open + 1..close, Class::Tag).is_some();
        let next = self.tokens.get(close + 1).filter(|_| close + 1 < end);
        !tag && next.is_some_and(|token| token.is_word() && matches!(token.gap, Gap::Space | Gap::Line))
    }

    /// One past the last token of the sentence that starts at a token.
    fn sentence_end(&self, start: usize, end: usize) -> usize {
        let mut at = start;
        while at < end {
            if self.tokens[at].is_mark("[") {
                at = self.closing(at, end).map_or(at + 1, |close| close + 1);
                continue;
            }
            if self.dotted_word_ends_sentence(at, end) {
                return at + 1;
            }
            if !is_terminal(&self.tokens[at]) || !self.ends_sentence(at, start, end) {
                at += 1;
                continue;
            }
            at += 1;
            while at < end && self.tokens[at].gap == Gap::None && is_closer(&self.tokens[at]) {
                at += 1;
            }
            return at;
        }
        end
    }

    fn ends_sentence(&self, at: usize, start: usize, end: usize) -> bool {
        let mut next = at + 1;
        while next < end && self.tokens[next].gap == Gap::None && is_closer(&self.tokens[next]) {
            next += 1;
        }
        let Some(following) = self.tokens[..end].get(next) else { return true };
        if following.gap == Gap::None && !is_ideographic_stop(&self.tokens[at]) {
            return false;
        }
        let starts = following.is_capital() || following.kind == TokenKind::Number || following.case == Case::Caseless;
        if !starts {
            return false;
        }
        if !self.tokens[at].fold.starts_with('.') || at == start {
            return true;
        }
        !self.is_abbreviation(&self.tokens[at - 1], following) || self.tokens[at].gap != Gap::None
    }

    /// "U.S." before a wide gap, or before a word of grammar with a capital.
    fn dotted_word_ends_sentence(&self, at: usize, end: usize) -> bool {
        let token = &self.tokens[at];
        let Some(following) = self.tokens[..end].get(at + 1).filter(|_| token.is_word() && token.fold.ends_with('.')) else {
            return false;
        };
        following.is_capital() && (following.gap == Gap::Wide || following.is_function() && following.case == Case::Capitalised)
    }

    fn is_abbreviation(&self, word: &Token, following: &Token) -> bool {
        let wide = following.gap == Gap::Wide;
        if word.kind == TokenKind::Word && word.span.len() == 1 && word.is_capital() {
            return !wide;
        }
        match self.lexicon.abbreviation(&word.fold) {
            Some(Abbreviation::Always) => true,
            Some(Abbreviation::BeforeNumber) => following.kind == TokenKind::Number,
            Some(Abbreviation::UnlessSentenceFollows) => !wide && !following.is_function(),
            None => false,
        }
    }
}

fn is_terminal(token: &Token) -> bool {
    token.kind == TokenKind::Mark
        && (token.fold.starts_with('.')
            || matches!(&*token.fold, "!" | "?" | "\u{2026}" | "\u{3002}" | "\u{ff01}" | "\u{ff1f}" | "\u{61f}" | "\u{964}"))
}

fn is_ideographic_stop(token: &Token) -> bool {
    matches!(&*token.fold, "\u{3002}" | "\u{ff01}" | "\u{ff1f}")
}

fn is_closer(token: &Token) -> bool {
    is_quote(token) || matches!(&*token.fold, ")" | "]" | "'" | "*" | "**" | "_" | "." | "!" | "?")
}

pub(super) fn is_quote(token: &Token) -> bool {
    token.kind == TokenKind::Mark
        && matches!(&*token.fold, "\"" | "\u{201c}" | "\u{201d}" | "\u{201e}" | "\u{ab}" | "\u{bb}" | "'" | "`")
}

fn is_opening_quote(token: &Token) -> bool {
    token.kind == TokenKind::Mark && matches!(&*token.fold, "\"" | "\u{201c}" | "\u{201e}" | "\u{ab}")
}

#[cfg(test)]
mod tests {
    use super::super::Lexicon;
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let reading = Text::new(Lexicon::english(), text);
        let found: Vec<&str> = reading.sentences().iter().map(|sentence| sentence.span.slice(text)).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn a_full_stop_after_an_abbreviation_ends_nothing() {
        check("Gen. Rafael Bustillo met Mr. Smith. He left.", &["Gen. Rafael Bustillo met Mr. Smith.", "He left."]);
        check("J. R. Smith left the U.S. on Jan. 3. It rained.", &["J. R. Smith left the U.S. on Jan. 3.", "It rained."]);
        check("He lives in the U.S.  The rest do not.", &["He lives in the U.S.", "The rest do not."]);
        check(
            "DETACHMENT NO. 4 LEFT AT 3.5 KM.  GEN.  BUSTILLO STAYED.",
            &["DETACHMENT NO. 4 LEFT AT 3.5 KM.", "GEN.  BUSTILLO STAYED."],
        );
    }

    #[test]
    fn the_line_that_names_its_writer_is_a_note() {
        let first = |text: &str| Text::new(Lexicon::english(), text).sentences()[0].kind;
        for line in ["(Reporting by Ann Vale; Editing by Bo Sund)", "Main image credit: Ebrin Pictures", "Photo by Jon Falk"] {
            assert_eq!(first(&format!("{line}\n\nThe ferry sank.")), SentenceKind::Note, "{line}");
        }
        for line in ["By Jon Falk.", "By Jon Falk, Port Calder", "By Ann Vale and Bo Sund, our correspondents in Minsmere."] {
            assert_eq!(first(&format!("{line}\n\nThe ferry sank.")), SentenceKind::Note, "{line}");
        }
        for line in ["By Monday the town was empty.", "By noon Kadar had fled.", "By Kadar's count twelve men escaped."] {
            assert_eq!(first(line), SentenceKind::Prose, "{line}");
        }
    }

    #[test]
    fn header_lines_and_the_line_of_the_outlet_are_notes() {
        let first = |text: &str| Text::new(Lexicon::english(), text).sentences()[0].kind;
        for head in [
            "*Minsmere Herald, 9 November 2031. By Ann Vale*",
            "From: Ann Vale <a@b.example>\nTo: all\nSubject: Cup found; all safe.",
        ] {
            assert_eq!(first(&format!("{head}\n\nThe ferry sank.")), SentenceKind::Note, "{head}");
        }
        for prose in
            ["Ann Vale died on 9 November 2031.", "The ferry sank on 9 November 2031.", "BOMB KILLS FIVE IN LIMA, 3 JAN 1990."]
        {
            assert_eq!(first(prose), SentenceKind::Prose, "{prose}");
        }
    }

    #[test]
    fn lines_without_a_verb_and_rows_of_titles_are_no_prose() {
        let first = |text: &str| Text::new(Lexicon::english(), text).sentences()[0].kind;
        let line = "Curved screen, leather case, long cable, quick guide, blue card, two keys, pen, lamp and a very small bag of nails";
        assert_eq!(first(&format!("{line}\n\nThe ferry sank.")), SentenceKind::Heading);
        assert_eq!(first(&format!("It came with {line}\n\nThe ferry sank.")), SentenceKind::Prose);
        let owner = "Orrin Bank owns Halvek Motors and controls twelve mines in the north of the country and two in the south";
        let dates = "The contract ran from 01/02/2019 to 03/04/2020.";
        for prose in [owner, dates] {
            assert_eq!(first(&format!("{prose}\n\nThe ferry sank.")), SentenceKind::Prose, "{prose}");
        }
        let titles = "Ferry sank off Ebrin By STAFF 11/20/2019 01:14 PM Bank was closed By STAFF 11/19/2019 02:10 PM";
        assert_eq!(first(titles), SentenceKind::Note);
    }

    #[test]
    fn quotations_end_with_their_marks() {
        check("\"We won. We are free,\" he said. They left.", &["\"We won.", "We are free,\" he said.", "They left."]);
        check("\u{201c}It is over.\u{201d} He sat down.", &["\u{201c}It is over.\u{201d}", "He sat down."]);
    }

    #[test]
    fn wire_conventions_are_not_sentences() {
        check(
            "SAN SALVADOR, 3 JAN 90 (ACAN-EFE) -- [TEXT] FIVE MEN DIED IN\nTHE NORTH.  [PASSAGE OMITTED]\n\n   [RODRIGUEZ] \"WE WON.\"",
            &["FIVE MEN DIED IN\nTHE NORTH.", "[PASSAGE OMITTED]", "\"WE WON.\""],
        );
    }

    #[test]
    fn lists_headings_and_paragraphs_are_kept_apart() {
        check(
            "# Situation report\nTwo died.\n- One in Cali\n- One in Bogota\n\nNo more",
            &["Situation report", "Two died.", "One in Cali", "One in Bogota", "No more"],
        );
        check("他来了。我走了。", &["他来了。", "我走了。"]);
    }
}
