//! Log record: the fields of an event and of its enclosing spans, from the outermost to the innermost.

use serde_json::{Map, Value};
use std::fmt;
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{
        FmtContext, FormattedFields,
        format::{JsonFields, Writer},
        time::{FormatTime, SystemTime},
    },
    registry::LookupSpan,
};

pub(super) struct LogRecord {
    pub time: String,
    pub metadata: &'static Metadata<'static>,
    /// Names of the spans.
    pub spans: Vec<&'static str>,
    /// Span fields; inner spans override outer ones.
    pub span_fields: Map<String, Value>,
    /// Fields of the event, including `message`.
    pub event_fields: Map<String, Value>,
}

impl LogRecord {
    pub fn collect<S>(context: &FmtContext<'_, S, JsonFields>, event: &Event<'_>) -> Result<Self, fmt::Error>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        let (mut spans, mut span_fields, mut event_fields) = (vec![], Map::new(), Map::new());
        for span in context.event_scope().into_iter().flat_map(|scope| scope.from_root()) {
            spans.push(span.name());
            let extensions = span.extensions();
            let Some(fields) = extensions.get::<FormattedFields<JsonFields>>() else { continue };
            if let Ok(Value::Object(fields)) = serde_json::from_str(fields) {
                span_fields.extend(fields);
            }
        }
        event.record(&mut FieldCollector(&mut event_fields));
        Ok(Self { time, metadata: event.metadata(), spans, span_fields, event_fields })
    }
}

/// Visitor that collects fields into a map.
struct FieldCollector<'a>(&'a mut Map<String, Value>);

impl FieldCollector<'_> {
    fn set(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for FieldCollector<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.set(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.set(field, value);
    }
}
