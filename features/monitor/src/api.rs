//! JSON API of the feature: `GET /api/v1/interests`, which is also the export. The import reads the same JSON.

use crate::{
    interest::{Interest, InterestDraft, InterestState},
    interests::{entity_names, new_interest, resolve_names},
    score::TermKind,
    settings::MonitorSettings,
    store::MonitorStore,
};
use axum::{Json, extract::State};
use domain::{EntityId, Timestamp, user::User};
use engine::StoreResult;
use feature::{ApiDescription, ApiError, ApiUser, Web};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Address of the list.
pub const INTERESTS: &str = "/api/v1/interests";

/// Interest without what belongs to one server: names instead of ids.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExportedInterest {
    pub sentence: String,
    /// Names of entities.
    #[serde(default)]
    pub entities: Vec<String>,
    #[serde(default)]
    pub regions: Vec<String>,
    #[serde(default)]
    pub tags: Vec<String>,
    /// Keys of sources, such as `report`; empty: all.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// Hundredths; none: the threshold of a new interest.
    #[serde(default)]
    pub threshold: Option<u8>,
    #[serde(default)]
    pub is_paused: bool,
    /// None: not muted.
    #[serde(default)]
    pub muted_until: Option<Timestamp>,
    /// Weights of terms, in hundredths. One that is left out is that of a new interest.
    #[serde(default)]
    pub weights: Option<BTreeMap<TermKind, u8>>,
}

/// Adds the paths of the feature to the description of the API.
pub fn describe(api: &mut ApiDescription) {
    api.get::<Vec<ExportedInterest>>(INTERESTS, &[], "Interests of the signed-in person, newest first");
}

/// Handler of `GET /api/v1/interests`.
pub async fn list(State(web): State<Web>, ApiUser(user): ApiUser) -> Result<Json<Vec<ExportedInterest>>, ApiError> {
    Ok(Json(export(&web, &user).await?))
}

/// Returns the interests of a person, without proposals.
pub async fn export(web: &Web, user: &User) -> StoreResult<Vec<ExportedInterest>> {
    let mut interests = MonitorStore::new(web).interests(user.id).await?;
    interests.retain(|interest| interest.state != InterestState::Proposed);
    let ids: Vec<EntityId> = interests.iter().flat_map(|interest| interest.draft.entities.iter().copied()).collect();
    let names = entity_names(web, user, &ids).await?;
    let exported = |interest: Interest| {
        let is_paused = interest.state == InterestState::Paused;
        let draft = interest.draft;
        ExportedInterest {
            is_paused,
            muted_until: interest.muted_until,
            entities: draft.entities.iter().filter_map(|id| names.get(id).cloned()).collect(),
            sentence: draft.sentence,
            regions: draft.regions,
            tags: draft.tags,
            kinds: draft.kinds,
            threshold: Some(draft.threshold),
            weights: Some(TermKind::ALL.into_iter().zip(draft.weights.as_array()).collect()),
        }
    };
    Ok(interests.into_iter().map(exported).collect())
}

/// Adds exported interests to those of a person; returns how many there was room for. Names that nothing has are left
/// out, and so are interests in kinds that this server lacks.
pub async fn import(web: &Web, user: &User, exported: Vec<ExportedInterest>) -> StoreResult<usize> {
    let (store, settings) = (MonitorStore::new(web), web.settings.get::<MonitorSettings>());
    let mut added = 0;
    for one in exported {
        let is_known = |kind: &String| web.products.iter().any(|source| source.key == kind);
        let kinds: Vec<String> = one.kinds.iter().filter(|kind| is_known(kind)).cloned().collect();
        if kinds.is_empty() && !one.kinds.is_empty() {
            continue;
        }
        let entities = resolve_names(web, user, &one.entities, &[]).await?.entities;
        let draft = InterestDraft {
            sentence: one.sentence,
            entities,
            regions: one.regions,
            tags: one.tags,
            kinds,
            threshold: one.threshold.unwrap_or_else(|| settings.new_threshold()),
            weights: settings.weights.with(one.weights.into_iter().flatten()),
        };
        let Some(draft) = draft.checked() else { continue };
        let state = if one.is_paused { InterestState::Paused } else { InterestState::Active };
        let interest = Interest { muted_until: one.muted_until, ..new_interest(web, user, state, draft) };
        added += usize::from(store.add_interest(&interest, settings.per_person).await?);
    }
    Ok(added)
}
