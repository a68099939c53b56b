//! Settings of the feature, `[features.tensions]`.

use crate::{heat::HeatRule, response::EventLimits};
use domain::Timestamp;
use feature::Schedule;
use serde::Deserialize;

/// Search for stated strain, heat, agents of the cycle, and limits of the pages.
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
    /// Part of its weight that evidence without a date has, 0 to 1.
    pub undated_share: f64,
    /// Days before today on the board, and of the first snapshots of a tension.
    pub history_days: u32,
    /// Days without evidence after which a new statement begins a new tension.
    pub quiet_days: u32,
    /// Likeness from which two tensions of a kind are one, 0 to 1.
    pub same_likeness: f64,
    /// Confidence of a tension that documents state, 0 to 1.
    pub stated_confidence: f64,
    /// Highest confidence of a tension that the model names that reads a document, 0 to 1.
    pub extracted_confidence: f64,
    /// Confidence and strength of a response that a person enters, 0 to 1.
    pub entered_confidence: f64,
    /// Days after which an event without a date is over, since it was last seen.
    pub undated_event_days: u32,
    /// Change of heat from which a tension rises or falls.
    pub trend: f64,
    /// Heat at whose crossing watchers of a tension are notified.
    pub watched_heat: f64,
    /// Heat that a tension has had, and that it has fallen to, when it counts as eased.
    pub eased_from: f64,
    pub eased_to: f64,
    /// Earlier tensions on the page of one.
    pub precedents: usize,
    /// Tensions offered for a merge, and looked at for precedents.
    pub related: u32,
    /// Overviews of all tensions held in memory, one for each set of collections that people read.
    pub cached_overviews: usize,
    /// Documents about strain in a chosen region below which the page says how few there are.
    pub few_documents: u32,
    /// Rows of a page.
    pub per_page: usize,
    /// Entities of the explorer and newest claims about each that tensions are sought by, and most tensions and responses shown there.
    pub graph_entities: usize,
    pub graph_claims: u32,
    pub graph_objects: usize,
    /// Tensions of the tile on the home page.
    pub rising: u32,
    /// Whether invented reports of strain are added where the sample investigation is.
    pub sample_reports: bool,
    /// Times of the cycle in cron syntax, such as `30 4 * * *`; empty: only when someone runs it.
    pub schedule: String,
    /// Time zone of the schedule, such as `Europe/Paris`.
    pub time_zone: String,
    /// Interval in which interrupted and due orders of the cycle are looked for, and length of their leases, in milliseconds.
    pub order_check_ms: u64,
    pub order_lease_ms: u64,
    /// Tensions scouted in one cycle.
    pub scout_targets: u32,
    /// Confidence from which a tension is scouted, 0 to 1.
    pub scout_confidence: f64,
    /// Days after which a tension is scouted again.
    pub scout_days: u32,
    /// Tool calls of a session of the scout and of the curiosity.
    pub scout_tool_calls: u32,
    pub curiosity_tool_calls: u32,
    /// Model calls that a session is expected to need; none starts where the budget of the day does not reach.
    pub scout_model_calls: u32,
    /// Most searches and page reads of a session of the scout or of the curiosity; a call beyond is refused.
    pub scout_searches: u32,
    pub scout_page_reads: u32,
    /// Tokens that a model call is expected to use.
    pub tokens_per_call: u32,
    /// Searches and page reads of all sessions on one day.
    pub searches_per_day: u32,
    pub page_reads_per_day: u32,
    /// Claims of a tension that a session is given.
    pub opening_claims: usize,
    /// Queries kept for the next scouting of a tension.
    pub future_queries: usize,
    /// Confidence of responses and tensions that agents find, 0 to 1.
    pub response_confidence: f64,
    pub curiosity_confidence: f64,
    /// Highest confidence of a tension that a scout finds by the way; below `scout_confidence`.
    pub emergent_confidence: f64,
    /// Confidence of such a tension after so many further independent origins.
    pub corroborated_confidence: f64,
    pub corroborating_origins: u32,
    /// Newest unexplained documents that are grouped into situations, and situations of one cycle.
    pub curiosity_documents: u32,
    pub curiosity_situations: usize,
    /// Fewest and most claims of a situation.
    pub situation_least: usize,
    pub situation_claims: usize,
    /// Stories written in one cycle.
    pub stories: u32,
    /// Orders on the page of runs.
    pub runs_shown: u32,
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
            undated_share: 0.5,
            history_days: 30,
            quiet_days: 90,
            same_likeness: 0.85,
            stated_confidence: 0.5,
            extracted_confidence: 0.6,
            entered_confidence: 0.7,
            undated_event_days: 30,
            trend: 0.05,
            watched_heat: 0.5,
            eased_from: 0.3,
            eased_to: 0.1,
            precedents: 3,
            related: 50,
            cached_overviews: 8,
            few_documents: 5,
            per_page: 25,
            graph_entities: 300,
            graph_claims: 20,
            graph_objects: 40,
            rising: 5,
            sample_reports: true,
            schedule: String::new(),
            time_zone: "UTC".to_owned(),
            order_check_ms: 30_000,
            order_lease_ms: 120_000,
            scout_targets: 5,
            scout_confidence: 0.5,
            scout_days: 14,
            scout_tool_calls: 10,
            curiosity_tool_calls: 8,
            scout_model_calls: 3,
            scout_searches: 5,
            scout_page_reads: 3,
            tokens_per_call: 8_000,
            searches_per_day: 200,
            page_reads_per_day: 120,
            opening_claims: 20,
            future_queries: 5,
            response_confidence: 0.7,
            curiosity_confidence: 0.7,
            emergent_confidence: 0.4,
            corroborated_confidence: 0.5,
            corroborating_origins: 1,
            curiosity_documents: 100,
            curiosity_situations: 3,
            situation_least: 3,
            situation_claims: 12,
            stories: 5,
            runs_shown: 25,
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
