//! Rules for the argument of an assessment: dates, bounds, counts, and ids of hypotheses.

use super::Problems;
use crate::assessment::ConditionalProbability;

impl Problems<'_> {
    pub(super) fn check_argument(&mut self) {
        let argument = &self.body.argument;
        self.check_day("argument.as_of".to_owned(), argument.as_of.as_deref());
        for (n, reason) in argument.reasons.iter().enumerate() {
            self.require(format!("argument.reasons[{n}].text"), &reason.text);
        }
        for (n, actor) in argument.actors.iter().enumerate() {
            self.require(format!("argument.actors[{n}].name"), &actor.name);
        }
        for (n, event) in argument.chronology.iter().enumerate() {
            self.check_day(format!("argument.chronology[{n}].when"), Some(&event.when));
            self.require(format!("argument.chronology[{n}].event"), &event.event);
        }
        for (n, one) in argument.disagreements.iter().enumerate() {
            self.require(format!("argument.disagreements[{n}].what"), &one.what);
            self.require(format!("argument.disagreements[{n}].weighing"), &one.weighing);
            if one.sides.len() < 2 {
                self.add(format!("argument.disagreements[{n}].sides"), "give both sides");
            }
        }
        for (n, range) in argument.ranges.iter().enumerate() {
            if range.low > range.high {
                self.add(format!("argument.ranges[{n}]"), "`low` must not be above `high`");
            }
        }
        if argument.base_rate.as_ref().is_some_and(|rate| rate.matching > rate.cases) {
            self.add("argument.base_rate.matching", "must not be more than `cases`");
        }
        for (n, scenario) in argument.scenarios.iter().enumerate() {
            self.require(format!("argument.scenarios[{n}].condition"), &scenario.condition);
            if let Some(probability) = scenario.probability {
                self.check_probability(format!("argument.scenarios[{n}].probability"), probability);
            }
            self.check_conditional(&format!("argument.scenarios[{n}].then"), &scenario.then);
        }
        for (n, indicator) in self.body.indicators.iter().enumerate() {
            self.check_conditional(&format!("indicators[{n}].effects"), &indicator.effects);
        }
    }

    fn check_conditional(&mut self, at: &str, probabilities: &[ConditionalProbability]) {
        for (n, one) in probabilities.iter().enumerate() {
            if !self.has_hypothesis(&one.hypothesis) {
                self.add(format!("{at}[{n}].hypothesis"), format!("there is no hypothesis '{}'", one.hypothesis));
            }
            self.check_probability(format!("{at}[{n}].probability"), one.probability);
        }
    }
}
