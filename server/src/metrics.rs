//! Metrics of the process: the recorder, and its export for Prometheus.
//!
//! Invariant: metrics are recorded where the event happens, and declared in `catalogue` with unit and meaning. Label values come
//! from short lists or the configuration, never from documents, models or users.

mod catalogue;
mod collect;
mod process;

pub use catalogue::{CATALOGUE, MetricKind, MetricSpec};
pub(crate) use collect::{clock, graph, queue, store};

use crate::{Program, features};
use catalogue::InitialValue;
use metrics::{Gauge, Key, KeyName, Label, Level, Metadata, Recorder};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use std::sync::OnceLock;

/// Returns the recorder of the process, and installs it on first use. All servers of one process share it.
pub fn recorder() -> PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER
        .get_or_init(|| {
            let recorder = build_recorder_with_buckets().unwrap_or_else(|error| {
                tracing::warn!(%error, "histogram buckets invalid, durations exported without buckets");
                PrometheusBuilder::new().build_recorder()
            });
            declare(&recorder);
            let handle = recorder.handle();
            if metrics::set_global_recorder(recorder).is_err() {
                tracing::warn!("another metrics recorder is already installed");
            }
            handle
        })
        .clone()
}

/// Renders all metrics in the Prometheus text format.
pub async fn render(program: &Program) -> String {
    // Start recording before the values are set.
    recorder();
    collect::update(program).await;
    render_process()
}

/// Renders what this process has recorded, for one without stores.
pub(crate) fn render_process() -> String {
    let handle = recorder();
    handle.run_upkeep();
    handle.render() + &process::render()
}

/// Guard that counts an open resource in a gauge.
pub struct GaugeGuard(Gauge);

impl GaugeGuard {
    pub fn new(name: &'static str) -> Self {
        let gauge = metrics::gauge!(name);
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

fn build_recorder_with_buckets() -> Result<PrometheusRecorder, BuildError> {
    let mut builder = PrometheusBuilder::new();
    for metric in CATALOGUE {
        if let MetricKind::Histogram(bounds) = metric.kind {
            builder = builder.set_buckets_for_metric(Matcher::Full(metric.name.to_owned()), bounds)?;
        }
    }
    Ok(builder.build_recorder())
}

/// Returns whether a metric is declared, by the kernel or by a feature.
pub fn is_declared(name: &str) -> bool {
    CATALOGUE.iter().any(|metric| metric.name == name) || features::metrics().any(|metric| metric.name == name)
}

/// Registers help texts, and initialises the metrics that alerts expect from the start.
fn declare(recorder: &PrometheusRecorder) {
    const HERE: Metadata<'static> = Metadata::new(module_path!(), Level::INFO, None);
    for metric in CATALOGUE {
        let (name, help) = (KeyName::from(metric.name), metric.help.into());
        match metric.kind {
            MetricKind::Counter => recorder.describe_counter(name, metric.unit, help),
            MetricKind::Gauge => recorder.describe_gauge(name, metric.unit, help),
            MetricKind::Histogram(_) => recorder.describe_histogram(name, metric.unit, help),
        }
        let keys = match metric.initial {
            InitialValue::OnFirstUse => vec![],
            InitialValue::Zero => vec![Key::from_name(metric.name)],
            InitialValue::ZeroPerLabel(label, values) => {
                let key = |value: &&'static str| Key::from_parts(metric.name, vec![Label::new(label, *value)]);
                values.iter().map(key).collect()
            }
        };
        for key in keys {
            match metric.kind {
                MetricKind::Counter => recorder.register_counter(&key, &HERE).increment(0),
                MetricKind::Gauge => recorder.register_gauge(&key, &HERE).set(0.0),
                MetricKind::Histogram(_) => drop(recorder.register_histogram(&key, &HERE)),
            }
        }
    }
    for metric in features::metrics() {
        let (name, key, help) = (KeyName::from(metric.name), Key::from_name(metric.name), metric.help.into());
        match metric.kind {
            feature::MetricKind::Counter => {
                recorder.describe_counter(name, None, help);
                recorder.register_counter(&key, &HERE).increment(0);
            }
            feature::MetricKind::Gauge => {
                recorder.describe_gauge(name, None, help);
                recorder.register_gauge(&key, &HERE).set(0.0);
            }
            feature::MetricKind::Measured(_) => recorder.describe_gauge(name, None, help),
        }
    }
}
