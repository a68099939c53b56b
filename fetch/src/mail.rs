//! E-mail: messages with their head as text, attachments as parts, and mailboxes.

use crate::{
    config::ParseConfig,
    html, links,
    parse::{ParseOutput, ParsedDocument, Part},
    refusal::Refusal,
    sniff::FileKind,
    text,
};
use bytes::Bytes;
use domain::{Precision, PublicationDate, PublishedBasis, Timestamp, fetch::RejectReason};
use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};

const EXTRACTOR: &str = "mail/1";
/// Shortest "From " line of a mailbox.
const MIN_FROM_LINE_BYTES: usize = 12;

/// Parses one message.
pub(crate) fn parse_message(bytes: &Bytes, limits: &ParseConfig) -> Result<ParseOutput, Refusal> {
    let message = MessageParser::default().parse(bytes.as_ref()).ok_or_else(|| Refusal::broken("message"))?;
    let is_empty = message.headers().is_empty() || (message.subject().is_none() && message.from().is_none());
    if is_empty && message.text_body_count() == 0 {
        return Err(Refusal::broken("message"));
    }
    let body = body(&message, limits)?;
    let head = head(&message);
    let mut found = ParseOutput::default();
    attachments(&message, limits, &mut found);
    if body.text.trim().is_empty() && !found.parts.is_empty() {
        return Ok(found);
    }
    if body.text.trim().is_empty() && message.subject().is_none() {
        return Err(Refusal::no_text("message"));
    }
    let text = format!("{head}\n{}", body.text);
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
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
            head.push_str(&format!("{name}: {value}\n"));
        }
    };
    line("From", message.from().map(people));
    line("To", message.to().map(people));
    line("Cc", message.cc().map(people));
    line("Date", message.date().filter(|date| date.is_valid()).map(|date| date.to_rfc3339()));
    line("Subject", message.subject().map(str::to_owned));
    head
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
                let text = text::normalise(text).trim_end().to_owned();
                whole.links.extend(links::in_text(&text, limits.max_links));
                pieces.push(text);
            }
            PartType::Html(source) => {
                let blocks = html::plain_text(&text::normalise(source), None, limits)?;
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

fn attachments(message: &Message<'_>, limits: &ParseConfig, found: &mut ParseOutput) {
    let mut names = Vec::new();
    for (number, part) in message.attachments().enumerate() {
        let Some(part) = attachment(part, number) else { continue };
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
fn attachment(part: &MessagePart<'_>, number: usize) -> Option<Part> {
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
            let raw = Bytes::copy_from_slice(content.as_bytes());
            Some(Part { suffix: suffix(".txt"), charset: None, kind: None, bytes: raw })
        }
        PartType::Html(content) => {
            let raw = Bytes::copy_from_slice(content.as_bytes());
            Some(Part { suffix: suffix(".html"), charset: Some("utf-8".to_owned()), kind: None, bytes: raw })
        }
        PartType::Multipart(_) => None,
    }
}
