//! Heat: how much independent, recent evidence of strain a tension has, from 0 to 1.
//!
//! Invariant: a pure function of the days, origins and severities of the evidence; no model has a say in it.

use crate::tension::Severity;
use std::{collections::BTreeMap, ops::RangeInclusive};
use tensions_islands::{hundredths, percent};

/// Half-lives after which evidence counts no more: it would add nothing that shows.
const COUNTED_HALF_LIVES: f64 = 10.0;

/// Weights of the severities, the half-life of evidence, and the share of evidence without a date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeatRule {
    pub minor: f64,
    pub serious: f64,
    pub severe: f64,
    pub half_life_days: f64,
    /// Part of its weight that evidence without a date has.
    pub undated_share: f64,
}

/// Evidence of one origin on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginEvidence {
    pub origin: String,
    pub severity: Severity,
    pub day: i64,
    /// Whether it has no date. Its day is that of the capture.
    pub is_undated: bool,
}

/// One origin's part of the sum.
#[derive(Debug, Clone, PartialEq, serde::Serialize, schemars::JsonSchema)]
pub struct HeatTerm {
    pub origin: String,
    pub severity: Severity,
    pub age_days: i64,
    /// Whether its evidence has no date. The age is then that of the capture.
    pub is_undated: bool,
    /// Weight of the severity, halved once per half-life; of evidence without a date, a part of that.
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
    /// Heat of the dated evidence alone, which trends compare.
    pub dated: f64,
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

    /// Returns the weight of evidence on its own day.
    fn weight_of(&self, one: &OriginEvidence) -> f64 {
        let weight = self.weight(one.severity);
        if one.is_undated { weight * self.undated_share } else { weight }
    }

    /// Returns the heat on a day: `1 - exp(-sum)` over the origins, each with its largest term. Later evidence does
    /// not count, and neither does evidence before the first counted day.
    pub fn heat_on<'a>(&self, day: i64, evidence: impl IntoIterator<Item = &'a OriginEvidence>) -> Heat {
        let mut best: BTreeMap<&str, HeatTerm> = BTreeMap::new();
        let counted = self.first_counted_day(day)..=day;
        for one in evidence.into_iter().filter(|one| counted.contains(&one.day)) {
            let age_days = day - one.day;
            let value = self.weight_of(one) * self.share_at(age_days);
            if best.get(one.origin.as_str()).is_none_or(|term| term.value < value) {
                let OriginEvidence { origin, severity, is_undated, .. } = one.clone();
                best.insert(&one.origin, HeatTerm { origin, severity, age_days, is_undated, value });
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
        let mut sums = vec![(0.0_f64, 0.0_f64, 0_usize); usize::try_from(last - first + 1).unwrap_or_default()];
        for rows in origins.values() {
            for (day, (sum, dated_sum, count)) in days.clone().zip(&mut sums) {
                let value = |one: &&OriginEvidence| {
                    let age_days = usize::try_from(day - one.day).ok()?;
                    Some((self.weight_of(one) * shares.get(age_days)?, one.is_undated))
                };
                let (mut largest, mut largest_dated) = (None, 0.0_f64);
                for (value, is_undated) in rows.iter().filter_map(value) {
                    largest = Some(value.max(largest.unwrap_or_default()));
                    largest_dated = if is_undated { largest_dated } else { largest_dated.max(value) };
                }
                if let Some(largest) = largest {
                    *sum += largest;
                    *dated_sum += largest_dated;
                    *count += 1;
                }
            }
        }
        let heat = |sum: f64| 1.0 - (-sum).exp();
        sums.into_iter().map(|(sum, dated, origins)| DayHeat { value: heat(sum), dated: heat(dated), origins }).collect()
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

    const RULE: HeatRule = HeatRule { minor: 0.1, serious: 0.25, severe: 0.5, half_life_days: 14.0, undated_share: 0.5 };

    fn evidence(origin: &str, severity: Severity, day: i64) -> OriginEvidence {
        OriginEvidence { origin: origin.into(), severity, day, is_undated: false }
    }

    fn undated(origin: &str, severity: Severity, day: i64) -> OriginEvidence {
        OriginEvidence { is_undated: true, ..evidence(origin, severity, day) }
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
    fn evidence_without_a_date_has_a_part_of_the_heat_of_dated_evidence() {
        let (known, unknown) = ([evidence("a", Severity::Severe, 100)], [undated("a", Severity::Severe, 100)]);
        let (known, unknown) = (RULE.heat_on(100, &known), RULE.heat_on(100, &unknown));
        assert_eq!((known.terms[0].value, unknown.terms[0].value), (0.5, 0.25));
        assert!(unknown.value > 0.0 && unknown.value < known.value);
        assert_eq!((known.terms[0].is_undated, unknown.terms[0].is_undated), (false, true), "the term says so");
        let both = [undated("a", Severity::Severe, 100), evidence("a", Severity::Serious, 99)];
        assert!(RULE.heat_on(100, &both).terms[0].is_undated, "an origin counts its largest term");
    }

    #[test]
    fn the_dated_heat_of_days_leaves_out_evidence_without_a_date() {
        let dated = [evidence("a", Severity::Serious, 99), evidence("b", Severity::Minor, 101)];
        let mixed = [dated.as_slice(), &[undated("a", Severity::Severe, 101), undated("c", Severity::Severe, 101)]].concat();
        let (alone, both) = (RULE.heat_of_days(99..=103, &dated), RULE.heat_of_days(99..=103, &mixed));
        assert_eq!(alone.iter().map(|day| day.dated).collect::<Vec<_>>(), both.iter().map(|day| day.dated).collect::<Vec<_>>());
        assert!(alone.iter().all(|day| day.dated == day.value));
        assert!(both[2].value > both[2].dated, "the heat itself counts it");
        assert_eq!((both[0].value, both[0].origins, both[2].origins), (alone[0].value, 1, 3), "from the day of the capture on");
    }

    #[test]
    fn the_heat_of_days_is_the_heat_of_each_day() {
        let rows = [
            evidence("a", Severity::Severe, 86),
            evidence("a", Severity::Minor, 103),
            evidence("b", Severity::Serious, 101),
            evidence("c", Severity::Severe, 100 - 140),
            undated("b", Severity::Severe, 102),
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
