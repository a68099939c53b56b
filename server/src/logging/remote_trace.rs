//! Remote parents of spans: a span with a field `traceparent` joins that trace.

use opentelemetry::{
    Context as Trace, TraceFlags,
    trace::{SpanContext, SpanId, TraceContextExt, TraceId, TraceState},
};
use std::fmt;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{Layer, layer::Context};

/// Tracing layer that sets the remote parent of new spans.
pub(super) struct RemoteParentLayer<L>(pub L);

impl<S: Subscriber, L: Layer<S>> Layer<S> for RemoteParentLayer<L> {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut visitor = TraceparentVisitor::default();
        attributes.record(&mut visitor);
        let current = Trace::current().span().span_context().trace_id();
        // Within the same trace, the enclosing span is the closer parent.
        let remote_parent = visitor.0.filter(|remote| remote.trace_id() != current);
        let _guard = remote_parent.map(|remote| Trace::current().with_remote_span_context(remote).attach());
        self.0.on_new_span(attributes, id, context);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        self.0.on_record(id, values, context);
    }

    fn on_follows_from(&self, id: &Id, follows: &Id, context: Context<'_, S>) {
        self.0.on_follows_from(id, follows, context);
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        self.0.on_event(event, context);
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        self.0.on_enter(id, context);
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        self.0.on_exit(id, context);
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        self.0.on_close(id, context);
    }
}

/// Visitor that reads the field.
#[derive(Default)]
struct TraceparentVisitor(Option<SpanContext>);

impl Visit for TraceparentVisitor {
    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "traceparent" {
            self.0 = parse(value);
        }
    }
}

/// Returns the W3C trace parent of the current span, for a request to another process; none without an export of traces.
pub(crate) fn current_traceparent() -> Option<String> {
    let trace = Trace::current();
    let span = trace.span();
    let context = span.span_context();
    context.is_valid().then(|| format!("00-{}-{}-{:02x}", context.trace_id(), context.span_id(), context.trace_flags().to_u8()))
}

/// Parses a W3C trace parent `00-<trace>-<span>-<flags>`; `None` if malformed.
fn parse(traceparent: &str) -> Option<SpanContext> {
    let [version, trace, span, flags]: [&str; 4] = traceparent.split('-').collect::<Vec<_>>().try_into().ok()?;
    if version != "00" || trace.len() != 32 || span.len() != 16 || flags.len() != 2 {
        return None;
    }
    let (trace, span) = (TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?);
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?);
    Some(SpanContext::new(trace, span, flags, true, TraceState::default())).filter(SpanContext::is_valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_trace_parents_are_ignored() {
        let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let context = parse(good).unwrap();
        assert_eq!(context.trace_id().to_string(), "0af7651916cd43dd8448eb211c80319c");
        assert!(context.is_sampled() && context.is_remote());
        let zero = "00-00000000000000000000000000000000-b7ad6b7169203331-01";
        for bad in ["", "00", &good[..54], &good.replace("00-", "ff-"), &good.replace('a', "x"), zero] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
