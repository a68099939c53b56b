//! The `documents` source: folders, files, archives and uploads become a stream of documents and refusals.
//!
//! Invariant: the stream's order depends on paths alone, never on which file was ready first.

mod input;
mod open;

pub use input::Input;
pub(crate) use input::clean_name;

use crate::{
    config::{FetchConfig, ReadConfig},
    language,
    parse::Parsed,
    pool::ParserPool,
    refusal::Refusal,
    sniff::{self, Kind},
    text, wire,
};
use bytes::Bytes;
use domain::fetch::{FetchedDocument, RejectReason, Rejected};
use futures::{
    FutureExt, Stream, StreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use input::{Content, Listed};
use std::sync::Arc;

/// A document with its bytes as they were read.
#[derive(Debug, Clone)]
pub struct Fetched {
    pub document: FetchedDocument,
    pub bytes: Bytes,
}

/// Bytes that a server gave.
#[derive(Debug, Clone)]
pub struct Page {
    /// The address that gave them, after redirects.
    pub address: String,
    /// Without parameters, e.g. `text/html`.
    pub media_type: Option<String>,
    pub charset: Option<String>,
    pub bytes: Bytes,
}

/// What the stream yields.
type Item = Result<Fetched, Rejected>;

/// The source; a cheap handle.
#[derive(Debug, Clone)]
pub struct Documents {
    config: Arc<FetchConfig>,
    pool: ParserPool,
}

/// A file, or a part of one, whose bytes are at hand.
struct Piece {
    path: String,
    /// What it is judged by where its bytes do not tell; else the path.
    name: Option<String>,
    bytes: Bytes,
    kind: Option<Kind>,
    charset: Option<String>,
    /// Where a page was read: links are relative to it.
    address: Option<String>,
    depth: usize,
}

impl Documents {
    pub fn new(config: FetchConfig, pool: ParserPool) -> Self {
        Self { config: Arc::new(config), pool }
    }

    /// Reads everything, in the order of paths. A few files are prepared ahead; the rest waits on disk.
    pub fn read(&self, input: Input) -> impl Stream<Item = Item> + Send + use<> {
        let this = self.clone();
        let ahead = self.config.read.parallel_files.max(1);
        let listed = {
            let this = this.clone();
            async move { input::list(input, &this.config.read).await }
        };
        listed
            .map(stream::iter)
            .flatten_stream()
            .map(move |listed| {
                let this = this.clone();
                async move { this.read_listed(listed).await }
            })
            .buffered(ahead)
            .flatten()
    }

    /// Reads what was got from an address: `media_type` and `charset` are as the server stated them, and the bytes are
    /// believed before either. Links become absolute.
    pub fn read_page(&self, page: Page) -> impl Stream<Item = Item> + Send + use<> {
        let path = page.address.split(['?', '#']).next().unwrap_or_default();
        let name = page.media_type.as_deref().and_then(sniff::name_of_media_type).unwrap_or(path).to_owned();
        let piece = Piece {
            path: page.address.clone(),
            name: Some(name),
            address: Some(page.address),
            bytes: page.bytes,
            kind: None,
            charset: page.charset,
            depth: 0,
        };
        let this = self.clone();
        async move { this.read_piece(piece).await }.flatten_stream()
    }

    async fn read_listed(self, listed: Result<Listed, Rejected>) -> BoxStream<'static, Item> {
        let listed = match listed {
            Ok(listed) => listed,
            Err(rejected) => return one(Err(rejected)),
        };
        let bytes = match listed.content {
            Content::Bytes(bytes) => Ok(bytes),
            Content::File(file) => open::read(&file, self.limit_for(&listed.path)).await,
        };
        match bytes {
            Ok(bytes) => {
                self.read_piece(Piece {
                    path: listed.path,
                    name: None,
                    bytes,
                    kind: None,
                    charset: None,
                    address: None,
                    depth: 0,
                })
                .await
            }
            Err(refusal) => one(Err(refusal.at(listed.path))),
        }
    }

    /// Before the bytes are known, only the name can tell what may be larger.
    fn limit_for(&self, path: &str) -> (u64, &'static str) {
        let read = &self.config.read;
        match sniff::ending(path).as_str() {
            "zip" | "mbox" | "mbx" => (read.max_container_bytes, "fetch.read.max_container_bytes"),
            _ => (read.max_file_bytes, "fetch.read.max_file_bytes"),
        }
    }

    fn read_piece(self, piece: Piece) -> BoxFuture<'static, BoxStream<'static, Item>> {
        async move {
            match self.parse(&piece).await {
                Ok((kind, outline, body)) => self.assemble(piece, kind, outline, body),
                Err(refusal) => one(Err(refusal.at(piece.path))),
            }
        }
        .boxed()
    }

    async fn parse(&self, piece: &Piece) -> Result<(Kind, wire::Outline, Bytes), Refusal> {
        let read = &self.config.read;
        let kind = match piece.kind {
            Some(kind) if !piece.bytes.is_empty() => kind,
            _ => sniff::sniff(piece.name.as_deref().unwrap_or(&piece.path), &piece.bytes, read)?,
        };
        check_size(kind, piece, read)?;
        let (outline, body) = match kind {
            Kind::PlainText | Kind::Markdown => (self.parse_here(kind, piece).await?, Bytes::new()),
            _ => self.pool.parse(kind, piece.charset.clone(), piece.address.clone(), &piece.bytes).await?,
        };
        Ok((kind, outline, body))
    }

    /// Text needs no parser that a file could break, only time in proportion to its length.
    async fn parse_here(&self, kind: Kind, piece: &Piece) -> Result<wire::Outline, Refusal> {
        let limit = self.config.parse.max_text_bytes;
        if piece.bytes.len() > limit {
            return Err(Refusal::too_large(piece.bytes.len() as u64, limit as u64, "fetch.parse.max_text_bytes"));
        }
        let (bytes, charset, limits) = (piece.bytes.clone(), piece.charset.clone(), self.config.parse.clone());
        let parsed = blocking(move || text::parse(&bytes, charset.as_deref(), kind == Kind::Markdown, &limits)).await??;
        Ok(wire::Outline { own: Some(parsed), ..wire::Outline::default() })
    }

    /// The document itself, then its parts in order, each read when it is asked for.
    fn assemble(self, piece: Piece, kind: Kind, outline: wire::Outline, body: Bytes) -> BoxStream<'static, Item> {
        let own = outline.own.map(|own| {
            let (path, bytes) = (piece.path.clone(), piece.bytes.clone());
            async move { finish(path, kind, bytes, own).await }
        });
        let own = stream::iter(own).then(|own| own);
        let refused: Vec<Item> =
            outline.refused.into_iter().map(|(end, refusal)| Err(refusal.at(format!("{}{end}", piece.path)))).collect();
        let mut from = 0;
        let mut parts = Vec::with_capacity(outline.parts.len());
        for part in outline.parts {
            let to = body.len().min(from + part.size_bytes as usize);
            parts.push(Piece {
                path: format!("{}{}", piece.path, part.suffix),
                name: None,
                bytes: body.slice(from..to),
                kind: part.kind,
                charset: part.charset,
                address: None,
                depth: piece.depth + 1,
            });
            from = to;
        }
        let ahead = self.config.read.parallel_files.max(1);
        let parts = stream::iter(parts).map(move |part| self.clone().read_piece(part)).buffered(ahead).flatten();
        own.chain(parts).chain(stream::iter(refused)).boxed()
    }
}

fn check_size(kind: Kind, piece: &Piece, read: &ReadConfig) -> Result<(), Refusal> {
    let size = piece.bytes.len() as u64;
    if !kind.is_container() && size > read.max_file_bytes {
        return Err(Refusal::too_large(size, read.max_file_bytes, "fetch.read.max_file_bytes"));
    }
    let nests = kind.is_container() || kind == Kind::Message;
    if nests && piece.depth > read.max_container_depth {
        let message = format!(
            "It lies {} archives or messages deep and the limit is {}; unpack it, or raise `fetch.read.max_container_depth`.",
            piece.depth, read.max_container_depth
        );
        return Err(Refusal::new(RejectReason::TooDeep, message));
    }
    Ok(())
}

/// Hashes, recognises the language and gives a title to what has none.
async fn finish(path: String, kind: Kind, bytes: Bytes, own: Parsed) -> Item {
    let failed = path.clone();
    let made = blocking(move || {
        let name = path.rsplit(['/', '!']).next().unwrap_or(&path).to_owned();
        let document = FetchedDocument {
            sha256: crate::sha256_hex(&bytes),
            size_bytes: bytes.len() as u64,
            media_type: kind.media_type().to_owned(),
            language: language::recognise(&own.text, own.language.as_deref()),
            title: own.title.unwrap_or(name),
            text: own.text,
            extractor: own.extractor,
            byline: own.byline,
            outlet: own.outlet,
            published: own.published,
            updated: own.updated,
            canonical: own.canonical,
            links: own.links,
            tables: own.tables,
            feeds: own.feeds,
            feed: own.feed,
            path,
        };
        Fetched { document, bytes }
    });
    made.await.map_err(|refusal| refusal.at(failed))
}

/// Runs what computes for long away from the threads that serve.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "reading a text failed");
        Refusal::new(RejectReason::Crashed, "Reading it failed; see the log.")
    })
}

fn one(item: Item) -> BoxStream<'static, Item> {
    stream::iter([item]).boxed()
}
