//! Source `documents`: folders, files, archives and uploads as a stream of documents and rejections.
//!
//! Invariant: the order depends on paths only, never on which file was ready first.

mod input;
mod open;
mod uploaded;

pub use input::Input;
pub(crate) use input::clean_name;
pub use uploaded::{UploadWriter, UploadedFiles};

use crate::{
    child::Confinement,
    config::FetchConfig,
    feeds::OpmlList,
    language,
    parse::ParsedDocument,
    pool::{FileOwner, ParseJob, ParserPool},
    refusal::Refusal,
    sniff::{self, FileKind},
    wire,
};
use bytes::Bytes;
use domain::fetch::{FetchedDocument, RejectReason, Rejection};
use futures::{
    FutureExt, Stream, StreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use input::{Content, InputFile};
use std::sync::Arc;

/// Document with the bytes it was read from.
#[derive(Debug, Clone)]
pub struct DocumentWithBytes {
    pub document: FetchedDocument,
    pub bytes: Bytes,
}

/// Response body to be parsed.
#[derive(Debug, Clone)]
pub struct Page {
    /// Address after redirects.
    pub address: String,
    /// Media type without parameters, such as `text/html`.
    pub media_type: Option<String>,
    pub charset: Option<String>,
    pub bytes: Bytes,
}

impl Page {
    /// A response by its address and `Content-Type` header.
    pub fn new(address: String, content_type: Option<&str>, bytes: Bytes) -> Self {
        let mut parts = content_type.unwrap_or_default().split(';').map(str::trim);
        let media_type = parts.next().filter(|media_type| media_type.contains('/')).map(str::to_ascii_lowercase);
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']).to_owned())
        });
        Self { address, media_type, charset, bytes }
    }
}

/// Item of the stream.
type Item = Result<DocumentWithBytes, Rejection>;

/// Cheap handle to the source.
#[derive(Debug, Clone)]
pub struct Documents {
    config: Arc<FetchConfig>,
    pool: ParserPool,
}

/// File, or part of one, with its bytes.
struct FileToParse {
    path: String,
    /// Name for format detection where the bytes are ambiguous; otherwise the path.
    name: Option<String>,
    bytes: Bytes,
    kind: Option<FileKind>,
    charset: Option<String>,
    /// Base address for relative links.
    address: Option<String>,
    depth: usize,
    owner: FileOwner,
}

impl Documents {
    pub fn new(config: FetchConfig, pool: ParserPool) -> Self {
        Self { config: Arc::new(config), pool }
    }

    /// Reads everything in path order. A few files are prepared ahead; the others stay on disk.
    pub fn read(&self, input: Input) -> impl Stream<Item = Item> + Send + use<> {
        let this = self.clone();
        let owner = self.pool.new_import();
        let ahead = self.config.read.parallel_files.max(1);
        let input_file = {
            let this = this.clone();
            async move { input::list(input, &this.config.read).await }
        };
        input_file
            .map(stream::iter)
            .flatten_stream()
            .map(move |input_file| {
                let this = this.clone();
                async move { this.read_input_file(input_file, owner).await }
            })
            .buffered(ahead)
            .flatten()
    }

    /// Parses a response. The bytes take precedence over the server's `media_type` and `charset`. Links become absolute.
    pub fn read_page(&self, page: Page) -> impl Stream<Item = Item> + Send + use<> {
        let path = page.address.split(['?', '#']).next().unwrap_or_default();
        let name = page.media_type.as_deref().and_then(sniff::file_name_for_media_type).unwrap_or(path).to_owned();
        let file = FileToParse {
            path: page.address.clone(),
            name: Some(name),
            address: Some(page.address),
            bytes: page.bytes,
            kind: None,
            charset: page.charset,
            depth: 0,
            owner: FileOwner::Web,
        };
        let this = self.clone();
        async move { this.parse_and_assemble(file).await }.flatten_stream()
    }

    /// Reads a list of feeds (OPML).
    pub async fn feed_list(&self, bytes: Bytes) -> Result<OpmlList, Rejection> {
        let job = ParseJob { owner: self.pool.new_import(), kind: FileKind::FeedList, charset: None, address: None, bytes };
        let parsed = self.pool.parse(job).await.map_err(|refusal| refusal.at("feeds.opml"))?;
        Ok(parsed.0.feed_list.unwrap_or_default())
    }

    /// Confinement of the parser children, as the last one reported it; `None` before the first file.
    pub fn confinement(&self) -> Option<Confinement> {
        self.pool.confinement()
    }

    async fn read_input_file(self, input_file: Result<InputFile, Rejection>, owner: FileOwner) -> BoxStream<'static, Item> {
        let input_file = match input_file {
            Ok(input_file) => input_file,
            Err(rejected) => return single(Err(rejected)),
        };
        let bytes = match input_file.content {
            Content::Bytes(bytes) => Ok(bytes),
            Content::File(file) => open::read(&file, self.limit_for(&input_file.path)).await,
            Content::Uploaded(content) => content.read(self.limit_for(&input_file.path)).await,
        };
        match bytes {
            Ok(bytes) => {
                self.parse_and_assemble(FileToParse {
                    path: input_file.path,
                    name: None,
                    bytes,
                    kind: None,
                    charset: None,
                    address: None,
                    depth: 0,
                    owner,
                })
                .await
            }
            Err(refusal) => single(Err(refusal.at(input_file.path))),
        }
    }

    /// Size limit by name, which alone is known before the file is opened.
    fn limit_for(&self, path: &str) -> (u64, &'static str) {
        let read = &self.config.read;
        match sniff::extension(path).as_str() {
            "zip" | "mbox" | "mbx" => (read.max_container_bytes, "fetch.read.max_container_bytes"),
            _ => (read.max_file_bytes, "fetch.read.max_file_bytes"),
        }
    }

    fn parse_and_assemble(self, file: FileToParse) -> BoxFuture<'static, BoxStream<'static, Item>> {
        async move {
            match self.parse(&file).await {
                Ok((kind, outline, body)) => self.assemble(file, kind, outline, body),
                Err(refusal) => single(Err(refusal.at(file.path))),
            }
        }
        .boxed()
    }

    async fn parse(&self, file: &FileToParse) -> Result<(FileKind, wire::Outline, Bytes), Refusal> {
        let kind = match file.kind {
            Some(kind) if !file.bytes.is_empty() => kind,
            _ => sniff::sniff(file.name.as_deref().unwrap_or(&file.path), &file.bytes, &self.config.read)?,
        };
        check_size(kind, file, &self.config)?;
        let FileToParse { owner, charset, address, bytes, .. } = file;
        let job = ParseJob { owner: *owner, kind, charset: charset.clone(), address: address.clone(), bytes: bytes.clone() };
        let (outline, body) = self.pool.parse(job).await?;
        Ok((kind, outline, body))
    }

    /// The document itself, then its parts in order, each parsed on demand.
    fn assemble(self, file: FileToParse, kind: FileKind, outline: wire::Outline, body: Bytes) -> BoxStream<'static, Item> {
        let document = outline.document.map(|document| {
            let (path, bytes) = (file.path.clone(), file.bytes.clone());
            async move { finish(path, kind, bytes, document).await }
        });
        let document = stream::iter(document).then(|document| document);
        let refused: Vec<Item> =
            outline.refused.into_iter().map(|(end, refusal)| Err(refusal.at(format!("{}{end}", file.path)))).collect();
        let mut from = 0;
        let mut parts = Vec::with_capacity(outline.parts.len());
        for part in outline.parts {
            let to = body.len().min(from + part.size_bytes as usize);
            parts.push(FileToParse {
                path: format!("{}{}", file.path, part.suffix),
                name: None,
                bytes: body.slice(from..to),
                kind: part.kind,
                charset: part.charset,
                address: None,
                depth: file.depth + 1,
                owner: file.owner,
            });
            from = to;
        }
        let ahead = self.config.read.parallel_files.max(1);
        let parts = stream::iter(parts).map(move |part| self.clone().parse_and_assemble(part)).buffered(ahead).flatten();
        document.chain(parts).chain(stream::iter(refused)).boxed()
    }
}

fn check_size(kind: FileKind, file: &FileToParse, config: &FetchConfig) -> Result<(), Refusal> {
    let (read, max_text) = (&config.read, config.parse.max_text_bytes as u64);
    let size = file.bytes.len() as u64;
    if matches!(kind, FileKind::PlainText | FileKind::Markdown) && size > max_text {
        return Err(Refusal::too_large(size, max_text, "fetch.parse.max_text_bytes"));
    }
    if !kind.is_container() && size > read.max_file_bytes {
        return Err(Refusal::too_large(size, read.max_file_bytes, "fetch.read.max_file_bytes"));
    }
    let nests = kind.is_container() || kind == FileKind::Message;
    if nests && file.depth > read.max_container_depth {
        let message = format!(
            "It is nested in {} archives or messages and the limit is {}; unpack it, or raise `fetch.read.max_container_depth`.",
            file.depth, read.max_container_depth
        );
        return Err(Refusal::new(RejectReason::TooDeep, message));
    }
    Ok(())
}

/// Adds hash, language and a default title.
async fn finish(path: String, kind: FileKind, bytes: Bytes, document: ParsedDocument) -> Item {
    let failed = path.clone();
    let task = blocking(move || {
        let name = path.rsplit(['/', '!']).next().unwrap_or(&path).to_owned();
        let document = FetchedDocument {
            sha256: crate::sha256_hex(&bytes),
            size_bytes: bytes.len() as u64,
            media_type: kind.media_type().to_owned(),
            language: language::detect_language(&document.text, document.language.as_deref()),
            title: document.title.unwrap_or(name),
            text: document.text,
            extractor: document.extractor,
            byline: document.byline,
            outlet: document.outlet,
            published: document.published,
            updated: document.updated,
            canonical: document.canonical,
            links: document.links,
            tables: document.tables,
            feeds: document.feeds,
            feed: document.feed,
            path,
        };
        DocumentWithBytes { document, bytes }
    });
    task.await.map_err(|refusal| refusal.at(failed))
}

/// Runs a long computation on the blocking thread pool.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "parser task failed");
        Refusal::new(RejectReason::Crashed, "Parsing failed; see the log.")
    })
}

fn single(item: Item) -> BoxStream<'static, Item> {
    stream::iter([item]).boxed()
}
