//! Tables of which a person reads a row: the data without which entries of the navigation are not shown.

use crate::Web;
use app::{NavTables, TablesWithRows, TablesWithRowsFuture};
use domain::{Timestamp, UserId};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Milliseconds for which found rows count without another look.
const KEPT_MS: i64 = 600_000;
/// The same for a table without rows, unless an investigation changes before.
const EMPTY_KEPT_MS: i64 = 5_000;

/// Time of a look, and the changes of investigations until then.
#[derive(Debug, Clone, Copy)]
struct LookTime {
    at: Timestamp,
    changes: u64,
}

/// Look of a person at a table.
#[derive(Debug, Clone, Copy)]
struct Look {
    time: LookTime,
    has_rows: bool,
}

impl Look {
    fn is_current(&self, now: LookTime) -> bool {
        let is_within = |kept_ms: i64| self.time.at.plus_ms(kept_ms) > now.at;
        match self.has_rows {
            true => is_within(KEPT_MS),
            false => is_within(EMPTY_KEPT_MS) && self.time.changes == now.changes,
        }
    }
}

/// Looks of each person at each table.
#[derive(Clone, Default)]
struct Looks(Arc<Mutex<HashMap<UserId, HashMap<&'static str, Look>>>>);

impl Looks {
    /// Returns the tables in which a recent look of a person found a row, and those that need another look.
    fn recent(&self, viewer: UserId, tables: &[&'static str], now: LookTime) -> (TablesWithRows, Vec<&'static str>) {
        let looks = self.lock();
        let of_person = looks.get(&viewer);
        let (mut found, mut due) = (TablesWithRows::new(), vec![]);
        for table in tables.iter().copied() {
            match of_person.and_then(|looks| looks.get(table)).filter(|look| look.is_current(now)) {
                Some(look) if look.has_rows => _ = found.insert(table.to_owned()),
                Some(_) => {}
                None => due.push(table),
            }
        }
        (found, due)
    }

    fn keep(&self, viewer: UserId, tables: &[&'static str], found: &TablesWithRows, time: LookTime) {
        let looks = tables.iter().map(|table| (*table, Look { time, has_rows: found.contains(*table) }));
        self.lock().entry(viewer).or_default().extend(looks);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<UserId, HashMap<&'static str, Look>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the port with which the frame of every page asks for tables with rows.
pub fn nav_tables() -> NavTables {
    NavTables(Arc::new(|viewer: UserId, tables: Vec<&'static str>| -> TablesWithRowsFuture {
        let web = Web::of_page();
        Box::pin(async move {
            match web {
                Some(web) => find(&web, viewer, &tables).await,
                None => all(&tables),
            }
        })
    }))
}

/// Finds the tables with rows, in at most one statement. Where they cannot be read, every entry is shown.
async fn find(web: &Web, viewer: UserId, tables: &[&'static str]) -> TablesWithRows {
    let looks = web.memory.get_or_load("nav tables", async { Looks::default() }).await;
    // Read before the rows, so that a change during the look leads to another one.
    let now = LookTime { at: web.engine.clock.now(), changes: web.store.count_investigation_changes() };
    let (mut found, due) = looks.recent(viewer, tables, now);
    if due.is_empty() {
        return found;
    }
    match web.store.tables_with_rows(viewer, &due).await {
        Ok(filled) => {
            looks.keep(viewer, &due, &filled, now);
            found.extend(filled);
            found
        }
        Err(error) => {
            tracing::error!(%error, "entries of the navigation shown without a look at the data");
            all(tables)
        }
    }
}

fn all(tables: &[&str]) -> TablesWithRows {
    tables.iter().map(|table| (*table).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    const TABLES: [&str; 2] = ["documents", "tensions"];

    #[test]
    fn found_rows_count_for_long_and_an_empty_table_for_seconds_or_until_an_investigation_changes() {
        let (looks, viewer) = (Looks::default(), UserId(Uuid::from_u128(1)));
        let after = |ms: i64, changes: u64| LookTime { at: Timestamp::from_micros(0).plus_ms(ms), changes };
        let documents = all(&["documents"]);
        assert_eq!(looks.recent(viewer, &TABLES, after(0, 0)), (all(&[]), TABLES.to_vec()), "no look yet");

        looks.keep(viewer, &TABLES, &documents, after(0, 0));
        assert_eq!(looks.recent(viewer, &TABLES, after(EMPTY_KEPT_MS - 1, 0)), (documents.clone(), vec![]));
        assert_eq!(looks.recent(viewer, &TABLES, after(EMPTY_KEPT_MS, 0)), (documents.clone(), vec!["tensions"]));
        assert_eq!(looks.recent(viewer, &TABLES, after(0, 1)), (documents.clone(), vec!["tensions"]), "it may have rows now");
        assert_eq!(looks.recent(UserId(Uuid::from_u128(2)), &TABLES, after(0, 0)).1, TABLES, "of one person only");

        looks.keep(viewer, &["tensions"], &all(&["tensions"]), after(EMPTY_KEPT_MS, 1));
        assert_eq!(looks.recent(viewer, &TABLES, after(KEPT_MS - 1, 2)), (all(&TABLES), vec![]));
        assert_eq!(looks.recent(viewer, &TABLES, after(KEPT_MS, 2)), (all(&["tensions"]), vec!["documents"]));
    }
}
