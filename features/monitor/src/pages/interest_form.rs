//! Form of an interest, new or edited, with the preview of what it would have matched. The fields are in the address, so that the preview
//! is a page like any other.

use super::{
    Terms,
    interests::{NEW, PAGE, TOO_MANY, source_names},
};
use crate::{
    interest::{BAD_INTEREST, Interest, InterestDraft, InterestId, InterestState, LEAST, MOST_THRESHOLD, Weights},
    interests::{Preview, PreviewedMatch, entity_names, new_interest, preview, resolve_names},
    settings::MonitorSettings,
    store::MonitorStore,
};
use app::{
    NoticeAction, format,
    parts::{Breadcrumbs, Frame, NavItem, NoticeBanner},
};
use axum::{body::Body, http::Response};
use domain::{AssessmentId, ClaimId, DocumentId, EntityId, ObjectId, user::User};
use engine::StoreResult;
use feature::{AnyFields, FormPost, MAX_INTEREST_CHARS, NoticeText, PageVisit, Web, redirect, redirect_with};
use leptos::prelude::*;
use leptos_meta::Title;
use std::collections::HashMap;

/// Refusal of a name that no entity has.
pub const UNKNOWN_NAME: NoticeText = NoticeText {
    code: "unknown_name",
    message: "No entity that you may read has one of these names. Write each as its page does, with semicolons between.",
    action: NoticeAction { text: "Change the names", href: "#entities" },
};

/// Fields of the form, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InterestFields {
    /// Interest that is edited; empty: a new one.
    pub id: String,
    pub sentence: String,
    /// Names, which may have commas, with semicolons between.
    pub entities: String,
    /// Ids of entities that win where several have a name, with commas between.
    pub preferred: String,
    pub regions: String,
    pub tags: String,
    pub kinds: Vec<String>,
    /// Hundredths.
    pub threshold: String,
}

/// Returns the entries of a list.
fn entries(text: &str, separator: char) -> Vec<String> {
    text.split(separator).map(|entry| entry.trim().to_owned()).filter(|entry| !entry.is_empty()).collect()
}

impl InterestFields {
    /// Reads the fields from a form or an address.
    fn read(values: impl Fn(&'static str) -> Vec<String>) -> Self {
        let first = |name: &'static str| values(name).into_iter().next().unwrap_or_default();
        Self {
            id: first("id"),
            sentence: first("sentence"),
            entities: first("entities"),
            preferred: first("preferred"),
            regions: first("regions"),
            tags: first("tags"),
            kinds: values("kind"),
            threshold: first("threshold"),
        }
    }

    /// Returns the fields of an interest.
    fn of_interest(interest: &Interest, names: &HashMap<EntityId, String>) -> Self {
        let draft = &interest.draft;
        let known: Vec<&String> = draft.entities.iter().filter_map(|id| names.get(id)).collect();
        Self {
            id: interest.id.to_string(),
            sentence: draft.sentence.clone(),
            entities: known.into_iter().cloned().collect::<Vec<_>>().join("; "),
            preferred: draft.entities.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
            regions: draft.regions.join(", "),
            tags: draft.tags.join(", "),
            kinds: draft.kinds.clone(),
            threshold: draft.threshold.to_string(),
        }
    }

    /// Returns the fields for an address.
    fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = vec![
            ("id", self.id.clone()),
            ("sentence", self.sentence.clone()),
            ("entities", self.entities.clone()),
            ("preferred", self.preferred.clone()),
            ("regions", self.regions.clone()),
            ("tags", self.tags.clone()),
            ("threshold", self.threshold.clone()),
        ];
        pairs.extend(self.kinds.iter().map(|kind| ("kind", kind.clone())));
        pairs
    }
}

/// Reason why a draft is refused.
type Refusal = NoticeText;

/// Returns the draft of typed fields, with the weights of the interest that is edited.
async fn draft_of(
    web: &Web,
    user: &User,
    fields: &InterestFields,
    weights: Weights,
) -> StoreResult<Result<InterestDraft, Refusal>> {
    let preferred: Vec<EntityId> = entries(&fields.preferred, ',').iter().filter_map(|id| id.parse().ok()).collect();
    let resolved = resolve_names(web, user, &entries(&fields.entities, ';'), &preferred).await?;
    if !resolved.unknown.is_empty() {
        return Ok(Err(UNKNOWN_NAME));
    }
    let known = source_names(web);
    let draft = InterestDraft {
        sentence: fields.sentence.clone(),
        entities: resolved.entities,
        regions: entries(&fields.regions, ','),
        tags: entries(&fields.tags, ','),
        kinds: fields.kinds.iter().filter(|kind| known.iter().any(|(key, _)| key == kind)).cloned().collect(),
        threshold: fields.threshold.parse().unwrap_or_else(|_| web.settings.get::<MonitorSettings>().new_threshold()),
        weights,
    };
    Ok(draft.checked().ok_or(BAD_INTEREST))
}

/// Loaded page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct FormView {
    fields: InterestFields,
    kinds: Vec<(&'static str, &'static str)>,
    preview: Option<Preview>,
    /// Names of the entities in the scores.
    names: HashMap<EntityId, String>,
    days: u32,
    /// Newest products of each kind that the preview looks at.
    most: u32,
    error: Option<String>,
}

/// Handler of `GET /monitor/interests/new`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let fields = InterestFields::read(|name| visit.values(name));
    let subjects = ["entity", "document", "claim", "assessment", "object"];
    let subject = subjects.into_iter().find_map(|kind| Some((kind, visit.query(kind)?)));
    let (of_kind, is_preview, error) = (visit.query("of"), visit.query("preview").is_some(), visit.query("error"));
    let loaded = load(&visit.web, &visit.viewer, fields, subject, of_kind, is_preview).await;
    let loaded = loaded.map(|page| FormView { error: page.error.clone().or(error), ..page });
    visit.show(loaded, |viewer, page| view! { <PageBody viewer page /> }.into_any()).await
}

async fn load(
    web: &Web,
    viewer: &User,
    mut fields: InterestFields,
    subject: Option<(&'static str, String)>,
    of_kind: Option<String>,
    is_preview: bool,
) -> StoreResult<FormView> {
    let settings = web.settings.get::<MonitorSettings>();
    let stored = match fields.id.parse::<InterestId>() {
        Ok(id) => MonitorStore::new(web).interest(viewer.id, id).await?,
        Err(_) => None,
    };
    let mut weights = settings.weights;
    if let Some(stored) = &stored {
        weights = stored.draft.weights;
        if fields.sentence.is_empty() {
            fields = InterestFields::of_interest(stored, &entity_names(web, viewer, &stored.draft.entities).await?);
        }
    } else {
        fields.id = String::new();
    }
    if let Some((kind, id)) = subject {
        fill_in(web, viewer, &mut fields, kind, &id, of_kind).await?;
    }
    if fields.threshold.is_empty() {
        fields.threshold = settings.new_threshold().to_string();
    }
    let (days, most) = (settings.preview_days, settings.preview_products);
    let mut page = FormView { kinds: source_names(web), days, most, ..FormView::default() };
    if is_preview {
        match draft_of(web, viewer, &fields, weights).await? {
            Ok(draft) => {
                page.names = entity_names(web, viewer, &draft.entities).await?;
                page.preview = Some(preview(web, viewer, &draft).await?);
            }
            Err(refusal) => page.error = Some(refusal.code.to_owned()),
        }
    }
    Ok(FormView { fields, ..page })
}

/// Fills in what a page with "Watch this" is about, where `viewer` reads it. A sentence that the page gives stays.
async fn fill_in(
    web: &Web,
    viewer: &User,
    fields: &mut InterestFields,
    kind: &str,
    id: &str,
    of_kind: Option<String>,
) -> StoreResult<()> {
    let engine = &web.engine;
    let scope = engine.read_scope(viewer).await?;
    let sentence = match kind {
        "entity" => {
            // Of a view there may be several.
            let ids: Vec<EntityId> = entries(id, ',').iter().filter_map(|id| id.parse().ok()).collect();
            let entities = engine.graph.entities(&scope, &ids).await?;
            let names: Vec<&str> = entities.iter().map(|entity| entity.canonical_name.as_str()).collect();
            fields.entities = names.join("; ");
            fields.preferred = entities.iter().map(|entity| entity.id.to_string()).collect::<Vec<_>>().join(",");
            Some(names.join(", "))
        }
        "document" => {
            let Ok(document) = id.parse::<DocumentId>() else { return Ok(()) };
            engine.documents.document(&scope, document).await?.map(|document| document.title)
        }
        "claim" => {
            let Ok(claim) = id.parse::<ClaimId>() else { return Ok(()) };
            engine.graph.claims(&scope, &[claim]).await?.pop().map(|claim| claim.content)
        }
        "assessment" => {
            let Ok(assessment) = id.parse::<AssessmentId>() else { return Ok(()) };
            engine.assessments.assessment(&scope, assessment).await?.map(|stored| stored.assessment.question)
        }
        _ => {
            let kind = web.watched.iter().copied().find(|one| Some(one.key) == of_kind.as_deref());
            let (Some(kind), Ok(object)) = (kind, id.parse::<ObjectId>()) else { return Ok(()) };
            (kind.find)(web.clone(), viewer.clone(), vec![object]).await?.pop().map(|object| object.title)
        }
    };
    if fields.sentence.is_empty() {
        fields.sentence = sentence.map(|sentence| format::abridged(&sentence, MAX_INTEREST_CHARS - 1)).unwrap_or_default();
    }
    Ok(())
}

/// Handler of `POST /monitor/interests`.
pub async fn save(post: FormPost<AnyFields>) -> Response<Body> {
    let fields = InterestFields::read(|name| post.values(name).collect());
    match store(&post.web, &post.user, &fields).await {
        Ok(Ok(())) => redirect(PAGE),
        Ok(Err(refusal)) if refusal == TOO_MANY => post.lead_to(PAGE, refusal.code),
        Ok(Err(refusal)) => {
            let mut pairs = fields.pairs();
            pairs.push(("error", refusal.code.to_owned()));
            redirect_with(NEW, &pairs)
        }
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Stores a new interest, or the new contents of one.
async fn store(web: &Web, user: &User, fields: &InterestFields) -> StoreResult<Result<(), Refusal>> {
    let (store, settings) = (MonitorStore::new(web), web.settings.get::<MonitorSettings>());
    let stored = match fields.id.parse::<InterestId>() {
        Ok(id) => store.interest(user.id, id).await?,
        Err(_) => None,
    };
    let weights = stored.as_ref().map_or(settings.weights, |stored| stored.draft.weights);
    let draft = match draft_of(web, user, fields, weights).await? {
        Ok(draft) => draft,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let is_stored = match stored {
        Some(stored) => {
            let changed_at = web.engine.clock.now();
            // An edited proposal is accepted.
            let state = if stored.state == InterestState::Proposed { InterestState::Active } else { stored.state };
            store.update_interest(&Interest { draft, state, changed_at, ..stored }).await?
        }
        None => {
            let interest = new_interest(web, user, InterestState::Active, draft);
            store.add_interest(&interest, settings.per_person).await?
        }
    };
    Ok(if is_stored { Ok(()) } else { Err(TOO_MANY) })
}

#[component]
fn PageBody(viewer: User, page: FormView) -> impl IntoView {
    let FormView { fields, kinds, preview, names, days, most, error } = page;
    let heading = if fields.id.is_empty() { "New interest" } else { "Edit interest" };
    let kinds = kinds.into_iter().map(|(key, title)| {
        let is_chosen = fields.kinds.iter().any(|kind| kind == key);
        view! { <label><input type="checkbox" name="kind" value=key checked=is_chosen /> " " {title}</label> }
    });
    let kinds = kinds.collect_view();
    let text = |name: &'static str, label: &'static str, value: String, hint: &'static str| {
        let hint_id = format!("{name}-hint");
        view! {
            <div class="field">
                <label for=name>{label}</label>
                <input id=name name=name type="text" value=value aria-describedby=hint_id.clone() />
                <p class="hint" id=hint_id>{hint}</p>
            </div>
        }
        .into_any()
    };
    let lists = [
        text(
            "entities",
            "People, organisations and other entities",
            fields.entities,
            "Names, with semicolons between. Following an outlet brings up its documents.",
        ),
        text(
            "regions",
            "Regions",
            fields.regions,
            "Countries or areas, with commas between. What names one, or a country in one, ranks higher.",
        ),
        text("tags", "Tags", fields.tags, "Words or themes, with commas between. What has one ranks higher."),
    ];
    let preview = preview.map(|preview| view! { <PreviewList preview names days most /> });
    view! {
        <Title text=heading />
        <Frame viewer nav=NavItem::Page(PAGE)>
            <Breadcrumbs above=[("Interests", PAGE.to_owned())] here=heading />
            <h1>{heading}</h1>
            <NoticeBanner code=error />
            <form method="post" action=PAGE class="form form-wide">
                <input type="hidden" name="id" value=fields.id />
                <input type="hidden" name="preferred" value=fields.preferred />
                <div class="field">
                    <label for="sentence">"What do you care about? A sentence in your own words."</label>
                    <textarea id="sentence" name="sentence" rows="3" maxlength=MAX_INTEREST_CHARS.to_string() required>{format::as_text(&fields.sentence)}</textarea>
                </div>
                {lists.into_iter().collect_view()}
                <fieldset class="field">
                    <legend>"Kinds (none chosen: all)"</legend>
                    {kinds}
                </fieldset>
                <div class="field">
                    <label for="threshold">"Threshold, 5 to 95: the higher, the fewer matches"</label>
                    <input id="threshold" name="threshold" type="number" min=LEAST.to_string() max=MOST_THRESHOLD.to_string() value=fields.threshold />
                </div>
                <button type="submit" class="outline" formmethod="get" formaction=NEW name="preview" value="1">"Preview"</button>
                <button type="submit">"Save"</button>
            </form>
            {preview}
        </Frame>
    }
    .into_any()
}

/// Matches that a draft would have had.
#[component]
fn PreviewList(preview: Preview, names: HashMap<EntityId, String>, days: u32, most: u32) -> impl IntoView {
    let Preview { matches, products } = preview;
    let looked = format::count(products as u64, "product", "products");
    let text = format!(
        "Would have matched {} in {days} days. Looked at {looked}: of each kind the newest {most} at most.",
        matches.len()
    );
    let rows = matches.into_iter().map(|PreviewedMatch { kind, product, explanation }| {
        let names = names.clone();
        view! {
            <li class="row">
                <a class="row-title" href=product.href>{product.title}</a>
                <p class="card-facts"><span>{kind}</span></p>
                <Terms score=explanation.score terms=explanation.terms names />
            </li>
        }
    });
    view! {
        <section aria-labelledby="preview">
            <h2 id="preview">"Preview"</h2>
            <p role="status">{text}</p>
            <ul class="rows">{rows.collect_view()}</ul>
        </section>
    }
    .into_any()
}
