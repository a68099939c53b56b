//! Name folding: compatibility forms resolved, Latin letters, lower case, no punctuation.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Folded word of a name, with properties of its original letters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoldedWord {
    pub text: String,
    /// At least two letters, all capitals.
    pub caps: bool,
    /// Opens with a capital.
    pub capital: bool,
    /// Original letters when not Latin, with small variations removed.
    pub native: String,
    /// Not written in Latin letters.
    pub foreign: bool,
    /// Written in Chinese, Japanese or Korean characters.
    pub ideographic: bool,
    /// Position of the last capital after a small letter ("AutolineAG").
    pub hump: Option<usize>,
    /// Text with umlauts written as two letters, empty without any: the "mueller" of "Müller".
    pub expanded: String,
}

/// Returns the words of a name, and the number of words before its first comma.
pub fn fold(name: &str, max_chars: usize, max_words: usize) -> (Vec<FoldedWord>, Option<usize>) {
    let mut reader = Reader::default();
    if name.is_ascii() {
        reader.read(name.chars().take(max_chars), max_words);
    } else {
        reader.read(name.nfkc().take(max_chars), max_words);
    }
    let comma = reader.comma.filter(|&at| at > 0 && at < reader.words.len());
    (reader.words, comma)
}

#[derive(Default)]
struct Reader {
    words: Vec<FoldedWord>,
    word: FoldedWord,
    capitals: usize,
    small: usize,
    after_small: bool,
    comma: Option<usize>,
}

impl Reader {
    fn read(&mut self, chars: impl Iterator<Item = char>, max_words: usize) {
        let mut chars = chars.peekable();
        while let Some(c) = chars.next() {
            if self.words.len() >= max_words {
                break;
            }
            match c {
                '\'' | '`' | '´' | '‘' | '’' | 'ʻ' | 'ʼ' | 'ʿ' | 'ʾ' | '′' | '\u{200c}' | '\u{200d}' | '\u{ad}' => {
                    self.possessive(&mut chars);
                }
                '&' => self.symbol("and"),
                '%' => self.symbol("percent"),
                _ if c.is_alphanumeric() || is_combining_mark(c) => self.letter(c),
                _ => {
                    self.finish();
                    if c == ',' || c == '،' || c == '、' {
                        self.comma.get_or_insert(self.words.len());
                    }
                }
            }
        }
        self.finish();
        self.words.truncate(max_words);
    }

    /// Drops the "s" of "Lloyd's": an apostrophe, one s, and the word ends.
    fn possessive(&mut self, chars: &mut std::iter::Peekable<impl Iterator<Item = char>>) {
        if self.word.text.len() < 3 || chars.next_if(|c| matches!(c, 's' | 'S')).is_none() {
            return;
        }
        if chars.peek().is_some_and(|c| c.is_alphanumeric()) {
            self.letter('s');
        }
    }

    fn symbol(&mut self, word: &str) {
        self.finish();
        self.words.push(FoldedWord { text: word.to_owned(), ..FoldedWord::default() });
    }

    fn letter(&mut self, c: char) {
        if c.is_uppercase() {
            self.capitals += 1;
            self.word.capital |= self.word.text.is_empty();
            if self.after_small {
                self.word.hump = Some(self.word.text.len());
            }
        } else if c.is_lowercase() {
            self.small += 1;
        }
        self.after_small = c.is_lowercase();
        let before = self.word.text.len();
        self.push_latin(c);
        let word = &mut self.word;
        match two_letters(c) {
            Some(two) => {
                if word.expanded.is_empty() {
                    word.expanded.push_str(&word.text[..before]);
                }
                word.expanded.push_str(two);
            }
            None if !word.expanded.is_empty() => word.expanded.push_str(&word.text[before..]),
            None => {}
        }
    }

    fn push_latin(&mut self, c: char) {
        if c.is_ascii() {
            self.word.text.push(c.to_ascii_lowercase());
            return;
        }
        self.word.ideographic |= is_ideographic(c);
        if !is_latin(c) {
            self.word.foreign = true;
            self.word.native.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()).map(plain_native));
        }
        let latin = any_ascii::any_ascii_char(c);
        if latin.is_empty() {
            self.word.text.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
        } else {
            self.word.text.extend(latin.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()));
        }
    }

    fn finish(&mut self) {
        let mut word = std::mem::take(&mut self.word);
        word.caps = self.capitals >= 2 && self.small == 0;
        (self.capitals, self.small, self.after_small) = (0, 0, false);
        if !word.text.is_empty() {
            if let Some(plain) = without_look_alikes(&word.text) {
                word.text = plain;
            }
            self.words.push(word);
        }
    }
}

/// Replaces digits that stand for letters ("Har1ow"). Only between letters: "AR16" and "3rd" stay.
fn without_look_alikes(word: &str) -> Option<String> {
    let bytes = word.as_bytes();
    if bytes.len() < 4 || !word.is_ascii() || !bytes[1..].iter().any(u8::is_ascii_digit) || bytes[0].is_ascii_digit() {
        return None;
    }
    let last_letter = bytes.iter().rposition(u8::is_ascii_alphabetic)?;
    let inside = |i: usize| bytes[i].is_ascii_digit() && i > 0 && i < last_letter;
    (0..bytes.len()).any(inside).then(|| {
        let letter = |(i, &b): (usize, &u8)| match b {
            b'0' if inside(i) => 'o',
            b'1' if inside(i) => 'i',
            b'3' if inside(i) => 'e',
            b'4' if inside(i) => 'a',
            b'5' if inside(i) => 's',
            b'7' if inside(i) => 't',
            b'9' if inside(i) => 'g',
            _ => char::from(b),
        };
        bytes.iter().enumerate().map(letter).collect()
    })
}

/// Returns the two letters that stand for one with a mark where a keyboard lacks it.
fn two_letters(c: char) -> Option<&'static str> {
    match c {
        'ä' | 'Ä' => Some("ae"),
        'ö' | 'Ö' | 'ø' | 'Ø' => Some("oe"),
        'ü' | 'Ü' => Some("ue"),
        'å' | 'Å' => Some("aa"),
        'đ' | 'Đ' => Some("dj"),
        _ => None,
    }
}

/// Normalises letters that writers of a script interchange.
fn plain_native(c: char) -> char {
    match c {
        'أ' | 'إ' | 'آ' | 'ٱ' => 'ا',
        'ى' | 'ی' => 'ي',
        'ک' => 'ك',
        'ة' => 'ه',
        'ё' => 'е',
        _ => c,
    }
}

fn is_latin(c: char) -> bool {
    matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{2b0}'..='\u{36f}')
}

fn is_ideographic(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{3ffff}')
}
