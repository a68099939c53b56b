//! JSON log format: one flat object per line with time, level, target, span fields and event fields. Fields such as
//! `investigation_id` have the same position in every line.

use super::record::LogRecord;
use serde_json::{Map, Value};
use std::fmt;
use tracing::{Event, Subscriber};
use tracing_subscriber::{
    fmt::{
        FmtContext, FormatEvent,
        format::{JsonFields, Writer},
    },
    registry::LookupSpan,
};

/// JSON format.
pub(super) struct JsonFormat;

impl<S> FormatEvent<S, JsonFields> for JsonFormat
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(&self, context: &FmtContext<'_, S, JsonFields>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let LogRecord { time, metadata, spans, span_fields, event_fields } = LogRecord::collect(context, event)?;
        let mut line = Map::from_iter([
            ("timestamp".to_owned(), time.into()),
            ("level".to_owned(), metadata.level().as_str().into()),
            ("target".to_owned(), metadata.target().into()),
        ]);
        line.extend(span_fields);
        line.extend(event_fields);
        if !spans.is_empty() {
            line.insert("spans".to_owned(), spans.into());
        }
        writeln!(writer, "{}", Value::Object(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logging::capture::CapturedOutput;
    use tracing_subscriber::layer::SubscriberExt;

    #[test]
    fn a_line_has_span_fields_at_its_top_level() {
        let output = CapturedOutput::default();
        let layer = tracing_subscriber::fmt::layer().with_writer(output.clone());
        let subscriber = tracing_subscriber::registry().with(layer.fmt_fields(JsonFields::new()).event_format(JsonFormat));
        tracing::subscriber::with_default(subscriber, || {
            let outer = tracing::error_span!("investigation", investigation_id = "i-1", role = "none");
            let _outer = outer.enter();
            let inner = tracing::error_span!("session", role = "analyst", late = tracing::field::Empty);
            inner.record("late", 7);
            let _inner = inner.enter();
            tracing::warn!(many = 3, "said");
        });
        let text = output.text();
        let mut line: Value = serde_json::from_str(text.trim_end()).unwrap();
        assert!(line["timestamp"].take().as_str().is_some_and(|time| time.ends_with('Z')), "{text}");
        let expected = serde_json::json!({
            "timestamp": null, "level": "WARN", "target": module_path!(), "message": "said", "many": 3,
            "investigation_id": "i-1", "role": "analyst", "late": 7, "spans": ["investigation", "session"],
        });
        assert_eq!(line, expected);
    }
}
