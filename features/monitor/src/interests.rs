//! Use cases of interests: names are resolved, drafts previewed, answers recorded, and proposals of other features kept.

use crate::{
    dates::DAY_MS,
    interest::{Feedback, Interest, InterestDraft, InterestId, InterestState, MatchId},
    matching::{embed, with_features},
    score::{Explanation, explain},
    settings::MonitorSettings,
    store::MonitorStore,
};
use domain::{EntityId, ObjectId, Scope, Timestamp, entity::Entity, user::User};
use engine::{
    StoreResult,
    graph::{EntityQuery, search::search_entities},
};
use feature::{InterestPort, NamedInterest, ProductQuery, ProposedInterest, ReadableProduct, Web};
use std::collections::HashMap;

/// Port of the feature for others.
pub const PORT: InterestPort = InterestPort {
    propose: |web, user, proposals| Box::pin(propose(web, user, proposals)),
    list: |web, user| Box::pin(list_named(web, user)),
};

/// Candidates of a name that are looked at.
const NAME_CANDIDATES: usize = 5;

/// Entities of typed names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResolvedNames {
    pub entities: Vec<EntityId>,
    /// Names without an entity that the person reads.
    pub unknown: Vec<String>,
}

/// Returns the entities that names mean, among those that `user` reads. One of `preferred` wins where it has the name.
pub async fn resolve_names(web: &Web, user: &User, names: &[String], preferred: &[EntityId]) -> StoreResult<ResolvedNames> {
    if names.iter().all(|name| name.trim().is_empty()) {
        return Ok(ResolvedNames::default());
    }
    let engine = &web.engine;
    let scope = engine.read_scope(user).await?;
    let preferred = match preferred.is_empty() {
        true => vec![],
        false => engine.graph.entities(&scope, preferred).await?,
    };
    let mut resolved = ResolvedNames::default();
    for name in names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        let entity = match preferred.iter().find(|entity| has_name(entity, name)) {
            Some(entity) => Some(entity.id),
            None => find_entity(web, &scope, name).await?,
        };
        match entity {
            Some(id) => resolved.entities.push(id),
            None => resolved.unknown.push(name.to_owned()),
        }
    }
    Ok(resolved)
}

fn has_name(entity: &Entity, name: &str) -> bool {
    let name = name.to_lowercase();
    entity.canonical_name.to_lowercase() == name || entity.aliases.iter().any(|alias| alias.to_lowercase() == name)
}

/// Returns the best entity of a scope with exactly this name.
async fn find_entity(web: &Web, scope: &Scope, name: &str) -> StoreResult<Option<EntityId>> {
    let engine = &web.engine;
    let query = EntityQuery { text: Some(engine.search.query.text(name)), ..EntityQuery::default() };
    let found = search_entities(&*engine.graph, None, &engine.search, scope, query, NAME_CANDIDATES).await?;
    Ok(found.into_iter().map(|hit| hit.item).find(|entity| has_name(entity, name)).map(|entity| entity.id))
}

/// Returns the names of entities that `user` reads.
pub async fn entity_names(web: &Web, user: &User, ids: &[EntityId]) -> StoreResult<HashMap<EntityId, String>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let scope = web.engine.read_scope(user).await?;
    let entities = web.engine.graph.entities(&scope, ids).await?;
    Ok(entities.into_iter().map(|entity| (entity.id, entity.canonical_name)).collect())
}

/// Product that a draft would have matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewedMatch {
    /// Name of its kind.
    pub kind: &'static str,
    pub product: ReadableProduct,
    pub explanation: Explanation,
}

/// Preview of a draft.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preview {
    /// Best first.
    pub matches: Vec<PreviewedMatch>,
    /// Products that were looked at.
    pub products: usize,
}

/// Returns what a draft would have matched of the newest products of the last days that `user` reads.
pub async fn preview(web: &Web, user: &User, draft: &InterestDraft) -> StoreResult<Preview> {
    let settings = web.settings.get::<MonitorSettings>();
    let since = web.engine.clock.now().plus_ms(-i64::from(settings.preview_days) * DAY_MS);
    let vector = embed(web, std::slice::from_ref(&draft.sentence)).await.and_then(|mut vectors| vectors.pop());
    let (mut preview, mut has_failed) = (Preview::default(), vector.is_none());
    for source in web.products.iter() {
        if !draft.kinds.is_empty() && draft.kinds.iter().all(|kind| kind != source.key) {
            continue;
        }
        let query = ProductQuery::Newest { reader: Box::new(user.clone()), since, limit: settings.preview_products };
        let products = (source.list)(web.clone(), query).await?;
        preview.products += products.len();
        let products = with_features(web, products, &mut has_failed).await;
        let is_candidate = |outlet: Option<EntityId>| outlet.is_none_or(|outlet| draft.entities.contains(&outlet));
        let scored = products.iter().filter(|(product, _)| is_candidate(product.outlet)).map(|(product, features)| {
            let explanation = explain(draft, vector.as_deref(), features);
            (product.id, explanation)
        });
        let mut matched: HashMap<_, _> =
            scored.filter(|(_, explanation)| explanation.score >= draft.threshold.max(1)).collect();
        let ids = matched.keys().copied().collect();
        for product in (source.find)(web.clone(), user.clone(), ids).await? {
            if let Some(explanation) = matched.remove(&product.id) {
                preview.matches.push(PreviewedMatch { kind: source.title, product, explanation });
            }
        }
    }
    preview.matches.sort_by(|one, other| {
        other.explanation.score.cmp(&one.explanation.score).then_with(|| one.product.title.cmp(&other.product.title))
    });
    Ok(preview)
}

/// Returns a new interest with a draft.
pub fn new_interest(web: &Web, user: &User, state: InterestState, draft: InterestDraft) -> Interest {
    let now = web.engine.clock.now();
    Interest {
        id: InterestId(web.engine.ids.next()),
        user: user.id,
        state,
        draft,
        muted_until: None,
        tuned: String::new(),
        reason: String::new(),
        created_at: now,
        changed_at: now,
    }
}

/// Records the answer of a person to a match, and what it changes in the interest. Returns false without the match.
pub async fn answer_match(web: &Web, user: &User, id: MatchId, feedback: Feedback) -> StoreResult<bool> {
    let store = MonitorStore::new(web);
    let Some(stored) = store.stored_match(user.id, id).await? else { return Ok(false) };
    let Some(mut interest) = store.interest(user.id, stored.interest).await? else { return Ok(false) };
    interest.tuned = interest.draft.tune(feedback, &stored.terms);
    interest.changed_at = web.engine.clock.now();
    store.record_feedback(id, feedback, &interest).await?;
    Ok(true)
}

/// Mutes an interest of a person until a time; returns whether there is one.
pub async fn mute(web: &Web, user: &User, id: InterestId, until: Timestamp) -> StoreResult<bool> {
    let store = MonitorStore::new(web);
    let Some(interest) = store.interest(user.id, id).await? else { return Ok(false) };
    let changed_at = web.engine.clock.now();
    store.update_interest(&Interest { muted_until: Some(until), changed_at, ..interest }).await
}

/// Returns the interests that a person has accepted.
async fn list_named(web: Web, user: User) -> StoreResult<Vec<NamedInterest>> {
    let mut interests = MonitorStore::new(&web).interests(user.id).await?;
    interests.retain(|one| one.state != InterestState::Proposed);
    let named = |one: Interest| NamedInterest { id: ObjectId(one.id.0), sentence: one.draft.sentence };
    Ok(interests.into_iter().map(named).collect())
}

/// Keeps interests that another feature brings to a person, without sentences that they have; returns how many there was room for.
pub async fn propose(web: Web, user: User, proposals: Vec<ProposedInterest>) -> StoreResult<usize> {
    let (store, settings) = (MonitorStore::new(&web), web.settings.get::<MonitorSettings>());
    let mut known: Vec<String> = store.interests(user.id).await?.into_iter().map(|one| one.draft.sentence).collect();
    let mut kept = 0;
    for ProposedInterest { sentence, regions, tags, is_accepted, reason } in proposals {
        let draft = InterestDraft {
            sentence,
            entities: vec![],
            regions,
            tags,
            kinds: vec![],
            threshold: settings.new_threshold(),
            weights: settings.weights,
        };
        let Some(draft) = draft.checked() else { continue };
        if known.contains(&draft.sentence) {
            continue;
        }
        known.push(draft.sentence.clone());
        let state = if is_accepted { InterestState::Active } else { InterestState::Proposed };
        let interest = Interest { reason, ..new_interest(&web, &user, state, draft) };
        kept += usize::from(store.add_interest(&interest, settings.per_person).await?);
    }
    Ok(kept)
}
