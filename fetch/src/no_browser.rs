//! Stand-in for the browser in builds without the feature `browser`: every request is refused.

#[path = "browser/config.rs"]
mod config;

pub use config::BrowserConfig;

use crate::web::Web;
use bytes::Bytes;
use domain::fetch::{BrowseCommand, BrowseRequest, BrowsedPage, FetchError, FetchFailure};
use std::path::PathBuf;

/// Rendered page with the bytes of its documents, in the same order.
#[derive(Debug, Clone)]
pub struct BrowserPage {
    pub page: BrowsedPage,
    pub bytes: Vec<Bytes>,
}

/// Pages to print.
#[derive(Debug, Clone)]
pub struct PrintRequest {
    pub title: String,
    pub date: String,
    pub footer: String,
    pub style: String,
    pub body: String,
}

/// Reason why no browser is running.
#[derive(Debug, thiserror::Error)]
#[error("this build has no browser (feature `browser` of the crate `server`)")]
pub struct LaunchError;

pub const fn find_browser(_: &BrowserConfig) -> Result<PathBuf, LaunchError> {
    Err(LaunchError)
}

pub const fn browser_lacks_sandbox() -> bool {
    false
}

pub(crate) fn impossible(why: &str) -> FetchError {
    FetchError::new(FetchFailure::NotPossible, format!("This is not possible on the page: {why}."))
}

fn refusal() -> FetchError {
    FetchError::new(FetchFailure::Unavailable, unavailable())
}

fn unavailable() -> String {
    format!("Pages cannot be rendered: {LaunchError}.")
}

/// Browser that refuses every request.
#[derive(Debug, Clone)]
pub struct Browser;

impl Browser {
    pub fn new(_: BrowserConfig, _: &str, _: Web, _: PathBuf) -> Self {
        Self
    }

    pub fn unavailable(&self) -> Option<String> {
        Some(unavailable())
    }

    pub async fn render(&self, _: &BrowseRequest) -> Result<BrowserPage, FetchError> {
        Err(refusal())
    }

    pub async fn print(&self, _: &PrintRequest) -> Result<Vec<u8>, FetchError> {
        Err(refusal())
    }

    pub async fn open(&self, _: &str, _: &str, _: &[String]) -> Result<(String, BrowserPage), FetchError> {
        Err(refusal())
    }

    pub async fn step(&self, _: &str, _: &str, _: &BrowseCommand) -> Result<BrowserPage, FetchError> {
        Err(refusal())
    }

    pub async fn close(&self, _: &str, _: &str) -> Result<(), FetchError> {
        Err(refusal())
    }

    pub async fn close_all(&self, _: &str) {}

    pub(crate) const fn has_session(&self, _: &str, _: &str) -> bool {
        false
    }

    pub async fn stop(&self) {}
}
