//! Fetch from outside: files in, documents and rejections out, through real child processes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod archive;
mod browser;
mod corpora;
mod feeds;
mod files;
mod hostile;
mod mail;
mod page;
mod pdf;
mod prelude;
mod sources;
mod support;
mod web;
