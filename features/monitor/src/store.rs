//! Statements of the Monitor, one text for both databases.

mod dates;
mod interests;
mod matches;
mod products;
mod standing;

pub use dates::OwnedReport;
pub use interests::IndexState;
pub use matches::{MatchDraft, StoredMatch};
pub use products::{BeliefRow, DocumentRow, ReportRow};

use adapters::sql::{
    Store,
    archive::{
        ScopeColumn::{Assessment, Owner, Row, Unscoped},
        Table, tables,
    },
    fault::{Fault, defect},
};
use feature::{Schema, Web};
use serde::de::DeserializeOwned;
use sqlx::migrate::Migrator;

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// Tables of the feature.
pub static SCHEMA: Schema = Schema { name: "monitor", sqlite: &SQLITE, postgres: &POSTGRES, tables: TABLES };

const TABLES: &[Table] = tables! {
    interests 1: id Id, user_id Id, state Text, sentence Text, entities Text, regions Text, tags Text, kinds Text,
        threshold Number, weights Text, muted_until Moment, tuned Text, reason Text, created_at Moment, changed_at Moment
        .scope(&[Owner("user_id")]);
    interest_vectors 2: interest_id Id, model Text, vector Hex .scope(&[Row("interests", "interest_id")]);
    // The product is shown as its source finds it for the person.
    interest_matches 1: id Id, interest_id Id, sentence Text, source Text, product_id Id, arrived_at Moment, score Number,
        terms Text, state Text, feedback Text, matched_at Moment, judged_at Moment
        .scope(&[Row("interests", "interest_id")]);
    product_marks 1: source Text, at Moment .scope(&[Unscoped("times, without content")]);
    monitor_visits 1: user_id Id, seen_at Moment .scope(&[Owner("user_id")]);
    due_items 2: assessment_id Id, item Text, user_id Id, words Text, due_at Moment, ask_at Moment, answer Text,
        answered_at Moment
        .scope(&[Owner("user_id"), Assessment("assessment_id")]);
    standing_questions 1: id Id, user_id Id, question Text, follows_id Id, timing Text, pattern Text, time_zone Text,
        once_at Moment, entity_id Id, budget_micros Number, paused Flag, counted_from Moment, created_at Moment
        .scope(&[Owner("user_id")]);
    standing_runs 2: standing_id Id, due_at Moment, investigation_id Id, state Text, note Text, changed_at Moment,
        attempts Number, try_at Moment
        .scope(&[Row("standing_questions", "standing_id")]);
};

/// Rows of one statement: with at most ten values each, well under the limits of bound values of both databases.
pub const ROWS: usize = 500;

/// Condition for the open items `d` of the person `$1` whose report they read, and that are asked about at `$2`. Of a person's
/// versions of a question the newest with a report counts: each names the same days again.
macro_rules! open_items {
    () => {
        concat!(
            " from due_items d join assessments a on a.id = d.assessment_id
              where d.user_id = $1 and d.answer = '' and d.ask_at <= $2 and ",
            newest_version!("d.user_id"),
            " and ",
            read_assessment!("$1")
        )
    };
}
use open_items;

/// The tables of the feature in the state store. A cheap clone.
#[derive(Clone)]
pub struct MonitorStore(Store);

impl From<Store> for MonitorStore {
    fn from(store: Store) -> Self {
        Self(store)
    }
}

impl MonitorStore {
    pub fn new(web: &Web) -> Self {
        Self::from(web.store.clone())
    }
}

/// Reads a stored JSON value.
fn parsed<T: DeserializeOwned>(what: &str, json: &str) -> Result<T, Fault> {
    serde_json::from_str(json).map_err(|_| defect(what, json))
}

/// Returns a value as JSON, to be stored.
fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_value(value).unwrap_or_default().to_string()
}
