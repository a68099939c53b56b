//! Words in the names that a page gives its elements.

use dom_query::NodeRef;

/// Attributes with names.
const KEYS: [&str; 5] = ["class", "id", "role", "data-testid", "data-test"];

/// Whether a word of the names of an element is listed.
pub(super) fn has_name(node: &NodeRef<'_>, list: &str) -> bool {
    !listed_names(node, list).is_empty()
}

/// Words of a list that the names of an element contain. Names are split at signs and before capitals; digits at the end of a word
/// do not count.
pub(super) fn listed_names<'a>(node: &NodeRef<'_>, list: &'a str) -> Vec<&'a str> {
    let mut found = Vec::new();
    for names in KEYS.iter().filter_map(|key| node.attr(key)) {
        for name in names.split(|c: char| !c.is_ascii_alphanumeric()) {
            let mut start = 0;
            let pairs = name.as_bytes().windows(2).enumerate();
            let starts = pairs.filter(|(_, pair)| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
            for end in starts.map(|(at, _)| at + 1).chain([name.len()]) {
                let word = name[start..end].trim_end_matches(|c: char| c.is_ascii_digit());
                found.extend(list.split(", ").find(|listed| listed.eq_ignore_ascii_case(word)));
                start = end;
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use dom_query::Document;

    #[test]
    fn names_are_read_as_words() {
        let names = |attribute: &str| {
            let document = Document::from(format!("<html><body><p {attribute}>x</p></body></html>"));
            let found: Vec<_> =
                document.select("p").nodes().iter().flat_map(|node| listed_names(node, "ad, footer, cookie")).collect();
            found.join(" ")
        };
        assert_eq!(names("class='site-footer'"), "footer");
        assert_eq!(names("id='cookieBanner2'"), "cookie");
        assert_eq!(names("data-testid='footer2 AD'"), "ad footer");
        assert_eq!(names("id='58f8-0ad8'"), "", "parts of an identifier are no words");
        assert_eq!(names("class='loading'"), "");
    }
}
