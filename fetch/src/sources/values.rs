//! Access to JSON values, and plain text from markup.

use super::SourceError;
use crate::{dates, feeds};
use domain::{PublicationDate, PublishedBasis, fetch::SourceHit};
use serde_json::Value;

/// Longest snippet; longer ones are cut.
const MAX_SNIPPET_CHARS: usize = 600;

/// Non-empty text or number at a path, as text.
pub(crate) fn text(value: &Value, path: &[&str]) -> Option<String> {
    let found = at(value, path)?;
    let text = match found {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

pub(crate) fn number(value: &Value, path: &[&str]) -> Option<u64> {
    let found = at(value, path)?;
    found.as_u64().or_else(|| found.as_str()?.parse().ok())
}

/// List at a path; empty if absent.
pub(crate) fn list<'a>(value: &'a Value, path: &[&str]) -> &'a [Value] {
    at(value, path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Hits of the list at a path, with the number of its elements. An absent list is empty: some providers omit it. Anything else,
/// or a list without one readable hit, is an error.
pub(crate) fn hits<'a>(
    value: &'a Value,
    path: &[&str],
    read: impl FnMut(&'a Value) -> Option<SourceHit>,
) -> Result<(Vec<SourceHit>, usize), SourceError> {
    let found = items(value, path).ok_or(SourceError::Unreadable)?;
    let hits: Vec<SourceHit> = found.iter().filter_map(read).collect();
    match hits.is_empty() && !found.is_empty() {
        true => Err(SourceError::Unreadable),
        false => Ok((hits, found.len())),
    }
}

/// List at a path, empty if absent; `None` if another type is in its place.
fn items<'a>(mut value: &'a Value, path: &[&str]) -> Option<&'a [Value]> {
    for key in path {
        value = match value {
            Value::Object(fields) => match fields.get(*key) {
                None | Some(Value::Null) => return Some(&[]),
                Some(inner) => inner,
            },
            Value::Array(items) => items.get(key.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    value.as_array().map(Vec::as_slice)
}

/// Date at a path. It counts as metadata, because the source states it about the page.
pub(crate) fn date(value: &Value, path: &[&str]) -> Option<PublicationDate> {
    dates::parse_published(&text(value, path)?, PublishedBasis::Metadata)
}

pub(crate) fn at<'a>(value: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, key| match value {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        other => other.get(key),
    })
}

/// Plain text in one line, cut to the length of a snippet.
pub(crate) fn snippet(text: &str) -> Option<String> {
    let words = without_tags(text, &mut |_| ());
    let words = feeds::decode_references(&words).replace("&nbsp;", " ");
    let mut words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() > MAX_SNIPPET_CHARS {
        words = words.chars().take(MAX_SNIPPET_CHARS).collect::<String>() + "…";
    }
    (!words.is_empty()).then_some(words)
}

/// Text between the tags, in time proportional to its length; `on_read` receives the bytes of each pass.
fn without_tags(text: &str, on_read: &mut impl FnMut(usize)) -> String {
    let mut words = String::with_capacity(text.len());
    let mut at = 0;
    // The first `>` from here on, looked for again only once it is passed.
    let mut close = Some(0);
    while let Some(open) = text[at..].find('<').map(|found| at + found) {
        on_read(open + 1 - at);
        words.push_str(&text[at..open]);
        at = open + 1;
        let is_tag = text[at..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
        if is_tag && close.is_some_and(|close| close < at) {
            close = text[at..].find('>').map(|found| at + found);
            on_read(close.unwrap_or(text.len()) - at);
        }
        match close.filter(|_| is_tag) {
            Some(close) => at = close + 1,
            None => words.push('<'),
        }
    }
    on_read(text.len() - at);
    words.push_str(&text[at..]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_value_that_is_no_list_of_hits_is_an_error() {
        let hit = |value: &Value| Some(SourceHit { title: text(value, &["t"])?, ..SourceHit::default() });
        let count = |value: Value| hits(&value, &["a", "b"], hit).map(|(hits, given)| (hits.len(), given));
        let none = [json!({}), json!({"a": null}), json!({"a": {}}), json!({"a": {"b": []}})];
        assert!(none.into_iter().all(|value| count(value) == Ok((0, 0))));
        assert_eq!(count(json!({"a": {"b": [{"t": "One"}, {"t": {}}]}})), Ok((1, 2)));
        let wrong = [json!(null), json!("words"), json!([]), json!({"a": 1}), json!({"a": {"b": {"0": 1}}})];
        let unread = [json!({"a": {"b": ["One"]}}), json!({"a": {"b": [{"t": []}, 7]}})];
        for value in wrong.into_iter().chain(unread) {
            assert_eq!(count(value.clone()), Err(SourceError::Unreadable), "{value}");
        }
    }

    #[test]
    fn a_snippet_is_words() {
        let table = [
            ("The <b>gates</b> &amp; ships<br/>are  shut", Some("The gates & shipsare shut")),
            ("a < b and c > d", Some("a < b and c > d")),
            ("<p></p>", None),
            ("<a <b> c < d > e", Some("c < d > e")),
            ("a <b", Some("a <b")),
        ];
        for (text, expected) in table {
            assert_eq!(snippet(text).as_deref(), expected);
        }
    }

    fn count_work(text: &str) -> usize {
        let mut read = 0;
        without_tags(text, &mut |bytes| read += bytes);
        read
    }

    proptest! {
        #[test]
        fn markup_of_twice_the_length_takes_at_most_two_and_a_half_times_the_work(
            parts in prop::collection::vec(prop::sample::select(vec!["<", "<a", ">", "</", "< ", "&lt;", "x", "é"]), 1..12),
            times in 50..2_000_usize,
        ) {
            let text = parts.concat().repeat(times);
            let (once, twice) = (count_work(&text), count_work(&text.repeat(2)));
            prop_assert!(twice * 2 <= once * 5, "{once} bytes read, then {twice}: {parts:?}");
            prop_assert!(once <= text.len() * 3, "{once} bytes read of {}", text.len());
        }
    }
}
