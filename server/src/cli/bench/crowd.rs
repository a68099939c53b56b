//! Many investigations at once, against a model server that takes no time: what is lost, and what everything but the model costs.

use super::{
    Failure, corpus, resources,
    trial::{self, Order, Plan},
};
use crate::{
    Program, Runner,
    cli::{clock_is_right, exit::Exit},
    config::Config,
};
use domain::investigation::{Investigation, Status};
use engine::{StoreResult, investigations::InvestigationFilter};
use fetch::Input;
use futures::TryStreamExt;
use serde::Serialize;
use std::time::Instant;

/// What each of them reads.
const PAGES: usize = 20;
const PAGE_CHARS: usize = 6_500;
/// The tool that searches.
const SEARCH: &str = "fetch_source_query";

/// What came of them.
#[derive(Debug, Default, Serialize)]
pub(super) struct Crowd {
    at_once: u64,
    workers: u32,
    /// Not completed, with a partial assessment, with pages left out, or with something still in the queue.
    lost: u64,
    pages_each: f64,
    page_chars: u64,
    orders_each: f64,
    /// Work orders that were carried out in a second, from the first question to the last assessment.
    orders_per_s: f64,
    searches_each: f64,
    model_calls_each: f64,
    claims_each: f64,
    /// Of this process: the model server's is not in it.
    cpu_s_each: f64,
    wall_s: f64,
    peak_mib: f64,
    /// What the peak is above the memory before they began, over their number.
    peak_mib_each: f64,
}

impl Crowd {
    pub fn is_well(&self) -> bool {
        self.lost == 0
    }

    pub fn in_words(&self) -> String {
        format!(
            "{} investigations at once, {} workers: {} lost\neach: {:.1} pages of {} characters, {:.1} searches, {:.1} model calls, {:.0} \
             claims\nCPU {:.3} s each; until the last assessment {:.1} s, {:.2} work orders a second; peak memory {:.1} MiB, {:.2} MiB each\n",
            self.at_once,
            self.workers,
            self.lost,
            self.pages_each,
            self.page_chars,
            self.searches_each,
            self.model_calls_each,
            self.claims_each,
            self.cpu_s_each,
            self.wall_s,
            self.orders_per_s,
            self.peak_mib,
            self.peak_mib_each
        )
    }

    /// Adds what one of them has done.
    async fn add(&mut self, program: &Program, launched: &Investigation) -> StoreResult<()> {
        let engine = &program.engine;
        let ended = engine.investigations.investigation(launched.id).await?;
        let stored = engine.assessments.of_investigation(&launched.scope, launched.id).await?;
        let is_whole = ended.is_some_and(|ended| ended.progress.status == Status::Completed)
            && stored.is_some_and(|stored| !stored.is_partial);
        let read = engine.work_orders.documents_read(launched.id).await?.len();
        self.lost += u64::from(!is_whole || read < PAGES);
        self.pages_each += read as f64;
        self.orders_each += engine.work_orders.work_orders(launched.id).await?.len() as f64;
        for session in engine.sessions.sessions(launched.id).await? {
            let calls = engine.sessions.calls(session.id).await?;
            self.searches_each += calls.iter().filter(|call| call.tool == SEARCH).count() as f64;
            self.model_calls_each += engine.ledger.model_calls(session.id).await?.len() as f64;
        }
        self.claims_each += engine.graph.counts(&launched.scope).await?.0 as f64;
        Ok(())
    }

    /// Sums become means.
    fn mean(&mut self) {
        self.orders_per_s = self.orders_each / self.wall_s;
        let sums = [
            &mut self.pages_each,
            &mut self.orders_each,
            &mut self.searches_each,
            &mut self.model_calls_each,
            &mut self.claims_each,
        ];
        sums.into_iter().for_each(|sum| *sum /= self.at_once.max(1) as f64);
    }
}

/// Launches `at_once` questions of as many collections and works on them to their end, with as many workers as are configured: in a
/// folder of its own, or on the services.
pub(super) async fn run(config: &Config, model: &str, at_once: u32, on_services: bool) -> Result<Crowd, Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::new(Exit::Io, format!("cannot make a folder: {error}")))?;
    let mut config = config.clone();
    match on_services {
        true => config.server.data_dir = folder.path().to_owned(),
        false => config = config.in_folder(folder.path()),
    }
    let workers = config.engine.workers.max(1);
    let program = Program::open(config, None).await?;
    if on_services {
        clock_is_right(&program).await?;
        refuse_used(&program).await?;
    }
    super::answers(&program.config).await?;
    let pages: Vec<_> = (0..at_once).map(|n| corpus::pages(n, PAGES, PAGE_CHARS)).collect();
    let page_chars = corpus::mean_chars(&pages);

    resources::forget_peak();
    let (before_mib, began, cpu) = (resources::peak_mib(), Instant::now(), resources::cpu_ms());
    let runner = Runner::start(&program, workers).await?;
    let asked = (0..).zip(pages).map(|(n, pages)| {
        let question = format!("{} (question {n})", corpus::QUESTION);
        let plan = Plan {
            input: Input::Uploads(pages),
            question,
            workers,
            order: Order::AsRead,
            until_vectors: false,
            model: Some(model.to_owned()),
        };
        let program = program.clone();
        // Each a task of its own, as requests to a server are.
        tokio::spawn(async move {
            let launched = trial::start(&program, &format!("Benchmark {n}"), &plan).await?;
            let events = program.engine.events.follow(launched.id, 0);
            events.try_for_each(|_| std::future::ready(Ok(()))).await?;
            Ok::<_, Failure>(launched)
        })
    });
    let asked: Vec<_> = asked.collect();
    let mut launched = vec![];
    for one in asked {
        launched.push(one.await.map_err(|error| Failure::new(Exit::Defect, error))??);
    }
    let (wall_s, cpu_ms) = (began.elapsed().as_secs_f64(), resources::cpu_ms() - cpu);
    let peak_mib = resources::peak_mib();
    runner.stop().await;
    program.settle().await;

    let mut crowd = Crowd {
        at_once: u64::from(at_once),
        workers,
        page_chars,
        cpu_s_each: cpu_ms / 1_000.0 / f64::from(at_once),
        wall_s,
        peak_mib,
        peak_mib_each: (peak_mib - before_mib).max(0.0) / f64::from(at_once),
        ..Crowd::default()
    };
    for investigation in &launched {
        crowd.add(&program, investigation).await?;
    }
    crowd.lost += program.engine.queue.depth().await?.into_iter().sum::<u64>();
    crowd.mean();
    program.store.close().await;
    Ok(crowd)
}

/// Nobody's data is measured with.
async fn refuse_used(program: &Program) -> Result<(), Failure> {
    let Some(address) = &program.config.sql.url else {
        return Err(Failure::new(Exit::Configuration, "--on-services needs sql.url and graph.neo4j.url"));
    };
    let any = InvestigationFilter { limit: 1, ..InvestigationFilter::default() };
    let engine = &program.engine;
    if engine.investigations.list(&any).await?.is_empty() && !engine.accounts.has_people().await? {
        return Ok(());
    }
    Err(Failure::new(Exit::Usage, format!("{address} is in use: make a database for the measurement, and name it in sql.url")))
}
