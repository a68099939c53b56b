//! Usage estimate of an investigation, for the page that starts one.

use crate::{Engine, StoreResult};
use domain::budget::{Estimate, Spend};
use std::collections::BTreeSet;

/// Returns the estimate from finished investigations with the current models.
pub async fn estimate(engine: &Engine) -> StoreResult<Estimate> {
    let names = engine.role_models.all().map(|model| (model.provider().to_owned(), model.model().to_owned()));
    let models: Vec<_> = names.collect::<BTreeSet<_>>().into_iter().collect();
    let runs = engine.ledger.past_investigations(&models, engine.budget.estimate_sample_size).await?;
    Ok(Estimate {
        past_investigations: u32::try_from(runs.len()).unwrap_or(u32::MAX),
        median: quantile(&runs, 0.5),
        p90: quantile(&runs, 0.9),
        currency: engine.budget.currency.clone(),
    })
}

/// Returns the quantile of each number separately.
fn quantile(runs: &[Spend], share: f64) -> Spend {
    let of = |number: fn(&Spend) -> u64| {
        let mut numbers: Vec<u64> = runs.iter().map(number).collect();
        numbers.sort_unstable();
        let rank = (numbers.len() as f64 * share).ceil() as usize;
        numbers.get(rank.saturating_sub(1)).copied().unwrap_or(0)
    };
    Spend { tokens_in: of(|run| run.tokens_in), tokens_out: of(|run| run.tokens_out), cost_micros: of(|run| run.cost_micros) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_and_nine_of_ten_used_no_more() {
        let runs: Vec<Spend> = (1..=10).map(|n| Spend { tokens_in: n * 100, tokens_out: 11 - n, cost_micros: n }).collect();
        assert_eq!(quantile(&runs, 0.5), Spend { tokens_in: 500, tokens_out: 5, cost_micros: 5 });
        assert_eq!(quantile(&runs, 0.9), Spend { tokens_in: 900, tokens_out: 9, cost_micros: 9 });
        assert_eq!(quantile(&[], 0.9), Spend::default());
        assert_eq!(quantile(&runs[..1], 0.5).tokens_in, 100);
    }
}
