//! Actions of people on a tension: dismiss, restore, merge, and enter a response.

use super::{detail::address, list, runs};
use crate::{
    agents::RESPONSE_SCOUT,
    cycle::{
        order::{CycleOrder, CycleOrderId, OrderKind, Stage},
        spent_reason,
    },
    response::{MAX_TEXT, MAX_TITLE, RespondsTo, Response, ResponseId, ResponseKind},
    sample::open_together,
    settings::TensionSettings,
    store::{RelatedTension, TensionStore},
    tension::{Tension, TensionId, TensionState, day_start},
};
use app::{Notice, NoticeAction, format, parts::FilterSelect};
use axum::{body::Body, extract::Path, http};
use domain::{
    CollectionKind, Timestamp, UserId,
    user::{Action, User},
};
use engine::{StoreError, accounts, fetch::sources};
use feature::{
    FormPost, KeptForm, NoticeText, Web, redirect,
    region::{Region, Regions},
};
use leptos::prelude::*;
use serde::Deserialize;

/// Refusal of a merge with itself or with nothing.
pub const BAD_MERGE: NoticeText = NoticeText {
    code: "bad_merge",
    message: "Choose another tension of the same collection, or of one that everybody reads, to merge this one into.",
    action: NoticeAction { text: "Choose a tension", href: "#into" },
};

/// Refusal of a scouting of the sample.
pub const SAMPLE_TENSION: NoticeText = NoticeText {
    code: "sample_tension",
    message: "The sample is an invented story: the web has no answer to it.",
    action: NoticeAction { text: "See the other tensions", href: list::PAGE },
};

/// Refusal of a scouting without a language model.
pub const NO_SCOUT_MODEL: NoticeText = NoticeText {
    code: "scout_without_model",
    message: "A scouting needs a language model, and none is set up. An administrator connects one.",
    action: NoticeAction { text: "Open the settings", href: "/settings" },
};

/// Refusal of a scouting without a source.
pub const NO_SCOUT_SOURCE: NoticeText = NoticeText {
    code: "scout_without_sources",
    message: "A scouting searches the web, and no source is on. An administrator turns sources on.",
    action: NoticeAction { text: "See the sources", href: "/sources" },
};

/// Refusal of a scouting beyond the budget.
pub const NO_SCOUT_BUDGET: NoticeText = NoticeText {
    code: "scout_without_budget",
    message: "What is left of today does not reach for a scouting: of the budget, the searches or the page reads. Try again tomorrow, \
              or ask an administrator for more.",
    action: NoticeAction { text: "See the budgets", href: "/settings" },
};

/// Refusal of an incomplete response.
pub const BAD_RESPONSE: NoticeText = NoticeText {
    code: "bad_response",
    message: "A response needs a title of 1 to 200 characters, texts of at most 2,000, an address that begins with http:// or \
              https://, a place of the list or none, and days such as 2026-11-28, the last not before the first.",
    action: NoticeAction { text: "Change the response", href: "#title" },
};

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ReasonForm {
    reason: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct MergeForm {
    into: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ResponseForm {
    kind: ResponseKind,
    title: String,
    summary: String,
    url: String,
    mechanism: String,
    starts_at: String,
    ends_at: String,
    /// Code of a country or area; empty where none is named.
    region: String,
}

/// Reason why a form is refused.
enum Refusal {
    Code(&'static str),
    Store(StoreError),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Refusal {
    /// Leads to the list, which has no such form.
    async fn answer<T>(self, post: FormPost<T>) -> http::Response<Body> {
        match self {
            Self::Code(code) => post.lead_to(list::PAGE, code),
            Self::Store(error) => post.fail(list::PAGE, &error).await,
        }
    }
}

/// Returns a tension that the person sees and may change.
async fn target(web: &Web, user: &User, id: &str) -> Result<Tension, Refusal> {
    if !user.role.may(Action::Investigate) {
        return Err(Refusal::Code(Notice::NotAllowed.code()));
    }
    let missing = || Refusal::Code(Notice::NotFound.code());
    let id: TensionId = id.parse().map_err(|_| missing())?;
    let scope = web.engine.read_scope(user).await?;
    TensionStore::new(web).tension(&scope, id).await?.ok_or_else(missing)
}

/// Handler of `POST /tensions/{id}/dismiss`.
pub async fn dismiss(Path(id): Path<String>, post: FormPost<ReasonForm>) -> http::Response<Body> {
    let tension = match target(&post.web, &post.user, &id).await {
        Ok(tension) => tension,
        Err(refusal) => return refusal.answer(post).await,
    };
    let (page, reason) = (address(tension.id), post.form.reason.trim().to_owned());
    if reason.is_empty() || reason.chars().count() > MAX_TEXT {
        return post.refuse(&page, Notice::ReasonMissing.code()).await;
    }
    let changed = set_state(&post.web, post.by, tension.id, &TensionState::Dismissed(reason), "dismiss_tension").await;
    match changed {
        Ok(()) => redirect(&page),
        Err(error) => post.fail(&page, &error).await,
    }
}

/// Handler of `POST /tensions/{id}/restore`.
pub async fn restore(Path(id): Path<String>, post: FormPost<ReasonForm>) -> http::Response<Body> {
    let tension = match target(&post.web, &post.user, &id).await {
        Ok(tension) => tension,
        Err(refusal) => return refusal.answer(post).await,
    };
    let page = address(tension.id);
    match set_state(&post.web, post.by, tension.id, &TensionState::Active, "restore_tension").await {
        Ok(()) => redirect(&page),
        Err(error) => post.fail(&page, &error).await,
    }
}

async fn set_state(web: &Web, by: accounts::Actor, id: TensionId, state: &TensionState, act: &str) -> Result<(), StoreError> {
    if TensionStore::new(web).set_state(id, state).await? {
        accounts::audit(&web.engine, by, act, &id.to_string()).await?;
    }
    Ok(())
}

/// Handler of `POST /tensions/{id}/scout`: an agent looks for responses in the background, paid by this person.
pub async fn scout(Path(id): Path<String>, post: FormPost<ReasonForm>) -> http::Response<Body> {
    let tension = match target(&post.web, &post.user, &id).await {
        Ok(tension) => tension,
        Err(refusal) => return refusal.answer(post).await,
    };
    let page = address(tension.id);
    match order_scouting(&post.web, post.user.id, &tension).await {
        Ok(None) => redirect(runs::PAGE),
        Ok(Some(refusal)) => post.refuse(&page, refusal.code).await,
        Err(error) => post.fail(&page, &error).await,
    }
}

/// Orders the scouting of a tension and wakes the job that carries it out, unless something is missing for it.
pub async fn order_scouting(web: &Web, user: UserId, tension: &Tension) -> Result<Option<NoticeText>, StoreError> {
    let refusal = scouting_refusal(web, user, tension).await?;
    if refusal.is_none() {
        let order = CycleOrder::new(CycleOrderId(web.engine.ids.next()), OrderKind::Scout, user, web.engine.clock.now());
        TensionStore::new(web).add_order(&CycleOrder { tension: Some(tension.id), ..order }).await?;
    }
    Ok(refusal)
}

/// Returns why no scouting of a tension can start now.
async fn scouting_refusal(web: &Web, user: UserId, tension: &Tension) -> Result<Option<NoticeText>, StoreError> {
    let collection = web.engine.accounts.collection(tension.collection).await?;
    if collection.is_some_and(|collection| collection.kind == CollectionKind::Sample) {
        return Ok(Some(SAMPLE_TENSION));
    }
    if !web.engine.has_model(RESPONSE_SCOUT.role).await? {
        return Ok(Some(NO_SCOUT_MODEL));
    }
    if !web.engine.config.web.enabled || !sources::is_any_on(&web.engine).await? {
        return Ok(Some(NO_SCOUT_SOURCE));
    }
    let spent = spent_reason(web, user, Stage::Scout).await?;
    Ok(spent.map(|_| NO_SCOUT_BUDGET))
}

/// Handler of `POST /tensions/{id}/merge`: this tension becomes part of the chosen one.
pub async fn merge(Path(id): Path<String>, post: FormPost<MergeForm>) -> http::Response<Body> {
    let tension = match target(&post.web, &post.user, &id).await {
        Ok(tension) => tension,
        Err(refusal) => return refusal.answer(post).await,
    };
    let page = address(tension.id);
    let survivor = match target(&post.web, &post.user, &post.form.into).await {
        Ok(survivor) if survivor.id != tension.id => survivor,
        Err(Refusal::Store(error)) => return post.fail(&page, &error).await,
        Ok(_) | Err(Refusal::Code(_)) => return post.refuse(&page, BAD_MERGE.code).await,
    };
    let engine = &post.web.engine;
    // In another collection, it would be taken from those who read it.
    let survivor = match open_together(engine, tension.collection).await {
        Ok(scope) if scope.sees(survivor.collection) => survivor.id,
        Ok(_) => return post.refuse(&page, BAD_MERGE.code).await,
        Err(error) => return post.fail(&page, &error).await,
    };
    let merged = TensionStore::new(&post.web).merge(survivor, tension.id, engine.clock.now()).await;
    let done = match merged {
        Ok(()) => accounts::audit(engine, post.by, "merge_tensions", &format!("{} into {survivor}", tension.id)).await,
        Err(error) => Err(error),
    };
    match done {
        // Merged by somebody else in the meantime: the address shows the survivor.
        Ok(()) | Err(StoreError::Stale(_)) => redirect(&address(survivor)),
        Err(error) => post.fail(&page, &error).await,
    }
}

/// Handler of `POST /tensions/{id}/responses`.
pub async fn respond(Path(id): Path<String>, post: FormPost<ResponseForm>) -> http::Response<Body> {
    let tension = match target(&post.web, &post.user, &id).await {
        Ok(tension) => tension,
        Err(refusal) => return refusal.answer(post).await,
    };
    let (page, engine) = (address(tension.id), &post.web.engine);
    let id = ResponseId(engine.ids.next());
    let confidence = post.web.settings.get::<TensionSettings>().entered_confidence;
    let Some((response, link)) = entered_response(&post.form, &tension, id, confidence, engine.clock.now()) else {
        return post.refuse(&page, BAD_RESPONSE.code).await;
    };
    let added = TensionStore::new(&post.web).add_response(&response, &link).await;
    let done = match added {
        Ok(()) => accounts::audit(engine, post.by, "add_response", &format!("{} to {}", response.id, tension.id)).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => redirect(&format!("{page}#answers")),
        Err(error) => post.fail(&page, &error).await,
    }
}

/// Handler of `POST /tensions/{id}/responses/{response}/remove`.
pub async fn remove_response(Path((id, response)): Path<(String, String)>, post: FormPost<ReasonForm>) -> http::Response<Body> {
    let tension = match target(&post.web, &post.user, &id).await {
        Ok(tension) => tension,
        Err(refusal) => return refusal.answer(post).await,
    };
    let page = format!("{}#answers", address(tension.id));
    match remove_visible(&post.web, &post.user, post.by, tension.id, &response).await {
        Ok(()) => redirect(&page),
        Err(error) => post.fail(&address(tension.id), &error).await,
    }
}

/// Removes a response that the person sees from a tension. One that is gone stays gone.
async fn remove_visible(
    web: &Web,
    user: &User,
    by: accounts::Actor,
    tension: TensionId,
    response: &str,
) -> Result<(), StoreError> {
    let (engine, store) = (&web.engine, TensionStore::new(web));
    let scope = engine.read_scope(user).await?;
    let responses = store.responses_to(&scope, &[tension]).await?;
    let Some(found) = responses.iter().find(|one| one.response.id.to_string() == response) else { return Ok(()) };
    store.remove_response(found.response.id, tension).await?;
    accounts::audit(engine, by, "remove_response", &format!("{response} from {tension}")).await
}

/// Returns the response of a form; none when a field is invalid.
fn entered_response(
    form: &ResponseForm,
    tension: &Tension,
    id: ResponseId,
    confidence: f64,
    now: Timestamp,
) -> Option<(Response, RespondsTo)> {
    let [title, summary, url, mechanism] = [&form.title, &form.summary, &form.url, &form.mechanism].map(|text| text.trim());
    let is_address = url.starts_with("https://") || url.starts_with("http://");
    if !is_address || !Response::is_complete(title, &[summary, url, mechanism]) {
        return None;
    }
    let (starts_at, ends_at) = (day(&form.starts_at)?, day(&form.ends_at)?);
    if starts_at.zip(ends_at).is_some_and(|(start, end)| end < start) {
        return None;
    }
    let region = match form.region.trim() {
        "" => Region::unknown(),
        code => Regions::shared().find(code)?,
    };
    let response = Response {
        id,
        collection: tension.collection,
        kind: form.kind,
        title: title.to_owned(),
        summary: summary.to_owned(),
        url: url.to_owned(),
        document: None,
        starts_at,
        ends_at,
        region,
        confidence,
        created_at: now,
    };
    let link = RespondsTo {
        tension: tension.id,
        strength: confidence,
        explanation: String::new(),
        mechanism: mechanism.to_owned(),
        first_seen: now,
        last_seen: now,
    };
    Some((response, link))
}

/// Returns the moment of a day that may be empty; none for another text.
fn day(text: &str) -> Option<Option<Timestamp>> {
    match text.trim() {
        "" => Some(None),
        text => Timestamp::parse(text).map(Some),
    }
}

/// Reach of a scouting, for people.
pub const SCOUT_NOTE: &str =
    "An agent searches the web for what eases this tension. Words of it go to the sources that are switched on.";

/// Button that starts a scouting of a tension.
#[component]
pub fn ScoutForm(tension: TensionId) -> impl IntoView {
    view! {
        <form method="post" action=format!("{}/scout", address(tension))>
            <button type="submit">"Scout now"</button>
            <p class="hint">{SCOUT_NOTE}</p>
        </form>
    }
}

/// Forms below a tension, filled in as a refused one was.
#[component]
pub fn Actions(
    viewer: UserId,
    tension: Tension,
    related: Vec<RelatedTension>,
    /// Whether the scouting is offered here, and not already above.
    has_scout: bool,
) -> impl IntoView {
    Suspend::new(async move {
        let kept = KeptForm::take_of_page(viewer).await;
        view! {
            <section aria-labelledby="actions">
                <h2 id="actions">"What you can do"</h2>
                <p><a class="button" href=investigation_address(&tension)>"Investigate"</a></p>
                <p class="hint">"Asks what is behind it. You can change the question before you start."</p>
                {has_scout.then(|| view! { <ScoutForm tension=tension.id /> })}
                <ResponseFields tension=tension.id kept=kept.clone() />
                <MergeFields tension=tension.id related />
                <StateFields tension kept />
            </section>
        }
        .into_any()
    })
}

/// Address of the form for a question, filled in about a tension.
fn investigation_address(tension: &Tension) -> String {
    let statement = format::abridged(&tension.statement, MAX_TITLE);
    let question =
        format!("What is behind this strain, what feeds it, and what could ease it? {}: “{statement}”", tension.title);
    format!("/investigations/new?{}", format::query_string([("draft", question)]))
}

#[component]
fn ResponseFields(tension: TensionId, kept: KeptForm) -> impl IntoView {
    let chosen = ResponseKind::parse(&kept.value("kind")).unwrap_or_default();
    let kinds = ResponseKind::ALL.into_iter().map(|kind| {
        view! { <option value=kind.as_str() selected={kind == chosen}>{kind.label()}</option> }
    });
    let kinds = kinds.collect_view();
    let is_kept = ["title", "url", "summary", "mechanism", "starts_at", "ends_at", "region"]
        .iter()
        .any(|name| !kept.value(name).is_empty());
    let field = |name: &'static str, label: &'static str, kind: &'static str, longest: usize| {
        let is_required = matches!(name, "title" | "url");
        view! {
            <label class="filter">
                <span>{label}</span>
                <input id=name name=name type=kind value=kept.value(name) maxlength=longest.to_string() required=is_required />
            </label>
        }
    };
    view! {
        <details open=is_kept>
            <summary>"Enter what answers it"</summary>
            <form method="post" action=format!("{}/responses", address(tension))>
                <label class="filter"><span>"Kind"</span><select name="kind">{kinds}</select></label>
                {field("title", "Title", "text", MAX_TITLE)}
                {field("url", "Web address", "url", MAX_TEXT)}
                {field("summary", "Summary", "text", MAX_TEXT)}
                {field("mechanism", "How it eases the tension", "text", MAX_TEXT)}
                {field("starts_at", "From", "date", MAX_TITLE)}
                {field("ends_at", "To", "date", MAX_TITLE)}
                <FilterSelect name="region" label="Place" every="No place named" chosen=kept.value("region") options=Regions::shared().choices() />
                <button type="submit">"Add response"</button>
            </form>
        </details>
    }
    .into_any()
}

#[component]
fn MergeFields(tension: TensionId, related: Vec<RelatedTension>) -> impl IntoView {
    (!related.is_empty()).then(|| {
        let option = |RelatedTension { id, title, last_day }| {
            let text = format!("{title} ({})", format::day(day_start(last_day)));
            view! { <option value=id.to_string()>{text}</option> }
        };
        let options = related.into_iter().map(option).collect_view();
        view! {
            <details>
                <summary>"Merge into another tension"</summary>
                <form method="post" action=format!("{}/merge", address(tension))>
                    <label class="filter" for="into"><span>"Tension, with the day of its last evidence"</span></label>
                    <select id="into" name="into"><option value="">"Choose…"</option>{options}</select>
                    <p class="hint">"Evidence and responses move. The address of this tension will show the other one."</p>
                    <button type="submit" class="quiet">"Merge"</button>
                </form>
            </details>
        }
    })
}

#[component]
fn StateFields(tension: Tension, kept: KeptForm) -> impl IntoView {
    let page = address(tension.id);
    match tension.state {
        TensionState::Active => view! {
            <details open={!kept.value("reason").is_empty()}>
                <summary>"Dismiss"</summary>
                <form method="post" action=format!("{page}/dismiss")>
                    <label class="filter" for="reason"><span>"Why this is no tension"</span></label>
                    <input id="reason" name="reason" type="text" value=kept.value("reason") maxlength=MAX_TEXT.to_string() required />
                    <button type="submit" class="quiet">"Dismiss"</button>
                </form>
            </details>
        }
        .into_any(),
        TensionState::Dismissed(_) => view! {
            <form method="post" action=format!("{page}/restore")>
                <button type="submit" class="quiet">"Restore"</button>
            </form>
        }
        .into_any(),
    }
}
