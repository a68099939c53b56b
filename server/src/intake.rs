//! Intake of a question: reads files for the library.

use crate::Program;
use domain::document::RejectedFile;
use engine::library::ExtractedFile;
use fetch::{DocumentWithBytes, Input};
use futures::{StreamExt, stream::BoxStream};

/// Reads files and archives, ready for the library.
pub fn read_files(program: &Program, input: Input) -> BoxStream<'static, Result<ExtractedFile, RejectedFile>> {
    let files = program.documents.read(input).map(|item| match item {
        Ok(DocumentWithBytes { document, bytes }) => Ok(ExtractedFile::new(document, bytes)),
        Err(rejected) => Err(RejectedFile { path: rejected.path, reason: rejected.message }),
    });
    files.boxed()
}
