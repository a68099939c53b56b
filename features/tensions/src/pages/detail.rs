//! One tension: what strains, what answers it, what eased like ones, its calendar and timeline, and what a person can do about it.

mod sections;

use super::list;
use crate::{
    heat::{Heat, HeatRule},
    response::{EventLimits, TensionResponse},
    sample::{sample_collections, together},
    settings::TensionSettings,
    store::{CandidateGroup, EasedTension, RelatedTension, TensionStore},
    story::StorySentence,
    tension::{Evidence, Tension, TensionId, day_number, day_start, iso_day},
    view::Trend,
};
use app::{AppError, format};
use axum::{body::Body, extract::Path, http::Response};
use domain::{
    ClaimId, DocumentId, Scope,
    claim::Claim,
    document::Document,
    user::{Action, User},
};
use engine::{Engine, StoreResult, embeddings::cosine};
use feature::{PageVisit, Web};
use leptos::prelude::*;
use sections::PageBody;
pub use sections::ResponseItem;
use std::collections::{BTreeSet, HashMap};
use tensions_islands::{BoardState, CALENDAR_DAYS, Calendar, percent};

/// Statements in the section on what strains, and denials; the timeline has all of them.
const STATEMENTS: usize = 3;

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
    /// Whether none of its evidence has a date. Its days are then those of the captures.
    pub is_undated: bool,
    pub rule: HeatRule,
    pub trend: Trend,
    /// The most severe statements for and against it.
    pub strains: Vec<EvidenceLine>,
    pub against: Vec<EvidenceLine>,
    /// Statements that the largest terms of the heat count, as many as a page has rows.
    pub sources: Vec<EvidenceLine>,
    /// Page of all evidence, newest first.
    pub evidence: Vec<EvidenceLine>,
    pub evidence_total: u64,
    pub page: u64,
    pub per_page: usize,
    /// Tensions that it sprang from.
    pub parents: Vec<(TensionId, String)>,
    pub responses: Vec<TensionResponse>,
    /// Empty where no model has told the story.
    pub story: Vec<StorySentence>,
    /// Statements that the story rests on.
    pub story_sources: Vec<EvidenceLine>,
    pub precedents: Vec<Precedent>,
    pub calendar: Option<Calendar>,
    /// Tensions that it can be merged into.
    pub related: Vec<RelatedTension>,
    pub may_change: bool,
    pub is_sample: bool,
    pub today: i64,
    pub limits: EventLimits,
}

impl TensionView {
    /// `since 3 Nov 2026`, or `dates unknown, first read on 3 Nov 2026`.
    pub fn days_text(&self) -> String {
        let first = format::day(day_start(self.tension.first_day));
        if self.is_undated { format!("dates unknown, first read on {first}") } else { format!("since {first}") }
    }
}

/// Handler of `GET /tensions/{id}`. The address of a merged tension shows its survivor.
pub async fn page(Path(id): Path<String>, visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let number = visit.query("page").and_then(|page| page.parse().ok()).unwrap_or(1);
    let loaded = match find(&visit.web, &visit.viewer, &id, number).await {
        Ok(found) => found.ok_or_else(|| AppError::not_found("tension")),
        Err(error) => Err(AppError::from(error)),
    };
    visit.show(loaded, |viewer, page| view! { <PageBody viewer page error /> }.into_any()).await
}

/// Address of the page of a tension.
pub fn address(id: TensionId) -> String {
    format!("{}/{id}", list::PAGE)
}

/// Loads a tension with a page of its evidence; none unless `viewer` sees it.
pub async fn find(web: &Web, viewer: &User, id: &str, page: u64) -> StoreResult<Option<TensionView>> {
    let (engine, store, settings) = (&web.engine, TensionStore::new(web), web.settings.get::<TensionSettings>());
    let scope = engine.read_scope(viewer).await?;
    let Ok(id) = id.parse::<TensionId>() else { return Ok(None) };
    let Some(tension) = store.tension(&scope, id).await? else { return Ok(None) };
    let (id, now) = (tension.id, engine.clock.now());
    let (today, rule) = (day_number(now), settings.heat_rule());
    let since = today - i64::from(CALENDAR_DAYS) + 1;
    let counted = store.recent_evidence_of(&scope, id, rule.first_counted_day(since)).await?;
    let (heat, history) = (rule.heat_on(today, &counted), rule.heat_of_days(since..=today, &counted));
    let (page, per_page) = (page.max(1), settings.per_page);
    let (evidence, evidence_total) = store.evidence(&scope, id, (page - 1).saturating_mul(per_page as u64), per_page).await?;
    let story = store.story(&scope, id).await?;
    let story_claims: Vec<ClaimId> = story.iter().map(|sentence| ClaimId(sentence.source)).collect();
    let terms = heat.terms.get(..per_page).unwrap_or(&heat.terms);
    let samples = sample_collections(engine).await?;
    let merged_into = together(&engine.accounts.open_scope().await?, &samples, tension.collection);
    let precedent_scope = together(&scope, &samples, tension.collection);
    Ok(Some(TensionView {
        trend: Trend::over(&history, BoardState::default().window, percent(settings.trend)),
        calendar: Calendar::new(&iso_day(since), history.iter().map(|day| percent(day.value)).collect()),
        strains: evidence_lines(engine, &scope, store.leading_evidence(&scope, id, false, STATEMENTS).await?).await?,
        against: evidence_lines(engine, &scope, store.leading_evidence(&scope, id, true, STATEMENTS).await?).await?,
        sources: evidence_lines(engine, &scope, store.evidence_of_terms(&scope, id, today, terms).await?).await?,
        evidence: evidence_lines(engine, &scope, evidence).await?,
        evidence_total,
        page,
        per_page,
        parents: store.parents(&scope, id).await?,
        responses: store.responses_to(&scope, &[id]).await?,
        story_sources: evidence_lines(engine, &scope, store.evidence_of_claims(&scope, id, &story_claims).await?).await?,
        story,
        precedents: precedents(engine, &store, &settings, &precedent_scope, &tension).await?,
        related: store.related(&scope, &merged_into, &tension, settings.related).await?,
        may_change: viewer.role.may(Action::Investigate),
        is_sample: samples.iter().any(|sample| sample.id == tension.collection),
        heat,
        is_undated: store.is_undated(&scope, id).await?,
        rule,
        tension,
        today,
        limits: settings.event_limits(now),
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
        let source = documents.get(&evidence.document)?.source_name();
        Some(EvidenceLine { evidence, claim, source })
    };
    Ok(evidence.into_iter().filter_map(line).collect())
}

/// Returns the most alike tensions of a scope that were eased, with their responses.
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
    let theme = CandidateGroup::Theme(tension.theme.clone());
    let candidates = match engine.embedder.as_deref() {
        Some(embedder) => store.alike_candidates(scope, &theme, embedder.model()).await?,
        None => vec![],
    };
    let vectors: HashMap<TensionId, Vec<f32>> = candidates.into_iter().map(|one| (one.id, one.vector)).collect();
    let own = vectors.get(&tension.id);
    let precedent = |eased: EasedTension| {
        let likeness = own.zip(vectors.get(&eased.id)).map(|(own, other)| cosine(own, other));
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
