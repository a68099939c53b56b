//! Assessments, schema v1. They serialise to the JSON export `autosint.assessment.v1`.
//! An evidence brief is one whose `kind` says so: its likelihoods, confidence and probabilities are null.
//!
//! Invariant: every key is always present in JSON, null where unknown; markers are unique and every marker used exists. What was
//! stored before a key was added is read with its default.

mod argument;
mod basis;
mod body;
mod brief;
mod chain;
mod change;
pub mod checks;
mod comparison;
mod digest;
mod dissent;
mod leading;
pub mod lenient;
mod outlook;
mod question_scope;
mod recount;
mod sources;
mod state;
mod summary;
mod text;
mod uses;
mod validate;

pub use argument::{Actor, Argument, BaseRate, ConditionalProbability, DatedEvent, Disagreement, QuantityRange, Scenario};
pub use basis::{Basis, PrimarySource, Sides, sharpest_line, sides, speakers};
pub use body::{AnalyticConfidence, Body, Hypothesis, Judgement, MatrixRow, Position, Question, Rating};
pub use brief::{AssessmentKind, DISCLOSURE, DatedStatement, EvidenceBrief, ReportedAnswer, Statement};
pub use chain::CauseChain;
pub use change::{Change, ItemOutcome, SettledItem, brier_lines};
pub use checks::{CheckOutcome, Checks, Finding};
pub use comparison::{
    AnswerLine, BeliefChange, ComparedAssessment, Comparison, EvidenceSides, HypothesisChange, LeaderChange, Losses,
    LostHypothesis, NOTABLE_POINTS, StatementChange, Terms, UnmatchedCitation, answer_lines, point_words,
};
pub use digest::{CitedSource, Digest, DigestList, Flip, Objection, RankedAnswer, Reason, rank_answers};
pub use dissent::{DeceptionNote, Dissent, DissentTerms};
pub use leading::Answer;
pub use outlook::{
    Assumption, Cause, CauseStrength, Direction, Gap, Impact, ImpactDirection, ImpactSize, Indicator, OutletNote, Resolution,
};
pub use question_scope::QuestionScope;
pub use recount::{AnswerRecount, BeforeAfter, Evidence, JudgementRecount, Recount, SourceCount};
pub use sources::{FruitlessSearch, OutletOwner, OwnerEnd, PlanNote, SourceStatement, owner_end};
pub use state::{ANSWERED_FROM, AnsweredParts, AssessmentState, PartState, shares};
pub use summary::AssessmentSummary;
pub use text::{
    Segment, as_clause, escape_markdown, markers_beside, markers_in, segments, text_of_markdown, unmarked, with_whole_percents,
    without_markers,
};
pub use uses::CitationUse;
pub use validate::{Problem, uncited, validate};

use crate::{
    AssessmentId, ClaimId, DocumentId, EntityId, InvestigationId, Precision, PublicationDate, Timestamp,
    claim::Attribution,
    claim::Span,
    document::{credited_name, is_opinion},
    fetch::PageFinding,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// The value of `schema` in every export.
pub const SCHEMA: &str = "autosint.assessment.v1";

/// Number of a citation inside one assessment, from 1.
pub type Marker = u32;

/// A finished assessment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// Always `autosint.assessment.v1`.
    pub schema: String,
    pub id: AssessmentId,
    pub investigation_id: InvestigationId,
    #[serde(default)]
    pub kind: AssessmentKind,
    pub question: String,
    /// When it was written.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// Period that the information covers.
    #[serde(default)]
    pub information: InformationPeriod,
    /// Disclosure of how an evidence brief was made; null for an assessment.
    #[serde(default)]
    pub disclosure: Option<String>,
    #[serde(flatten)]
    pub body: Body,
    pub citations: Vec<Citation>,
    /// Scope that the person set; null for the whole library and the web, at any time and standard depth.
    #[serde(default)]
    pub scope: Option<QuestionScope>,
    /// Null where it was not computed.
    #[serde(default)]
    pub sources: Option<SourceStatement>,
    /// The best case against the leading answer, by another session; null where none was asked for.
    #[serde(default)]
    pub dissent: Option<Dissent>,
    /// Null where nothing was checked.
    #[serde(default)]
    pub checks: Option<Checks>,
    pub producer: Producer,
    pub cost: Cost,
}

impl Assessment {
    /// Returns the ids of the cited documents.
    pub fn cited(&self) -> BTreeSet<DocumentId> {
        self.citations.iter().map(|citation| citation.document_id).collect()
    }

    /// The markers of its citations.
    pub fn markers(&self) -> BTreeSet<Marker> {
        self.citations.iter().map(|citation| citation.marker).collect()
    }

    /// Returns the days on which the cited documents were published.
    pub fn evidence_period(&self) -> InformationPeriod {
        InformationPeriod::spanning(self.citations.iter().filter_map(|citation| citation.published_at)).in_days()
    }

    /// Returns the bottom line as plain text, for lists and searches.
    pub fn bottom_line_text(&self) -> Cow<'_, str> {
        match self.kind {
            AssessmentKind::Assessment => Cow::Borrowed(&self.body.bottom_line),
            AssessmentKind::EvidenceBrief => Cow::Owned(text_of_markdown(&self.body.bottom_line)),
        }
    }

    /// Whether its title has the words of its question and no other.
    pub fn repeats_question(&self) -> bool {
        let words = |text: &str| crate::text::words(text).map(str::to_lowercase).collect::<Vec<_>>();
        words(&self.body.title) == words(&self.question)
    }

    /// The heading of its pages: its title, or the question where the title only repeats it.
    pub fn heading(&self) -> &str {
        if self.repeats_question() { &self.question } else { &self.body.title }
    }

    /// Returns the text of an indicator or judgement by its id.
    pub fn item(&self, id: &str) -> Option<&str> {
        let indicators = self.body.indicators.iter().map(|indicator| (&indicator.id, &indicator.text));
        let judgements = self.body.key_judgements.iter().map(|judgement| (&judgement.id, &judgement.statement));
        indicators.chain(judgements).find(|(item, _)| *item == id).map(|(_, text)| text.as_str())
    }

    /// Returns the probability of an indicator or judgement by its id.
    pub fn probability_of_item(&self, id: &str) -> Option<f64> {
        let indicators = self.body.indicators.iter().map(|indicator| (&indicator.id, indicator.probability));
        let point = |judgement: &Judgement| judgement.likelihood.as_ref().map(|likelihood| likelihood.point);
        let judgements = self.body.key_judgements.iter().map(|judgement| (&judgement.id, point(judgement)));
        indicators.chain(judgements).find(|(item, _)| *item == id).and_then(|(_, probability)| probability)
    }
}

/// The first and the last publication among the documents that the investigation read and cites; null where none is dated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InformationPeriod {
    pub from: Option<PublicationDate>,
    pub until: Option<PublicationDate>,
}

impl InformationPeriod {
    pub fn spanning(dates: impl IntoIterator<Item = PublicationDate>) -> Self {
        let dates: Vec<PublicationDate> = dates.into_iter().collect();
        // Dates of one moment differ in precision only: the least exact one wins.
        let key = |published: &&PublicationDate| (published.value, published.precision);
        Self { from: dates.iter().min_by_key(key).copied(), until: dates.iter().max_by_key(key).copied() }
    }

    /// Returns the period without times of day.
    pub fn in_days(self) -> Self {
        let day = |published: PublicationDate| {
            let precision = published.precision.min(Precision::Day);
            let value = Timestamp::from(published.value.to_datetime().date_naive().and_time(chrono::NaiveTime::MIN).and_utc());
            PublicationDate { value, precision, ..published }
        };
        Self { from: self.from.map(day), until: self.until.map(day) }
    }
}

/// A quote that stands at `span` of the stored text of its document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Citation {
    pub marker: Marker,
    pub claim_id: ClaimId,
    /// The claim in one sentence.
    #[serde(default)]
    pub content: Option<String>,
    /// Speaker, where the document quotes somebody.
    #[serde(default)]
    pub speaker: Option<String>,
    /// Entity of the speaker, where the graph has one.
    #[serde(default)]
    pub speaker_entity: Option<EntityId>,
    pub document_id: DocumentId,
    /// Hex SHA-256 of the bytes as they were read.
    pub document_sha256: String,
    /// Hex SHA-256 of the stored text.
    pub text_sha256: String,
    pub document_title: String,
    pub document_path: String,
    /// Short id of the origin: citations that share it repeat one text.
    #[serde(default)]
    pub origin: Option<String>,
    pub quote: String,
    pub span: Span,
    pub outlet: Option<String>,
    pub published_at: Option<PublicationDate>,
    pub attribution: Attribution,
}

impl Citation {
    /// The name that readers see beside the quotation.
    pub fn source_name(&self) -> String {
        credited_name(self.outlet.as_deref(), &self.document_path)
    }

    /// Whether its document is a piece of opinion.
    pub fn is_opinion(&self) -> bool {
        is_opinion(&self.document_title, &self.document_path)
    }

    /// Name of its origin; without one, its text is its own origin.
    pub fn origin_key(&self) -> &str {
        self.origin.as_deref().unwrap_or(&self.text_sha256)
    }

    /// The finding about the quoted page.
    pub fn finding<'a>(&self, findings: &'a [PageFinding]) -> Option<&'a PageFinding> {
        findings.iter().find(|finding| finding.document_id == self.document_id)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Producer {
    pub provider: String,
    pub model: String,
    /// Hex SHA-256 of the prompt of each role.
    pub prompts: BTreeMap<String, String>,
}

impl Producer {
    /// The provider that plays recorded model calls back.
    pub const REPLAY: &str = "replay";
    /// Badge of an assessment from recorded replies.
    pub const RECORDED: &str = "Recorded with a language model";

    /// The provider of reports that rules compile.
    pub const RULES: &str = "extractive";

    /// Whether rules wrote it, without a language model.
    pub fn is_rule_based(&self) -> bool {
        self.provider == Self::RULES
    }

    pub fn is_recorded(&self) -> bool {
        self.provider == Self::REPLAY
    }

    /// Whether a model, as `PROVIDER:MODEL`, plays recorded calls back.
    pub fn is_recording(model: &str) -> bool {
        model.split_once(':').is_some_and(|(provider, _)| provider == Self::REPLAY)
    }

    /// Returns the note for readers about recorded replies; `None` for live ones.
    pub fn recorded_note(&self) -> Option<String> {
        let how =
            "The program worked as it would with the model: it read the documents, recorded claims and checked every quote.";
        self.is_recorded().then(|| format!("{} ({}), and played back here. {how}", Self::RECORDED, self.model))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    pub currency: String,
    /// Null where a model was called whose price is not known.
    pub amount: Option<f64>,
    pub tokens_in: u64,
    pub tokens_out: u64,
}

#[cfg(test)]
mod tests;
