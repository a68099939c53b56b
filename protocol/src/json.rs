//! JSON as models write it: with trailing commas, with raw line breaks in strings, between other words, or cut at its end.

use serde_json::{Error, Value};

/// Maximum number of opening braces tried in one text.
const MAX_STARTS: usize = 500;

/// Parses JSON, with trailing commas and raw control characters in strings repaired. The error is that of the text as written.
pub fn read(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).or_else(|error| serde_json::from_str(&repaired(text)).map_err(|_| error))
}

/// Object in a text, with its place in bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundObject {
    pub value: Value,
    pub start: usize,
    pub end: usize,
}

/// Finds the outermost complete objects in a text.
pub fn objects(text: &str) -> Vec<FoundObject> {
    let (mut found, mut from) = (vec![], 0);
    for _ in 0..MAX_STARTS {
        let Some(start) = text[from..].find('{').map(|at| from + at) else { break };
        from = start + 1;
        let Some(end) = end_of(&text[start..]).map(|length| start + length) else { continue };
        if let Ok(value) = read(&text[start..end]) {
            found.push(FoundObject { value, start, end });
            from = end;
        }
    }
    found
}

/// Returns what is complete of an object whose end is missing: lists keep their whole objects, down to `depth` brackets. None without
/// any whole object in a list.
pub fn complete_part(text: &str, depth: usize) -> Option<Value> {
    let text = &text[text.find('{')?..];
    let (mut scan, mut kept) = (Scan::default(), None);
    for (at, char) in text.char_indices() {
        scan.take(char);
        let is_whole_item = char == '}' && !scan.in_string && scan.open.last() == Some(&']');
        if is_whole_item && scan.open.len() <= depth {
            kept = Some((at + char.len_utf8(), scan.open.clone()));
        }
    }
    let (end, open) = kept?;
    let closed: String = text[..end].chars().chain(open.into_iter().rev()).collect();
    read(&closed).ok()
}

/// Place in a JSON text: within a string or not, and the brackets to close.
#[derive(Default)]
struct Scan {
    open: Vec<char>,
    in_string: bool,
    is_escaped: bool,
}

impl Scan {
    fn take(&mut self, char: char) {
        match char {
            _ if self.is_escaped => self.is_escaped = false,
            '\\' if self.in_string => self.is_escaped = true,
            '"' => self.in_string = !self.in_string,
            _ if self.in_string => {}
            '{' => self.open.push('}'),
            '[' => self.open.push(']'),
            '}' | ']' => {
                self.open.pop();
            }
            _ => {}
        }
    }
}

/// Returns the length of the object at the beginning of a text; none when it does not end.
fn end_of(text: &str) -> Option<usize> {
    let mut scan = Scan::default();
    text.char_indices().find_map(|(at, char)| {
        scan.take(char);
        scan.open.is_empty().then_some(at + char.len_utf8())
    })
}

fn repaired(text: &str) -> String {
    let (mut scan, mut out) = (Scan::default(), String::with_capacity(text.len()));
    for char in text.chars() {
        scan.take(char);
        match char {
            '}' | ']' if !scan.in_string => {
                let end = out.trim_end().len();
                if out[..end].ends_with(',') {
                    out.truncate(end - 1);
                }
                out.push(char);
            }
            char if scan.in_string && char.is_control() => {
                let escaped = Value::from(char.to_string()).to_string();
                out.push_str(escaped.trim_matches('"'));
            }
            char => out.push(char),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_is_read_with_the_slips_of_models() {
        for (text, value) in [
            (r#"{"a":[1,2,],}"#, json!({"a": [1, 2]})),
            ("{\"a\": {\"b\": 1 , \n}\n,}", json!({"a": {"b": 1}})),
            (r#"{"a":"x, ]","b":"\",}"}"#, json!({"a": "x, ]", "b": "\",}"})),
            (r#"{"a":"x,]\\","b":[ ],}"#, json!({"a": "x,]\\", "b": []})),
            ("{\"a\":\"one\ntwo\tthree\",}", json!({"a": "one\ntwo\tthree"})),
        ] {
            assert_eq!(read(text).ok(), Some(value), "{text}");
        }
        for text in ["", "{", r#"{"a":}"#, "{,}x", "[1 2]"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn objects_are_found_between_words_and_inner_ones_only_where_the_outer_one_is_broken() {
        let values = |text: &str| objects(text).into_iter().map(|found| found.value).collect::<Vec<_>>();
        assert_eq!(values(r#"First {"a":1,}, then {not} {"b":{"c":2}} and {"#), [json!({"a": 1}), json!({"b": {"c": 2}})]);
        assert_eq!(values(r#"{"a": {"b": 1}"#), [json!({"b": 1})]);
        let text = r#"é {"a":"}"}!"#;
        let FoundObject { start, end, .. } = objects(text)[0];
        assert_eq!(&text[start..end], r#"{"a":"}"}"#);
        assert!(objects(&"{".repeat(1_000)).is_empty());
    }

    #[test]
    fn the_whole_items_of_a_cut_answer_are_kept() {
        let text = r#"{"documents":[{"id":"d1","claims":[{"q":"a"},{"q":"b","of":[{"x":1}"#;
        assert_eq!(complete_part(text, 4), Some(json!({"documents": [{"id": "d1", "claims": [{"q": "a"}]}]})));
        assert_eq!(complete_part(&format!("```json\n{text}"), 2), None, "no whole document");
        assert_eq!(complete_part(r#"{"documents":[{"id":"d1"},{"id":"d2""#, 4), Some(json!({"documents": [{"id": "d1"}]})));
        assert_eq!(complete_part(r#"{"plan":"look","#, 4), None);
    }
}
