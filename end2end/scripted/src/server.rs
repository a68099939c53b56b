//! HTTP server: routes, faults and request log.

mod faults;

use crate::{
    AnswerStop, FaultPlan, InvalidRequest, LogEntry, ParsedRequest, Quirk, RequestLog, Transcript, anthropic,
    issued::IssuedBlocks, openai, prefix::PrefixCache, responder::Responder, responder::lock,
};
use anyhow::Context;
use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, atomic::AtomicU64, atomic::Ordering},
};
use tokio::{net::TcpListener, task::JoinHandle};

/// Options of a server.
#[derive(Debug, Clone)]
pub struct Options {
    /// Port; 0 chooses a free one.
    pub port: u16,
    pub plan: FaultPlan,
    pub transcript: Transcript,
    /// Context length of the models in tokens.
    pub context_tokens: u32,
    /// Refuse requests without a key.
    pub wants_key: bool,
}

impl Default for Options {
    fn default() -> Self {
        let (plan, transcript) = (FaultPlan::default(), Transcript::default());
        Self { port: 0, plan, transcript, context_tokens: 200_000, wants_key: true }
    }
}

/// Running server. Dropping it stops it.
pub struct Server {
    address: SocketAddr,
    state: Arc<ServerState>,
    task: JoinHandle<()>,
}

/// Shared state of all requests.
struct ServerState {
    responder: Responder,
    plan: Mutex<FaultPlan>,
    log: Mutex<RequestLog>,
    issued: Mutex<IssuedBlocks>,
    cache: Mutex<PrefixCache>,
    calls: AtomicU64,
    ids: AtomicU64,
    context_tokens: u32,
    wants_key: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wire {
    Anthropic,
    Openai,
}

/// Body of `POST /control`; given fields replace the current ones.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Control {
    plan: Option<FaultPlan>,
    transcript: Option<Transcript>,
}

impl Server {
    /// Starts a server on loopback.
    pub async fn start(options: Options) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", options.port)).await.context("cannot listen")?;
        let address = listener.local_addr()?;
        let state = Arc::new(ServerState {
            responder: Responder::new(options.transcript)?,
            plan: Mutex::new(options.plan),
            log: Mutex::default(),
            issued: Mutex::default(),
            cache: Mutex::default(),
            calls: AtomicU64::new(0),
            ids: AtomicU64::new(0),
            context_tokens: options.context_tokens,
            wants_key: options.wants_key,
        });
        let router = Router::new()
            .route("/v1/messages", post(messages))
            .route("/v1/chat/completions", post(completions))
            .route("/v1/models", get(models))
            .route("/v1/models/{model}", get(model))
            .route("/control", post(control))
            .route("/log", get(log))
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(state.clone());
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                eprintln!("scripted-model: {error}");
            }
        });
        Ok(Self { address, state, task })
    }

    /// Returns `http://127.0.0.1:PORT`, the base address for Messages; append `/v1` for chat completions.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Replaces the plan.
    pub fn follow(&self, plan: FaultPlan) {
        *lock(&self.state.plan) = plan;
    }

    /// Replaces the transcript.
    pub fn play(&self, transcript: Transcript) {
        self.state.responder.follow(transcript);
    }

    pub fn log(&self) -> RequestLog {
        lock(&self.state.log).clone()
    }

    /// Waits for the end of the server task.
    pub async fn wait(&mut self) {
        // The task ends only by a panic, which the next request reports.
        let _ = (&mut self.task).await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn messages(State(state): State<Arc<ServerState>>, headers: HeaderMap, body: Bytes) -> Response {
    if headers.get("anthropic-version").is_none() {
        return state.refuse(Wire::Anthropic, StatusCode::BAD_REQUEST, "anthropic-version: header is required");
    }
    state.serve(Wire::Anthropic, headers.contains_key("x-api-key"), &body).await
}

async fn completions(State(state): State<Arc<ServerState>>, headers: HeaderMap, body: Bytes) -> Response {
    state.serve(Wire::Openai, headers.contains_key("authorization"), &body).await
}

async fn models(State(state): State<Arc<ServerState>>) -> Json<Value> {
    let entry = json!({"id": "scripted", "object": "model", "type": "model", "max_model_len": state.context_tokens});
    Json(json!({"object": "list", "data": [entry], "has_more": false}))
}

async fn model(State(state): State<Arc<ServerState>>, Path(model): Path<String>) -> Json<Value> {
    Json(json!({"id": model, "type": "model", "display_name": model, "max_input_tokens": state.context_tokens}))
}

async fn control(State(state): State<Arc<ServerState>>, body: Bytes) -> Response {
    match serde_json::from_slice::<Control>(&body) {
        Ok(control) => {
            if let Some(plan) = control.plan {
                *lock(&state.plan) = plan;
            }
            if let Some(transcript) = control.transcript {
                state.responder.follow(transcript);
            }
            StatusCode::NO_CONTENT.into_response()
        }
        Err(error) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

async fn log(State(state): State<Arc<ServerState>>) -> Json<RequestLog> {
    Json(lock(&state.log).clone())
}

impl ServerState {
    async fn serve(&self, wire: Wire, has_key: bool, body: &[u8]) -> Response {
        if self.wants_key && !has_key {
            return self.refuse(wire, StatusCode::UNAUTHORIZED, "no key was sent");
        }
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        let plan = lock(&self.plan).clone();
        let json: Value = serde_json::from_slice(body).unwrap_or_default();
        let parsed = match wire {
            Wire::Anthropic => anthropic::read(&json, &lock(&self.issued), &plan, &mut lock(&self.cache)),
            Wire::Openai => openai::read(&json, &plan, &mut lock(&self.cache)),
        };
        let role = parsed.as_ref().map_or("", |parsed| parsed.request.role.as_str());
        let faults = if parsed.is_ok() { plan.faults_of(call, role) } else { vec![] };
        lock(&self.log).add(entry(call, wire, &parsed, &json, &faults));
        match parsed {
            Ok(parsed) => self.answer(wire, &parsed, &plan, faults).await,
            Err(InvalidRequest(message)) => self.refuse(wire, StatusCode::BAD_REQUEST, &message),
        }
    }

    async fn answer(&self, wire: Wire, parsed: &ParsedRequest, plan: &FaultPlan, faults: Vec<crate::FaultKind>) -> Response {
        for fault in &faults {
            if let Some(response) = faults::before(self, wire, parsed, fault).await {
                return response;
            }
        }
        let mut answer = self.responder.answer(parsed).await;
        for fault in &faults {
            faults::change(parsed, fault, &mut answer);
        }
        for call in &mut answer.calls {
            let prefix = if wire == Wire::Anthropic { "toolu" } else { "call" };
            call.id = format!("{prefix}_{}", self.ids.fetch_add(1, Ordering::SeqCst));
            if let Some(thought) = &answer.thinking {
                lock(&self.issued).remember(&call.id, thought);
            }
        }
        if let Some(cut) = faults.iter().find_map(|fault| faults::cut_body(wire, parsed, &answer, plan, fault)) {
            return cut;
        }
        if answer.stop == Some(AnswerStop::Paused) {
            lock(&self.issued).remember_pause(&anthropic::body(parsed, &answer)["content"]);
        }
        let stream_fault = faults::stream_fault(&faults);
        match wire {
            Wire::Anthropic => anthropic::write(parsed, &answer, stream_fault),
            Wire::Openai => openai::write(parsed, &answer, plan, stream_fault),
        }
    }

    /// Returns an error in the format of the protocol.
    fn refuse(&self, wire: Wire, status: StatusCode, message: &str) -> Response {
        let (plain, hidden) = {
            let plan = lock(&self.plan);
            (plan.has(Quirk::PlainErrors), plan.has(Quirk::ErrorInSuccess))
        };
        if plain {
            return (status, message.to_owned()).into_response();
        }
        let mut error = match wire {
            Wire::Anthropic => anthropic::error(status, message),
            Wire::Openai => openai::error(status, message),
        };
        if hidden {
            error["error"]["code"] = status.as_u16().into();
            return Json(error).into_response();
        }
        (status, Json(error)).into_response()
    }

    fn wait(&self, wire: Wire, after_s: Option<f64>) -> Response {
        let mut response = self.refuse(wire, StatusCode::TOO_MANY_REQUESTS, "Rate limit reached: slow down");
        if let Some(value) = after_s.and_then(|seconds| seconds.to_string().parse().ok()) {
            response.headers_mut().insert(RETRY_AFTER, value);
        }
        response
    }
}

fn entry(
    call: u64,
    wire: Wire,
    parsed: &Result<ParsedRequest, InvalidRequest>,
    body: &Value,
    faults: &[crate::FaultKind],
) -> LogEntry {
    let prompt = ["system", "messages", "tools", "response_format", "output_config"];
    let request = parsed.as_ref().ok().map(|parsed| &parsed.request);
    LogEntry {
        call,
        wire: format!("{wire:?}").to_lowercase(),
        role: request.map_or("", |request| request.role.as_str()).to_owned(),
        model: crate::as_text(&body["model"]).to_owned(),
        messages: body["messages"].as_array().map_or(0, Vec::len),
        characters: prompt.iter().filter_map(|key| body.get(key)).map(|part| part.to_string().chars().count()).sum(),
        tokens: parsed.as_ref().map_or(0, |parsed| parsed.tokens),
        kept_tokens: parsed.as_ref().map_or(0, |parsed| parsed.cached.read),
        is_streamed: body["stream"] == true,
        schema: request.and_then(|request| Some(request.output_schema.as_ref()?.name.clone())),
        refused: parsed.as_ref().err().map(|InvalidRequest(message)| message.clone()),
        faults: faults.iter().map(|fault| format!("{fault:?}")).collect(),
    }
}
