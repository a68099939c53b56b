//! The canonical form of a request: its conversation without the parts that differ between runs.
//!
//! Left out: the system prompt, and the schemas of tools and answers. The recording carries those that its replies were given to.
//! Left out as well: the question beside a pack of documents, which changes nothing that they state, and that the web was off or only the
//! given documents were read.
//! Replaced or left out: ids (numbered by first appearance), the nonces of fences, today's date, timestamps of this program,
//! and the ids of tool calls.

use super::as_object;
use domain::{
    assessment::QuestionScope,
    investigation::{Reading, Terms, WebAccess},
};
use engine::evidence::sha256_hex;
use protocol::{
    model::{Message, ModelRequest},
    pack::QUESTION_IN_VIEW,
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::LazyLock};

/// Placeholder of the id with number `n`.
const ID: &str = "uuid:";
const NONCE: &str = "nonce";
const TODAY: &str = "Today: ";
const UTC: &str = " (UTC)";
/// Fields of tool results with a reading of the clock.
const CLOCK_FIELDS: [&str; 2] = ["\"created_at\":\"", "\"last_updated\":\""];
/// Number of hexadecimal digits of an id without hyphens.
const SIMPLE: usize = 32;
/// Numbers of hexadecimal digits between the hyphens of an id.
const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
const HYPHENATED: usize = 36;

/// A request in canonical form, with the replaced ids.
pub struct Canonical {
    text: String,
    ids: Vec<String>,
}

impl Canonical {
    pub fn new(request: &ModelRequest) -> Self {
        let messages: Vec<Value> = request.messages.iter().map(message).collect();
        let whole = json!({"kind": kind(request), "messages": messages});
        let mut ids = vec![];
        let text = without_ids(&whole.to_string(), &mut ids);
        Self { text, ids }
    }

    /// Returns the hex SHA-256 of the canonical form.
    pub fn hash(&self) -> String {
        sha256_hex(self.text.as_bytes())
    }

    /// Restores the ids of this request in a recorded value.
    pub fn restore(&self, recorded: &Value) -> Value {
        mapped(recorded, &|text| self.restore_text(text))
    }

    pub fn restore_text(&self, recorded: &str) -> String {
        let mut text = recorded.to_owned();
        // The highest number first: one is the beginning of another.
        for (n, id) in self.ids.iter().enumerate().rev() {
            text = text.replace(&format!("{ID}{}", n + 1), id);
        }
        text
    }

    /// Replaces the ids of this request in a reply by numbers; other ids stay.
    pub fn replace(&self, reply: &Value) -> Value {
        mapped(reply, &|text| self.replace_text(text))
    }

    pub fn replace_text(&self, reply: &str) -> String {
        let ids = self.ids.iter().enumerate();
        ids.fold(reply.to_owned(), |text, (n, id)| text.replace(id.as_str(), &format!("{ID}{}", n + 1)))
    }
}

/// Returns the purpose of a call: its role, and its answer schema if it has one.
pub fn kind(request: &ModelRequest) -> String {
    let role = request.role.as_str();
    request.output_schema.as_ref().map_or_else(|| role.to_owned(), |shape| format!("{role} {}", shape.name))
}

/// Returns the hex SHA-256 of a request's last message in canonical form.
pub fn hash_of_last(request: &ModelRequest) -> String {
    let last = request.messages.last().map_or(Value::Null, message);
    sha256_hex(without_ids(&last.to_string(), &mut vec![]).as_bytes())
}

fn message(message: &Message) -> Value {
    match message {
        Message::User { text } => json!({"user": without_clock(&without_scope(&without_question(text)))}),
        Message::Assistant { text, tool_calls, .. } => {
            let text = as_object(text).unwrap_or_else(|| Value::from(&**text));
            let calls: Vec<Value> = tool_calls.iter().map(|call| json!([call.name, call.arguments])).collect();
            json!({"assistant": text, "calls": calls})
        }
        Message::Tools { results } => {
            let results: Vec<Value> =
                results.iter().map(|result| json!([without_clock(&result.content), result.is_error])).collect();
            json!({"results": results})
        }
    }
}

/// Removes the line with the question beside a pack.
fn without_question(text: &str) -> String {
    match text.rsplit_once(QUESTION_IN_VIEW) {
        Some((before, after)) => format!("{before}{}", after.find('\n').map_or("", |end| &after[end..])),
        None => text.to_owned(),
    }
}

/// Removes the line of a scope that only keeps a question off the web, or to what was given with it: an installation may have no web,
/// and the same documents may be all of a library.
fn without_scope(text: &str) -> String {
    static LINES: LazyLock<[String; 3]> = LazyLock::new(|| {
        let terms = Terms { reading: Reading::Added, ..Terms::default() };
        let added = |web| QuestionScope { terms, web, ..QuestionScope::off_web() };
        let scopes = [QuestionScope::off_web(), added(WebAccess::Off), added(WebAccess::On)];
        scopes.map(|scope| format!("\n{}", scope.sentence()))
    });
    LINES.iter().fold(text.to_owned(), |text, line| text.replace(line.as_str(), ""))
}

/// Removes today's date and timestamps from the text.
fn without_clock(text: &str) -> String {
    let mut text = text.to_owned();
    for field in CLOCK_FIELDS {
        text = with_each(&text, field, |rest| rest.find('"'));
    }
    with_each(&text, TODAY, |rest| rest.find(UTC))
}

/// Replaces what follows each `before` by "-", up to the end that `end` finds.
fn with_each(text: &str, before: &str, end: impl Fn(&str) -> Option<usize>) -> String {
    let mut parts = text.split(before);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(before);
        match end(part) {
            Some(end) => {
                out.push('-');
                out.push_str(&part[end..]);
            }
            None => out.push_str(part),
        }
    }
    out
}

/// Replaces ids by numbers and nonces by one word.
fn without_ids(text: &str, ids: &mut Vec<String>) -> String {
    let mut numbers: BTreeMap<String, usize> = ids.iter().cloned().zip(1..).collect();
    let (bytes, mut out, mut copied, mut at) = (text.as_bytes(), String::with_capacity(text.len()), 0, 0);
    while at < bytes.len() {
        let begins = bytes[at].is_ascii_hexdigit() && !at.checked_sub(1).is_some_and(|before| is_word(bytes[before]));
        let length = if begins { id_length(&bytes[at..]) } else { None };
        let Some(length) = length else {
            at += 1;
            continue;
        };
        out.push_str(&text[copied..at]);
        if length == HYPHENATED {
            let id = &text[at..at + length];
            let number = *numbers.entry(id.to_owned()).or_insert_with(|| {
                ids.push(id.to_owned());
                ids.len()
            });
            out.push_str(&format!("{ID}{number}"));
        } else {
            out.push_str(NONCE);
        }
        at += length;
        copied = at;
    }
    out.push_str(&text[copied..]);
    out
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Returns the length of the id at the beginning of the bytes, if any.
fn id_length(bytes: &[u8]) -> Option<usize> {
    let digits =
        |from: usize, count: usize| bytes.get(from..from + count).is_some_and(|part| part.iter().all(u8::is_ascii_hexdigit));
    let ends = |length: usize| !bytes.get(length).is_some_and(|after| is_word(*after));
    let mut from = 0;
    let is_hyphenated = GROUPS.iter().enumerate().all(|(n, count)| {
        let whole = digits(from, *count) && (n == GROUPS.len() - 1 || bytes.get(from + count) == Some(&b'-'));
        from += count + 1;
        whole
    });
    if is_hyphenated && ends(HYPHENATED) {
        return Some(HYPHENATED);
    }
    (digits(0, SIMPLE) && ends(SIMPLE)).then_some(SIMPLE)
}

/// Returns the value with every string mapped.
fn mapped(value: &Value, change: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => change(text).into(),
        Value::Array(items) => items.iter().map(|item| mapped(item, change)).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), mapped(value, change))).collect(),
        other => other.clone(),
    }
}
