//! What a tool result is worth for what was asked, as it was judged once for each call, and what that comes to over many calls.

use super::ToolLatency;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of an answer a result holds (S-07).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// Nothing for the question, or nothing at all.
    Poor,
    /// Something that bears on it.
    Partial,
    /// Most of what was asked.
    Good,
    /// All of it, from who should know.
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

/// Who judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReflectedBy {
    /// A language model.
    Model,
    /// Fixed rules that compare words: no language model was asked, or none answered.
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
    /// One or two sentences; empty where nobody wrote them.
    pub summary: String,
    /// 0 to 100.
    pub confidence: u8,
    pub by: ReflectedBy,
    /// Whether the verdict can be relied on: a model gave it in time and what it names stands in the result, or there was nothing to judge.
    pub verified: bool,
}

/// The most that may be said of a verdict that nothing stands behind (S-14).
pub const MAX_UNVERIFIED_CONFIDENCE: u8 = 60;

impl Reflection {
    /// What holds where nobody could judge: let through, and said to be unverified.
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

    /// A result in which there is nothing: that needs no judge.
    pub fn nothing() -> Self {
        Self { quality: Quality::Poor, confidence: 100, verified: true, ..Self::unverified() }
    }
}

/// The calls of one tool on one source over some time.
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
    /// Verdicts that can be relied on.
    pub verified: u64,
    /// Means of one call.
    pub latency: ToolLatency,
}

impl ToolQuality {
    /// Calls that were judged.
    pub fn judged(&self) -> u64 {
        self.qualities.iter().sum()
    }

    /// Adds the calls of another line.
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
    fn lines_add_up() {
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
    fn a_verdict_without_a_judge_says_so() {
        let verdict = Reflection::unverified();
        assert!(!verdict.verified && verdict.confidence <= MAX_UNVERIFIED_CONFIDENCE && verdict.quality == Quality::Good);
        assert!(Reflection::nothing().verified);
        assert!(Quality::ALL.iter().all(|quality| Quality::parse(quality.as_str()) == Some(*quality)));
    }
}
