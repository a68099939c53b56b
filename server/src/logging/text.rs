//! Text log format for people: time, level, message, event fields, then the ids from the spans.

use super::record::LogRecord;
use serde_json::Value;
use std::fmt;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::{
    fmt::{
        FmtContext, FormatEvent,
        format::{JsonFields, Writer},
    },
    registry::LookupSpan,
};

/// Text format.
pub(super) struct TextFormat {
    /// Include span fields. Commands leave them out, because their user knows the context.
    pub with_spans: bool,
}

impl<S> FormatEvent<S, JsonFields> for TextFormat
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(&self, context: &FmtContext<'_, S, JsonFields>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let LogRecord { time, metadata, span_fields, mut event_fields, .. } = LogRecord::collect(context, event)?;
        let level = *metadata.level();
        match writer.has_ansi_escapes() {
            true => write!(writer, "\x1b[2m{time}\x1b[0m \x1b[{}m{level:>5}\x1b[0m", color(level))?,
            false => write!(writer, "{time} {level:>5}")?,
        }
        let message = event_fields.remove("message");
        write!(writer, " {}: {}", metadata.target(), message.as_ref().and_then(Value::as_str).unwrap_or_default())?;
        // The trace id is of no use to a person.
        let span_fields = span_fields
            .iter()
            .filter(|(name, _)| self.with_spans && *name != "traceparent" && !event_fields.contains_key(*name));
        for (name, value) in event_fields.iter().chain(span_fields) {
            match value {
                Value::String(text) if text.contains(|c: char| c.is_whitespace() || c.is_control()) => {
                    write!(writer, " {name}={text:?}")?
                }
                Value::String(text) => write!(writer, " {name}={text}")?,
                other => write!(writer, " {name}={other}")?,
            }
        }
        writeln!(writer)
    }
}

/// Returns the ANSI colour code of a level.
fn color(level: Level) -> u8 {
    match level {
        Level::ERROR => 31,
        Level::WARN => 33,
        Level::INFO => 32,
        _ => 34,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logging::capture::CapturedOutput;
    use tracing_subscriber::layer::SubscriberExt;

    fn formatted_line(with_spans: bool) -> String {
        let output = CapturedOutput::default();
        let layer = tracing_subscriber::fmt::layer().with_writer(output.clone()).with_ansi(false);
        let layer = layer.fmt_fields(JsonFields::new()).event_format(TextFormat { with_spans });
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let span = tracing::error_span!("investigation", investigation_id = "i-1", traceparent = "00-1-2-01");
            let _span = span.enter();
            tracing::warn!(many = 3, why = "it is down", "said");
        });
        output.text().split_once(' ').unwrap().1.to_owned()
    }

    #[test]
    fn a_line_has_event_fields_then_span_fields() {
        let here = module_path!();
        assert_eq!(formatted_line(true), format!(" WARN {here}: said many=3 why=\"it is down\" investigation_id=i-1\n"));
        assert_eq!(formatted_line(false), format!(" WARN {here}: said many=3 why=\"it is down\"\n"));
    }
}
