//! Documents to investigate: the sample of `config/samples`, read crudely, and small ones made up here.
//!
//! Not a parser: `fetch` reads files for the product, and its tests are there. This knows the sample's own forms only.

use super::prelude::*;
use domain::{Precision, PublicationDate, PublishedBasis, document::DocumentDetails, fetch::FetchedPage};
use engine::{evidence::sha256_hex, library::ExtractedFile};
use std::path::Path;

/// A document as it is put in.
#[derive(Debug, Clone)]
pub struct Paper {
    pub path: String,
    pub title: String,
    pub outlet: Option<String>,
    /// `2031-03-12`
    pub day: Option<String>,
    pub text: String,
}

impl Paper {
    pub fn new(path: &str, outlet: &str, day: &str, text: &str) -> Self {
        Self { path: path.into(), title: path.into(), outlet: Some(outlet.into()), day: Some(day.into()), text: text.into() }
    }

    pub fn read(&self) -> ExtractedFile {
        let bytes = Bytes::from(format!("{}\n\n{}", self.title, self.text));
        ExtractedFile {
            path: self.path.clone(),
            sha256: sha256_hex(&bytes),
            bytes,
            media_type: "text/plain".into(),
            text: self.text.clone(),
            extractor: "test-1".into(),
            title: self.title.clone(),
            outlet: self.outlet.clone(),
            published: self.day.as_deref().and_then(Timestamp::parse).map(|value| PublicationDate {
                value,
                precision: Precision::Day,
                basis: PublishedBasis::Stated,
            }),
            language: Some("en".into()),
            details: DocumentDetails::default(),
        }
    }
}

pub const SAMPLE_QUESTION: &str = "Who was behind the explosion at the Varrow Lock?";

/// Why, whether and how many.
pub const OTHER_QUESTIONS: [&str; 3] = [
    "Why was the Varrow Lock blown up?",
    "Will the Varrow Lock reopen to barges before the harvest?",
    "How many people did the explosion at the Varrow Lock kill?",
];

/// The documents of the sample, by path.
pub fn sample() -> Vec<Paper> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../config/samples/varrow-lock/documents");
    let mut papers: Vec<Paper> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| {
            let file = file.unwrap().path();
            paper(file.file_name().unwrap().to_str().unwrap(), &std::fs::read_to_string(&file).unwrap())
        })
        .collect();
    papers.sort_by(|a, b| a.path.cmp(&b.path));
    papers
}

fn paper(path: &str, source: &str) -> Paper {
    let (title, outlet, text) = match path.rsplit('.').next().unwrap() {
        "md" => markdown(source),
        "html" => html(source),
        "eml" => mail(source),
        _ => {
            let (title, text) = source.split_once('\n').unwrap();
            (title.to_owned(), None, text.to_owned())
        }
    };
    let day = format!("2031-{}-{}", &path[0..2], &path[2..4]);
    Paper { path: path.into(), title, outlet, day: Some(day), text: text.trim().to_owned() }
}

fn markdown(source: &str) -> (String, Option<String>, String) {
    let (head, text) = source.trim_start_matches("---\n").split_once("\n---\n").unwrap();
    let field = |name: &str| {
        head.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(": ")?.trim_matches('"').to_owned()))
    };
    (field("title").unwrap(), field("outlet"), text.to_owned())
}

fn mail(source: &str) -> (String, Option<String>, String) {
    let (head, text) = source.split_once("\n\n").unwrap();
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
    let from = field("From: ").map(|from| from.split('<').next().unwrap().replace('"', "").trim().to_owned());
    (field("Subject: ").unwrap(), from, text.to_owned())
}

fn html(source: &str) -> (String, Option<String>, String) {
    let between = |text: &str, from: &str, to: &str| {
        let (_, rest) = text.split_once(from)?;
        Some(rest.split_once(to)?.0.to_owned())
    };
    let publisher = between(source, "\"publisher\"", "}").and_then(|block| between(&block, "\"name\": \"", "\""));
    let outlet = publisher.or_else(|| between(source, "og:site_name\" content=\"", "\""));
    let title = between(source, "<h1>", "</h1>").unwrap();
    let paragraphs = source.split("<p").skip(1).filter(|rest| {
        let opening = rest.split('>').next().unwrap();
        !opening.contains("display:none") && !opening.contains("meta")
    });
    let body: Vec<String> = paragraphs
        .filter_map(|rest| Some(without_tags(rest.split_once('>')?.1.split_once("</p>")?.0)))
        .filter(|paragraph| !paragraph.contains("cookies") && !paragraph.contains('·'))
        .collect();
    (without_tags(&title), outlet, body.join("\n\n"))
}

fn without_tags(text: &str) -> String {
    let mut plain = String::new();
    for (n, part) in text.split('<').enumerate() {
        plain += if n == 0 { part } else { part.split_once('>').map_or("", |(_, after)| after) };
    }
    plain.replace("&amp;", "&").replace("&nbsp;", " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Three short reports about one event: enough for orders, entities, relationships and an assessment.
pub fn three_reports() -> Vec<Paper> {
    vec![
        Paper::new(
            "a.txt",
            "Harbour Gazette",
            "2031-05-02",
            "The fire at the Tolm depot destroyed two sheds on Thursday. Inspector Mara Quist said that the Red Anchor group set \
             the fire at the Tolm depot. Red Anchor is led by Oskar Feld.",
        ),
        Paper::new(
            "b.txt",
            "Tolm Radio",
            "2031-05-03",
            "According to the fire brigade, the Red Anchor group set the fire at the Tolm depot. The group threatened the depot in \
             April. The police will present its report on 20 May 2031.",
        ),
        Paper::new(
            "c.txt",
            "Northern Courier",
            "2031-05-04",
            "Oskar Feld denied that Red Anchor set the fire at the Tolm depot. He accused Brandt Logistics, which owns the depot. \
             Brandt Logistics said that it had nothing to do with the fire.",
        ),
    ]
}

pub const FIRE_QUESTION: &str = "Who set the fire at the Tolm depot?";

/// A page as Fetch gives it, of its words alone, with its bytes.
pub fn page(from: &str, to: &str, text: &str, links: &[&str]) -> (FetchedPage, Bytes) {
    let bytes = Bytes::from(text.to_owned());
    let document = json!({
        "path": to, "media_type": "text/html", "sha256": sha256_hex(&bytes), "size_bytes": bytes.len(), "text": text,
        "extractor": "test-1", "title": "A report",
        "links": links.iter().map(|url| json!({"url": url})).collect::<Vec<_>>(), "tables": [], "feeds": [],
    });
    let page = FetchedPage {
        url: from.into(),
        final_url: to.into(),
        canonical_url: None,
        hops: vec![],
        status: 200,
        content_type: Some("text/html".into()),
        headers: BTreeMap::from([("etag".into(), "\"1\"".into())]),
        sha256: sha256_hex(&bytes),
        size_bytes: bytes.len() as u64,
        fetched_at: Timestamp::from_micros(1),
        elapsed_ms: 1,
        cache: Default::default(),
        documents: vec![serde_json::from_value(document).unwrap()],
        rejected: vec![],
    };
    (page, bytes)
}
