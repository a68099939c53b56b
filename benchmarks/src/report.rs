//! Report of a benchmark, as JSON or as a table.

use crate::{checks::AssessmentChecks, graph::GraphBenchmark, load_test::LoadTest, measured_run::MeasuredRun, pages::PageTime};
use serde::Serialize;

/// Report of all measurements.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    pub profile: &'static str,
    pub cpus: usize,
    /// Embedder for --documents, and the reason for it.
    pub embedder: Option<String>,
    pub generated: Vec<Measurement>,
    /// Cost per document at the largest size over that at the smallest.
    pub growth: Option<f64>,
    pub prompts: Vec<PromptStats>,
    pub load_test: Option<LoadTest>,
    pub pages: Vec<PageTime>,
    pub graph: Option<GraphBenchmark>,
    pub folder: Vec<Measurement>,
    pub checks: Option<AssessmentChecks>,
}

/// Measurement of one run.
#[derive(Debug, Serialize)]
pub struct Measurement {
    pub documents: u64,
    pub mean_chars: u64,
    pub claims: u64,
    pub workers: u32,
    /// CPU time of reading, storing, extracting and writing the graph.
    pub cpu_ms_per_document: f64,
    pub wall_s: f64,
    /// Time until the last vector, if measured.
    pub vectors_s: Option<f64>,
    pub peak_mib: f64,
}

/// Model input of collection, at the largest size.
#[derive(Debug, Serialize)]
pub struct PromptStats {
    pub documents: u64,
    /// Maximum documents per pack.
    pub batch_documents: u32,
    /// All model calls for ingestion: plans, research, extraction, names.
    pub calls_per_document: f64,
    /// Calls that resolve names; `None` without a judge.
    pub judge_calls_per_document: Option<f64>,
    /// Characters of all prompts over those of the documents.
    pub prompt_per_content: f64,
}

impl Report {
    /// Returns whether no investigation is lost and every assessment keeps its invariants.
    pub fn is_well(&self) -> bool {
        self.checks.as_ref().is_none_or(AssessmentChecks::is_well) && self.load_test.as_ref().is_none_or(LoadTest::is_well)
    }

    /// Formats the report as a table.
    pub fn to_text(&self) -> String {
        let mut text = format!("profile {}, {} processors\n", self.profile, self.cpus);
        if !self.pages.is_empty() {
            return text + &self.pages.iter().map(PageTime::to_text).collect::<String>();
        }
        if let Some(graph) = &self.graph {
            return text + &graph.to_text();
        }
        if let Some(load_test) = &self.load_test {
            return text + &load_test.to_text();
        }
        text += "documents   characters   claims  workers  CPU per document     until assessment  peak memory\n";
        for row in self.generated.iter().chain(&self.folder) {
            text += &format!(
                "{:>9}  {:>11}  {:>7}  {:>7}  {:>13.2} ms  {:>17.2} s  {:>7.1} MiB\n",
                row.documents, row.mean_chars, row.claims, row.workers, row.cpu_ms_per_document, row.wall_s, row.peak_mib
            );
        }
        if let Some(growth) = self.growth {
            text += &format!("growth from fewest to most documents: {growth:.2} times\n");
        }
        for PromptStats { documents, batch_documents, calls_per_document, judge_calls_per_document, prompt_per_content } in
            &self.prompts
        {
            let judge =
                judge_calls_per_document.map(|calls| format!(" ({calls:.2} of them to resolve names)")).unwrap_or_default();
            text += &format!(
                "{documents} documents in packs of {batch_documents}: {calls_per_document:.2} model calls per document{judge}, prompts of \
                 {prompt_per_content:.1} times their text\n"
            );
        }
        for row in &self.folder {
            if let Some(vectors_s) = row.vectors_s {
                let embedder = self.embedder.as_deref().unwrap_or_default();
                text += &format!("every text has its vector after {vectors_s:.1} s ({embedder})\n");
            }
        }
        if let Some(checks) = &self.checks {
            text += &checks.to_text();
        }
        text
    }
}

impl Measurement {
    /// Returns the cost per document at the largest size over that at the smallest.
    pub fn growth(rows: &[Self]) -> Option<f64> {
        let fewest = rows.iter().min_by_key(|row| row.documents)?;
        let most = rows.iter().max_by_key(|row| row.documents)?;
        (fewest.documents < most.documents).then(|| most.cpu_ms_per_document / fewest.cpu_ms_per_document)
    }
}

impl From<&MeasuredRun> for Measurement {
    fn from(measured_run: &MeasuredRun) -> Self {
        let documents = measured_run.texts.len() as u64;
        let chars: usize = measured_run.texts.values().map(|text| text.chars().count()).sum();
        Self {
            documents,
            mean_chars: chars as u64 / documents.max(1),
            claims: measured_run.claims,
            workers: measured_run.workers,
            cpu_ms_per_document: measured_run.collecting_cpu_ms / documents.max(1) as f64,
            wall_s: measured_run.wall_s,
            vectors_s: measured_run.vectors_s,
            peak_mib: measured_run.peak_mib,
        }
    }
}
