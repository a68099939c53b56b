//! Steps that connect a model: a provider with its key, its models, a test, the use for all roles.

use super::{
    models::{EVERY_ROLE, Models},
    providers::{ModelsOfProvider, Providers, may_list},
};
use crate::{atoms::ActionButton, prelude::*};
use domain::model_choice::{ModelChoices, ModelRole};
use views::settings::{ListedModels, ModelLine, ModelTest, ProviderLine};

/// Numbered steps in their order. A step is offered once the one before it is done.
#[component]
pub fn ConnectModel(
    providers: Vec<ProviderLine>,
    /// Models that are in use or were tried.
    models: Vec<ModelLine>,
    choices: ModelChoices,
    now: Timestamp,
    /// Model that was tested just now.
    tested: Option<String>,
) -> impl IntoView {
    let is_asked = |line: &&ProviderLine| may_list(line.key) || line.listed.is_some();
    let asked: Vec<ProviderLine> = providers.iter().filter(is_asked).cloned().collect();
    let names = |line: &ProviderLine| match &line.listed {
        Some(ListedModels::Names(names)) if !names.is_empty() => Some((line.card.name.clone(), names.clone())),
        _ => None,
    };
    let offered: Vec<(String, Vec<String>)> = providers.iter().filter_map(names).collect();
    let has_passed = |line: &ModelLine| matches!(line.trial, ModelTest::Done { is_usable: true, .. });
    let passed = tested.clone().filter(|name| models.iter().any(|line| line.name == *name && has_passed(line)));
    let lists = match asked.is_empty() {
        true => view! { <p class="hint">"Offered once a provider has its key."</p> }.into_any(),
        false => {
            let rows = asked.into_iter().map(|line| view! { <ModelsOfProvider line /> }).collect_view();
            view! { <ul class="setting-list">{rows}</ul> }.into_any()
        }
    };
    let trials = match offered.is_empty() {
        true => view! { <p class="hint">"A new model is offered once its provider has listed it."</p> }.into_any(),
        false => offered.into_iter().map(|(provider, names)| view! { <TryModel provider names /> }).collect_view().into_any(),
    };
    let choice = match passed {
        Some(name) => view! { <UseForAll name /> }.into_any(),
        None => view! { <p class="hint">"Offered right after a model has passed its test."</p> }.into_any(),
    };
    let chosen = ModelRole::ALL.map(|role| choices.get(role));
    let used = chosen[0].filter(|model| chosen.iter().all(|one| *one == Some(*model))).map(str::to_owned);
    view! {
        <section aria-labelledby="connect-title" class="settings-part">
            <h2 id="connect-title">"Connect a model"</h2>
            <ol class="connect-steps">
                <li>
                    <h3 id="providers-title">"Give a provider its key"</h3>
                    <Providers providers />
                </li>
                <li>
                    <h3>"List its models"</h3>
                    {lists}
                </li>
                <li>
                    <h3>"Test a model"</h3>
                    {trials}
                    <Models models now tested />
                </li>
                <li>
                    <h3>"Use it for all roles"</h3>
                    {used.map(|name| view! { <p>"In use for all roles: " <code>{name}</code></p> })}
                    {choice}
                </li>
            </ol>
        </section>
    }
    .into_any()
}

/// Form that tests one of the models that a provider has listed.
#[component]
fn TryModel(provider: String, names: Vec<String>) -> impl IntoView {
    let options = names.into_iter().map(|name| {
        let value = format!("{provider}:{name}");
        view! { <option value=value>{name}</option> }
    });
    let options = options.collect_view();
    let field = format!("list-{provider}");
    view! {
        <form method="post" action="/settings/probe" class="key-form">
            <label for=field.clone()>{format!("Model of {provider}")}</label>
            <select id=field name="model">{options}</select>
            <button type="submit" class="outline">"Try it"</button>
        </form>
    }
}

/// Button that makes a model that passed its test that of all roles.
#[component]
fn UseForAll(name: String) -> impl IntoView {
    let label = format!("Use for all roles: {name}");
    let fields = vec![("role", EVERY_ROLE.to_owned()), ("model", name.clone())];
    view! {
        <div class="key-forms">
            <p><code>{name}</code> " passed its test."</p>
            <ActionButton action="/settings/models" fields text="Use for all roles" label class="" />
        </div>
    }
}
