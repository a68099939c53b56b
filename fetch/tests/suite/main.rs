//! Fetch from outside: files in, documents and refusals out, through real child processes.

mod archive;
mod corpora;
mod files;
mod hostile;
mod mail;
mod page;
mod pdf;
mod support;
