//! The smallest pieces: plain data in, marks on the page out. They never call the server.

mod action_button;
mod badge;
mod cites;
mod columns;
mod confidence;
mod field;
mod finding;
mod quality;
mod scale;
mod strength;
mod when;

pub use action_button::ActionButton;
pub use badge::{Badge, OwnershipBadge, PartBadges, RecordedBadge, SampleBadge, StateBadge, StatusBadge, Tone};
pub use cites::{Cites, HeldPanels, KnownMarkers, MarkedText, cite, numbered_link};
pub use columns::Columns;
pub use confidence::ConfidenceMark;
pub use field::TextField;
pub use finding::PageFindingMark;
pub use quality::QualityBar;
pub use scale::{Scale, ScaleAxis};
pub use strength::StrengthMark;
pub use when::{Age, Day, WrittenDay};
