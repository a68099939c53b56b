//! Form posts of the settings page: provider keys, personal caps, and model probes.

use super::{auth::ConfirmedUser, prelude::*};
use app::session::encode;
use domain::{budget::OwnCap, model_choice::ModelRole};
use engine::{models::Secret, settings::SettingError};

const PAGE: &str = "/settings";
/// Value of the field for every role of the kernel.
const EVERY_ROLE: &str = "all";

// No `Debug`, because it holds a key.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct StoreKeyForm {
    provider: String,
    key: String,
}

#[derive(Deserialize)]
pub(super) struct ProviderForm {
    #[serde(default)]
    provider: String,
}

#[derive(Deserialize)]
pub(super) struct ProbeForm {
    #[serde(default)]
    model: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ChooseModelForm {
    role: String,
    /// Empty: as configured.
    model: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SetCapForm {
    user: String,
    tokens: String,
    money: String,
}

pub(super) async fn store_key(
    State(web): State<WebState>,
    ConfirmedUser(user): ConfirmedUser,
    ClientAddress(address): ClientAddress,
    Form(form): Form<StoreKeyForm>,
) -> Response<Body> {
    let key = Secret::from(form.key);
    lead_to_steps(&form.provider, web.program.settings.of_client(Some(address)).store_key(&user, &form.provider, &key).await)
}

pub(super) async fn remove_key(State(web): State<WebState>, _: ConfirmedUser, post: FormPost<ProviderForm>) -> Response<Body> {
    let provider = &post.form.provider;
    lead_to_steps(provider, web.program.settings.of_client(post.by.address).remove_key(&post.user, provider).await)
}

/// Tries a model, and leads to its result among the connection tests.
pub(super) async fn probe(State(web): State<WebState>, post: FormPost<ProbeForm>) -> Response<Body> {
    let model = post.form.model.trim();
    match web.program.settings.of_client(post.by.address).probe(&post.user, model).await {
        Ok(()) => redirect(&format!("{PAGE}?tested={}#tested", encode(model))),
        error => respond(error),
    }
}

/// Asks a provider for its models.
pub(super) async fn list_models(State(web): State<WebState>, post: FormPost<ProviderForm>) -> Response<Body> {
    let provider = &post.form.provider;
    lead_to_steps(provider, web.program.settings.of_client(post.by.address).list_models(&post.user, provider).await)
}

/// Chooses a model for one role, or for every role of the kernel.
pub(super) async fn choose_model(
    State(web): State<WebState>,
    _: ConfirmedUser,
    post: FormPost<ChooseModelForm>,
) -> Response<Body> {
    let settings = web.program.settings.of_client(post.by.address);
    let roles = match &*post.form.role {
        EVERY_ROLE => ModelRole::ALL.to_vec(),
        name => settings.model_role(name).into_iter().collect(),
    };
    if roles.is_empty() {
        return post.lead_to(PAGE, Notice::NotFound);
    }
    for role in roles {
        match settings.choose_model(&post.user, role, &post.form.model).await {
            Ok(()) => {}
            Err(error @ SettingError::BadModel) => return post.refuse(PAGE, notice_of(&error)).await,
            Err(error) => return respond(Err(error)),
        }
    }
    redirect(PAGE)
}

pub(super) async fn set_cap(State(web): State<WebState>, _: ConfirmedUser, post: FormPost<SetCapForm>) -> Response<Body> {
    let Ok(id) = post.form.user.parse::<UserId>() else { return post.lead_to(PAGE, Notice::NotFound) };
    match cap(&post.form.tokens, &post.form.money) {
        Some(cap) => respond(web.program.settings.of_client(post.by.address).set_cap(&post.user, id, cap).await),
        None => post.lead_to(PAGE, Notice::BadCap),
    }
}

/// Parses a personal cap. Empty fields mean no cap; `None` if a number is invalid.
fn cap(tokens: &str, money: &str) -> Option<OwnCap> {
    let (tokens, money) = (tokens.trim(), money.trim());
    let tokens = if tokens.is_empty() { None } else { Some(tokens.parse::<u64>().ok()?) };
    let cost_micros = if money.is_empty() { None } else { Some(OwnCap::micros(money.parse::<f64>().ok()?)?) };
    Some(OwnCap { tokens, cost_micros })
}

/// Leads to the steps of a provider, whose next one follows its key.
fn lead_to_steps(provider: &str, done: Result<(), SettingError>) -> Response<Body> {
    match done {
        Ok(()) => redirect(&format!("{PAGE}?provider={}#key-title", encode(provider))),
        Err(error @ SettingError::BadKey) => redirect_back(PAGE, notice_of(&error), &[("provider", provider)]),
        error => respond(error),
    }
}

fn respond(done: Result<(), SettingError>) -> Response<Body> {
    match done {
        Ok(()) => redirect(PAGE),
        Err(error) => redirect_back(PAGE, notice_of(&error), &[]),
    }
}

pub(super) fn notice_of(error: &SettingError) -> Notice {
    match error {
        SettingError::NotAllowed => Notice::NotAllowed,
        SettingError::Unknown | SettingError::NoFeed(_) => Notice::NotFound,
        SettingError::BadKey => Notice::BadKey,
        SettingError::BadModel => Notice::BadModel,
        SettingError::Busy => Notice::ProbeBusy,
        SettingError::TooManyFeeds => Notice::TooManyFeeds,
        SettingError::Store(error) => store_notice(error),
    }
}
