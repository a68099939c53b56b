//! Tests of `autosint serve`: several processes, and shutdown.

use super::{autosint, run, signal};
use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// Running server. Dropping it stops it.
struct Server(Child);

impl Server {
    fn start(command: &mut Command) -> Self {
        Self(command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap())
    }

    fn tell_to_stop(&self) -> Instant {
        signal(&self.0, "-TERM");
        Instant::now()
    }

    /// Returns the exit status.
    fn code(mut self) -> Option<i32> {
        self.0.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server; returns its address.
fn serve(folder: &Path) -> (Server, String) {
    let mut command = autosint(folder);
    // No timeout: waits for the first request.
    command.args(["serve", "--listen", "127.0.0.1:0"]).env("AUTOSINT__SERVER__SHUTDOWN_MS", "60000");
    let mut server = Server::start(&mut command);
    let lines = BufReader::new(server.0.stderr.as_mut().unwrap()).lines();
    let address = lines.map_while(Result::ok).find_map(|line| {
        let rest = line.strip_prefix("autosint serves http://")?;
        rest.split(' ').next().map(str::to_owned)
    });
    (server, address.expect("the server says where it serves"))
}

#[test]
fn a_port_in_use_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ended = run(autosint(folder.path()).args(["serve", "--listen", &address]), "");
    assert_eq!(ended.code, Some(69));
    assert!(
        ended.stderr.contains("is in use on 127.0.0.1: stop what uses it, or choose another with --listen"),
        "{}",
        ended.stderr
    );
}

#[test]
fn an_investigation_beside_a_server_is_worked_on_by_it() {
    let folder = tempfile::tempdir().unwrap();
    let (server, address) = serve(folder.path());
    assert!(address.starts_with("127.0.0.1:"));
    let report = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire.";
    fs::write(folder.path().join("report.txt"), report).unwrap();
    let ended = run(autosint(folder.path()).args(["investigate", "Who was behind the fire?", "--documents", "report.txt"]), "");
    drop(server);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains("another autosint process works on this data directory, with its own configuration; following it"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_server_that_is_told_to_stop_works_on_nothing_while_it_waits_for_a_slow_visitor() {
    let folder = tempfile::tempdir().unwrap();
    let (mut server, address) = serve(folder.path());
    // A form that never ends.
    let mut slow = TcpStream::connect(&address).unwrap();
    let head = format!("POST /sign-in HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n");
    write!(slow, "{head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nusername=").unwrap();
    slow.flush().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let told = server.tell_to_stop();
    let lock = File::open(folder.path().join("data/autosint.lock")).unwrap();
    while lock.try_lock().is_err() {
        assert!(told.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(server.0.try_wait().unwrap().is_none(), "the work has ended while the visitor is still waited for");
    drop(slow);
    assert_eq!(server.code(), Some(0));
}

#[test]
fn a_server_that_is_told_to_stop_before_it_serves_stops() {
    let folder = tempfile::tempdir().unwrap();
    let sampling = ["serve", "--listen", "127.0.0.1:0", "--first-run-sample"];
    let mut server = Server::start(autosint(folder.path()).args(sampling));
    let mut lines = BufReader::new(server.0.stderr.take().unwrap()).lines().map_while(Result::ok);
    let mut begins = lines.by_ref().take_while(|line| !line.starts_with("autosint serves"));
    assert!(begins.any(|line| line.contains("first start: investigating the sample")), "it serves before it has the sample");
    let told = server.tell_to_stop();
    std::thread::spawn(move || lines.for_each(drop));
    assert_eq!(server.code(), Some(0), "stopped, not killed");
    assert!(told.elapsed() < Duration::from_secs(20), "{:?}", told.elapsed());
}
