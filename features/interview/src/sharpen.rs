//! Sharpening of a vague question before an investigation: a role asks its person at most two short questions, and the answers become part
//! of the question. The person sees and edits the result in the question form; nothing starts here.

use crate::settings::InterviewSettings;
use domain::{CollectionId, Scope, UserId, Word, investigation::WebAccess, model_choice::ModelRole};
use engine::agents::{
    FeatureRun, PersonReply, RunLimits, RunOutcome, run_role,
    spec::{AgentSpec, AnswerShape, PhaseKind, PhaseSpec},
};
use feature::Web;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::time::timeout;
use uuid::Uuid;

/// Kind of the objects of sessions.
pub const SHARPENING: Word = Word::new("sharpening");

const MAX_QUESTIONS: u32 = 2;

const PHASES: &[PhaseSpec] = &[
    PhaseSpec::new("clarifier_ask", PhaseKind::AskPerson),
    PhaseSpec::new("clarifier_question", PhaseKind::Once(AnswerShape::new::<ClearQuestion>("clear_question"))),
];

/// Role that asks a person about their question.
pub static CLARIFIER: AgentSpec = AgentSpec::answering("clarifier", ModelRole::Analyst, PHASES, &[]);

/// Answer of the last phase.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClearQuestion {
    /// The question with the answers of the person in it.
    pub question: String,
}

/// Question of a person that is being sharpened. It is kept in their browser session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sharpening {
    pub id: Uuid,
    pub user: UserId,
    pub question: String,
    /// Choices of the question form.
    pub fields: Vec<(String, String)>,
    /// Ids of the chosen collections with commas between them.
    pub collections: String,
    /// Number and text of the last question to the person.
    pub asked: Option<(u32, String)>,
    pub answers: Vec<String>,
}

impl Sharpening {
    /// Goes on up to the next question to the person (none), or to the sharpened question. Where the model fails or takes too long, the
    /// answers so far stand beside the question.
    pub async fn go_on(&mut self, web: &Web, reply: Option<&PersonReply>) -> Option<String> {
        let run = FeatureRun {
            role: CLARIFIER.role,
            kind: SHARPENING,
            id: self.id,
            user: self.user,
            // The role reads and stores no documents: its collection is one that does not exist.
            scope: Scope::from(CollectionId(self.id)),
            collection: CollectionId(self.id),
            question: self.question.clone(),
            opening: format!("Question: {}", self.question),
            addresses: vec![],
            web: WebAccess::Off,
            limits: RunLimits { max_tool_calls: 0, max_questions: MAX_QUESTIONS },
            tool_limits: vec![],
        };
        let limit = Duration::from_millis(web.settings.get::<InterviewSettings>().sharpen_ms);
        match timeout(limit, run_role(&web.engine, &web.agents, &run, reply)).await {
            Ok(Ok(RunOutcome::Waiting(question))) => {
                self.asked = Some((question.number, question.text));
                None
            }
            Ok(Ok(RunOutcome::Answered(answer))) => {
                let max = web.engine.config.max_question_chars;
                let clear = serde_json::from_value::<ClearQuestion>(answer).map(|answer| answer.question.trim().to_owned());
                // Without answers, other words are not those of the person.
                let is_fit = |text: &String| !self.answers.is_empty() && !text.is_empty() && text.chars().count() <= max;
                Some(clear.ok().filter(is_fit).unwrap_or_else(|| self.with_answers()))
            }
            Ok(Ok(outcome)) => {
                tracing::info!(?outcome, "question not sharpened by a model");
                Some(self.with_answers())
            }
            Ok(Err(error)) => {
                tracing::error!(%error, "session of a sharpened question failed");
                Some(self.with_answers())
            }
            Err(_) => Some(self.with_answers()),
        }
    }

    /// Returns the question with the answers beside it, as they were given.
    pub fn with_answers(&self) -> String {
        match self.answers.is_empty() {
            true => self.question.clone(),
            false => format!("{} ({})", self.question, self.answers.join("; ")),
        }
    }
}
