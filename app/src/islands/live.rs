//! An investigation as it happens: rendered from the stored events, then carried on by the stream of new ones.

use super::browser::{self, Connection};
use crate::{
    format,
    live::{
        Confirm, STOP_WARNING,
        investigation::{Counters, Log, NowReading, Orders, QuestionParts, Steps},
    },
};
use domain::{assessment::unmarked, event::Event, investigation::Status, live::LiveState};
use leptos::prelude::*;
use std::time::Duration;
use views::{InvestigationView, settings::BUILT_IN_MODEL};

/// Events kept in the log of an open page.
const LOG_EVENTS: usize = 200;

/// Live part of the investigation page. A lost connection resumes after the last event (`Last-Event-ID`); repeated events are ignored.
#[island]
pub fn LiveInvestigation(view: InvestigationView) -> impl IntoView {
    investigation_body(view)
}

/// Stages, counters, work orders and log of an investigation. What has ended needs no island around it.
pub fn investigation_body(view: InvestigationView) -> AnyView {
    let InvestigationView {
        id,
        may_stop,
        models,
        assessment,
        created_at,
        now,
        live,
        log,
        currency,
        prices_known,
        sees_records,
        ..
    } = view;
    let address = format!("/api/v1/investigations/{id}/events?after={}", live.last);
    let start = now.ms_since(created_at);
    let is_over = live.status.is_terminal();
    let live = RwSignal::new(live);
    let log = RwSignal::new(log);
    let connection = RwSignal::new(Connection::Idle);
    let uptime = RwSignal::new(0);
    Effect::new(move || {
        // Events quote what is read: they are sent to those who may see it.
        if is_over || !sees_records {
            return;
        }
        let take = move |data: &str| apply_event(data, live, log);
        browser::follow(&address, take, move |state| connection.set(state));
        let _ = set_interval_with_handle(move || uptime.set(browser::uptime_ms()), Duration::from_secs(1));
    });
    // The button is created once: a new one per event would lose the focus.
    let can_stop = Memo::new(move |_| live.with(|live| may_stop && !live.status.is_terminal()));
    let is_waiting =
        Memo::new(move |_| live.with(|live| may_stop && live.status == Status::Suspended && live.parts.is_empty()));
    let is_ending = Memo::new(move |_| live.with(|live| live.finish_requested));
    let elapsed = move || match live.with(|live| live.ended_at) {
        Some(end) => format::elapsed(end.ms_since(created_at)),
        None => format::elapsed(start + uptime.get()),
    };
    view! {
        <div class="live" class:live-ended=move || live.with(|live| live.status.is_terminal())>
            {move || view! { <Steps live=live.get() /> }}
            <div class="live-line">
                <p class="elapsed"><span class="muted">"Elapsed "</span><span class="elapsed-time">{elapsed}</span></p>
                <p class="connection-state" role="status">{move || connection_text(connection.get(), live.with(|live| live.status.is_terminal()))}</p>
                {move || can_stop.get().then(|| stop_form(id.to_string(), is_ending))}
            </div>
            {move || live.with(status_reason).map(|reason| view! { <p class="notice">{reason}</p> })}
            {move || is_waiting.get().then(|| resume_forms(id.to_string(), models.clone()))}
            {move || result(&live.read(), assessment.map(|id| id.to_string()))}
            {move || view! { <Counters live=live.get() currency=currency.clone() prices_known /> }}
            {move || view! { <QuestionParts live=live.get() /> }}
            {move || view! { <NowReading live=live.get() /> }}
            {move || view! { <Orders live=live.get() /> }}
            {sees_records.then(|| view! {
                <section aria-labelledby="log-title">
                    <h2 id="log-title">"Activity"</h2>
                    <Log events=log />
                </section>
            })}
        </div>
    }
    .into_any()
}

/// Returns the reason of the status, if any.
fn status_reason(live: &LiveState) -> Option<String> {
    let reason = live.reason.as_ref()?;
    Some(match live.status {
        Status::Suspended => format!("Waiting: {reason}. It goes on by itself as soon as there is an answer."),
        _ => format::capitalised(reason),
    })
}

/// Folds one event in; false once nothing can follow. The report opens by itself when the last event completes it.
fn apply_event(data: &str, live: RwSignal<LiveState>, log: RwSignal<Vec<Event>>) -> bool {
    let Ok(event) = serde_json::from_str::<Event>(data) else { return true };
    if live.try_update(|live| live.fold(&event)) == Some(true) {
        log.update(|log| {
            log.push(event);
            let surplus = log.len().saturating_sub(LOG_EVENTS);
            log.drain(..surplus);
        });
    }
    let status = live.with_untracked(|live| live.status);
    match status {
        Status::Completed => {
            browser::mark_title('✓');
            let report =
                live.with_untracked(|live| live.assessment.as_ref().map(|written| format!("/assessments/{}", written.0)));
            if let Some(report) = report {
                browser::open_if_seen(&report);
            }
        }
        Status::Failed => browser::mark_title('✗'),
        _ => {}
    }
    !status.is_terminal()
}

const fn connection_text(connection: Connection, is_over: bool) -> &'static str {
    match (is_over, connection) {
        (true, _) | (_, Connection::Idle) => "",
        (_, Connection::Open) => "Live",
        (_, Connection::Reconnecting) => "Connection lost, reconnecting…",
        (_, Connection::Refused) => "No live updates. Close other live pages, then reload this one.",
    }
}

fn stop_form(id: String, is_ending: Memo<bool>) -> impl IntoView {
    let text = move || if is_ending.get() { "Ending…" } else { "Stop reading and write the report" };
    view! {
        <Confirm text="Stop…" warning=STOP_WARNING>
            <form method="post" action=format!("/investigations/{id}/stop")>
                <button type="submit" class="outline" disabled=is_ending>{text}</button>
            </form>
        </Confirm>
    }
    .into_any()
}

/// The ways to end the wait of a suspended investigation.
fn resume_forms(id: String, models: Vec<String>) -> AnyView {
    let action = format!("/investigations/{id}/resume");
    let has_models = !models.is_empty();
    let options = models.into_iter().map(|model| view! { <option>{model}</option> }).collect_view();
    view! {
        <div class="resume">
            <form method="post" action=action.clone()><button type="submit">"Try now"</button></form>
            <form method="post" action=action.clone()>
                <button type="submit" name="model" value=BUILT_IN_MODEL class="outline">"Use the built-in engine"</button>
            </form>
            {has_models.then(|| view! {
                <details class="confirm">
                    <summary>"Choose another model"</summary>
                    <form method="post" action=action class="confirm-body">
                        <label for="resume-model">"Model"</label>
                        <select id="resume-model" name="model">{options}</select>
                        <button type="submit" class="outline">"Use this model"</button>
                        <p class="hint">"Others are chosen under " <a href="/settings">"Settings"</a> "; then try again."</p>
                    </form>
                </details>
            })}
            {(!has_models).then(|| view! { <a class="button outline" href="/settings">"Choose another model"</a> })}
        </div>
    }
    .into_any()
}

/// The way to the assessment once there is one.
fn result(live: &LiveState, stored: Option<String>) -> Option<AnyView> {
    if !live.status.is_terminal() {
        return None;
    }
    let written = live.assessment.clone();
    let id = written.as_ref().map(|written| written.0.to_string()).or(stored);
    let bottom_line = written.map(|written| written.1);
    let name = if live.status == Status::Failed { "Read the partial report" } else { "Read the assessment" };
    Some(match id {
        Some(id) => view! {
            <section class="result" aria-label="Result">
                {bottom_line.map(|text| view! { <p class="result-line">{unmarked(&text)}</p> })}
                <p><a class="button" href=format!("/assessments/{id}")>{name}</a></p>
            </section>
        }
        .into_any(),
        None => view! { <p class="muted">"No assessment was written."</p> }.into_any(),
    })
}
