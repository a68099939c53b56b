//! One source: state, health, yield and the forms of administrators.

use super::NoticeText;
use crate::{atoms::Age, parts::KEY_WARNING, prelude::*};
use domain::fetch::{Availability, KeyUse, SourceEntry, SourceHealth};
use views::settings::KeyState;
use views::sources::{SourceKey, SourceLine, SourceNotice};

#[component]
pub fn Line(line: SourceLine, may_change: bool, now: Timestamp, notice: Option<SourceNotice>) -> impl IntoView {
    let (tone, state) = state(&line);
    let is_available = matches!(line.entry.availability, Availability::Ready | Availability::Off);
    let SourceLine { entry, is_on, health, documents, claims, key } = line;
    let SourceEntry { id, name, description, coverage, documentation, key: key_use, .. } = entry;
    let is_stored = key.as_ref().is_some_and(|key| key.is_stored);
    let key_words = key.filter(|_| key_use != KeyUse::None).map(key_words);
    let led_to = (documents > 0).then(|| {
        let (documents, claims) = (format::count(documents, "document", "documents"), format::count(claims, "claim", "claims"));
        format!("Found {documents} with {claims}.")
    });
    let (anchor, source) = (id.clone(), id.clone());
    let notice = notice.filter(|notice| notice.part == id);
    let documentation = documentation.filter(|(page, _)| !page.is_empty());
    let has_key_field = may_change && key_use != KeyUse::None;
    let summary = if has_key_field { "Key and details" } else { "Details" };
    let is_switchable = may_change && (is_on || is_available);
    // The switch says whether it is on.
    let badge = (!is_switchable || tone == Tone::Warning).then(|| view! { <Badge tone text=state /> });
    view! {
        <li class="setting source" id=anchor>
            <div class="source-row">
                <div class="source-name">
                    <h3>{name.clone()} " " {badge}</h3>
                    <p class="hint">{kind(&id)} {key_words.map(|words| format!(" · {words}"))}</p>
                </div>
                <p class="hint source-result"><Health health now /> {led_to.map(|words| format!(" {words}"))}</p>
                <div class="source-acts">
                    {may_change.then(|| view! { <TestForm id=source.clone() name=name.clone() /> })}
                    {is_switchable.then(|| view! { <Switch id=source.clone() name=name.clone() is_on /> })}
                </div>
            </div>
            {notice.map(|notice| view! { <NoticeText notice /> })}
            <details>
                <summary>{summary} <span class="hidden">" of " {name.clone()}</span></summary>
                <div class="source-text">
                    {(!description.is_empty()).then(|| view! { <p>{description}</p> })}
                    {(!coverage.is_empty()).then(|| view! { <p>"Coverage: " {coverage}</p> })}
                    {documentation.map(|(page, day)| view! { <Interface page day /> })}
                    {has_key_field.then(|| view! { <KeyForms id=source.clone() name=name.clone() is_stored /> })}
                </div>
            </details>
        </li>
    }
    .into_any()
}

/// Kind of a source, as people name it.
fn kind(id: &str) -> &'static str {
    if id == "feeds" { "Feeds" } else { "Search service" }
}

/// Turns a source on or off, from now on and without a restart.
#[component]
fn Switch(id: String, name: String, is_on: bool) -> impl IntoView {
    view! {
        <form method="post" action="/sources/switch">
            <input type="hidden" name="source" value=id />
            <input type="hidden" name="on" value=(!is_on).to_string() />
            <button type="submit" class="switch" role="switch" aria-checked=is_on.to_string() aria-label=name>
                <span class="switch-track" aria-hidden="true"></span>
                <span aria-hidden="true">{if is_on { "On" } else { "Off" }}</span>
            </button>
        </form>
    }
}

#[component]
fn TestForm(id: String, name: String) -> impl IntoView {
    view! {
        <form method="post" action="/sources/test">
            <input type="hidden" name="source" value=id />
            <button class="quiet" type="submit" aria-label=format!("Test {name}")>"Test"</button>
        </form>
    }
}

/// Link to the API documentation of a source.
#[component]
fn Interface(page: String, day: String) -> impl IntoView {
    let address = page.clone();
    let read = if day.is_empty() { ".".to_owned() } else { format!(", read on {day}.") };
    view! { <p class="hint">"API documentation: " <a href=page rel="noreferrer noopener" target="_blank">{address}</a> {read}</p> }
}

#[component]
fn KeyForms(id: String, name: String, is_stored: bool) -> impl IntoView {
    let field = format!("key-{id}");
    let of = |what: &str| format!("{what} {name}");
    let remove = of("Remove the key of");
    view! {
        <div class="key-forms">
            <form method="post" action="/sources/keys" class="key-form">
                <input type="hidden" name="source" value=id.clone() />
                <label for=field.clone() class="hidden">{of("Key of")}</label>
                <input id=field name="key" type="password" autocomplete="off" spellcheck="false" placeholder="Paste a key" required />
                <button type="submit" aria-label=of(if is_stored { "Replace the key of" } else { "Store the key of" })>
                    {if is_stored { "Replace" } else { "Store" }}
                </button>
            </form>
            {is_stored.then(|| view! {
                <Confirm text="Remove key…" about=name.clone() warning=KEY_WARNING>
                    <form method="post" action="/sources/keys/remove">
                        <input type="hidden" name="source" value=id.clone() />
                        <button class="outline" type="submit" aria-label=remove>"Remove the key"</button>
                    </form>
                </Confirm>
            })}
        </div>
    }
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
        _ if line.health.is_failing() => (Tone::Warning, "Failing"),
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
