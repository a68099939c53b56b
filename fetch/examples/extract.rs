//! Extracts a folder of pages (`.html`, `.html.gz`) through the parser pool and prints `{"page": {"articleBody": text}}`, the
//! input of extraction benchmarks. Times and counts go to standard error.
//!
//! `cargo run -p fetch --example extract -- FOLDER > found.json`

use fetch::{Documents, FetchConfig, Input, ParserCommand, ParserPool};
use flate2::read::GzDecoder;
use futures::StreamExt;
use serde_json::{Map, json};
use std::{error::Error, fs, io::Read, path::Path, process::ExitCode, time::Instant};

/// Argument that makes this program its own parser child.
const CHILD: &str = "parse-child";

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    match argument.as_deref() {
        Some(CHILD) => fetch::parse_child_main(),
        Some(folder) => match run(Path::new(folder)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{folder}: {error}");
                ExitCode::FAILURE
            }
        },
        None => {
            eprintln!("usage: extract FOLDER");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let command = ParserCommand { program: std::env::current_exe()?, args: vec![CHILD.into()] };
    let config = FetchConfig::default();
    let pool = ParserPool::new(command, &config);
    let documents = Documents::new(config, pool);
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder)? {
        pages.push(page(&entry?.path())?);
    }
    let started = Instant::now();
    let results: Vec<_> = documents.read(Input::InMemory(pages)).collect().await;
    let took = started.elapsed();
    let mut found = Map::new();
    let (mut bylines, mut dates, mut tables) = (0, 0, 0);
    for result in results {
        let (path, text) = match result {
            Ok(fetched) => {
                bylines += usize::from(fetched.document.byline.is_some());
                dates += usize::from(fetched.document.published.is_some());
                tables += fetched.document.tables.len();
                (fetched.document.path, fetched.document.text)
            }
            Err(rejected) => {
                eprintln!("{}: {}", rejected.path, rejected.message);
                (rejected.path, String::new())
            }
        };
        found.insert(path.trim_end_matches(".html").to_owned(), json!({ "articleBody": text }));
    }
    eprintln!("{} pages in {took:?}; {bylines} bylines, {dates} dates, {tables} tables", found.len());
    println!("{}", serde_json::to_string(&found)?);
    Ok(())
}

/// Name and decompressed bytes of a page.
fn page(file: &Path) -> Result<(String, bytes::Bytes), Box<dyn Error>> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut bytes = fs::read(file)?;
    let name = match name.strip_suffix(".gz") {
        Some(name) => {
            let mut unpacked = Vec::new();
            GzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked)?;
            bytes = unpacked;
            name.to_owned()
        }
        None => name,
    };
    Ok((name, bytes.into()))
}
