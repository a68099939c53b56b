//! Changes by people: tensions merged, dismissed and restored. The caller has checked that the person sees them.

use super::{REFRESH, TensionStore, heat_state::COUNT_CHANGE};
use crate::tension::{TensionId, TensionState};
use adapters::sql::{
    execute,
    types::{Moment, id_list},
    write,
};
use domain::Timestamp;
use engine::{StoreError, StoreResult};

/// Moves what belongs to the tension `$2` to `$1`, in this order.
const MOVES: [&str; 6] = [
    "insert into tension_evidence (tension_id, claim_id, document_id, origin, is_against, severity, day, is_undated)
     select $1, e.claim_id, e.document_id, e.origin, e.is_against, e.severity, e.day, e.is_undated
       from tension_evidence e where e.tension_id = $2
     on conflict (tension_id, claim_id) do nothing",
    "insert into tension_subjects (tension_id, subject)
     select $1, s.subject from tension_subjects s where s.tension_id = $2
     on conflict (tension_id, subject) do nothing",
    "insert into responds_to (response_id, tension_id, strength, explanation, mechanism, first_seen, last_seen)
     select l.response_id, $1, l.strength, l.explanation, l.mechanism, l.first_seen, l.last_seen
       from responds_to l join responses p on p.id = l.response_id join collections r on r.id = p.collection_id
            join tensions t on t.id = l.tension_id join collections c on c.id = t.collection_id
      where l.tension_id = $2
        and (c.kind <> 'private' or r.kind = 'private' or c.id = (select s.collection_id from tensions s where s.id = $1))
     on conflict (response_id, tension_id) do update set last_seen = excluded.last_seen
      where responds_to.last_seen < excluded.last_seen",
    "insert into spawned_from (tension_id, parent_id, spawned_at, origins)
     select $1, f.parent_id, f.spawned_at, f.origins from spawned_from f where f.tension_id = $2 and f.parent_id <> $1
     on conflict (tension_id, parent_id) do nothing",
    "insert into spawned_from (tension_id, parent_id, spawned_at, origins)
     select f.tension_id, $1, f.spawned_at, f.origins from spawned_from f where f.parent_id = $2 and f.tension_id <> $1
     on conflict (tension_id, parent_id) do nothing",
    "update tension_merges set survivor_id = $1 where survivor_id = $2",
];

impl TensionStore {
    /// Merges one tension into another: evidence, subjects, responses and ancestry move, and the old id leads to the survivor. A link
    /// that rests on private documents is removed where others would read it.
    /// Snapshots of the survivor are made again. `Stale` where the merged one is gone.
    pub async fn merge(&self, survivor: TensionId, merged: TensionId, now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            for statement in MOVES {
                execute!(conn, statement; survivor.0, merged.0);
            }
            let removed = execute!(conn, "delete from tensions where id = $1"; merged.0);
            if removed.rows_affected() == 0 {
                return Err(StoreError::Stale("the tension was merged meanwhile").into());
            }
            execute!(conn, "insert into tension_merges (merged_id, survivor_id, merged_at) values ($1, $2, $3)"; merged.0,
                survivor.0, Moment(now));
            execute!(conn, REFRESH; id_list([survivor.0]), Moment(now));
            execute!(conn, COUNT_CHANGE);
        })
    }

    /// Changes the state of a tension; returns whether it exists.
    pub async fn set_state(&self, id: TensionId, state: &TensionState) -> StoreResult<bool> {
        let (word, reason) = match state {
            TensionState::Active => ("active", ""),
            TensionState::Dismissed(reason) => ("dismissed", reason.as_str()),
        };
        write!(self.0, conn => {
            let changed = execute!(conn, "update tensions set state = $2, reason = $3 where id = $1"; id.0, word, reason);
            let exists = changed.rows_affected() > 0;
            if exists {
                execute!(conn, COUNT_CHANGE);
            }
            exists
        })
    }
}
