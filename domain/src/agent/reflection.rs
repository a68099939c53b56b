//! Verdicts on tool results, one per call, and their totals over many calls.

use super::ToolLatency;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Quality of a result as an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// Nothing relevant.
    Poor,
    /// Something relevant.
    Partial,
    /// Most of the answer.
    Good,
    /// The whole answer, from an authoritative source.
    Excellent,
}

impl Quality {
    /// The best one first.
    pub const ALL: [Self; 4] = [Self::Excellent, Self::Good, Self::Partial, Self::Poor];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Poor => "poor",
            Self::Partial => "partial",
            Self::Good => "good",
            Self::Excellent => "excellent",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|quality| quality.as_str() == text)
    }
}

/// Author of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReflectedBy {
    /// A language model.
    Model,
    /// Fixed rules that compare words, where no language model answered.
    Checks,
}

/// The verdict on one result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reflection {
    /// Whether the question is answered by it.
    pub answers: bool,
    pub quality: Quality,
    /// Up to five statements, each in words that stand in the result.
    pub key_facts: Vec<String>,
    /// One or two sentences; may be empty.
    pub summary: String,
    /// 0 to 100.
    pub confidence: u8,
    pub by: ReflectedBy,
    /// Whether a model gave the verdict in time and its key facts stand in the result. Also true for empty results.
    pub verified: bool,
}

/// Maximum confidence of an unverified verdict.
pub const MAX_UNVERIFIED_CONFIDENCE: u8 = 60;

impl Reflection {
    /// The verdict where no judge was available: accepted, unverified.
    pub fn unverified() -> Self {
        Self {
            answers: false,
            quality: Quality::Good,
            key_facts: vec![],
            summary: String::new(),
            confidence: MAX_UNVERIFIED_CONFIDENCE,
            by: ReflectedBy::Checks,
            verified: false,
        }
    }

    /// The verdict on an empty result.
    pub fn nothing() -> Self {
        Self { quality: Quality::Poor, confidence: 100, verified: true, ..Self::unverified() }
    }
}

/// Totals of the calls of one tool on one source over a period.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolQuality {
    pub tool: String,
    /// None: the tool has no source.
    pub source: Option<String>,
    pub calls: u64,
    pub errors: u64,
    pub cached: u64,
    /// Calls by quality, in the order of [`Quality::ALL`].
    pub qualities: [u64; 4],
    /// Verified verdicts.
    pub verified: u64,
    /// Means of one call.
    pub latency: ToolLatency,
}

impl ToolQuality {
    /// Number of judged calls.
    pub fn judged(&self) -> u64 {
        self.qualities.iter().sum()
    }

    /// Adds the totals of `other`.
    pub fn add(&mut self, other: &Self) {
        let all = self.calls + other.calls;
        let mean = |ours: u64, theirs: u64| (ours * self.calls + theirs * other.calls).checked_div(all).unwrap_or(0);
        self.latency = ToolLatency {
            cache_ms: mean(self.latency.cache_ms, other.latency.cache_ms),
            tool_ms: mean(self.latency.tool_ms, other.latency.tool_ms),
            reflection_ms: mean(self.latency.reflection_ms, other.latency.reflection_ms),
            total_ms: mean(self.latency.total_ms, other.latency.total_ms),
        };
        self.calls = all;
        self.errors += other.errors;
        self.cached += other.cached;
        self.verified += other.verified;
        for (ours, theirs) in self.qualities.iter_mut().zip(other.qualities) {
            *ours += theirs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_statistics_add_up() {
        let latency = |ms| ToolLatency { total_ms: ms, ..ToolLatency::default() };
        let mut sum = ToolQuality::default();
        for (calls, ms) in [(3, 100), (1, 500)] {
            sum.add(&ToolQuality {
                calls,
                verified: 1,
                qualities: [0, calls, 0, 0],
                latency: latency(ms),
                ..ToolQuality::default()
            });
        }
        assert_eq!((sum.calls, sum.judged(), sum.verified, sum.latency.total_ms), (4, 4, 2, 200));
    }

    #[test]
    fn a_verdict_without_a_judge_is_marked() {
        let verdict = Reflection::unverified();
        assert!(!verdict.verified && verdict.confidence <= MAX_UNVERIFIED_CONFIDENCE && verdict.quality == Quality::Good);
        assert!(Reflection::nothing().verified);
        assert!(Quality::ALL.iter().all(|quality| Quality::parse(quality.as_str()) == Some(*quality)));
    }
}
