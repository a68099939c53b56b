//! Tests of an embedding model over HTTP.

use crate::{app::serve, prelude::*};
use adapters::embed::Provider;
use axum::{response::IntoResponse, routing::post};
use engine::embeddings::Embedder;
use std::sync::{Mutex, atomic::AtomicBool};

const REPORT: &str = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire at the grain \
    store in Port Halen.";

/// Serves three dimensions per text, the last text first, as the interface allows, and nothing while `is_down`. Returns the
/// address and the answered requests.
async fn serve_vectors(is_down: Arc<AtomicBool>) -> (String, Arc<Mutex<Vec<Value>>>) {
    let requests: Arc<Mutex<Vec<Value>>> = Arc::default();
    let seen = requests.clone();
    let answer = move |Json(body): Json<Value>| async move {
        if is_down.load(Ordering::Relaxed) {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        let texts = body["input"].as_array().unwrap().len();
        seen.lock().unwrap().push(body);
        let rows: Vec<Value> = (0..texts).rev().map(|at| json!({"index": at, "embedding": [at, 3, 4]})).collect();
        Json(json!({"data": rows})).into_response()
    };
    let port = serve(Router::new().route("/v1/embeddings", post(answer))).await;
    (format!("http://127.0.0.1:{port}/v1"), requests)
}

#[tokio::test]
async fn vectors_come_from_a_model_over_http() {
    let is_down = Arc::new(AtomicBool::new(true));
    let (address, requests) = serve_vectors(is_down.clone()).await;
    let app = spawn_with(|config| {
        let provider = ProviderConfig { base_url: Some(address), ..ProviderConfig::new(ApiKind::Openai) };
        config.models.providers.insert("house".into(), provider);
        config.embed.provider = Provider::Openai;
        config.embed.model = Some("house:small".parse().unwrap());
        config.embed.dimensions = 3;
        config.engine.embedding_pause_ms = 5;
        config.reliability.module.initial_backoff_ms = 1;
        config.reliability.breaker.cooldown_ms = 1;
    })
    .await;
    assert!(app.program.embedder_note.contains("house:small, 3 dimensions"), "{}", app.program.embedder_note);
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let asked = ada.ask(QUESTION, &[("one.txt", REPORT)]).await;
    ada.get(&format!("/api/v1{}/events", asked.location())).await;
    let entities = ada.get("/entities").await.text();
    let entity = entities.split("/entities/").nth(1).and_then(|rest| rest.get(..36)).expect("an entity is linked").to_owned();
    let says_pending = "Search by meaning follows.";
    assert!(ada.get(&format!("/entities/{entity}")).await.text().contains(says_pending));

    is_down.store(false, Ordering::Relaxed);
    let graph = &app.program.engine.graph;
    let is_filled = async || {
        let (pending, done) = graph.vector_progress("house:small").await.unwrap();
        pending == 0 && done > 0
    };
    assert!(eventually(is_filled).await);
    assert!(!ada.get(&format!("/entities/{entity}")).await.text().contains(says_pending));
    assert!(requests.lock().unwrap().iter().all(|body| body["model"] == "small"));

    let texts = ["a".to_owned(), "bcd".to_owned()];
    let embedder = |dimensions| app.program.providers.embedder("house", "small", dimensions, 2).unwrap();
    let vectors = embedder(3).embed(&texts).await.unwrap();
    assert_eq!(vectors[0], [0.0, 0.6, 0.8], "in the order of the texts, of length one");
    assert_eq!(requests.lock().unwrap().last().unwrap()["input"], json!(["a", "bc"]), "a long text is cut");
    let error = embedder(4).embed(&texts).await.unwrap_err().to_string();
    assert!(error.contains("house:small sends vectors of 3 dimensions: set embed.dimensions, which is 4, to 3"), "{error}");
    assert!(app.program.providers.embedder("anthropic", "m", 3, 2).is_err());
}
