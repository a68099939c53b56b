//! Tables of which a person reads a row: the data without which entries of the navigation are not shown.

use crate::Web;
use app::{NavTables, TablesWithRows, TablesWithRowsFuture};
use domain::{Timestamp, UserId};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Milliseconds for which found rows count without another look.
const KEPT_MS: i64 = 600_000;

/// Tables with rows per person, with the time of the look. A look that missed a table is repeated, so that new data is shown at once.
#[derive(Clone, Default)]
struct Looks(Arc<Mutex<HashMap<UserId, (Timestamp, TablesWithRows)>>>);

impl Looks {
    /// Returns the last look of a person, where it is recent and found a row in each of the tables.
    fn recent(&self, viewer: UserId, tables: &[&str], now: Timestamp) -> Option<TablesWithRows> {
        let looks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, found) = looks.get(&viewer)?;
        let is_current = at.plus_ms(KEPT_MS) > now && tables.iter().all(|table| found.contains(*table));
        is_current.then(|| found.clone())
    }

    fn keep(&self, viewer: UserId, found: TablesWithRows, now: Timestamp) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(viewer, (now, found));
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
async fn find(web: &Web, viewer: UserId, tables: &[&str]) -> TablesWithRows {
    let looks = web.memory.get_or_load("nav tables", async { Looks::default() }).await;
    let now = web.engine.clock.now();
    if let Some(found) = looks.recent(viewer, tables, now) {
        return found;
    }
    match web.store.tables_with_rows(viewer, tables).await {
        Ok(found) => {
            looks.keep(viewer, found.clone(), now);
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

    #[test]
    fn a_look_counts_while_it_is_recent_and_found_everything() {
        let (looks, viewer) = (Looks::default(), UserId(Default::default()));
        let now = Timestamp::from_micros(0);
        looks.keep(viewer, all(&["documents"]), now);
        assert_eq!(looks.recent(viewer, &["documents"], now), Some(all(&["documents"])));
        assert_eq!(looks.recent(viewer, &["documents", "tensions"], now), None, "the first tension is shown at once");
        assert_eq!(looks.recent(viewer, &["documents"], now.plus_ms(KEPT_MS)), None);
    }
}
