//! Isolation of tenants in the graph: what another does changes no review, merge, split or search that I see.
//!
//! `open` is a collection that all see; `hers` and `his` are private ones.

use super::prelude::*;
use domain::{
    QueryLimits, QueryText,
    entity::{Review, ReviewDecision},
};
use engine::graph::{
    GraphQuery, ListedMerges, Split, SplitOutcome,
    readership::{Readers, Readership},
};

const SECRET: &str = "ORCHID says that Maria Kestrel uses the name Marja Kestrel.";

async fn pairs(fixture: &GraphFixture, scope: &Scope) -> Vec<Review> {
    fixture.graph.reviews(scope, 0, 9).await.unwrap()
}

/// Open documents that name two whose names are alike.
async fn name_both(fixture: &GraphFixture, open: CollectionId) {
    for (path, name) in [("a", "Maria Kestrel"), ("b", "Marja Kestrel")] {
        let mut sheet = mention(open, path, name, &format!("{name} signed the lease."));
        sheet.write.entities[0].kind = "person".into();
        fixture.write(&sheet).await;
    }
}

/// A document that says that both are one.
fn secret(hers: CollectionId, open: CollectionId) -> DocumentWrite {
    let mut secret = DocumentWrite::new(hers, "secret").beside(&[open]);
    let (maria, marja) = (secret.entity("Maria Kestrel", "person"), secret.entity("Marja Kestrel", "person"));
    let claim = secret.claim(SECRET, &[maria, marja]);
    secret.same(maria, EntityRef::New(marja), &[claim]);
    secret
}

pub async fn a_reason_with_words_of_a_private_document_stays_with_its_readers(fixture: &GraphFixture) {
    // Whichever comes first.
    for is_secret_first in [false, true] {
        let (open, hers) = (collection(), collection());
        let (all, both) = (Scope::from(open), Scope::new(vec![open, hers]));
        let secret = secret(hers, open);
        if is_secret_first {
            fixture.write(&secret).await;
            name_both(fixture, open).await;
        } else {
            name_both(fixture, open).await;
            let before = pairs(fixture, &all).await;
            fixture.write(&secret).await;
            assert_eq!(pairs(fixture, &all).await, before, "score, reason and time are those of before");
        }
        let seen = pairs(fixture, &all).await;
        let [seen] = &seen[..] else { panic!("one pair is seen by all: {seen:?}") };
        assert!(seen.score < 1.0 && !Review::is_quoting(&seen.why) && !seen.why.is_empty(), "{seen:?}");
        let hers_too = pairs(fixture, &both).await;
        assert!(hers_too.iter().any(|pair| pair.why.contains("ORCHID") && pair.score == 1.0), "{hers_too:?}");
        fixture.graph.remove_documents(&[secret.write.document_id]).await.unwrap();
        assert_eq!(pairs(fixture, &all).await, std::slice::from_ref(seen));
        assert!(pairs(fixture, &both).await.iter().all(|pair| !pair.why.contains("ORCHID")));
    }
}

pub async fn a_reason_goes_with_its_document(fixture: &GraphFixture) {
    let (open, hers) = (collection(), collection());
    let both = Scope::new(vec![open, hers]);
    name_both(fixture, open).await;
    let stated = secret(hers, open);
    fixture.write(&stated).await;
    // Another document of hers names both, so that their names stay in the collection.
    let mut other = DocumentWrite::new(hers, "other").beside(&[open]);
    let named = [other.entity("Maria Kestrel", "person"), other.entity("Marja Kestrel", "person")];
    other.claim("Maria Kestrel and Marja Kestrel met.", &named);
    fixture.write(&other).await;
    fixture.graph.remove_documents(&[stated.write.document_id]).await.unwrap();
    let left = pairs(fixture, &both).await;
    assert!(left.len() == 1 && !left[0].why.contains("ORCHID") && left[0].score < 1.0, "{left:?}");
}

pub async fn a_decision_counts_where_it_is_seen(fixture: &GraphFixture) {
    let (open, hers) = (collection(), collection());
    let (all, both, own) = (Scope::from(open), Scope::new(vec![open, hers]), Scope::from(hers));
    name_both(fixture, open).await;
    let secret = secret(hers, open);
    fixture.write(&secret).await;
    let before = pairs(fixture, &all).await;
    let (review, at, by) = (before[0].id, secret.write.at, Some(UserId(id())));
    let decide = async |scope: &Scope, decision| fixture.graph.decide_review(scope, review, decision, by, at).await.unwrap();
    assert!(decide(&own, ReviewDecision::KeepApart).await);
    assert!(pairs(fixture, &both).await.is_empty(), "her decision counts for her");
    assert_eq!(pairs(fixture, &all).await, before, "and for no one else");
    assert_eq!(fixture.graph.open_reviews(&all).await.unwrap(), 1);
    assert!(fixture.graph.kept_apart(&all, 9).await.unwrap().is_empty());
    assert!(decide(&all, ReviewDecision::KeepApart).await);
    let apart = fixture.graph.kept_apart(&all, 9).await.unwrap();
    assert_eq!((apart.len(), apart[0].decided_by, pairs(fixture, &all).await.len()), (1, by, 0));
}

pub async fn a_scope_has_any_number_of_collections(fixture: &GraphFixture) {
    const COLLECTIONS: usize = 600;
    // A statement of SQLite grows with the collections that have claims, one of Neo4j with their ids only.
    let written = if fixture.is_on_neo4j() { 6 } else { COLLECTIONS };
    let mut scope = Scope::default();
    for n in 0..COLLECTIONS {
        let home = collection();
        scope = scope.with(home);
        if n + written < COLLECTIONS {
            continue;
        }
        let mut sheet = mention(home, "a", &format!("Firm {n}"), "The kestrel was sold.");
        let buyer = sheet.entity(&format!("Buyer {n}"), "person");
        sheet.link(0, buyer, "sold a kestrel to", &[0]);
        fixture.write(&sheet).await;
    }
    let text = Some(QueryText::from("kestrel"));
    let entities = EntityQuery { text: Some("firm 599".into()), candidates: 3, ..EntityQuery::default() };
    let claims = ClaimQuery { text: text.clone(), candidates: 3, ..ClaimQuery::default() };
    let relationships = RelationshipQuery { text, candidates: 3, ..RelationshipQuery::default() };
    let found = fixture.graph.find_entities(&scope, &entities).await.unwrap();
    assert!(found.iter().any(|found| found.item.canonical_name == "Firm 599"));
    assert!(fixture.graph.find_claims(&scope, &claims).await.unwrap().len() >= 3);
    let newest = ClaimQuery { order: ClaimOrder::NewestFirst, ..claims.clone() };
    assert!(!fixture.graph.find_claims(&scope, &newest).await.unwrap().is_empty());
    assert!(fixture.graph.find_relationships(&scope, &relationships).await.unwrap().len() >= 3);
    // A long query, too.
    let words: Vec<String> = (0..700).map(|n| format!("kestrel firm{n} buyer{n}")).collect();
    let limits = QueryLimits { max_chars: usize::MAX, max_words: usize::MAX };
    let long = ClaimQuery { text: Some(limits.text(&words.join(" "))), ..claims.clone() };
    assert!(!fixture.graph.find_claims(&scope, &long).await.unwrap().is_empty());
    let query = GraphQuery { entities: Some(entities), claims: Some(claims), relationships: Some(relationships) };
    let all = fixture.graph.find_all(&scope, &query).await.unwrap();
    assert!(all.claims.len() >= 3 && all.relationships.len() >= 3 && !all.entities.is_empty());
    assert_eq!(fixture.counts(&scope).await.0, written as u64);
    assert!(fixture.graph.reviews(&scope, 0, 9).await.is_ok());
}

pub async fn a_merge_with_a_hidden_side_is_listed_for_administrators(fixture: &GraphFixture) {
    let (open, hers) = (collection(), collection());
    let (all, both) = (Scope::from(open), Scope::new(vec![open, hers]));
    let shipping = mention(open, "a", "Halvek Shipping", "Halvek Shipping met.");
    let public = fixture.write(&shipping).await.entities[0].id;
    let bridge = mention(hers, "b", "Zed Quillfeather", "Zed met.");
    let private = fixture.write(&bridge).await.entities[0].id;
    let named = fixture.graph.named_in(private).await.unwrap();
    assert_eq!((&named.own[..], &named.all[..]), (&[hers][..], &[hers][..]));
    let merge = MergeId(id());
    fixture.graph.merge(merge, private, public, None, shipping.write.at).await.unwrap();
    for id in [private, public] {
        let named = fixture.graph.named_in(id).await.unwrap();
        let all: BTreeSet<CollectionId> = named.all.into_iter().collect();
        assert_eq!((&named.own[..], all), (&[hers][..], BTreeSet::from([open, hers])));
    }
    assert!(fixture.graph.merges(&all, ListedMerges::Named, 9).await.unwrap().is_empty());
    let names = async |scope: &Scope| {
        let listed = fixture.graph.merges(scope, ListedMerges::All, 9).await.unwrap();
        let found = listed.into_iter().find(|listed| listed.id == merge).expect("every merge is listed");
        (found.survivor_name, found.merged_name)
    };
    assert_eq!(names(&all).await, (private.to_string(), "Halvek Shipping".into()), "an id where the name is hidden");
    assert_eq!(names(&both).await.0, "Zed Quillfeather");
    fixture.graph.remove_documents(&[bridge.write.document_id]).await.unwrap();
    assert_eq!(names(&both).await.0, private.to_string(), "also when its name is gone");
    fixture.graph.undo_merge(merge).await.unwrap();
    assert_eq!(fixture.graph.entities(&all, &[public]).await.unwrap()[0].id, public);
}

pub async fn statements_of_others_change_no_split(fixture: &GraphFixture) {
    let split_of = |entity: EntityId, claims: &[domain::ClaimId], readership: &Readership| Split {
        entity,
        new: EntityId(id()),
        review: ReviewId(id()),
        readership: readership.clone(),
        claims: claims.to_vec(),
        by: None,
        at: mention(collection(), "x", "X", "x").write.at,
    };
    for has_memo in [false, true] {
        let (open, hers, his) = (collection(), collection(), collection());
        let (his_scope, her_scope) = (Scope::new(vec![open, his]), Scope::new(vec![open, hers]));
        let some = |name: CollectionId| Readers::These(BTreeSet::from([UserId(name.0)]));
        let readership: Readership = [(open, Readers::Everybody), (hers, some(hers)), (his, some(his))].into_iter().collect();
        let about =
            |home, path, deed: &str| mention(home, path, "Tomas Veldt", &format!("Tomas Veldt {deed}.")).beside(&[open]);
        let first = fixture.write(&about(open, "a", "sold it")).await;
        let second = fixture.write(&about(open, "b", "bought it")).await;
        let note = fixture.write(&about(his, "c", "left")).await;
        let (veldt, claim) = (first.entities[0].id, first.claims[0].id);
        if has_memo {
            let mut memo = about(hers, "memo", "is ours");
            let alias = memo.entity("The Clerk", "organisation");
            let said = memo.claim("The Clerk is ours.", &[alias]);
            memo.link(0, alias, "is", &[said]);
            let memo = fixture.write(&memo).await;
            assert_eq!(memo.entities[0].id, veldt);
            fixture.graph.merge(MergeId(id()), veldt, memo.entities[1].id, None, about(hers, "x", "x").write.at).await.unwrap();
        }
        let everything = [claim, second.claims[0].id, note.claims[0].id];
        let split = async |claims: &[domain::ClaimId]| {
            fixture.graph.split(&his_scope, &split_of(veldt, claims, &readership)).await.unwrap()
        };
        assert_eq!(split(&everything).await, SplitOutcome::OneSided, "nothing that he sees would stay: {has_memo}");
        assert_eq!(split(&everything[..2]).await, SplitOutcome::Divided, "the last open name stays: {has_memo}");
        assert_eq!(split(&everything[..1]).await, SplitOutcome::Done, "a merge out of sight is in no way: {has_memo}");
        for scope in [&his_scope, &her_scope, &Scope::from(open)] {
            let kept = fixture.graph.entities(scope, &[veldt]).await.unwrap();
            assert_eq!(kept[0].canonical_name, "Tomas Veldt", "the address stays");
        }
        let query = ClaimQuery { entity_id: Some(veldt), candidates: 9, ..ClaimQuery::default() };
        let her_claims = fixture.graph.find_claims(&her_scope, &query).await.unwrap();
        assert_eq!(her_claims.len(), 1 + if has_memo { 2 } else { 0 }, "what he does not see stays with the open side");
    }
}
