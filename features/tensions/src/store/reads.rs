//! Reads for the pages. Every one has the scope of its reader.

use super::{TensionRow, TensionStore, bounded, columns, is_sample, scope_list, severity, visible};
use crate::{
    heat::{HeatTerm, OriginEvidence, from_thousandths, thousandths},
    response::EventLimits,
    tension::{Evidence, EvidenceDay, Tension, TensionId},
};
use adapters::sql::{
    fault::{Fault, defect},
    read, rows,
    types::{Moment, count, id_list, text_list},
    values,
};
use domain::{ClaimId, DocumentId, Scope, Timestamp};
use engine::StoreResult;
use std::collections::HashMap;
use uuid::Uuid;

/// A tension with the number of its responses, without events that are over.
#[derive(Debug, Clone, PartialEq)]
pub struct TensionSummary {
    pub tension: Tension,
    pub responses: u64,
    /// Whether it is invented.
    pub is_sample: bool,
    /// Whether none of its visible evidence has a date, however old. Its days are then those of the captures.
    pub is_undated: bool,
}

/// A tension that was hot and has cooled.
#[derive(Debug, Clone, PartialEq)]
pub struct EasedTension {
    pub id: TensionId,
    pub title: String,
    pub kind: String,
    /// Code of its region.
    pub region: String,
    pub heat: f64,
    /// Highest heat that it had.
    pub peak: f64,
}

#[derive(sqlx::FromRow)]
struct SummaryRow {
    #[sqlx(flatten)]
    tension: TensionRow,
    responses: i64,
    is_sample: bool,
    is_undated: bool,
}

#[derive(sqlx::FromRow)]
struct EvidenceRow {
    claim_id: Uuid,
    document_id: Uuid,
    origin: String,
    is_against: bool,
    severity: i64,
    day: i64,
    is_undated: bool,
}

impl EvidenceRow {
    fn evidence(self) -> Result<Evidence, Fault> {
        Ok(Evidence {
            claim: ClaimId(self.claim_id),
            document: DocumentId(self.document_id),
            origin: self.origin,
            is_against: self.is_against,
            severity: severity(self.severity)?,
            day: EvidenceDay { day: self.day, is_undated: self.is_undated },
        })
    }
}

/// Evidence that heat counts.
#[derive(sqlx::FromRow)]
pub(super) struct CountedRow {
    tension_id: Uuid,
    origin: String,
    severity: i64,
    day: i64,
    is_undated: bool,
}

impl CountedRow {
    pub(super) fn evidence(self) -> Result<(TensionId, OriginEvidence), Fault> {
        let Self { tension_id, origin, severity: number, day, is_undated } = self;
        Ok((TensionId(tension_id), OriginEvidence { origin, severity: severity(number)?, day, is_undated }))
    }
}

/// Reads a piece of evidence of `RECENT`: `origin/severity/day`, with `/undated` where it has no date.
fn parse_counted(text: &str) -> Result<OriginEvidence, Fault> {
    let unreadable = || defect("evidence of a tension", text);
    let mut fields = text.split('/');
    let (Some(origin), Some(number), Some(day)) = (fields.next(), fields.next(), fields.next()) else {
        return Err(unreadable());
    };
    Ok(OriginEvidence {
        origin: origin.to_owned(),
        severity: severity(number.parse().map_err(|_| unreadable())?)?,
        day: day.parse().map_err(|_| unreadable())?,
        is_undated: fields.next().is_some(),
    })
}

/// Whether no visible evidence for the tension `t` has a date.
macro_rules! is_undated {
    () => {
        "not exists (select 1 from tension_evidence u join documents k on k.id = u.document_id
                      where u.tension_id = t.id and not u.is_against and not coalesce(u.is_undated, false)
                        and k.collection_id in (select unhex(value) from json_each($1)))"
    };
}
const TENSIONS: &str = concat!(
    "select ",
    columns!(),
    ", (select count(*) from responds_to l join responses p on p.id = l.response_id
         where l.tension_id = t.id and ",
    super::responses::visible_response!(),
    " and not ",
    super::responses::event_is_over!("$2", "$3"),
    ") as responses, ",
    is_sample!(),
    " as is_sample, ",
    is_undated!(),
    " as is_undated from tensions t where ",
    visible!(),
    " order by t.last_day desc, t.title, t.id",
    bounded!()
);
const UNDATED: &str = concat!("select ", is_undated!(), " from tensions t where t.id = $2");
const TENSION: &str = concat!(
    "select ",
    columns!(),
    " from tensions t
      where t.id = coalesce((select m.survivor_id from tension_merges m where m.merged_id = $2), $2) and ",
    visible!()
);
const PARENTS: &str = concat!(
    "select t.id, t.title from spawned_from f join tensions t on t.id = f.parent_id where f.tension_id = $2 and ",
    visible!(),
    " order by f.spawned_at, t.id",
    bounded!()
);
/// Visible evidence `e` of the tension `$2`.
macro_rules! evidence_of {
    () => {
        " from tension_evidence e join documents d on d.id = e.document_id
         where e.tension_id = $2 and d.collection_id in (select unhex(value) from json_each($1))"
    };
}
/// Columns of an `EvidenceRow`.
macro_rules! evidence_columns {
    () => {
        "select e.claim_id, e.document_id, e.origin, e.is_against, e.severity, e.day, coalesce(e.is_undated, false) as is_undated"
    };
}
const EVIDENCE_COUNT: &str = concat!("select count(*)", evidence_of!());
const EVIDENCE: &str = concat!(evidence_columns!(), evidence_of!(), " order by e.day desc, e.claim_id limit $3 offset $4");
const LEADING: &str = concat!(
    evidence_columns!(),
    evidence_of!(),
    " and e.is_against = $3 order by e.severity desc, e.day desc, e.claim_id limit $4"
);
/// One statement of each origin, severity and day in `$3`.
const OF_TERMS: &str = concat!(
    evidence_columns!(),
    evidence_of!(),
    " and e.origin || '/' || e.severity || '/' || e.day in (select value from json_each($3))
      and e.claim_id = (select b.claim_id from tension_evidence b join documents o on o.id = b.document_id
                         where b.tension_id = e.tension_id and b.origin = e.origin and not b.is_against
                           and b.severity = e.severity and b.day = e.day
                           and o.collection_id in (select unhex(value) from json_each($1))
                         order by coalesce(b.is_undated, false), b.claim_id limit 1)"
);
const OF_CLAIMS: &str = concat!(
    evidence_columns!(),
    evidence_of!(),
    " and e.claim_id in (select unhex(value) from json_each($3)) order by e.claim_id"
);
/// Evidence that the heat of each visible tension counts since the day `$2`, as one text for `parse_counted`. A row for each piece of
/// evidence would cost several times as much.
const RECENT: &str = "
    select e.tension_id,
           string_agg(e.origin || '/' || e.severity || '/' || e.day || case when e.is_undated then '/undated' else '' end, ' ')
      from tension_evidence e
     where e.day >= $2 and not e.is_against
       and e.document_id in (select d.id from documents d where d.collection_id in (select unhex(value) from json_each($1)))
       and e.tension_id in (select t.id from tensions t where t.collection_id in (select unhex(value) from json_each($1)))
     group by e.tension_id";
/// Evidence that the heat of the visible tension `$3` counts since the day `$2`.
const RECENT_OF: &str = "
    select e.tension_id, e.origin, e.severity, e.day, coalesce(e.is_undated, false) as is_undated
      from tension_evidence e join documents d on d.id = e.document_id join tensions t on t.id = e.tension_id
     where e.day >= $2 and not e.is_against and e.tension_id = $3
       and d.collection_id in (select unhex(value) from json_each($1))
       and t.collection_id in (select unhex(value) from json_each($1))
     group by e.tension_id, e.origin, e.severity, e.day, e.is_undated";
/// Active visible tensions with every word of `$2`, patterns of `like`.
const SEARCH: &str = concat!(
    "select t.id, t.title, t.statement, ",
    is_sample!(),
    " from tensions t
      where t.state = 'active'
        and not exists (select 1 from json_each($2) w
                         where coalesce(t.search_text, lower(t.title || ' ' || t.statement)) not like w.value escape '\\')
        and ",
    visible!(),
    " order by t.last_day desc, t.title, t.id limit $3"
);

/// Tensions of the theme `$2` without `$3` that were hot by dated evidence, are no more, and have a response.
const EASED: &str = concat!(
    "select t.id, t.title, t.kind, t.region, t.cause_heat, max(s.heat) as peak
       from tensions t join heat_snapshots s on s.tension_id = t.id
      where t.theme = $2 and t.id <> $3 and t.state = 'active' and t.cause_heat <= $4
        and exists (select 1 from responds_to l join responses p on p.id = l.response_id where l.tension_id = t.id and ",
    super::responses::visible_response!(),
    ") and ",
    visible!(),
    " group by t.id, t.title, t.kind, t.region, t.cause_heat having max(coalesce(s.dated_heat, s.heat)) >= $5
      order by peak desc, t.title, t.id limit $6"
);
/// Tensions without `$3` in the collections `$5`, those of the theme `$2` and of the region `$4` first.
const RELATED: &str = concat!(
    "select t.id, t.title, t.last_day from tensions t
      where t.id <> $3 and t.collection_id in (select unhex(value) from json_each($5)) and ",
    visible!(),
    " order by case when t.theme = $2 then 0 else 1 end, case when t.region = $4 then 0 else 1 end, t.last_day desc, t.title, t.id
      limit $6"
);

/// A tension that another one can be merged into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedTension {
    pub id: TensionId,
    pub title: String,
    pub last_day: i64,
}

impl TensionStore {
    /// Returns the visible tensions, the latest evidence first.
    pub async fn tensions(&self, scope: &Scope, limits: EventLimits) -> StoreResult<Vec<TensionSummary>> {
        read!(self.0, conn => {
            let rows: Vec<SummaryRow> = rows!(conn.fetch_all, TENSIONS; scope_list(scope), Moment(limits.ended),
                Moment(limits.seen));
            let summary = |row: SummaryRow| {
                let (tension, responses) = (row.tension.tension()?, count(row.responses)?);
                Ok::<_, Fault>(TensionSummary { tension, responses, is_sample: row.is_sample, is_undated: row.is_undated })
            };
            rows.into_iter().map(summary).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns a visible tension; the id of a merged one returns its survivor.
    pub async fn tension(&self, scope: &Scope, id: TensionId) -> StoreResult<Option<Tension>> {
        read!(self.0, conn => {
            let row: Option<TensionRow> = rows!(conn.fetch_optional, TENSION; scope_list(scope), id.0);
            row.map(TensionRow::tension).transpose()?
        })
    }

    /// Returns whether a tension has no visible evidence with a date.
    pub async fn is_undated(&self, scope: &Scope, id: TensionId) -> StoreResult<bool> {
        read!(self.0, conn => {
            let is_undated: Option<bool> = values!(conn.fetch_optional, UNDATED; scope_list(scope), id.0);
            is_undated.unwrap_or_default()
        })
    }

    /// Returns the visible tensions whose work brought up this one, with their titles.
    pub async fn parents(&self, scope: &Scope, id: TensionId) -> StoreResult<Vec<(TensionId, String)>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String)> = rows!(conn.fetch_all, PARENTS; scope_list(scope), id.0);
            rows.into_iter().map(|(id, title)| (TensionId(id), title)).collect()
        })
    }

    /// Returns active visible tensions with every word in title or statement, the latest evidence first: id, title, statement, and
    /// whether it is invented. The words are in small letters.
    pub async fn search(
        &self,
        scope: &Scope,
        words: &[String],
        limit: usize,
    ) -> StoreResult<Vec<(TensionId, String, String, bool)>> {
        let escaped = |word: &String| word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let patterns: Vec<String> = words.iter().map(|word| format!("%{}%", escaped(word))).collect();
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String, String, bool)> = rows!(conn.fetch_all, SEARCH; scope_list(scope),
                text_list(patterns.iter().map(String::as_str)), limit as i64);
            rows.into_iter().map(|(id, title, statement, is_sample)| (TensionId(id), title, statement, is_sample)).collect()
        })
    }

    /// Returns a page of the visible evidence of a tension, newest first, and the number of all.
    pub async fn evidence(&self, scope: &Scope, id: TensionId, skip: u64, limit: usize) -> StoreResult<(Vec<Evidence>, u64)> {
        read!(self.0, conn => {
            let total: i64 = values!(conn.fetch_one, EVIDENCE_COUNT; scope_list(scope), id.0);
            let rows: Vec<EvidenceRow> = rows!(conn.fetch_all, EVIDENCE; scope_list(scope), id.0, limit as i64,
                skip.cast_signed());
            (rows.into_iter().map(EvidenceRow::evidence).collect::<Result<_, Fault>>()?, count(total)?)
        })
    }

    /// Returns the most severe visible evidence for or against a tension, the newest among equals first.
    pub async fn leading_evidence(
        &self,
        scope: &Scope,
        id: TensionId,
        is_against: bool,
        limit: usize,
    ) -> StoreResult<Vec<Evidence>> {
        read!(self.0, conn => {
            let rows: Vec<EvidenceRow> = rows!(conn.fetch_all, LEADING; scope_list(scope), id.0, is_against, limit as i64);
            rows.into_iter().map(EvidenceRow::evidence).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns a visible statement that each term of the heat of a day counts.
    pub async fn evidence_of_terms(
        &self,
        scope: &Scope,
        id: TensionId,
        day: i64,
        terms: &[HeatTerm],
    ) -> StoreResult<Vec<Evidence>> {
        let key = |term: &HeatTerm| format!("{}/{}/{}", term.origin, term.severity.number(), day - term.age_days);
        let keys: Vec<String> = terms.iter().map(key).collect();
        read!(self.0, conn => {
            let rows: Vec<EvidenceRow> = rows!(conn.fetch_all, OF_TERMS; scope_list(scope), id.0,
                text_list(keys.iter().map(String::as_str)));
            rows.into_iter().map(EvidenceRow::evidence).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns the visible evidence of a tension among some claims.
    pub async fn evidence_of_claims(&self, scope: &Scope, id: TensionId, claims: &[ClaimId]) -> StoreResult<Vec<Evidence>> {
        read!(self.0, conn => {
            let rows: Vec<EvidenceRow> = rows!(conn.fetch_all, OF_CLAIMS; scope_list(scope), id.0,
                id_list(claims.iter().map(|claim| claim.0)));
            rows.into_iter().map(EvidenceRow::evidence).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns what heat counts of one visible tension since a day.
    pub async fn recent_evidence_of(&self, scope: &Scope, id: TensionId, since: i64) -> StoreResult<Vec<OriginEvidence>> {
        read!(self.0, conn => {
            let rows: Vec<CountedRow> = rows!(conn.fetch_all, RECENT_OF; scope_list(scope), since, id.0);
            rows.into_iter().map(|row| Ok::<_, Fault>(row.evidence()?.1)).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns what heat counts of all visible tensions since a day.
    pub async fn recent_evidence(&self, scope: &Scope, since: i64) -> StoreResult<HashMap<TensionId, Vec<OriginEvidence>>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String)> = rows!(conn.fetch_all, RECENT; scope_list(scope), since);
            let of_tension = |(id, texts): (Uuid, String)| {
                let evidence: Vec<OriginEvidence> = texts.split(' ').map(parse_counted).collect::<Result<_, Fault>>()?;
                Ok::<_, Fault>((TensionId(id), evidence))
            };
            rows.into_iter().map(of_tension).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns visible tensions of the same theme with a response that were hot, from a heat on, and have cooled down to another.
    pub async fn eased(&self, scope: &Scope, like: &Tension, from: f64, to: f64, limit: u32) -> StoreResult<Vec<EasedTension>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String, String, String, i64, i64)> = rows!(conn.fetch_all, EASED; scope_list(scope),
                &like.theme, like.id.0, thousandths(to), thousandths(from), i64::from(limit));
            let eased = |(id, title, kind, region, heat, peak): (Uuid, String, String, String, i64, i64)| EasedTension {
                id: TensionId(id),
                title,
                kind,
                region,
                heat: from_thousandths(heat),
                peak: from_thousandths(peak),
            };
            rows.into_iter().map(eased).collect()
        })
    }

    /// Returns visible tensions in the collections `into`, those of the same theme and region first.
    pub async fn related(&self, scope: &Scope, into: &Scope, like: &Tension, limit: u32) -> StoreResult<Vec<RelatedTension>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String, i64)> = rows!(conn.fetch_all, RELATED; scope_list(scope), &like.theme, like.id.0,
                &like.region.code, scope_list(into), i64::from(limit));
            let related = |(id, title, last_day)| RelatedTension { id: TensionId(id), title, last_day };
            rows.into_iter().map(related).collect()
        })
    }

    /// Returns the number of visible documents that are evidence for or against visible tensions of some regions, counted up to `most`.
    pub async fn documents_on(&self, scope: &Scope, regions: &[&str], most: u32) -> StoreResult<u64> {
        read!(self.0, conn => {
            let documents: i64 = values!(conn.fetch_one,
                "select count(*) from (
                     select distinct e.document_id
                       from tensions t join tension_evidence e on e.tension_id = t.id join documents d on d.id = e.document_id
                      where t.region in (select value from json_each($2))
                        and t.collection_id in (select unhex(value) from json_each($1))
                        and d.collection_id in (select unhex(value) from json_each($1))
                      limit $3) few";
                scope_list(scope), text_list(regions.iter().copied()), i64::from(most));
            count(documents)?
        })
    }

    /// Returns the number of visible documents that were searched for strain, and the time of the last search.
    pub async fn searched(&self, scope: &Scope) -> StoreResult<(u64, Option<Timestamp>)> {
        read!(self.0, conn => {
            let (documents, last): (i64, Option<Moment>) = rows!(conn.fetch_one,
                "select count(*), max(s.searched_at) from strain_searches s join documents d on d.id = s.document_id
                  where d.collection_id in (select unhex(value) from json_each($1))"; scope_list(scope));
            (count(documents)?, last.map(|at| at.0))
        })
    }
}
