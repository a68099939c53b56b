//! One log line as one flat JSON object: time, level, target, the fields of the spans from the outermost to the innermost, those of
//! the line itself. So `investigation_id` stands at the same place in every line that has to do with one.

use serde_json::{Map, Value};
use std::fmt;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{
        FmtContext, FormatEvent, FormattedFields,
        format::{JsonFields, Writer},
        time::{FormatTime, SystemTime},
    },
    registry::LookupSpan,
};

/// The format.
pub(super) struct Json;

impl<S> FormatEvent<S, JsonFields> for Json
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(&self, context: &FmtContext<'_, S, JsonFields>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        let metadata = event.metadata();
        let mut line = Map::from_iter([
            ("timestamp".to_owned(), time.into()),
            ("level".to_owned(), metadata.level().as_str().into()),
            ("target".to_owned(), metadata.target().into()),
        ]);
        let mut spans = vec![];
        for span in context.event_scope().into_iter().flat_map(|scope| scope.from_root()) {
            spans.push(Value::from(span.name()));
            let extensions = span.extensions();
            let Some(fields) = extensions.get::<FormattedFields<JsonFields>>() else { continue };
            if let Ok(Value::Object(fields)) = serde_json::from_str(fields) {
                line.extend(fields);
            }
        }
        event.record(&mut Fields(&mut line));
        if !spans.is_empty() {
            line.insert("spans".to_owned(), spans.into());
        }
        writeln!(writer, "{}", Value::Object(line))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io,
        sync::{Arc, Mutex},
    };
    use tracing_subscriber::{fmt::MakeWriter, layer::SubscriberExt};

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl<'a> MakeWriter<'a> for Written {
        type Writer = Self;
        fn make_writer(&'a self) -> Self {
            self.clone()
        }
    }

    #[test]
    fn a_line_carries_what_the_spans_around_it_say_at_its_top() {
        let written = Written::default();
        let layer = tracing_subscriber::fmt::layer().with_writer(written.clone());
        let subscriber = tracing_subscriber::registry().with(layer.fmt_fields(JsonFields::new()).event_format(Json));
        tracing::subscriber::with_default(subscriber, || {
            let outer = tracing::error_span!("investigation", investigation_id = "i-1", role = "none");
            let _outer = outer.enter();
            let inner = tracing::error_span!("session", role = "analyst", late = tracing::field::Empty);
            inner.record("late", 7);
            let _inner = inner.enter();
            tracing::warn!(many = 3, "said");
        });
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        let mut line: Value = serde_json::from_str(text.trim_end()).unwrap();
        assert!(line["timestamp"].take().as_str().is_some_and(|time| time.ends_with('Z')), "{text}");
        let expected = serde_json::json!({
            "timestamp": null, "level": "WARN", "target": module_path!(), "message": "said", "many": 3,
            "investigation_id": "i-1", "role": "analyst", "late": 7, "spans": ["investigation", "session"],
        });
        assert_eq!(line, expected);
    }
}
