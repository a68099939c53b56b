//! Outlets that a sentence names in its own words, also where only the host of their site is known.

use crate::text::words;

/// Parts at the end of a host that name no site: `bbc.co.uk`.
const SUFFIXES: [&str; 6] = ["co", "com", "org", "net", "gov", "ac"];
/// Least number of letters of the name of a site, and of a word that stands in it as a whole.
const MIN_LETTERS: usize = 3;
/// Greatest number of letters of the name of a site that is looked for.
const MAX_LETTERS: usize = 24;

/// Returns whether a text names an outlet: as it is, or in words that its host puts together, such as "New York Times" for
/// `nytimes.com`.
pub(super) fn is_named(text: &str, outlet: &str) -> bool {
    let outlet = outlet.to_lowercase();
    if text.to_lowercase().contains(&outlet) {
        return true;
    }
    let Some(site) = site_of(&outlet) else { return false };
    let words: Vec<&str> = words(text).collect();
    (0..words.len()).any(|from| is_made_of(site, &words[from..], false))
}

/// Returns the part of a host that names the site: `nytimes` of `www.nytimes.com`.
fn site_of(host: &str) -> Option<&str> {
    let site = host.rsplit('.').skip(1).find(|part| !SUFFIXES.contains(part))?;
    let is_host = !host.contains(char::is_whitespace);
    (is_host && (MIN_LETTERS..=MAX_LETTERS).contains(&site.len())).then_some(site)
}

/// Returns whether a name consists of the first words, each as a whole or with its first letter, and of one with a capital as a whole.
fn is_made_of(site: &str, words: &[&str], has_whole: bool) -> bool {
    let Some((word, rest)) = words.split_first() else { return false };
    let is_proper = word.starts_with(char::is_uppercase) && word.len() >= MIN_LETTERS;
    let lower = word.to_lowercase();
    let goes_on = |part: &str, has_whole: bool| match site.strip_prefix(part) {
        Some("") => has_whole,
        Some(left) => is_made_of(left, rest, has_whole),
        None => false,
    };
    let first = lower.chars().next().map_or(0, char::len_utf8);
    goes_on(&lower, has_whole || is_proper) || goes_on(&lower[..first], has_whole)
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn a_host_is_named_by_the_words_that_it_puts_together() {
        for (text, outlet) in [
            ("The log is missing, the New York Times says.", "nytimes.com"),
            ("As The Guardian found.", "theguardian.com"),
            ("The BBC saw it.", "bbc.co.uk"),
            ("The Washington Post says so.", "washingtonpost.com"),
            ("The Harbour Gazette says so.", "Harbour Gazette"),
        ] {
            assert!(is_named(text, outlet), "{text} {outlet}");
        }
        for (text, outlet) in [
            ("The Times says so.", "nytimes.com"),
            ("Those who saw it say so.", "who.int"),
            ("New York is far away.", "nytimes.com"),
            ("The Gazette says so.", "Harbour Gazette"),
            ("It is in the U.S. records.", "u.s.example"),
        ] {
            assert!(!is_named(text, outlet), "{text} {outlet}");
        }
    }
}
