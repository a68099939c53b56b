//! The sections of an assessment, in the order in which they are read.

mod citations;
mod colophon;
mod hypotheses;
mod indicators;
mod judgements;
mod matrix;
mod notes;
mod section;

pub use citations::Citations;
pub use colophon::Colophon;
pub use hypotheses::Hypotheses;
pub use indicators::Indicators;
pub use judgements::Judgements;
pub use matrix::Matrix;
pub use notes::{Assumptions, ChangeNote, Gaps, Impacts, Outlets};
pub use section::{Contents, Section};
