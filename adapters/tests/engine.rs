//! The engine from the question to the assessment, on the real store and graph, with the `extractive` provider or a scripted one.
#![allow(clippy::unwrap_used, reason = "this is a test; the lint only knows functions that carry #[test]")]

#[path = "engine/agents.rs"]
mod agents;
#[path = "engine/away.rs"]
mod away;
#[path = "engine/briefs.rs"]
mod briefs;
#[path = "engine/browse.rs"]
mod browse;
#[path = "engine/budget.rs"]
mod budget;
#[path = "engine/cached.rs"]
mod cached;
#[path = "engine/calls.rs"]
mod calls;
#[path = "engine/crowd.rs"]
mod crowd;
#[path = "conformance/cut.rs"]
#[expect(dead_code, reason = "wires go dead without a word in the conformance suites alone")]
mod cut;
#[path = "engine/extract.rs"]
mod extract;
#[path = "engine/fault_injection.rs"]
mod fault_injection;
#[path = "engine/faults.rs"]
mod faults;
#[path = "engine/gateway.rs"]
mod gateway;
#[path = "engine/judge.rs"]
mod judge;
#[path = "engine/kill.rs"]
mod kill;
#[path = "engine/leader.rs"]
mod leader;
#[path = "engine/material.rs"]
mod material;
#[path = "engine/mistakes.rs"]
mod mistakes;
#[path = "engine/moving.rs"]
mod moving;
#[path = "engine/outage.rs"]
mod outage;
#[path = "engine/pages.rs"]
mod pages;
#[path = "engine/paging.rs"]
mod paging;
#[path = "engine/parts.rs"]
mod parts;
#[path = "engine/removal.rs"]
mod removal;
#[path = "engine/replay.rs"]
mod replay;
#[path = "engine/sample.rs"]
mod sample;
#[path = "engine/script.rs"]
mod script;
#[path = "engine/shared.rs"]
mod shared;
#[path = "engine/table.rs"]
mod table;
#[path = "engine/verify.rs"]
mod verify;
#[path = "engine/world.rs"]
mod world;
