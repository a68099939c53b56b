//! Engine configuration. Every number has the default of REQUIREMENTS.md and is validated at start.

mod depth;

pub use depth::{DepthConfig, DepthLimits};

use crate::{annotations::AnnotationsConfig, fetch::WebConfig, library::origins::OriginsConfig, pages::PagesConfig};
use domain::visibility::VisibilityKind;
use serde::{Deserialize, Serialize};

domain::settings! {
    /// Limits and time-outs of investigations, agents and workers.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct EngineConfig {
        /// Cycles before the final session is forced.
        pub max_cycles: u32 = 10,
        /// Tool calls of one Analyst session before it is ended.
        pub analyst_max_tool_calls: u32 = 50,
        /// Tool calls of one Processor session before it is ended.
        pub processor_max_tool_calls: u32 = 400,
        /// Work orders of one cycle.
        pub max_work_orders_per_cycle: u32 = 20,
        /// Cycles in a row in which every order failed before the investigation fails.
        pub max_failed_cycles: u32 = 2,
        /// Empty Analyst sessions in a row before the final session is forced.
        pub max_empty_sessions: u32 = 2,
        /// Failures after which a work order fails for good (one try and one retry). The death of a worker is not counted.
        pub max_order_attempts: u32 = 2,
        /// Deliveries after which a work order fails for good, so that one which kills its workers ends too.
        pub max_order_deliveries: u32 = 50,
        /// Malformed tool calls in a row that end a session.
        pub max_malformed_calls: u32 = 3,
        /// Replies without a tool call that a session answers with what to call: of an Analyst, before its session counts as empty, or
        /// in a row in a conversation with a person, before it ends early.
        pub max_nudges: u32 = 1,
        /// Maximum length of a model's answer, in tokens.
        pub max_output_tokens: u32 = 16_384,
        /// Number of workers in this process.
        pub workers: u32 = 2,
        /// Maximum number of investigations driven by one process, waiting ones included.
        pub max_investigations: u32 = 1_000,
        /// Maximum number of unfinished investigations of one person, 0 for no limit. The user `system` has none.
        pub max_open_investigations: u32 = 20,
        /// Maximum number of collections of one person, 0 for no limit: each question about its own files only makes one. The user
        /// `system` has none.
        pub max_collections: u32 = 1_000,
        /// Maximum number of collections that are open to one team, 0 for no limit.
        pub max_team_collections: u32 = 1_000,
        /// Lease length of an investigation.
        pub lease_ms: u64 = 15_000,
        /// Heartbeat time-out, after which a work order goes to another worker.
        pub heartbeat_ms: u64 = 60_000,
        /// Pause after a store failure.
        pub worker_pause_ms: u64 = 1_000,
        /// Maximum time an investigation may be suspended before it fails.
        pub max_suspended_ms: u64 = 24 * 60 * 60 * 1_000,
        /// Maximum length of a question, in characters.
        pub max_question_chars: usize = 10_000,
        /// Maximum length of a reading task that a person adds to a plan, in characters.
        pub max_task_chars: usize = 1_000,
        /// Whether people are asked what a vague question is about before it starts.
        pub clarify: bool = true,
        /// Default maximum length of a tool result, in characters.
        pub max_tool_result_chars: usize = 120_000,
        /// Maximum share of a model's context (`models.context_tokens`) that one tool result may take. Several may come in one turn
        /// and stay in the conversation.
        pub result_context_share: f64 = 0.125,
        /// Texts per call of the embedder.
        pub embedding_batch: u32 = 32,
        /// Pause of the backfill when idle.
        pub embedding_pause_ms: u64 = 2_000,
        /// Whether the backfill computes vectors.
        pub embedding_backfill: bool = true,
        /// Maximum length of a claim's quote, in characters.
        pub max_quote_chars: usize = 2_000,
        /// Text on each side of a quote that the tool `read_passage` returns unless it is asked for more or less, in characters.
        pub passage_chars: usize = 600,
        /// Maximum number of quotes of the report on a failed investigation.
        pub partial_quotes: usize = 20,
        /// Maximum number of queries of a Processor's plan.
        pub max_planned_queries: u32 = 16,
        /// Effort of quick and thorough investigations.
        pub depth: DepthConfig = DepthConfig::default(),
        /// Division of large questions.
        pub decomposition: DecompositionConfig = DecompositionConfig::default(),
        /// Packing of documents for extraction.
        pub extract: ExtractConfig = ExtractConfig::default(),
        /// Judging of probable names.
        pub judge: JudgeConfig = JudgeConfig::default(),
        /// Case against the leading answer.
        pub dissent: DissentConfig = DissentConfig::default(),
        /// Web access of Processors.
        pub web: WebConfig = WebConfig::default(),
        /// Clustering of texts into origins.
        pub origins: OriginsConfig = OriginsConfig::default(),
        /// Scoring of tool results.
        pub reflect: ReflectConfig = ReflectConfig::default(),
        /// Locale profile of tool results, from `config/locale/profiles`.
        pub locale: String = "none".to_owned(),
        /// List lengths of the web pages.
        pub pages: PagesConfig = PagesConfig::default(),
        /// Notes, contested ratings and tags of readers.
        pub annotations: AnnotationsConfig = AnnotationsConfig::default(),
    }
}

/// Configuration of question decomposition: parts become investigations of their own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DecompositionConfig {
    /// Maximum number of parts per question; 0 disables decomposition.
    pub max_parts: u32,
}

domain::settings! {
    /// Configuration of extraction packs, which hold as many documents as both limits allow, at least one.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct ExtractConfig {
        /// Maximum text of a pack, in bytes of UTF-8 (characters for English).
        pub batch_chars: u64 = 12_000,
        /// Maximum number of documents of a pack.
        pub batch_documents: u32 = 10,
    }

    /// Configuration of the name judge: at most one call per pack.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct JudgeConfig {
        /// Maximum number of pairs per call, most similar first; the others go to the review list. 0 disables the judge.
        pub max_pairs: u32 = 20,
        /// Maximum number of names shown per side.
        pub max_names: u32 = 4,
        /// Maximum length of a name and of a description, in characters.
        pub max_words_chars: usize = 160,
        /// Maximum length of a stored reason, in characters.
        pub max_reason_chars: usize = 300,
    }

    /// Configuration of the dissent: one session that argues against the leading answer of a stored assessment.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct DissentConfig {
        /// Share of `budget.investigation` that it may use at each depth without `dissent_share`; 0 disables it.
        pub budget_share: f64 = 0.15,
        /// Maximum number of citations given to its author, those of the hypotheses first.
        pub max_citations: usize = 80,
        /// Maximum length of a quote among them, in characters.
        pub max_quote_chars: usize = 400,
        /// Maximum length of its paragraph, in words.
        pub max_words: usize = 150,
    }

    /// Configuration of result scoring, by a model or by rules.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct ReflectConfig {
        /// Maximum part of a result shown to the model, in characters.
        pub max_chars: usize = 4_000,
        /// Time limit, after which the result is passed on unscored.
        pub timeout_ms: u64 = 8_000,
        /// Maximum length of a verdict, in tokens.
        pub max_output_tokens: u32 = 800,
        /// Time to live of a cached verdict, in seconds.
        pub ttl_s: u64 = 86_400,
        /// Percentage of the question's words from which fixed rules call a result good, and partial; below it is poor.
        pub good_percent: u32 = 60,
        pub partial_percent: u32 = 20,
    }
}

impl EngineConfig {
    /// Returns the first invalid setting, with the remedy.
    pub fn problem(&self) -> Option<String> {
        let at_least_one = [
            ("max_cycles", u64::from(self.max_cycles)),
            ("analyst_max_tool_calls", u64::from(self.analyst_max_tool_calls)),
            ("processor_max_tool_calls", u64::from(self.processor_max_tool_calls)),
            ("max_work_orders_per_cycle", u64::from(self.max_work_orders_per_cycle)),
            ("max_failed_cycles", u64::from(self.max_failed_cycles)),
            ("max_empty_sessions", u64::from(self.max_empty_sessions)),
            ("max_order_attempts", u64::from(self.max_order_attempts)),
            ("max_investigations", u64::from(self.max_investigations)),
            ("max_order_deliveries", u64::from(self.max_order_deliveries)),
            ("max_malformed_calls", u64::from(self.max_malformed_calls)),
            ("max_output_tokens", u64::from(self.max_output_tokens)),
            ("embedding_batch", u64::from(self.embedding_batch)),
            ("max_question_chars", self.max_question_chars as u64),
            ("max_task_chars", self.max_task_chars as u64),
            ("max_tool_result_chars", self.max_tool_result_chars as u64),
            ("max_quote_chars", self.max_quote_chars as u64),
            ("max_planned_queries", u64::from(self.max_planned_queries)),
            ("extract.batch_chars", self.extract.batch_chars),
            ("extract.batch_documents", u64::from(self.extract.batch_documents)),
            ("reflect.max_chars", self.reflect.max_chars as u64),
            ("reflect.timeout_ms", self.reflect.timeout_ms),
            ("reflect.max_output_tokens", u64::from(self.reflect.max_output_tokens)),
            ("judge.max_names", u64::from(self.judge.max_names)),
            ("judge.max_words_chars", self.judge.max_words_chars as u64),
            ("judge.max_reason_chars", self.judge.max_reason_chars as u64),
            ("dissent.max_citations", self.dissent.max_citations as u64),
            ("dissent.max_quote_chars", self.dissent.max_quote_chars as u64),
            ("dissent.max_words", self.dissent.max_words as u64),
            ("origins.near_percent", u64::from(self.origins.near_percent)),
            ("origins.agency_percent", u64::from(self.origins.agency_percent)),
            ("origins.max_texts", u64::from(self.origins.max_texts)),
            ("pages.documents_per_page", u64::from(self.pages.documents_per_page)),
            ("pages.audit_per_page", u64::from(self.pages.audit_per_page)),
            ("pages.failed_orders_per_page", u64::from(self.pages.failed_orders_per_page)),
            ("pages.rejected_per_page", u64::from(self.pages.rejected_per_page)),
            ("pages.entity_claims", u64::from(self.pages.entity_claims)),
            ("pages.events_per_read", u64::from(self.pages.events_per_read)),
            ("pages.sessions_per_page", u64::from(self.pages.sessions_per_page)),
            ("pages.steps_per_page", u64::from(self.pages.steps_per_page)),
        ];
        if let Some((name, _)) = at_least_one.into_iter().find(|(_, value)| *value == 0) {
            return Some(format!("engine.{name} is 0; it must be at least 1"));
        }
        let parts = [
            ("document_part_bytes", self.pages.document_part_bytes, 1_000),
            ("document_part_paragraphs", self.pages.document_part_paragraphs, 10),
        ];
        if let Some((name, value, least)) = parts.into_iter().find(|(_, value, least)| value < least) {
            return Some(format!("engine.pages.{name} is {value}; it must be at least {least}"));
        }
        if self.pages.visibility == VisibilityKind::Team {
            return Some("engine.pages.visibility is team; it must be private or workspace".into());
        }
        if let Some(problem) = self.depth.problem() {
            return Some(problem);
        }
        let dissent_share = self.dissent.budget_share;
        if !(0.0..=1.0).contains(&dissent_share) {
            return Some(format!("engine.dissent.budget_share is {dissent_share}; it must be from 0 to 1"));
        }
        if self.decomposition.max_parts == 1 {
            return Some("engine.decomposition.max_parts is 1; it must be 0 (off) or at least 2".into());
        }
        if !(self.result_context_share > 0.0 && self.result_context_share <= 1.0) {
            let share = self.result_context_share;
            return Some(format!("engine.result_context_share is {share}; it must be above 0 and at most 1"));
        }
        for (name, value) in [("lease_ms", self.lease_ms), ("heartbeat_ms", self.heartbeat_ms)] {
            if value < 1_000 {
                return Some(format!("engine.{name} is {value}; it must be at least 1000"));
            }
        }
        None
    }
}
