//! Pieces of pages: plain data in, no server calls.

pub mod assessment;
mod cards;
mod collection_filter;
mod confirm;
mod frame;
pub mod investigation;
mod page_links;
mod period_fields;
mod phase;
mod problem;
mod question;
mod quoted;
mod rejected;
mod run_preview;
mod saved_views;
pub mod sessions;
mod since_visit;
mod snippet;
mod visibility;

pub use cards::{AssessmentRow, InvestigationRow, TagLink};
pub use collection_filter::CollectionFilter;
pub use confirm::{Confirm, KEY_WARNING, STOP_WARNING};
pub use frame::{AuthLayout, Breadcrumbs, Frame, NavItem};
pub use page_links::PageLinks;
pub use period_fields::PeriodFields;
pub use phase::Phase;
pub use problem::{NoticeBanner, Problem};
pub use question::{QuestionHeading, QuestionLine};
pub use quoted::QuotedText;
pub use rejected::Rejected;
pub use run_preview::RunPreviewNote;
pub use saved_views::SavedViews;
pub use since_visit::SinceVisit;
pub use snippet::SnippetText;
pub use visibility::{AccessMark, Readers, VisibilityAnswer, VisibilityFields};
