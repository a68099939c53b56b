//! Models by role, with their connection tests.

use crate::{
    atoms::{ActionButton, Age},
    prelude::*,
};
use domain::model_choice::{ModelChoices, ModelRole};
use views::settings::{BUILT_IN_MODEL, FeatureRole, ModelLine, ModelTest, ProviderLine, RoleModels};

/// Model of each role, with the field that chooses another.
#[component]
pub fn ChosenModels(
    roles: Vec<RoleModels>,
    features: Vec<FeatureRole>,
    choices: ModelChoices,
    providers: Vec<ProviderLine>,
    /// Models that are in use or were tried.
    tried: Vec<String>,
    /// Role and model of a refused choice.
    refused: Option<(String, String)>,
) -> impl IntoView {
    let is_refused = refused.is_some();
    let configured = |role: ModelRole| {
        let found = roles.iter().find(|one| one.role == role.as_str()).map(|one| one.models.join(", then "));
        found.unwrap_or_else(|| match role {
            ModelRole::Judge => "as the processor".to_owned(),
            ModelRole::Dissenter => "as the analyst".to_owned(),
            _ => "fixed rules".to_owned(),
        })
    };
    let kernel = ModelRole::ALL.map(|role| (role, configured(role)));
    let added = features.into_iter().filter_map(|FeatureRole { models, fallback }| {
        let configured = if models.models.is_empty() { format!("as the {fallback}") } else { models.models.join(", then ") };
        Some((ModelRole::parse(&models.role)?, configured))
    });
    let rows = kernel
        .into_iter()
        .chain(added)
        .map(|(role, configured)| {
            let typed = refused.as_ref().filter(|(refused, _)| refused == role.as_str()).map(|(_, model)| model.clone());
            view! { <Role role configured chosen=choices.get(role).map(str::to_owned) typed /> }
        })
        .collect_view();
    let of_all = refused.filter(|(role, _)| role == EVERY_ROLE).map(|(_, model)| model);
    let known =
        std::iter::once(BUILT_IN_MODEL.to_owned()).chain(providers.into_iter().map(|line| format!("{}:", line.card.name)));
    let known = known.chain(tried).map(|name| view! { <option value=name></option> }).collect_view();
    view! {
        <section aria-labelledby="roles-title" class="settings-part">
            <h2 id="roles-title">"Models by role"</h2>
            <datalist id="known-models">{known}</datalist>
            <details open=is_refused>
                <summary>"Advanced: type a model, or choose one for each role"</summary>
                <p class="hint">
                    "Provider and model, such as ollama:qwen3:8b, or “extractive” for the built-in engine. Try it first; a choice holds from "
                    "the next question on, without a restart."
                </p>
                <EveryRole typed=of_all />
                <p class="hint">
                    "The judge decides whether two names are the same; the reflector scores search results; the dissenter argues against "
                    "the answer."
                </p>
                <ul class="setting-list">{rows}</ul>
            </details>
        </section>
    }
}

/// Value of the role in the form that chooses a model for every role.
pub(super) const EVERY_ROLE: &str = "all";

/// Form that chooses one model for all roles.
#[component]
fn EveryRole(typed: Option<String>) -> impl IntoView {
    let is_wrong = typed.is_some().then_some("true");
    view! {
        <form method="post" action="/settings/models" class="key-form">
            <input type="hidden" name="role" value=EVERY_ROLE />
            <label for="model-all" class="hidden">"Model for all roles"</label>
            <input id="model-all" name="model" type="text" list="known-models" value=typed.unwrap_or_default() aria-invalid=is_wrong autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="ollama:qwen3:8b" required />
            <button type="submit" class="outline" formaction="/settings/probe">"Try it"</button>
            <button type="submit">"Use for all roles"</button>
        </form>
    }
}

#[component]
fn Role(role: ModelRole, configured: String, chosen: Option<String>, typed: Option<String>) -> impl IntoView {
    let (name, field) = (format::sentence_case(role.as_str()), format!("model-{}", role.as_str()));
    let is_wrong = typed.is_some().then_some("true");
    let value = typed.or_else(|| chosen.clone()).unwrap_or_default();
    let (reset, choose) = (format!("Use the configured model: {name}"), format!("Use: {name}"));
    let probe = format!("Try it: {name}");
    let is_chosen = chosen.is_some();
    let now = match chosen {
        Some(model) => view! { <p><code>{model}</code> " " <span class="muted">"chosen here; configuration file: " {configured}</span></p> }.into_any(),
        None => view! { <p><code>{configured}</code> " " <span class="muted">"from the configuration file"</span></p> }.into_any(),
    };
    view! {
        <li class="setting">
            <div>
                <p><strong>{name.clone()}</strong></p>
                {now}
            </div>
            <div class="key-forms">
                {is_chosen.then(|| view! {
                    <ActionButton action="/settings/models" fields=vec![("role", role.as_str().to_owned())] text="As configured" label=reset />
                })}
                <form method="post" action="/settings/models" class="key-form">
                    <input type="hidden" name="role" value=role.as_str() />
                    <label for=field.clone() class="hidden">{format!("Model: {name}")}</label>
                    <input id=field name="model" type="text" list="known-models" value=value aria-invalid=is_wrong autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="ollama:qwen3:8b" required />
                    <button type="submit" class="outline" aria-label=choose>"Use"</button>
                    <button type="submit" class="quiet" formaction="/settings/probe" aria-label=probe>"Try it"</button>
                </form>
            </div>
        </li>
    }
}

/// Models that are in use or were tried, with their connection tests.
#[component]
pub fn Models(
    models: Vec<ModelLine>,
    now: Timestamp,
    /// Model that was tested just now, to whose result the address leads.
    tested: Option<String>,
) -> impl IntoView {
    let model = |line: ModelLine| {
        let is_tested = tested.as_ref() == Some(&line.name);
        view! { <Model line now is_tested /> }
    };
    (!models.is_empty()).then(|| {
        view! {
            <section aria-label="Connection tests">
                <p class="hint">"A test makes a few short calls. These models are in use or were tried."</p>
                <ul class="setting-list">{models.into_iter().map(model).collect_view()}</ul>
            </section>
        }
    })
}

#[component]
fn Model(line: ModelLine, now: Timestamp, is_tested: bool) -> impl IntoView {
    let ModelLine { name, trial } = line;
    let is_running = trial == ModelTest::Running;
    let label = format!("Test {name}");
    // A target that takes the focus is read out.
    let (id, tabindex) = (is_tested.then_some("tested"), is_tested.then_some("-1"));
    let came = match trial {
        ModelTest::None => view! { <p class="hint">"Not tested yet."</p> }.into_any(),
        ModelTest::Running => view! { <p><Badge tone=Tone::Live text="Testing" /></p> }.into_any(),
        ModelTest::Done { at, is_usable, line } => {
            let (tone, text) = if is_usable { (Tone::Good, "Usable") } else { (Tone::Bad, "Not usable") };
            view! { <p><Badge tone text /> " " {line} " " <span class="muted"><Age then=at now /></span></p> }.into_any()
        }
    };
    view! {
        <li class="setting" id=id tabindex=tabindex>
            <div>
                <p><strong>{name.clone()}</strong></p>
                {came}
            </div>
            <div class="key-forms">
                <form method="post" action="/settings/probe">
                    <input type="hidden" name="model" value=name />
                    <button class="quiet" type="submit" disabled=is_running aria-label=label>"Test connection"</button>
                </form>
            </div>
        </li>
    }
}
