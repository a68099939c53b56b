//! Documents: captures of what was read, the root of truth.

use crate::{CollectionId, DocumentId, PublicationDate, Timestamp, fetch::Table};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One capture: where it was read, when, and the text of its bytes.
///
/// Bytes are kept once per `sha256`, texts once per (`sha256`, `extractor`); both are immutable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    pub id: DocumentId,
    pub collection_id: CollectionId,
    /// Relative path, or address, as the source named it.
    pub path: String,
    pub title: String,
    /// The outlet's name as the document states it.
    pub outlet: Option<String>,
    pub published: Option<PublicationDate>,
    /// ISO 639-1 where it was recognised.
    pub language: Option<String>,
    pub media_type: String,
    /// Hex SHA-256 of the bytes as they were read.
    pub sha256: String,
    pub size_bytes: u64,
    /// Hex SHA-256 of the text; documents with equal text are one origin.
    pub text_sha256: String,
    /// Length of the text in bytes of UTF-8.
    pub text_bytes: u64,
    /// Name and version of what made the text of the bytes.
    pub extractor: String,
    pub captured_at: Timestamp,
    /// Noted when the document was extracted; empty before.
    #[serde(default)]
    pub credits: Credits,
}

impl Document {
    /// The name that readers see beside its quotations.
    pub fn source_name(&self) -> String {
        credited_name(self.outlet.as_deref(), &self.path)
    }

    /// Whether it is a column or another piece of opinion, by its title or address.
    pub fn is_opinion(&self) -> bool {
        is_opinion(&self.title, &self.path)
    }
}

/// The name that quotations of a document are credited to: its outlet or, without one, the host of its address or the name of its
/// file. Never its title, which may be the first sentence of its text.
pub fn source_name<'a>(outlet: Option<&'a str>, path: &'a str) -> &'a str {
    let outlet = outlet.map(str::trim).filter(|outlet| !outlet.is_empty());
    match outlet {
        Some(outlet) => host(outlet).unwrap_or_else(|| outlet.strip_prefix("www.").unwrap_or(outlet)),
        None => host(path).or_else(|| file_name(path)).unwrap_or("unknown source"),
    }
}

fn file_name(path: &str) -> Option<&str> {
    path.rsplit(['/', '\\']).find(|part| !part.is_empty())
}

/// The name of a source for readers: its outlet or host, else "unknown outlet" with the name of its file.
pub fn credited_name(outlet: Option<&str>, path: &str) -> String {
    if outlet.is_some_and(|outlet| !outlet.trim().is_empty()) || host(path).is_some() {
        return source_name(outlet, path).to_owned();
    }
    file_name(path).map_or_else(|| "unknown outlet".to_owned(), |file| format!("unknown outlet, {file}"))
}

/// The tidy name of an outlet: the one that a document states or, where that is only a host, the one `known` to the graph.
pub fn outlet_name<'a>(stated: Option<&'a str>, known: Option<&'a str>) -> Option<&'a str> {
    let stated = stated.map(str::trim).filter(|name| !name.is_empty());
    let name = match stated {
        Some(stated) if !is_host(stated) => stated,
        _ => known.or(stated)?,
    };
    Some(source_name(Some(name), ""))
}

/// Whether a name is the address of a site: `https://www.tessin.example`, `tessin.example`.
fn is_host(name: &str) -> bool {
    let is_domain = name.contains('.') && !name.ends_with('.') && !name.contains(char::is_whitespace);
    host(name).is_some() || is_domain
}

/// The host of a web address, without "www.".
pub fn host(address: &str) -> Option<&str> {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
    let host = rest.split(['/', '?', '#']).next()?.rsplit('@').next()?;
    let host = host.strip_prefix("www.").unwrap_or(host);
    (!host.is_empty()).then_some(host)
}

/// Words by which outlets mark opinion, at the head or end of a title or as a part of an address.
const OPINION: [&str; 13] = [
    "opinion",
    "opinions",
    "op-ed",
    "column",
    "columns",
    "columnists",
    "commentary",
    "commentisfree",
    "editorial",
    "editorials",
    "viewpoint",
    "guest essay",
    "letters to the editor",
];

/// Whether a document says of itself that it is opinion: "Opinion: …", "… | Opinion", or an address in such a section.
pub fn is_opinion(title: &str, path: &str) -> bool {
    let is_mark = |part: &str| OPINION.contains(&part.trim_matches([' ', '[', ']', '(', ')']).to_lowercase().as_str());
    let dashes = ['|', '\u{2013}', '\u{2014}'];
    title.split([dashes[0], dashes[1], dashes[2], ':']).next().is_some_and(is_mark)
        || title.rsplit(dashes).next().is_some_and(is_mark)
        || title.split(" - ").any(is_mark)
        || path.rsplit_once('/').is_some_and(|(folders, _)| folders.split('/').any(is_mark))
}

/// Credits of a document beside its outlet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Credits {
    /// The news agency that the text is from, as the document names it.
    pub agency: Option<String>,
    /// The authors, as the document names them.
    pub byline: Option<String>,
}

/// Facts that a document states beside its text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentDetails {
    /// Authors, as the page states them.
    pub byline: Option<String>,
    /// When it was changed last.
    pub updated: Option<PublicationDate>,
    /// Its tables, in order. Their words are in the text, too.
    pub tables: Vec<Table>,
}

/// A document with its text (UTF-8, LF, no U+0000).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentText {
    pub document: Document,
    pub text: String,
}

/// A file that could not be read, with the reason for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedFile {
    pub path: String,
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_named_by_outlet_host_or_file() {
        for (outlet, path, name) in [
            (Some("Tessin Courier"), "reports/fire.md", "Tessin Courier"),
            (Some("https://www.tessin.example/news"), "reports/fire.md", "tessin.example"),
            (Some(" "), "https://www.tessin.example/2031/fire?x=1", "tessin.example"),
            (None, "http://user@archive.tessin.example", "archive.tessin.example"),
            (None, "reports/2031/fire update.txt", "fire update.txt"),
            (None, "inbox.zip/mail/3.eml", "3.eml"),
            (None, "", "unknown source"),
            (Some("www.tessin.example"), "", "tessin.example"),
        ] {
            assert_eq!(source_name(outlet, path), name, "{outlet:?} {path}");
        }
    }

    #[test]
    fn a_file_without_an_outlet_is_credited_to_an_unknown_one() {
        assert_eq!(credited_name(None, "reports/2031/fire.txt"), "unknown outlet, fire.txt");
        assert_eq!(credited_name(Some(" "), ""), "unknown outlet");
        assert_eq!(credited_name(None, "https://www.tessin.example/fire"), "tessin.example");
    }

    #[test]
    fn the_graph_names_an_outlet_that_states_only_its_host() {
        let known = Some("Tessin Courier");
        for stated in [Some("www.tessin.example"), Some("https://tessin.example"), Some("tessin.example"), None] {
            assert_eq!(outlet_name(stated, known), known, "{stated:?}");
        }
        assert_eq!(outlet_name(Some("St. Orrin Post"), known), Some("St. Orrin Post"));
        assert_eq!(outlet_name(Some("www.tessin.example"), None), Some("tessin.example"));
        assert_eq!(outlet_name(Some(" "), None), None);
    }

    #[test]
    fn opinion_is_recognised_by_title_or_address() {
        for (title, path) in [
            ("Opinion: The lock must open", "a.txt"),
            ("OPINION", "a.txt"),
            ("Opinion | The lock must open", "a.txt"),
            ("The lock must open - Op-Ed", "a.txt"),
            ("The lock must open | Opinion", "a.txt"),
            ("The lock must open", "https://tessin.example/opinion/2031/lock"),
            ("The lock must open", "https://tessin.example/commentisfree/2031/lock"),
        ] {
            assert!(is_opinion(title, path), "{title} {path}");
        }
        for (title, path) in [
            ("Opinion polls are close", "a.txt"),
            ("A column of tanks crosses the lock", "https://tessin.example/news/opinion-polls"),
            ("Court: opinion of the judges", "opinion.txt"),
        ] {
            assert!(!is_opinion(title, path), "{title} {path}");
        }
    }
}
