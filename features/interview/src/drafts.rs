//! Questions that are being written, for pages that wait for them in the same process. Pages of another process get the whole question
//! alone. Nothing of it is stored: a question counts when its tool has accepted it.

use crate::interview::InterviewId;
use feature::Web;
use protocol::model::{CallDraft, ReplyProgress};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::watch;

/// Longest escape of JSON in bytes, a pair of surrogates.
const LONGEST_ESCAPE: usize = 12;

type Receivers = HashMap<InterviewId, watch::Receiver<ReplyProgress>>;

/// Replies that are being written, by interview. A cheap clone.
#[derive(Clone, Default)]
pub struct Drafts(Arc<Mutex<Receivers>>);

impl Drafts {
    /// Returns the drafts of the process.
    pub async fn of_process(web: &Web) -> Self {
        web.memory.get_or_load("interview drafts", async { Self::default() }).await
    }

    /// Begins the draft of an interview. It ends with `remove`.
    pub fn begin(&self, id: InterviewId) -> watch::Sender<ReplyProgress> {
        let (written, watched) = watch::channel(ReplyProgress::default());
        self.receivers().insert(id, watched);
        written
    }

    pub fn remove(&self, id: InterviewId) {
        self.receivers().remove(&id);
    }

    /// Returns what is being written in an interview.
    pub fn receiver(&self, id: InterviewId) -> Option<watch::Receiver<ReplyProgress>> {
        self.receivers().get(&id).cloned()
    }

    fn receivers(&self) -> MutexGuard<'_, Receivers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the question so far of a call that is being written; empty where it is no question.
pub fn question_so_far(call: Option<&CallDraft>) -> String {
    let asking = call.filter(|call| call.name == "ask_follow_up");
    let rest = asking.and_then(|call| call.arguments.split_once("\"question\"")?.1.trim_start().strip_prefix(':'));
    let Some(value) = rest.and_then(|rest| rest.trim_start().strip_prefix('"')) else { return String::new() };
    let mut is_escaped = false;
    let end = value.find(|letter: char| {
        let is_end = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        is_end
    });
    let text = &value[..end.unwrap_or(value.len())];
    // The end may be half an escape.
    let without = |cut: usize| {
        let part = text.get(..text.len().checked_sub(cut)?)?;
        serde_json::from_str::<String>(&format!("\"{part}\"")).ok()
    };
    (0..=LONGEST_ESCAPE).find_map(without).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_read_while_it_is_written() {
        let so_far = |name: &str, arguments: &str| question_so_far(CallDraft::new(name, arguments).as_deref());
        for (arguments, expected) in [
            ("", ""),
            (r#"{"intent": "find_root_cause", "quest"#, ""),
            (r#"{"question": "Who was"#, "Who was"),
            (r#"{"question":"Who was \"Sarah\"?", "intent": "find"#, "Who was \"Sarah\"?"),
            (r#"{"question": "Caf\u00"#, "Caf"),
            (r#"{"question": "Café \ud83d"#, "Café "),
        ] {
            assert_eq!(so_far("ask_follow_up", arguments), expected, "{arguments}");
        }
        assert_eq!(so_far("extract_signal", r#"{"question": "Who"#), "");
        assert_eq!(question_so_far(None), "");
    }
}
