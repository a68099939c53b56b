//! Rank of assessments in full-text search on SQLite.

/// Selects the rows that a search matches, with their rank: that of BM25 without lengths and without the number of texts that have a word,
/// among which are other people's.
macro_rules! ranked_sqlite {
    () => {
        "select m.rowid as row_id, -round(coalesce(t.score, 0), 6) as rank
         from assessments_search m left join (
            select doc, sum(times / (times + 1.2)) as score
            from (select i.doc, i.term, count(*) * 1.0 as times from json_each($2, '$.terms') w
                  cross join assessments_terms i on i.term = w.value group by 1, 2)
            group by 1) t on t.doc = m.rowid
         where m.assessments_search match ($2 ->> 'match')"
    };
}
pub(super) use ranked_sqlite;
