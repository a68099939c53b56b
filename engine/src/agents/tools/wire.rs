//! What agents and tools say to each other: arguments and results as types. Schemas are derived from these; a provider that is
//! built in reads and writes the same ones.

mod analyst;
mod processor;
mod seen;

pub use analyst::*;
pub use processor::*;
pub use seen::*;
