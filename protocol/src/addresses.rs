//! Web addresses in running text.

/// The addresses that a text names, as they stand in it.
pub fn addresses_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '`' | '|'));
    words.filter_map(|word| {
        let start = ["https://", "http://"].into_iter().filter_map(|scheme| word.find(scheme)).min()?;
        let address = word[start..].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '’', '”', '»', ']', '}']);
        // A bracket that was opened in the address belongs to it.
        let address = match address.strip_suffix(')') {
            Some(inner) if !inner.contains('(') => inner.trim_end_matches(['.', ',', ';']),
            _ => address,
        };
        (address.len() > "https://".len()).then_some(address)
    })
}

#[cfg(test)]
mod tests {
    use super::addresses_in;

    #[test]
    fn addresses_are_found_unchanged() {
        let text = "Read https://a.example/x?y=1#z, then (http://b.example/p_(q)) and \"https://c.example/\". Not example.org, not https://.\n\
                    See <https://d.example/e>; (https://e.example/f); http://f.example/?of=https://g.example/.";
        let found: Vec<&str> = addresses_in(text).collect();
        assert_eq!(
            found,
            [
                "https://a.example/x?y=1#z",
                "http://b.example/p_(q))",
                "https://c.example/",
                "https://d.example/e",
                "https://e.example/f",
                "http://f.example/?of=https://g.example/"
            ]
        );
    }
}
