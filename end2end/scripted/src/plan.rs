//! Plan of faults and quirks.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Faults and quirks. The default plan has none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FaultPlan {
    /// Seed for faults with a probability.
    pub seed: u64,
    pub faults: Vec<Fault>,
    pub quirks: Vec<Quirk>,
}

/// Fault with its conditions; without any, it applies to every call. Calls are counted from 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    #[serde(flatten)]
    pub kind: FaultKind,
}

/// Kind of fault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FaultKind {
    Delay {
        ms: u64,
    },
    RateLimit {
        retry_after_s: Option<f64>,
    },
    ServerError,
    Overloaded,
    /// The connection closes before any answer.
    Reset,
    /// The body is truncated JSON.
    TruncatedJson,
    /// Calls a tool that does not exist.
    WrongTool,
    /// Calls a tool with invalid arguments.
    BadArguments,
    /// Calls the same harmless tool forever.
    EndlessTools,
    ContextOverflow {
        above_tokens: u64,
    },
    /// The stream ends after this many events; an unstreamed body ends midway.
    CutStream {
        after_events: usize,
    },
    /// The stream stalls after this many events.
    Stall {
        after_events: usize,
        ms: u64,
    },
    Auth,
    /// The model does not exist.
    UnknownModel,
    /// The request is refused as invalid.
    BadRequest,
    Empty,
    /// The model answers with this text.
    Hostile {
        text: String,
    },
    Refusal,
    /// Calls of tools and JSON answers are written as text, in a fence after other words.
    FencedCalls,
    MaxTokens,
    /// Anthropic: the turn is paused.
    Pause,
    /// Anthropic: conversation and reply exceed the context window.
    WindowFull,
    /// The stream ends with an error.
    StreamError,
}

/// Quirk: a deviation of compatible servers from the original service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quirk {
    ObjectArguments,
    NoIds,
    SameIds,
    NoUsage,
    NullContent,
    CallsAsText,
    StopWithCalls,
    NoJsonSchema,
    NoJsonObject,
    /// Forced tools are not supported.
    NoForcedTool,
    OldMaxTokens,
    NewMaxTokens,
    NoStreamOptions,
    NoDone,
    /// A reply of more than 2048 tokens exceeds the context window.
    SmallWindow,
    NoIndex,
    ThinkTags,
    ErrorInSuccess,
    /// JSON answers are wrapped in a code fence.
    FencedJson,
    /// Errors are plain text.
    PlainErrors,
}

impl Fault {
    /// Returns a fault that applies to every call.
    pub fn always(kind: FaultKind) -> Self {
        Self { at: vec![], every: None, probability: None, from: None, until: None, role: None, kind }
    }

    /// Returns a fault that applies to these calls.
    pub fn at(calls: &[u64], kind: FaultKind) -> Self {
        Self { at: calls.to_vec(), ..Self::always(kind) }
    }

    fn applies_to(&self, call: u64, role: &str, draw: f64) -> bool {
        let in_range = self.from.is_none_or(|from| call >= from) && self.until.is_none_or(|until| call <= until);
        let is_role = self.role.as_deref().is_none_or(|wanted| wanted == role);
        let listed = self.at.contains(&call);
        let every = self.every.is_some_and(|every| every > 0 && call.is_multiple_of(every));
        let by_chance = self.probability.is_some_and(|probability| draw < probability);
        let anyway = self.at.is_empty() && self.every.is_none() && self.probability.is_none();
        in_range && is_role && (listed || every || by_chance || anyway)
    }
}

impl FaultPlan {
    /// Returns a plan with one fault that always applies.
    pub fn single(kind: FaultKind) -> Self {
        Self { faults: vec![Fault::always(kind)], ..Self::default() }
    }

    /// Returns a plan with one quirk.
    pub fn with_quirk(quirk: Quirk) -> Self {
        Self { quirks: vec![quirk], ..Self::default() }
    }

    /// Returns the faults of a call.
    pub(crate) fn faults_of(&self, call: u64, role: &str) -> Vec<FaultKind> {
        let faults = self.faults.iter().enumerate().filter(|(n, fault)| fault.applies_to(call, role, self.draw(call, *n)));
        faults.map(|(_, fault)| fault.kind.clone()).collect()
    }

    pub(crate) fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    /// Returns a number below 1, determined by seed, call and fault.
    fn draw(&self, call: u64, fault: usize) -> f64 {
        let hash = Sha256::digest(format!("{} {call} {fault}", self.seed));
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&hash[..4]);
        f64::from(u32::from_be_bytes(bytes)) / (f64::from(u32::MAX) + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_selects_calls() {
        let plan: FaultPlan = serde_json::from_str(
            r#"{"seed":1,"faults":[{"at":[2],"kind":"auth"},{"every":3,"kind":"delay","ms":5},{"from":7,"until":8,"role":"analyst","kind":"reset"}]}"#,
        )
        .unwrap();
        let faults = |call, role| plan.faults_of(call, role);
        assert_eq!(faults(1, "analyst"), vec![]);
        assert_eq!(faults(2, "analyst"), vec![FaultKind::Auth]);
        assert_eq!(faults(3, "processor"), vec![FaultKind::Delay { ms: 5 }]);
        assert_eq!(faults(7, "analyst"), vec![FaultKind::Reset]);
        assert_eq!(faults(7, "processor"), vec![]);
    }

    #[test]
    fn faults_are_deterministic() {
        let fault = Fault { probability: Some(0.25), ..Fault::always(FaultKind::Empty) };
        let plan = FaultPlan { seed: 7, faults: vec![fault], quirks: vec![] };
        let met = || (1..=1000).filter(|call| !plan.faults_of(*call, "analyst").is_empty()).collect::<Vec<_>>();
        assert_eq!(met(), met());
        assert!((200..300).contains(&met().len()), "{}", met().len());
    }
}
