//! What goes wrong, and when.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Faults and oddities. The default is a server that works.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plan {
    /// Draws the calls that faults with a probability meet.
    pub seed: u64,
    pub faults: Vec<Fault>,
    pub quirks: Vec<Quirk>,
}

/// A fault and the calls it meets: without a condition, all of them. Calls are counted from 1.
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
    pub kind: Kind,
}

/// What goes wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    Delay {
        ms: u64,
    },
    RateLimit {
        retry_after_s: Option<f64>,
    },
    ServerError,
    Overloaded,
    /// The connection ends before any answer.
    Reset,
    /// A whole body that is half a JSON text.
    TruncatedJson,
    /// A tool that does not exist is called.
    WrongTool,
    /// A tool is called with arguments that do not fit.
    BadArguments,
    /// The same harmless tool is called, for ever.
    EndlessTools,
    ContextOverflow {
        above_tokens: u64,
    },
    /// A stream ends after so many events; without a stream, the body does in its middle.
    CutStream {
        after_events: usize,
    },
    /// A stream falls silent after so many events.
    Stall {
        after_events: usize,
        ms: u64,
    },
    Auth,
    /// The model is not there.
    UnknownModel,
    /// This one request is found wrong.
    BadRequest,
    Empty,
    /// The model says this instead.
    Hostile {
        text: String,
    },
    Refusal,
    MaxTokens,
    /// Anthropic: the turn is to be taken up again.
    Pause,
    /// Anthropic: the conversation and the reply fill the window.
    WindowFull,
    /// A stream that has begun tells an error.
    StreamError,
}

/// What compatible servers do otherwise than the service they are compatible with.
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
    /// No tool can be forced.
    NoForcedTool,
    OldMaxTokens,
    NewMaxTokens,
    NoStreamOptions,
    NoDone,
    /// A reply of more than 2048 tokens does not fit beside the conversation.
    SmallWindow,
    NoIndex,
    ThinkTags,
    ErrorInSuccess,
    /// The answer in JSON stands in a fence.
    FencedJson,
    /// Errors are plain text.
    PlainErrors,
}

impl Fault {
    /// At every call.
    pub fn always(kind: Kind) -> Self {
        Self { at: vec![], every: None, probability: None, from: None, until: None, role: None, kind }
    }

    /// At these calls only.
    pub fn at(calls: &[u64], kind: Kind) -> Self {
        Self { at: calls.to_vec(), ..Self::always(kind) }
    }

    fn meets(&self, call: u64, role: &str, draw: f64) -> bool {
        let in_range = self.from.is_none_or(|from| call >= from) && self.until.is_none_or(|until| call <= until);
        let is_role = self.role.as_deref().is_none_or(|wanted| wanted == role);
        let listed = self.at.contains(&call);
        let every = self.every.is_some_and(|every| every > 0 && call.is_multiple_of(every));
        let drawn = self.probability.is_some_and(|probability| draw < probability);
        let anyway = self.at.is_empty() && self.every.is_none() && self.probability.is_none();
        in_range && is_role && (listed || every || drawn || anyway)
    }
}

impl Plan {
    /// One fault, always.
    pub fn of(kind: Kind) -> Self {
        Self { faults: vec![Fault::always(kind)], ..Self::default() }
    }

    /// One oddity.
    pub fn with(quirk: Quirk) -> Self {
        Self { quirks: vec![quirk], ..Self::default() }
    }

    /// What goes wrong with this call.
    pub(crate) fn due(&self, call: u64, role: &str) -> Vec<Kind> {
        let due = self.faults.iter().enumerate().filter(|(n, fault)| fault.meets(call, role, self.draw(call, *n)));
        due.map(|(_, fault)| fault.kind.clone()).collect()
    }

    pub(crate) fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    /// A number below 1 that depends on nothing but the seed, the call and the fault.
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
    fn a_plan_says_which_calls_go_wrong() {
        let plan: Plan = serde_json::from_str(
            r#"{"seed":1,"faults":[{"at":[2],"kind":"auth"},{"every":3,"kind":"delay","ms":5},{"from":7,"until":8,"role":"analyst","kind":"reset"}]}"#,
        )
        .unwrap();
        let due = |call, role| plan.due(call, role);
        assert_eq!(due(1, "analyst"), vec![]);
        assert_eq!(due(2, "analyst"), vec![Kind::Auth]);
        assert_eq!(due(3, "processor"), vec![Kind::Delay { ms: 5 }]);
        assert_eq!(due(7, "analyst"), vec![Kind::Reset]);
        assert_eq!(due(7, "processor"), vec![]);
    }

    #[test]
    fn chance_is_the_same_each_time() {
        let fault = Fault { probability: Some(0.25), ..Fault::always(Kind::Empty) };
        let plan = Plan { seed: 7, faults: vec![fault], quirks: vec![] };
        let met = || (1..=1000).filter(|call| !plan.due(*call, "analyst").is_empty()).collect::<Vec<_>>();
        assert_eq!(met(), met());
        assert!((200..300).contains(&met().len()), "{}", met().len());
    }
}
