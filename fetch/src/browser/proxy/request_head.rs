//! Head of a proxy request: parsed within limits and rewritten for the server.

use std::io;
use tokio::{io::AsyncReadExt, net::TcpStream};
use url::Url;

/// Limit on the head; Chromium's are shorter.
const MAX_HEAD_BYTES: usize = 256 * 1024;
const HEAD_END: &[u8] = b"\r\n\r\n";
/// Hop-by-hop headers, which are not forwarded.
const HOP_BY_HOP: [&str; 8] =
    ["connection", "host", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer", "upgrade"];

/// Request line and headers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RequestHead {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
}

/// Kind of proxy request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// `CONNECT`: a tunnel to a host.
    Tunnel(Url),
    /// Plain HTTP request.
    Request(Url),
}

/// Reads a head and the bytes that follow it; `None` if the connection closed before one.
pub(super) async fn read(client: &mut TcpStream) -> io::Result<Option<(RequestHead, Vec<u8>)>> {
    let mut bytes = Vec::with_capacity(4_096);
    loop {
        let before = bytes.len().saturating_sub(HEAD_END.len());
        if client.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
        if let Some(at) = bytes[before..].windows(HEAD_END.len()).position(|window| window == HEAD_END) {
            let rest = bytes.split_off(before + at + HEAD_END.len());
            return RequestHead::parse(&bytes).map(|head| Some((head, rest))).ok_or_else(|| invalid("not an HTTP request"));
        }
        if bytes.len() > MAX_HEAD_BYTES {
            return Err(invalid("the request is too long"));
        }
    }
}

fn invalid(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

impl RequestHead {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        let mut lines = text.trim_end_matches("\r\n").split("\r\n");
        let mut first = lines.next()?.split(' ');
        let (method, target, version) = (first.next()?, first.next()?, first.next()?);
        if first.next().is_some() || !version.starts_with("HTTP/1.") || !method.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':')?;
            let is_clean = !name.is_empty() && !line.contains(['\r', '\n', '\0']) && !name.contains(char::is_whitespace);
            is_clean.then(|| (name.to_owned(), value.trim().to_owned()))
        });
        Some(Self { method: method.to_owned(), target: target.to_owned(), headers: headers.collect::<Option<_>>()? })
    }

    pub fn is_connect(&self) -> bool {
        self.method == "CONNECT"
    }

    /// The head as sent to the server: one request per connection.
    pub fn forwarded(&self, url: &Url) -> Vec<u8> {
        let mut path = url.path().to_owned();
        if let Some(query) = url.query() {
            path = format!("{path}?{query}");
        }
        let host = url.host_str().unwrap_or_default();
        let host = url.port().map_or(host.to_owned(), |port| format!("{host}:{port}"));
        let mut head = format!("{} {path} HTTP/1.1\r\nHost: {host}\r\n", self.method);
        for (name, value) in self.headers.iter().filter(|(name, _)| !HOP_BY_HOP.contains(&name.to_ascii_lowercase().as_str())) {
            head += &format!("{name}: {value}\r\n");
        }
        head += "Connection: close\r\n\r\n";
        head.chars().map(|c| c as u8).collect()
    }
}

impl Target {
    /// Target of a request, parsed as browsers do; `None` if it names no web host.
    pub fn from_head(head: &RequestHead) -> Option<Self> {
        match head.is_connect() {
            true => {
                let url = Url::parse(&format!("https://{}/", head.target)).ok()?;
                let is_bare = url.path() == "/" && url.query().is_none() && url.username().is_empty();
                (is_bare && url.host_str().is_some()).then_some(Self::Tunnel(url))
            }
            false => {
                let url = Url::parse(&head.target).ok()?;
                (url.scheme() == "http" && url.host_str().is_some()).then_some(Self::Request(url))
            }
        }
    }

    pub fn url(&self) -> &Url {
        match self {
            Self::Tunnel(url) | Self::Request(url) => url,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Option<RequestHead> {
        RequestHead::parse(text.as_bytes())
    }

    #[test]
    fn a_request_is_forwarded_without_hop_by_hop_headers() {
        let head = head(
            "GET http://a.test:81/p?q=1#f HTTP/1.1\r\nHost: evil\r\nProxy-Connection: keep-alive\r\nUpgrade: h2c\r\nX-A: b\u{e9}\r\n\r\n",
        )
        .unwrap();
        let Some(Target::Request(url)) = Target::from_head(&head) else { panic!("{head:?}") };
        let mut wanted = b"GET /p?q=1 HTTP/1.1\r\nHost: a.test:81\r\nX-A: b".to_vec();
        wanted.extend([0xc3, 0xa9]);
        wanted.extend(b"\r\nConnection: close\r\n\r\n");
        assert_eq!(String::from_utf8_lossy(&head.forwarded(&url)), String::from_utf8_lossy(&wanted));
    }

    #[test]
    fn every_notation_of_a_host_becomes_one() {
        for (asked, host) in [
            ("CONNECT 0x7f.1:443 HTTP/1.1\r\n\r\n", "127.0.0.1"),
            ("CONNECT [::ffff:127.0.0.1]:443 HTTP/1.1\r\n\r\n", "[::ffff:7f00:1]"),
            ("GET http://2130706433/ HTTP/1.1\r\n\r\n", "127.0.0.1"),
        ] {
            let target = Target::from_head(&head(asked).unwrap()).unwrap();
            assert_eq!(target.url().host_str(), Some(host));
        }
    }

    #[test]
    fn invalid_requests_are_rejected() {
        for text in [
            "get http://a/ HTTP/1.1\r\n\r\n",
            "GET http://a/ HTTP/2\r\n\r\n",
            "GET http://a/ x HTTP/1.1\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nno header\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nA : b\r\n\r\n",
        ] {
            assert_eq!(head(text), None, "{text}");
        }
        for text in [
            "GET /p HTTP/1.1\r\n\r\n",
            "GET ftp://a/ HTTP/1.1\r\n\r\n",
            "CONNECT u@a:1 HTTP/1.1\r\n\r\n",
            "CONNECT a/b HTTP/1.1\r\n\r\n",
        ] {
            assert_eq!(Target::from_head(&head(text).unwrap()), None, "{text}");
        }
    }
}
