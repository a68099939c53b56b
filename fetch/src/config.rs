//! Settings of Fetch, with their defaults.

mod check;

pub use crate::{
    browser::BrowserConfig, cache::CacheConfig, http::HttpConfig, rate_limit::RateLimitConfig, robots::RobotsConfig,
    sources::SourcesConfig,
};

use crate::guard::Exception;
use serde::{Deserialize, Serialize};

const MIB: u64 = 1024 * 1024;

domain::settings! {
    /// The `fetch` part of the configuration.
    #[derive(Debug, Clone, Deserialize)]
    pub struct FetchConfig {
        /// Address of an `autosint module fetch` to use instead of this process; `None`: this process fetches.
        pub url: Option<String> = None,
        /// Whether that address may be plain HTTP beyond loopback, where others can read token and keys.
        pub url_plain_http: bool = false,
        /// Timeout of one request to that service.
        pub url_timeout_ms: u64 = 240_000,
        /// E-mail address or web page of the operator, sent in the `User-Agent`. Some sources require it.
        pub contact: String = String::new(),
        pub http: HttpConfig = HttpConfig::default(),
        pub rate_limit: RateLimitConfig = RateLimitConfig::default(),
        pub robots: RobotsConfig = RobotsConfig::default(),
        pub cache: CacheConfig = CacheConfig::default(),
        pub browser: BrowserConfig = BrowserConfig::default(),
        pub sources: SourcesConfig = SourcesConfig::default(),
        pub read: ReadConfig = ReadConfig::default(),
        pub parse: ParseConfig = ParseConfig::default(),
        pub pool: PoolConfig = PoolConfig::default(),
    }
}

impl FetchConfig {
    /// The HTTP settings plus an exception for each self-hosted source, valid for that source only.
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

domain::settings! {
    /// Limits on reading folders, files and uploads.
    #[derive(Debug, Clone, Deserialize)]
    pub struct ReadConfig {
        /// Files above this size are rejected unopened.
        pub max_file_bytes: u64 = 64 * MIB,
        /// The same for archives and mailboxes.
        pub max_container_bytes: u64 = 256 * MIB,
        /// Files per import; an archive counts as one.
        pub max_files: usize = 100_000,
        pub max_folder_depth: usize = 64,
        /// Nesting of archives and messages.
        pub max_container_depth: usize = 4,
        /// Files prepared in parallel.
        pub parallel_files: usize = 4,
        /// Extensions of text files that are no documents; they are rejected as unsupported.
        pub unsupported_extensions: Vec<String> =
            "js mjs css json jsonl map svg xml xsl yaml yml toml ini cfg lock sh bat py rs c h cpp java sql"
                .split(' ')
                .map(str::to_owned)
                .collect(),
    }

    /// Limits on parsing one file. Sent to the child with each request.
    #[derive(Debug, Clone, Serialize, Deserialize)]
    pub struct ParseConfig {
        pub max_text_bytes: usize = 16 * MIB as usize,
        /// Nesting of HTML elements.
        pub max_html_depth: usize = 1_000,
        pub max_html_elements: usize = 300_000,
        /// Attributes per element.
        pub max_html_attributes: usize = 500,
        /// Length of main content, in characters, below which the whole page is used if it has more.
        pub min_article_chars: usize = 250,
        pub max_links: usize = 200,
        /// Tables per document and cells per table; the rest stays in the text only.
        pub max_tables: usize = 50,
        pub max_table_cells: usize = 5_000,
        /// Items per feed; later (older) ones are dropped.
        pub max_feed_items: usize = 1_000,
        pub max_pdf_pages: usize = 5_000,
        pub max_zip_entries: usize = 20_000,
        pub max_zip_total_bytes: u64 = 512 * MIB,
        pub max_zip_member_bytes: u64 = 64 * MIB,
        /// Unpacked bytes per packed byte, per member and in total.
        pub max_zip_ratio: u64 = 200,
        pub max_mailbox_messages: usize = 50_000,
        pub max_attachments: usize = 200,
    }

    /// Settings of the pool of parser children.
    #[derive(Debug, Clone, Deserialize)]
    pub struct PoolConfig {
        pub children: usize = 2,
        /// Address space of one child.
        pub max_memory_bytes: u64 = 2_048 * MIB,
        /// Stack of the parser thread.
        pub stack_bytes: u64 = 64 * MIB,
        /// Time after which the child is killed and the file rejected.
        pub parse_timeout_ms: u64 = 20_000,
        /// Time that a file waits for a free child before it is rejected.
        pub wait_timeout_ms: u64 = 300_000,
        /// Files after which a child is replaced, so that leaks stay small.
        pub max_files_per_child: usize = 1_000,
    }
}
