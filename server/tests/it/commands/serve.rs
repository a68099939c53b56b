//! `autosint serve`: beside others, and to its end.

use super::{autosint, run};
use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    path::Path,
    process::{Child, Stdio},
};

/// Starts a server and gives the address that it says.
fn serve(folder: &Path) -> (Child, String) {
    let mut command = autosint(folder);
    command.args(["serve", "--listen", "127.0.0.1:0"]).stderr(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stderr.as_mut().unwrap()).lines();
    let address = lines.map_while(Result::ok).find_map(|line| {
        let rest = line.strip_prefix("autosint serves http://")?;
        rest.split(' ').next().map(str::to_owned)
    });
    (child, address.expect("the server says where it serves"))
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
    let (mut server, address) = serve(folder.path());
    assert!(address.starts_with("127.0.0.1:"));
    let report = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire.";
    fs::write(folder.path().join("report.txt"), report).unwrap();
    let ended = run(autosint(folder.path()).args(["investigate", "Who was behind the fire?", "--documents", "report.txt"]), "");
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("another autosint works on this data directory, with its own configuration; following it"),
        "{}",
        ended.stderr
    );
}
