//! Pieces of pages: plain data in, no server calls.

pub mod assessment;
mod assessment_filters;
mod cards;
mod collection_filter;
mod empty_state;
mod filter_select;
mod frame;
mod live_scripts;
mod period_fields;
mod problem;
mod question;
mod quoted;
mod reader_notes;
mod rejected;
mod run_preview;
mod since_visit;
mod snippet;
mod theme_switch;
mod tidy;
mod visibility;

pub use crate::live::{Confirm, PageLinks, Phase, STOP_WARNING};
pub use assessment_filters::AssessmentFilters;
pub use cards::{AssessmentRow, InvestigationRow, TagLink};
pub use collection_filter::{CollectionFilter, SampleFilter, TagFilter};
pub use empty_state::EmptyState;
pub use filter_select::FilterSelect;
pub use frame::{AuthLayout, Breadcrumbs, Frame, NavItem};
pub use live_scripts::{ExplorerScripts, LiveScripts};
pub use period_fields::PeriodFields;
pub use problem::{NoticeBanner, Problem};
pub use question::{QuestionHeading, QuestionLine};
pub use quoted::QuotedText;
pub use reader_notes::{ReaderNotes, TypedRemark};
pub use rejected::Rejected;
pub use run_preview::RunPreviewNote;
pub use since_visit::SinceVisit;
pub use snippet::SnippetText;
pub use theme_switch::ThemeSwitch;
pub use tidy::{Manage, SelectAll, TIDY_FORM, TidyForm, TidyKind, UndoNotice};
pub use visibility::{AccessMark, Readers, ReadersNotice, VisibilityAnswer, VisibilityFields};

/// Warning before a key is removed.
pub const KEY_WARNING: &str = "The key is deleted. To use it again, you must paste it again.";
