//! The providers, whether there is a key for each, and their models. A stored key is never shown again.

use crate::{atoms::ActionButton, parts::KEY_WARNING, prelude::*};
use views::settings::{KeyState, ListedModels, ProviderCard, ProviderLine};

/// Providers to choose from: each is a link to the page with its steps.
#[component]
pub fn Providers(providers: Vec<ProviderLine>, chosen: Option<String>) -> impl IntoView {
    let rows = providers.into_iter().map(|ProviderLine { card, key, .. }| {
        let ProviderCard { name, kind, address, key_variable } = card;
        let (tone, words) = state(key, key_variable.as_deref());
        let href = format!("/settings?{}#key-title", format::query_string([("provider", &name)]));
        let is_chosen = (chosen.as_ref() == Some(&name)).then_some("true");
        view! {
            <li class="setting">
                <p><a href=href aria-current=is_chosen>{name}</a> " · " {kind} " · " <code>{address}</code></p>
                <p><Badge tone text=words /></p>
            </li>
        }
    });
    let rows = rows.collect_view();
    view! { <ul class="setting-list">{rows}</ul> }
}

/// Forms that store and remove the key of the chosen provider.
#[component]
pub fn ProviderKey(line: ProviderLine) -> impl IntoView {
    let ProviderLine { card: ProviderCard { name, .. }, is_stored, .. } = line;
    let (store, remove) = (format!("Key of {name}"), format!("Remove the key of {name}"));
    let stored = name.clone();
    view! {
        <p class="hint">"Keys are stored encrypted and never shown again. A key in the environment takes precedence."</p>
        <div class="key-forms">
            <form method="post" action="/settings/keys" class="key-form">
                <input type="hidden" name="provider" value=name />
                <label for="key">{store}</label>
                <input id="key" name="key" type="password" autocomplete="off" spellcheck="false" placeholder="Paste a key" required />
                <button type="submit" class="outline">{if is_stored { "Replace" } else { "Store" }}</button>
            </form>
            {is_stored.then(|| view! {
                <Confirm text="Remove…" about=format!("the key of {stored}") warning=KEY_WARNING>
                    <ActionButton action="/settings/keys/remove" fields=vec![("provider", stored)] text="Remove the key" label=remove class="outline" />
                </Confirm>
            })}
        </div>
    }
}

/// Whether a provider with this key can be asked for its models.
pub(super) const fn may_list(key: KeyState) -> bool {
    !matches!(key, KeyState::Missing | KeyState::Unreadable)
}

/// Row of a provider that lists its models: how many it has listed, or why it listed none.
#[component]
pub fn ModelsOfProvider(line: ProviderLine) -> impl IntoView {
    let ProviderLine { card: ProviderCard { name, .. }, key, listed, .. } = line;
    let listing = format!("List models of {name}");
    let words = listed.map(|listed| match listed {
        ListedModels::Names(names) => format::count(names.len() as u64, "model", "models"),
        ListedModels::Problem(problem) => problem,
    });
    view! {
        <li class="setting">
            <p><strong>{name.clone()}</strong></p>
            {may_list(key).then(|| view! {
                <div class="key-forms">
                    <ActionButton action="/settings/list" fields=vec![("provider", name)] text="List models" label=listing />
                </div>
            })}
            {words.map(|words| view! { <p class="hint" role="status">{words}</p> })}
        </li>
    }
    .into_any()
}

fn state(key: KeyState, variable: Option<&str>) -> (Tone, String) {
    let variable = variable.unwrap_or_default();
    match key {
        KeyState::NotNeeded => (Tone::Quiet, "Needs no key".to_owned()),
        KeyState::Missing => (Tone::Warning, format!("No key: store one, or set {variable}")),
        KeyState::Environment => (Tone::Good, format!("Key from the environment ({variable})")),
        KeyState::Stored => (Tone::Good, "Key stored".to_owned()),
        KeyState::Unreadable => (Tone::Bad, "The stored key cannot be decrypted: store it again".to_owned()),
    }
}
