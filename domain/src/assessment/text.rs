//! Outside text inside the Markdown of an assessment.

/// Outside text as plain Markdown text on one line: nothing in it is markup, a link or a marker, not even after it was parsed once.
pub fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for character in text.chars() {
        match character {
            // The word joiner is not seen, and keeps a number in brackets from being read as a marker.
            '[' => escaped.push_str("\\[\u{2060}"),
            '\\' | '`' | '*' | '_' | ']' | '<' | '>' | '#' | '|' | '~' | '&' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '\n' | '\r' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_brackets_of_a_quote_is_no_marker_before_and_after_parsing() {
        let escaped = escape_markdown("see [12] <b>");
        assert_eq!(crate::assessment::markers_in(&escaped).count(), 0);
        let parsed = escaped.replace('\\', "");
        assert_eq!(crate::assessment::markers_in(&parsed).count(), 0);
        assert_eq!(parsed.replace('\u{2060}', ""), "see [12] <b>");
    }
}
