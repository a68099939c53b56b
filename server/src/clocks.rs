//! Whether the clock of this machine agrees with that of the database, as far as machines that share one must: leases, heartbeats and
//! registrations are moments, which whoever is ahead finds expired while others still hold them.

use crate::Program;
use engine::StoreResult;

/// What is wrong with the clock of this machine, in words.
pub(crate) async fn problem(program: &Program) -> StoreResult<Option<String>> {
    if !program.config.is_scaled_out() {
        return Ok(None);
    }
    Ok(apart(program.store.clock_ahead_ms().await?, program.config.engine.lease_ms))
}

/// More than a quarter of a lease is too much: it is renewed at a third.
fn apart(ahead_ms: i64, lease_ms: u64) -> Option<String> {
    let most_ms = lease_ms / 4;
    let where_to = if ahead_ms > 0 { "ahead of" } else { "behind" };
    (ahead_ms.unsigned_abs() > most_ms).then(|| {
        format!(
            "the clock of this machine is {} ms {where_to} that of the database, and more than {most_ms} ms (a quarter of \
             engine.lease_ms) would take work away from those who do it: have both set by NTP",
            ahead_ms.unsigned_abs()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn a_quarter_of_a_lease_is_the_most() {
        for ahead_ms in [-3_750, 0, 3_750] {
            assert_eq!(apart(ahead_ms, 15_000), None);
        }
        assert!(apart(3_751, 15_000).unwrap().contains("3751 ms ahead of"));
        assert!(apart(-60_000, 15_000).unwrap().contains("60000 ms behind"));
    }
}
