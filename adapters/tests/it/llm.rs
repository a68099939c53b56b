//! Models over HTTP against a scripted server of both APIs: the outcome of each fault and oddity.

mod answers;
mod conversations;
mod faults;
mod fixtures;
mod probes;
mod schemas;
pub(crate) mod setup;
