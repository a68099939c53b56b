//! Words, numbers and marks of a text, with what the lexicon knows about each and where paragraphs break.

use super::class::{Class, ClassSet};
use super::lexicon::{Lexicon, fold};
use super::span::Span;

/// Case of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Lower,
    Capitalised,
    Upper,
    /// A capital that is not the first letter: "iPhone", "al-Qaeda".
    Mixed,
    /// A script without case, or no letters.
    Caseless,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Word,
    Number,
    Mark,
}

/// The gap between a token and the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    None,
    Space,
    /// Two or more spaces on one line.
    Wide,
    Line,
    Paragraph,
}

/// One word, number or mark.
#[derive(Clone, Debug)]
pub struct Token {
    pub span: Span,
    pub kind: TokenKind,
    pub case: Case,
    pub gap: Gap,
    /// Lower case, without accents.
    pub fold: Box<str>,
    pub classes: ClassSet,
    /// A listed phrase that starts here: how many tokens it has, and its classes.
    pub phrase: Option<(u8, ClassSet)>,
    pub paragraph: u32,
}

impl Token {
    pub fn is(&self, class: Class) -> bool {
        self.classes.has(class)
    }

    pub fn is_mark(&self, mark: &str) -> bool {
        self.kind == TokenKind::Mark && &*self.fold == mark
    }

    pub fn is_word(&self) -> bool {
        self.kind == TokenKind::Word
    }

    /// Written with a capital somewhere.
    pub fn is_capital(&self) -> bool {
        self.is_word() && matches!(self.case, Case::Capitalised | Case::Upper | Case::Mixed)
    }

    pub fn is_function(&self) -> bool {
        self.classes.any(ClassSet::FUNCTION)
    }

    pub fn is_dash(&self) -> bool {
        self.kind == TokenKind::Mark && matches!(&*self.fold, "--" | "---" | "—" | "–" | "-")
    }

    pub fn is_possessive(&self) -> bool {
        &*self.fold == "'s"
    }
}

/// Lines longer than this mean that lines are paragraphs and not wrapped by hand.
const WRAPPED_LINE_MAX: usize = 110;

pub(super) fn tokenize(lexicon: &Lexicon, text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 5);
    let (lines, long) =
        text.lines().fold((0, 0), |(lines, long), line| (lines + 1, long + usize::from(line.len() > WRAPPED_LINE_MAX)));
    let wrapped = long * 10 <= lines;
    let mut at = 0;
    let mut gap_from = 0;
    let mut paragraph = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() || is_invisible(first) {
            at += first.len_utf8();
            continue;
        }
        let (kind, end) = scan(text, at, first);
        let gap = match tokens.last() {
            None => Gap::Paragraph,
            Some(_) => gap_between(text, gap_from, at, wrapped),
        };
        paragraph += u32::from(gap == Gap::Paragraph && !tokens.is_empty());
        push_parts(lexicon, text, Span::new(at, end), kind, gap, paragraph, &mut tokens);
        at = end;
        gap_from = end;
    }
    mark_phrases(lexicon, &mut tokens);
    tokens
}

fn is_invisible(character: char) -> bool {
    matches!(character, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{ad}')
        || character.is_control()
}

fn gap_between(text: &str, from: usize, to: usize, wrapped: bool) -> Gap {
    let between = &text[from..to];
    if between.is_empty() {
        return Gap::None;
    }
    let breaks = between.bytes().filter(|byte| *byte == b'\n').count() + between.matches('\u{2029}').count() * 2;
    if breaks == 0 {
        return if between.len() > 1 { Gap::Wide } else { Gap::Space };
    }
    let indent = between.rsplit('\n').next().unwrap_or_default().chars().count();
    let rest = &text[to..];
    let ends = text[..from].ends_with(['.', '!', '?', '"', '\u{201d}', ':']);
    if breaks > 1 || !wrapped || starts_item(rest) || rest.starts_with(['#', '|', '>']) || (indent >= 2 && ends) {
        return Gap::Paragraph;
    }
    let line_start = text[..from].rfind('\n').map_or(0, |at| at + 1);
    let short = from - line_start < 45;
    if short && ends && rest.starts_with(char::is_uppercase) && from - line_start + next_word(rest).len() < 45 {
        return Gap::Paragraph;
    }
    if text[line_start..from].starts_with('#') { Gap::Paragraph } else { Gap::Line }
}

fn next_word(rest: &str) -> &str {
    rest.split_whitespace().next().unwrap_or_default()
}

/// Whether a line begins like an item of a list: "- a", "* a", "• a", "3. a", "(b) a".
pub(super) fn starts_item(rest: &str) -> bool {
    let word: &str = &rest[..rest.char_indices().nth(5).map_or(rest.len(), |(at, _)| at)];
    let Some((marker, _)) = word.split_once([' ', '\t']) else { return false };
    match marker {
        "-" | "*" | "+" | "•" | "‣" | "◦" | "–" | "·" => true,
        _ => {
            let inner = marker.trim_start_matches('(').trim_end_matches([')', '.']);
            marker.ends_with([')', '.'])
                && !inner.is_empty()
                && inner.len() <= 2
                && inner.bytes().all(|byte| byte.is_ascii_digit())
        }
    }
}

/// The kind and end of the token that starts at `at`.
fn scan(text: &str, at: usize, first: char) -> (TokenKind, usize) {
    let rest = &text[at..];
    if first.is_numeric() {
        return (TokenKind::Number, at + number_len(rest));
    }
    if first.is_alphabetic() {
        return (TokenKind::Word, at + word_len(rest));
    }
    if matches!(first, '\'' | '\u{2019}') {
        let mut after = rest.chars().skip(1);
        if matches!(after.next(), Some('s' | 'S')) && !after.next().is_some_and(char::is_alphanumeric) && at > 0 {
            return (TokenKind::Word, at + first.len_utf8() + 1);
        }
    }
    let repeats = matches!(first, '-' | '.' | '*' | '_' | '=' | '#' | '~');
    if !repeats {
        return (TokenKind::Mark, at + first.len_utf8());
    }
    let len: usize = rest.chars().take_while(|character| *character == first).map(char::len_utf8).sum();
    (TokenKind::Mark, at + len)
}

fn number_len(rest: &str) -> usize {
    let mut end = 0;
    let mut characters = rest.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let inner = matches!(character, ',' | '.' | ':' | '/' | '-') && next.is_some_and(|next| next.is_ascii_digit());
        if !(character.is_alphanumeric() || inner) {
            break;
        }
        end = at + character.len_utf8();
    }
    end
}

fn word_len(rest: &str) -> usize {
    let mut end = 0;
    let mut letters = 0;
    let mut dotted = false;
    let mut characters = rest.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let joins = match character {
            '.' => letters == 1 && (next.is_some_and(char::is_alphabetic) || dotted),
            '\'' | '\u{2019}' => {
                next.is_some_and(char::is_alphabetic) && !is_possessive_end(&rest[at + character.len_utf8()..])
            }
            '-' | '\u{2010}' | '\u{2011}' | '&' => next.is_some_and(char::is_alphanumeric),
            _ => false,
        };
        if character == '.' && joins {
            dotted = true;
            letters = 0;
        } else if character.is_alphanumeric() || is_combining(character) {
            letters += 1;
        } else if joins {
            letters = 2;
        } else {
            break;
        }
        end = at + character.len_utf8();
    }
    end
}

fn is_possessive_end(after: &str) -> bool {
    let mut characters = after.chars();
    matches!(characters.next(), Some('s' | 'S')) && !characters.next().is_some_and(char::is_alphanumeric)
}

fn is_combining(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}')
}

/// Pushes a token, or its parts where a compound joins a name to an ordinary word: "U.S.-backed", "anti-American".
fn push_parts(lexicon: &Lexicon, text: &str, span: Span, kind: TokenKind, gap: Gap, paragraph: u32, tokens: &mut Vec<Token>) {
    let word = span.slice(text);
    if kind != TokenKind::Word || !word.contains('-') {
        tokens.push(token(lexicon, text, span, kind, gap, paragraph));
        return;
    }
    let (mut at, mut gap) = (span.start, gap);
    for (index, part) in compound_parts(lexicon, word).into_iter().enumerate() {
        if index > 0 {
            tokens.push(token(lexicon, text, Span::new(at, at + 1), TokenKind::Mark, Gap::None, paragraph));
            at += 1;
        }
        if !part.is_empty() {
            tokens.push(token(lexicon, text, Span::new(at, at + part.len()), kind, gap, paragraph));
            gap = Gap::None;
        }
        at += part.len();
    }
}

/// A compound without the ordinary words at its ends: "al-Qaeda-linked" -> "al-Qaeda", "linked"; whole where cases agree.
fn compound_parts<'a>(lexicon: &Lexicon, word: &'a str) -> Vec<&'a str> {
    let lower = |part: &str| part.chars().next().is_some_and(char::is_lowercase);
    let parts: Vec<&str> = word.split('-').collect();
    if parts.iter().all(|part| lower(part)) || !parts.iter().any(|part| lower(part)) {
        return vec![word];
    }
    let lead = parts.iter().take_while(|part| lower(part) && !lexicon.is(Class::Particle, part)).count();
    let tail = parts[lead..].iter().rev().take_while(|part| lower(part)).count();
    let before: usize = parts[..lead].iter().map(|part| part.len() + 1).sum();
    let after: usize = parts[parts.len() - tail..].iter().map(|part| part.len() + 1).sum();
    let mut split = parts[..lead].to_vec();
    split.push(&word[before..(word.len() - after).max(before)]);
    split.extend(&parts[parts.len() - tail..]);
    split
}

fn token(lexicon: &Lexicon, text: &str, span: Span, kind: TokenKind, gap: Gap, paragraph: u32) -> Token {
    let word = span.slice(text);
    let fold: Box<str> = fold(word).into();
    let classes = if kind == TokenKind::Word { lexicon.classes(&fold) } else { ClassSet::EMPTY };
    Token { span, kind, case: case_of(word), gap, classes, fold, phrase: None, paragraph }
}

fn case_of(word: &str) -> Case {
    let mut letters = word.chars().filter(|character| character.is_uppercase() || character.is_lowercase());
    let Some(first) = letters.next() else { return Case::Caseless };
    let (mut upper, mut lower) = (0, 0);
    for letter in letters {
        if letter.is_uppercase() { upper += 1 } else { lower += 1 }
    }
    match (first.is_uppercase(), upper, lower) {
        (true, 0, 0) => Case::Upper,
        (true, _, 0) => Case::Upper,
        (true, _, _) => Case::Capitalised,
        (false, 0, _) => Case::Lower,
        (false, _, _) => Case::Mixed,
    }
}

fn mark_phrases(lexicon: &Lexicon, tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        if !tokens[at].is_word() {
            continue;
        }
        let found = lexicon.phrases(&tokens[at].fold).iter().find(|phrase| {
            let following = tokens[at..].iter().map(|token| &*token.fold);
            phrase.words.len() <= tokens.len() - at && following.zip(&phrase.words).all(|(token, word)| token == &**word)
        });
        tokens[at].phrase = found.map(|phrase| (phrase.words.len() as u8, phrase.classes));
    }
}
