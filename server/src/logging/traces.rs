//! Export of spans over OTLP/HTTP, in batches and on a separate thread. If the collector is down, only spans are lost.

use super::{filter, remote_trace::RemoteParentLayer};
use crate::config::TracesConfig;
use async_trait::async_trait;
use bytes::Bytes;
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::{HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracerProvider},
};
use std::{sync::OnceLock, time::Duration};
use tokio::runtime::{self, Runtime};
use tracing::Subscriber;
use tracing_subscriber::{Layer, registry::LookupSpan};

/// Tracer provider and its shutdown timeout.
static PROVIDER: OnceLock<(SdkTracerProvider, Duration)> = OnceLock::new();

/// Builds the export layer, if a collector is configured.
pub(super) fn layer<S>(config: &TracesConfig) -> Result<Option<impl Layer<S>>, String>
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
{
    let Some(endpoint) = config.endpoint.as_ref().filter(|_| PROVIDER.get().is_none()) else { return Ok(None) };
    let filter = filter("traces.level", &config.level)?;
    let timeout = Duration::from_millis(config.timeout_ms);
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(CollectorClient::new(timeout)?)
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
        .with_timeout(timeout)
        .build()
        .map_err(|error| format!("traces.endpoint is '{endpoint}', which cannot be used: {error}"))?;
    let batches = BatchConfigBuilder::default()
        .with_max_queue_size(config.queue)
        .with_max_export_batch_size(config.batch)
        .with_scheduled_delay(Duration::from_millis(config.interval_ms))
        .build();
    let resource = Resource::builder_empty()
        .with_service_name(config.service.clone())
        .with_attribute(opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build();
    let provider = SdkTracerProvider::builder()
        .with_span_processor(BatchSpanProcessor::builder(exporter).with_batch_config(batches).build())
        // Samples by trace id alone and ignores the sampling flag of a request.
        .with_sampler(Sampler::TraceIdRatioBased(config.share))
        .with_resource(resource)
        .build();
    let tracer = provider.tracer("autosint");
    let layer = tracing_opentelemetry::layer().with_tracer(tracer).with_location(false).with_threads(false);
    PROVIDER.get_or_init(|| (provider, timeout));
    Ok(Some(RemoteParentLayer(layer).with_filter(filter)))
}

/// Flushes pending spans.
pub(super) fn stop() {
    if let Some((provider, timeout)) = PROVIDER.get()
        && let Err(error) = provider.shutdown_with_timeout(*timeout)
    {
        tracing::warn!(%error, "span flush failed");
    }
}

/// HTTP client with its own runtime, because spans are sent from a plain thread even after the main runtime has stopped.
#[derive(Debug)]
struct CollectorClient {
    client: reqwest::Client,
    runtime: Runtime,
}

impl CollectorClient {
    fn new(timeout: Duration) -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("traces cannot be sent: {error}");
        let tls = adapters::tls::client_config().ok_or_else(|| failed(&"TLS cannot be set up"))?;
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(timeout)
            .build()
            .map_err(|error| failed(&error))?;
        let runtime = runtime::Builder::new_multi_thread().worker_threads(1).thread_name("traces").enable_all().build();
        Ok(Self { client, runtime: runtime.map_err(|error| failed(&error))? })
    }
}

#[async_trait]
impl HttpClient for CollectorClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let sent = self.runtime.spawn(async move {
            let response = client.execute(request.try_into()?).await?;
            let status = response.status();
            let mut answer = Response::new(response.bytes().await?);
            *answer.status_mut() = status;
            Ok::<_, reqwest::Error>(answer)
        });
        Ok(sent.await??)
    }
}
