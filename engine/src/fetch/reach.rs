//! What a session may open.

use crate::{Engine, StoreResult};
use domain::{SessionId, work_order::WorkOrder};

/// The addresses that a text names, as they stand in it.
pub fn addresses_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '`' | '|'));
    words.filter_map(|word| {
        let start = word.find("https://").or_else(|| word.find("http://"))?;
        let address = word[start..].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '’', '”', '»', ']', '}']);
        // A bracket that was opened in the address belongs to it.
        let address = match address.strip_suffix(')') {
            Some(inner) if !inner.contains('(') => inner.trim_end_matches(['.', ',', ';']),
            _ => address,
        };
        (address.len() > "https://".len()).then_some(address)
    })
}

/// How many links lie between what the order or a source of this session named and `address`; none: it may not be opened.
pub async fn steps_to(
    engine: &Engine,
    session: SessionId,
    order: Option<&WorkOrder>,
    address: &str,
) -> StoreResult<Option<u32>> {
    let named = |text: &str| addresses_in(text).any(|named| named == address);
    if order.is_some_and(|order| named(&order.objective) || order.source_guidance.iter().any(|guidance| named(guidance))) {
        return Ok(Some(0));
    }
    engine.captures.allowed(session, address).await
}

/// Lets a session open what a page or a source in it named. Pages that would be too far away are not offered.
pub async fn offer(engine: &Engine, session: SessionId, addresses: &[String], steps: u32) -> StoreResult<bool> {
    if steps > engine.config.web.max_steps || addresses.is_empty() {
        return Ok(false);
    }
    engine.captures.allow(session, addresses, steps).await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::addresses_in;

    #[test]
    fn addresses_are_found_as_they_stand() {
        let text = "Read https://a.example/x?y=1#z, then (http://b.example/p_(q)) and \"https://c.example/\". Not example.org, not https://.\n\
                    See <https://d.example/e>; (https://e.example/f).";
        let found: Vec<&str> = addresses_in(text).collect();
        assert_eq!(
            found,
            [
                "https://a.example/x?y=1#z",
                "http://b.example/p_(q))",
                "https://c.example/",
                "https://d.example/e",
                "https://e.example/f"
            ]
        );
    }
}
