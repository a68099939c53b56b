//! Minimal test browser: HTTP/1.1, cookies, no redirects followed.

use crate::prelude::*;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

const PATIENCE: Duration = Duration::from_secs(300);
const BOUNDARY: &str = "----a-part-ends-here";

/// Browser with cookies.
pub struct Browser {
    address: SocketAddr,
    /// Session cookie.
    pub cookie: Option<String>,
    /// Cookies besides the session.
    pub cookies: BTreeMap<String, String>,
    /// Host header; default: the address.
    pub host: Option<String>,
    /// Headers of every request.
    pub headers: Vec<(&'static str, String)>,
}

/// Response.
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Browser {
    pub fn new(address: SocketAddr) -> Self {
        Self { address, cookie: None, cookies: BTreeMap::new(), host: None, headers: vec![] }
    }

    /// Returns a browser at the same server without cookies.
    pub fn stranger(&self) -> Self {
        Self::new(self.address)
    }

    pub async fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, "", b"").await
    }

    /// Posts a form like a page of this server.
    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = fields.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect::<Vec<_>>().join("&");
        self.send("POST", path, "application/x-www-form-urlencoded", body.as_bytes()).await
    }

    /// Creates the first account with the test password, and signs in. `printed`: what `serve` printed, with the set-up code.
    pub async fn make_first_account(&mut self, name: &str, printed: &str) {
        let code = printed.trim().rsplit("code=").next().unwrap();
        let account = [("username", name), ("password", PASSWORD), ("password_again", PASSWORD), ("code", code)];
        assert_eq!(self.post("/first-account", &account).await.location(), "/");
    }

    /// Posts a question with files.
    pub async fn ask(&mut self, question: &str, files: &[(&str, &str)]) -> Answer {
        self.ask_with(&[("question", question)], files).await
    }

    /// Posts the form for a new investigation.
    pub async fn ask_with(&mut self, fields: &[(&str, &str)], files: &[(&str, &str)]) -> Answer {
        let field = |(name, value): &(&str, &str)| {
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        // Tests ask short questions; those of the questions about them say so.
        let clear = if fields.iter().any(|(name, _)| *name == "clear") { vec![] } else { vec![("clear", "1")] };
        let mut body = fields.iter().chain(&clear).map(field).collect::<String>().into_bytes();
        body.extend(files.iter().flat_map(|(name, text)| file_part("files", name, text.as_bytes())));
        self.send_parts("/investigations", body).await
    }

    /// Asks about the documents of a folder on the server.
    pub async fn ask_about_folder(&mut self, question: &str, folder: &str) -> Answer {
        let fields = [("question", question), ("folder", folder)];
        let body = fields
            .map(|(name, value)| format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"));
        self.send_parts("/investigations", body.concat().into_bytes()).await
    }

    /// Posts one file.
    pub async fn upload(&mut self, path: &str, field: &str, name: &str, bytes: &[u8]) -> Answer {
        self.send_parts(path, file_part(field, name, bytes)).await
    }

    async fn send_parts(&mut self, path: &str, mut body: Vec<u8>) -> Answer {
        body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        self.send("POST", path, &format!("multipart/form-data; boundary={BOUNDARY}"), &body).await
    }

    async fn send(&mut self, method: &str, path: &str, media_type: &str, body: &[u8]) -> Answer {
        let content = match method {
            "GET" => String::new(),
            _ => format!("Content-Type: {media_type}\r\nContent-Length: {}\r\n", body.len()),
        };
        let head = self.head(method, path, &content);
        let answer = timeout(PATIENCE, exchange(self.address, head.as_bytes(), body)).await;
        let answer = answer.unwrap_or_else(|_| panic!("{method} {path} took longer than {PATIENCE:?}"));
        for (name, value) in answer.set_cookies() {
            match name.strip_prefix("__Host-").unwrap_or(name) {
                "autosint" => self.cookie = Some(format!("{name}={value}")),
                _ => {
                    self.cookies.insert(name.to_owned(), value.to_owned());
                }
            }
        }
        answer
    }

    fn head(&self, method: &str, path: &str, content: &str) -> String {
        let host = self.host.clone().unwrap_or_else(|| self.address.to_string());
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{content}");
        let others = self.cookies.iter().map(|(name, value)| format!("{name}={value}"));
        let cookies: Vec<String> = self.cookie.iter().cloned().chain(others).collect();
        if !cookies.is_empty() {
            head.push_str(&format!("Cookie: {}\r\n", cookies.join("; ")));
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head + "\r\n"
    }

    /// Opens a stream of events and waits for the first; the future returns the whole stream at its end.
    pub async fn follow(&self, path: &str) -> impl Future<Output = Answer> + use<> {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(self.head("GET", path, "").as_bytes()).await.unwrap();
        let mut bytes = vec![];
        while !bytes.windows(5).any(|window| window == b"data:") {
            assert!(stream.read_buf(&mut bytes).await.unwrap() > 0, "{}", String::from_utf8_lossy(&bytes));
        }
        async move {
            let _ = stream.read_to_end(&mut bytes).await;
            Answer::read(&bytes)
        }
    }
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("an answer has a head");
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let is_chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let body = if is_chunked { unchunk(&bytes[end + 4..]) } else { bytes[end + 4..].to_vec() };
        Self { status, headers, body }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns names and values of the cookies that are set.
    pub fn set_cookies(&self) -> impl Iterator<Item = (&str, &str)> {
        let lines = self.headers.iter().filter(|(name, _)| name == "set-cookie");
        lines.filter_map(|(_, line)| line.split(';').next()?.split_once('='))
    }

    /// Returns the attributes of a cookie that is set.
    pub fn cookie_attributes(&self, name: &str) -> Option<&str> {
        let mut lines = self.headers.iter().filter(|(header, _)| header == "set-cookie").map(|(_, line)| line.as_str());
        lines.find(|line| line.split('=').next() == Some(name))?.split_once("; ").map(|(_, attributes)| attributes)
    }

    /// Returns the target of a redirect; fails for other responses.
    pub fn location(&self) -> &str {
        assert_eq!(self.status, 303, "no redirect: {}", self.text());
        self.header("location").unwrap()
    }

    /// Returns the body without the marks that Leptos puts between nodes.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).replace("<!>", "").replace("<!--<() />-->", "")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Returns number and JSON of the events of a finished stream.
    pub fn events(&self) -> Vec<(u64, Value)> {
        let field = |block: &str, name: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.map(|line| line.trim().to_owned())
        };
        let text = self.text();
        let blocks = text.split("\n\n").filter(|block| block.contains("data:"));
        blocks
            .map(|block| {
                let data = field(block, "data").unwrap();
                (field(block, "id").unwrap().parse().unwrap(), serde_json::from_str(&data).unwrap())
            })
            .collect()
    }
}

/// Formats a file as a part of a form.
fn file_part(field: &str, name: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    );
    [head.as_bytes(), bytes, b"\r\n"].concat()
}

async fn exchange(address: SocketAddr, head: &[u8], body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(head).await.unwrap();
    // A server that refuses a body early closes before reading all of it.
    let _ = stream.write_all(body).await;
    let mut bytes = vec![];
    let _ = stream.read_to_end(&mut bytes).await;
    Answer::read(&bytes)
}

fn unchunk(mut rest: &[u8]) -> Vec<u8> {
    let mut body = vec![];
    while let Some(line) = rest.windows(2).position(|window| window == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..line]).unwrap(), 16).unwrap();
        let from = line + 2;
        if size == 0 || rest.len() < from + size {
            break;
        }
        body.extend_from_slice(&rest[from..from + size]);
        rest = &rest[(from + size + 2).min(rest.len())..];
    }
    body
}

fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
