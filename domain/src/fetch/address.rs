//! Addresses that a person types: one text, several addresses.

/// Maximum length of an address, in characters.
const MAX_CHARS: usize = 4_096;

/// Reason for a word that names no host.
const NO_ADDRESS: &str = "is not a web address, such as example.org/report";

/// Splits typed addresses at white space and commas. An address without a scheme gets `https://`.
pub fn split_addresses(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| if word.contains("://") { word.to_owned() } else { format!("https://{word}") }).collect()
}

/// Returns the invalid ones of the typed addresses, each with the reason. A line of prose is one of them.
pub fn address_problems(text: &str) -> Vec<(String, &'static str)> {
    text.lines().flat_map(line_problems).collect()
}

fn line_problems(line: &str) -> Vec<(String, &'static str)> {
    let addresses = split_addresses(line);
    let problem = |address: &String| Some((address.clone(), rejection_reason(address)?));
    let problems: Vec<(String, &'static str)> = addresses.iter().filter_map(problem).collect();
    let is_prose =
        addresses.len() > 1 && problems.len() == addresses.len() && problems.iter().all(|(_, why)| *why == NO_ADDRESS);
    if is_prose { vec![(line.trim().to_owned(), NO_ADDRESS)] } else { problems }
}

fn rejection_reason(address: &str) -> Option<&'static str> {
    let Some((scheme, rest)) = address.split_once("://") else { return Some(NO_ADDRESS) };
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return Some("must begin with http:// or https://");
    }
    if address.chars().count() > MAX_CHARS {
        return Some("is too long");
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Some("contains a user name; leave it out");
    }
    if authority.starts_with('[') {
        return (!authority.contains(']')).then_some(NO_ADDRESS);
    }
    let (host, port) = authority.split_once(':').unwrap_or((authority, "80"));
    if port.parse::<u16>().is_err() {
        return Some("has a port that is no number");
    }
    let host = host.strip_suffix('.').unwrap_or(host);
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    let is_host = host.eq_ignore_ascii_case("localhost") || (host.contains('.') && host.split('.').all(is_label));
    (!is_host).then_some(NO_ADDRESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_separated_by_lines_and_commas() {
        let expected = ["https://a.example/x", "http://b.example", "https://c.example/?q=1"];
        assert_eq!(split_addresses(" a.example/x\nhttp://b.example, c.example/?q=1 "), expected);
    }

    #[test]
    fn an_invalid_address_is_listed_with_its_reason() {
        let good = "example.org/report http://127.0.0.1:8080/x http://[::1]:3/ https://müller.example. http://localhost/";
        assert_eq!(address_problems(good), []);
        for (text, reason) in [
            ("report", "not a web address"),
            ("ftp://example.org/x", "must begin"),
            ("https:///x", "not a web address"),
            ("https://a..b/", "not a web address"),
            ("https://ada:secret@example.org/", "user name"),
            ("https://example.org:port/", "port"),
        ] {
            let problems = address_problems(text);
            assert!(problems.len() == 1 && problems[0].1.contains(reason), "{text}: {problems:?}");
        }
    }

    #[test]
    fn a_line_of_prose_is_one_problem() {
        let named = |text: &str| address_problems(text).into_iter().map(|(named, _)| named).collect::<Vec<_>>();
        assert_eq!(named(" not an address \nb.example\nnor this, one"), ["not an address", "nor this, one"]);
        assert_eq!(named("https://a.example/a report"), ["https://report"]);
    }
}
