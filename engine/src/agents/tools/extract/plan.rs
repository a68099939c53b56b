//! Translation of an extract into one graph write, collecting every error. No I/O.

use super::fields;
use crate::{
    Engine,
    evidence::{self, Statement},
    graph::{EntityProposal, EntityRef, EntityUpdate, GraphWrite, NewClaim, NewRelationship, SameAs, resolve::kind_of},
    names::{NameKind, PrintedNames},
};
use domain::{
    ClaimId, EntityId, RelationshipId, ReviewId, Scope,
    document::DocumentText,
    entity::{PropertyKey, PropertyValue},
};
use protocol::tools::{ClaimExtract, DocumentExtract, EntityExtract, ItemError, RelationshipExtract};
use std::collections::{BTreeMap, BTreeSet};

/// Kind of entities whose names end in a surname.
const PERSON: &str = "person";

/// Targets of the refs of an extract.
struct RefTargets<'a> {
    entities: BTreeMap<&'a str, usize>,
    claims: BTreeMap<&'a str, usize>,
    errors: Vec<ItemError>,
}

/// Returns the known entities that the extract names by id.
pub(super) fn known_entities(extract: &DocumentExtract) -> BTreeSet<EntityId> {
    let named = extract.entities.iter().flat_map(|entity| &entity.same_as);
    named.filter_map(|same| same.entity.parse().ok()).collect()
}

/// Replaces names of persons that the document does not print by the part that it does: "Trump" of "Donald Trump", where it has
/// "Mr. Trump".
pub(super) fn keep_printed_names(extract: &mut DocumentExtract, printed: &PrintedNames<'_>) {
    for entity in extract.entities.iter_mut().filter(|entity| entity.kind.eq_ignore_ascii_case(PERSON)) {
        let mut is_changed = false;
        for name in std::iter::once(&mut entity.name).chain(&mut entity.aliases) {
            if let Some(part) = printed_part(printed, name) {
                *name = part;
                is_changed = true;
            }
        }
        if is_changed {
            let mut given = BTreeSet::from([entity.name.clone()]);
            entity.aliases.retain(|alias| given.insert(alias.clone()));
        }
    }
}

/// Returns the printed part of a name that is not printed as a whole.
fn printed_part(printed: &PrintedNames<'_>, name: &str) -> Option<String> {
    if printed.has(name) { None } else { printed.ending_of(name).map(str::to_owned) }
}

/// Builds the write for `extract` of `document`, and every error. `known` are the names of the entities of `known_entities` that
/// the scope sees.
pub(super) fn plan(
    engine: &Engine,
    extract: &DocumentExtract,
    document: &DocumentText,
    printed: &PrintedNames<'_>,
    resolve_within: Scope,
    known: &BTreeMap<EntityId, Vec<String>>,
) -> Result<GraphWrite, Vec<ItemError>> {
    let mut refs = RefTargets::collect(extract);
    let outlet = extract.outlet.as_deref().and_then(|outlet| refs.entity("outlet", outlet));
    // A place publishes nothing: the name of a country would stand in citations as their outlet.
    let outlet = outlet.filter(|n| kind_of(&extract.entities[*n].kind) != Some(NameKind::Place));
    let claims =
        extract.claims.iter().enumerate().filter_map(|(n, claim)| refs.claim_of(engine, document, printed, n, claim)).collect();
    let relationships = extract
        .relationships
        .iter()
        .enumerate()
        .filter_map(|(n, item)| refs.relationship_of(engine, document, n, item))
        .collect();
    let (mut updates, mut same_as, mut entities) = (vec![], vec![], vec![]);
    for (n, entity) in extract.entities.iter().enumerate() {
        refs.check_names(printed, n, entity);
        updates.extend(refs.updates_of(n, entity));
        same_as.extend(refs.same_as_of(engine, (printed, known), n, entity));
        let external_ids = refs.external_ids_of(document, n, entity, &mut updates);
        entities.push(EntityProposal { external_ids, ..proposal(engine, extract, entity, outlet, &refs) });
    }
    if !refs.errors.is_empty() {
        return Err(refs.errors);
    }
    Ok(GraphWrite {
        document_id: document.document.id,
        collection_id: document.document.collection_id,
        document_order: evidence::document_order(&document.document),
        at: engine.clock.now(),
        resolve_within,
        outlet: outlet.map(EntityRef::New),
        entities,
        claims,
        relationships,
        updates,
        same_as,
        completes_document: true,
        in_view_of: None,
    })
}

fn proposal(
    engine: &Engine,
    extract: &DocumentExtract,
    entity: &EntityExtract,
    outlet: Option<usize>,
    refs: &RefTargets<'_>,
) -> EntityProposal {
    let is_outlet = outlet.is_some() && refs.entities.get(entity.reference.as_str()).copied() == outlet;
    let names_it = |claim: &(usize, &ClaimExtract)| is_outlet || claim.1.entities.contains(&entity.reference);
    EntityProposal {
        aliases: entity.aliases.clone(),
        is_stub: entity.is_stub.unwrap_or(false),
        claims: extract.claims.iter().enumerate().filter(names_it).map(|(n, _)| n).collect(),
        ..EntityProposal::new(&*engine.ids, &entity.name, &entity.kind)
    }
}

impl<'a> RefTargets<'a> {
    fn collect(extract: &'a DocumentExtract) -> Self {
        let mut refs = Self { entities: BTreeMap::new(), claims: BTreeMap::new(), errors: vec![] };
        for (n, entity) in extract.entities.iter().enumerate() {
            if entity.name.trim().is_empty() {
                refs.error(format!("entities[{n}]"), "its name is empty");
            }
            if refs.entities.insert(&entity.reference, n).is_some() {
                refs.error(format!("entities[{n}]"), format!("ref '{}' is used twice", entity.reference));
            }
        }
        for (n, claim) in extract.claims.iter().enumerate() {
            if refs.claims.insert(&claim.reference, n).is_some() {
                refs.error(format!("claims[{n}]"), format!("ref '{}' is used twice", claim.reference));
            }
        }
        refs
    }

    fn error(&mut self, item: String, error: impl Into<String>) {
        self.errors.push(ItemError { item, error: error.into() });
    }

    /// Returns the parsed value, or none and records the error.
    fn read<T>(&mut self, item: &str, field: &str, value: Result<Option<T>, String>) -> Option<T> {
        value.unwrap_or_else(|error| {
            self.error(format!("{item}.{field}"), error);
            None
        })
    }

    fn entity(&mut self, item: &str, reference: &str) -> Option<usize> {
        let found = self.entities.get(reference).copied();
        if found.is_none() {
            self.error(item.into(), format!("there is no entity with ref '{reference}'"));
        }
        found
    }

    /// Returns the indices of the referenced claims; records an error when there are none.
    fn claim_indices(&mut self, item: &str, references: &[String]) -> Vec<usize> {
        if references.is_empty() {
            self.error(item.into(), "name the claims that state it: nothing is written without evidence");
        }
        let mut found = vec![];
        for reference in references {
            match self.claims.get(reference.as_str()) {
                Some(n) => found.push(*n),
                None => self.error(item.into(), format!("there is no claim with ref '{reference}'")),
            }
        }
        found
    }

    /// Records an error for each name that the document does not print.
    fn check_names(&mut self, printed: &PrintedNames<'_>, n: usize, entity: &EntityExtract) {
        let advice = "give names and aliases as the document prints them";
        if !entity.name.trim().is_empty() && !printed.has(&entity.name) {
            self.error(
                format!("entities[{n}]"),
                format!("the name '{}' does not stand in the document: {advice}", entity.name),
            );
        }
        for alias in entity.aliases.iter().filter(|alias| !printed.has(alias)) {
            let item = format!("entities[{n}].aliases.{alias}");
            self.error(item, format!("the alias '{alias}' does not stand in the document: {advice}"));
        }
    }

    fn claim_of(
        &mut self,
        engine: &Engine,
        document: &DocumentText,
        printed: &PrintedNames<'_>,
        n: usize,
        claim: &ClaimExtract,
    ) -> Option<NewClaim> {
        let item = format!("claims[{n}]");
        if let Some(speaker) =
            claim.speaker.as_deref().filter(|speaker| !speaker.trim().is_empty() && !printed.has_described(speaker))
        {
            let advice = "name the speaker as the document does, or write `indirect` if it names nobody";
            self.error(item, format!("the speaker '{speaker}' does not stand in the document: {advice}"));
            return None;
        }
        let limit = engine.config.max_quote_chars;
        if claim.quote.chars().nth(limit).is_some() {
            self.error(item, format!("the quote is longer than {limit} characters: quote the sentence that states it"));
            return None;
        }
        let entities =
            claim.entities.iter().filter_map(|reference| self.entity(&item, reference)).map(EntityRef::New).collect();
        let statement = Statement {
            content: claim.content.clone(),
            quote: claim.quote.clone(),
            published: None,
            occurred: self.read(&item, "occurred", fields::period(claim.occurred.as_ref())),
            attribution: claim.attribution,
            information: claim.information,
            speaker: claim.speaker.clone(),
            mode: claim.mode,
            entities,
        };
        let made = evidence::claim(ClaimId(engine.ids.next()), &document.document, &document.text, statement);
        made.map_err(|error| self.error(item, error.to_string())).ok()
    }

    fn relationship_of(
        &mut self,
        engine: &Engine,
        document: &DocumentText,
        n: usize,
        item: &RelationshipExtract,
    ) -> Option<NewRelationship> {
        let at = format!("relationships[{n}]");
        let claims = self.claim_indices(&at, &item.claims);
        let (source, target) = (self.entity(&at, &item.source), self.entity(&at, &item.target));
        let weight = self.read(&at, "weight", fields::share(item.weight));
        let confidence = self.read(&at, "confidence", fields::confidence(item.confidence));
        let since = self.read(&at, "since", fields::date(item.since.as_deref()));
        let until = self.read(&at, "until", fields::date(item.until.as_deref()));
        if let Err(error) = fields::check_order(since, until) {
            self.error(at.clone(), error);
        }
        if item.description.trim().is_empty() {
            self.error(at, "its description is empty");
        }
        Some(NewRelationship {
            id: RelationshipId(engine.ids.next()),
            source: EntityRef::New(source?),
            target: EntityRef::New(target?),
            description: item.description.trim().to_owned(),
            weight,
            confidence,
            bidirectional: item.bidirectional,
            // Every claim of an extract is published with its document.
            timestamp: document.document.published.map(|published| published.value),
            since,
            until,
            claims,
            existing_claims: vec![],
        })
    }

    /// Builds one update per external id, each with its own evidence.
    fn external_ids_of(
        &mut self,
        document: &DocumentText,
        n: usize,
        entity: &EntityExtract,
        updates: &mut Vec<EntityUpdate>,
    ) -> BTreeMap<String, String> {
        let at = format!("entities[{n}]");
        let ids = self.read(&at, "external_ids", fields::external_ids(entity, &document.text).map(Some)).unwrap_or_default();
        for (external, (system, id)) in entity.external_ids.iter().zip(&ids) {
            let claims = self.claim_indices(&format!("{at}.external_ids.{system}"), &external.claims);
            let external_ids = BTreeMap::from([(system.clone(), id.clone())]);
            updates.push(EntityUpdate { external_ids, ..update(n, claims, None, BTreeMap::new()) });
        }
        ids.into_iter().collect()
    }

    fn same_as_of(
        &mut self,
        engine: &Engine,
        (printed, known): (&PrintedNames<'_>, &BTreeMap<EntityId, Vec<String>>),
        n: usize,
        entity: &EntityExtract,
    ) -> Vec<SameAs> {
        let mut found = vec![];
        for same in &entity.same_as {
            let at = format!("entities[{n}].same_as");
            let claims = self.claim_indices(&at, &same.claims);
            let other = match (self.entities.get(same.entity.as_str()), same.entity.parse().ok()) {
                (Some(other), _) => Some(EntityRef::New(*other)),
                (None, Some(id)) if known.contains_key(&id) => Some(EntityRef::Existing(id)),
                _ => None,
            };
            if let Some(EntityRef::Existing(id)) = other
                && !known.get(&id).is_some_and(|names| names.iter().any(|name| printed.has(name)))
            {
                self.error(at, format!("no name of the entity '{id}' stands in the document: the document must name both"));
                continue;
            }
            match other {
                None => self.error(at, format!("there is no entity with ref or id '{}'", same.entity)),
                Some(other) if other == EntityRef::New(n) => self.error(at, "it names the entity itself"),
                Some(other) => {
                    found.push(SameAs { id: ReviewId(engine.ids.next()), one: EntityRef::New(n), other, claims });
                }
            }
        }
        found
    }

    /// Builds one update per property or summary, each with its own evidence.
    fn updates_of(&mut self, n: usize, entity: &EntityExtract) -> Vec<EntityUpdate> {
        let mut updates = vec![];
        for property in &entity.properties {
            let at = format!("entities[{n}].properties.{}", property.key);
            let claims = self.claim_indices(&at, &property.claims);
            match PropertyKey::try_from(property.key.clone()) {
                Ok(key) => updates.push(update(n, claims, None, BTreeMap::from([(key, property.value.clone())]))),
                Err(error) => self.error(at, error.to_string()),
            }
        }
        if let Some(summary) = &entity.summary {
            let claims = self.claim_indices(&format!("entities[{n}].summary"), &summary.claims);
            updates.push(update(n, claims, Some(summary.text.clone()), BTreeMap::new()));
        }
        updates
    }
}

fn update(
    entity: usize,
    claims: Vec<usize>,
    summary: Option<String>,
    properties: BTreeMap<PropertyKey, PropertyValue>,
) -> EntityUpdate {
    EntityUpdate { summary, properties, ..EntityUpdate::new(EntityRef::New(entity), claims) }
}
