//! Roles of the agents of this feature, their answers, and what their sessions read.

mod answers;
mod pages;

pub use answers::{CitedSentence, FoundResponse, FoundTension, ResponseEffect, ResponseFinding, StoryAnswer, StrainFinding};
pub use pages::OpenedPages;

use crate::{cycle::order::CycleTask, settings::TensionSettings};
use domain::{
    Scope, UserId, Word,
    agent::{AgentRole, SessionOwner, ToolCall},
    investigation::WebAccess,
    model_choice::ModelRole,
};
use engine::{
    Engine, StoreResult,
    agents::{
        FeatureRun, RunLimits, RunOutcome, ToolLimit, run_role,
        spec::{AgentSpec, AnswerShape, PhaseKind, PhaseSpec},
    },
};
use feature::{NamedText, Web};
use protocol::fence::fence;
use serde::de::DeserializeOwned;

/// Kind of the objects of sessions: tasks of the cycle.
pub const TASK: Word = Word::new("tension_task");
/// Tools with which agents read the web.
pub const WEB_SEARCH: &str = "web_search";
pub const READ_PAGE: &str = "read_page";
const WEB_TOOLS: &[&str] = &[WEB_SEARCH, READ_PAGE];

const CURIOSITY_PHASES: &[PhaseSpec] = &[
    PhaseSpec::new("curiosity_search", PhaseKind::Loop { until: None }),
    PhaseSpec::new("curiosity_answer", PhaseKind::Once(AnswerShape::new::<StrainFinding>("strain_finding"))),
];
const SCOUT_PHASES: &[PhaseSpec] = &[
    PhaseSpec::new("response_scout_search", PhaseKind::Loop { until: None }),
    PhaseSpec::new("response_scout_answer", PhaseKind::Once(AnswerShape::new::<ResponseFinding>("response_finding"))),
];
const STORY_PHASES: &[PhaseSpec] =
    &[PhaseSpec::new("tension_story", PhaseKind::Once(AnswerShape::new::<StoryAnswer>("tension_story")))];

/// Role that asks which strain is behind statements.
pub static CURIOSITY: AgentSpec = AgentSpec::answering("curiosity", ModelRole::Analyst, CURIOSITY_PHASES, WEB_TOOLS);
/// Role that looks for what eases a tension.
pub static RESPONSE_SCOUT: AgentSpec = AgentSpec::answering("response_scout", ModelRole::Analyst, SCOUT_PHASES, WEB_TOOLS);
/// Role that tells the story of a tension.
pub static TENSION_STORY: AgentSpec = AgentSpec::answering("tension_story", ModelRole::Analyst, STORY_PHASES, &[]);

/// Roles of the feature.
pub static ROLES: [&AgentSpec; 3] = [&CURIOSITY, &RESPONSE_SCOUT, &TENSION_STORY];

/// Prompts of the roles.
pub const PROMPTS: &[NamedText] = &[
    ("curiosity_search", include_str!("../prompts/curiosity_search.md")),
    ("curiosity_answer", include_str!("../prompts/curiosity_answer.md")),
    ("response_scout_search", include_str!("../prompts/response_scout_search.md")),
    ("response_scout_answer", include_str!("../prompts/response_scout_answer.md")),
    ("tension_story", include_str!("../prompts/tension_story.md")),
    (crate::extracted::PROMPT, include_str!("../prompts/extracted_tensions.md")),
];

/// Descriptions of tools for the roles and for the Analyst.
pub const TOOL_FILES: &[NamedText] = &[
    ("curiosity/web_search", include_str!("../tools/curiosity/web_search.json")),
    ("curiosity/read_page", include_str!("../tools/curiosity/read_page.json")),
    ("response_scout/web_search", include_str!("../tools/response_scout/web_search.json")),
    ("response_scout/read_page", include_str!("../tools/response_scout/read_page.json")),
    ("analyst/search_tensions", include_str!("../tools/analyst/search_tensions.json")),
    ("analyst/get_tension", include_str!("../tools/analyst/get_tension.json")),
];

/// Answer of a role for a task.
#[derive(Debug)]
pub enum TaskAnswer<T> {
    Given(T),
    /// The session ended without an answer.
    Failed(String),
    /// A model or store is down.
    Waiting(String),
    OutOfBudget(String),
}

/// Opening of a session for a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskOpening {
    /// Question for which results of tools are scored.
    pub question: String,
    pub text: String,
    pub max_tool_calls: u32,
}

/// Runs a role for a task, paid by a person. A session that was interrupted goes on.
pub async fn run_task<T: DeserializeOwned>(
    web: &Web,
    spec: &AgentSpec,
    task: &CycleTask,
    user: UserId,
    scope: &Scope,
    opening: TaskOpening,
) -> StoreResult<TaskAnswer<T>> {
    let settings = web.settings.get::<TensionSettings>();
    let (searches, page_reads) = (settings.scout_searches, settings.scout_page_reads);
    let mut text = opening.text;
    if !spec.tools.is_empty() {
        text += &format!("\n\nThis session has {searches} calls of `{WEB_SEARCH}` and {page_reads} of `{READ_PAGE}`.");
    }
    let run = FeatureRun {
        role: spec.role,
        kind: TASK,
        id: task.id.0,
        user,
        scope: scope.clone(),
        collection: task.collection,
        question: opening.question,
        opening: text,
        addresses: vec![],
        web: WebAccess::On,
        limits: RunLimits { max_tool_calls: opening.max_tool_calls, max_questions: 0 },
        tool_limits: vec![
            ToolLimit { tool: WEB_SEARCH, max_calls: searches },
            ToolLimit { tool: READ_PAGE, max_calls: page_reads },
        ],
    };
    Ok(match run_role(&web.engine, &web.agents, &run, None).await? {
        RunOutcome::Answered(answer) => match serde_json::from_value(answer) {
            Ok(answer) => TaskAnswer::Given(answer),
            Err(error) => TaskAnswer::Failed(error.to_string()),
        },
        RunOutcome::Waiting(question) => TaskAnswer::Failed(format!("the session asks a person: {}", question.text)),
        RunOutcome::Suspended(outage) => TaskAnswer::Waiting(outage.reason),
        RunOutcome::OutOfBudget(cap) => TaskAnswer::OutOfBudget(cap.to_string()),
        RunOutcome::Failed(why) => TaskAnswer::Failed(why),
    })
}

/// Fences text from outside for a model.
pub fn fenced(engine: &Engine, text: &str) -> String {
    fence(text, &engine.ids.next().simple().to_string())
}

/// Returns the tool calls of the completed session of a task.
pub async fn calls_of_task(engine: &Engine, role: AgentRole, task: &CycleTask) -> StoreResult<Vec<ToolCall>> {
    let owner = SessionOwner::Feature { kind: TASK, id: task.id.0 };
    match engine.sessions.completed(owner, role).await? {
        Some(session) => engine.sessions.calls(session.id).await,
        None => Ok(vec![]),
    }
}
