//! The parts of the investigation page. All draw one `LiveState`, on the server and again in the browser.

mod counters;
mod log;
mod orders;
mod question_parts;
mod steps;

pub use counters::Counters;
pub use log::Log;
pub use orders::{NowReading, Orders};
pub use question_parts::QuestionParts;
pub use steps::Steps;
