//! Output of commands: results on standard output, messages on standard error.
//!
//! Invariant: no other module writes to either. A closed pipe (`| head`) does not stop work; the output is dropped.

use super::{Exit, Failure};
use std::io::{ErrorKind, Write, stderr, stdout};

/// Writes a message to standard error.
pub(super) fn write_status(text: &str) {
    // A closed standard error is ignored.
    let _ = writeln!(stderr().lock(), "{text}");
}

/// Writes a result to standard output.
pub(super) fn write_result(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Io, format!("cannot write the result: {error}")))
        }
        _ => Ok(()),
    }
}

/// Folds white space and removes control characters, for a column of a list.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().filter(|c| !c.is_control()).collect()
}

/// Formats JSON with a final newline.
pub(super) fn to_json(value: &impl serde::Serialize) -> Result<String, Failure> {
    let json = serde_json::to_string_pretty(value).map_err(|error| Failure::new(Exit::Defect, error))?;
    Ok(json + "\n")
}
