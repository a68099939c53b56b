//! New tensions as products, with which interests are matched.

use crate::{
    pages::detail::address,
    store::{NamedTension, TensionProduct, TensionStore},
    taxonomy::Taxonomy,
    tension::TensionId,
};
use domain::{ClaimId, EntityId, ObjectId, Scope, user::User};
use engine::StoreResult;
use feature::{Product, ProductQuery, ProductSource, ReadableProduct, Web, region::Regions};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Words of a page of a tension besides its statement: its story, and what eases it.
const STORY_WORDS: usize = 150;

pub const SOURCE: ProductSource = ProductSource {
    key: crate::watched::KEY,
    title: "Tension",
    list: |web, query| Box::pin(list(web, query)),
    find: |web, reader, ids| Box::pin(find(web, reader, ids)),
    read_pairs: |web, pairs| Box::pin(async move { TensionStore::new(&web).read_pairs(&pairs).await }),
};

async fn list(web: Web, query: ProductQuery) -> StoreResult<Vec<Product>> {
    let store = TensionStore::new(&web);
    let tensions = match query {
        ProductQuery::Arrived { after, limit } => store.arrived(after, limit).await?,
        ProductQuery::Newest { reader, since, limit } => {
            store.newest(&web.engine.read_scope(&reader).await?, since, limit).await?
        }
    };
    let mut entities = read_entities(&web, &store, &tensions).await?;
    let product = |one: TensionProduct| Product {
        id: ObjectId(one.id.0),
        at: one.created_at,
        text: format!("{}\n{}", one.title, one.statement),
        entities: entities.remove(&one.id).unwrap_or_default().into_iter().collect(),
        regions: Regions::shared().names(&one.region).map(str::to_owned).collect(),
        tags: tags(&one),
        outlet: None,
    };
    Ok(tensions.into_iter().map(product).collect())
}

/// Returns the entities that the evidence of tensions is about.
async fn read_entities(
    web: &Web,
    store: &TensionStore,
    tensions: &[TensionProduct],
) -> StoreResult<HashMap<TensionId, BTreeSet<EntityId>>> {
    let ids: Vec<TensionId> = tensions.iter().map(|one| one.id).collect();
    let mut entities: HashMap<TensionId, BTreeSet<EntityId>> = HashMap::new();
    let resting = store.resting_claims(&ids).await?;
    if resting.is_empty() {
        return Ok(entities);
    }
    let scope = Scope::new(resting.iter().map(|(_, _, collection)| *collection).collect());
    let claims: BTreeSet<ClaimId> = resting.iter().map(|(_, claim, _)| *claim).collect();
    let claims = web.engine.graph.claims(&scope, &Vec::from_iter(claims)).await?;
    let about: BTreeMap<ClaimId, Vec<EntityId>> = claims.into_iter().map(|claim| (claim.id, claim.entity_ids)).collect();
    for (tension, claim, _) in resting {
        entities.entry(tension).or_default().extend(about.get(&claim).into_iter().flatten().copied());
    }
    Ok(entities)
}

/// Returns the labels of the theme and the kind of a tension.
fn tags(tension: &TensionProduct) -> Vec<String> {
    let taxonomy = Taxonomy::shared();
    let theme = taxonomy.theme(&tension.theme).map(|theme| theme.label.clone());
    let kind = taxonomy.kind(&tension.kind).map(|kind| kind.label.clone());
    theme.into_iter().chain(kind).collect()
}

async fn find(web: Web, reader: User, ids: Vec<ObjectId>) -> StoreResult<Vec<ReadableProduct>> {
    let scope = web.engine.read_scope(&reader).await?;
    let ids: Vec<TensionId> = ids.into_iter().map(|id| TensionId(id.0)).collect();
    let readable = |one: NamedTension| ReadableProduct {
        id: ObjectId(one.asked.0),
        href: address(one.id),
        words: u32::try_from(one.statement.split_whitespace().count() + STORY_WORDS).unwrap_or(u32::MAX),
        title: one.title,
        summary: one.statement,
    };
    Ok(TensionStore::new(&web).named(&scope, &ids).await?.into_iter().map(readable).collect())
}
