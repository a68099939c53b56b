//! Blocks of header lines above a quoted or forwarded mail, in any language.

use super::{
    QuotedHead,
    introduction::{address_in, date_in},
    is_blank, is_marked,
};

/// "From" as mail programs write it. A help where the order of the lines leaves a doubt; no other key is needed.
const FROM: [&str; 34] = [
    "from",
    "von",
    "fra",
    "från",
    "de",
    "da",
    "van",
    "od",
    "от",
    "від",
    "из",
    "lähettäjä",
    "kimden",
    "gönderen",
    "feladó",
    "από",
    "מאת",
    "من",
    "差出人",
    "送信者",
    "发件人",
    "發件人",
    "寄件者",
    "寄件人",
    "보낸 사람",
    "발신",
    "expéditeur",
    "remitente",
    "mittente",
    "afzender",
    "saatja",
    "no",
    "nuo",
    "odesílatel",
];
const MAX_KEY_CHARS: usize = 30;
const MAX_KEY_WORDS: usize = 3;
const MIN_FIELDS: usize = 3;
const MAX_FIELDS: usize = 10;

pub(super) struct HeaderBlock {
    pub head: QuotedHead,
    pub lines: usize,
}

struct Field<'a> {
    key: String,
    value: &'a str,
    has_date: bool,
    has_address: bool,
}

impl HeaderBlock {
    /// Block that begins with the first line. It needs a day, and a sign that it is about a mail: a rule above it, a known key, an
    /// address in its first line, or the subject of the mail that quotes.
    pub fn read(lines: &[&str], is_below_rule: bool, subject: Option<&str>) -> Option<Self> {
        let (fields, lines) = fields(lines);
        if fields.len() < MIN_FIELDS || !fields.iter().any(|field| field.has_date) {
            return None;
        }
        let of_mail = subject.map(bare_subject).filter(|subject| !subject.is_empty());
        let is_subject = |field: &Field<'_>| of_mail.as_deref() == Some(bare_subject(field.value).as_str());
        let named = fields.iter().position(|field| FROM.contains(&field.key.as_str()) && !field.has_date);
        let has_address = fields.iter().any(|field| field.has_address);
        let knows_subject = fields.iter().any(is_subject);
        let is_mail = named.is_some() && (has_address || knows_subject || is_below_rule)
            || is_below_rule && (has_address || knows_subject)
            || named == Some(0) && fields[1].has_date && fields.len() > MIN_FIELDS
            || fields[0].has_address
            || knows_subject && has_address;
        if !is_mail {
            return None;
        }
        // The sender comes first, unless a subject does; then it is the first with an address.
        let is_first = fields[0].has_address || !fields[0].has_date && !is_subject(&fields[0]);
        let addressed = fields.iter().position(|field| field.has_address);
        let sender = named.or(Some(0).filter(|_| is_first)).or(addressed);
        let subject = fields.iter().position(is_subject).or_else(|| {
            fields.iter().rposition(|field| !field.has_date && !field.has_address).filter(|at| Some(*at) != sender)
        });
        let date = fields.iter().enumerate().filter(|(at, _)| Some(*at) != subject && Some(*at) != sender);
        let head = QuotedHead {
            sender: sender.and_then(|at| person(fields[at].value)),
            date: date.filter_map(|(_, field)| date_in(field.value)).next(),
            subject: subject.map(|at| fields[at].value.to_owned()).filter(|subject| !subject.is_empty()),
        };
        Some(Self { head, lines })
    }
}

/// Fields at the start of some lines, with the number of lines.
fn fields<'a>(lines: &[&'a str]) -> (Vec<Field<'a>>, usize) {
    let mut fields: Vec<Field<'a>> = Vec::new();
    let mut at = 0;
    while fields.len() < MAX_FIELDS && at < lines.len() && !is_marked(lines[at]) {
        match field(lines[at]) {
            Some(found) => fields.push(found),
            // Long lists of recipients are wrapped.
            None if !fields.is_empty()
                && !is_blank(lines[at])
                && (lines[at].contains('@') || lines[at].starts_with([' ', '\t'])) => {}
            None => break,
        }
        at += 1;
    }
    (fields, at)
}

fn field(line: &str) -> Option<Field<'_>> {
    let at = line.find([':', '：'])?;
    let (key, value) = (line[..at].trim(), line[at..].trim_start_matches([':', '：', '*']).trim());
    let key = key.trim_matches(['*', ' ', '\u{a0}']);
    let is_key = key.chars().all(|c| c.is_alphabetic() || " -.'’\u{a0}".contains(c) || ('\u{300}'..'\u{370}').contains(&c))
        && key.starts_with(char::is_alphabetic)
        && key.chars().count() <= MAX_KEY_CHARS
        && key.split_whitespace().count() <= MAX_KEY_WORDS;
    if !is_key || value.starts_with("//") {
        return None;
    }
    let has_address = address_in(value).is_some();
    Some(Field { key: key.to_lowercase(), value, has_date: !has_address && is_dated(value), has_address })
}

/// Whether a value states a day, in any language: a date that is understood, or a year beside other figures.
fn is_dated(value: &str) -> bool {
    let figures: Vec<&str> = value.split(|c: char| !c.is_numeric()).filter(|figures| !figures.is_empty()).collect();
    date_in(value).is_some() || figures.len() >= 3 && figures.iter().any(|figures| figures.chars().count() == 4)
}

/// Name of a person, or the address without one.
fn person(value: &str) -> Option<String> {
    let first = value.split(';').next().unwrap_or(value);
    let (name, address) = match address_in(first) {
        Some((at, address)) => (&first[..at], Some(address)),
        None => (first, None),
    };
    let name = name.trim_matches(|c: char| c.is_whitespace() || "\"'<>[]()*".contains(c));
    Some(name.to_owned()).filter(|name| !name.is_empty()).or(address)
}

/// Subject without "Re:", "SV:", "Fwd:" and the like.
fn bare_subject(subject: &str) -> String {
    let mut bare = subject.trim();
    while let Some((mark, rest)) = bare.split_once([':', '：'])
        && mark.chars().count() <= 5
        && !mark.trim().contains(' ')
    {
        bare = rest.trim();
    }
    bare.to_lowercase()
}
