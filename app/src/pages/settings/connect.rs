//! Steps that connect a model: a provider, its key, its models, a test, the use for all roles. The address names the provider.

use super::{
    models::{EVERY_ROLE, Models},
    providers::{ModelsOfProvider, ProviderKey, Providers, may_list},
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
    /// Provider that the address names; without one, that of the tested model.
    provider: Option<String>,
    /// Model that was tested just now.
    tested: Option<String>,
) -> impl IntoView {
    let named = provider.or_else(|| Some(tested.as_ref()?.split_once(':')?.0.to_owned()));
    let line = named.and_then(|name| providers.iter().find(|line| line.card.name == name).cloned());
    let name = line.as_ref().map(|line| line.card.name.clone());
    let is_shown = |model: &ModelLine| match &name {
        Some(name) => model.name.split_once(':').is_some_and(|(provider, _)| provider == name),
        None => true,
    };
    let models: Vec<ModelLine> = models.into_iter().filter(is_shown).collect();
    let has_passed = |line: &ModelLine| matches!(line.trial, ModelTest::Done { is_usable: true, .. });
    let passed = tested.clone().filter(|name| models.iter().any(|line| line.name == *name && has_passed(line)));
    let key = match line.clone() {
        Some(line) => view! { <ProviderKey line /> }.into_any(),
        None => view! { <p class="hint">"Offered once a provider is chosen."</p> }.into_any(),
    };
    let list = match line.clone().filter(|line| may_list(line.key) || line.listed.is_some()) {
        Some(line) => view! { <ul class="setting-list"><ModelsOfProvider line /></ul> }.into_any(),
        None => view! { <p class="hint">"Offered once a provider has its key."</p> }.into_any(),
    };
    let listed = line.filter(|line| may_list(line.key)).and_then(|line| Some((line.card.name, line.listed?)));
    let trial = match listed {
        Some((provider, listed)) => view! { <TryModel provider listed /> }.into_any(),
        None => view! { <p class="hint">"A new model is offered once its provider has listed it."</p> }.into_any(),
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
                    <h3 id="providers-title">"Choose a provider"</h3>
                    <Providers providers chosen=name />
                </li>
                <li>
                    <h3 id="key-title">"Give it its key"</h3>
                    {key}
                </li>
                <li>
                    <h3>"List its models"</h3>
                    {list}
                </li>
                <li>
                    <h3>"Test a model"</h3>
                    {trial}
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

/// Form that tests one of the models that a provider has listed, or one whose name is typed where it listed none.
#[component]
fn TryModel(provider: String, listed: ListedModels) -> impl IntoView {
    let field = match listed {
        ListedModels::Names(names) => {
            let options = names.into_iter().map(|name| {
                let value = format!("{provider}:{name}");
                view! { <option value=value>{name}</option> }
            });
            let options = options.collect_view();
            view! { <select id="try-model" name="model">{options}</select> }.into_any()
        }
        ListedModels::Problem(_) => view! {
            <input id="try-model" name="model" type="text" value=format!("{provider}:") autocomplete="off" autocapitalize="none" spellcheck="false" required />
        }
        .into_any(),
    };
    view! {
        <form method="post" action="/settings/probe" class="key-form">
            <label for="try-model">{format!("Model of {provider}")}</label>
            {field}
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
