//! Clock skew check against the database. Leases, heartbeats and registrations are timestamps, so skewed machines would expire
//! each other's work.

use crate::Program;
use engine::StoreResult;

/// Describes excessive clock skew, if any.
pub async fn clock_problem(program: &Program) -> StoreResult<Option<String>> {
    if !program.config.is_scaled_out() {
        return Ok(None);
    }
    Ok(skew_problem(program.store.clock_ahead_ms().await?, program.config.engine.lease_ms))
}

/// Tolerates a quarter of a lease, because leases are renewed after a third.
fn skew_problem(ahead_ms: i64, lease_ms: u64) -> Option<String> {
    let most_ms = lease_ms / 4;
    let where_to = if ahead_ms > 0 { "ahead of" } else { "behind" };
    (ahead_ms.unsigned_abs() > most_ms).then(|| {
        format!(
            "the clock of this machine is {} ms {where_to} that of the database; at most {most_ms} ms (a quarter of \
             engine.lease_ms) is allowed: synchronise both clocks with NTP",
            ahead_ms.unsigned_abs()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::skew_problem;

    #[test]
    fn skew_up_to_a_quarter_of_a_lease_is_tolerated() {
        for ahead_ms in [-3_750, 0, 3_750] {
            assert_eq!(skew_problem(ahead_ms, 15_000), None);
        }
        assert!(skew_problem(3_751, 15_000).unwrap().contains("3751 ms ahead of"));
        assert!(skew_problem(-60_000, 15_000).unwrap().contains("60000 ms behind"));
    }
}
