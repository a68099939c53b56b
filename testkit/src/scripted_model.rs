//! A scripted model for the agents of features.

use crate::soon;
use async_trait::async_trait;
use protocol::model::{Model, ModelError, ModelReply, ModelRequest, StopReason, ToolRequest, Usage};
use serde_json::Value;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};
use tokio::sync::watch;

/// One turn of the model.
pub enum ScriptedTurn {
    /// Text with the calls of tools beside it; it ends the turn of the model where there are none.
    Reply(String, Vec<(&'static str, Value)>),
    /// It never answers.
    Hang,
}

impl ScriptedTurn {
    /// One call of a tool without text.
    pub fn call(tool: &'static str, arguments: Value) -> Self {
        Self::Reply(String::new(), vec![(tool, arguments)])
    }

    /// Text alone.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Reply(text.into(), vec![])
    }
}

/// A model that plays its turns, then replies with nothing.
pub struct ScriptedModel {
    turns: Mutex<VecDeque<ScriptedTurn>>,
    requests: Mutex<Vec<ModelRequest>>,
    called: watch::Sender<usize>,
}

impl ScriptedModel {
    pub fn new(turns: Vec<ScriptedTurn>) -> Arc<Self> {
        Arc::new(Self { turns: Mutex::new(turns.into()), requests: Mutex::default(), called: watch::Sender::new(0) })
    }

    /// Waits until the model was called so many times.
    pub async fn until_called(&self, times: usize) {
        let mut called = self.called.subscribe();
        soon(called.wait_for(|calls| *calls >= times)).await.unwrap();
    }

    /// Returns the requests so far.
    pub fn requests(&self) -> Vec<ModelRequest> {
        self.requests.lock().unwrap().clone()
    }
}

#[async_trait]
impl Model for ScriptedModel {
    fn provider(&self) -> &'static str {
        "script"
    }

    fn model(&self) -> &'static str {
        "script-1"
    }

    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        self.requests.lock().unwrap().push(request.clone());
        self.called.send_modify(|calls| *calls += 1);
        let turn = self.turns.lock().unwrap().pop_front();
        let (text, calls) = match turn {
            Some(ScriptedTurn::Reply(text, calls)) => (text, calls),
            Some(ScriptedTurn::Hang) => std::future::pending().await,
            None => (String::new(), vec![]),
        };
        let request =
            |(n, (name, arguments)): (usize, (&str, Value))| ToolRequest { id: format!("s{n}"), name: name.into(), arguments };
        let tool_calls: Vec<ToolRequest> = calls.into_iter().enumerate().map(request).collect();
        let stop = if tool_calls.is_empty() { StopReason::EndTurn } else { StopReason::ToolUse };
        let usage = Usage { tokens_in: 3, tokens_out: 2, ..Usage::default() };
        Ok(ModelReply { text: text.into(), tool_calls, stop, usage, thinking: vec![] })
    }
}
