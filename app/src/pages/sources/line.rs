//! One source: state, health, yield and the forms of administrators.

use super::NoticeText;
use crate::{
    atoms::{Age, Badge, Tone},
    format,
};
use domain::{
    Timestamp,
    fetch::{Availability, KeyUse, SourceEntry, SourceHealth},
};
use leptos::prelude::*;
use views::settings::KeyState;
use views::sources::{SourceKey, SourceLine, SourceNotice};

#[component]
pub fn Line(line: SourceLine, may_change: bool, now: Timestamp, notice: Option<SourceNotice>) -> impl IntoView {
    let (tone, state) = state(&line);
    let SourceLine { entry, is_on, health, documents, claims, key } = line;
    let SourceEntry { id, name, description, coverage, documentation, key: key_use, .. } = entry;
    let is_stored = key.as_ref().is_some_and(|key| key.is_stored);
    let key_words = key.filter(|_| key_use != KeyUse::None).map(key_words);
    let led_to = (documents > 0).then(|| {
        let (documents, claims) = (format::count(documents, "document", "documents"), format::count(claims, "claim", "claims"));
        format!("Found {documents} with {claims}.")
    });
    let anchor = id.clone();
    let notice = notice.filter(|notice| notice.part == id);
    let documentation = documentation.filter(|(page, _)| !page.is_empty());
    let has_more = !coverage.is_empty() || documentation.is_some();
    view! {
        <li class="setting source" id=anchor>
            <div class="source-text">
                <h3>{name.clone()} " " <Badge tone text=state /></h3>
                {notice.map(|notice| view! { <NoticeText notice /> })}
                {(!description.is_empty()).then(|| view! { <p>{description}</p> })}
                {has_more.then(|| view! {
                    <details>
                        <summary>"Coverage"</summary>
                        {(!coverage.is_empty()).then(|| view! { <p>{coverage}</p> })}
                        {documentation.map(|(page, day)| view! { <Interface page day /> })}
                    </details>
                })}
                <p class="hint"><Health health now /> {led_to.map(|words| format!(" {words}"))}</p>
                {key_words.map(|words| view! { <p class="hint">{words}</p> })}
            </div>
            {may_change.then(|| view! { <Forms id name is_on has_key_field={key_use != KeyUse::None} is_stored /> })}
        </li>
    }
    .into_any()
}

/// Link to the API documentation of a source.
#[component]
fn Interface(page: String, day: String) -> impl IntoView {
    let address = page.clone();
    let read = if day.is_empty() { ".".to_owned() } else { format!(", read on {day}.") };
    view! { <p class="hint">"API documentation: " <a href=page rel="noreferrer noopener" target="_blank">{address}</a> {read}</p> }
}

#[component]
fn Forms(id: String, name: String, is_on: bool, has_key_field: bool, is_stored: bool) -> impl IntoView {
    let field = format!("key-{id}");
    let switch = if is_on { "Turn off" } else { "Turn on" };
    let of = |what: &str| format!("{what} {name}");
    view! {
        <div class="key-forms">
            {has_key_field.then(|| view! {
                <form method="post" action="/sources/keys" class="key-form">
                    <input type="hidden" name="source" value=id.clone() />
                    <label for=field.clone() class="hidden">{of("Key of")}</label>
                    <input id=field.clone() name="key" type="password" autocomplete="off" spellcheck="false" placeholder="Paste a key" required />
                    <button type="submit" aria-label=of(if is_stored { "Replace the key of" } else { "Store the key of" })>
                        {if is_stored { "Replace" } else { "Store" }}
                    </button>
                </form>
            })}
            {is_stored.then(|| view! {
                <form method="post" action="/sources/keys/remove">
                    <input type="hidden" name="source" value=id.clone() />
                    <button class="quiet" type="submit" aria-label=of("Remove the key of")>"Remove key"</button>
                </form>
            })}
            <form method="post" action="/sources/test">
                <input type="hidden" name="source" value=id.clone() />
                <button class="quiet" type="submit" aria-label=of("Test")>"Test"</button>
            </form>
            <form method="post" action="/sources/switch">
                <input type="hidden" name="source" value=id.clone() />
                <input type="hidden" name="on" value=(!is_on).to_string() />
                <button type="submit" aria-label=of(switch)>{switch}</button>
            </form>
        </div>
    }
    .into_any()
}

#[component]
fn Health(health: SourceHealth, now: Timestamp) -> impl IntoView {
    let is_failing = health.is_failing();
    let SourceHealth { last_error, last_success, last_failure, .. } = health;
    let success = last_success.map(|then| view! { "Last answered " <Age then now /> "." });
    let failure = last_failure.filter(|_| is_failing).map(|then| {
        let why = last_error.map(|why| format!(": {why}"));
        view! { <span class="source-failure">"Failed " <Age then now /> {why} "."</span> " " }
    });
    let is_new = success.is_none() && failure.is_none();
    view! { {failure} {success} {is_new.then_some("Never used.")} }
}

fn state(line: &SourceLine) -> (Tone, &'static str) {
    match line.entry.availability {
        Availability::NeedsKey => (Tone::Quiet, "Needs a key"),
        Availability::NeedsContact => (Tone::Quiet, "Needs a contact address"),
        Availability::NeedsAddress => (Tone::Quiet, "Needs an address"),
        Availability::Ready | Availability::Off if !line.is_on => (Tone::Quiet, "Off"),
        _ if line.health.is_failing() => (Tone::Warning, "On, failing"),
        _ => (Tone::Good, "On"),
    }
}

fn key_words(SourceKey { state, variable, .. }: SourceKey) -> String {
    match state {
        KeyState::NotNeeded => format!("Works without a key; a key raises the limits. Store one, or set {variable}."),
        KeyState::Missing => format!("No key: store one, or set {variable}."),
        KeyState::Environment => format!("Key from the environment ({variable})."),
        KeyState::Stored => "A key is stored, encrypted; it is never shown again.".to_owned(),
        KeyState::Unreadable => "The stored key cannot be decrypted: store it again.".to_owned(),
    }
}
