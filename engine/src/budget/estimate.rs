//! Usage estimate of an investigation, for the page that starts one.

use crate::{Engine, StoreResult, models::RoleModels};
use domain::{
    budget::{Estimate, PastInvestigation, Spend},
    investigation::Depth,
};
use std::collections::BTreeSet;

/// Returns the estimate of each depth from finished investigations with these models.
pub async fn estimates(engine: &Engine, models: &RoleModels) -> StoreResult<Vec<Estimate>> {
    let names = models.all().map(|model| (model.provider().to_owned(), model.model().to_owned()));
    let models: Vec<_> = names.collect::<BTreeSet<_>>().into_iter().collect();
    let runs = engine.ledger.past_investigations(&models, engine.budget.estimate_sample_size).await?;
    Ok(Depth::ALL.into_iter().map(|depth| at_depth(depth, &runs, &engine.budget.currency)).collect())
}

fn at_depth(depth: Depth, runs: &[PastInvestigation], currency: &str) -> Estimate {
    let (spent, mut took_ms): (Vec<Spend>, Vec<u64>) =
        runs.iter().filter(|run| run.depth == depth).map(|run| (run.spend, run.took_ms)).unzip();
    took_ms.sort_unstable();
    Estimate {
        depth,
        past_investigations: u32::try_from(spent.len()).unwrap_or(u32::MAX),
        median: quantile(&spent, 0.5),
        p90: quantile(&spent, 0.9),
        median_ms: took_ms.get(took_ms.len().div_ceil(2).saturating_sub(1)).copied().unwrap_or(0),
        currency: currency.to_owned(),
    }
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
    fn an_estimate_counts_its_own_depth_alone() {
        let run = |depth, minutes: u64| PastInvestigation { depth, took_ms: minutes * 60_000, ..PastInvestigation::default() };
        let runs = [run(Depth::Quick, 1), run(Depth::Standard, 8), run(Depth::Standard, 4), run(Depth::Standard, 30)];
        let took = Depth::ALL.map(|depth| {
            let estimate = at_depth(depth, &runs, "USD");
            (estimate.past_investigations, estimate.median_ms / 60_000)
        });
        assert_eq!(took, [(1, 1), (3, 8), (0, 0)]);
    }

    #[test]
    fn an_estimate_has_the_median_and_the_ninth_decile() {
        let runs: Vec<Spend> = (1..=10).map(|n| Spend { tokens_in: n * 100, tokens_out: 11 - n, cost_micros: n }).collect();
        assert_eq!(quantile(&runs, 0.5), Spend { tokens_in: 500, tokens_out: 5, cost_micros: 5 });
        assert_eq!(quantile(&runs, 0.9), Spend { tokens_in: 900, tokens_out: 9, cost_micros: 9 });
        assert_eq!(quantile(&[], 0.9), Spend::default());
        assert_eq!(quantile(&runs[..1], 0.5).tokens_in, 100);
    }
}
