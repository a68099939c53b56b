//! Pieces of pages: plain data in, no server calls.

pub mod assessment;
mod cards;
mod frame;
pub mod investigation;
mod page_links;
mod problem;
mod prospect;
mod question;
mod quoted;
mod rejected;
pub mod sessions;

pub use cards::{AssessmentCardView, InvestigationRow};
pub use frame::{Door, Frame, Place};
pub use page_links::PageLinks;
pub use problem::{NoticeBanner, Problem};
pub use prospect::ProspectNote;
pub use question::{Asked, QuestionHeading};
pub use quoted::QuotedText;
pub use rejected::Rejected;
