//! Library parts as named in work orders: `documents offset=40 limit=20`, `documents unread`, `documents d1 d4`.

use domain::DocumentId;
use protocol::tools::SourceQuery;

/// Catalogue id of the library.
pub const DOCUMENTS: &str = "documents";
const GUIDANCE: &str = "Source guidance:";

/// Returns the source guidance lines of a session's opening.
pub fn guidance(opening: &str) -> Vec<&str> {
    opening.lines().filter_map(|line| Some(line.strip_prefix(GUIDANCE)?.trim())).collect()
}

/// Parses a guidance line that names exactly one part of the library; none when it leaves a decision open.
pub fn parse_guidance(guidance: &str) -> Option<SourceQuery> {
    let mut query = SourceQuery::default();
    let mut words = words(guidance);
    if words.next()? != DOCUMENTS {
        return None;
    }
    let mut is_part = false;
    for word in words {
        match word.split_once('=') {
            Some(("as_of", number)) => query.as_of = Some(number.parse().ok()?),
            Some(("offset", number)) => query.offset = number.parse().ok()?,
            Some(("limit", number)) => query.limit = Some(number.parse().ok()?),
            None if word == "unread" => query.only_unread = true,
            _ => return None,
        }
        is_part |= !word.starts_with("as_of");
    }
    is_part.then_some(query)
}

/// Parses a guidance line that names documents of the library and nothing else: `documents ID ID`.
pub fn read_documents(guidance: &str) -> Option<Vec<DocumentId>> {
    let mut words = words(guidance);
    if words.next()? != DOCUMENTS {
        return None;
    }
    let ids = words.map(|word| word.parse().ok()).collect::<Option<Vec<DocumentId>>>()?;
    (!ids.is_empty()).then_some(ids)
}

/// Returns whether a guidance line leaves no decision open.
pub fn is_exact(guidance: &str) -> bool {
    parse_guidance(guidance).is_some() || read_documents(guidance).is_some()
}

/// Returns a guidance line with the references of documents (`documents d1, d4`) replaced by ids. Fails with an unknown one.
pub fn with_document_ids(guidance: &str, id_of: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let is_reference = |word: &str| word.strip_prefix('d').is_some_and(|number| number.parse::<u32>().is_ok());
    let is_named = words(guidance).next() == Some(DOCUMENTS) && words(guidance).skip(1).all(is_reference);
    if !is_named {
        return Ok(guidance.to_owned());
    }
    let ids = words(guidance).skip(1).map(|word| id_of(word).ok_or_else(|| word.to_owned()));
    let ids = ids.collect::<Result<Vec<String>, String>>()?;
    Ok(std::iter::once(DOCUMENTS.to_owned()).chain(ids).collect::<Vec<_>>().join(" "))
}

fn words(guidance: &str) -> impl Iterator<Item = &str> {
    guidance.split([' ', ',']).filter(|word| !word.is_empty())
}

/// Returns whether two parts of the library overlap.
pub fn overlap(one: &SourceQuery, other: &SourceQuery) -> bool {
    let end = |part: &SourceQuery| part.limit.map_or(u64::MAX, |limit| part.offset.saturating_add(limit.into()));
    one.only_unread || other.only_unread || (one.offset < end(other) && other.offset < end(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_library_is_read_and_anything_else_is_for_a_plan() {
        let part =
            |guidance: &str| parse_guidance(guidance).map(|part| (part.as_of, part.offset, part.limit, part.only_unread));
        assert_eq!(part("documents as_of=7 offset=40 limit=20"), Some((Some(7), 40, Some(20), false)));
        assert_eq!(part("documents unread"), Some((None, 0, None, true)));
        for open in
            ["documents", "documents as_of=7", "documents about the lock", "source gdelt: lock", "documents offset=some"]
        {
            assert_eq!(part(open), None, "{open}");
        }
    }

    #[test]
    fn documents_are_named_by_the_references_of_the_session_that_orders() {
        let id = "01890000-0000-7000-8000-000000000001";
        let id_of = |word: &str| (word == "d1").then(|| id.to_owned());
        let stored = with_document_ids("documents d1, d1", id_of).unwrap();
        assert_eq!(stored, format!("documents {id} {id}"));
        assert_eq!(read_documents(&stored).map(|ids| ids.len()), Some(2));
        assert_eq!(with_document_ids("documents d1 d7", id_of), Err("d7".into()));
        for other in ["documents", "documents unread", "documents about d1", "source d1"] {
            assert_eq!(with_document_ids(other, id_of), Ok(other.into()));
            assert_eq!(read_documents(other), None, "{other}");
        }
    }

    #[test]
    fn parts_overlap_where_they_share_a_document() {
        let part = |guidance: &str| parse_guidance(guidance).unwrap();
        assert!(overlap(&part("documents offset=0 limit=10"), &part("documents offset=9 limit=1")));
        assert!(!overlap(&part("documents offset=0 limit=10"), &part("documents offset=10 limit=5")));
        assert!(overlap(&part("documents offset=50"), &part("documents unread")));
    }
}
