//! JSON layout for review: values that fit stand on one line.

use serde_json::Value;

/// Maximum length of a line, in characters.
const WIDTH: usize = 150;

/// Writes an object with these fields in order, ending with a line break.
pub fn object(fields: &[(&str, Value)]) -> String {
    let mut out = String::from("{");
    block(fields.iter().map(|(key, value)| (Some(*key), value)), 0, &mut out);
    out.push_str("}\n");
    out
}

fn write(value: &Value, depth: usize, out: &mut String) {
    let compact = value.to_string();
    if compact.chars().count() + depth <= WIDTH {
        return out.push_str(&compact);
    }
    match value {
        Value::Array(items) => {
            out.push('[');
            let items = items.iter().map(|item| (None, item));
            block(items, depth, out);
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            let fields = fields.iter().map(|(key, item)| (Some(key.as_str()), item));
            block(fields, depth, out);
            out.push('}');
        }
        _ => out.push_str(&compact),
    }
}

fn block<'a>(items: impl Iterator<Item = (Option<&'a str>, &'a Value)>, depth: usize, out: &mut String) {
    for (n, (key, item)) in items.enumerate() {
        out.push_str(if n == 0 { "\n" } else { ",\n" });
        out.push_str(&" ".repeat(depth + 1));
        if let Some(key) = key {
            out.push_str(&Value::from(key).to_string());
            out.push_str(": ");
        }
        write(item, depth + 1, out);
    }
    out.push('\n');
    out.push_str(&" ".repeat(depth));
}
