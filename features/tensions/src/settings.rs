//! Settings of the feature, `[features.tensions]`.

use crate::{heat::HeatRule, response::EventLimits};
use domain::Timestamp;
use feature::Schedule;
use serde::Deserialize;

domain::settings! {
    /// Search for stated strain, heat, agents of the cycle, and limits of the pages.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct TensionSettings {
        /// Interval of the search for stated strain and of the snapshots in milliseconds; 0 disables them.
        pub check_ms: u64 = 60_000,
        /// Documents searched in one transaction.
        pub documents_per_round: u32 = 50,
        /// Claims read at once.
        pub claims_per_page: u32 = 500,
        /// Tensions whose heat is recorded in one transaction.
        pub snapshots_per_round: u32 = 200,
        /// Texts without a vector that are embedded at once.
        pub vectors_per_round: u32 = 64,
        /// Days after which evidence counts half.
        pub half_life_days: f64 = 14.0,
        /// Part of one origin in the sum, by severity.
        pub minor_weight: f64 = 0.1,
        pub serious_weight: f64 = 0.25,
        pub severe_weight: f64 = 0.5,
        /// Part of its weight that evidence without a date has, 0 to 1.
        pub undated_share: f64 = 0.5,
        /// Days before today on the board, and of the first snapshots of a tension.
        pub history_days: u32 = 30,
        /// Days without evidence after which a new statement begins a new tension.
        pub quiet_days: u32 = 90,
        /// Likeness from which two tensions of a kind are one, 0 to 1.
        pub same_likeness: f64 = 0.85,
        /// Confidence of a tension that documents state, 0 to 1.
        pub stated_confidence: f64 = 0.5,
        /// Highest confidence of a tension that the model names that reads a document, 0 to 1.
        pub extracted_confidence: f64 = 0.6,
        /// Confidence and strength of a response that a person enters, 0 to 1.
        pub entered_confidence: f64 = 0.7,
        /// Days after which an event without a date is over, since it was last seen.
        pub undated_event_days: u32 = 30,
        /// Change of heat from which a tension rises or falls.
        pub trend: f64 = 0.05,
        /// Heat at whose crossing watchers of a tension are notified.
        pub watched_heat: f64 = 0.5,
        /// Heat that a tension has had, and that it has fallen to, when it counts as eased.
        pub eased_from: f64 = 0.3,
        pub eased_to: f64 = 0.1,
        /// Earlier tensions on the page of one.
        pub precedents: usize = 3,
        /// Tensions offered for a merge, and looked at for precedents.
        pub related: u32 = 50,
        /// Overviews of all tensions held in memory, one for each set of collections that people read.
        pub cached_overviews: usize = 8,
        /// Documents about strain in a chosen region below which the page says how few there are.
        pub few_documents: u32 = 5,
        /// Rows of a page.
        pub per_page: usize = 25,
        /// Entities of the explorer and newest claims about each that tensions are sought by, and most tensions and responses shown there.
        pub graph_entities: usize = 300,
        pub graph_claims: u32 = 20,
        pub graph_objects: usize = 40,
        /// Tensions of the tile on the home page.
        pub rising: u32 = 5,
        /// Whether invented reports of strain are added where the sample investigation is.
        pub sample_reports: bool = true,
        /// Times of the cycle in cron syntax, such as `30 4 * * *`; empty: only when someone runs it.
        pub schedule: String = String::new(),
        /// Time zone of the schedule, such as `Europe/Paris`.
        pub time_zone: String = "UTC".to_owned(),
        /// Interval in which interrupted and due orders of the cycle are looked for, and length of their leases, in milliseconds.
        pub order_check_ms: u64 = 30_000,
        pub order_lease_ms: u64 = 120_000,
        /// Tensions scouted in one cycle.
        pub scout_targets: u32 = 5,
        /// Confidence from which a tension is scouted, 0 to 1.
        pub scout_confidence: f64 = 0.5,
        /// Days after which a tension is scouted again.
        pub scout_days: u32 = 14,
        /// Tool calls of a session of the scout and of the curiosity.
        pub scout_tool_calls: u32 = 10,
        pub curiosity_tool_calls: u32 = 8,
        /// Model calls that a session is expected to need; none starts where the budget of the day does not reach.
        pub scout_model_calls: u32 = 3,
        /// Most searches and page reads of a session of the scout or of the curiosity; a call beyond is refused.
        pub scout_searches: u32 = 5,
        pub scout_page_reads: u32 = 3,
        /// Tokens that a model call is expected to use.
        pub tokens_per_call: u32 = 8_000,
        /// Searches and page reads of all sessions on one day.
        pub searches_per_day: u32 = 200,
        pub page_reads_per_day: u32 = 120,
        /// Claims of a tension that a session is given.
        pub opening_claims: usize = 20,
        /// Queries kept for the next scouting of a tension.
        pub future_queries: usize = 5,
        /// Confidence of responses and tensions that agents find, 0 to 1.
        pub response_confidence: f64 = 0.7,
        pub curiosity_confidence: f64 = 0.7,
        /// Highest confidence of a tension that a scout finds by the way; below `scout_confidence`.
        pub emergent_confidence: f64 = 0.4,
        /// Confidence of such a tension after so many further independent origins.
        pub corroborated_confidence: f64 = 0.5,
        pub corroborating_origins: u32 = 1,
        /// Newest unexplained documents that are grouped into situations, and situations of one cycle.
        pub curiosity_documents: u32 = 100,
        pub curiosity_situations: usize = 3,
        /// Fewest and most claims of a situation.
        pub situation_least: usize = 3,
        pub situation_claims: usize = 12,
        /// Stories written in one cycle.
        pub stories: u32 = 5,
        /// Orders on the page of runs.
        pub runs_shown: u32 = 25,
    }
}

impl TensionSettings {
    pub const fn heat_rule(&self) -> HeatRule {
        HeatRule {
            minor: self.minor_weight,
            serious: self.serious_weight,
            severe: self.severe_weight,
            half_life_days: self.half_life_days,
            undated_share: self.undated_share,
        }
    }

    /// Returns the moments up to which events are over.
    pub fn event_limits(&self, now: Timestamp) -> EventLimits {
        EventLimits::new(now, self.undated_event_days)
    }
}

impl TensionSettings {
    /// Returns the schedule of the cycle; none where there is none.
    pub fn schedule(&self) -> Option<Result<Schedule, String>> {
        (!self.schedule.is_empty()).then(|| Schedule::parse(&self.schedule, &self.time_zone))
    }

    fn problem_of_agents(&self) -> Option<String> {
        if let Some(Err(problem)) = self.schedule() {
            return Some(problem);
        }
        if self.emergent_confidence >= self.scout_confidence {
            let (emergent, least) = (self.emergent_confidence, self.scout_confidence);
            return Some(format!("emergent_confidence is {emergent}; it must be below scout_confidence, which is {least}"));
        }
        None
    }
}

impl feature::Settings for TensionSettings {
    fn problem(&self) -> Option<String> {
        let shares = [
            ("undated_share", self.undated_share),
            ("same_likeness", self.same_likeness),
            ("stated_confidence", self.stated_confidence),
            ("extracted_confidence", self.extracted_confidence),
            ("entered_confidence", self.entered_confidence),
            ("trend", self.trend),
            ("watched_heat", self.watched_heat),
            ("eased_from", self.eased_from),
            ("eased_to", self.eased_to),
            ("scout_confidence", self.scout_confidence),
            ("response_confidence", self.response_confidence),
            ("curiosity_confidence", self.curiosity_confidence),
            ("emergent_confidence", self.emergent_confidence),
            ("corroborated_confidence", self.corroborated_confidence),
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
            ("undated_event_days", f64::from(self.undated_event_days)),
            ("per_page", self.per_page as f64),
            ("order_check_ms", self.order_check_ms as f64),
            ("order_lease_ms", self.order_lease_ms as f64),
            ("scout_tool_calls", f64::from(self.scout_tool_calls)),
            ("curiosity_tool_calls", f64::from(self.curiosity_tool_calls)),
            ("corroborating_origins", f64::from(self.corroborating_origins)),
            ("situation_least", self.situation_least as f64),
            ("situation_claims", self.situation_claims as f64),
        ];
        let low = amounts.into_iter().find(|(_, amount)| !amount.is_finite() || *amount <= 0.0);
        low.map(|(name, amount)| format!("{name} is {amount}; it must be above 0")).or_else(|| self.problem_of_agents())
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
        let often = TensionSettings { schedule: "often".into(), ..TensionSettings::default() };
        assert!(often.problem().unwrap().starts_with("schedule is 'often'"));
        let endless = TensionSettings { emergent_confidence: 0.5, ..TensionSettings::default() };
        assert!(endless.problem().unwrap().starts_with("emergent_confidence is 0.5"), "a scout must not scout what it finds");
    }
}
