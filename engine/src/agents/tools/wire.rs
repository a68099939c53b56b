//! What agents and tools say to each other: arguments and results as types. Schemas are derived from these; a provider that is
//! built in reads and writes the same ones.

mod analyst;
mod browser;
mod decompose;
mod extract;
mod lenient;
mod processor;
mod reflected;
mod seen;

pub use analyst::*;
pub use browser::*;
pub use decompose::*;
pub use extract::*;
pub use processor::*;
pub use reflected::*;
pub use seen::*;

/// What an answer in JSON holds, also where a model put it between code marks; none: it is of another shape.
pub fn json_of<T: serde::de::DeserializeOwned>(answer: &str) -> Option<T> {
    let text = answer.trim();
    let inner = text.strip_prefix("```").and_then(|rest| rest.split_once('\n')).map_or(text, |(_, inner)| inner);
    serde_json::from_str(inner.trim_end().trim_end_matches("```")).ok()
}
