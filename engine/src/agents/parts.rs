//! Library parts as named in work orders: `documents offset=40 limit=20`, `documents unread`.

use protocol::tools::SourceQuery;

/// Catalogue id of the library.
pub const DOCUMENTS: &str = "documents";
const GUIDANCE: &str = "Source guidance:";

/// Returns the source guidance lines of a session's opening.
pub fn guidance(opening: &str) -> Vec<&str> {
    opening.lines().filter_map(|line| Some(line.strip_prefix(GUIDANCE)?.trim())).collect()
}

/// Parses a guidance line that names exactly one part of the library; none when it leaves a decision open.
pub fn read(guidance: &str) -> Option<SourceQuery> {
    let mut query = SourceQuery::default();
    let mut words = guidance.split([' ', ',']).filter(|word| !word.is_empty());
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
        let part = |guidance: &str| read(guidance).map(|part| (part.as_of, part.offset, part.limit, part.only_unread));
        assert_eq!(part("documents as_of=7 offset=40 limit=20"), Some((Some(7), 40, Some(20), false)));
        assert_eq!(part("documents unread"), Some((None, 0, None, true)));
        for open in
            ["documents", "documents as_of=7", "documents about the lock", "source gdelt: lock", "documents offset=some"]
        {
            assert_eq!(part(open), None, "{open}");
        }
    }

    #[test]
    fn parts_overlap_where_they_share_a_document() {
        let part = |guidance: &str| read(guidance).unwrap();
        assert!(overlap(&part("documents offset=0 limit=10"), &part("documents offset=9 limit=1")));
        assert!(!overlap(&part("documents offset=0 limit=10"), &part("documents offset=10 limit=5")));
        assert!(overlap(&part("documents offset=50"), &part("documents unread")));
    }
}
