//! Chaos test: every investigation must end normally while PostgreSQL, Neo4j, Redis, two `serve` processes and several workers
//! are killed, paused, stopped and restarted at seeded times.
//!
//! `AUTOSINT_CHAOS` sets the size (`Size::given`). Without it, a small run if backends are required, else none, because `make
//! chaos` takes minutes.

mod cycle;
mod faults;
mod mail;
mod processes;
mod questions;
mod services;
pub mod size;
mod standing;

use crate::{prelude::*, service};
use faults::{Fault, FaultRow, Kind};
use processes::{Autosint, Fleet};
use questions::{QuestionOutcome, Questions};
use services::Services;
use size::Size;
use std::slice;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_investigation_survives_killed_processes() {
    let Some(size) = Size::given() else {
        println!("skipped: AUTOSINT_CHAOS and REQUIRE_BACKENDS are unset (make chaos)");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    service::open_to_all(folder.path());
    let mut services = Services::start(folder.path());
    let config = processes::configuration(folder.path(), &services);

    let questions = Questions::open(&config).await;
    let mut fleet = Fleet::start(&config, folder.path(), size.workers);
    let calm = questions.ask("calm").await;
    questions.wait_for(slice::from_ref(&calm)).await;
    let expected = questions.ended(&calm).await;
    assert!(expected.is_whole(), "{expected:?}");

    let mut asked = vec![];
    for number in 0..size.investigations {
        asked.push(questions.ask(&format!("person-{number}")).await);
    }
    let began = Instant::now();
    let mut rows = vec![];
    for fault in faults::schedule(&size) {
        pause(fault.after).await;
        rows.push(strike(&fault, began, &mut services, &mut fleet, &questions).await);
    }
    questions.wait_for(&asked).await;
    let took = began.elapsed();
    print(&size, &rows, took.as_secs_f64());

    let mut taken_up_again = 0;
    for investigation in &asked {
        let ended = questions.ended(investigation).await;
        assert_eq!(ended.result, expected.result, "{}", investigation.id);
        assert!(ended.is_whole(), "{ended:?}");
        taken_up_again += ended.taken_up_again;
    }
    println!("{} of {} ended alike; {taken_up_again} orders and sessions were taken up again", asked.len(), asked.len());
    assert!(rows.iter().any(FaultRow::had_running_work), "nothing was struck while there was work");
    assert!(taken_up_again > 0 || size == Size::SMALL, "no death came while there was work");
    drop(fleet);
    assert!(eventually(async || questions.is_queue_empty().await).await, "an order is left in the queue");
    questions.close().await;
}

/// Applies a fault, waits, and restarts the process.
async fn strike(fault: &Fault, began: Instant, services: &mut Services, fleet: &mut Fleet, questions: &Questions) -> FaultRow {
    let at = began.elapsed();
    let before = questions.progress().await;
    match fault.kind {
        Kind::Worker(number) => kill_and_start(fleet.worker(number), fault.down).await,
        Kind::Serve(number) => kill_and_start(fleet.server(number), fault.down).await,
        Kind::Pause(number) => {
            let held_up = fleet.worker(number);
            held_up.signal("-STOP");
            pause(fault.down).await;
            held_up.signal("-CONT");
        }
        Kind::Stop(number) => {
            let told = fleet.worker(number);
            told.signal("-TERM");
            tokio::task::block_in_place(|| told.stopped());
            pause(fault.down).await;
            told.start();
        }
        Kind::Service(kind) => {
            let struck = services.service_mut(kind);
            struck.kill();
            pause(fault.down).await;
            struck.start_again();
        }
    }
    FaultRow::new(fault, at, began.elapsed() - at, before)
}

async fn kill_and_start(struck: &mut Autosint, down: Duration) {
    struck.kill();
    pause(down).await;
    struck.start();
}

/// Table of faults with the progress at each.
fn print(size: &Size, rows: &[FaultRow], took_s: f64) {
    println!("{} investigations, {} workers, seed {}, {took_s:.0} s", size.investigations, size.workers, size.seed);
    println!("{:>7}  {:24} {:>9}  {:>9} {:>9} {:>9}", "at", "struck", "down for", "completed", "at work", "suspended");
    for row in rows {
        println!("{row}");
    }
}

/// Outcome of a question that must not depend on faults.
impl QuestionOutcome {
    fn is_whole(&self) -> bool {
        self.result.claims > 50 && self.unresolved == 0 && self.done_twice == 0 && self.at_once == 0
    }
}
