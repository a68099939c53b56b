//! The sections of an assessment, in the order in which they are read.

mod annotations;
mod answers;
mod ask;
mod brief;
mod causes;
mod change;
mod checks;
mod citations;
mod colophon;
mod context;
mod digest;
mod evidence_lists;
mod evidence_view;
mod filter;
mod hypotheses;
mod ids;
mod impacts;
mod indicators;
mod judgements;
mod matrix;
mod notes;
mod recount;
mod section;
mod source_list;
mod sources;
mod tabs;
mod thread;

pub use annotations::{
    AnnotationNotice, CitationActions, ContestList, Contests, Excluded, IndicatorPieces, annotation_counts, is_excluded,
};
pub use answers::Answers;
pub use ask::AskButton;
pub use brief::{Disclosure, QuotedStatement, ReportedAnswers, Statements};
pub use causes::Causes;
pub use change::ChangeNote;
pub use checks::CheckList;
pub use citations::{Citations, EvidencePanels};
pub use colophon::Colophon;
pub use context::ReportContext;
pub use digest::{CollectButton, Unknown, WhoIsHit, Why, WouldFlip};
pub use evidence_lists::{Origins, Timeline, Unused};
pub use evidence_view::{EvidenceView, EvidenceViews};
pub use filter::{EvidenceFilter, FilterForm};
pub use hypotheses::Hypotheses;
pub use impacts::Impacts;
pub use indicators::Indicators;
pub use judgements::Judgements;
pub use matrix::Matrix;
pub use notes::{Assumptions, Gaps, Outlets};
pub use recount::Recounted;
pub use section::{Contents, ContentsEntry, Section};
pub use source_list::SourceList;
pub use sources::{Period, Sources};
pub use tabs::{Tab, Tabs};
pub use thread::{AskNext, ReportCrumbs, Thread};
