//! The sections of an assessment, in the order in which they are read.

mod answers;
mod brief;
mod causes;
mod change;
mod checks;
mod citations;
mod colophon;
mod digest;
mod hypotheses;
mod ids;
mod impacts;
mod indicators;
mod judgements;
mod matrix;
mod notes;
mod section;
mod sources;
mod tabs;

pub use answers::Answers;
pub use brief::{Disclosure, QuotedStatement, ReportedAnswers, Statements};
pub use causes::Causes;
pub use change::ChangeNote;
pub use checks::CheckList;
pub use citations::{Citations, EvidencePanels};
pub use colophon::Colophon;
pub use digest::{Matters, Unknown, Why, WouldChange};
pub use hypotheses::Hypotheses;
pub use impacts::Impacts;
pub use indicators::Indicators;
pub use judgements::Judgements;
pub use matrix::Matrix;
pub use notes::{Assumptions, Gaps, Outlets};
pub use section::{Contents, ContentsEntry, Section};
pub use sources::{Period, Sources};
pub use tabs::{Tab, Tabs};
