//! Test helpers: `documents` with small limits, generated files, and one line per result.

use crate::prelude::*;
use bytes::Bytes;
use domain::fetch::{FetchedDocument, Rejection};
use fetch::{DocumentWithBytes, ParserCommand};
use std::{io::Write, path::PathBuf};

pub type Outcome = Result<DocumentWithBytes, Rejection>;

pub fn config() -> FetchConfig {
    let mut config = FetchConfig::default();
    config.read.max_file_bytes = 8 * 1024 * 1024;
    config.pool.parse_timeout_ms = 60_000;
    // Tests may run as root, in a container of their own.
    config.browser.allow_root = true;
    config
}

pub fn parser() -> ParserCommand {
    ParserCommand { program: env!("CARGO_BIN_EXE_fetch-parse-child").into(), args: Vec::new() }
}

/// Parser command that runs a shell script instead.
pub fn shell(script: &str) -> ParserCommand {
    ParserCommand { program: "/bin/sh".into(), args: vec!["-c".into(), script.into()] }
}

pub fn source(config: FetchConfig) -> Documents {
    let pool = ParserPool::new(parser(), &config);
    Documents::new(config, pool)
}

pub async fn read(source: &Documents, input: Input) -> Vec<Outcome> {
    source.read(input).collect().await
}

pub async fn read_uploads(files: &[(&str, &[u8])]) -> Vec<Outcome> {
    read(&source(config()), uploads(files)).await
}

pub fn uploads(files: &[(&str, &[u8])]) -> Input {
    Input::InMemory(files.iter().map(|(name, bytes)| ((*name).to_owned(), Bytes::copy_from_slice(bytes))).collect())
}

/// The only result, which must be a document.
pub async fn read_one(name: &str, bytes: &[u8]) -> FetchedDocument {
    let mut results = read_uploads(&[(name, bytes)]).await;
    assert_eq!(results.len(), 1, "{results:?}");
    results.remove(0).unwrap_or_else(|rejected| panic!("{rejected:?}")).document
}

/// One line per result: `path: title` or `path! reason`.
pub fn lines(results: &[Outcome]) -> Vec<String> {
    let line = |result: &Outcome| match result {
        Ok(fetched) => format!("{}: {}", fetched.document.path, fetched.document.title),
        Err(rejected) => format!("{}! {:?}", rejected.path, rejected.reason),
    };
    results.iter().map(line).collect()
}

pub fn date(document: &FetchedDocument) -> String {
    document
        .published
        .map_or("none".to_owned(), |found| format!("{} {:?} {:?}", found.value, found.precision, found.basis).to_lowercase())
}

pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// PDF with one page per text and an information dictionary.
pub fn pdf(pages: &[&str], info: &str) -> Vec<u8> {
    let content = |page: &&str| {
        let shown: String = page.lines().map(|line| format!("({line}) Tj T* ")).collect();
        format!("BT /F1 12 Tf 14 TL 72 720 Td {shown}ET")
    };
    drawn_pdf(&pages.iter().map(content).collect::<Vec<_>>(), info)
}

/// PDF whose pages are drawn by these operators.
pub fn drawn_pdf(pages: &[String], info: &str) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|n| format!("{} 0 R", 5 + 2 * n)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        format!("<< {info} >>"),
    ];
    for (n, content) in pages.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            6 + 2 * n
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }
    let mut file = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (n, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", n + 1));
    }
    let start = file.len();
    file.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    places.iter().for_each(|place| file.push_str(&format!("{place:010} 00000 n \n")));
    file.push_str(&format!("trailer\n<< /Size {} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1));
    file.into_bytes()
}

/// Folder of foreign test data. Tests that read it are ignored unless asked for.
#[expect(clippy::disallowed_methods, reason = "only tests look for foreign material")]
pub fn testdata(folder: &str) -> PathBuf {
    let folder = PathBuf::from(std::env::var_os("AUTOSINT_TESTDATA").expect("AUTOSINT_TESTDATA")).join(folder);
    assert!(folder.is_dir(), "AUTOSINT_TESTDATA has no folder {}", folder.display());
    folder
}
