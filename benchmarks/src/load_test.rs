//! Load test: many concurrent investigations against an instant model server, measuring losses and the cost of everything
//! except the model.

use crate::{
    check_model_server, corpus,
    measured_run::{self, FileOrder, RunPlan},
    resources,
};
use anyhow::{Context, bail, ensure};
use domain::investigation::{Investigation, Status};
use engine::{StoreResult, investigations::InvestigationFilter};
use fetch::Input;
use futures::TryStreamExt;
use serde::Serialize;
use server::{Config, Program, Runner, clock_check::clock_problem};
use std::time::Instant;

/// Pages per investigation.
const PAGES: usize = 20;
const PAGE_CHARS: usize = 6_500;
/// Name of the search tool.
const SEARCH: &str = "fetch_source_query";

/// Results of the load test.
#[derive(Debug, Default, Serialize)]
pub struct LoadTest {
    at_once: u64,
    workers: u32,
    /// Investigations that did not complete, have a partial assessment or missing pages; plus work orders left in the queue.
    lost: u64,
    pages_each: f64,
    page_chars: u64,
    orders_each: f64,
    /// Work orders per second, from the first question to the last assessment.
    orders_per_s: f64,
    searches_each: f64,
    model_calls_each: f64,
    claims_each: f64,
    /// CPU time of this process, without the model server.
    cpu_s_each: f64,
    wall_s: f64,
    peak_mib: f64,
    /// Growth of peak memory per investigation.
    peak_mib_each: f64,
}

impl LoadTest {
    pub fn is_well(&self) -> bool {
        self.lost == 0
    }

    pub fn to_text(&self) -> String {
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

    /// Adds the results of one investigation.
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

    /// Turns sums into means.
    fn sums_to_means(&mut self) {
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

/// Runs `at_once` investigations with a collection each to their end, with the configured number of workers, in a temporary
/// folder or on the services.
pub async fn run(config: &Config, model: &str, at_once: u32, on_services: bool) -> anyhow::Result<LoadTest> {
    ensure!(!on_services || config.sql.url.is_some(), "--on-services needs sql.url and graph.neo4j.url");
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let mut config = config.clone();
    match on_services {
        true => config.server.data_dir = folder.path().to_owned(),
        false => config = config.in_folder(folder.path()),
    }
    let workers = config.engine.workers.max(1);
    let program = Program::open(config, None).await?;
    if on_services {
        if let Some(problem) = clock_problem(&program).await? {
            bail!(problem);
        }
        refuse_used_database(&program).await?;
    }
    check_model_server(&program.config).await?;
    let pages: Vec<_> = (0..at_once).map(|n| corpus::pages(n, PAGES, PAGE_CHARS)).collect();
    let page_chars = corpus::mean_chars(&pages);

    resources::forget_peak();
    let (before_mib, began, cpu) = (resources::peak_mib(), Instant::now(), resources::cpu_ms());
    let runner = Runner::start(&program, workers).await?;
    let tasks = (0..).zip(pages).map(|(n, pages)| {
        let question = format!("{} (question {n})", corpus::QUESTION);
        let plan = RunPlan {
            input: Input::InMemory(pages),
            question,
            workers,
            order: FileOrder::AsRead,
            until_vectors: false,
            model: Some(model.to_owned()),
        };
        let program = program.clone();
        // One task each, like requests to a server.
        tokio::spawn(async move {
            let launched = measured_run::start(&program, &format!("Benchmark {n}"), &plan).await?;
            let events = program.engine.events.follow(launched.id, 0);
            events.try_for_each(|_| std::future::ready(Ok(()))).await?;
            anyhow::Ok(launched)
        })
    });
    let tasks: Vec<_> = tasks.collect();
    let mut launched = vec![];
    for one in tasks {
        launched.push(one.await??);
    }
    let (wall_s, cpu_ms) = (began.elapsed().as_secs_f64(), resources::cpu_ms() - cpu);
    let peak_mib = resources::peak_mib();
    runner.stop().await;
    program.drain().await;

    let mut load_test = LoadTest {
        at_once: u64::from(at_once),
        workers,
        page_chars,
        cpu_s_each: cpu_ms / 1_000.0 / f64::from(at_once),
        wall_s,
        peak_mib,
        peak_mib_each: (peak_mib - before_mib).max(0.0) / f64::from(at_once),
        ..LoadTest::default()
    };
    for investigation in &launched {
        load_test.add(&program, investigation).await?;
    }
    load_test.lost += program.engine.queue.depth().await?.into_iter().sum::<u64>();
    load_test.sums_to_means();
    program.store.close().await;
    Ok(load_test)
}

/// Refuses a database in use.
async fn refuse_used_database(program: &Program) -> anyhow::Result<()> {
    let any = InvestigationFilter { limit: 1, ..InvestigationFilter::default() };
    let engine = &program.engine;
    let is_unused = engine.investigations.list(&any).await?.is_empty() && !engine.accounts.has_people().await?;
    ensure!(is_unused, "the database of sql.url is in use: create an empty one for the benchmark");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_load_test_needs_named_services() {
        let problem = run(&Config::default(), "scripted", 1, true).await.unwrap_err();
        assert!(problem.to_string().contains("--on-services needs sql.url"), "{problem}");
    }
}
