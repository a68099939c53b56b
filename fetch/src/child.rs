//! Parser child: a process that parses what it receives, reaches nothing else, and can be killed at any moment.

mod confinement;

pub use confinement::Confinement;

use crate::{parse, refusal::Refusal, wire};
use bytes::Bytes;
use domain::fetch::RejectReason;
use std::{
    io::{self, stdin, stdout},
    process::ExitCode,
    sync::mpsc,
    thread,
    time::Duration,
};

/// Time by which a child outlives its parent's timeout, in case the parent is gone.
const GRACE_MS: u64 = 2_000;

/// Serves requests on stdin and replies on stdout until stdin closes. `autosint parse-child` does nothing else.
pub fn parse_child_main() -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn serve() -> io::Result<()> {
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let mut confined = None;
    while let Some((request, bytes)) = wire::read_frame::<wire::ParseRequest>(&mut input)? {
        let confinement = match confined {
            Some(confinement) => confinement,
            None => {
                limit_this_process(request.max_memory_bytes)?;
                let confinement = confinement::confine_this_thread();
                forbid_descriptors()?;
                confinement
            }
        };
        confined = Some(confinement);
        let (reply, parts) = answer(request, bytes, confinement)?;
        wire::write_frame(&mut output, &reply, &parts)?;
    }
    Ok(())
}

/// Parses on a thread with its own stack. A panic means a damaged file; exceeding the timeout ends the process.
fn answer(request: wire::ParseRequest, bytes: Bytes, confinement: Confinement) -> io::Result<(wire::ParseReply, Vec<Bytes>)> {
    let patience = Duration::from_millis(request.timeout_ms.saturating_add(GRACE_MS));
    let (send, receive) = mpsc::channel();
    thread::Builder::new().stack_size(request.stack_bytes as usize).spawn(move || {
        let outcome = parse::parse(&request, &bytes);
        let _ = send.send(outcome);
    })?;
    let outcome = match receive.recv_timeout(patience) {
        Ok(outcome) => outcome,
        Err(mpsc::RecvTimeoutError::Disconnected) => Err(Refusal::new(
            RejectReason::Broken,
            "The parser failed, so the file is probably damaged; get another copy of it.",
        )),
        Err(mpsc::RecvTimeoutError::Timeout) => return Err(io::ErrorKind::TimedOut.into()),
    };
    Ok(match outcome {
        Ok(found) => {
            let parts = found.parts.iter().map(|part| part.bytes.clone()).collect();
            (wire::ParseReply { confinement, outcome: Ok(found.outline()) }, parts)
        }
        Err(refusal) => (wire::ParseReply { confinement, outcome: Err(refusal) }, Vec::new()),
    })
}

/// Limits memory, and forbids core dumps and writing files. New processes are forbidden by the confinement: a limit on their
/// number would count the threads of the whole user.
#[cfg(unix)]
fn limit_this_process(max_memory_bytes: u64) -> io::Result<()> {
    use rlimit::Resource;
    rlimit::setrlimit(Resource::AS, max_memory_bytes, max_memory_bytes)?;
    rlimit::setrlimit(Resource::CORE, 0, 0)?;
    rlimit::setrlimit(Resource::FSIZE, 0, 0)
}

/// Forbids new descriptors. Landlock has needed one before.
#[cfg(unix)]
fn forbid_descriptors() -> io::Result<()> {
    rlimit::setrlimit(rlimit::Resource::NOFILE, 0, 0)
}

#[cfg(not(unix))]
fn limit_this_process(_: u64) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn forbid_descriptors() -> io::Result<()> {
    Ok(())
}
