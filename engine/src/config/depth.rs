//! Effort of an investigation by depth. Standard is what the rest of the configuration says.

use super::EngineConfig;
use domain::investigation::{Depth, Limits};
use serde::{Deserialize, Serialize};

/// Limits of the depths besides standard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "WrittenDepths")]
pub struct DepthConfig {
    pub quick: DepthLimits,
    pub thorough: DepthLimits,
}

/// Effort of one investigation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DepthLimits {
    /// Cycles before the final session is forced.
    pub max_cycles: u32,
    /// Tool calls (searches, passages) of one Analyst session.
    pub analyst_max_tool_calls: u32,
    /// Tool calls (searches, pages) of one Processor session.
    pub processor_max_tool_calls: u32,
    /// Work orders of one cycle.
    pub max_work_orders_per_cycle: u32,
    /// Search queries of a Processor's plan.
    pub max_planned_queries: u32,
    /// Share of `budget.investigation` that it may use.
    pub budget_share: f64,
    /// Share of `budget.investigation` for the dissent; 0: no dissent; none: `engine.dissent.budget_share`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dissent_share: Option<f64>,
}

/// Depths as a file writes them: what is left out keeps its default.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WrittenDepths {
    quick: WrittenLimits,
    thorough: WrittenLimits,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WrittenLimits {
    max_cycles: Option<u32>,
    analyst_max_tool_calls: Option<u32>,
    processor_max_tool_calls: Option<u32>,
    max_work_orders_per_cycle: Option<u32>,
    max_planned_queries: Option<u32>,
    budget_share: Option<f64>,
    dissent_share: Option<f64>,
}

impl WrittenLimits {
    fn or(self, default: DepthLimits) -> DepthLimits {
        DepthLimits {
            max_cycles: self.max_cycles.unwrap_or(default.max_cycles),
            analyst_max_tool_calls: self.analyst_max_tool_calls.unwrap_or(default.analyst_max_tool_calls),
            processor_max_tool_calls: self.processor_max_tool_calls.unwrap_or(default.processor_max_tool_calls),
            max_work_orders_per_cycle: self.max_work_orders_per_cycle.unwrap_or(default.max_work_orders_per_cycle),
            max_planned_queries: self.max_planned_queries.unwrap_or(default.max_planned_queries),
            budget_share: self.budget_share.unwrap_or(default.budget_share),
            dissent_share: self.dissent_share.or(default.dissent_share),
        }
    }
}

impl From<WrittenDepths> for DepthConfig {
    fn from(written: WrittenDepths) -> Self {
        let Self { quick, thorough } = Self::default();
        Self { quick: written.quick.or(quick), thorough: written.thorough.or(thorough) }
    }
}

impl Default for DepthConfig {
    fn default() -> Self {
        Self {
            quick: DepthLimits {
                max_cycles: 2,
                analyst_max_tool_calls: 25,
                processor_max_tool_calls: 100,
                max_work_orders_per_cycle: 5,
                max_planned_queries: 4,
                budget_share: 0.25,
                dissent_share: Some(0.0),
            },
            thorough: DepthLimits {
                max_cycles: 20,
                analyst_max_tool_calls: 100,
                processor_max_tool_calls: 800,
                max_work_orders_per_cycle: 40,
                max_planned_queries: 32,
                budget_share: 1.0,
                dissent_share: None,
            },
        }
    }
}

impl EngineConfig {
    /// Returns the limits of a depth.
    pub const fn at(&self, depth: Depth) -> DepthLimits {
        match depth {
            Depth::Quick => self.depth.quick,
            Depth::Thorough => self.depth.thorough,
            Depth::Standard => DepthLimits {
                max_cycles: self.max_cycles,
                analyst_max_tool_calls: self.analyst_max_tool_calls,
                processor_max_tool_calls: self.processor_max_tool_calls,
                max_work_orders_per_cycle: self.max_work_orders_per_cycle,
                max_planned_queries: self.max_planned_queries,
                budget_share: 1.0,
                dissent_share: None,
            },
        }
    }

    /// Returns the share of `budget.investigation` for the dissent at a depth, and the setting that says so.
    pub fn dissent_share(&self, depth: Depth) -> (f64, &'static str) {
        match (self.at(depth).dissent_share, depth) {
            (Some(share), Depth::Quick) => (share, "engine.depth.quick.dissent_share"),
            (Some(share), _) => (share, "engine.depth.thorough.dissent_share"),
            (None, _) => (self.dissent.budget_share, "engine.dissent.budget_share"),
        }
    }

    /// Returns the limits of the state table at a depth.
    pub const fn limits(&self, depth: Depth) -> Limits {
        Limits {
            max_cycles: self.at(depth).max_cycles,
            max_empty_sessions: self.max_empty_sessions,
            max_failed_cycles: self.max_failed_cycles,
        }
    }
}

impl DepthConfig {
    /// Returns the first invalid setting, with the remedy.
    pub(super) fn problem(&self) -> Option<String> {
        [("quick", &self.quick), ("thorough", &self.thorough)].into_iter().find_map(|(depth, limits)| {
            let at_least_one = [
                ("max_cycles", limits.max_cycles),
                ("analyst_max_tool_calls", limits.analyst_max_tool_calls),
                ("processor_max_tool_calls", limits.processor_max_tool_calls),
                ("max_work_orders_per_cycle", limits.max_work_orders_per_cycle),
                ("max_planned_queries", limits.max_planned_queries),
            ];
            let share = limits.budget_share;
            let zero = at_least_one.into_iter().find(|(_, value)| *value == 0);
            let zero = zero.map(|(name, _)| format!("engine.depth.{depth}.{name} is 0; it must be at least 1"));
            let wrong_share = !(share > 0.0 && share <= 1.0);
            let dissent = limits.dissent_share.unwrap_or_default();
            let wrong_dissent = !(0.0..=1.0).contains(&dissent);
            zero.or_else(|| {
                wrong_share.then(|| format!("engine.depth.{depth}.budget_share is {share}; it must be above 0 and at most 1"))
            })
            .or_else(|| {
                wrong_dissent.then(|| format!("engine.depth.{depth}.dissent_share is {dissent}; it must be from 0 to 1"))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_depth_does_more_than_the_one_before() {
        let config = EngineConfig::default();
        let [quick, standard, thorough] = Depth::ALL.map(|depth| config.at(depth));
        for (less, more) in [(quick, standard), (standard, thorough)] {
            assert!(less.max_cycles < more.max_cycles && less.max_planned_queries < more.max_planned_queries);
            assert!(less.analyst_max_tool_calls < more.analyst_max_tool_calls);
            assert!(less.processor_max_tool_calls < more.processor_max_tool_calls);
            assert!(less.max_work_orders_per_cycle < more.max_work_orders_per_cycle && less.budget_share <= more.budget_share);
        }
    }

    #[test]
    fn the_share_of_the_dissent_is_that_of_its_depth_or_that_of_all_depths() {
        let mut config = EngineConfig::default();
        config.dissent.budget_share = 0.3;
        let shares = |config: &EngineConfig| Depth::ALL.map(|depth| config.dissent_share(depth).0);
        assert_eq!(shares(&config), [0.0, 0.3, 0.3]);
        config.depth.thorough.dissent_share = Some(0.5);
        assert_eq!(shares(&config), [0.0, 0.3, 0.5]);
        assert_eq!(config.dissent_share(Depth::Thorough).1, "engine.depth.thorough.dissent_share");
    }

    #[test]
    fn an_omitted_setting_keeps_its_default() {
        let config: EngineConfig = serde_json::from_str(r#"{"depth": {"quick": {"max_cycles": 1}}}"#).unwrap();
        let mut expected = DepthConfig::default();
        expected.quick.max_cycles = 1;
        assert_eq!(config.depth, expected);
    }

    #[test]
    fn a_depth_without_effort_is_refused() {
        let mut config = EngineConfig::default();
        assert_eq!(config.problem(), None);
        config.depth.quick.budget_share = 0.0;
        assert_eq!(config.problem().unwrap(), "engine.depth.quick.budget_share is 0; it must be above 0 and at most 1");
        config.depth.quick.max_cycles = 0;
        assert_eq!(config.problem().unwrap(), "engine.depth.quick.max_cycles is 0; it must be at least 1");
    }
}
