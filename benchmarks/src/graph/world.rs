//! A generated graph, deterministic by seed: a few entities are in most relationships and claims, as in real reporting.

use crate::corpus::{SeededRandom, capital, mix};
use domain::{
    ClaimId, CollectionId, DocumentId, EntityId, Precision, PublicationDate, PublishedBasis, RelationshipId, Timestamp,
    claim::{Attribution, Mode},
};
use engine::graph::{EntityProposal, EntityRef, GraphWrite, NewClaim, NewRelationship};
use std::{
    collections::{BTreeMap, HashMap},
    ops::RangeInclusive,
};
use uuid::Uuid;

const CLAIMS_PER_DOCUMENT: u32 = 8;
/// Claims for each entity, and for ten entities three times as many relationships.
const CLAIMS_PER_ENTITY: u32 = 10;
const RELATIONSHIPS_PER_ENTITY: u32 = 3;
/// Words of the language, and in a claim: lengths differ, as in reports, so that few claims score alike.
const WORDS: u64 = 4_096;
const WORDS_PER_CLAIM: RangeInclusive<u64> = 8..=30;
/// Days over which the documents were published.
const DAYS: u64 = 1_500;
const DAY_MICROS: i64 = 86_400_000_000;
const FIRST_DAY: i64 = 1_900_000_000_000_000;
const BODIES: [&str; 5] = ["Group", "Ministry", "Press", "Union", "Institute"];
const KINDS: [&str; 4] = ["organisation", "person", "place", "outlet"];

/// Generator of documents.
pub struct World {
    random: SeededRandom,
    collection: CollectionId,
    entities: u32,
    documents: u32,
}

impl World {
    /// Returns a world with that many claims.
    pub fn new(collection: CollectionId, claims: u32) -> Self {
        let documents = claims.div_ceil(CLAIMS_PER_DOCUMENT);
        Self { random: SeededRandom(29), collection, entities: (claims / CLAIMS_PER_ENTITY).max(2), documents }
    }

    pub const fn documents(&self) -> u32 {
        self.documents
    }

    pub const fn entities(&self) -> u32 {
        self.entities
    }

    /// Returns the name of an entity. Low numbers are in most claims and relationships.
    pub fn name(number: u32) -> String {
        let number = u64::from(number);
        // Different for each number: the first word for 4,096 of them, the second for those that share it.
        let first = number.wrapping_mul(2_654_435_761) % WORDS;
        let second = (number.wrapping_mul(40_503) + number / WORDS * 1_237 + 977) % WORDS;
        format!("{} {} {}", capital(word_bits(first)), capital(word_bits(second)), BODIES[number as usize % BODIES.len()])
    }

    /// Returns words of a query, from common (0.0) to rare (1.0).
    pub fn words(random: &mut SeededRandom, count: usize, rarity: f64) -> String {
        let word = |random: &mut SeededRandom| {
            let rank = (WORDS as f64).powf(rarity * 0.9 + 0.1 * unit(random)) as u64;
            capital(word_bits(rank.min(WORDS - 1))).to_lowercase()
        };
        (0..count).map(|_| word(random)).collect::<Vec<_>>().join(" ")
    }

    /// Returns the extract of a document.
    pub fn document(&mut self, number: u32) -> GraphWrite {
        let published = FIRST_DAY + (self.random.below(DAYS) as i64) * DAY_MICROS;
        let mut sheet = Sheet::default();
        let claims = (0..CLAIMS_PER_DOCUMENT).map(|place| self.claim(number, place, published, &mut sheet)).collect();
        let share = |document: u32| {
            u64::from(document) * u64::from(self.entities * RELATIONSHIPS_PER_ENTITY) / u64::from(self.documents)
        };
        let relationships = (share(number)..share(number + 1)).map(|n| self.relationship(n as u32, &mut sheet)).collect();
        let (id, at) = (DocumentId(self.id()), Timestamp::from_micros(published));
        GraphWrite {
            entities: sheet.proposals.into_iter().map(|number| self.proposal(number)).collect(),
            claims,
            relationships,
            ..GraphWrite::new(id, self.collection, format!("{number:08}"), at)
        }
    }

    fn claim(&mut self, document: u32, place: u32, published: i64, sheet: &mut Sheet) -> NewClaim {
        // One is busy; the other makes sure that every entity is mentioned.
        let next = (document * CLAIMS_PER_DOCUMENT + place) % self.entities;
        let about = [self.busy_entity(), next].map(|number| sheet.entity(number));
        let content = Self::words_of_claim(&mut self.random);
        NewClaim {
            published: Some(PublicationDate {
                value: Timestamp::from_micros(published),
                precision: Precision::Day,
                basis: PublishedBasis::Stated,
            }),
            attribution: if place == 0 { Attribution::Primary } else { Attribution::Secondhand },
            mode: [Mode::Asserted, Mode::Asserted, Mode::Asserted, Mode::Alleged, Mode::Denied][(place % 5) as usize],
            ..NewClaim::quoted(ClaimId(self.id()), &content, u64::from(place) * 200, about.to_vec())
        }
    }

    fn relationship(&mut self, number: u32, sheet: &mut Sheet) -> NewRelationship {
        // Every entity is the target of three; most sources are busy.
        let target = number % self.entities;
        let source = match self.busy_entity() {
            same if same == target => (same + 1) % self.entities,
            other => other,
        };
        let words = Self::words(&mut self.random, 2, 0.5);
        let id = RelationshipId(self.id());
        let (source, target) = (sheet.entity(source), sheet.entity(target));
        let weight = Some(self.random.below(100) as f64 / 100.0);
        let bidirectional = self.random.below(4) == 0;
        let claim = self.random.below(u64::from(CLAIMS_PER_DOCUMENT)) as usize;
        NewRelationship {
            weight,
            bidirectional,
            ..NewRelationship::new(id, source, target, &format!("{words} {number}"), vec![claim])
        }
    }

    fn proposal(&mut self, number: u32) -> EntityProposal {
        EntityProposal {
            id: EntityId(self.id()),
            review_ids: vec![],
            name: Self::name(number),
            aliases: vec![],
            kind: KINDS[number as usize % KINDS.len()].into(),
            is_stub: true,
            external_ids: BTreeMap::new(),
            verdicts: vec![],
            claims: vec![],
        }
    }

    fn words_of_claim(random: &mut SeededRandom) -> String {
        let word = |random: &mut SeededRandom| {
            let rank = (WORDS as f64).powf(unit(random)) as u64 - 1;
            capital(word_bits(rank)).to_lowercase()
        };
        let (least, most) = WORDS_PER_CLAIM.into_inner();
        let count = least + random.below(most - least + 1);
        (0..count).map(|_| word(random)).collect::<Vec<_>>().join(" ")
    }

    /// Returns a random entity, small numbers far more often.
    fn busy_entity(&mut self) -> u32 {
        (f64::from(self.entities).powf(unit(&mut self.random)) - 1.0) as u32
    }

    fn id(&mut self) -> Uuid {
        Uuid::from_u64_pair(mix(self.random.below(u64::MAX)), mix(self.random.below(u64::MAX)))
    }
}

/// Entities of a document, by their place in its list.
#[derive(Default)]
struct Sheet {
    proposals: Vec<u32>,
    places: HashMap<u32, usize>,
}

impl Sheet {
    fn entity(&mut self, number: u32) -> EntityRef {
        let proposals = &mut self.proposals;
        EntityRef::New(*self.places.entry(number).or_insert_with(|| {
            proposals.push(number);
            proposals.len() - 1
        }))
    }
}

/// Spreads twelve bits over the three that `capital` reads for each syllable.
const fn word_bits(rank: u64) -> u64 {
    (rank & 15) | (rank >> 4 & 15) << 8 | (rank >> 8 & 15) << 16
}

/// Returns a number from 0 to 1.
fn unit(random: &mut SeededRandom) -> f64 {
    const STEPS: u64 = 1 << 53;
    random.below(STEPS) as f64 / STEPS as f64
}
