//! The server: addresses, what goes wrong, and what was asked.

mod faults;

use crate::{
    Asked, Entry, Log, Plan, Quirk, Stop, Transcript, Wrong, anthropic, issued::Issued, mind::Mind, mind::lock, openai,
    prefix::PrefixCache,
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

/// How a server starts.
#[derive(Debug, Clone)]
pub struct Options {
    /// 0: one that is free.
    pub port: u16,
    pub plan: Plan,
    pub transcript: Transcript,
    /// What it says that its models can read.
    pub context_tokens: u32,
    /// Whether a request without a key is refused.
    pub wants_key: bool,
}

impl Default for Options {
    fn default() -> Self {
        let (plan, transcript) = (Plan::default(), Transcript::default());
        Self { port: 0, plan, transcript, context_tokens: 200_000, wants_key: true }
    }
}

/// A running server. Dropping it stops it.
pub struct Server {
    address: SocketAddr,
    state: Arc<Shared>,
    task: JoinHandle<()>,
}

/// What all requests share.
struct Shared {
    mind: Mind,
    plan: Mutex<Plan>,
    log: Mutex<Log>,
    issued: Mutex<Issued>,
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

/// `POST /control`: what is named replaces what was.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Control {
    plan: Option<Plan>,
    transcript: Option<Transcript>,
}

impl Server {
    /// Listens on loopback.
    pub async fn start(options: Options) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", options.port)).await.context("cannot listen")?;
        let address = listener.local_addr()?;
        let state = Arc::new(Shared {
            mind: Mind::new(options.transcript)?,
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

    /// `http://127.0.0.1:PORT`: the base address for Messages; with `/v1`, for chat completions.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// From now on this goes wrong.
    pub fn follow(&self, plan: Plan) {
        *lock(&self.state.plan) = plan;
    }

    /// From now on these replies are played.
    pub fn play(&self, transcript: Transcript) {
        self.state.mind.follow(transcript);
    }

    pub fn log(&self) -> Log {
        lock(&self.state.log).clone()
    }

    /// Waits for as long as it runs.
    pub async fn wait(&mut self) {
        // It ends by a panic or not at all; both are told by whoever asks next.
        let _ = (&mut self.task).await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn messages(State(state): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    if headers.get("anthropic-version").is_none() {
        return state.refuse(Wire::Anthropic, StatusCode::BAD_REQUEST, "anthropic-version: header is required");
    }
    state.serve(Wire::Anthropic, headers.contains_key("x-api-key"), &body).await
}

async fn completions(State(state): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    state.serve(Wire::Openai, headers.contains_key("authorization"), &body).await
}

async fn models(State(state): State<Arc<Shared>>) -> Json<Value> {
    let entry = json!({"id": "scripted", "object": "model", "type": "model", "max_model_len": state.context_tokens});
    Json(json!({"object": "list", "data": [entry], "has_more": false}))
}

async fn model(State(state): State<Arc<Shared>>, Path(model): Path<String>) -> Json<Value> {
    Json(json!({"id": model, "type": "model", "display_name": model, "max_input_tokens": state.context_tokens}))
}

async fn control(State(state): State<Arc<Shared>>, body: Bytes) -> Response {
    match serde_json::from_slice::<Control>(&body) {
        Ok(control) => {
            if let Some(plan) = control.plan {
                *lock(&state.plan) = plan;
            }
            if let Some(transcript) = control.transcript {
                state.mind.follow(transcript);
            }
            StatusCode::NO_CONTENT.into_response()
        }
        Err(error) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

async fn log(State(state): State<Arc<Shared>>) -> Json<Log> {
    Json(lock(&state.log).clone())
}

impl Shared {
    async fn serve(&self, wire: Wire, has_key: bool, body: &[u8]) -> Response {
        if self.wants_key && !has_key {
            return self.refuse(wire, StatusCode::UNAUTHORIZED, "no key was sent");
        }
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        let plan = lock(&self.plan).clone();
        let parsed: Value = serde_json::from_slice(body).unwrap_or_default();
        let asked = match wire {
            Wire::Anthropic => anthropic::read(&parsed, &lock(&self.issued), &plan, &mut lock(&self.cache)),
            Wire::Openai => openai::read(&parsed, &plan, &mut lock(&self.cache)),
        };
        let role = asked.as_ref().map_or("", |asked| asked.request.role.as_str());
        let due = if asked.is_ok() { plan.due(call, role) } else { vec![] };
        lock(&self.log).add(entry(call, wire, &asked, &parsed, &due));
        match asked {
            Ok(asked) => self.answer(wire, &asked, &plan, due).await,
            Err(Wrong(message)) => self.refuse(wire, StatusCode::BAD_REQUEST, &message),
        }
    }

    async fn answer(&self, wire: Wire, asked: &Asked, plan: &Plan, due: Vec<crate::Kind>) -> Response {
        for fault in &due {
            if let Some(response) = faults::before(self, wire, asked, fault).await {
                return response;
            }
        }
        let mut answer = self.mind.answer(asked).await;
        for fault in &due {
            faults::change(asked, fault, &mut answer);
        }
        for call in &mut answer.calls {
            let prefix = if wire == Wire::Anthropic { "toolu" } else { "call" };
            call.id = format!("{prefix}_{}", self.ids.fetch_add(1, Ordering::SeqCst));
            if let Some(thought) = &answer.thinking {
                lock(&self.issued).remember(&call.id, thought);
            }
        }
        if let Some(cut) = due.iter().find_map(|fault| faults::cut_body(wire, asked, &answer, plan, fault)) {
            return cut;
        }
        if answer.stop == Some(Stop::Paused) {
            lock(&self.issued).remember_pause(&anthropic::body(asked, &answer)["content"]);
        }
        let course = faults::course(&due);
        match wire {
            Wire::Anthropic => anthropic::write(asked, &answer, course),
            Wire::Openai => openai::write(asked, &answer, plan, course),
        }
    }

    /// An error in the shape of the wire.
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

fn entry(call: u64, wire: Wire, asked: &Result<Asked, Wrong>, body: &Value, due: &[crate::Kind]) -> Entry {
    let prompt = ["system", "messages", "tools", "response_format", "output_config"];
    let request = asked.as_ref().ok().map(|asked| &asked.request);
    Entry {
        call,
        wire: format!("{wire:?}").to_lowercase(),
        role: request.map_or("", |request| request.role.as_str()).to_owned(),
        model: crate::text_of(&body["model"]).to_owned(),
        messages: body["messages"].as_array().map_or(0, Vec::len),
        characters: prompt.iter().filter_map(|key| body.get(key)).map(|part| part.to_string().chars().count()).sum(),
        tokens: asked.as_ref().map_or(0, |asked| asked.tokens),
        kept_tokens: asked.as_ref().map_or(0, |asked| asked.cached.read),
        is_streamed: body["stream"] == true,
        schema: request.and_then(|request| Some(request.output_schema.as_ref()?.name.clone())),
        refused: asked.as_ref().err().map(|Wrong(message)| message.clone()),
        faults: due.iter().map(|fault| format!("{fault:?}")).collect(),
    }
}
