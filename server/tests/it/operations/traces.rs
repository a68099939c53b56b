//! Test of traces: a collector on loopback receives an investigation as one trace with its id.

use super::run;
use crate::{app::serve, commands::module::service_with, prelude::*};
use axum::{body::Bytes, http::HeaderMap, routing::post};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest, common::v1::any_value::Value, trace::v1::Span,
};
use prost::Message;
use std::sync::Mutex;
use tokio::net::TcpListener;

#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<ExportTraceServiceRequest>>>);

impl Collector {
    async fn start(&self) -> String {
        let received = self.0.clone();
        let take = post(move |headers: HeaderMap, body: Bytes| {
            let received = received.clone();
            async move {
                assert_eq!(headers["content-type"], "application/x-protobuf");
                received.lock().unwrap().push(ExportTraceServiceRequest::decode(body).unwrap());
            }
        });
        format!("http://127.0.0.1:{}", serve(Router::new().route("/v1/traces", take)).await)
    }

    fn spans(&self) -> Vec<Span> {
        let received = self.0.lock().unwrap();
        let scopes = received.iter().flat_map(|request| &request.resource_spans).flat_map(|of| &of.scope_spans);
        scopes.flat_map(|scope| scope.spans.clone()).collect()
    }
}

fn text(span: &Span, key: &str) -> Option<String> {
    let attribute = span.attributes.iter().find(|attribute| attribute.key == key)?;
    match attribute.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some(text.clone()),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_gets_an_investigation_as_one_trace_that_has_its_id() {
    let (collector, folder) = (Collector::default(), tempfile::tempdir().unwrap());
    let endpoint = collector.start().await;
    let settings = [("AUTOSINT__TRACES__ENDPOINT", endpoint.as_str()), ("AUTOSINT__TRACES__SERVICE", "of-a-test")];
    let run = run::to_the_end(folder.path(), &settings).await;
    let id = run.investigation.clone();
    tokio::task::block_in_place(|| run.stop());

    let trace = uuid::Uuid::parse_str(&id).unwrap();
    let spans = collector.spans();
    let of_trace: Vec<&Span> = spans.iter().filter(|span| span.trace_id == trace.as_bytes()).collect();
    let names: BTreeSet<&str> = of_trace.iter().map(|span| span.name.as_str()).collect();
    let expected = ["investigation", "model_call", "session", "tool_call", "work_order"];
    assert_eq!(names, expected.into(), "all names: {:?}", spans.iter().map(|span| &span.name).collect::<BTreeSet<_>>());
    // Each model call is inside a session, and each session inside the investigation or a work order.
    let by_id: BTreeMap<&[u8], &Span> = of_trace.iter().map(|span| (span.span_id.as_slice(), *span)).collect();
    for span in &of_trace {
        let parent = by_id.get(span.parent_span_id.as_slice()).map(|parent| parent.name.as_str());
        match span.name.as_str() {
            "model_call" | "tool_call" => assert_eq!(parent, Some("session"), "{span:?}"),
            "session" => assert!(matches!(parent, Some("investigation" | "work_order")), "{parent:?}"),
            // Root spans have the parent from the launch, which is not exported.
            _ => assert_eq!(parent, None, "{span:?}"),
        }
    }
    let call = of_trace.iter().find(|span| span.name == "model_call").unwrap();
    assert_eq!((text(call, "provider").as_deref(), text(call, "model").as_deref()), (Some("local"), Some("scripted")));
    // Other traces belong to requests.
    let others = spans.iter().filter(|span| span.trace_id != trace.as_bytes());
    assert_eq!(others.map(|span| span.name.as_str()).collect::<BTreeSet<_>>(), ["request"].into());
    let received = collector.0.lock().unwrap();
    let resource = received[0].resource_spans[0].resource.as_ref().unwrap();
    let service = resource.attributes.iter().find(|attribute| attribute.key == "service.name").unwrap();
    assert_eq!(service.value.as_ref().unwrap().value, Some(Value::StringValue("of-a-test".into())));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_that_is_down_costs_nothing_but_the_spans() {
    let folder = tempfile::tempdir().unwrap();
    // The collector has stopped.
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let endpoint = format!("http://{gone}");
    let settings = [("AUTOSINT__TRACES__ENDPOINT", endpoint.as_str()), ("AUTOSINT__TRACES__TIMEOUT_MS", "500")];
    let run = run::to_the_end(folder.path(), &settings).await;
    tokio::task::block_in_place(|| run.stop());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_to_the_fetch_service_joins_the_trace_that_it_names() {
    let collector = Collector::default();
    let endpoint = collector.start().await;
    let settings = [("AUTOSINT__TRACES__ENDPOINT", endpoint.as_str()), ("AUTOSINT__TRACES__INTERVAL_MS", "20")];
    let service = service_with(1, None, &settings).await;
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let mut browser = Browser::new(service.url.strip_prefix("http://").unwrap().parse().unwrap());
    browser.headers.push(("traceparent", format!("00-{trace}-b7ad6b7169203331-01")));
    assert_eq!(browser.get("/sources").await.status, 200);
    let joined = loop {
        let spans = collector.spans();
        if let Some(span) = spans.into_iter().find(|span| text(span, "path").as_deref() == Some("/sources")) {
            break span;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(joined.trace_id, uuid::Uuid::parse_str(trace).unwrap().as_bytes());
}
