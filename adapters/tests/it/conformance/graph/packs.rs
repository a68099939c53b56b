//! Packs: documents written together have the result of documents written one after another.

use super::prelude::*;
use domain::RelationshipId;
use engine::graph::GraphWrite;
use std::collections::HashMap;

const DOCUMENTS: usize = 42;
const PACK: usize = 7;

/// Deterministic random numbers.
struct SeededRandom(u64);

impl SeededRandom {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    /// Returns a name: few family names for many people, so that some keys are shared by too many; in several spellings.
    fn name(&mut self) -> String {
        const GIVEN: [&str; 14] = [
            "Anna", "Boris", "Clara", "David", "Edith", "Farid", "Greta", "Hassan", "Irene", "Jonas", "Katya", "Lucian",
            "Mira", "Noah",
        ];
        let (given, family) = (self.one_of(&GIVEN), self.one_of(&["Katarova", "Ilveno"]));
        match self.below(6) {
            0 => format!("{}. {family}", &given[..1]),
            1 => format!("Dr {given} {family}"),
            2 => format!("{} Grain Board", self.one_of(&["Halvek", "Orrin", "Varrow"])),
            3 => self.one_of(&["HGB", "Halvek", "Kestra"]).to_owned(),
            _ => format!("{given} {family}"),
        }
    }
}

/// Writes documents that share names, kinds, ids in other systems and relationships.
fn documents(home: CollectionId, count: usize) -> Vec<GraphWrite> {
    let mut random = SeededRandom(3);
    (0..count).map(|n| document(&mut random, home, n)).collect()
}

fn document(random: &mut SeededRandom, home: CollectionId, n: usize) -> GraphWrite {
    let mut sheet = DocumentWrite::new(home, &format!("{n:03}"));
    let entities: Vec<usize> = (0..2 + random.below(4))
        .map(|_| {
            let name = random.name();
            sheet.entity(&name, ["person", "organisation", "place"][random.below(3)])
        })
        .collect();
    if random.below(3) == 0 {
        sheet.write.entities[0].aliases = vec![random.name()];
    }
    sheet.write.outlet = (random.below(2) == 0).then_some(EntityRef::New(entities[0]));
    for claim in 0..1 + random.below(3) {
        let named = [entities[claim % entities.len()], entities[random.below(entities.len())]];
        let content = format!("Statement {} of {n}.", random.below(2));
        sheet.claim(&content, &named);
    }
    for _ in 0..random.below(3) {
        let (source, target) = (entities[random.below(entities.len())], entities[random.below(entities.len())]);
        let link = sheet.link(source, target, random.one_of(&["blamed", "works for"]), &[0]);
        sheet.write.relationships[link].weight = Some(random.below(4) as f64 / 4.0);
    }
    let (system, number) = (random.one_of(&["wikidata", "viaf"]).to_owned(), random.below(5));
    let update = sheet.update(EntityRef::New(entities[random.below(entities.len())]), &[0]);
    match n % 3 {
        0 => drop(update.external_ids.insert(system, format!("Q{number}"))),
        1 => update.summary = Some(format!("Summary {number}.")),
        _ => {
            let key = PropertyKey::try_from("members".to_owned()).unwrap();
            update.properties.insert(key, PropertyValue::Integer(number as i64));
        }
    }
    if random.below(4) == 0 {
        sheet.same(entities[0], EntityRef::New(entities[1]), &[0]);
    }
    sheet.write
}

/// Labels ids by their first appearance, so that two runs can be compared.
#[derive(Default)]
struct Labels(HashMap<uuid::Uuid, usize>);

impl Labels {
    fn label(&mut self, id: uuid::Uuid) -> usize {
        let next = self.0.len();
        *self.0.entry(id).or_insert(next)
    }
}

/// Describes outcomes and the resulting graph without ids.
async fn describe(fixture: &GraphFixture, home: CollectionId, outcomes: &[WriteOutcome]) -> Vec<String> {
    let (scope, mut labels, mut found) = (Scope::from(home), Labels::default(), vec![]);
    let (mut entities, mut relationships) = (vec![], vec![]);
    for outcome in outcomes {
        let resolved: Vec<_> = outcome.entities.iter().map(|entity| (labels.label(entity.id.0), entity.is_new)).collect();
        let claims: Vec<_> = outcome.claims.iter().map(|claim| (labels.label(claim.id.0), claim.is_new)).collect();
        let links: Vec<_> = outcome.relationships.iter().map(|link| (labels.label(link.id.0), link.is_new)).collect();
        found.push(format!("{resolved:?} {claims:?} {links:?}"));
        entities.extend(outcome.entities.iter().filter(|entity| entity.is_new).map(|entity| entity.id));
        relationships.extend(outcome.relationships.iter().filter(|link| link.is_new).map(|link| link.id));
    }
    for entity in fixture.graph.entities(&scope, &entities).await.unwrap() {
        let properties: Vec<_> =
            entity.properties.values().map(|property| (&property.value, property.claim_ids.len())).collect();
        let summary = entity.summary.as_ref().map(|summary| (&summary.value, summary.claim_ids.len()));
        let label = labels.label(entity.id.0);
        let (name, aliases, kind) = (&entity.canonical_name, &entity.aliases, &entity.kind);
        found.push(format!("{label} {name} {aliases:?} {kind} {summary:?} {properties:?} {:?}", entity.external_ids));
    }
    for link in fixture.graph.relationships(&scope, &relationships).await.unwrap() {
        let ends = (labels.label(link.source_id.0), labels.label(link.target_id.0));
        found.push(format!("{ends:?} {} {:?} {}", link.description, link.weight, link.claim_ids.len()));
    }
    let reviews = fixture.graph.reviews(&scope, 0, 1_000).await.unwrap();
    let review = |labels: &mut Labels, pair: domain::entity::Review| {
        format!("{:?} {} {}", (labels.label(pair.left.0), labels.label(pair.right.0)), pair.score, pair.why)
    };
    let mut reviews: Vec<String> = reviews.into_iter().map(|pair| review(&mut labels, pair)).collect();
    reviews.sort();
    found.extend(reviews);
    found.push(format!("{:?}", fixture.counts(&scope).await));
    found
}

pub async fn a_pack_is_written_as_its_documents_one_by_one(fixture: &GraphFixture) {
    let (one_by_one, in_packs) = (collection(), collection());
    let mut expected = vec![];
    for write in documents(one_by_one, DOCUMENTS) {
        expected.extend(fixture.graph.write(&[write], &fixture.cascade).await.unwrap());
    }
    let mut outcomes = vec![];
    for pack in documents(in_packs, DOCUMENTS).chunks(PACK) {
        outcomes.extend(fixture.graph.write(pack, &fixture.cascade).await.unwrap());
    }
    let expected = describe(fixture, one_by_one, &expected).await;
    assert!(expected.iter().any(|line| line.contains("true")) && expected.iter().any(|line| line.contains("false")));
    assert_eq!(describe(fixture, in_packs, &outcomes).await, expected);
}

pub async fn a_pack_with_known_documents_is_written_as_its_documents_one_by_one(fixture: &GraphFixture) {
    let (one_by_one, in_packs) = (collection(), collection());
    let known = |writes: &[GraphWrite]| [writes[2].clone(), writes[5].clone()];
    let (writes, pack) = (documents(one_by_one, PACK), documents(in_packs, PACK));
    let mut expected = fixture.graph.write(&known(&writes), &fixture.cascade).await.unwrap();
    for write in &writes {
        expected.extend(fixture.graph.write(std::slice::from_ref(write), &fixture.cascade).await.unwrap());
    }
    let mut outcomes = fixture.graph.write(&known(&pack), &fixture.cascade).await.unwrap();
    outcomes.extend(fixture.graph.write(&pack, &fixture.cascade).await.unwrap());
    let has_new: Vec<bool> = outcomes.iter().map(|outcome| outcome.claims[0].is_new).collect();
    assert_eq!(has_new, [true, true, true, true, false, true, true, false, true]);
    assert_eq!(describe(fixture, in_packs, &outcomes).await, describe(fixture, one_by_one, &expected).await);
}

pub async fn a_pack_written_again_changes_nothing(fixture: &GraphFixture) {
    let home = collection();
    let writes = documents(home, PACK);
    let first = fixture.graph.write(&writes, &fixture.cascade).await.unwrap();
    let before = describe(fixture, home, &first).await;
    // Half of it again, with ids of a reader that starts anew, beside a document that is new.
    let mut again = documents(home, PACK + 1);
    for (write, known) in again.iter_mut().zip(&writes) {
        write.document_id = known.document_id;
        write.entities.iter_mut().for_each(|entity| {
            entity.id = EntityId(id());
            entity.review_ids.iter_mut().for_each(|review| *review = ReviewId(id()));
        });
        write.claims.iter_mut().for_each(|claim| claim.id = ClaimId(id()));
        write.relationships.iter_mut().for_each(|link| link.id = RelationshipId(id()));
    }
    let new = again.pop().unwrap();
    let second = fixture.graph.write(&again, &fixture.cascade).await.unwrap();
    assert!(second.iter().flat_map(|outcome| &outcome.claims).all(|claim| !claim.is_new));
    assert_eq!(describe(fixture, home, &first).await, before);
    let mixed = fixture.graph.write(&[again.remove(0), new], &fixture.cascade).await.unwrap();
    assert!(mixed[0].claims.iter().all(|claim| !claim.is_new) && mixed[1].claims[0].is_new);
}

pub async fn a_refused_document_refuses_its_pack(fixture: &GraphFixture) {
    let home = collection();
    let mut writes = documents(home, 3);
    writes[2].same_as.clear();
    let unknown = EntityRef::Existing(EntityId(id()));
    writes[2].claims[0].entities = vec![unknown];
    let refused = fixture.graph.write(&writes, &fixture.cascade).await;
    assert!(matches!(refused, Err(StoreError::Invalid(_))), "{refused:?}");
    assert_eq!(fixture.counts(&Scope::from(home)).await, (0, 0, 0));
    let elsewhere = documents(collection(), 1).remove(0);
    let refused = fixture.graph.write(&[writes[0].clone(), elsewhere], &fixture.cascade).await;
    assert!(matches!(refused, Err(StoreError::Invalid(_))), "{refused:?}");
    fixture.graph.write(&writes[..2], &fixture.cascade).await.unwrap();
}
