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
        if self.is_full() {
            return;
        }
        if let Some(address) = absolute(self.base.as_ref(), address)
            && self.seen.insert(address.clone())
        {
            self.list.push(address);
        }
    }

    pub fn is_full(&self) -> bool {
        self.list.len() >= self.max
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

/// Addresses written out in plain text or Markdown, in time proportional to its length.
pub(crate) fn in_text(text: &str, max: usize) -> Vec<String> {
    scan(text, max, &mut |_| ())
}

/// The same; `on_read` is told how many bytes each pass over a part of the text reads.
fn scan(text: &str, max: usize, on_read: &mut impl FnMut(usize)) -> Vec<String> {
    let mut links = Links::new(None, max);
    let mut at = 0;
    while !links.is_full() {
        let Some(found) = text[at..].find("http") else {
            on_read(text.len() - at);
            break;
        };
        on_read(found + "http".len());
        let start = at + found;
        let rest = &text[start..];
        if !rest.starts_with("http://") && !rest.starts_with("https://") {
            at = start + "http".len();
            continue;
        }
        let end = rest.find(|c: char| c.is_whitespace() || c.is_control() || "<>\"`|{}\\^[]".contains(c)).unwrap_or(rest.len());
        on_read(end);
        // A longer one is no address, wherever its punctuation begins.
        if end <= MAX_ADDRESS_BYTES {
            links.add(without_punctuation(&rest[..end], on_read));
        }
        at = start + end;
    }
    links.into_list()
}

/// Address without trailing punctuation; a closing bracket stays if the address opens one.
fn without_punctuation<'a>(address: &'a str, on_read: &mut impl FnMut(usize)) -> &'a str {
    on_read(address.len());
    let mut unopened = address.matches(')').count().saturating_sub(address.matches('(').count());
    let mut address = address;
    while let Some(last) = address.chars().next_back() {
        on_read(last.len_utf8());
        match last {
            ')' if unopened > 0 => unopened -= 1,
            last if ".,;:!?'’”*_".contains(last) => {}
            _ => break,
        }
        address = &address[..address.len() - last.len_utf8()];
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_in_text_end_where_the_sentence_goes_on() {
        let text = "See https://a.example/x, (http://b.example/y_(z)). [Notice](https://c.example/p?q=1) <https://d.example> \
                    http and https: are none; nor http://. Again https://a.example/x#top!";
        let expected = ["https://a.example/x", "http://b.example/y_(z)", "https://c.example/p?q=1", "https://d.example/"];
        assert_eq!(in_text(text, 10), expected);
        assert_eq!(in_text(text, 2), expected[..2]);
    }

    #[test]
    fn brackets_are_kept_as_far_as_the_address_opens_them() {
        let table = [
            ("http://a.example/x))", "http://a.example/x"),
            ("http://a.example/(x))", "http://a.example/(x)"),
            ("http://a.example/((x).).", "http://a.example/((x).)"),
            ("http://a.example/x).)", "http://a.example/x"),
            ("http://a.example/x(", "http://a.example/x("),
        ];
        for (text, expected) in table {
            assert_eq!(in_text(text, 10), [expected], "{text}");
        }
        let long = format!("http://a{} http://b.example/", ")".repeat(200_000));
        assert_eq!(in_text(&long, 10), ["http://b.example/"]);
    }

    /// Bytes read of a text, over all passes.
    fn count_work(text: &str) -> usize {
        let mut read = 0;
        scan(text, usize::MAX, &mut |bytes| read += bytes);
        read
    }

    proptest! {
        #[test]
        fn a_text_of_twice_the_length_takes_at_most_two_and_a_half_times_the_work(
            parts in prop::collection::vec(prop::sample::select(vec!["http", "http://a", "https://", ")", "(", ")).", "x", " ", "’"]), 1..12),
            times in 50..2_000_usize,
        ) {
            let text = parts.concat().repeat(times);
            let (once, twice) = (count_work(&text), count_work(&text.repeat(2)));
            prop_assert!(twice * 2 <= once * 5, "{once} bytes read, then {twice}: {parts:?}");
            prop_assert!(once <= text.len() * 5, "{once} bytes read of {}", text.len());
        }
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
