//! What one line has to say: its own fields, and those of the spans around it from the outermost to the innermost.

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

pub(super) struct Line {
    pub time: String,
    pub metadata: &'static Metadata<'static>,
    /// Names of the spans.
    pub spans: Vec<&'static str>,
    /// What the spans say; the innermost has the last word.
    pub around: Map<String, Value>,
    /// What the line itself says, `message` among it.
    pub own: Map<String, Value>,
}

impl Line {
    pub fn of<S>(context: &FmtContext<'_, S, JsonFields>, event: &Event<'_>) -> Result<Self, fmt::Error>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        let (mut spans, mut around, mut own) = (vec![], Map::new(), Map::new());
        for span in context.event_scope().into_iter().flat_map(|scope| scope.from_root()) {
            spans.push(span.name());
            let extensions = span.extensions();
            let Some(fields) = extensions.get::<FormattedFields<JsonFields>>() else { continue };
            if let Ok(Value::Object(fields)) = serde_json::from_str(fields) {
                around.extend(fields);
            }
        }
        event.record(&mut Fields(&mut own));
        Ok(Self { time, metadata: event.metadata(), spans, around, own })
    }
}

/// Puts what a line says into its object.
struct Fields<'a>(&'a mut Map<String, Value>);

impl Fields<'_> {
    fn set(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Fields<'_> {
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
