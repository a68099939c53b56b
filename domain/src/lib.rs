//! The domain types of AutOSINT. No I/O, no clock, no randomness; compiles for wasm.
//!
//! Invariant: everything here is plain data plus rules that can be checked without the outside world.

pub mod agent;
pub mod annotation;
pub mod assessment;
pub mod budget;
pub mod claim;
pub mod collection;
pub mod confidence;
pub mod document;
pub mod entity;
pub mod event;
pub mod fetch;
pub mod ids;
pub mod investigation;
pub mod likelihood;
pub mod live;
pub mod model_choice;
pub mod outlet;
pub mod query_text;
pub mod relationship;
mod settings;
pub mod subgraph;
pub mod team;
pub mod text;
pub mod time;
pub mod user;
pub mod visibility;
pub mod word;
mod words;
pub mod work_order;

pub use collection::{Collection, CollectionKind, Scope};
pub use confidence::{Confidence, ConfidenceLevel};
pub use ids::*;
pub use query_text::{QueryLimits, QueryText};
pub use time::{DateRange, PartialDate, Precision, PublicationDate, PublishedBasis, Timestamp};
pub use word::Word;
