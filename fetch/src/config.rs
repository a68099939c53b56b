//! Every limit of Fetch, with its default.

mod check;

pub use crate::{
    browser::BrowserConfig, cache::CacheConfig, http::HttpConfig, pace::PaceConfig, robots::RobotsConfig,
    sources::SourcesConfig,
};

use crate::guard::Exception;
use serde::{Deserialize, Serialize};

const MIB: u64 = 1024 * 1024;

/// The `fetch` part of the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FetchConfig {
    /// Where `autosint module fetch` listens that is used instead of this process; none: this process fetches.
    pub url: Option<String>,
    /// Patience with that service, for one request with its answer.
    pub url_timeout_ms: u64,
    /// Who runs this: an address of mail or of a page, told to every server that is asked. Some sources want it.
    pub contact: String,
    pub http: HttpConfig,
    pub pace: PaceConfig,
    pub robots: RobotsConfig,
    pub cache: CacheConfig,
    pub browser: BrowserConfig,
    pub sources: SourcesConfig,
    pub read: ReadConfig,
    pub parse: ParseConfig,
    pub pool: PoolConfig,
}

impl Default for FetchConfig {
    fn default() -> Self {
        Self {
            url: None,
            url_timeout_ms: 240_000,
            contact: String::new(),
            http: HttpConfig::default(),
            pace: PaceConfig::default(),
            robots: RobotsConfig::default(),
            cache: CacheConfig::default(),
            browser: BrowserConfig::default(),
            sources: SourcesConfig::default(),
            read: ReadConfig::default(),
            parse: ParseConfig::default(),
            pool: PoolConfig::default(),
        }
    }
}

impl FetchConfig {
    /// The rules, with an exception for each service of one's own that is configured as a source: for that source alone.
    pub(crate) fn http_of_sources(&self) -> HttpConfig {
        let mut http = self.http.clone();
        for (source, address) in &self.sources.addresses {
            let url = url::Url::parse(address).ok();
            if let Some((host, port)) = url.as_ref().and_then(|url| Some((url.host_str()?, url.port_or_known_default()?))) {
                http.exceptions.push(Exception {
                    source: source.clone(),
                    host: host.trim_matches(['[', ']']).to_owned(),
                    port,
                });
            }
        }
        http
    }
}

/// Limits on what is read from folders, files and uploads.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadConfig {
    /// A larger file is reported and not opened.
    pub max_file_bytes: u64,
    /// The same for archives and mailboxes, which hold many documents.
    pub max_container_bytes: u64,
    /// Files of one reading, archives counted as one.
    pub max_files: usize,
    pub max_folder_depth: usize,
    /// Archives inside archives, messages inside messages.
    pub max_container_depth: usize,
    /// Files that are prepared at once, ahead of the one that is yielded.
    pub parallel_files: usize,
    /// Endings of files that are text but no documents; they are reported as unsupported.
    pub unsupported_extensions: Vec<String>,
}

impl Default for ReadConfig {
    fn default() -> Self {
        let code = "js mjs css json jsonl map svg xml xsl yaml yml toml ini cfg lock sh bat py rs c h cpp java sql";
        Self {
            max_file_bytes: 64 * MIB,
            max_container_bytes: 256 * MIB,
            max_files: 100_000,
            max_folder_depth: 64,
            max_container_depth: 4,
            parallel_files: 4,
            unsupported_extensions: code.split(' ').map(str::to_owned).collect(),
        }
    }
}

/// Limits on parsing one file. Sent to the child with each request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ParseConfig {
    pub max_text_bytes: usize,
    /// HTML elements open inside one another.
    pub max_html_depth: usize,
    pub max_html_elements: usize,
    /// Attributes of one element.
    pub max_html_attributes: usize,
    /// When the main content found is shorter than this, in characters, the whole page is taken if it says more.
    pub min_article_chars: usize,
    pub max_links: usize,
    /// Tables of one document, and cells of one table; what is over stays in the text only.
    pub max_tables: usize,
    pub max_table_cells: usize,
    /// Items of one feed; older ones, which come last, are left out.
    pub max_feed_items: usize,
    pub max_pdf_pages: usize,
    pub max_zip_entries: usize,
    pub max_zip_total_bytes: u64,
    pub max_zip_member_bytes: u64,
    /// Unpacked bytes per packed byte, of one member and of the whole archive.
    pub max_zip_ratio: u64,
    pub max_mailbox_messages: usize,
    pub max_attachments: usize,
}

impl Default for ParseConfig {
    fn default() -> Self {
        Self {
            max_text_bytes: 16 * MIB as usize,
            max_html_depth: 1_000,
            max_html_elements: 300_000,
            max_html_attributes: 500,
            min_article_chars: 250,
            max_links: 200,
            max_tables: 50,
            max_table_cells: 5_000,
            max_feed_items: 1_000,
            max_pdf_pages: 5_000,
            max_zip_entries: 20_000,
            max_zip_total_bytes: 512 * MIB,
            max_zip_member_bytes: 64 * MIB,
            max_zip_ratio: 200,
            max_mailbox_messages: 50_000,
            max_attachments: 200,
        }
    }
}

/// The pool of parser children.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PoolConfig {
    pub children: usize,
    /// Address space of one child.
    pub max_memory_bytes: u64,
    /// Stack of the thread that parses.
    pub stack_bytes: u64,
    /// After this time the child is killed and its file reported.
    pub parse_timeout_ms: u64,
    /// A child is replaced after this many files, so that what a parser leaks stays small.
    pub max_files_per_child: usize,
}

impl Default for PoolConfig {
    fn default() -> Self {
        Self {
            children: 2,
            max_memory_bytes: 2_048 * MIB,
            stack_bytes: 64 * MIB,
            parse_timeout_ms: 20_000,
            max_files_per_child: 1_000,
        }
    }
}
