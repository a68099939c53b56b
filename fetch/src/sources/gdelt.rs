//! GDELT: world news in 65 languages of the last three months.

use super::adapter::prelude::*;
use chrono::{NaiveDateTime, TimeDelta};

#[derive(Debug)]
pub(crate) struct Gdelt;

/// Languages by GDELT's English names.
const LANGUAGES: [(&str, &str); 24] = [
    ("ar", "arabic"),
    ("bg", "bulgarian"),
    ("cs", "czech"),
    ("de", "german"),
    ("el", "greek"),
    ("en", "english"),
    ("es", "spanish"),
    ("fa", "persian"),
    ("fr", "french"),
    ("he", "hebrew"),
    ("hi", "hindi"),
    ("hu", "hungarian"),
    ("id", "indonesian"),
    ("it", "italian"),
    ("ja", "japanese"),
    ("ko", "korean"),
    ("nl", "dutch"),
    ("pl", "polish"),
    ("pt", "portuguese"),
    ("ru", "russian"),
    ("tr", "turkish"),
    ("uk", "ukrainian"),
    ("vi", "vietnamese"),
    ("zh", "chinese"),
];
/// Shortest word; shorter ones make the whole query fail.
const MIN_WORD_CHARS: usize = 3;

impl Adapter for Gdelt {
    fn info(&self) -> SourceInfo<'_> {
        SourceInfo {
            id: "gdelt",
            name: "GDELT",
            description: "News of the world's outlets, in 65 languages, found by the words of their text.",
            coverage: "Online news seen by GDELT in the last three months. Titles and addresses only; the time is that of finding, \
                       not of publication. Words of other languages are matched in machine translation.",
            is_current: true,
            documentation: ("https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/", "2026-11-21"),
            interval: Duration::from_secs(5),
            page_size: 250,
            base: "https://api.gdeltproject.org/",
            ..SourceInfo::default()
        }
    }

    fn request(&self, query: &SourceQuery, access: &RequestContext<'_>) -> Result<ApiRequest, SourceError> {
        let mut words = without_short_words(&query.words);
        if words.is_empty() {
            return Err(SourceError::Query("GDELT finds words of three letters and more; name some.".into()));
        }
        if let Some(language) = &query.language {
            let name = LANGUAGES.iter().find(|(code, _)| code == language).map(|(_, name)| *name);
            let name =
                name.ok_or_else(|| SourceError::Query(format!("GDELT is not asked for the language {language} here.")))?;
            words.push_str(" sourcelang:");
            words.push_str(name);
        }
        let start = query.since.as_deref().map(|day| day.replace('-', "") + "000000").unwrap_or_default();
        let end = query.until.as_deref().map(|day| day.replace('-', "") + "235959").unwrap_or_default();
        let end = query.page.clone().unwrap_or(end);
        let limit = access.limit.to_string();
        let fields = [
            ("query", words.as_str()),
            ("mode", "artlist"),
            ("format", "json"),
            ("sort", "datedesc"),
            ("maxrecords", &limit),
            ("startdatetime", &start),
            ("enddatetime", &end),
        ];
        ApiRequest::get(access, "api/v2/doc/doc", &fields)
    }

    fn read(&self, answer: &ApiResponse, _: &SourceQuery, access: &RequestContext<'_>) -> Result<SourcePage, SourceError> {
        let articles = values::list(answer.json(), &["articles"]);
        let (hits, _) = values::hits(answer.json(), &["articles"], |article| {
            Some(SourceHit {
                address: values::text(article, &["url"])?,
                title: values::snippet(&values::text(article, &["title"])?)?,
                outlet: values::text(article, &["domain"]),
                language: values::text(article, &["language"]).and_then(|name| code_of(&name)),
                ..SourceHit::default()
            })
        })?;
        let last = articles.last().filter(|_| articles.len() as u32 >= access.limit);
        let next = last.and_then(|last| before(&values::text(last, &["seendate"])?));
        Ok(SourcePage { hits, total: None, next })
    }
}

/// End of the next page: one second before the last hit was seen. GDELT has no other paging, and the same second would repeat
/// the page. Other hits of that second are lost.
fn before(seen: &str) -> Option<String> {
    let seen = NaiveDateTime::parse_from_str(seen, "%Y%m%dT%H%M%SZ").ok()?;
    Some((seen - TimeDelta::seconds(1)).format("%Y%m%d%H%M%S").to_string())
}

fn code_of(name: &str) -> Option<String> {
    LANGUAGES.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(code, _)| (*code).to_owned())
}

fn without_short_words(words: &str) -> String {
    let fits = |word: &&str| word.trim_matches('"').chars().count() >= MIN_WORD_CHARS;
    let mut kept = words.split_whitespace().filter(fits).collect::<Vec<_>>().join(" ");
    // Removing a short word may have unbalanced the quotation marks.
    if kept.matches('"').count() % 2 == 1 {
        kept = kept.replace('"', "");
    }
    kept
}
