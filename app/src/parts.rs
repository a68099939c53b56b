//! Pieces of pages: plain data in, no server calls.

pub mod assessment;
mod assessment_filters;
mod cards;
mod collection_filter;
mod filter_select;
mod frame;
mod live_scripts;
mod period_fields;
mod problem;
mod question;
mod quoted;
mod rejected;
mod run_preview;
mod saved_views;
mod since_visit;
mod snippet;
mod theme_switch;
mod visibility;

pub use crate::live::{Confirm, KEY_WARNING, PageLinks, Phase, STOP_WARNING};
pub use assessment_filters::AssessmentFilters;
pub use cards::{AssessmentRow, InvestigationRow, TagLink};
pub use collection_filter::{CollectionFilter, SampleFilter};
pub use filter_select::FilterSelect;
pub use frame::{AuthLayout, Breadcrumbs, Frame, NavItem};
pub use live_scripts::LiveScripts;
pub use period_fields::PeriodFields;
pub use problem::{NoticeBanner, Problem};
pub use question::{QuestionHeading, QuestionLine};
pub use quoted::QuotedText;
pub use rejected::Rejected;
pub use run_preview::RunPreviewNote;
pub use saved_views::SavedViews;
pub use since_visit::SinceVisit;
pub use snippet::SnippetText;
pub use theme_switch::ThemeSwitch;
pub use visibility::{AccessMark, Readers, VisibilityAnswer, VisibilityFields};
