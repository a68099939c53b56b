//! One tension: what strains, what answers it, what eased like ones, its calendar and timeline, and what a person can do about it.

mod sections;

use super::list;
use crate::{
    heat::Heat,
    response::TensionResponse,
    sample::sample_collections,
    settings::TensionSettings,
    store::{EasedTension, TensionStore, likeness},
    story::StorySentence,
    tension::{Evidence, Tension, TensionId, day_number, iso_day},
    view::{Trend, percent},
};
use app::AppError;
use axum::{body::Body, extract::Path, http::Response};
use domain::{
    ClaimId, DocumentId, Scope, Timestamp,
    claim::Claim,
    document::Document,
    user::{Action, User},
};
use engine::{Engine, StoreResult};
use feature::{PageVisit, Web};
use leptos::prelude::*;
use sections::PageBody;
pub use sections::ResponseItem;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tensions_islands::{BoardState, CalendarDay};

/// Evidence with its claim and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceLine {
    pub evidence: Evidence,
    pub claim: Claim,
    /// Outlet, host or file of the document.
    pub source: String,
}

/// A tension that was eased, with what answered it.
#[derive(Debug, Clone, PartialEq)]
pub struct Precedent {
    pub eased: EasedTension,
    /// Likeness in meaning; none without vectors.
    pub likeness: Option<f64>,
    pub responses: Vec<TensionResponse>,
}

/// Loaded page.
#[derive(Debug, Clone, PartialEq)]
pub struct TensionView {
    pub tension: Tension,
    pub heat: Heat,
    pub trend: Trend,
    /// Newest first.
    pub evidence: Vec<EvidenceLine>,
    /// Tensions that it sprang from.
    pub parents: Vec<(TensionId, String)>,
    pub responses: Vec<TensionResponse>,
    /// Empty where no model has told the story.
    pub story: Vec<StorySentence>,
    pub precedents: Vec<Precedent>,
    pub calendar: Vec<CalendarDay>,
    /// Tensions that it can be merged into.
    pub related: Vec<(TensionId, String)>,
    pub may_change: bool,
    pub is_sample: bool,
    pub today: i64,
    pub now: Timestamp,
}

/// Handler of `GET /tensions/{id}`. The address of a merged tension shows its survivor.
pub async fn page(Path(id): Path<String>, visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let loaded = match find(&visit.web, &visit.viewer, &id).await {
        Ok(found) => found.ok_or_else(|| AppError::not_found("tension")),
        Err(error) => Err(AppError::from(error)),
    };
    visit.show(loaded, |viewer, page| view! { <PageBody viewer page error /> }.into_any()).await
}

/// Address of the page of a tension.
pub fn address(id: TensionId) -> String {
    format!("{}/{id}", list::PAGE)
}

/// Loads a tension; none unless `viewer` sees it.
pub async fn find(web: &Web, viewer: &User, id: &str) -> StoreResult<Option<TensionView>> {
    let (engine, store, settings) = (&web.engine, TensionStore::new(web), web.settings.get::<TensionSettings>());
    let scope = engine.read_scope(viewer).await?;
    let Ok(id) = id.parse::<TensionId>() else { return Ok(None) };
    let Some(tension) = store.tension(&scope, id).await? else { return Ok(None) };
    let (id, now) = (tension.id, engine.clock.now());
    let (today, rule) = (day_number(now), settings.heat_rule());
    let evidence = store.evidence(&scope, id).await?;
    let counted: Vec<_> = evidence.iter().filter_map(Evidence::counted).collect();
    let heat = rule.heat_on(today, &counted);
    let since = today - i64::from(settings.calendar_days) + 1;
    let mut history: BTreeMap<i64, f64> = store.snapshots_of(id, since).await?.into_iter().collect();
    let before = history.get(&(today - i64::from(BoardState::default().window))).copied().unwrap_or_default();
    history.insert(today, heat.value);
    let first = history.keys().next().copied().unwrap_or(today);
    let day = |day: i64| CalendarDay {
        date: iso_day(day),
        // Before the first snapshot nothing is known; later days without a snapshot had no heat.
        heat: (day >= first).then(|| percent(history.get(&day).copied().unwrap_or_default())),
    };
    Ok(Some(TensionView {
        trend: Trend::from_change(heat.value - before, settings.trend),
        calendar: (since..=today).map(day).collect(),
        evidence: evidence_lines(engine, &scope, evidence).await?,
        parents: store.parents(&scope, id).await?,
        responses: store.responses_to(&scope, &[id]).await?,
        story: store.story(&scope, id).await?,
        precedents: precedents(engine, &store, &settings, &scope, &tension).await?,
        related: store.related(&scope, &tension, settings.related).await?,
        may_change: viewer.role.may(Action::Investigate),
        is_sample: sample_collections(engine).await?.iter().any(|sample| sample.id == tension.collection),
        heat,
        tension,
        today,
        now,
    }))
}

/// Returns evidence with its claims, without what the graph no longer has.
pub async fn evidence_lines(engine: &Engine, scope: &Scope, evidence: Vec<Evidence>) -> StoreResult<Vec<EvidenceLine>> {
    if evidence.is_empty() {
        return Ok(vec![]);
    }
    let claims: BTreeSet<ClaimId> = evidence.iter().map(|one| one.claim).collect();
    let documents: BTreeSet<DocumentId> = evidence.iter().map(|one| one.document).collect();
    let claims = engine.graph.claims(scope, &Vec::from_iter(claims)).await?;
    let documents = engine.documents.documents(scope, &Vec::from_iter(documents)).await?;
    let claims: HashMap<ClaimId, Claim> = claims.into_iter().map(|claim| (claim.id, claim)).collect();
    let documents: HashMap<DocumentId, Document> = documents.into_iter().map(|one| (one.id, one)).collect();
    let line = |evidence: Evidence| {
        let claim = claims.get(&evidence.claim)?.clone();
        let source = documents.get(&evidence.document)?.source_name().to_owned();
        Some(EvidenceLine { evidence, claim, source })
    };
    Ok(evidence.into_iter().filter_map(line).collect())
}

/// Returns the most alike tensions that were eased, with their responses.
pub async fn precedents(
    engine: &Engine,
    store: &TensionStore,
    settings: &TensionSettings,
    scope: &Scope,
    tension: &Tension,
) -> StoreResult<Vec<Precedent>> {
    let eased = store.eased(scope, tension, settings.eased_from, settings.eased_to, settings.related).await?;
    if eased.is_empty() {
        return Ok(vec![]);
    }
    let vectors = match engine.embedder.as_deref() {
        Some(embedder) => store.vectors(scope, &tension.theme, embedder.model()).await?,
        None => vec![],
    };
    let vectors: HashMap<TensionId, Vec<f32>> = vectors.into_iter().collect();
    let own = vectors.get(&tension.id);
    let precedent = |eased: EasedTension| {
        let likeness = own.zip(vectors.get(&eased.id)).map(|(own, other)| likeness(own, other));
        Precedent { eased, likeness, responses: vec![] }
    };
    let mut precedents: Vec<Precedent> = eased.into_iter().map(precedent).collect();
    // Those of the same kind first where nothing is known of likeness. Equal ones stay in the order of the store.
    let rank = |one: &Precedent| one.likeness.unwrap_or_else(|| f64::from(u8::from(one.eased.kind == tension.kind)));
    precedents.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
    precedents.truncate(settings.precedents);
    let ids: Vec<TensionId> = precedents.iter().map(|one| one.eased.id).collect();
    for response in store.responses_to(scope, &ids).await? {
        if let Some(one) = precedents.iter_mut().find(|one| one.eased.id == response.link.tension) {
            one.responses.push(response);
        }
    }
    Ok(precedents)
}
