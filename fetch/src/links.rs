//! Links in a text: absolute web addresses, without fragments or duplicates.

use std::collections::HashSet;
use url::Url;

/// Longest address that is kept.
const MAX_ADDRESS_BYTES: usize = 4_096;

/// Collector of links up to a limit.
#[derive(Debug, Default)]
pub(crate) struct Links {
    base: Option<Url>,
    max: usize,
    seen: HashSet<String>,
    list: Vec<String>,
}

impl Links {
    pub fn new(base: Option<Url>, max: usize) -> Self {
        Self { base, max, ..Self::default() }
    }

    pub fn add(&mut self, address: &str) {
        if self.list.len() >= self.max {
            return;
        }
        if let Some(address) = absolute(self.base.as_ref(), address)
            && self.seen.insert(address.clone())
        {
            self.list.push(address);
        }
    }

    pub fn into_list(self) -> Vec<String> {
        self.list
    }
}

/// Absolute web address; `None` for mail, scripts and anchors.
pub(crate) fn absolute(base: Option<&Url>, address: &str) -> Option<String> {
    let address = address.trim();
    if address.is_empty() || address.starts_with('#') || address.len() > MAX_ADDRESS_BYTES {
        return None;
    }
    let mut url = match base {
        Some(base) => base.join(address).ok()?,
        None => Url::parse(address).ok()?,
    };
    url.set_fragment(None);
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    is_web.then(|| url.into())
}

/// Addresses written out in plain text or Markdown.
pub(crate) fn in_text(text: &str, max: usize) -> Vec<String> {
    let mut links = Links::new(None, max);
    let mut at = 0;
    while let Some(found) = text[at..].find("http") {
        let start = at + found;
        let rest = &text[start..];
        if !rest.starts_with("http://") && !rest.starts_with("https://") {
            at = start + "http".len();
            continue;
        }
        let end = rest.find(|c: char| c.is_whitespace() || c.is_control() || "<>\"`|{}\\^[]".contains(c)).unwrap_or(rest.len());
        links.add(without_punctuation(&rest[..end]));
        at = start + end;
    }
    links.into_list()
}

/// Address without trailing punctuation; a closing bracket stays if the address opens one.
fn without_punctuation(address: &str) -> &str {
    let mut address = address;
    while let Some(last) = address.chars().next_back() {
        let is_closing = last == ')' && address.matches('(').count() < address.matches(')').count();
        if !is_closing && !".,;:!?'’”*_".contains(last) {
            break;
        }
        address = &address[..address.len() - last.len_utf8()];
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_text_end_where_the_sentence_goes_on() {
        let text = "See https://a.example/x, (http://b.example/y_(z)). [Notice](https://c.example/p?q=1) <https://d.example> \
                    http and https: are none; nor http://. Again https://a.example/x#top!";
        let expected = ["https://a.example/x", "http://b.example/y_(z)", "https://c.example/p?q=1", "https://d.example/"];
        assert_eq!(in_text(text, 10), expected);
        assert_eq!(in_text(text, 2), expected[..2]);
    }

    #[test]
    fn only_the_web_is_linked_to() {
        let base = Url::parse("https://a.example/news/today.html").ok();
        let table = [
            ("notice.html", Some("https://a.example/news/notice.html")),
            ("//b.example/x", Some("https://b.example/x")),
            ("../x?y=1#z", Some("https://a.example/x?y=1")),
            ("#top", None),
            ("mailto:a@b.example", None),
            ("javascript:void(0)", None),
            ("ftp://a.example/x", None),
            ("", None),
        ];
        for (address, expected) in table {
            assert_eq!(absolute(base.as_ref(), address).as_deref(), expected, "{address}");
        }
    }
}
