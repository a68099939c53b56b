//! State of the tables that the heat of all tensions rests on.

use super::TensionStore;
use crate::response::EventLimits;
use adapters::sql::{read, rows, types::Moment};
use engine::StoreResult;

/// Statement that counts a change that lists of tensions show, in the transaction of the change.
///
/// Invariant: it is the last of its transaction, which waits for no other row while it holds this one.
pub(super) const COUNT_CHANGE: &str = "
    insert into tension_counters (name, number) values ('heat', 1)
    on conflict (name) do update set number = tension_counters.number + 1";

/// Numbers of changes and of events that are over. Where two states are equal, nothing changed that lists show.
///
/// It costs a page two rows, and the links of responses, which are few beside evidence: time alone lets their events pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeatState {
    /// Changes by the feature.
    changes: i64,
    /// Removals of documents and collections, with which evidence and responses go.
    removals: i64,
    /// Links of events that are over.
    over: i64,
}

const STATE: &str = concat!(
    "select coalesce((select number from tension_counters where name = 'heat'), 0), (select number from library_version),
            (select count(*) from responds_to l join responses p on p.id = l.response_id where ",
    super::responses::event_is_over!("$1", "$2"),
    ")"
);

impl TensionStore {
    /// Returns the state of what the heat of all tensions rests on.
    pub async fn heat_state(&self, limits: EventLimits) -> StoreResult<HeatState> {
        read!(self.0, conn => {
            let (changes, removals, over): (i64, i64, i64) = rows!(conn.fetch_one, STATE;
                Moment(limits.ended), Moment(limits.seen));
            HeatState { changes, removals, over }
        })
    }
}
