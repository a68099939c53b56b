//! What an operator can watch: the one recorder of the process, and the text that Prometheus reads.
//!
//! Invariant: a figure is recorded where the thing happens, and declared in `catalogue` with its unit and meaning. Values of labels
//! come from short lists or from the configuration, never from a document, a model or a stranger.

mod catalogue;
mod gather;
mod process;

pub use catalogue::{CATALOGUE, Figure, Kind};
pub(crate) use gather::{clock, graph, queue, store};

use crate::Program;
use catalogue::Start;
use metrics::{Gauge, Key, KeyName, Label, Level, Metadata, Recorder};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use std::sync::OnceLock;

/// Begins to record. The process has one recorder, however many servers the tests start in it.
pub fn recorder() -> PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER
        .get_or_init(|| {
            let recorder = with_buckets().unwrap_or_else(|error| {
                tracing::warn!(%error, "durations are counted without buckets");
                PrometheusBuilder::new().build_recorder()
            });
            declare(&recorder);
            let handle = recorder.handle();
            if metrics::set_global_recorder(recorder).is_err() {
                tracing::warn!("figures go to another recorder");
            }
            handle
        })
        .clone()
}

/// Everything that is known now, as Prometheus reads it.
pub async fn render(program: &Program) -> String {
    let handle = recorder();
    gather::all(program).await;
    handle.run_upkeep();
    handle.render() + &process::render()
}

/// Something that is open, and counted in a gauge for as long.
pub struct Held(Gauge);

impl Held {
    pub fn new(name: &'static str) -> Self {
        let gauge = metrics::gauge!(name);
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

fn with_buckets() -> Result<PrometheusRecorder, BuildError> {
    let mut builder = PrometheusBuilder::new();
    for figure in CATALOGUE {
        if let Kind::Histogram(bounds) = figure.kind {
            builder = builder.set_buckets_for_metric(Matcher::Full(figure.name.to_owned()), bounds)?;
        }
    }
    Ok(builder.build_recorder())
}

/// Tells the recorder what each figure means, and lets those begin at zero whose first step an alert must see.
fn declare(recorder: &PrometheusRecorder) {
    const HERE: Metadata<'static> = Metadata::new(module_path!(), Level::INFO, None);
    for figure in CATALOGUE {
        let (name, help) = (KeyName::from(figure.name), figure.help.into());
        match figure.kind {
            Kind::Counter => recorder.describe_counter(name, figure.unit, help),
            Kind::Gauge => recorder.describe_gauge(name, figure.unit, help),
            Kind::Histogram(_) => recorder.describe_histogram(name, figure.unit, help),
        }
        let keys = match figure.start {
            Start::WhenSeen => vec![],
            Start::AtZero => vec![Key::from_name(figure.name)],
            Start::AtZeroEach(label, values) => {
                let key = |value: &&'static str| Key::from_parts(figure.name, vec![Label::new(label, *value)]);
                values.iter().map(key).collect()
            }
        };
        for key in keys {
            match figure.kind {
                Kind::Counter => recorder.register_counter(&key, &HERE).increment(0),
                Kind::Gauge => recorder.register_gauge(&key, &HERE).set(0.0),
                Kind::Histogram(_) => drop(recorder.register_histogram(&key, &HERE)),
            }
        }
    }
}
