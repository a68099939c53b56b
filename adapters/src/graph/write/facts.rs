//! What a write says of entities, as facts with their evidence.

use super::Site;
use crate::sql::fault::Fault;
use domain::ClaimId;
use engine::graph::{EntityProposal, EntityRef, EntityUpdate, Resolve};
use serde_json::{Value, json};
use sqlx::SqliteConnection;
use std::collections::{BTreeMap, BTreeSet};

/// Entity, facet, key, value, collection.
type Fact = (i64, &'static str, String, String, i64);

/// The entities that a write says something of, each with the collection in which it does.
pub(super) type Touched = BTreeSet<(i64, i64)>;

/// Adds the facts of every proposal and update, and files new names under their blocking keys, which it gives too.
pub(super) async fn add(
    conn: &mut SqliteConnection,
    site: &Site<'_>,
    resolve: &dyn Resolve,
) -> Result<(Touched, Vec<String>), Fault> {
    let facts = gather(site)?;
    let touched = facts.keys().map(|fact| (fact.0, fact.4)).collect();
    if facts.is_empty() {
        return Ok((touched, Vec::new()));
    }
    let rows = facts.iter().map(|((entity, facet, key, value, of), claims)| json!([entity, facet, key, value, of, claims]));
    let rows = Value::from_iter(rows).to_string();
    let sql = "insert into entity_facts (entity, facet, key, value, collection, at)
        select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, $2 from json_each($1) where true
        on conflict do nothing returning n, entity, facet, value, collection";
    let new: Vec<(i64, i64, String, String, i64)> =
        sqlx::query_as(sql).bind(&rows).bind(site.write.at.as_micros()).fetch_all(&mut *conn).await?;
    let sql = "insert into fact_claims (fact, claim)
        select f.n, c.value from json_each($1) j
        cross join entity_facts f on f.entity = j.value ->> 0 and f.facet = j.value ->> 1 and f.key = j.value ->> 2
            and f.value = j.value ->> 3 and f.collection = j.value ->> 4
        cross join json_each(j.value, '$[5]') c where true on conflict do nothing";
    sqlx::query(sql).bind(&rows).execute(&mut *conn).await?;
    let names = new.into_iter().filter(|(_, _, facet, ..)| facet == "name");
    let keys = names.flat_map(|(n, entity, _, name, collection)| {
        resolve.keys(&name).into_iter().map(move |key| (key, collection, entity, n))
    });
    let keys: Vec<(String, i64, i64, i64)> = keys.collect();
    if !keys.is_empty() {
        let sql = "insert into name_keys (key, collection, entity, fact)
            select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each($1) where true on conflict do nothing";
        sqlx::query(sql).bind(json!(keys).to_string()).execute(conn).await?;
    }
    Ok((touched, keys.into_iter().map(|(key, ..)| key).collect()))
}

fn gather(site: &Site<'_>) -> Result<BTreeMap<Fact, BTreeSet<i64>>, Fault> {
    let mut facts = Facts { site, found: BTreeMap::new() };
    for (index, proposal) in site.write.entities.iter().enumerate() {
        facts.proposal(index, proposal);
    }
    for update in &site.write.updates {
        facts.update(update)?;
    }
    Ok(facts.found)
}

struct Facts<'a> {
    site: &'a Site<'a>,
    found: BTreeMap<Fact, BTreeSet<i64>>,
}

impl Facts<'_> {
    fn proposal(&mut self, index: usize, proposal: &EntityProposal) {
        let entity = self.site.settled.entities[index].n;
        let evidence = self.evidence_of(index, proposal);
        for name in std::iter::once(&proposal.name).chain(&proposal.aliases) {
            self.name(entity, name, &evidence);
        }
        self.kind(entity, &proposal.kind, &evidence);
        for (system, id) in &proposal.external_ids {
            self.add(entity, "external", system, id.clone(), &evidence);
        }
        if !proposal.is_stub {
            self.add(entity, "detail", "", String::new(), &evidence);
        }
    }

    fn update(&mut self, update: &EntityUpdate) -> Result<(), Fault> {
        let entity = self.site.settled.row(self.site.ground, update.entity);
        let evidence = self.site.evidence(&update.claims, &update.existing_claims);
        for name in &update.aliases {
            self.name(entity, name, &evidence);
        }
        self.kind(entity, update.kind.as_deref().unwrap_or_default(), &evidence);
        if let Some(summary) = update.summary.as_deref().map(str::trim).filter(|summary| !summary.is_empty()) {
            self.add(entity, "summary", "", summary.to_owned(), &evidence);
        }
        for (key, value) in &update.properties {
            let value = serde_json::to_string(value).map_err(|error| engine::StoreError::Invalid(error.to_string()))?;
            self.add(entity, "property", key.as_str(), value, &evidence);
        }
        for (system, id) in &update.external_ids {
            self.add(entity, "external", system, id.clone(), &evidence);
        }
        if update.is_stub == Some(false) {
            self.add(entity, "detail", "", String::new(), &evidence);
        }
        Ok(())
    }

    /// The claims that stand behind a proposal: those that name it, and those behind what the write says with it.
    fn evidence_of(&self, index: usize, proposal: &EntityProposal) -> Vec<(i64, i64)> {
        let write = self.site.write;
        let is_it = |entity: &EntityRef| *entity == EntityRef::New(index);
        let mut new: BTreeSet<usize> = proposal.claims.iter().copied().collect();
        let mut existing: BTreeSet<ClaimId> = BTreeSet::new();
        if write.outlet.as_ref().is_some_and(is_it) {
            new.extend(0..write.claims.len());
        }
        new.extend((0..write.claims.len()).filter(|claim| write.claims[*claim].entities.iter().any(is_it)));
        for relationship in write.relationships.iter().filter(|link| is_it(&link.source) || is_it(&link.target)) {
            new.extend(&relationship.claims);
            existing.extend(&relationship.existing_claims);
        }
        for update in write.updates.iter().filter(|update| is_it(&update.entity)) {
            new.extend(&update.claims);
            existing.extend(&update.existing_claims);
        }
        self.site.evidence(&new.into_iter().collect::<Vec<_>>(), &existing.into_iter().collect::<Vec<_>>())
    }

    fn name(&mut self, entity: i64, name: &str, evidence: &[(i64, i64)]) {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if !name.is_empty() {
            self.add(entity, "name", "", name, evidence);
        }
    }

    fn kind(&mut self, entity: i64, kind: &str, evidence: &[(i64, i64)]) {
        if !kind.trim().is_empty() {
            self.add(entity, "kind", "", kind.trim().to_owned(), evidence);
        }
    }

    /// One fact for each collection that has evidence of it; without evidence, the collection of the write.
    fn add(&mut self, entity: i64, facet: &'static str, key: &str, value: String, evidence: &[(i64, i64)]) {
        let fact = |collection| (entity, facet, key.to_owned(), value.clone(), collection);
        if evidence.is_empty() {
            self.found.entry(fact(self.site.ground.collection)).or_default();
        }
        for (claim, collection) in evidence {
            self.found.entry(fact(*collection)).or_default().insert(*claim);
        }
    }
}
