//! Heat: how much independent, recent evidence of strain a tension has, from 0 to 1.
//!
//! Invariant: a pure function of the days, origins and severities of the evidence; no model has a say in it.

use crate::tension::Severity;
use std::{collections::BTreeMap, ops::RangeInclusive};
use tensions_islands::{hundredths, percent};

/// Half-lives after which evidence counts no more: it would add nothing that shows.
const COUNTED_HALF_LIVES: f64 = 10.0;

/// Weights of the severities and the half-life of evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeatRule {
    pub minor: f64,
    pub serious: f64,
    pub severe: f64,
    pub half_life_days: f64,
}

/// Evidence of one origin on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginEvidence {
    pub origin: String,
    pub severity: Severity,
    pub day: i64,
}

/// One origin's part of the sum.
#[derive(Debug, Clone, PartialEq, serde::Serialize, schemars::JsonSchema)]
pub struct HeatTerm {
    pub origin: String,
    pub severity: Severity,
    pub age_days: i64,
    /// Weight of the severity, halved once per half-life.
    pub value: f64,
}

/// Heat with the terms of its sum, the largest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heat {
    pub value: f64,
    pub terms: Vec<HeatTerm>,
}

/// Heat of one day, with the number of its origins.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DayHeat {
    pub value: f64,
    pub origins: usize,
}

impl HeatRule {
    /// Returns the first day whose evidence counts on `day`.
    pub fn first_counted_day(&self, day: i64) -> i64 {
        day - (self.half_life_days * COUNTED_HALF_LIVES).ceil() as i64
    }

    /// Returns what is left of a weight at an age.
    fn share_at(&self, age_days: i64) -> f64 {
        (-(age_days as f64) / self.half_life_days).exp2()
    }

    pub const fn weight(&self, severity: Severity) -> f64 {
        match severity {
            Severity::Minor => self.minor,
            Severity::Serious => self.serious,
            Severity::Severe => self.severe,
        }
    }

    /// Returns the heat on a day: `1 - exp(-sum)` over the origins, each with its largest term. Later evidence does
    /// not count, and neither does evidence before the first counted day.
    pub fn heat_on<'a>(&self, day: i64, evidence: impl IntoIterator<Item = &'a OriginEvidence>) -> Heat {
        let mut best: BTreeMap<&str, HeatTerm> = BTreeMap::new();
        let counted = self.first_counted_day(day)..=day;
        for one in evidence.into_iter().filter(|one| counted.contains(&one.day)) {
            let age_days = day - one.day;
            let value = self.weight(one.severity) * self.share_at(age_days);
            if best.get(one.origin.as_str()).is_none_or(|term| term.value < value) {
                best.insert(&one.origin, HeatTerm { origin: one.origin.clone(), severity: one.severity, age_days, value });
            }
        }
        let mut terms: Vec<HeatTerm> = best.into_values().collect();
        terms.sort_by(|one, other| other.value.total_cmp(&one.value).then_with(|| one.origin.cmp(&other.origin)));
        let sum: f64 = terms.iter().map(|term| term.value).sum();
        Heat { value: 1.0 - (-sum).exp(), terms }
    }

    /// Returns the heat of consecutive days, that of `heat_on` for each, with every age weighted once.
    pub fn heat_of_days(&self, days: RangeInclusive<i64>, evidence: &[OriginEvidence]) -> Vec<DayHeat> {
        let (first, last) = (*days.start(), *days.end());
        let shares: Vec<f64> = (0..=last - self.first_counted_day(last)).map(|age_days| self.share_at(age_days)).collect();
        let mut origins: BTreeMap<&str, Vec<&OriginEvidence>> = BTreeMap::new();
        for one in evidence {
            origins.entry(&one.origin).or_default().push(one);
        }
        let mut sums = vec![(0.0_f64, 0_usize); usize::try_from(last - first + 1).unwrap_or_default()];
        for rows in origins.values() {
            for (day, (sum, count)) in days.clone().zip(&mut sums) {
                let value = |one: &&OriginEvidence| {
                    let age_days = usize::try_from(day - one.day).ok()?;
                    Some(self.weight(one.severity) * shares.get(age_days)?)
                };
                if let Some(largest) = rows.iter().filter_map(value).reduce(f64::max) {
                    *sum += largest;
                    *count += 1;
                }
            }
        }
        sums.into_iter().map(|(sum, origins)| DayHeat { value: 1.0 - (-sum).exp(), origins }).collect()
    }
}

/// Heat in thousandths, as snapshots store it.
pub fn thousandths(heat: f64) -> i64 {
    (heat.clamp(0.0, 1.0) * 1000.0).round() as i64
}

/// Heat of a snapshot.
pub fn from_thousandths(heat: i64) -> f64 {
    heat as f64 / 1000.0
}

/// Heat as people read it: `.71`, `1.00`.
pub fn heat_text(heat: f64) -> String {
    hundredths(percent(heat))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: HeatRule = HeatRule { minor: 0.1, serious: 0.25, severe: 0.5, half_life_days: 14.0 };

    fn evidence(origin: &str, severity: Severity, day: i64) -> OriginEvidence {
        OriginEvidence { origin: origin.into(), severity, day }
    }

    #[test]
    fn an_origin_counts_once_with_its_largest_term() {
        let rows = [
            evidence("a", Severity::Severe, 86),
            evidence("a", Severity::Serious, 100),
            evidence("a", Severity::Minor, 100),
            evidence("b", Severity::Minor, 100),
        ];
        let heat = RULE.heat_on(100, &rows);
        assert_eq!(heat.terms.len(), 2);
        assert_eq!(
            (heat.terms[0].value, heat.terms[1].value),
            (0.25, 0.1),
            "a severe one of a half-life ago counts as a serious one"
        );
        assert!((heat.value - (1.0 - (-0.35_f64).exp())).abs() < 1e-12);
    }

    #[test]
    fn heat_halves_its_sum_with_each_half_life_and_ignores_the_future() {
        let rows = [evidence("a", Severity::Severe, 100), evidence("b", Severity::Severe, 130)];
        assert_eq!(RULE.heat_on(99, &rows).value, 0.0);
        assert_eq!(RULE.heat_on(114, &rows).terms[0].value, 0.25);
        assert_eq!(RULE.heat_on(130, &rows).terms.len(), 2);
        assert!(RULE.heat_on(1_000, &rows).value < 1e-9, "past events age out");
    }

    #[test]
    fn the_heat_of_days_is_the_heat_of_each_day() {
        let rows = [
            evidence("a", Severity::Severe, 86),
            evidence("a", Severity::Minor, 103),
            evidence("b", Severity::Serious, 101),
            evidence("c", Severity::Severe, 100 - 140),
        ];
        let days = RULE.heat_of_days(100..=105, &rows);
        assert_eq!(days.len(), 6);
        for (day, heat) in (100..=105).zip(&days) {
            let expected = RULE.heat_on(day, &rows);
            assert!((heat.value - expected.value).abs() < 1e-12, "{day}: {heat:?}");
            assert_eq!(heat.origins, expected.terms.len(), "{day}");
        }
        assert_eq!((days[0].origins, days[1].origins), (2, 2), "after ten half-lives, evidence counts no more");
    }

    #[test]
    fn heat_reads_like_a_share() {
        assert_eq!([heat_text(0.714), heat_text(0.0), heat_text(1.0)], [".71", ".00", "1.00"]);
        assert_eq!(from_thousandths(thousandths(0.7144)), 0.714);
    }
}
