//! Tensions and their responses in the picture of the explorer, linked to the entities that their evidence is about.

use crate::{pages::detail::address, settings::TensionSettings, store::TensionStore, tension::TensionId};
use domain::{ClaimId, DocumentId, EntityId, user::User};
use engine::StoreResult;
use feature::{AddedNode, NodeLink, NodeSource, Web};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub const SOURCE: NodeSource = NodeSource { find: |web, viewer, entities| Box::pin(find(web, viewer, entities)) };

fn node_id(id: TensionId) -> String {
    format!("tension-{id}")
}

async fn find(web: Web, viewer: User, mut entities: Vec<EntityId>) -> StoreResult<Vec<AddedNode>> {
    let (engine, store, settings) = (&web.engine, TensionStore::new(&web), web.settings.get::<TensionSettings>());
    let scope = engine.read_scope(&viewer).await?;
    entities.truncate(settings.graph_entities);
    let about = engine.graph.newest_claims(&scope, &entities, settings.graph_claims).await?;
    let mut of_claim: HashMap<ClaimId, Vec<EntityId>> = HashMap::new();
    let mut claims: BTreeSet<(ClaimId, DocumentId)> = BTreeSet::new();
    for (entity, claim) in about {
        claims.insert((claim.id, claim.document_id));
        of_claim.entry(claim.id).or_default().push(entity);
    }
    if claims.is_empty() {
        return Ok(vec![]);
    }
    let claims: Vec<(ClaimId, DocumentId)> = claims.into_iter().collect();
    let (mut ids, mut nodes, mut invented): (Vec<TensionId>, Vec<AddedNode>, Vec<TensionId>) = (vec![], vec![], vec![]);
    for one in store.resting_on(&scope, &claims).await? {
        if ids.last() != Some(&one.id) {
            if ids.len() >= settings.graph_objects {
                break;
            }
            ids.push(one.id);
            invented.extend(Some(one.id).filter(|_| one.is_sample));
            let name = if one.is_sample { format!("{} (sample)", one.title) } else { one.title };
            let href = address(one.id);
            nodes.push(AddedNode { id: node_id(one.id), name, kind: "tension".into(), href, links: vec![] });
        }
        let Some(node) = nodes.last_mut() else { continue };
        for entity in of_claim.get(&one.claim).into_iter().flatten() {
            let to = entity.to_string();
            if node.links.iter().all(|link| link.to != to) {
                node.links.push(NodeLink { to, text: "rests on claims about".into() });
            }
        }
    }
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let (limits, mut responses) = (settings.event_limits(engine.clock.now()), BTreeMap::<String, AddedNode>::new());
    for one in store.responses_to(&scope, &ids).await? {
        if one.is_over(limits) {
            continue;
        }
        let id = format!("response-{}", one.response.id);
        if responses.len() >= settings.graph_objects && !responses.contains_key(&id) {
            continue;
        }
        let mark = if invented.contains(&one.link.tension) { " (sample)" } else { "" };
        let (name, href) = (format!("{}{mark}", one.response.title), format!("{}#answers", address(one.link.tension)));
        let node = responses.entry(id.clone()).or_insert(AddedNode { id, name, kind: "response".into(), href, links: vec![] });
        let text = if one.link.mechanism.is_empty() { "eases".to_owned() } else { format!("eases ({})", one.link.mechanism) };
        node.links.push(NodeLink { to: node_id(one.link.tension), text });
    }
    nodes.extend(responses.into_values());
    Ok(nodes)
}
