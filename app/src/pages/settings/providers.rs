//! The providers and whether there is a key for each. A stored key is never shown again.

use super::models::EVERY_ROLE;
use crate::{atoms::ActionButton, parts::KEY_WARNING, prelude::*};
use views::settings::{KeyState, ListedModels, ProviderCard, ProviderLine};

#[component]
pub fn Providers(providers: Vec<ProviderLine>) -> impl IntoView {
    let rows = providers.into_iter().map(|line| view! { <Provider line /> }).collect_view();
    view! {
        <section aria-labelledby="providers-title" class="settings-part">
            <h2 id="providers-title">"Providers and keys"</h2>
            <p class="hint">
                "Keys are stored encrypted and never shown again. A key in the environment takes precedence. A connection test "
                "makes a few short calls."
            </p>
            <ul class="setting-list">{rows}</ul>
        </section>
    }
}

#[component]
fn Provider(line: ProviderLine) -> impl IntoView {
    let ProviderLine { card: ProviderCard { name, kind, address, key_variable }, key, is_stored, listed } = line;
    let (tone, words) = state(key, key_variable.as_deref());
    let (field, anchor) = (format!("key-{name}"), format!("provider-{name}"));
    let needs_key_first = matches!(key, KeyState::Missing | KeyState::Unreadable);
    let listing = format!("List the models of {name}");
    let (stored, tried, shown) = (name.clone(), name.clone(), name.clone());
    let (store, remove) = (format!("Key of {name}"), format!("Remove the key of {name}"));
    view! {
        <li class="setting" id=anchor>
            <div>
                <p><strong>{name.clone()}</strong> " · " {kind} " · " <code>{address}</code></p>
                <p><Badge tone text=words /></p>
            </div>
            <div class="key-forms">
                <form method="post" action="/settings/keys" class="key-form">
                    <input type="hidden" name="provider" value=name />
                    <label for=field.clone() class="hidden">{store}</label>
                    <input id=field name="key" type="password" autocomplete="off" spellcheck="false" placeholder="Paste a key" required />
                    <button type="submit" class="outline">{if is_stored { "Replace" } else { "Store" }}</button>
                </form>
                {is_stored.then(|| view! {
                    <Confirm text="Remove…" about=format!("the key of {stored}") warning=KEY_WARNING>
                        <ActionButton action="/settings/keys/remove" fields=vec![("provider", stored)] text="Remove the key" label=remove class="outline" />
                    </Confirm>
                })}
                {(!needs_key_first).then(|| view! {
                    <ActionButton action="/settings/list" fields=vec![("provider", tried)] text="List models" label=listing />
                })}
            </div>
            {listed.map(|listed| view! { <Listed provider=shown listed /> })}
        </li>
    }
}

/// Models of a provider to try, and to use for all roles; or why it listed none.
#[component]
fn Listed(provider: String, listed: ListedModels) -> impl IntoView {
    let names = match listed {
        ListedModels::Names(names) => names,
        ListedModels::Problem(problem) => return view! { <p class="hint" role="status">{problem}</p> }.into_any(),
    };
    let options = names.into_iter().map(|name| {
        let value = format!("{provider}:{name}");
        view! { <option value=value>{name}</option> }
    });
    let options = options.collect_view();
    let field = format!("list-{provider}");
    view! {
        <form method="post" action="/settings/models" class="key-form">
            <input type="hidden" name="role" value=EVERY_ROLE />
            <label for=field.clone()>{format!("Model of {provider}")}</label>
            <select id=field name="model">{options}</select>
            <button type="submit" class="outline" formaction="/settings/probe">"Try it"</button>
            <button type="submit" class="outline">"Use for all roles"</button>
        </form>
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
