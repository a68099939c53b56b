//! What commands write: results on standard output, words for whoever watches on standard error.
//!
//! Invariant: the only module that writes to either. A reader that has gone (`| head`) ends nothing: what is under way is
//! carried to its end, and what nobody reads is not written.

use super::{Exit, Failure};
use std::io::{ErrorKind, Write, stderr, stdout};

/// One line, or several, on standard error.
pub(super) fn say(text: &str) {
    // Where nobody listens there is nobody to tell.
    let _ = writeln!(stderr().lock(), "{text}");
}

/// A result on standard output.
pub(super) fn write_out(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Io, format!("cannot write the result: {error}")))
        }
        _ => Ok(()),
    }
}

/// JSON with a line end.
pub(super) fn to_json(value: &impl serde::Serialize) -> Result<String, Failure> {
    let json = serde_json::to_string_pretty(value).map_err(|error| Failure::new(Exit::Defect, error))?;
    Ok(json + "\n")
}
