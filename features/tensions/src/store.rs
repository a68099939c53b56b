//! Statements on tensions, one text for both databases.

mod changes;
mod children;
mod cycle;
mod evidence;
mod extracted;
mod heat_state;
mod products;
mod reads;
mod responses;
mod rising;
mod scouting;
mod snapshots;
mod stories;
mod tasks;
mod upkeep;
mod vectors;
mod watched;

pub use evidence::{KnownSubject, OriginTexts, StrainBatch, UnsearchedDocument};
pub use heat_state::HeatState;
pub use products::TensionProduct;
pub use reads::{EasedTension, RelatedTension, TensionSummary};
pub use rising::RisingTension;
pub use scouting::KnownResponse;
pub use snapshots::{DueSnapshot, SnapshotBatch};
pub use tasks::TaskResult;
pub use upkeep::DueLead;
pub use vectors::{AlikeCandidate, CandidateGroup, VectorId, vector_text};
pub use watched::NamedTension;

use crate::tension::{Severity, Tension, TensionId, TensionOrigin, TensionState};
use adapters::sql::{
    Store,
    archive::{
        ScopeColumn::{Collection, Document, OwnerUnless, Row, Unscoped},
        Table, tables,
    },
    fault::{Fault, defect},
    types::{Moment, id_list, word},
};
use domain::{CollectionId, Scope};
use feature::{Schema, Web, region::Region};
use sqlx::migrate::Migrator;
use uuid::Uuid;

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// Tables of the feature.
pub static SCHEMA: Schema = Schema { name: "tensions", sqlite: &SQLITE, postgres: &POSTGRES, tables: TABLES };

const TABLES: &[Table] = tables! {
    tensions 1: id Id, collection_id Id, origin Text, theme Text, kind Text, title Text, statement Text, region Text,
        severity Number, confidence Number, state Text, reason Text, cause_heat Number, first_day Number, last_day Number,
        response_scouted_at Moment, snapshot_day Number, changed_at Moment, created_at Moment, search_text Text,
        dated_heat Number
        .without(&["statement_document_id", "evidence_rows"]).scope(&[Collection("collection_id")])
        .label("tension", "tensions").lost_with_documents(upkeep::LOST_WITH_DOCUMENTS);
    tension_subjects 2: tension_id Id, subject Text .scope(&[Row("tensions", "tension_id")]);
    tension_evidence 2: tension_id Id, claim_id Id, document_id Id, origin Text, is_against Flag, severity Number, day Number,
        is_undated Flag
        .scope(&[Row("tensions", "tension_id"), Document("document_id")])
        .label("piece of evidence of tensions", "pieces of evidence of tensions");
    heat_snapshots 2: tension_id Id, day Number, heat Number, origins Number, dated_heat Number
        .scope(&[Row("tensions", "tension_id")]);
    tension_merges 1: merged_id Id, survivor_id Id, merged_at Moment .scope(&[Row("tensions", "survivor_id")]);
    spawned_from 2: tension_id Id, parent_id Id, spawned_at Moment, origins Number
        .scope(&[Row("tensions", "tension_id"), Row("tensions", "parent_id")]);
    // Where a person entered the address, there is no document, and the collection decides. Only older versions wrote `geo_precision`,
    // which follows from the region.
    responses 1: id Id, collection_id Id, kind Text, title Text, summary Text, url Text, document_id Id, starts_at Moment,
        ends_at Moment, region Text, confidence Number, created_at Moment, geo_precision Text
        .scope(&[Collection("collection_id"), Document("document_id")]).label("response to tensions", "responses to tensions");
    responds_to 2: response_id Id, tension_id Id, strength Number, explanation Text, mechanism Text, first_seen Moment,
        last_seen Moment
        .scope(&[Row("responses", "response_id"), Row("tensions", "tension_id")]);
    tension_vectors 2: tension_id Id, model Text, vector Hex .scope(&[Row("tensions", "tension_id")]);
    extracted_tensions 2: document_id Id, item_hash Text, item Text .scope(&[Document("document_id")]);
    strain_searches 1: document_id Id, searched_at Moment .scope(&[Document("document_id")]);
    cycle_orders 1: id Id, user_id Id, is_shared Flag, tension_id Id, kind Text, max_targets Number, ordered_at Moment,
        due_at Moment, held_until Moment, reason Text, ended_at Moment
        .without(&["holder"]).scope(&[OwnerUnless("user_id", "is_shared")]);
    cycle_runs 2: order_id Id, stage Text, started_at Moment, ended_at Moment, counts Text, error Text
        .scope(&[Row("cycle_orders", "order_id")]);
    cycle_tasks 1: id Id, order_id Id, stage Text, collection_id Id, tension_id Id, counts Text, ended_at Moment
        .scope(&[Row("cycle_orders", "order_id"), Collection("collection_id")]);
    situation_claims 1: claim_id Id, task_id Id, document_id Id
        .scope(&[Row("cycle_tasks", "task_id"), Document("document_id")]);
    response_vectors 2: response_id Id, model Text, vector Hex .scope(&[Row("responses", "response_id")]);
    future_queries 2: tension_id Id, query Text, noted_at Moment, collection_id Id
        .scope(&[Row("tensions", "tension_id"), Collection("collection_id")]);
    // Where a person entered the response that a sentence rests on, there is no document, and the tension decides.
    story_sentences 2: tension_id Id, number Number, part Text, text Text, source_id Id, document_id Id, written_at Moment
        .scope(&[Row("tensions", "tension_id"), Document("document_id")]);
    tension_counters 1: name Text, number Number .scope(&[Unscoped("numbers of changes, without content")]);
};

/// Condition for a tension `t` that the scope `$1` sees: its collection, and some of its evidence.
macro_rules! visible {
    () => {
        "t.collection_id in (select unhex(value) from json_each($1))
         and exists (select 1 from tension_evidence v join documents o on o.id = v.document_id
                      where v.tension_id = t.id and o.collection_id in (select unhex(value) from json_each($1)))"
    };
}
use visible;

/// Whether the collection of the tension `t` is of the sample.
macro_rules! is_sample {
    () => {
        "exists (select 1 from collections c where c.id = t.collection_id and c.kind = 'sample')"
    };
}
use is_sample;

/// Bound of a read that has no page.
macro_rules! bounded {
    () => {
        " limit 20000"
    };
}
use bounded;

/// Columns of a `TensionRow`.
macro_rules! columns {
    () => {
        "t.id, t.collection_id, t.origin, t.theme, t.kind, t.title, t.statement, t.region, t.severity,
         t.confidence, t.state, t.reason, t.cause_heat, t.first_day, t.last_day, t.response_scouted_at, t.created_at"
    };
}
use columns;

/// Derives from the evidence in their own collection the days and the severity of the tensions `$1`, and asks for their
/// snapshots and, where it is quoted, their statement. Undated evidence decides the days where none is dated.
const REFRESH: &str = "
    update tensions set
           first_day = coalesce((select e.day from tension_evidence e join documents d on d.id = e.document_id
                where e.tension_id = tensions.id and d.collection_id = tensions.collection_id and not e.is_against
                order by coalesce(e.is_undated, false), e.day limit 1), first_day),
           last_day = coalesce((select e.day from tension_evidence e join documents d on d.id = e.document_id
                where e.tension_id = tensions.id and d.collection_id = tensions.collection_id and not e.is_against
                order by coalesce(e.is_undated, false), e.day desc limit 1), last_day),
           severity = coalesce((select max(e.severity) from tension_evidence e join documents d on d.id = e.document_id
                where e.tension_id = tensions.id and d.collection_id = tensions.collection_id and not e.is_against), severity),
           statement_document_id = case when origin = 'extraction' then null else statement_document_id end,
           snapshot_day = null,
           changed_at = $2
     where id in (select unhex(value) from json_each($1))";

#[derive(sqlx::FromRow)]
struct TensionRow {
    id: Uuid,
    collection_id: Uuid,
    origin: String,
    theme: String,
    kind: String,
    title: String,
    statement: String,
    region: String,
    severity: i64,
    confidence: i64,
    state: String,
    reason: String,
    cause_heat: i64,
    first_day: i64,
    last_day: i64,
    response_scouted_at: Option<Moment>,
    created_at: Moment,
}

impl TensionRow {
    fn tension(self) -> Result<Tension, Fault> {
        let state = match self.state.as_str() {
            "active" => TensionState::Active,
            "dismissed" => TensionState::Dismissed(self.reason),
            other => return Err(defect("state of a tension", other)),
        };
        Ok(Tension {
            id: TensionId(self.id),
            collection: CollectionId(self.collection_id),
            origin: word("origin of a tension", &self.origin, TensionOrigin::parse)?,
            theme: self.theme,
            kind: self.kind,
            title: self.title,
            statement: self.statement,
            region: Region { code: self.region },
            severity: severity(self.severity)?,
            confidence: share(self.confidence),
            state,
            first_day: self.first_day,
            last_day: self.last_day,
            cause_heat: crate::heat::from_thousandths(self.cause_heat),
            response_scouted_at: self.response_scouted_at.map(|at| at.0),
            created_at: self.created_at.0,
        })
    }
}

fn severity(number: i64) -> Result<Severity, Fault> {
    Severity::from_number(number).ok_or_else(|| defect("severity", &number.to_string()))
}

/// A share that is stored in percent.
fn share(percent: i64) -> f64 {
    percent as f64 / 100.0
}

fn percent(share: f64) -> i64 {
    i64::from(tensions_islands::percent(share))
}

/// The text that a search reads: SQLite knows the small letters of ASCII only.
fn search_text(title: &str, statement: &str) -> String {
    format!("{title} {statement}").to_lowercase()
}

/// The collections of a scope as one parameter.
fn scope_list(scope: &Scope) -> String {
    id_list(scope.collections().iter().map(|id| id.0))
}

/// The tables of the feature in the state store. A cheap clone.
#[derive(Clone)]
pub struct TensionStore(Store);

impl From<Store> for TensionStore {
    fn from(store: Store) -> Self {
        Self(store)
    }
}

impl TensionStore {
    pub fn new(web: &Web) -> Self {
        Self::from(web.store.clone())
    }
}
