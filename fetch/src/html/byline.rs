//! Authors of a page, from metadata or the printed byline.

use dom_query::{Document, NodeRef};
use serde_json::Value;

const NAMES: [&str; 9] = [
    "author",
    "article:author",
    "og:article:author",
    "dc.creator",
    "dcterms.creator",
    "citation_author",
    "parsely-author",
    "sailthru.author",
    "byl",
];
const PRINTED: &str = "[rel=author], [itemprop=author], .byline, .author-name, .author, #byline";
/// Words before a name, in lower case.
const PREFIXES: [&str; 10] = ["by", "by:", "written by", "von", "par", "por", "di", "author:", "text:", "from"];
const MAX_CHARS: usize = 120;
const MAX_AUTHORS: usize = 8;
/// Words of the longest printed byline; longer text is a sentence.
const MAX_PRINTED_WORDS: usize = 12;

/// Authors as one line. `json_ld` lists those of the JSON-LD.
pub(super) fn read(document: &Document, meta: &[(String, String)], json_ld: Vec<String>) -> Option<String> {
    let named = |name: &&str| {
        let values = meta.iter().filter(|(n, _)| n == name).map(|(_, value)| value.clone());
        join(values.collect())
    };
    join(json_ld).or_else(|| NAMES.iter().find_map(named)).or_else(|| printed_byline(document))
}

/// Names in a JSON-LD `author`: a string, an object with a name, or a list of these.
pub(super) fn json_ld_names(author: &Value) -> Vec<String> {
    match author {
        Value::String(name) => vec![name.clone()],
        Value::Array(all) => all.iter().take(MAX_AUTHORS).flat_map(json_ld_names).collect(),
        Value::Object(fields) => fields.get("name").map(json_ld_names).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn join(names: Vec<String>) -> Option<String> {
    let mut tidy: Vec<String> = Vec::new();
    for name in names.iter().filter_map(|name| tidy_name(name)) {
        if tidy.len() < MAX_AUTHORS && !tidy.contains(&name) {
            tidy.push(name);
        }
    }
    (!tidy.is_empty()).then(|| tidy.join(", "))
}

fn printed_byline(document: &Document) -> Option<String> {
    document.select(PRINTED).nodes().iter().take(5).find_map(|node| printed_name(node))
}

fn printed_name(node: &NodeRef<'_>) -> Option<String> {
    let inner = node.descendants_it().find(|inner| {
        inner.attr("itemprop").is_some_and(|value| &*value == "name")
            || inner.attr("rel").is_some_and(|value| &*value == "author")
    });
    let text = inner.map_or_else(|| node.text(), |inner| inner.text());
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !is_prefix(line))?;
    let name = tidy_name(line)?;
    (name.split(' ').count() <= MAX_PRINTED_WORDS).then_some(name)
}

fn is_prefix(line: &str) -> bool {
    PREFIXES.contains(&line.to_lowercase().as_str())
}

/// Name without "By"; `None` for addresses and texts too long for a name.
fn tidy_name(name: &str) -> Option<String> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let lower = name.to_lowercase();
    let before = PREFIXES.iter().filter(|before| lower.starts_with(&format!("{before} "))).map(|before| before.len() + 1).max();
    // The prefixes are ASCII, so lower case has the same length.
    let name = name.get(before.unwrap_or(0)..)?.trim_matches([' ', ',', '|', '-', '–', '—', ':']);
    let is_address = name.contains("://") || name.starts_with("www.") || name.starts_with('@');
    let fits = name.chars().count() <= MAX_CHARS && name.chars().any(char::is_alphabetic);
    (fits && !is_address).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_is_left_without_the_words_before_it() {
        let table = [
            ("By  Ana Ruiz", Some("Ana Ruiz")),
            ("Written by Ana Ruiz |", Some("Ana Ruiz")),
            ("Von Hans Meier", Some("Hans Meier")),
            ("Byron Smith", Some("Byron Smith")),
            ("https://social.example/ana", None),
            ("@ana", None),
            (" - ", None),
        ];
        for (text, expected) in table {
            assert_eq!(tidy_name(text).as_deref(), expected, "{text}");
        }
    }
}
