//! How an investigation gets on, on standard error: a line that moves on a terminal, plain lines elsewhere.

use super::output::say;
use crate::intake::Reading;
use domain::{
    event::{Event, EventKind},
    investigation::Status,
    work_order::WorkOrderStatus,
};
use engine::library::IngestReport;
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    cell::Cell,
    io::{IsTerminal, stderr},
    time::{Duration, Instant},
};

/// How often the moving line turns.
const TICK: Duration = Duration::from_millis(120);
/// How often it is said on plain lines how many pages are read.
const PAUSE: Duration = Duration::from_secs(5);

/// Shows steps as they come.
pub struct Progress {
    bar: Option<ProgressBar>,
    began: Instant,
    orders_done: u32,
    /// Parts of the question, and how many of them have ended.
    parts: u32,
    parts_ended: u32,
    /// When it was last said how many pages are read, since it began.
    said: Cell<Duration>,
}

impl Progress {
    pub fn new() -> Self {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(TICK);
            bar
        });
        Self { bar, began: Instant::now(), orders_done: 0, parts: 0, parts_ended: 0, said: Cell::default() }
    }

    /// A line that stays.
    pub fn line(&self, text: &str) {
        let text = printable(text);
        match &self.bar {
            Some(bar) => bar.println(text),
            None => say(&format!("[{:6.1} s] {text}", self.began.elapsed().as_secs_f64())),
        }
    }

    /// What is going on now; nothing where lines cannot be taken back.
    fn now(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(printable(text));
        }
    }

    /// Files and pages as they are read. Pages may take minutes, so that without a terminal they are told of now and then.
    pub fn reading(&self, reading: Reading<'_>) {
        match reading {
            Reading::Files(report) => self.now(&format!("reading files: {}", summary(report))),
            Reading::Pages(pages) => {
                let text = format!("pages: {} of {}", pages.done, pages.of);
                self.now(&format!("{text}, {}", summary(pages.report)));
                let elapsed = self.began.elapsed();
                let is_due = pages.done == 0 || elapsed.saturating_sub(self.said.get()) >= PAUSE;
                if self.bar.is_none() && is_due && pages.done < pages.of {
                    self.said.set(elapsed);
                    self.line(&text);
                }
            }
        }
    }

    /// The sum of the files, and every one that could not be read.
    pub fn files(&self, report: &IngestReport) {
        self.line(&format!("files: {}", summary(report)));
        for file in &report.rejected {
            self.line(&format!("  not read: {}: {}", file.path, file.reason));
        }
    }

    pub fn event(&mut self, event: &Event) {
        match &event.kind {
            EventKind::StatusChanged { status, cycle, final_session, reason } => {
                let reason = reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
                let last = if *final_session { ", writing with what there is" } else { "" };
                match status {
                    Status::Pending => {}
                    Status::AnalystRunning => self.line(&format!("cycle {}: the Analyst works{last}{reason}", cycle + 1)),
                    Status::Processing if *cycle == 1 && self.parts > 0 => {
                        self.line(&format!("cycle {cycle}: {} parts are investigated", self.parts));
                    }
                    Status::Processing => self.line(&format!("cycle {cycle}: Processors work{reason}")),
                    Status::Suspended => self.line(&format!("suspended{reason}")),
                    Status::Completed => self.line("completed"),
                    Status::Failed => self.line(&format!("failed{reason}")),
                }
            }
            EventKind::WorkOrderChanged { objective, status, .. } => match status {
                WorkOrderStatus::Queued => self.line(&format!("  order: {objective}")),
                WorkOrderStatus::Failed => self.line(&format!("  order failed: {objective}")),
                WorkOrderStatus::Completed => {
                    self.orders_done += 1;
                    self.now(&format!("{} orders done", self.orders_done));
                }
                WorkOrderStatus::Staged | WorkOrderStatus::Assigned => {}
            },
            EventKind::PartChanged { question, status, reason, .. } => self.part(question, *status, reason.as_deref()),
            EventKind::Reading { title, .. } => self.now(&format!("reading {title}")),
            EventKind::DocumentRefused { document_id, reason, .. } => {
                self.line(&format!("document {document_id} could not be recorded: {reason}"));
            }
            EventKind::GraphGrew { claims, entities, relationships } => {
                self.now(&format!("{claims} claims, {entities} entities, {relationships} relationships"));
            }
            EventKind::InjectionDetected { tool, title, .. } => {
                self.line(&format!("refused: {tool}, to which a text led that the order does not allow it for: {title}"));
            }
            // The suspension that follows says why.
            EventKind::DependencyDown { .. } => {}
            EventKind::BudgetReached { reason } => self.line(&format!("writing up what there is: {reason}")),
            EventKind::FinishRequested => self.line("asked to end with what there is"),
            EventKind::AssessmentWritten { .. } => self.now("the assessment is written"),
            EventKind::DocumentsIngested { .. }
            | EventKind::SessionStarted { .. }
            | EventKind::SessionEnded { .. }
            | EventKind::ModelCalled { .. }
            | EventKind::ToolCalled { .. } => {}
        }
    }

    fn part(&mut self, question: &str, status: Status, reason: Option<&str>) {
        let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        match status {
            Status::Pending => {
                self.parts += 1;
                self.line(&format!("  part: {question}"));
            }
            Status::AnalystRunning | Status::Processing => self.now(&format!("part at work: {question}")),
            Status::Suspended => self.line(&format!("  part suspended: {question}{reason}")),
            Status::Completed | Status::Failed => {
                self.parts_ended += 1;
                let (ended, parts) = (self.parts_ended, self.parts);
                self.line(&format!("  part {} ({ended} of {parts}): {question}{reason}", status.as_str()));
            }
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn summary(report: &IngestReport) -> String {
    let mut parts = vec![format!("{} new", report.stored)];
    if report.known > 0 {
        parts.push(format!("{} known already", report.known));
    }
    if !report.rejected.is_empty() {
        parts.push(format!("{} not readable", report.rejected.len()));
    }
    parts.join(", ")
}

/// Names of files and titles come from outside: no control characters reach the terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
