//! The argument of an assessment: reasons, the strongest objection, actors, chronology, disagreements, figures and scenarios.
//! Every part may be left out; assessments that were stored before have none.

use super::{Body, Marker, Statement, as_clause, lenient, shares, state::lower_first};
use crate::likelihood::percent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What an assessment argues with, beside its judgements and hypotheses.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Argument {
    /// The last day until which the author looked (`YYYY-MM-DD`); null for the day of writing.
    #[serde(default, deserialize_with = "lenient::last_day")]
    pub as_of: Option<String>,
    /// Up to three reasons for the answer, the strongest first. Each is one sentence that names its source in words.
    #[serde(default)]
    pub reasons: Vec<Statement>,
    /// The strongest objection to the answer, in one sentence.
    #[serde(default)]
    pub objection: Option<Statement>,
    /// Those who act in the matter.
    #[serde(default)]
    pub actors: Vec<Actor>,
    /// What happened, in order; not when it was published.
    #[serde(default)]
    pub chronology: Vec<DatedEvent>,
    /// Matters on which sources contradict each other.
    #[serde(default)]
    pub disagreements: Vec<Disagreement>,
    /// Quantities that are known as a range.
    #[serde(default)]
    pub ranges: Vec<QuantityRange>,
    /// How often like cases ended as the leading answer says; null where no class of cases is known.
    #[serde(default)]
    pub base_rate: Option<BaseRate>,
    /// Forks ahead: conditions under which the probabilities of the hypotheses differ.
    #[serde(default)]
    pub scenarios: Vec<Scenario>,
}

/// Somebody who acts in the matter: what they want, can do and are bound by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Actor {
    pub name: String,
    /// What they want.
    pub interests: String,
    /// What they can do.
    #[serde(default)]
    pub means: Option<String>,
    /// What binds them.
    #[serde(default)]
    pub limits: Option<String>,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

/// Something that happened, with its day as far as it is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DatedEvent {
    /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`: when it happened.
    pub when: String,
    pub event: String,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

/// A matter on which sources contradict each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Disagreement {
    /// What they disagree on.
    pub what: String,
    /// Who says which: one sentence for each side, which names its source.
    pub sides: Vec<Statement>,
    /// Which side weighs more, and why.
    pub weighing: String,
}

/// A quantity between two bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuantityRange {
    /// What is counted or measured.
    pub quantity: String,
    #[serde(deserialize_with = "lenient::number")]
    #[schemars(schema_with = "lenient::number_schema")]
    pub low: f64,
    #[serde(deserialize_with = "lenient::number")]
    #[schemars(schema_with = "lenient::number_schema")]
    pub high: f64,
    /// Unit: `people`, `EUR`, `%`.
    pub unit: String,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

/// A class of like cases with its count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BaseRate {
    /// The class: "strikes of lock keepers since 2020".
    pub class: String,
    /// How many cases it has.
    pub cases: u32,
    /// How many of them ended as `outcome` says.
    pub matching: u32,
    /// The outcome that is counted.
    pub outcome: String,
    #[serde(default, deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

/// A fork ahead with what follows from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scenario {
    /// What would have to happen.
    pub condition: String,
    /// How probable the condition is, 0 to 1; null where that cannot be said.
    #[serde(default, deserialize_with = "lenient::optional_number")]
    #[schemars(schema_with = "lenient::optional_number_schema")]
    pub probability: Option<f64>,
    /// The probabilities of hypotheses if it happens.
    pub then: Vec<ConditionalProbability>,
}

/// The probability of a hypothesis if something happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConditionalProbability {
    /// Id of the hypothesis.
    pub hypothesis: String,
    /// 0 to 1.
    #[serde(deserialize_with = "lenient::number")]
    #[schemars(schema_with = "lenient::number_schema")]
    pub probability: f64,
}

impl Argument {
    /// Returns the chronology by day; of one year or month, what has no day first.
    pub fn events(&self) -> Vec<&DatedEvent> {
        let mut events: Vec<&DatedEvent> = self.chronology.iter().collect();
        events.sort_by_cached_key(|event| event.when.clone());
        events
    }
}

impl DatedEvent {
    /// Returns its day in words, as exactly as it is known: `3 May 2031`, `May 2031`, `2031`.
    pub fn day(&self) -> String {
        let when = self.when.trim();
        let format = match when.len() {
            4 => "%Y",
            7 => "%B %Y",
            _ => "%-d %B %Y",
        };
        lenient::last_day_of(when).map_or_else(|| when.to_owned(), |day| day.format(format).to_string())
    }
}

impl QuantityRange {
    /// `Milk poured away: 4000 to 6500 litres`.
    pub fn words(&self) -> String {
        let Self { quantity, low, high, unit, .. } = self;
        let figures = if low < high { format!("{} to {}", figure(*low), figure(*high)) } else { figure(*high) };
        format!("{quantity}: {figures}\u{a0}{unit}")
    }
}

/// A number whose thousands are apart from five digits on: `6500`, `12,400`.
fn figure(number: f64) -> String {
    let text = number.to_string();
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let (sign, digits) = whole.split_at(whole.len() - whole.trim_start_matches('-').len());
    if digits.len() < 5 {
        return text;
    }
    let mut grouped = sign.to_owned();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + fraction
}

impl BaseRate {
    /// `2 of 3 blackouts of the terminal since 2020: cut by hand`.
    pub fn sentence(&self) -> String {
        format!("{} of {} {}: {}", self.matching, self.cases, as_clause(&self.class), as_clause(&self.outcome))
    }
}

impl Scenario {
    /// `If the log is published (40 %)`.
    fn clause(&self) -> String {
        let condition = as_clause(&self.condition);
        let condition = ["If ", "if "].iter().find_map(|word| condition.strip_prefix(word)).unwrap_or(&condition);
        let has_article = ["The ", "A ", "An ", "No "].iter().any(|word| condition.starts_with(word));
        let condition = if has_article { lower_first(condition) } else { condition.to_owned() };
        let probability = self.probability.map(|probability| format!(" ({})", percent(probability)));
        format!("If {condition}{}", probability.unwrap_or_default())
    }
}

impl Body {
    /// Returns the share of each hypothesis among those of its question, in whole percent, by its id; none without a probability.
    pub fn shares(&self) -> BTreeMap<&str, u32> {
        let sets = self.hypothesis_sets().into_iter();
        let shares = sets.flat_map(|(_, set)| shares(&set).into_iter().zip(set));
        shares.filter(|(_, one)| one.probability.is_some()).map(|(share, one)| (one.id.as_str(), share)).collect()
    }

    /// Returns how far hypotheses move if something happens, from the share of today: `H1 12 → 31 %`. Empty where none does.
    pub fn moves(&self, then: &[ConditionalProbability]) -> String {
        let shares = self.shares();
        let moves = then.iter().map(|ConditionalProbability { hypothesis, probability }| {
            let after = percent(*probability);
            let from = shares.get(hypothesis.as_str()).map(|share| format!("{share} ")).unwrap_or_default();
            // It stays on one line.
            format!("{hypothesis} {from}→ {after}").replace(' ', "\u{a0}")
        });
        moves.collect::<Vec<_>>().join(", ")
    }

    /// Returns a scenario in words: `If the log is published (40 %): H1 60 → 80 %`.
    pub fn scenario_words(&self, scenario: &Scenario) -> String {
        let (clause, moves) = (scenario.clause(), self.moves(&scenario.then));
        if moves.is_empty() { clause } else { format!("{clause}: {moves}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_written_in_words() {
        let body = crate::assessment::tests::complete().body;
        let argument = &body.argument;
        assert_eq!(
            body.scenario_words(&argument.scenarios[0]),
            "If the log is published (40\u{a0}%): H1\u{a0}60\u{a0}→\u{a0}80\u{a0}%"
        );
        assert_eq!(argument.base_rate.as_ref().unwrap().sentence(), "2 of 3 blackouts of the terminal since 2020: cut by hand");
        let mut range = argument.ranges[0].clone();
        assert_eq!(range.words(), "Milk poured away: 4000 to 6500\u{a0}litres");
        (range.low, range.high) = (-12_400.5, 1_000_000.0);
        assert_eq!(range.words(), "Milk poured away: -12,400.5 to 1,000,000\u{a0}litres");
    }

    #[test]
    fn events_stand_by_day_as_exactly_as_it_is_known() {
        let event = |when: &str| DatedEvent { when: when.to_owned(), event: String::new(), citations: vec![] };
        let chronology = ["2031-05-03", "2031", "2030-12"].map(event).to_vec();
        let argument = Argument { chronology, ..Argument::default() };
        let days: Vec<String> = argument.events().into_iter().map(DatedEvent::day).collect();
        assert_eq!(days, ["December 2030", "2031", "3 May 2031"]);
    }
}
