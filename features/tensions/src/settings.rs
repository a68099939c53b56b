//! Settings of the feature, `[features.tensions]`.

use crate::heat::HeatRule;
use serde::Deserialize;

/// Search for stated strain, heat, and limits of the pages.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TensionSettings {
    /// Interval of the search for stated strain and of the snapshots in milliseconds; 0 disables them.
    pub check_ms: u64,
    /// Documents searched in one transaction.
    pub documents_per_round: u32,
    /// Claims read at once.
    pub claims_per_page: u32,
    /// Tensions whose heat is recorded in one transaction.
    pub snapshots_per_round: u32,
    /// Texts without a vector that are embedded at once.
    pub vectors_per_round: u32,
    /// Days after which evidence counts half.
    pub half_life_days: f64,
    /// Part of one origin in the sum, by severity.
    pub minor_weight: f64,
    pub serious_weight: f64,
    pub severe_weight: f64,
    /// Days of heat that the first snapshot of a tension computes from dated evidence.
    pub history_days: u32,
    /// Days without evidence after which a new statement begins a new tension.
    pub quiet_days: u32,
    /// Likeness from which two tensions of a kind are one, 0 to 1.
    pub same_likeness: f64,
    /// Confidence of a tension that documents state, 0 to 1.
    pub stated_confidence: f64,
    /// Confidence and strength of a response that a person enters, 0 to 1.
    pub entered_confidence: f64,
    /// Change of heat from which a tension rises or falls.
    pub trend: f64,
    /// Heat that a tension has had, and that it has fallen to, when it counts as eased.
    pub eased_from: f64,
    pub eased_to: f64,
    /// Earlier tensions on the page of one.
    pub precedents: usize,
    /// Tensions offered for a merge, and looked at for precedents.
    pub related: u32,
    /// Rows of a page.
    pub per_page: usize,
    /// Days of the calendar.
    pub calendar_days: u32,
}

impl Default for TensionSettings {
    fn default() -> Self {
        Self {
            check_ms: 60_000,
            documents_per_round: 50,
            claims_per_page: 500,
            snapshots_per_round: 200,
            vectors_per_round: 64,
            half_life_days: 14.0,
            minor_weight: 0.1,
            serious_weight: 0.25,
            severe_weight: 0.5,
            history_days: 30,
            quiet_days: 90,
            same_likeness: 0.85,
            stated_confidence: 0.5,
            entered_confidence: 0.7,
            trend: 0.05,
            eased_from: 0.3,
            eased_to: 0.1,
            precedents: 3,
            related: 50,
            per_page: 25,
            calendar_days: 371,
        }
    }
}

impl TensionSettings {
    pub const fn heat_rule(&self) -> HeatRule {
        HeatRule {
            minor: self.minor_weight,
            serious: self.serious_weight,
            severe: self.severe_weight,
            half_life_days: self.half_life_days,
        }
    }
}

impl feature::Settings for TensionSettings {
    fn problem(&self) -> Option<String> {
        let shares = [
            ("same_likeness", self.same_likeness),
            ("stated_confidence", self.stated_confidence),
            ("entered_confidence", self.entered_confidence),
            ("trend", self.trend),
            ("eased_from", self.eased_from),
            ("eased_to", self.eased_to),
        ];
        let outside = shares.into_iter().find(|(_, share)| !(0.0..=1.0).contains(share));
        if let Some((name, share)) = outside {
            return Some(format!("{name} is {share}; it must be from 0 to 1"));
        }
        let amounts = [
            ("half_life_days", self.half_life_days),
            ("minor_weight", self.minor_weight),
            ("serious_weight", self.serious_weight),
            ("severe_weight", self.severe_weight),
            ("documents_per_round", f64::from(self.documents_per_round)),
            ("claims_per_page", f64::from(self.claims_per_page)),
            ("snapshots_per_round", f64::from(self.snapshots_per_round)),
            ("vectors_per_round", f64::from(self.vectors_per_round)),
            ("history_days", f64::from(self.history_days)),
            ("calendar_days", f64::from(self.calendar_days)),
            ("per_page", self.per_page as f64),
        ];
        let low = amounts.into_iter().find(|(_, amount)| !amount.is_finite() || *amount <= 0.0);
        low.map(|(name, amount)| format!("{name} is {amount}; it must be above 0"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use feature::Settings;

    #[test]
    fn the_defaults_are_valid_and_wrong_values_are_named() {
        assert_eq!(TensionSettings::default().problem(), None);
        let high = TensionSettings { same_likeness: 1.5, ..TensionSettings::default() };
        assert_eq!(high.problem().unwrap(), "same_likeness is 1.5; it must be from 0 to 1");
        let none = TensionSettings { half_life_days: 0.0, ..TensionSettings::default() };
        assert!(none.problem().unwrap().starts_with("half_life_days is 0"));
    }
}
