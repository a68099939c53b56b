//! E-mail: messages with their head as text, quotations and attachments as parts, and mailboxes.

mod encoded_words;
mod quotes;

use crate::{
    config::ParseConfig,
    dates, html, links,
    parse::{ParseOutput, ParsedDocument, Part},
    refusal::Refusal,
    sniff::FileKind,
    text,
};
use bytes::Bytes;
use domain::{Precision, PublicationDate, PublishedBasis, Timestamp, fetch::RejectReason};
use mail_parser::{
    Address, Encoding, Message, MessageParser, MessagePart, MimeHeaders, PartType,
    decoders::{base64::base64_decode, quoted_printable::quoted_printable_decode},
};
use quotes::Quoted;
use std::borrow::Cow;

const EXTRACTOR: &str = "mail/2";
const QUOTED_EXTRACTOR: &str = "quoted-mail/1";
/// Shortest "From " line of a mailbox.
const MIN_FROM_LINE_BYTES: usize = 12;

/// Parses one message.
pub(crate) fn parse_message(bytes: &Bytes, limits: &ParseConfig) -> Result<ParseOutput, Refusal> {
    let bytes = encoded_words::in_utf8(bytes);
    let message = MessageParser::default().parse(bytes.as_ref()).ok_or_else(|| Refusal::broken("message"))?;
    let is_empty = message.headers().is_empty() || (message.subject().is_none() && message.from().is_none());
    if is_empty && message.text_body_count() == 0 {
        return Err(Refusal::broken("message"));
    }
    let body = body(&message, limits)?;
    let head = head(&message);
    let quotes = quotes::split(&body.text, message.subject());
    let mut found = ParseOutput::default();
    attachments(&message, limits, &mut found);
    if body.text.trim().is_empty() && !found.parts.is_empty() {
        return Ok(found);
    }
    if body.text.trim().is_empty() && message.subject().is_none() {
        return Err(Refusal::no_text("message"));
    }
    quotations(&message, quotes.quoted, limits, &mut found);
    let text = format!("{head}\n{}", quotes.own);
    found.document = Some(ParsedDocument {
        text: text::normalise(text.trim_end()),
        extractor: EXTRACTOR.to_owned(),
        title: message.subject().and_then(text::tidy_title),
        byline: message.from().and_then(sender),
        outlet: message.from().and_then(sender),
        published: date(&message),
        links: body.links,
        tables: body.tables,
        ..ParsedDocument::default()
    });
    Ok(found)
}

/// Each quotation as a part, with a head that says whose it is and who quotes it.
fn quotations(message: &Message<'_>, quoted: Vec<Quoted>, limits: &ParseConfig, found: &mut ParseOutput) {
    let mut parts = Vec::new();
    for (number, Quoted { head, text }) in (1..).zip(quoted) {
        let suffix = format!("#quoted-{number}");
        if parts.len() >= limits.max_attachments {
            let message = format!(
                "The message quotes more than {} others; raise `fetch.parse.max_attachments` to read the rest.",
                limits.max_attachments
            );
            found.refused.push((suffix, Refusal::new(RejectReason::TooMany, message)));
            break;
        }
        let day = head.date.map(|date| date.value.to_datetime().format("%Y-%m-%d").to_string());
        let fields = [
            ("From", head.sender),
            ("Date", day),
            ("Subject", head.subject),
            ("Quoted by", message.from().and_then(sender)),
            ("Quoted in", message.subject().map(str::to_owned)),
        ];
        let fields = fields.into_iter().filter_map(|(name, value)| header_line(name, &value?));
        let bytes = format!("{}\n{text}\n", fields.collect::<String>()).into();
        parts.push(Part { suffix, charset: None, kind: Some(FileKind::QuotedMessage), bytes });
    }
    found.parts.splice(..0, parts);
}

/// Parses a quotation that [`parse_message`] found.
pub(crate) fn parse_quoted(bytes: &Bytes, limits: &ParseConfig) -> Result<ParsedDocument, Refusal> {
    let text = text::normalise(&text::decode(bytes, None)).trim_end().to_owned();
    let head = text.split("\n\n").next().unwrap_or_default();
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).map(str::to_owned);
    Ok(ParsedDocument {
        extractor: QUOTED_EXTRACTOR.to_owned(),
        title: field("Subject").or_else(|| field("Quoted in")).as_deref().and_then(text::tidy_title),
        byline: field("From"),
        outlet: field("From"),
        published: field("Date").and_then(|date| dates::parse_published(&date, PublishedBasis::Stated)),
        links: links::in_text(&text, limits.max_links),
        text,
        ..ParsedDocument::default()
    })
}

/// Splits a mailbox at its "From " lines; messages become parts `#1`, `#2`, ….
pub(crate) fn split_mailbox(bytes: &Bytes, limits: &ParseConfig) -> Result<ParseOutput, Refusal> {
    let mut found = ParseOutput::default();
    let mut starts = message_starts(bytes);
    if starts.len() > limits.max_mailbox_messages {
        let message = format!(
            "This mailbox has {} messages and the limit is {}; split it, or raise `fetch.parse.max_mailbox_messages`.",
            starts.len(),
            limits.max_mailbox_messages
        );
        return Err(Refusal::new(RejectReason::TooMany, message));
    }
    starts.push((bytes.len(), bytes.len()));
    for (number, pair) in starts.windows(2).enumerate() {
        let (from, to) = (pair[0].1, pair[1].0);
        let message = unescape(bytes.slice(from..to));
        found.parts.push(Part {
            suffix: format!("#{}", number + 1),
            charset: None,
            kind: Some(FileKind::Message),
            bytes: message,
        });
    }
    if found.parts.is_empty() { Err(Refusal::broken("mailbox")) } else { Ok(found) }
}

/// Offsets of each "From " line and of the message after it.
fn message_starts(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut starts = Vec::new();
    let (mut at, mut after_blank) = (0, true);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let has_year = line.windows(4).any(|four| four.iter().all(u8::is_ascii_digit));
        if after_blank && line.starts_with(b"From ") && line.len() >= MIN_FROM_LINE_BYTES && has_year {
            starts.push((at, at + line.len()));
        }
        after_blank = line.trim_ascii().is_empty();
        at += line.len();
    }
    starts
}

/// Removes the `>` that mailboxes put before "From " inside a message.
fn unescape(message: Bytes) -> Bytes {
    let is_escaped = |line: &[u8]| {
        let bare = line.iter().position(|byte| *byte != b'>').unwrap_or(0);
        bare > 0 && line[bare..].starts_with(b"From ")
    };
    if !message.split(|byte| *byte == b'\n').any(is_escaped) {
        return message;
    }
    let lines = message.split_inclusive(|byte| *byte == b'\n');
    lines.flat_map(|line| &line[usize::from(is_escaped(line))..]).copied().collect()
}

/// Head as text: sender, recipients, date and subject.
fn head(message: &Message<'_>) -> String {
    let mut head = String::new();
    let mut line = |name: &str, value: Option<String>| head.extend(value.and_then(|value| header_line(name, &value)));
    line("From", message.from().map(people));
    line("To", message.to().map(people));
    line("Cc", message.cc().map(people));
    line("Date", message.date().filter(|date| date.is_valid()).map(|date| date.to_rfc3339()));
    line("Subject", message.subject().map(str::to_owned));
    head
}

fn header_line(name: &str, value: &str) -> Option<String> {
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    (!value.is_empty()).then(|| format!("{name}: {value}\n"))
}

fn people(address: &Address<'_>) -> String {
    let one = |person: &mail_parser::Addr<'_>| match (person.name(), person.address()) {
        (Some(name), Some(address)) => Some(format!("{name} <{address}>")),
        (name, address) => name.or(address).map(str::to_owned),
    };
    address.iter().filter_map(one).collect::<Vec<_>>().join(", ")
}

fn sender(address: &Address<'_>) -> Option<String> {
    let first = address.first()?;
    first.name().or(first.address()).map(|name| name.trim().to_owned()).filter(|name| !name.is_empty())
}

fn date(message: &Message<'_>) -> Option<PublicationDate> {
    let date = message.date().filter(|date| date.is_valid())?;
    let value = Timestamp::from_micros(date.to_timestamp().checked_mul(1_000_000)?);
    Some(PublicationDate { value, precision: Precision::Minute, basis: PublishedBasis::Stated })
}

/// The plain-text alternative; without one, the text of the HTML.
fn body(message: &Message<'_>, limits: &ParseConfig) -> Result<html::Blocks, Refusal> {
    let mut whole = html::Blocks::default();
    let mut pieces = Vec::new();
    for part in message.text_bodies() {
        match &part.body {
            PartType::Text(text) => {
                let text = text::normalise(&decoded(message, part, text)).trim_end().to_owned();
                whole.links.extend(links::in_text(&text, limits.max_links));
                pieces.push(text);
            }
            PartType::Html(source) => {
                let blocks = html::mail_text(&text::normalise(&decoded(message, part, source)), limits)?;
                pieces.push(blocks.text);
                whole.links.extend(blocks.links);
                whole.tables.extend(blocks.tables);
            }
            _ => {}
        }
    }
    whole.text = pieces.join("\n\n");
    Ok(whole)
}

/// Text of a part from its own bytes: the parser of messages knows few charsets, and believes those that are stated wrongly.
fn decoded<'a>(message: &'a Message<'_>, part: &MessagePart<'_>, parsed: &'a str) -> Cow<'a, str> {
    let raw = message.raw_message.get(part.raw_body_offset() as usize..part.raw_end_offset() as usize);
    let bytes = raw.and_then(|raw| match part.encoding {
        Encoding::None => Some(raw.to_vec()),
        Encoding::QuotedPrintable => quoted_printable_decode(raw),
        Encoding::Base64 => base64_decode(raw),
    });
    let charset = part.content_type().and_then(|kind| kind.attribute("charset"));
    match bytes.filter(|_| !part.is_encoding_problem) {
        Some(bytes) => text::decode(&bytes, charset).into_owned().into(),
        None => parsed.into(),
    }
}

fn attachments(message: &Message<'_>, limits: &ParseConfig, found: &mut ParseOutput) {
    let mut names = Vec::new();
    for (number, part) in message.attachments().enumerate() {
        let Some(part) = attachment(message, part, number) else { continue };
        let suffix = match names.iter().filter(|name| **name == part.suffix).count() {
            0 => part.suffix.clone(),
            copies => format!("{}~{}", part.suffix, copies + 1),
        };
        names.push(part.suffix.clone());
        if found.parts.len() >= limits.max_attachments {
            let message = format!(
                "The message has more than {} attachments; raise `fetch.parse.max_attachments` to read the rest.",
                limits.max_attachments
            );
            found.refused.push((suffix, Refusal::new(RejectReason::TooMany, message)));
            return;
        }
        found.parts.push(Part { suffix, ..part });
    }
}

/// Attached file or message; inline images are skipped.
fn attachment(message: &Message<'_>, part: &MessagePart<'_>, number: usize) -> Option<Part> {
    let name = part.attachment_name().map(crate::documents::clean_name).filter(|name| !name.is_empty());
    let suffix = |ending: &str| format!("!{}", name.clone().unwrap_or_else(|| format!("attachment-{}{ending}", number + 1)));
    let is_image = part.content_type().is_some_and(|kind| kind.ctype().eq_ignore_ascii_case("image"));
    let charset = part.content_type().and_then(|kind| kind.attribute("charset")).map(str::to_owned);
    match &part.body {
        PartType::Message(inner) => {
            let raw = Bytes::copy_from_slice(inner.raw_message());
            Some(Part { suffix: suffix(".eml"), charset: None, kind: Some(FileKind::Message), bytes: raw })
        }
        PartType::InlineBinary(_) if is_image => None,
        PartType::Binary(_) if is_image && part.content_id().is_some() => None,
        PartType::Binary(content) | PartType::InlineBinary(content) => {
            Some(Part { suffix: suffix(""), charset, kind: None, bytes: Bytes::copy_from_slice(content) })
        }
        PartType::Text(content) => {
            let raw = decoded(message, part, content).into_owned().into();
            Some(Part { suffix: suffix(".txt"), charset: None, kind: None, bytes: raw })
        }
        PartType::Html(content) => {
            let raw = decoded(message, part, content).into_owned().into();
            Some(Part { suffix: suffix(".html"), charset: Some("utf-8".to_owned()), kind: None, bytes: raw })
        }
        PartType::Multipart(_) => None,
    }
}
