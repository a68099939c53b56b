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
mod filter;
mod hypotheses;
mod ids;
mod impacts;
mod indicators;
mod judgements;
mod manage;
mod matrix;
mod notes;
mod reader_notes;
mod recount;
mod section;
#[cfg(feature = "ssr")]
mod source_list;
mod sources;
mod tabs;
mod thread;

pub use annotations::{AnnotationNotice, CitationActions, ContestList, Contests, Excluded, WatchButton, is_excluded};
pub use answers::Answers;
pub use ask::AskButton;
pub use brief::{Disclosure, QuotedStatement, ReportedAnswers, Statements};
pub use causes::Causes;
pub use change::ChangeNote;
pub use checks::CheckList;
pub use citations::{Citations, EvidencePanels};
pub use colophon::Colophon;
pub use context::ReportContext;
pub use digest::{CollectButton, Matters, Unknown, Why, WouldChange};
pub use filter::{EvidenceFilter, FilterForm};
pub use hypotheses::Hypotheses;
pub use impacts::Impacts;
pub use indicators::Indicators;
pub use judgements::Judgements;
pub use manage::Manage;
pub use matrix::Matrix;
pub use notes::{Assumptions, Gaps, Outlets};
pub use reader_notes::ReaderNotes;
pub use recount::Recounted;
pub use section::{Contents, ContentsEntry, Section};
#[cfg(feature = "ssr")]
pub use source_list::SourceList;
pub use sources::{Period, Sources};
pub use tabs::{Tab, Tabs};
pub use thread::{AskNext, Thread};
