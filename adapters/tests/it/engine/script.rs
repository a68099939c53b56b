//! A model that plays a script, and goes on as the `extractive` provider when the script is over.

use super::{prelude::*, world::EXTRACTIVE};
use domain::{
    ConfidenceLevel,
    assessment::{AnalyticConfidence, Assumption, Body, Direction, Gap, Hypothesis, Indicator, Resolution},
};
use protocol::{
    model::StopReason,
    pack::{Pack, PackedDocument},
    tools::ProduceAssessment,
};
use std::collections::VecDeque;
use tokio::{sync::watch, time::timeout};

type Answer = Box<dyn FnOnce(&ModelRequest) -> ModelReply + Send>;

/// One turn of the model.
pub enum Line {
    Answer(Answer),
    /// As the provider takes it.
    Extractive,
    Down,
    Fails(ModelError),
    /// The same when it is let go on.
    Held(CancellationToken),
    /// It never answers.
    Hang,
}

/// Behaviour after the end of the script.
#[derive(Clone, Copy)]
pub enum After {
    Extractive,
    /// It says nothing of use, for ever.
    Empty,
    /// It calls tools that do not exist, for ever.
    Nonsense,
    Down,
    TooLong,
    Refuse,
}

pub struct Script {
    name: &'static str,
    price: Price,
    context_tokens: Option<u32>,
    /// Counts as a model does.
    is_metered: bool,
    product: AssessmentKind,
    lines: Mutex<VecDeque<Line>>,
    after: After,
    /// Every request that came.
    pub seen: Mutex<Vec<ModelRequest>>,
    /// Their number.
    called: watch::Sender<usize>,
}

impl Script {
    pub fn new(lines: Vec<Line>, after: After) -> Arc<Self> {
        Arc::new(Self::named("script-1", lines, after))
    }

    /// One of several models.
    pub fn named(name: &'static str, lines: Vec<Line>, after: After) -> Self {
        let lines = Mutex::new(lines.into());
        let (price, seen) = (Price::default(), Mutex::default());
        let product = AssessmentKind::Assessment;
        Self {
            name,
            price,
            context_tokens: None,
            is_metered: false,
            product,
            lines,
            after,
            seen,
            called: watch::Sender::new(0),
        }
    }

    pub fn with_price(self, price: Price) -> Self {
        Self { price, ..self }
    }

    pub fn with_context(self, tokens: u32) -> Self {
        Self { context_tokens: Some(tokens), ..self }
    }

    /// The same, counting tokens as a model does.
    pub fn metered(self) -> Self {
        Self { is_metered: true, ..self }
    }

    /// The same, writing evidence briefs as the built-in provider does.
    pub fn writing_briefs(self) -> Self {
        Self { product: AssessmentKind::EvidenceBrief, ..self }
    }

    pub fn calls(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    /// Until so many requests have come, but not for ever.
    pub async fn until_called(&self, times: usize) {
        let mut called = self.called.subscribe();
        let came = timeout(Duration::from_secs(60), called.wait_for(|calls| *calls >= times)).await;
        assert!(came.is_ok(), "{} was called {} times, not {times}", self.name, self.calls());
    }

    /// The results of the last round that some request carried, one conversation after the other.
    pub fn results(&self) -> Vec<(String, bool)> {
        let seen = self.seen.lock().unwrap();
        let last = seen.iter().filter_map(|request| match request.messages.last() {
            Some(Message::Tools { results }) => Some(results.clone()),
            _ => None,
        });
        last.flatten().map(|result| (result.content.to_string(), result.is_error)).collect()
    }

    async fn answer(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        self.seen.lock().unwrap().push(request.clone());
        self.called.send_modify(|calls| *calls += 1);
        let line = self.lines.lock().unwrap().pop_front();
        match line {
            Some(Line::Answer(answer)) => Ok(answer(request)),
            Some(Line::Extractive) => scripted::stand_in::reply(&**EXTRACTIVE, request).await,
            Some(Line::Held(go_on)) => {
                go_on.cancelled().await;
                scripted::stand_in::reply(&**EXTRACTIVE, request).await
            }
            Some(Line::Down) => Err(down_error()),
            Some(Line::Fails(error)) => Err(error),
            Some(Line::Hang) => std::future::pending().await,
            None => match self.after {
                After::Extractive => scripted::stand_in::reply(&**EXTRACTIVE, request).await,
                After::Empty => Ok(reply("I do not know.", vec![])),
                After::Nonsense => Ok(reply("", vec![("no_such_tool", json!({}))])),
                After::Down => Err(down_error()),
                After::TooLong => Err(ModelError::ContextTooLong { used: Usage::default() }),
                After::Refuse => Ok(ModelReply { stop: StopReason::Refused, ..reply("No.", vec![]) }),
            },
        }
    }
}

#[async_trait]
impl Model for Script {
    fn provider(&self) -> &'static str {
        "script"
    }

    fn model(&self) -> &'static str {
        self.name
    }

    fn price(&self) -> Price {
        self.price.clone()
    }

    fn context_tokens(&self) -> Option<u32> {
        self.context_tokens
    }

    fn wants_vectors(&self) -> bool {
        false
    }

    fn product(&self) -> AssessmentKind {
        self.product
    }

    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let reply = self.answer(request).await?;
        if !self.is_metered {
            return Ok(reply);
        }
        let tokens_out = serde_json::to_vec(&reply).unwrap().len() as u64 / 3;
        let usage = Usage { tokens_in: prompt_tokens(request, 3.0), tokens_out, ..Usage::default() };
        Ok(ModelReply { usage, ..reply })
    }
}

fn down_error() -> ModelError {
    ModelError::Unavailable { message: "the model is overloaded".into(), retry_after_ms: None }
}

pub fn reply(text: &str, calls: Vec<(&str, Value)>) -> ModelReply {
    let tool_calls: Vec<ToolRequest> = (0..)
        .zip(calls)
        .map(|(n, (name, arguments))| ToolRequest { id: format!("s{n}"), name: name.into(), arguments })
        .collect();
    let stop = if tool_calls.is_empty() { StopReason::EndTurn } else { StopReason::ToolUse };
    let usage = Usage { tokens_in: 3, tokens_out: 2, ..Usage::default() };
    ModelReply { text: text.into(), tool_calls, stop, usage, thinking: vec![] }
}

pub fn says(text: &'static str) -> Line {
    Line::Answer(Box::new(move |_| reply(text, vec![])))
}

/// A plan without queries, which leaves everything to research.
pub fn unplanned() -> Line {
    says(r#"{"plan":"","queries":[]}"#)
}

/// An answer that was cut at the longest that is allowed.
pub fn cut() -> Line {
    Line::Answer(Box::new(|_| ModelReply { stop: StopReason::MaxTokens, ..reply("{\"documents\": [{", vec![]) }))
}

pub fn calls(calls: Vec<(&'static str, Value)>) -> Line {
    Line::Answer(Box::new(move |_| reply("", calls)))
}

/// An answer in JSON, made of the pack of documents that the conversation began with.
pub fn records(answer: impl FnOnce(&[PackedDocument<'_>]) -> Value + Send + 'static) -> Line {
    Line::Answer(Box::new(move |request| {
        let Some(Message::User { text }) = request.messages.first() else { panic!("a pack comes first") };
        reply(&answer(&Pack::read(text)).to_string(), vec![])
    }))
}

/// An answer to a request to correct items of an extract: made of each document, the items that were wrong, and the nearest words.
pub fn mends(answer: impl FnOnce(&[(String, Vec<Value>)]) -> Value + Send + 'static) -> Line {
    Line::Answer(Box::new(move |request| {
        let Some(Message::User { text }) = request.messages.first() else { panic!("what is to be mended comes first") };
        let documents = text.split("\nDocument ").skip(1).map(|part| {
            let (id, items) = part.split_once('\n').unwrap();
            (id.to_owned(), items.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
        });
        reply(&answer(&documents.collect::<Vec<_>>()).to_string(), vec![])
    }))
}

/// An order that leaves a plan to be made, and research to be done.
pub fn vague_order() -> Line {
    let order = json!({"objective": "Read the reports.", "source_guidance": ["documents about the fire"], "is_last": true});
    calls(vec![("create_work_order", order)])
}

pub fn order(objective: &str) -> (&'static str, Value) {
    ("create_work_order", json!({"objective": objective, "source_guidance": ["documents offset=0 limit=32"]}))
}

/// An assessment without evidence whose hypotheses sum to this; checks find nothing in it.
pub fn assessment(probability: f64) -> (&'static str, Value) {
    let content = Body {
        title: "Nothing known".into(),
        bottom_line: "We do not know.".into(),
        hypotheses: vec![
            hypothesis("H1", "It was so.", 0.0),
            hypothesis("H2", "It was otherwise.", 0.0),
            Hypothesis { is_none: true, ..hypothesis("H3", "None of these.", probability) },
        ],
        assumptions: vec![Assumption { text: "There is more to find.".into(), if_wrong: "It stays unknown.".into() }],
        indicators: vec![Indicator {
            id: "I1".into(),
            text: "Somebody reports it.".into(),
            hypotheses: vec!["H1".into()],
            direction: Some(Direction::Supports),
            resolution: Resolution {
                question: Some("Has anybody reported it?".into()),
                criteria: Some("A report that names it.".into()),
                by: Some("2099-12-31".into()),
                ..Resolution::default()
            },
            ..Indicator::default()
        }],
        gaps: vec![Gap {
            text: "Everything.".into(),
            impact: Some("It would answer the question.".into()),
            how_to_close: Some("Read more.".into()),
        }],
        overall_confidence: Some(AnalyticConfidence { level: ConfidenceLevel::Low, basis: "No evidence.".into() }),
        ..Body::default()
    };
    let draft: ProduceAssessment = ProduceAssessment { content, claim_refs: vec![], entity_refs: vec![] };
    ("produce_assessment", serde_json::to_value(draft).unwrap())
}

fn hypothesis(id: &str, statement: &str, probability: f64) -> Hypothesis {
    Hypothesis {
        id: id.into(),
        statement: statement.into(),
        probability: Some(probability),
        reasoning: format!("Nothing was found for it: {statement}"),
        weaknesses: "It says nothing.".into(),
        ..Hypothesis::default()
    }
}

/// So many turns as the provider takes them, then silence.
pub fn extractive_then_hang(turns: usize) -> Vec<Line> {
    (0..turns).map(|_| Line::Extractive).chain([Line::Hang]).collect()
}
