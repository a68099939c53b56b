//! Upkeep: after documents were deleted, nothing of them stays in a tension; and its statement is that of its most severe, latest claim.

use crate::{
    settings::TensionSettings,
    store::{DueLead, TensionStore},
    taxonomy::Taxonomy,
    tension::TensionId,
};
use domain::{ClaimId, CollectionId, EntityId, Scope, claim::Claim};
use engine::{Engine, StoreResult};
use feature::Web;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

/// Removes tensions that nothing states any more, and derives anew what rests on changed evidence.
pub async fn refresh(web: &Web) -> StoreResult<()> {
    let (store, settings) = (TensionStore::new(web), web.settings.get::<TensionSettings>());
    store.remove_orphans().await?;
    while store.refresh_changed(settings.snapshots_per_round, web.engine.clock.now()).await? > 0 {}
    choose_leads(&web.engine, &store, settings.snapshots_per_round).await
}

/// Chooses the statements that are due. Those whose claims the graph does not have are left to the next round.
async fn choose_leads(engine: &Engine, store: &TensionStore, per_round: u32) -> StoreResult<()> {
    let mut after = TensionId(Uuid::nil());
    loop {
        let due = store.due_leads(after, per_round).await?;
        let Some(last) = due.last() else { return Ok(()) };
        after = last.tension;
        let mut by_collection: BTreeMap<CollectionId, Vec<DueLead>> = BTreeMap::new();
        for one in due {
            by_collection.entry(one.collection).or_default().push(one);
        }
        for (collection, due) in by_collection {
            let scope = Scope::from(collection);
            let ids: Vec<ClaimId> = due.iter().map(|one| one.claim).collect();
            let claims = engine.graph.claims(&scope, &ids).await?;
            let entities: BTreeSet<EntityId> = claims.iter().flat_map(|claim| claim.entity_ids.iter().copied()).collect();
            let entities = engine.graph.entities(&scope, &Vec::from_iter(entities)).await?;
            let names: HashMap<EntityId, String> = entities.into_iter().map(|one| (one.id, one.canonical_name)).collect();
            let claims: HashMap<ClaimId, Claim> = claims.into_iter().map(|claim| (claim.id, claim)).collect();
            for one in due {
                let Some(claim) = claims.get(&one.claim) else { continue };
                let about = claim.entity_ids.iter().filter_map(|id| names.get(id)).map(String::as_str);
                let title = title_of(&one, about);
                store.put_lead(one.tension, &title, &claim.content, one.document).await?;
            }
        }
    }
}

/// Returns the title, without words that no document states any more: a name that is not in the claim, or an agent's words.
fn title_of<'a>(due: &DueLead, mut names: impl Iterator<Item = &'a str>) -> String {
    let kind = Taxonomy::shared().kind(&due.kind).map_or(due.kind.as_str(), |kind| kind.label.as_str());
    match due.title.split_once(": ") {
        _ if !due.is_stated => kind.to_owned(),
        Some((head, name)) if !names.any(|one| one == name) => head.to_owned(),
        _ => due.title.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::DocumentId;
    use testkit::id;

    #[test]
    fn a_title_keeps_the_name_that_its_statement_is_about() {
        let due = |title: &str, is_stated| DueLead {
            tension: TensionId(id()),
            collection: CollectionId(id()),
            kind: "threat".into(),
            title: title.into(),
            is_stated,
            claim: ClaimId(id()),
            document: DocumentId(id()),
        };
        let title = |title: &str, is_stated| title_of(&due(title, is_stated), ["Free Ebrin Front"].into_iter());
        assert_eq!(title("Threat: Free Ebrin Front", true), "Threat: Free Ebrin Front");
        assert_eq!(title("Threat: Port Authority", true), "Threat", "no document names it any more");
        assert_eq!(title("Threat in Romania", true), "Threat in Romania");
        assert_eq!(title("Threat in Romania: Port Authority", true), "Threat in Romania");
        assert_eq!(title("People fear for the port", false), "Threat", "an agent's words rested on what is gone");
    }
}
