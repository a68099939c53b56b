//! Links of a document: absolute web addresses with their words, without fragments or duplicates.

use domain::fetch::Link;
use std::collections::HashMap;
use url::Url;

/// Longest address that is kept.
const MAX_ADDRESS_BYTES: usize = 4_096;
/// Most characters of the words of a link that are kept.
const MAX_WORDS_CHARS: usize = 120;

/// Collector of links up to a limit.
#[derive(Debug, Default)]
pub(crate) struct Links {
    base: Option<Url>,
    max: usize,
    /// Places of addresses in the list.
    seen: HashMap<String, usize>,
    list: Vec<Link>,
}

impl Links {
    pub fn new(base: Option<Url>, max: usize) -> Self {
        Self { base, max, ..Self::default() }
    }

    /// Adds a link. A known address keeps its place and takes the words where it has none: a picture often carries the first link.
    pub fn add(&mut self, address: &str, words: &str) {
        if self.is_full() {
            return;
        }
        let Some(url) = absolute(self.base.as_ref(), address) else { return };
        let at = *self.seen.entry(url).or_insert_with_key(|url| {
            self.list.push(Link { url: url.clone(), words: String::new() });
            self.list.len() - 1
        });
        if self.list[at].words.is_empty() {
            self.list[at].words = on_one_line(words);
        }
    }

    pub fn is_full(&self) -> bool {
        self.list.len() >= self.max
    }

    pub fn into_list(self) -> Vec<Link> {
        self.list
    }
}

/// Returns the beginning of a text on one line.
fn on_one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_WORDS_CHARS).collect()
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
pub(crate) fn in_text(text: &str, max: usize) -> Vec<Link> {
    scan(text, max, &mut |_| ())
}

/// The same; `on_read` receives the number of bytes that each pass over a part of the text reads.
fn scan(text: &str, max: usize, on_read: &mut impl FnMut(usize)) -> Vec<Link> {
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
            links.add(without_punctuation(&rest[..end], on_read), "");
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

    fn addresses(text: &str, max: usize) -> Vec<String> {
        in_text(text, max).into_iter().map(|link| link.url).collect()
    }

    #[test]
    fn a_link_has_the_first_words_that_carry_it() {
        let mut links = Links::new(None, 3);
        links.add("https://a.example/x#1", " ");
        links.add("https://a.example/x", "The union\n answers");
        links.add("https://a.example/x#2", "More");
        links.add("https://a.example/y", &"word ".repeat(100));
        let list = links.into_list();
        assert_eq!(list[0], Link { url: "https://a.example/x".into(), words: "The union answers".into() });
        assert_eq!((list.len(), list[1].words.chars().count()), (2, MAX_WORDS_CHARS));
    }

    #[test]
    fn addresses_in_text_end_where_the_sentence_goes_on() {
        let text = "See https://a.example/x, (http://b.example/y_(z)). [Notice](https://c.example/p?q=1) <https://d.example> \
                    http and https: are none; nor http://. Again https://a.example/x#top!";
        let expected = ["https://a.example/x", "http://b.example/y_(z)", "https://c.example/p?q=1", "https://d.example/"];
        assert_eq!(addresses(text, 10), expected);
        assert_eq!(addresses(text, 2), expected[..2]);
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
            assert_eq!(addresses(text, 10), [expected], "{text}");
        }
        let long = format!("http://a{} http://b.example/", ")".repeat(200_000));
        assert_eq!(addresses(&long, 10), ["http://b.example/"]);
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
