//! Edit distance of two short words: insertions, deletions, replacements and transpositions cost one each.
//!
//! Own code, because `strsim::osa_distance` takes 2.5 times as long within small limits.

/// Maximum length compared, in bytes.
const MAX: usize = 48;

/// Returns the optimal string alignment distance; `None` above `limit`. Words are folded, so bytes are letters.
pub fn edits(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a == b {
        return Some(0);
    }
    let (a, b) = (&a.as_bytes()[..a.len().min(MAX)], &b.as_bytes()[..b.len().min(MAX)]);
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut rows = [[0u8; MAX + 1]; 3];
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j as u8;
    }
    for i in 1..=a.len() {
        let [before, last, now] = &mut rows;
        if i > 1 {
            std::mem::swap(before, last);
            std::mem::swap(last, now);
        } else {
            *last = *before;
        }
        now[0] = i as u8;
        let mut best = now[0];
        for j in 1..=b.len() {
            let replace = last[j - 1] + u8::from(a[i - 1] != b[j - 1]);
            let mut cost = replace.min(last[j] + 1).min(now[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 1);
            }
            now[j] = cost;
            best = best.min(cost);
        }
        if usize::from(best) > limit {
            return None;
        }
    }
    let total = usize::from(rows[2][b.len()]);
    (total <= limit).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::edits;

    #[test]
    fn counts_insertions_deletions_replacements_and_swaps() {
        for (a, b, expect) in [
            ("", "", Some(0)),
            ("abc", "abc", Some(0)),
            ("abc", "abd", Some(1)),
            ("abc", "acb", Some(1)),
            ("luak", "luka", Some(1)),
            ("kitten", "sitting", Some(3)),
            ("a", "abcd", Some(3)),
            ("abcdef", "uvwxyz", None),
        ] {
            assert_eq!(edits(a, b, 3), expect, "{a} {b}");
            assert_eq!(edits(b, a, 3), expect, "{b} {a}");
        }
    }
}
