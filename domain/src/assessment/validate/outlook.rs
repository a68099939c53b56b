//! Rules for indicators, impacts and causes, and for what became of the previous assessment.

use super::{Problems, list_of_ids};
use crate::assessment::{Assessment, lenient::last_day_of};
use std::collections::BTreeSet;

impl Problems<'_> {
    pub(super) fn check_day(&mut self, at: String, day: Option<&str>) {
        if let Some(text) = day.filter(|text| last_day_of(text).is_none()) {
            self.add(at, format!("'{text}' is no day: it must be like 2031-03-14, or null"));
        }
    }

    pub(super) fn check_indicators(&mut self) {
        for (n, indicator) in self.body.indicators.iter().enumerate() {
            let at = |key: &str| format!("indicators[{n}].{key}");
            self.check_hypothesis_ids(&at("hypotheses"), &indicator.hypotheses);
            self.check_judgement_ids(&at("judgements"), &indicator.judgements);
            if let Some(probability) = indicator.probability {
                self.check_probability(at("probability"), probability);
            }
            let resolution = &indicator.resolution;
            self.check_day(at("resolution.by"), resolution.by.as_deref());
            let has_reason = resolution.no_date_because.as_deref().is_some_and(|reason| !reason.trim().is_empty());
            if resolution.by.is_none() && !has_reason {
                self.add(at("resolution.by"), "name a day, or say in `no_date_because` why there is none");
            }
        }
    }

    pub(super) fn check_impacts(&mut self) {
        for (n, impact) in self.body.impacts.iter().enumerate() {
            if let Some(likelihood) = &impact.likelihood {
                self.check_likelihood(format!("impacts[{n}].likelihood"), likelihood);
            }
            let is_unknown = |id: &&str| !self.has_hypothesis(id) && !self.has_judgement(id);
            let unknown: Vec<&str> = impact.depends_on.iter().map(String::as_str).filter(is_unknown).collect();
            if !unknown.is_empty() {
                let rule = format!("there is no judgement or hypothesis {}", list_of_ids(&unknown));
                self.add(format!("impacts[{n}].depends_on"), rule);
            }
        }
    }

    pub(super) fn check_causes(&mut self) {
        for (n, cause) in self.body.causes.iter().enumerate() {
            for (key, text) in [("from", &cause.from), ("to", &cause.to), ("mechanism", &cause.mechanism)] {
                self.require(format!("causes[{n}].{key}"), text);
            }
        }
    }

    pub(super) fn check_change(&mut self, previous: Option<&Assessment>) {
        let Some(change) = &self.body.change else { return };
        let Some(previous) = previous else {
            let id = change.previous_id;
            let rule = format!("there is no assessment {id}: take its id from search_assessments, or leave `change` null");
            return self.add("change.previous_id", rule);
        };
        let mut seen = BTreeSet::new();
        for (n, item) in change.settled.iter().enumerate() {
            let (at, id) = (format!("change.settled[{n}].previous_item"), &item.previous_item);
            if previous.item(id).is_none() {
                let indicators = previous.body.indicators.iter().map(|indicator| &*indicator.id);
                let judgements = previous.body.key_judgements.iter().map(|judgement| &*judgement.id);
                let items: Vec<&str> = indicators.chain(judgements).collect();
                self.add(at, format!("the previous assessment has no '{id}'; it has {}", list_of_ids(&items)));
            } else if !seen.insert(id) {
                self.add(at, format!("'{id}' is settled twice"));
            }
        }
    }
}
