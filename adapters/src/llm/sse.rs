//! Server-sent events of a streamed reply, with limits on silence, time and size.

use super::{
    endpoint::Endpoint,
    http::{ReplyLimits, cut},
    redaction::Redaction,
};
use protocol::model::ModelError;
use reqwest::Response;
use std::{collections::VecDeque, sync::Arc, time::Instant};

/// One event; `name` is empty for servers that send none.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    pub name: String,
    pub data: String,
}

/// Reader of events from a response.
pub(super) struct EventReader {
    response: Response,
    limits: ReplyLimits,
    /// Deadline of the whole call.
    deadline: Instant,
    redaction: Redaction,
    endpoint: Arc<Endpoint>,
    lines: EventParser,
    read: usize,
    ended: bool,
}

impl EventReader {
    pub fn new(
        response: Response,
        limits: ReplyLimits,
        deadline: Instant,
        redaction: Redaction,
        endpoint: Arc<Endpoint>,
    ) -> Self {
        Self { response, limits, deadline, redaction, endpoint, lines: EventParser::default(), read: 0, ended: false }
    }

    /// Returns the redaction of its texts.
    pub fn redaction(&self) -> &Redaction {
        &self.redaction
    }

    /// Returns the next event; `None` when the stream has ended, which may still be too early.
    pub async fn next(&mut self) -> Result<Option<Event>, ModelError> {
        loop {
            if let Some(event) = self.lines.ready.pop_front() {
                return Ok(Some(event));
            }
            if self.ended {
                return Ok(None);
            }
            match self.chunk().await? {
                Some(chunk) => {
                    self.read += chunk.len();
                    if self.read > self.limits.max_bytes {
                        let max = self.limits.max_bytes;
                        return Err(ModelError::Malformed(format!("it is longer than {max} bytes (max_reply_bytes)")));
                    }
                    self.lines.push(&chunk);
                }
                None => {
                    self.ended = true;
                    // Some servers leave out the empty line after the last event.
                    self.lines.push(b"\n\n");
                }
            }
        }
    }

    async fn chunk(&mut self) -> Result<Option<bytes::Bytes>, ModelError> {
        let (left, idle) = (self.deadline.saturating_duration_since(Instant::now()), self.limits.idle);
        // Before the first byte the model reads, which may take as long as the whole call.
        let may_be_silent = self.read == 0 || left <= idle;
        match tokio::time::timeout(if may_be_silent { left } else { idle }, self.response.chunk()).await {
            Ok(chunk) => chunk.map_err(|error| cut(&error)),
            Err(_) if may_be_silent => Err(self.endpoint.too_slow(self.limits.whole)),
            Err(_) => {
                let (ms, setting) = (idle.as_millis(), self.endpoint.setting("idle_timeout_ms"));
                Err(ModelError::Cut(format!("sent nothing for {ms} ms in the middle of the reply ({setting})")))
            }
        }
    }
}

/// Parser of events from bytes, wherever they were cut.
#[derive(Default)]
struct EventParser {
    rest: Vec<u8>,
    current: Event,
    ready: VecDeque<Event>,
}

impl EventParser {
    fn push(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line);
            self.line(line.trim_end_matches(['\n', '\r']).trim_start_matches('\u{feff}'));
        }
    }

    fn line(&mut self, line: &str) {
        if line.is_empty() {
            let event = std::mem::take(&mut self.current);
            if !event.data.is_empty() {
                self.ready.push_back(event);
            }
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.current.name),
            "data" => {
                if !self.current.data.is_empty() {
                    self.current.data.push('\n');
                }
                self.current.data.push_str(value);
            }
            // llama.cpp tells an error in a field of its own.
            "error" => self.ready.push_back(Event { name: "error".into(), data: format!("{{\"error\":{value}}}") }),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(chunks: &[&[u8]]) -> Vec<(String, String)> {
        let mut lines = EventParser::default();
        for chunk in chunks {
            lines.push(chunk);
        }
        lines.ready.into_iter().map(|event| (event.name, event.data)).collect()
    }

    #[test]
    fn events_are_complete_at_every_split_of_the_bytes() {
        let text = "\u{feff}event: a\r\ndata: {\"x\":\"é\"}\r\n\r\n: ping\n\ndata:1\ndata: 2\n\n".as_bytes();
        let expected = vec![("a".to_owned(), "{\"x\":\"é\"}".to_owned()), (String::new(), "1\n2".to_owned())];
        for cut in 0..text.len() {
            assert_eq!(events(&[&text[..cut], &text[cut..]]), expected, "cut at {cut}");
        }
    }

    #[test]
    fn an_error_in_a_field_of_its_own_is_an_event() {
        let found = events(&[b"error: {\"code\":500}\n\n"]);
        assert_eq!(found, [("error".to_owned(), "{\"error\":{\"code\":500}}".to_owned())]);
    }
}
