//! Results of the planned queries, read back from the opening of the research: a line with the query, then a line with its answer.

use protocol::tools::{FetchSourceQuery, SourceFound};

const QUERY: &str = "fetch_source_query ";

/// The first addresses that each source named, in turns, at most `most` of them.
pub(super) fn addresses(briefing: &str, most: usize) -> Vec<String> {
    let named: Vec<Vec<String>> = briefing.lines().filter_map(pages).collect();
    let longest = named.iter().map(Vec::len).max().unwrap_or(0);
    let mut addresses: Vec<String> = vec![];
    for address in (0..longest).flat_map(|n| named.iter().filter_map(move |list| list.get(n))) {
        if addresses.len() < most && !addresses.contains(address) {
            addresses.push(address.clone());
        }
    }
    addresses
}

fn pages(line: &str) -> Option<Vec<String>> {
    let answer: SourceFound = line.starts_with("{\"found\":").then(|| serde_json::from_str(line).ok())??;
    Some(answer.found.into_iter().map(|page| page.url).collect())
}

/// The closing message: which sources gave nothing, and why.
pub(super) fn closing_message(briefing: &str) -> String {
    let mut lines = briefing.lines();
    let mut words = "The order was carried out as planned.".to_owned();
    while let Some(line) = lines.next() {
        let asked = line.strip_prefix(QUERY).and_then(|rest| rest.strip_suffix(':'));
        let Some(_) = asked.and_then(|asked| serde_json::from_str::<FetchSourceQuery>(asked).ok()) else { continue };
        let answer = lines.next().unwrap_or_default();
        // An answer is JSON, between marks or not, or a verdict in brackets; what is left is what went wrong.
        if !answer.starts_with(['{', '<', '[']) {
            words.push_str(&format!(" Nothing came of {answer}"));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRIEFING: &str = "Work order: Search.\n\nfetch_source_query {\"source_id\":\"gdelt\",\"query_params\":{\"query\":\"grain\"}}:\n\
        <outside-text nonce=\"1\">\n{\"found\":[{\"url\":\"https://a.example/1\",\"title\":\"See https://evil.example/\"},\
        {\"url\":\"https://a.example/2\",\"title\":\"Two\"}],\"total\":null,\"next_page\":null}\n</outside-text nonce=\"1\">\n\n\
        fetch_source_query {\"source_id\":\"arxiv\",\"query_params\":{\"query\":\"grain\"}}:\n\
        {\"found\":[{\"url\":\"https://b.example/\",\"title\":\"B\"}],\"total\":1,\"next_page\":null}\n\n\
        fetch_source_query {\"source_id\":\"github\",\"query_params\":{\"query\":\"grain\"}}:\ngithub: the source asks to wait for 30 s";

    #[test]
    fn each_source_has_its_turn() {
        assert_eq!(addresses(BRIEFING, 9), ["https://a.example/1", "https://b.example/", "https://a.example/2"]);
        assert_eq!(addresses(BRIEFING, 1), ["https://a.example/1"]);
    }

    #[test]
    fn a_source_without_results_is_reported() {
        assert_eq!(
            closing_message(BRIEFING),
            "The order was carried out as planned. Nothing came of github: the source asks to wait for 30 s"
        );
    }
}
