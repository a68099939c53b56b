//! Interests of a person: the list with what feedback made of each, proposals, export and import, and the lists of other features.

use crate::{
    api::{ExportedInterest, INTERESTS, import},
    dates::DAY_MS,
    interest::{Interest, InterestId, InterestState},
    interests::entity_names,
    score::TermKind,
    settings::MonitorSettings,
    store::MonitorStore,
};
use app::{
    Notice, NoticeAction, Pieces,
    atoms::{ActionButton, Badge, Tone},
    format,
    parts::{EmptyState, Frame, NavItem, NoticeBanner},
};
use axum::{body::Body, http::Response};
use domain::{
    EntityId, Timestamp,
    user::{Action, User},
};
use engine::StoreResult;
use feature::{FormPost, NoticeText, PageVisit, Slot, Web, redirect};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::Deserialize;
use std::collections::HashMap;

pub const PAGE: &str = "/monitor/interests";
/// Address of the form of a new interest.
pub const NEW: &str = "/monitor/interests/new";
/// Most interests of one import.
const MAX_IMPORTED: usize = 500;

/// Refusal of one interest more than the limit.
pub const TOO_MANY: NoticeText = NoticeText {
    code: "too_many_interests",
    message: "You have as many interests as this server allows. Delete one, then try again.",
    action: NoticeAction { text: "See your interests", href: PAGE },
};

/// Refusal of an import that is not the JSON of an export.
pub const BAD_IMPORT: NoticeText = NoticeText {
    code: "bad_import",
    message: "This is not the JSON of an export of interests, or it has more than 500.",
    action: NoticeAction { text: "Change the import", href: "#import" },
};

/// Note that not every interest of an import is kept.
pub const IMPORTED_IN_PART: NoticeText = NoticeText {
    code: "interests_imported_in_part",
    message: "Some interests were left out: there is no room for more, they have no usable sentence, or this server lacks their kinds.",
    action: NoticeAction { text: "See your interests", href: PAGE },
};

/// Loaded page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterestsView {
    pub interests: Vec<Interest>,
    /// Names of their entities.
    pub names: HashMap<EntityId, String>,
    /// Keys of sources with their names.
    pub kinds: Vec<(&'static str, &'static str)>,
    /// Numbers of matches in the last `days`; an interest without one is left out.
    pub matched: HashMap<InterestId, u64>,
    pub days: u32,
    /// Whether the person may ask questions.
    pub may_ask: bool,
    pub now: Timestamp,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ChangeForm {
    id: String,
    change: String,
    /// Day until which the interest is muted.
    until: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ImportForm {
    json: String,
}

/// Handler of `GET /monitor/interests`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let loaded = load(&visit.web, &visit.viewer).await;
    visit.show(loaded, |viewer, page| view! { <PageBody viewer page error /> }.into_any()).await
}

async fn load(web: &Web, viewer: &User) -> StoreResult<InterestsView> {
    let (store, settings, now) = (MonitorStore::new(web), web.settings.get::<MonitorSettings>(), web.engine.clock.now());
    // Older matches are removed.
    let days = settings.preview_days.min(settings.keep_days);
    let interests = store.interests(viewer.id).await?;
    let mut ids: Vec<EntityId> = interests.iter().flat_map(|one| one.draft.entities.iter().copied()).collect();
    ids.sort_unstable();
    ids.dedup();
    Ok(InterestsView {
        names: entity_names(web, viewer, &ids).await?,
        interests,
        kinds: source_names(web),
        matched: store.count_matches(viewer.id, now.plus_ms(-i64::from(days) * DAY_MS)).await?,
        days,
        may_ask: viewer.role.may(Action::Investigate),
        now,
    })
}

/// Returns the keys of sources with their names.
pub fn source_names(web: &Web) -> Vec<(&'static str, &'static str)> {
    web.products.iter().map(|source| (source.key, source.title)).collect()
}

/// Change of an interest by a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InterestChange {
    State(InterestState),
    /// Mute until a moment, or no more.
    Mute(Option<Timestamp>),
    Delete,
}

impl InterestChange {
    fn read(form: &ChangeForm) -> Option<Self> {
        Some(match form.change.as_str() {
            "pause" => Self::State(InterestState::Paused),
            "resume" | "accept" => Self::State(InterestState::Active),
            "mute" => Self::Mute(Some(Timestamp::parse(&form.until)?)),
            "unmute" => Self::Mute(None),
            "delete" | "refuse" => Self::Delete,
            _ => return None,
        })
    }
}

/// Handler of `POST /monitor/interests/change`.
pub async fn change(post: FormPost<ChangeForm>) -> Response<Body> {
    let (id, change) = (post.form.id.parse::<InterestId>(), InterestChange::read(&post.form));
    let (Ok(id), Some(change)) = (id, change) else { return post.lead_to(PAGE, Notice::NotFound.code()) };
    match apply(&post.web, &post.user, id, change).await {
        Ok(true) => redirect(PAGE),
        Ok(false) => post.lead_to(PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Changes an interest of `user`; returns whether there is one.
async fn apply(web: &Web, user: &User, id: InterestId, change: InterestChange) -> StoreResult<bool> {
    let store = MonitorStore::new(web);
    let Some(mut interest) = store.interest(user.id, id).await? else { return Ok(false) };
    match change {
        InterestChange::Delete => return store.remove_interest(user.id, id).await,
        InterestChange::State(state) => interest.state = state,
        InterestChange::Mute(until) => interest.muted_until = until,
    }
    interest.changed_at = web.engine.clock.now();
    store.update_interest(&interest).await
}

/// Handler of `POST /monitor/interests/import`.
pub async fn add_imported(post: FormPost<ImportForm>) -> Response<Body> {
    let parsed = serde_json::from_str::<Vec<ExportedInterest>>(&post.form.json).ok();
    let Some(exported) = parsed.filter(|exported| exported.len() <= MAX_IMPORTED) else {
        return post.lead_to(PAGE, BAD_IMPORT.code);
    };
    let number = exported.len();
    match import(&post.web, &post.user, exported).await {
        Ok(added) if added == number => redirect(PAGE),
        Ok(_) => post.lead_to(PAGE, IMPORTED_IN_PART.code),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

#[component]
fn PageBody(viewer: User, page: InterestsView, error: Option<String>) -> impl IntoView {
    let InterestsView { interests, names, kinds, matched, days, may_ask, now } = page;
    let (proposed, own): (Vec<Interest>, Vec<Interest>) =
        interests.into_iter().partition(|one| one.state == InterestState::Proposed);
    let rows = |interests: Vec<Interest>| {
        let row = |interest: Interest| {
            let mut facts = facts(&interest, &names, &kinds);
            if interest.state != InterestState::Proposed {
                let number = matched.get(&interest.id).copied().unwrap_or_default();
                facts.insert(0, format!("Matched {number} in {days} days"));
            }
            view! { <Row interest facts may_ask now /> }
        };
        let rows = interests.into_iter().map(row).collect_view();
        view! { <ul class="rows">{rows}</ul> }.into_any()
    };
    let (has_proposals, is_empty) = (!proposed.is_empty(), own.is_empty());
    let (proposed, own) = (rows(proposed), rows(own));
    let others = Slot::Interests { viewer: viewer.clone() };
    view! {
        <Title text="Interests" />
        <Frame viewer nav=NavItem::Page(PAGE)>
            <h1>"Interests"</h1>
            <NoticeBanner code=error />
            {(!is_empty).then(|| view! { <p><a class="button" href=NEW>"Write an interest"</a></p> })}
            {has_proposals.then(|| view! { <h2>"Proposed"</h2> {proposed} })}
            {match is_empty {
                true => view! {
                    <EmptyState
                        text="Write what you care about, and new reports, tensions and documents that match are listed under “For you”."
                        href=NEW
                        button="Write an interest"
                    />
                }.into_any(),
                false => own,
            }}
            <Pieces at=others />
            <details id="import">
                <summary>"Export and import"</summary>
                <p><a href=INTERESTS>"Export your interests as JSON"</a></p>
                <form method="post" action="/monitor/interests/import" class="form">
                    <div class="field">
                        <label for="json">"JSON of an export"</label>
                        <textarea id="json" name="json" rows="6" required></textarea>
                    </div>
                    <button type="submit" class="outline">"Import"</button>
                </form>
            </details>
        </Frame>
    }
    .into_any()
}

/// Returns what an interest became, in short phrases.
fn facts(interest: &Interest, names: &HashMap<EntityId, String>, kinds: &[(&str, &str)]) -> Vec<String> {
    let draft = &interest.draft;
    let list = |label: &str, entries: Vec<String>| (!entries.is_empty()).then(|| format!("{label}: {}", entries.join(", ")));
    let entities = draft.entities.iter().filter_map(|id| names.get(id).cloned()).collect();
    let title = |key: &String| {
        kinds.iter().find(|(known, _)| known == key).map_or_else(|| key.clone(), |(_, title)| (*title).to_owned())
    };
    let weights = TermKind::ALL.into_iter().zip(draft.weights.as_array());
    let weights: Vec<String> = weights.map(|(kind, weight)| format!("{} {weight}", kind.label().to_lowercase())).collect();
    let lists = [
        list("Entities", entities),
        list("Regions", draft.regions.clone()),
        list("Tags", draft.tags.clone()),
        list("Kinds", draft.kinds.iter().map(title).collect()),
        Some(format!("Threshold {}", draft.threshold)),
        list("Weights", weights),
    ];
    lists.into_iter().flatten().collect()
}

#[component]
fn Row(interest: Interest, facts: Vec<String>, may_ask: bool, now: Timestamp) -> impl IntoView {
    let Interest { id, state, draft, muted_until, tuned, reason, .. } = interest;
    let sentence = draft.sentence;
    let button = |change: &'static str, text: &'static str| {
        let fields = vec![("id", id.to_string()), ("change", change.to_owned())];
        let label = format!("{text}: {sentence}");
        view! { <ActionButton action="/monitor/interests/change" fields text label /> }.into_any()
    };
    let muted_until = muted_until.filter(|until| *until > now);
    let buttons = match state {
        InterestState::Proposed => vec![button("accept", "Accept"), button("refuse", "Refuse")],
        InterestState::Paused => vec![button("resume", "Resume"), button("delete", "Delete")],
        InterestState::Active if muted_until.is_some() => {
            vec![button("unmute", "Unmute"), button("pause", "Pause"), button("delete", "Delete")]
        }
        InterestState::Active => vec![button("pause", "Pause"), button("delete", "Delete")],
    };
    let mute = (state == InterestState::Active && muted_until.is_none()).then(|| {
        let tomorrow = now.plus_ms(DAY_MS).to_string();
        let tomorrow = tomorrow.split('T').next().unwrap_or_default().to_owned();
        let field = format!("until-{id}");
        view! {
            <form method="post" action="/monitor/interests/change">
                <input type="hidden" name="id" value=id.to_string() />
                <label for=field.clone()>"Mute until"</label>
                <input id=field name="until" type="date" min=tomorrow required />
                <button type="submit" class="quiet" name="change" value="mute" aria-label=format!("Mute: {sentence}")>"Mute"</button>
            </form>
        }
    });
    let edit = format!("{NEW}?id={id}");
    let edit_label = format!("Edit: {sentence}");
    let schedule = may_ask.then(|| {
        let href = format!("{}?{}", super::schedule_form::PAGE, format::query_string([("question", sentence.as_str())]));
        view! { <a class="button quiet" href=href>"Ask it on a schedule"</a> }
    });
    let facts = facts.into_iter().map(|fact| view! { <span>{fact}</span> }).collect_view();
    view! {
        <li class="row" id=format!("i{id}")>
            <p class="row-title">{sentence.clone()}</p>
            <p class="card-facts">
                {(state == InterestState::Paused).then(|| view! { <Badge tone=Tone::Quiet text="Paused" /> })}
                {muted_until.map(|until| view! { <Badge tone=Tone::Quiet text=format!("Muted until {}", format::day(until)) /> })}
                {facts}
            </p>
            {(!tuned.is_empty()).then(|| view! { <p class="muted">"Your last answer changed it. " {tuned}</p> })}
            {(!reason.is_empty()).then(|| view! { <p class="muted">{reason}</p> })}
            <div class="monitor-buttons">
                <a class="button quiet" href=edit aria-label=edit_label>"Edit"</a>
                {schedule}
                {buttons}
                {mute}
            </div>
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interest::{InterestDraft, tests::draft};
    use domain::UserId;

    #[test]
    fn the_list_says_what_became_of_each_interest() {
        let now = Timestamp::from_micros(1_900_000_000_000_000);
        let interest = Interest {
            id: InterestId(testkit::id()),
            user: UserId(Default::default()),
            state: InterestState::Active,
            draft: InterestDraft { kinds: vec!["report".into()], ..draft("Grain transit") },
            muted_until: Some(now.plus_ms(DAY_MS)),
            tuned: "Less: threshold 35 to 40.".into(),
            reason: String::new(),
            created_at: now,
            changed_at: now,
        };
        let proposed = Interest { id: InterestId(testkit::id()), state: InterestState::Proposed, ..interest.clone() };
        let page = InterestsView {
            matched: HashMap::from([(interest.id, 7)]),
            interests: vec![interest, proposed],
            names: HashMap::new(),
            kinds: vec![("report", "Report")],
            days: 90,
            may_ask: true,
            now,
        };
        let html = feature::testing::render_page(move |viewer| view! { <PageBody viewer page error=None /> }.into_any());
        assert_eq!(html.matches("Matched 7 in 90 days").count(), 1, "a proposal matches nothing: {html}");
        for text in ["Kinds: Report", "Threshold 35", "words 25", "threshold 35 to 40", "Unmute", "Accept", "Muted until"] {
            assert!(html.contains(text), "{text}: {html}");
        }
    }
}
