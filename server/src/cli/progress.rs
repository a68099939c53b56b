//! Progress of an investigation on standard error: a spinner on a terminal, else plain lines.

use super::output::write_status;
use domain::{
    event::{Event, EventKind},
    investigation::Status,
    live::GraphCounts,
    work_order::WorkOrderStatus,
};
use engine::{investigations::ReadingProgress, library::IngestReport};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    cell::Cell,
    io::{IsTerminal, stderr},
    time::{Duration, Instant},
};

/// Redraw interval of the spinner.
const TICK: Duration = Duration::from_millis(120);
/// Interval between plain lines about read pages.
const PAUSE: Duration = Duration::from_secs(5);

/// Progress display.
pub struct Progress {
    bar: Option<ProgressBar>,
    began: Instant,
    orders_done: u32,
    /// Parts of the question, and ended parts.
    parts: u32,
    parts_ended: u32,
    /// Additions of the investigation to the graph.
    added: GraphCounts,
    /// Time of the last plain line about pages, since the start.
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
        Self {
            bar,
            began: Instant::now(),
            orders_done: 0,
            parts: 0,
            parts_ended: 0,
            added: GraphCounts::default(),
            said: Cell::default(),
        }
    }

    /// Prints a permanent line.
    pub fn line(&self, text: &str) {
        let text = printable(text);
        match &self.bar {
            Some(bar) => bar.println(text),
            None => write_status(&format!("[{:6.1} s] {text}", self.began.elapsed().as_secs_f64())),
        }
    }

    /// Shows the current step; only on a terminal.
    fn now(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(printable(text));
        }
    }

    /// Shows reading of files and pages. Pages may take minutes, so plain lines appear from time to time.
    pub fn reading(&self, reading: ReadingProgress<'_>) {
        match reading {
            ReadingProgress::Files(report) => self.now(&format!("reading files: {}", summary(report))),
            ReadingProgress::Pages(pages) => {
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

    /// Prints a summary of the files, and every unreadable file.
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
                let last = if *final_session { ", final session" } else { "" };
                match status {
                    Status::Pending => {}
                    Status::AnalystRunning => self.line(&format!("cycle {}: Analyst running{last}{reason}", cycle + 1)),
                    Status::Processing if *cycle == 1 && self.parts > 0 => {
                        self.line(&format!("cycle {cycle}: investigating {} parts", self.parts));
                    }
                    Status::Processing => self.line(&format!("cycle {cycle}: Processors running{reason}")),
                    Status::Suspended => self.line(&format!("suspended{reason}")),
                    Status::Completed => self.line("completed"),
                    Status::Failed => self.line(&format!("failed{reason}")),
                }
            }
            EventKind::WorkOrderChanged { objective, status, .. } => match status {
                WorkOrderStatus::Queued => self.line(&format!("  work order: {objective}")),
                WorkOrderStatus::Failed => self.line(&format!("  work order failed: {objective}")),
                WorkOrderStatus::Cancelled => self.line(&format!("  work order removed: {objective}")),
                WorkOrderStatus::Completed => {
                    self.orders_done += 1;
                    self.now(&format!("{} work orders done", self.orders_done));
                }
                WorkOrderStatus::Staged | WorkOrderStatus::Assigned => {}
            },
            EventKind::PartChanged { question, status, reason, .. } => self.part(question, *status, reason.as_deref()),
            EventKind::Reading { title, .. } => self.now(&format!("reading {title}")),
            EventKind::DocumentRefused { document_id, reason, in_part, .. } => self.line(&match in_part {
                true => format!("document {document_id} recorded without {reason}"),
                false => format!("document {document_id} not recorded: {reason}"),
            }),
            EventKind::GraphAdded(added) => {
                self.added += *added;
                let GraphCounts { claims, entities, relationships } = self.added;
                self.now(&format!("{claims} new claims, {entities} new entities, {relationships} new relationships"));
            }
            EventKind::InjectionDetected { tool, title, .. } => {
                self.line(&format!("blocked {tool}: instructed by \"{title}\""));
            }
            // The following suspension event has the reason.
            EventKind::DependencyDown { .. } => {}
            EventKind::BudgetReached { reason } => self.line(&format!("budget reached, writing the assessment: {reason}")),
            EventKind::FinishRequested => self.line("stop requested, writing the assessment"),
            EventKind::ResumeRequested => self.line("resume requested"),
            EventKind::AssessmentWritten { .. } => self.now("assessment written"),
            EventKind::BeliefChanged { change, .. } => {
                self.line(&format!("compared with the earlier version: {}", change.words()))
            }
            EventKind::GraphGrew {}
            | EventKind::DocumentsIngested { .. }
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
            Status::AnalystRunning | Status::Processing => self.now(&format!("investigating part: {question}")),
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
    if !report.known.is_empty() {
        parts.push(format!("{} with a known text", report.known.len()));
    }
    if !report.rejected.is_empty() {
        parts.push(format!("{} unreadable", report.rejected.len()));
    }
    parts.join(", ")
}

/// Replaces control characters, because file names and titles are untrusted.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
