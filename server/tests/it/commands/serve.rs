//! Tests of `autosint serve`: several processes, and shutdown.

use super::{add_user, autosint, run, signal};
use crate::prelude::*;
use std::{
    io::Write,
    net::{TcpListener, TcpStream},
};

/// Running server. Dropping it stops it.
pub(super) struct Server(Child);

impl Server {
    fn start(command: &mut Command) -> Self {
        Self(command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap())
    }

    /// Returns the id of the process.
    pub(super) fn id(&self) -> u32 {
        self.0.id()
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

/// Starts a server with one analyst; returns their signed-in browser.
pub(super) async fn serve_with_account(folder: &Path) -> (Server, Browser) {
    add_user(autosint(folder), "ada", "analyst");
    let (server, address) = serve(folder);
    let mut browser = Browser::new(address.parse().unwrap());
    let signed_in = browser.post("/sign-in", &[("username", "ada"), ("password", PASSWORD)]).await;
    assert_eq!(signed_in.location(), "/");
    (server, browser)
}

/// Returns another browser at the same server, signed in by name.
pub(super) async fn sign_in(browser: &Browser, name: &str) -> Browser {
    let mut other = browser.stranger();
    assert_eq!(other.post("/sign-in", &[("username", name), ("password", PASSWORD)]).await.location(), "/");
    other
}

#[test]
fn a_port_in_use_is_reported() {
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
fn passwords_cross_a_network_in_clear_text_only_if_configured() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |settings: &[(&str, &str)]| {
        let mut command = autosint(folder.path());
        // Where nothing else refuses it, an address of another machine does.
        run(command.args(["serve", "--listen", "192.0.2.1:3000"]).envs(settings.iter().copied()), "")
    };
    let refused = serve(&[]);
    assert_eq!(refused.code, Some(78));
    let advice = "name the proxy that ends TLS in server.trusted_proxies, or set server.plain_http = true";
    assert!(refused.stderr.contains(advice) && refused.stderr.lines().count() == 1, "{}", refused.stderr);
    assert_eq!(serve(&[("AUTOSINT__SERVER__PLAIN_HTTP", "true")]).code, Some(69));
    assert_eq!(serve(&[("AUTOSINT__SERVER__TRUSTED_PROXIES", "[\"10.0.0.7\"]")]).code, Some(69));
    let doctor = |listen: &str| {
        let mut command = autosint(folder.path());
        run(command.arg("doctor").env("AUTOSINT__SERVER__LISTEN", listen), "").stdout
    };
    assert!(doctor("0.0.0.0:3000").contains("BAD web address     server.listen is 0.0.0.0:3000"));
    assert!(doctor("127.0.0.1:3000").contains("ok  web address     127.0.0.1:3000, for this machine only"));
}

#[cfg(target_os = "linux")]
#[test]
fn stored_files_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).unwrap();
    drop(serve(folder.path()));
    for path in [vec![data.clone()], crate::app::files_below(&data)].concat() {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o077;
        assert_eq!(mode, 0, "{}: {mode:o}", path.display());
    }
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
fn a_stopping_server_starts_no_work_while_a_slow_request_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (mut server, address) = serve(folder.path());
    // A form that never ends.
    let mut slow = TcpStream::connect(&address).unwrap();
    let head = format!("POST /sign-in HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n");
    write!(
        slow,
        "{head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    BufReader::new(&slow).read_line(&mut answer).unwrap();
    assert!(answer.contains("100 Continue"), "the server waits for the form: {answer}");
    write!(slow, "username=").unwrap();
    let told = server.tell_to_stop();
    let lock = File::open(folder.path().join("data/autosint.lock")).unwrap();
    lock.lock().unwrap();
    assert!(told.elapsed() < Duration::from_secs(60));
    assert!(server.0.try_wait().unwrap().is_none(), "the work has ended while the visitor is still waited for");
    drop(slow);
    assert_eq!(server.code(), Some(0));
}

#[test]
fn a_server_stopped_during_its_start_stops() {
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

#[test]
fn the_address_of_the_first_account_is_printed_until_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let printed = || {
        let mut command = autosint(folder.path());
        let mut child =
            command.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let served = lines.find(|line| line.starts_with("autosint serves")).unwrap();
        let rest = std::thread::spawn(move || lines.collect::<Vec<_>>().join("\n"));
        let address = served.split(' ').nth(2).unwrap().to_owned();
        let mut stream = TcpStream::connect(address.trim_start_matches("http://")).unwrap();
        write!(stream, "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
        std::io::copy(&mut stream, &mut std::io::sink()).unwrap();
        signal(&child, "-TERM");
        let output = child.wait_with_output().unwrap();
        (address, String::from_utf8(output.stdout).unwrap(), rest.join().unwrap())
    };
    let (address, stdout, log) = printed();
    let opened = format!("create the first account: {address}/first-account?code=");
    let code = stdout.trim().strip_prefix(&opened).unwrap_or_else(|| panic!("{stdout}"));
    assert!(code.len() >= 20 && !log.contains(code), "{stdout} {log}");
    run(autosint(folder.path()).args(["user", "add", "ada", "--role", "admin", "--password-stdin"]), "correct horse battery");
    let (_, stdout, log) = printed();
    assert!(stdout.is_empty() && !log.contains("first-account"), "{stdout} {log}");
}
