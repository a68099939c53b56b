//! The likelihood vocabulary: seven terms with fixed ranges (after ICD 203, the analytic standard of the US intelligence community).

use crate::assessment::lenient;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A term of the vocabulary, from least to most likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LikelihoodTerm {
    AlmostNoChance,
    VeryUnlikely,
    Unlikely,
    RoughlyEven,
    Likely,
    VeryLikely,
    AlmostCertain,
}

impl LikelihoodTerm {
    pub const ALL: [Self; 7] = [
        Self::AlmostNoChance,
        Self::VeryUnlikely,
        Self::Unlikely,
        Self::RoughlyEven,
        Self::Likely,
        Self::VeryLikely,
        Self::AlmostCertain,
    ];

    /// Lower and upper bound of the term, as probabilities.
    pub const fn range(self) -> (f64, f64) {
        match self {
            Self::AlmostNoChance => (0.01, 0.05),
            Self::VeryUnlikely => (0.05, 0.20),
            Self::Unlikely => (0.20, 0.45),
            Self::RoughlyEven => (0.45, 0.55),
            Self::Likely => (0.55, 0.80),
            Self::VeryLikely => (0.80, 0.95),
            Self::AlmostCertain => (0.95, 0.99),
        }
    }

    /// The words readers see.
    pub const fn words(self) -> &'static str {
        match self {
            Self::AlmostNoChance => "almost no chance",
            Self::VeryUnlikely => "very unlikely",
            Self::Unlikely => "unlikely",
            Self::RoughlyEven => "roughly even chance",
            Self::Likely => "likely",
            Self::VeryLikely => "very likely",
            Self::AlmostCertain => "almost certain",
        }
    }

    /// The term whose range holds `point`; a bound belongs to the higher term; points outside 0.01–0.99 go to the ends.
    pub fn from_point(point: f64) -> Self {
        Self::ALL.into_iter().rev().find(|term| point >= term.range().0).unwrap_or(Self::AlmostNoChance)
    }

    /// Whether `point` may be given with this term: within the range, bounds included.
    pub fn holds(self, point: f64) -> bool {
        let (low, high) = self.range();
        (low..=high).contains(&point)
    }
}

/// A likelihood: the term and the point within its range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Likelihood {
    pub term: LikelihoodTerm,
    /// Probability from 0.01 to 0.99, inside the term's range.
    #[serde(deserialize_with = "lenient::number")]
    #[schemars(schema_with = "lenient::number_schema")]
    pub point: f64,
}

impl Likelihood {
    /// The likelihood for a probability, clamped to 0.01–0.99 and rounded to two digits.
    pub fn from_point(point: f64) -> Self {
        let point = (point.clamp(0.01, 0.99) * 100.0).round() / 100.0;
        Self { term: LikelihoodTerm::from_point(point), point }
    }

    /// `very likely (86 %)`.
    pub fn words(&self) -> String {
        format!("{} ({})", self.term.words(), percent(self.point))
    }
}

/// `86 %`: a share as it is written everywhere, rounded as likelihoods are, with a space that does not break.
pub fn percent(share: f64) -> String {
    format!("{}\u{a0}%", (share * 100.0).round())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_the_term_whose_range_holds_it() {
        for hundredth in 1..=99 {
            let point = f64::from(hundredth) / 100.0;
            assert!(Likelihood::from_point(point).term.holds(point), "{point}");
        }
    }

    #[test]
    fn a_probability_is_rounded_alike_wherever_it_is_written() {
        for thousandth in 10..=990 {
            let point = f64::from(thousandth) / 1000.0;
            assert_eq!(percent(point), percent(Likelihood::from_point(point).point), "{point}");
        }
    }

    #[test]
    fn bounds_belong_to_the_higher_term() {
        assert_eq!(LikelihoodTerm::from_point(0.55), LikelihoodTerm::Likely);
        assert_eq!(LikelihoodTerm::from_point(0.549), LikelihoodTerm::RoughlyEven);
        assert_eq!(LikelihoodTerm::from_point(0.0), LikelihoodTerm::AlmostNoChance);
    }
}
