//! A scripted interviewer.

use async_trait::async_trait;
use engine::{Engine, Parts};
use feature::{Web, testing::TestSite};
use protocol::model::{Model, ModelError, ModelReply, ModelRequest, StopReason, ToolRequest, Usage};
use serde_json::Value;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};
use testkit::TestBackend;
use tokio::sync::watch;

/// One reply of the model: text beside calls. None: it never answers.
pub type Reply = Option<(&'static str, Vec<(&'static str, Value)>)>;

/// A model that plays its replies, then ends its turn.
pub struct ScriptedModel {
    replies: Mutex<VecDeque<Reply>>,
    /// Requests as text.
    pub requests: Mutex<Vec<String>>,
    called: watch::Sender<usize>,
}

impl ScriptedModel {
    pub fn new(replies: Vec<Reply>) -> Arc<Self> {
        Arc::new(Self { replies: Mutex::new(replies.into()), requests: Mutex::default(), called: watch::Sender::new(0) })
    }

    /// Waits for a call of the model.
    pub async fn until_called(&self, times: usize) {
        let mut called = self.called.subscribe();
        testkit::soon(called.wait_for(|calls| *calls >= times)).await.unwrap();
    }

    /// Returns the last request.
    pub fn last_request(&self) -> String {
        self.requests.lock().unwrap().last().cloned().unwrap_or_default()
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
        self.requests.lock().unwrap().push(serde_json::to_string(&request.messages).unwrap());
        self.called.send_modify(|calls| *calls += 1);
        let reply = self.replies.lock().unwrap().pop_front();
        let (text, calls) = match reply {
            Some(Some(reply)) => reply,
            Some(None) => std::future::pending().await,
            None => ("", vec![]),
        };
        let request =
            |(n, (name, arguments)): (usize, (&str, Value))| ToolRequest { id: format!("s{n}"), name: name.into(), arguments };
        let tool_calls: Vec<ToolRequest> = calls.into_iter().enumerate().map(request).collect();
        let stop = if tool_calls.is_empty() { StopReason::EndTurn } else { StopReason::ToolUse };
        let usage = Usage { tokens_in: 3, tokens_out: 2, ..Usage::default() };
        Ok(ModelReply { text: text.into(), tool_calls, stop, usage, thinking: vec![] })
    }
}

/// State of the handlers with a model.
pub fn scripted_web(backend: &TestBackend, model: &Arc<ScriptedModel>) -> Web {
    let mut web = TestSite::new(crate::feature(), backend).web;
    let mut parts: Parts = (*web.engine).clone();
    parts.role_models.analyst = model.clone().into();
    web.engine = Engine::new(parts);
    web
}
