//! State of the tables that the heat of all tensions rests on.

use super::TensionStore;
use crate::response::EventLimits;
use adapters::sql::{read, rows, types::Moment};
use domain::Timestamp;
use engine::StoreResult;

/// Counts and latest changes of tensions, evidence and responses. Where two are equal, nothing changed that lists show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeatState {
    evidence: i64,
    tensions: i64,
    /// Sum of the revisions of all tensions.
    revisions: i64,
    changed_at: Option<Timestamp>,
    /// Links of responses to tensions.
    links: i64,
    /// Last sight of a response.
    seen_at: Option<Timestamp>,
    /// Links of events that are over.
    over: i64,
}

type StateRow = (i64, i64, i64, Option<Moment>, i64, Option<Moment>, i64);

const STATE: &str = concat!(
    "select (select count(*) from tension_evidence), count(*), cast(coalesce(sum(t.revision), 0) as bigint), max(t.changed_at),
           (select count(*) from responds_to), (select max(l.last_seen) from responds_to l),
            (select count(*) from responds_to l join responses p on p.id = l.response_id where ",
    super::responses::event_is_over!("$1", "$2"),
    ") from tensions t"
);

impl TensionStore {
    /// Returns the state of what the heat of all tensions rests on.
    pub async fn heat_state(&self, limits: EventLimits) -> StoreResult<HeatState> {
        read!(self.0, conn => {
            let (evidence, tensions, revisions, changed_at, links, seen_at, over): StateRow = rows!(conn.fetch_one, STATE;
                Moment(limits.ended), Moment(limits.seen));
            let (changed_at, seen_at) = (changed_at.map(|at| at.0), seen_at.map(|at| at.0));
            HeatState { evidence, tensions, revisions, changed_at, links, seen_at, over }
        })
    }
}
