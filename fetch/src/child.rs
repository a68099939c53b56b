//! The other side of the pool: a process that parses what it is given and can be killed at any moment.

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

/// How long a child outlives the time-out that its parent keeps, in case the parent is gone.
const GRACE_MS: u64 = 2_000;

/// Reads requests on stdin and answers on stdout until stdin closes. `autosint parse-child` is nothing but this.
pub fn parse_child_main() -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn serve() -> io::Result<()> {
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let mut limited = false;
    while let Some((request, bytes)) = wire::read_frame::<wire::Request>(&mut input)? {
        if !limited {
            limit_this_process(request.max_memory_bytes)?;
            limited = true;
        }
        let (reply, parts) = answer(request, bytes)?;
        wire::write_frame(&mut output, &reply, &parts)?;
    }
    Ok(())
}

/// Parses on a thread with a stack of its own. A panic is a damaged file; silence past the time-out ends the process.
fn answer(request: wire::Request, bytes: Bytes) -> io::Result<(wire::Reply, Vec<Bytes>)> {
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
            "Reading it failed inside the parser, so the file is probably damaged; get another copy of it.",
        )),
        Err(mpsc::RecvTimeoutError::Timeout) => return Err(io::ErrorKind::TimedOut.into()),
    };
    Ok(match outcome {
        Ok(found) => {
            let parts = found.parts.iter().map(|part| part.bytes.clone()).collect();
            (wire::Reply { outcome: Ok(found.outline()) }, parts)
        }
        Err(refusal) => (wire::Reply { outcome: Err(refusal) }, Vec::new()),
    })
}

/// Less memory than the machine has, no core dumps, no files written.
#[cfg(unix)]
fn limit_this_process(max_memory_bytes: u64) -> io::Result<()> {
    use rlimit::Resource;
    rlimit::setrlimit(Resource::AS, max_memory_bytes, max_memory_bytes)?;
    rlimit::setrlimit(Resource::CORE, 0, 0)?;
    rlimit::setrlimit(Resource::FSIZE, 0, 0)
}

#[cfg(not(unix))]
fn limit_this_process(_: u64) -> io::Result<()> {
    Ok(())
}
