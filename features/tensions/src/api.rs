//! JSON API of the feature: `GET /api/v1/tensions` and `GET /api/v1/tensions/{id}`.

use crate::{
    heat::HeatTerm,
    pages::{
        detail::{EvidenceLine, evidence_lines},
        list,
    },
    response::{EventLimits, ResponseId, TensionResponse},
    sample::sample_collections,
    settings::TensionSettings,
    store::{TensionStore, TensionSummary},
    tension::{Tension, TensionId, TensionState, day_number, iso_day},
    view::{HeatedTension, TensionList},
};
use axum::{
    Json,
    extract::{Path, Query, RawQuery, State},
};
use domain::{ClaimId, DocumentId, Scope, Timestamp};
use engine::{Engine, StoreResult};
use feature::{ApiDescription, ApiError, ApiUser, Web, region::GeoPrecision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tensions_islands::BoardState;

/// Address of the list.
pub const TENSIONS: &str = "/api/v1/tensions";
/// Address of one tension.
pub const TENSION: &str = "/api/v1/tensions/{id}";

/// Fields of the query beside those of the board.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ListFields {
    list: String,
    page: Option<u64>,
}

/// Page of tensions, the hottest first.
#[derive(Serialize, JsonSchema)]
pub struct TensionPage {
    total: usize,
    page: u64,
    tensions: Vec<TensionItem>,
}

/// Tension with its heat.
#[derive(Serialize, JsonSchema)]
pub struct TensionItem {
    id: TensionId,
    title: String,
    statement: String,
    theme: String,
    kind: String,
    /// UN M49 area or ISO 3166-1 numeric code; 000 where no country is named.
    region: String,
    region_label: &'static str,
    severity: &'static str,
    /// 0 to 1.
    confidence: f64,
    /// 0 to 1, over what the signed-in person may read.
    heat: f64,
    /// Independent origins of its evidence that count.
    origins: usize,
    /// Number of responses, without events that are over.
    responses: u64,
    /// Whether it is of the sample: invented.
    is_sample: bool,
    /// Reason of the dismissal; null for an active tension.
    dismissed: Option<String>,
    /// Days of the first and the last dated evidence; of the captures where none has a date.
    first_day: String,
    last_day: String,
    /// Whether none of its evidence has a date.
    is_undated: bool,
}

/// Tension with its evidence and responses.
#[derive(Serialize, JsonSchema)]
pub struct TensionDetail {
    tension: TensionItem,
    /// Terms of the heat, the largest first.
    terms: Vec<HeatTerm>,
    /// A page of its evidence, newest first, and the number of all.
    evidence: Vec<EvidenceItem>,
    evidence_total: u64,
    page: u64,
    responses: Vec<ResponseItem>,
}

/// Claim as evidence.
#[derive(Serialize, JsonSchema)]
struct EvidenceItem {
    claim_id: ClaimId,
    document_id: DocumentId,
    content: String,
    /// Outlet, host or file of the document.
    source: String,
    is_against: bool,
    severity: &'static str,
    day: String,
    /// Whether its day is that of the capture, because it has no date.
    is_undated: bool,
}

/// Response to a tension.
#[derive(Serialize, JsonSchema)]
struct ResponseItem {
    id: ResponseId,
    kind: &'static str,
    title: String,
    summary: String,
    url: String,
    mechanism: String,
    starts_at: Option<Timestamp>,
    ends_at: Option<Timestamp>,
    /// Whether it is an event that is over. It answers nothing any more.
    is_over: bool,
    /// UN M49 area or ISO 3166-1 numeric code; 000 where no place is named.
    region: String,
    region_label: &'static str,
    /// Precision of the place: `region`; null where none is named.
    geo_precision: Option<&'static str>,
}

/// Adds the paths of the feature to the description of the API.
pub fn describe(api: &mut ApiDescription) {
    let query = ["region", "theme", "unanswered", "list", "page"];
    api.get::<TensionPage>(TENSIONS, &query, "Tensions that the signed-in person sees, the hottest first");
    api.get::<TensionDetail>(TENSION, &["page"], "Tension with its evidence, the terms of its heat, and its responses");
}

/// Handler of `GET /api/v1/tensions`.
pub async fn list(
    State(web): State<Web>,
    ApiUser(user): ApiUser,
    RawQuery(query): RawQuery,
    Query(fields): Query<ListFields>,
) -> Result<Json<TensionPage>, ApiError> {
    let state = BoardState::parse(&query.unwrap_or_default());
    let page = fields.page.unwrap_or(1).max(1);
    let overview = list::load_overview(&web, &user).await?;
    let per_page = web.settings.get::<TensionSettings>().per_page;
    let (rows, total) = overview.page(TensionList::parse(&fields.list), &state, page, per_page);
    Ok(Json(TensionPage { total, page, tensions: rows.into_iter().map(TensionItem::from).collect() }))
}

/// Handler of `GET /api/v1/tensions/{id}`.
pub async fn detail(
    State(web): State<Web>,
    ApiUser(user): ApiUser,
    Path(id): Path<String>,
    Query(fields): Query<ListFields>,
) -> Result<Json<TensionDetail>, ApiError> {
    let (store, settings) = (TensionStore::new(&web), web.settings.get::<TensionSettings>());
    let scope = web.engine.read_scope(&user).await?;
    let id: TensionId = id.parse().map_err(|_| ApiError::NotFound)?;
    let tension = store.tension(&scope, id).await?.ok_or(ApiError::NotFound)?;
    let page = (fields.page.unwrap_or(1).max(1), settings.per_page);
    Ok(Json(TensionDetail::load(&web.engine, &store, &settings, &scope, tension, page).await?))
}

impl From<HeatedTension> for TensionItem {
    fn from(one: HeatedTension) -> Self {
        let heat = one.heat();
        Self::new(one.summary, heat, one.origins.len())
    }
}

impl TensionItem {
    fn new(summary: TensionSummary, heat: f64, origins: usize) -> Self {
        let TensionSummary { tension, responses, is_sample, is_undated } = summary;
        Self {
            id: tension.id,
            title: tension.title,
            statement: tension.statement,
            theme: tension.theme,
            kind: tension.kind,
            region_label: tension.region.label(),
            region: tension.region.code,
            severity: tension.severity.word(),
            confidence: tension.confidence,
            heat,
            origins,
            responses,
            is_sample,
            dismissed: match tension.state {
                TensionState::Active => None,
                TensionState::Dismissed(reason) => Some(reason),
            },
            first_day: iso_day(tension.first_day),
            last_day: iso_day(tension.last_day),
            is_undated,
        }
    }
}

impl TensionDetail {
    /// Loads the evidence of a tension, a page of so many, with its heat and responses.
    pub async fn load(
        engine: &Engine,
        store: &TensionStore,
        settings: &TensionSettings,
        scope: &Scope,
        tension: Tension,
        (page, per_page): (u64, usize),
    ) -> StoreResult<Self> {
        let (now, rule) = (engine.clock.now(), settings.heat_rule());
        let (today, limits) = (day_number(now), settings.event_limits(now));
        let counted = store.recent_evidence_of(scope, tension.id, rule.first_counted_day(today)).await?;
        let heat = rule.heat_on(today, &counted);
        let skipped = page.saturating_sub(1).saturating_mul(per_page as u64);
        let (evidence, evidence_total) = store.evidence(scope, tension.id, skipped, per_page).await?;
        let evidence = evidence_lines(engine, scope, evidence).await?;
        let responses = store.responses_to(scope, &[tension.id]).await?;
        let is_sample = sample_collections(engine).await?.iter().any(|sample| sample.id == tension.collection);
        let answers = responses.iter().filter(|one| !one.is_over(limits)).count();
        let is_undated = store.is_undated(scope, tension.id).await?;
        let summary = TensionSummary { tension, responses: answers as u64, is_sample, is_undated };
        Ok(Self {
            tension: TensionItem::new(summary, heat.value, heat.terms.len()),
            terms: heat.terms,
            evidence: evidence.into_iter().map(EvidenceItem::from).collect(),
            evidence_total,
            page,
            responses: responses.into_iter().map(|one| ResponseItem::new(one, limits)).collect(),
        })
    }
}

impl From<EvidenceLine> for EvidenceItem {
    fn from(line: EvidenceLine) -> Self {
        let EvidenceLine { evidence, claim, source } = line;
        Self {
            claim_id: evidence.claim,
            document_id: evidence.document,
            content: claim.content,
            source,
            is_against: evidence.is_against,
            severity: evidence.severity.word(),
            day: iso_day(evidence.day.day),
            is_undated: evidence.day.is_undated,
        }
    }
}

impl ResponseItem {
    fn new(one: TensionResponse, limits: EventLimits) -> Self {
        let is_over = one.is_over(limits);
        let TensionResponse { response, link, .. } = one;
        Self {
            is_over,
            geo_precision: response.region.precision().map(GeoPrecision::as_str),
            region_label: response.region.label(),
            region: response.region.code,
            id: response.id,
            kind: response.kind.as_str(),
            title: response.title,
            summary: response.summary,
            url: response.url,
            mechanism: link.mechanism,
            starts_at: response.starts_at,
            ends_at: response.ends_at,
        }
    }
}
