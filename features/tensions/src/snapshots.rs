//! Daily snapshots of the heat of the evidence in a tension's own collection, computed from its dates at any time.
//!
//! They rank and choose among many tensions. What a page shows of one is computed from the evidence that its reader may read.

use crate::{
    heat::{HeatRule, OriginEvidence},
    settings::TensionSettings,
    store::{DueSnapshot, SnapshotBatch, TensionStore},
    tension::{TensionId, day_number},
};
use domain::Timestamp;
use engine::StoreResult;
use feature::Web;
use std::collections::HashMap;

/// Records the heat of one batch of tensions up to today; returns how many there were.
pub async fn record_once(web: &Web) -> StoreResult<usize> {
    let settings = web.settings.get::<TensionSettings>();
    record_batch(&TensionStore::new(web), &settings, web.engine.clock.now()).await
}

/// The same with its time as an argument.
pub async fn record_batch(store: &TensionStore, settings: &TensionSettings, now: Timestamp) -> StoreResult<usize> {
    let (today, rule) = (day_number(now), settings.heat_rule());
    let due = store.due_snapshots(today, settings.snapshots_per_round).await?;
    if due.is_empty() {
        return Ok(0);
    }
    let oldest = today - i64::from(settings.history_days) + 1;
    let ids: Vec<TensionId> = due.iter().map(|one| one.tension).collect();
    let mut evidence: HashMap<TensionId, Vec<OriginEvidence>> = HashMap::new();
    for (id, one) in store.own_evidence(&ids, rule.first_counted_day(oldest)).await? {
        evidence.entry(id).or_default().push(one);
    }
    let batch = |due: &DueSnapshot| {
        let evidence = evidence.get(&due.tension).map(Vec::as_slice).unwrap_or_default();
        snapshot_batch(*due, evidence, &rule, oldest, today)
    };
    let batches: Vec<SnapshotBatch> = due.iter().map(batch).collect();
    store.put_snapshots(&batches).await?;
    Ok(due.len())
}

/// Returns the snapshots of the missing days; those of `oldest` and later where evidence was added.
fn snapshot_batch(due: DueSnapshot, evidence: &[OriginEvidence], rule: &HeatRule, oldest: i64, today: i64) -> SnapshotBatch {
    let first = due.last.map_or(oldest, |last| (last + 1).max(oldest));
    let heat = rule.heat_of_days(first..=today, evidence);
    SnapshotBatch { due, days: (first..=today).zip(heat).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{heat::DayHeat, tension::Severity};
    use testkit::id;

    #[test]
    fn missing_days_are_computed_and_known_ones_kept() {
        let rule = TensionSettings::default().heat_rule();
        let rows = [OriginEvidence { origin: "a".into(), severity: Severity::Severe, day: 90, is_undated: false }];
        let due = |last| DueSnapshot { tension: TensionId(id()), last, changed_at: Timestamp::from_micros(0) };
        let days = |last| snapshot_batch(due(last), &rows, &rule, 71, 100).days;
        assert_eq!(days(None).len(), 30);
        assert_eq!(days(None)[18], (89, DayHeat::default()));
        assert_eq!(days(None)[19].1.origins, 1);
        assert_eq!(days(Some(98)).iter().map(|(day, ..)| *day).collect::<Vec<_>>(), [99, 100]);
        assert_eq!(days(Some(10)).len(), 30, "after a long pause, as many days as at first");
    }
}
