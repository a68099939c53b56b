//! One log line as text for a person: time, level, what it says; then, of the spans around it, the ids that it has to do with.

use super::line::Line;
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

/// The format.
pub(super) struct Text {
    /// Whether it says what it has to do with: a command has to do with one thing, which its user knows.
    pub with_spans: bool,
}

impl<S> FormatEvent<S, JsonFields> for Text
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(&self, context: &FmtContext<'_, S, JsonFields>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let Line { time, metadata, around, mut own, .. } = Line::of(context, event)?;
        let level = *metadata.level();
        match writer.has_ansi_escapes() {
            true => write!(writer, "\x1b[2m{time}\x1b[0m \x1b[{}m{level:>5}\x1b[0m", color(level))?,
            false => write!(writer, "{time} {level:>5}")?,
        }
        let message = own.remove("message");
        write!(writer, " {}: {}", metadata.target(), message.as_ref().and_then(Value::as_str).unwrap_or_default())?;
        // What a machine follows a trace by says nothing to a person.
        let around = around.iter().filter(|(name, _)| self.with_spans && *name != "traceparent" && !own.contains_key(*name));
        for (name, value) in own.iter().chain(around) {
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

/// As terminals number them.
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
    use crate::logging::written::Written;
    use tracing_subscriber::layer::SubscriberExt;

    fn said(with_spans: bool) -> String {
        let written = Written::default();
        let layer = tracing_subscriber::fmt::layer().with_writer(written.clone()).with_ansi(false);
        let layer = layer.fmt_fields(JsonFields::new()).event_format(Text { with_spans });
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let span = tracing::error_span!("investigation", investigation_id = "i-1", traceparent = "00-1-2-01");
            let _span = span.enter();
            tracing::warn!(many = 3, why = "it is down", "said");
        });
        written.text().split_once(' ').unwrap().1.to_owned()
    }

    #[test]
    fn a_line_says_what_it_says_and_then_what_it_has_to_do_with() {
        let here = module_path!();
        assert_eq!(said(true), format!(" WARN {here}: said many=3 why=\"it is down\" investigation_id=i-1\n"));
        assert_eq!(said(false), format!(" WARN {here}: said many=3 why=\"it is down\"\n"));
    }
}
