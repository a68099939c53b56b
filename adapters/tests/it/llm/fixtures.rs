//! Replies as real servers write them, byte by byte, and what becomes of them.

use super::setup::{KEY, WIRES, model, one_round, provider, request, shaped, tool};
use adapters::llm::ApiKind;
use protocol::model::{Message, ModelReply, ModelRequest, StopReason, Usage};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// Answers each path with one body, and remembers what was sent.
pub struct FixtureServer {
    address: SocketAddr,
    pub seen: Arc<Mutex<Vec<Value>>>,
    task: JoinHandle<()>,
}

impl FixtureServer {
    pub async fn start(pages: &[(&str, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let pages: BTreeMap<String, String> =
            pages.iter().map(|(path, body)| ((*path).to_owned(), (*body).to_owned())).collect();
        let (pages, seen) = (Arc::new(pages), Arc::new(Mutex::default()));
        let remembered = Arc::clone(&seen);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, pages.clone(), remembered.clone()));
            }
        });
        Self { address, seen, task }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for FixtureServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(mut stream: TcpStream, pages: Arc<BTreeMap<String, String>>, seen: Arc<Mutex<Vec<Value>>>) {
    let (mut bytes, mut buffer) = (vec![], [0; 65_536]);
    let (head, body) = loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse::<usize>().ok());
            if body.len() >= length.unwrap_or(0) {
                break (head.to_owned(), body.to_owned());
            }
        }
        match stream.read(&mut buffer).await {
            Ok(read) if read > 0 => bytes.extend_from_slice(&buffer[..read]),
            _ => return,
        }
    };
    seen.lock().unwrap().extend(serde_json::from_str::<Value>(&body).ok());
    let path = head.split_whitespace().nth(1).unwrap_or_default();
    let (status, body) = pages.get(path).map_or(("404 Not Found", "not found"), |body| ("200 OK", body.as_str()));
    let kind = if body.starts_with("event:") || body.starts_with("data:") { "text/event-stream" } else { "application/json" };
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    let _ = stream.write_all((head + body).as_bytes()).await;
}

async fn reply(wire: ApiKind, body: &str, request: &ModelRequest) -> ModelReply {
    let path = if wire == ApiKind::Anthropic { "/v1/messages" } else { "/v1/chat/completions" };
    let server = FixtureServer::start(&[(path, body)]).await;
    model(provider(wire, &server.url())).call(request).await.unwrap_or_else(|error| panic!("{error:?}\n{body}"))
}

fn with_tool(is_streamed: bool) -> ModelRequest {
    ModelRequest { tools: [tool("get_weather")].into(), ..request(is_streamed) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_with_thoughts_between_calls_goes_back_in_its_order() {
    let body = r#"{"id":"msg_01","type":"message","role":"assistant","model":"claude-opus-4-8","content":[
        {"type":"thinking","thinking":"First the weather.","signature":"EqQB"},
        {"type":"text","text":"I look it up."},
        {"type":"redacted_thinking","data":"EmwK"},
        {"type":"tool_use","id":"toolu_01","name":"get_weather","input":{"location":"Paris"},"caller":{"type":"direct"}}],
        "stop_reason":"tool_use","stop_sequence":null,"stop_details":null,
        "usage":{"input_tokens":12,"cache_creation_input_tokens":30,"cache_read_input_tokens":100,
            "cache_creation":{"ephemeral_5m_input_tokens":30,"ephemeral_1h_input_tokens":0},"output_tokens":40,"service_tier":"standard"}}"#;
    let server = FixtureServer::start(&[("/v1/messages", body)]).await;
    let model = model(provider(ApiKind::Anthropic, &server.url()));
    let first = with_tool(false);
    let reply = model.call(&first).await.unwrap();
    assert_eq!(reply.usage, Usage { tokens_in: 142, tokens_out: 40, cache_read: 100, cache_written: 30 });
    assert_eq!((&*reply.text, reply.tool_calls[0].arguments["location"].as_str()), ("I look it up.", Some("Paris")));
    model.call(&one_round(&first, &reply)).await.unwrap();
    let sent = server.seen.lock().unwrap()[1].clone();
    let came: Value = serde_json::from_str(body).unwrap();
    assert_eq!(sent["messages"][1]["content"], came["content"]);
    assert_eq!(sent["messages"][2]["content"][0]["tool_use_id"], "toolu_01");
    assert_eq!(sent["messages"][2]["content"][0]["cache_control"], json!({"type": "ephemeral"}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_streamed_message_is_put_together() {
    let body = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"content\":[],\"stop_reason\":null,\"usage\":{\"input_tokens\":25,\"cache_read_input_tokens\":5,\"output_tokens\":1}}}\n\n\
        event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}}\n\n\
        event: ping\ndata: {\"type\": \"ping\"}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"Let \"}}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"me see.\"}}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"EqQB\"}}\n\n\
        event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n\
        event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"toolu_01\",\"name\":\"get_weather\",\"input\":{}}}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"\"}}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"location\\\": \\\"São\"}}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\" Paulo\\\"}\"}}\n\n\
        event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":1}\n\n\
        event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":89}}\n\n\
        event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    let reply = reply(ApiKind::Anthropic, body, &with_tool(true)).await;
    assert_eq!(reply.usage, Usage { tokens_in: 30, tokens_out: 89, cache_read: 5, cache_written: 0 });
    assert_eq!(reply.tool_calls[0].arguments, json!({"location": "São Paulo"}));
    assert_eq!(reply.thinking[0].block, json!({"type": "thinking", "thinking": "Let me see.", "signature": "EqQB"}));
    assert_eq!(reply.thinking[1].block["input"], json!({"location": "São Paulo"}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn completions_of_each_server_are_read_alike() {
    let openai = r#"{"id":"chatcmpl-1","object":"chat.completion","model":"gpt-5","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_abc","type":"function","function":{"name":"get_weather","arguments":"{\"location\":\"Paris\"}"}}],"refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":82,"completion_tokens":17,"total_tokens":99,"prompt_tokens_details":{"cached_tokens":64,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}},"service_tier":"default"}"#;
    let ollama = r#"{"id":"chatcmpl-2","object":"chat.completion","created":1,"model":"qwen3:8b","system_fingerprint":"fp_ollama","choices":[{"index":0,"message":{"role":"assistant","content":"","reasoning":"The user wants the weather.","tool_calls":[{"id":"call_x","index":0,"type":"function","function":{"name":"get_weather","arguments":"{\"location\":\"Paris\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":82,"completion_tokens":17,"total_tokens":99}}"#;
    let vllm = r#"{"id":"chatcmpl-3","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","reasoning_content":"Hm.","content":null,"tool_calls":[{"id":"chatcmpl-tool-1","type":"function","function":{"name":"get_weather","arguments":"{\"location\": \"Paris\"}"}}]},"logprobs":null,"finish_reason":"tool_calls","stop_reason":128008}],"usage":{"prompt_tokens":82,"total_tokens":99,"completion_tokens":17,"prompt_tokens_details":null},"prompt_logprobs":null}"#;
    let llama = r#"{"choices":[{"finish_reason":"tool_calls","index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"type":"function","function":{"name":"get_weather","arguments":"{\"location\":\"Paris\"}"},"id":"123456789"}]}}],"created":1,"model":"m","system_fingerprint":"b1","object":"chat.completion","usage":{"completion_tokens":17,"prompt_tokens":82,"total_tokens":99},"id":"c","timings":{"prompt_n":82}}"#;
    for (body, cached) in [(openai, 64), (ollama, 0), (vllm, 0), (llama, 0)] {
        let reply = reply(ApiKind::Openai, body, &with_tool(false)).await;
        assert_eq!(
            (reply.tool_calls[0].name.as_str(), &reply.tool_calls[0].arguments),
            ("get_weather", &json!({"location": "Paris"}))
        );
        assert_eq!(reply.usage, Usage { tokens_in: 82, tokens_out: 17, cache_read: cached, cache_written: 0 });
        assert_eq!((reply.stop, &*reply.text), (StopReason::ToolUse, ""));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thoughts_are_sent_back_only_to_their_server() {
    let body = r#"{"choices":[{"message":{"content":"","reasoning_content":"Hm.","tool_calls":[{"id":"c1","function":{"name":"get_weather","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#;
    let server =
        FixtureServer::start(&[("/v1/chat/completions", body), ("/v1/messages", r#"{"content":[],"stop_reason":"end_turn"}"#)])
            .await;
    let local = model(provider(ApiKind::Openai, &server.url()));
    let first = with_tool(false);
    let reply = local.call(&first).await.unwrap();
    let second = one_round(&first, &reply);
    local.call(&second).await.unwrap();
    model(provider(ApiKind::Anthropic, &server.url())).call(&second).await.unwrap();
    let seen = server.seen.lock().unwrap();
    assert_eq!(seen[1]["messages"][2]["reasoning_content"], "Hm.");
    assert!(!seen[2].to_string().contains("Hm."));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chunks_of_each_server_are_read_alike() {
    let chunk = |delta: Value, finish: Value| {
        format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}))
    };
    let part = |part: Value| chunk(json!({"tool_calls": [part]}), Value::Null);
    let end = chunk(json!({}), json!("tool_calls"));
    let pieces = part(json!({"index": 0, "id": "a", "type": "function", "function": {"name": "get_weather", "arguments": ""}}))
        + &part(json!({"index": 0, "function": {"arguments": "{\"location\":"}}))
        + &part(json!({"index": 0, "function": {"arguments": "\"Paris\"}"}}))
        + &part(
            json!({"index": 1, "id": "b", "type": "function", "function": {"name": "get_weather", "arguments": "{\"location\":\"Paris\"}"}}),
        );
    let whole = json!({"name": "get_weather", "arguments": "{\"location\":\"Paris\"}"});
    let same_number =
        part(json!({"index": 0, "id": "a", "function": whole})) + &part(json!({"index": 0, "id": "b", "function": whole}));
    let nothing = part(json!({"index": 0, "function": whole})) + &part(json!({"index": 0, "function": whole}));
    let in_one = chunk(
        json!({"tool_calls": [{"index": 0, "id": "a", "function": whole}, {"index": 1, "id": "b", "function": whole}]}),
        Value::Null,
    );
    for body in [pieces, same_number, nothing, in_one] {
        let body = body + &end + "data: [DONE]\n\n";
        let reply = reply(ApiKind::Openai, &body, &with_tool(true)).await;
        let arguments: Vec<&Value> = reply.tool_calls.iter().map(|call| &call.arguments).collect();
        assert_eq!(arguments, [&json!({"location": "Paris"}); 2], "{body}");
        assert_ne!(reply.tool_calls[0].id, reply.tool_calls[1].id, "{body}");
        assert!(reply.usage.tokens_in > 0, "guessed");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_was_cut_says_so() {
    let body = r#"{"choices":[{"message":{"content":"{\"city\":\"Par"},"finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":9}}"#;
    let reply = reply(ApiKind::Openai, body, &shaped(false)).await;
    assert_eq!((reply.stop, reply.usage.tokens_out), (StopReason::MaxTokens, 9));
}

/// The body of a reply that holds this text and these thoughts, as one of the wires writes it.
fn body(wire: ApiKind, is_streamed: bool, text: &str, thoughts: &str, usage: &Value) -> String {
    let events = |events: &[Value]| events.iter().map(|event| format!("data: {event}\n\n")).collect::<String>();
    let blocks = [json!({"type": "thinking", "thinking": thoughts, "signature": "s"}), json!({"type": "text", "text": text})];
    let start = |index: usize| json!({"type": "content_block_start", "index": index, "content_block": blocks[index]});
    match (wire, is_streamed) {
        (ApiKind::Anthropic, false) => json!({"content": blocks, "stop_reason": "end_turn", "usage": usage}).to_string(),
        (ApiKind::Anthropic, true) => events(&[
            json!({"type": "message_start", "message": {"content": [], "usage": usage}}),
            start(0),
            start(1),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage}),
            json!({"type": "message_stop"}),
        ]),
        (ApiKind::Openai, false) => {
            let message = json!({"content": (!text.is_empty()).then_some(text), "reasoning_content": thoughts});
            json!({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}).to_string()
        }
        (ApiKind::Openai, true) => events(&[
            json!({"choices": [{"delta": {"reasoning": thoughts}}]}),
            json!({"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]}),
            json!({"choices": [], "usage": usage}),
        ]),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_is_found_among_thoughts_and_words_on_both_wires() {
    let answer = r#"I think {"city":"Rome"} is wrong. {"city":"Paris","letters":5,}"#;
    let call = "I ask.\n<tool_call>\n{\"name\":\"get_weather\",\"arguments\":{\"location\":\"Paris\",}}\n</tool_call>";
    let known = json!({});
    for wire in WIRES {
        for is_streamed in [false, true] {
            let told = format!("{wire:?} streamed={is_streamed}");
            for (text, thoughts) in [("", answer), ("\n", answer), (answer, "Hm.")] {
                let reply = reply(wire, &body(wire, is_streamed, text, thoughts, &known), &shaped(is_streamed)).await;
                let city: Value = serde_json::from_str(&reply.text).unwrap_or_else(|_| panic!("{told} {text:?}: {reply:?}"));
                assert_eq!((city, reply.stop), (json!({"city": "Paris", "letters": 5}), StopReason::EndTurn), "{told}");
            }
            for (text, thoughts) in [("", call), (call, "Hm.")] {
                let reply = reply(wire, &body(wire, is_streamed, text, thoughts, &known), &with_tool(is_streamed)).await;
                let [asked] = &reply.tool_calls[..] else { panic!("{told} {text:?}: {reply:?}") };
                assert_eq!((asked.name.as_str(), &asked.arguments), ("get_weather", &json!({"location": "Paris"})), "{told}");
                assert_eq!((reply.stop, &*reply.text), (StopReason::ToolUse, ""), "{told}");
                // The conversation goes on with a call that has an id.
                let path = if wire == ApiKind::Anthropic { "/v1/messages" } else { "/v1/chat/completions" };
                let server = FixtureServer::start(&[(path, &body(wire, false, "ok", "", &known))]).await;
                let next = one_round(&with_tool(false), &reply);
                model(provider(wire, &server.url())).call(&next).await.unwrap();
                assert!(server.seen.lock().unwrap()[0].to_string().contains(&format!("\"id\":\"{}\"", asked.id)), "{told}");
            }
            let reply = reply(wire, &body(wire, is_streamed, "", "Only thoughts.", &known), &with_tool(is_streamed)).await;
            assert_eq!(&*reply.text, "Only thoughts.", "{told}: never an empty answer");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn usage_is_read_in_any_form_and_estimated_if_missing() {
    for wire in WIRES {
        let keys =
            if wire == ApiKind::Anthropic { ["input_tokens", "output_tokens"] } else { ["prompt_tokens", "completion_tokens"] };
        let usage = |count: Value| json!({keys[0]: count, keys[1]: count});
        for is_streamed in [false, true] {
            for count in [json!(900), json!(900.0), json!("900"), json!("900.0")] {
                let reply =
                    reply(wire, &body(wire, is_streamed, "Yes.", "", &usage(count.clone())), &request(is_streamed)).await;
                assert_eq!((reply.usage.tokens_in, reply.usage.tokens_out), (900, 900), "{wire:?} {is_streamed} {count}");
            }
            let unknown = [json!(null), json!(-5), json!("many"), json!(0), json!([]), json!(1e40)].map(usage);
            for usage in unknown.into_iter().chain([json!(null), json!("none"), json!([1]), json!({})]) {
                let reply = reply(wire, &body(wire, is_streamed, "Yes, so it is.", "", &usage), &request(is_streamed)).await;
                let Usage { tokens_in, tokens_out, .. } = reply.usage;
                assert!(
                    (100..5_000).contains(&tokens_in) && tokens_out == 5,
                    "{wire:?} {is_streamed} {usage}: {:?}",
                    reply.usage
                );
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_ends_too_early_is_no_reply() {
    let begun = "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"All is\"}}\n\n";
    let chunk = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"All is\"},\"finish_reason\":null}]}\n\n";
    for (wire, path, body) in [(ApiKind::Anthropic, "/v1/messages", begun), (ApiKind::Openai, "/v1/chat/completions", chunk)] {
        let server = FixtureServer::start(&[(path, body)]).await;
        let error = model(provider(wire, &server.url())).call(&request(true)).await.unwrap_err();
        assert!(matches!(error, protocol::model::ModelError::Cut(_)), "{error:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_reply_is_malformed() {
    for (wire, body) in [
        (ApiKind::Openai, "<html>hello</html>"),
        (ApiKind::Openai, "{}"),
        (ApiKind::Openai, r#"{"choices":[]}"#),
        (ApiKind::Anthropic, "[]"),
        (ApiKind::Anthropic, r#"{"content":"text"}"#),
    ] {
        let path = if wire == ApiKind::Anthropic { "/v1/messages" } else { "/v1/chat/completions" };
        let server = FixtureServer::start(&[(path, body)]).await;
        let error = model(provider(wire, &server.url())).call(&request(false)).await.unwrap_err();
        assert!(matches!(error, protocol::model::ModelError::Malformed(_)), "{body}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_whole_request_is_as_the_services_describe_it() {
    let body = r#"{"content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn"}"#;
    let server = FixtureServer::start(&[("/v1/messages", body)]).await;
    let mut asked = with_tool(false);
    asked.messages.push(Message::User { text: "And quickly.".into() });
    model(provider(ApiKind::Anthropic, &server.url())).call(&asked).await.unwrap();
    let kept = json!({"type": "ephemeral"});
    assert_eq!(
        server.seen.lock().unwrap()[0],
        json!({
            "model": "scripted", "max_tokens": 4096,
            "system": [{"type": "text", "text": "You are the Analyst.", "cache_control": kept}],
            "messages": [{"role": "user", "content": [
                {"type": "text", "text": "Question: Who set the fire at the grain store?\nCycle: 1"},
                {"type": "text", "text": "And quickly.", "cache_control": kept},
            ]}],
            "tools": [{"name": "get_weather", "description": "Does it.", "input_schema": {"type": "object", "properties": {}}, "cache_control": kept}],
        })
    );
}

/// Errors of both wires, as bodies with the status of success and as events of a stream, which tell what they were sent.
fn indiscreet(wire: ApiKind, said: &str) -> [(bool, String); 2] {
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": said, "code": 503}});
    let event = match wire {
        ApiKind::Anthropic => format!("event: error\ndata: {error}\n\n"),
        ApiKind::Openai => format!("data: {error}\n\n"),
    };
    [(false, error.to_string()), (true, event)]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_error_contains_a_secret_of_the_request() {
    let secret = "gateway-secret/7f3a";
    for wire in WIRES {
        let path = if wire == ApiKind::Anthropic { "/v1/messages" } else { "/v1/chat/completions" };
        for (is_streamed, body) in indiscreet(wire, &format!("refused: authorization {KEY}, x-gateway Bearer {secret}")) {
            let server = FixtureServer::start(&[(path, &body)]).await;
            let mut config = provider(wire, &server.url());
            config.headers.insert("x-gateway".into(), format!("Bearer {secret}"));
            let Err(error) = model(config).call(&request(is_streamed)).await else { panic!("{body}") };
            let told = format!("{error} {error:?}");
            assert!(told.contains("refused") && told.contains("[key]") && told.contains("[secret]"), "{wire:?} {told}");
            assert!(!told.contains(KEY) && !told.contains(secret), "{wire:?} streamed={is_streamed}: {told}");
        }
        // A reply of an unknown shape is not quoted either.
        let body = json!({"content": KEY, "choices": [], "usage": secret}).to_string();
        let server = FixtureServer::start(&[(path, &body)]).await;
        let Err(error) = model(provider(wire, &server.url())).call(&request(false)).await else { panic!("{body}") };
        assert!(!format!("{error:?}").contains(KEY), "{error:?}");
    }
}
