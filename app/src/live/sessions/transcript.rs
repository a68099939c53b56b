//! The steps of a session in order.

use super::excerpt::{ExcerptText, Folded};
use crate::{
    atoms::{Badge, Tone},
    format,
    live::PageLinks,
};
use domain::{
    agent::{ReflectedBy, Reflection, SessionStatus, ToolLatency},
    budget::{CallOutcome, ModelCall},
};
use leptos::prelude::*;
use views::{CallRecord, SessionView, StepContent, StepView, ToolCallView, ToolResultView};

#[component]
pub fn Transcript(view: SessionView) -> impl IntoView {
    let is_running = view.line.session.status == SessionStatus::Running;
    let is_empty = view.steps.is_empty();
    let address = format!("/sessions/{}", view.line.session.id);
    let steps = view.steps.into_iter().map(|step| view! { <Step step is_running /> }).collect_view();
    view! {
        <section aria-labelledby="steps-title">
            <h2 id="steps-title">"Steps"</h2>
            {is_empty.then(|| view! { <p class="muted">"Nothing yet."</p> })}
            <ol class="transcript">{steps}</ol>
            <PageLinks label="Pages of steps" address name="page" fields=vec![] page=view.page last=view.last_page />
        </section>
    }
    .into_any()
}

#[component]
fn Step(step: StepView, is_running: bool) -> impl IntoView {
    let StepView { number, at, content, model_calls } = step;
    let tries = model_calls.into_iter().map(|call| view! { <Try call /> }).collect_view();
    let (who, used, body) = match content {
        StepContent::Prompt { text } => ("Input", None, view! { <ExcerptText excerpt=text label="Input" /> }.into_any()),
        StepContent::Reply { text, thinking, calls, tokens_in, tokens_out, flaw } => {
            let used = format!("{} tokens in, {} out", format::grouped(tokens_in), format::grouped(tokens_out));
            let thinking =
                thinking.into_iter().map(|thought| view! { <Folded excerpt=thought label="Thinking" /> }).collect_view();
            let has_text = !text.text.trim().is_empty();
            let calls = calls.into_iter().map(|call| view! { <Call call is_running /> }).collect_view();
            let body = view! {
                {thinking}
                {has_text.then(|| view! { <ExcerptText excerpt=text label="The model's answer" /> })}
                {flaw.map(|flaw| view! { <p class="notice">{flaw}</p> })}
                <ul class="calls">{calls}</ul>
            };
            ("Model", Some(used), body.into_any())
        }
        StepContent::ProgramCalls { calls } => {
            let calls = calls.into_iter().map(|call| view! { <Call call is_running /> }).collect_view();
            ("System", None, view! { <ul class="calls">{calls}</ul> }.into_any())
        }
        StepContent::Note { text } => ("Notice", None, view! { <p class="notice">{text}</p> }.into_any()),
        StepContent::Log { text } => ("Log", None, view! { <Folded excerpt=text label="Log entry" /> }.into_any()),
    };
    view! {
        <li class="turn" id=format!("step-{number}")>
            <p class="turn-head">
                <strong>{who}</strong>
                <time datetime=at.to_string()>{format::clock(at)}</time>
                {used.map(|used| view! { <span>{used}</span> })}
            </p>
            {tries}
            {body}
        </li>
    }
    .into_any()
}

/// A model call: its duration, or the reason for its failure.
#[component]
fn Try(call: ModelCall) -> impl IntoView {
    let ModelCall { provider, model, outcome, message, latency_ms, cache_read, spent, .. } = call;
    let took = format::duration(latency_ms);
    let cached = (cache_read > 0).then(|| {
        let percent = (cache_read * 100).checked_div(spent.tokens_in).unwrap_or(0);
        format!(", {} of the tokens ({percent}\u{a0}%) from its cache", format::grouped(cache_read))
    });
    match outcome {
        CallOutcome::Answered => {
            view! { <p class="hint">{provider} " · " {model} " answered in " {took} {cached}</p> }.into_any()
        }
        CallOutcome::Running => view! { <p class="hint">{provider} " · " {model} " running"</p> }.into_any(),
        _ => {
            let why = message.unwrap_or_else(|| "it was interrupted".to_owned());
            view! { <p class="hint"><Badge tone=Tone::Warning text="No answer" /> " " {provider} " · " {model} " after " {took} ": " {why}</p> }
                .into_any()
        }
    }
}

#[component]
fn Call(call: ToolCallView, is_running: bool) -> impl IntoView {
    let ToolCallView { tool, arguments, answer } = call;
    let marks = marks(answer.as_ref(), is_running);
    let size = answer.as_ref().map(|answer| format::count(answer.result.chars, "character", "characters"));
    view! {
        <li>
            <details class="fold">
                <summary><code>{tool}</code> {marks} <span class="muted">{size}</span></summary>
                <h3>"Arguments"</h3>
                <ExcerptText excerpt=arguments label="Arguments" />
                {answer.map(|answer| view! { <Answer answer /> })}
            </details>
        </li>
    }
    .into_any()
}

fn marks(answer: Option<&ToolResultView>, is_running: bool) -> AnyView {
    let Some(answer) = answer else {
        let (tone, text) = if is_running { (Tone::Live, "Running") } else { (Tone::Quiet, "No result") };
        return view! { <Badge tone text /> }.into_any();
    };
    let record = answer.record.clone();
    let is_outside = answer.result.is_outside;
    view! {
        {answer.is_error.then(|| view! { <Badge tone=Tone::Bad text="Error" /> })}
        {is_outside.then(|| view! { <Badge tone=Tone::Warning text="Untrusted" /> })}
        {record.as_ref().filter(|record| record.from_cache).map(|_| view! { <Badge tone=Tone::Quiet text="Cached" /> })}
        {record.as_ref().and_then(|record| record.reflection.as_ref()).map(|verdict| view! { <Badge tone=Tone::Quiet text=verdict.quality.as_str() /> })}
        <span class="muted">{record.map(|record| format::duration(record.latency.total_ms))}</span>
    }
    .into_any()
}

#[component]
fn Answer(answer: ToolResultView) -> impl IntoView {
    let ToolResultView { result, is_error, record } = answer;
    let raw = record.as_ref().and_then(|record| record.raw.clone());
    view! {
        <h3>{if is_error { "Error" } else { "Result" }}</h3>
        <ExcerptText excerpt=result label="Result" />
        {raw.map(|raw| view! { <Folded excerpt=raw label="Raw result, before normalising and cutting" /> })}
        {record.as_ref().and_then(|record| record.reflection.clone()).map(|verdict| view! { <ResultVerdict verdict /> })}
        {record.map(|record| view! { <p class="hint">{spent(&record)}</p> })}
    }
    .into_any()
}

/// Verdict on a result. Its key facts are untrusted and shown as text.
#[component]
fn ResultVerdict(verdict: Reflection) -> impl IntoView {
    let Reflection { quality, key_facts, summary, confidence, by, verified, .. } = verdict;
    let by = match by {
        ReflectedBy::Model => "a model",
        ReflectedBy::Checks => "fixed rules",
    };
    let sure = if verified { "verified" } else { "not verified" };
    let facts = key_facts.into_iter().map(|fact| view! { <li>{fact}</li> }).collect_view();
    view! {
        <h3>"Quality"</h3>
        <p>{format!("{}, confidence {confidence} of 100, judged by {by}, {sure}. ", format::capitalised(quality.as_str()))} {summary}</p>
        <ul>{facts}</ul>
    }
    .into_any()
}

/// Returns the breakdown of the time of a call.
fn spent(record: &CallRecord) -> String {
    let ToolLatency { cache_ms, tool_ms, reflection_ms, total_ms } = record.latency;
    let cache = if record.from_cache { "cache hit" } else { "cache lookup" };
    format!("{total_ms} ms: {cache} {cache_ms} ms, tool {tool_ms} ms, reflection {reflection_ms} ms")
}
