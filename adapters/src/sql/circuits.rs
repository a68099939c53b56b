//! Circuit states: one row per dependency that has had a failure. The first writer of a state wins.

use super::{
    Store,
    fault::Fault,
    notify::Topic,
    types::{Moment, count, text_list, word},
};
use async_trait::async_trait;
use engine::{
    StoreResult,
    reliability::{Circuit, CircuitState, Circuits},
};
use uuid::Uuid;

const PUT: &str = "insert into circuit_states
         (dependency, state, failures, reason, opened_at, retry_at, prober, probe_until, version, needs_person)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
     where $9 = 1 or exists (select 1 from circuit_states where dependency = $1)
     on conflict (dependency) do update
     set state = excluded.state, failures = excluded.failures, reason = excluded.reason, opened_at = excluded.opened_at,
         retry_at = excluded.retry_at, prober = excluded.prober, probe_until = excluded.probe_until, version = excluded.version,
         needs_person = excluded.needs_person
     where circuit_states.version = excluded.version - 1";

#[derive(sqlx::FromRow)]
struct CircuitRow {
    dependency: String,
    state: String,
    failures: i64,
    reason: Option<String>,
    opened_at: Option<Moment>,
    retry_at: Option<Moment>,
    prober: Option<Uuid>,
    probe_until: Option<Moment>,
    version: i64,
    needs_person: bool,
}

impl CircuitRow {
    fn circuit(self) -> Result<Circuit, Fault> {
        Ok(Circuit {
            dependency: self.dependency,
            state: word("state of a circuit", &self.state, CircuitState::parse)?,
            failures: count(self.failures)?,
            reason: self.reason,
            opened_at: self.opened_at.map(|moment| moment.0),
            retry_at: self.retry_at.map(|moment| moment.0),
            prober: self.prober,
            probe_until: self.probe_until.map(|moment| moment.0),
            version: count(self.version)?,
            needs_person: self.needs_person,
        })
    }
}

#[async_trait]
impl Circuits for Store {
    async fn circuit(&self, dependency: &str) -> StoreResult<Circuit> {
        read!(self, conn => {
            let row: Option<CircuitRow> = rows!(conn.fetch_optional, "select * from circuit_states where dependency = $1";
                dependency);
            row.map_or_else(|| Ok(Circuit::closed(dependency)), CircuitRow::circuit)?
        })
    }

    async fn put_circuit(&self, circuit: &Circuit) -> StoreResult<bool> {
        let is_first = write!(self, conn => {
            let stored = execute!(conn, PUT; &circuit.dependency, circuit.state.as_str(), i64::from(circuit.failures),
                &circuit.reason, circuit.opened_at.map(Moment), circuit.retry_at.map(Moment), circuit.prober,
                circuit.probe_until.map(Moment), circuit.version as i64, circuit.needs_person);
            stored.rows_affected() == 1
        })?;
        if is_first {
            self.inner.notifier.publish(Topic::Circuits);
        }
        Ok(is_first)
    }

    async fn circuits(&self) -> StoreResult<Vec<Circuit>> {
        read!(self, conn => {
            let rows: Vec<CircuitRow> = rows!(conn.fetch_all, "select * from circuit_states order by dependency");
            rows.into_iter().map(CircuitRow::circuit).collect::<Result<_, Fault>>()?
        })
    }

    async fn circuit_changed(&self, seen: &[Circuit]) -> StoreResult<()> {
        let mut news = self.inner.notifier.subscribe(Topic::Circuits);
        let names = text_list(seen.iter().map(|circuit| circuit.dependency.as_str()));
        let seen: u64 = seen.iter().map(|circuit| circuit.version).sum();
        loop {
            news.borrow_and_update();
            // Versions only grow, so that their sum tells whether one has changed.
            let stored: i64 = read!(self, conn => {
                values!(conn.fetch_one, "select cast(coalesce(sum(version), 0) as bigint) from circuit_states
                     where dependency in (select value from json_each($1))"; &names)
            })?;
            if stored.cast_unsigned() != seen || news.changed().await.is_err() {
                return Ok(());
            }
        }
    }
}
