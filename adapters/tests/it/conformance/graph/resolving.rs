//! Resolution inside the write.

use super::prelude::*;
use domain::entity::{IdentityVerdict, Review, ReviewDecision, ReviewStage};
use engine::graph::{ResolutionVerdict, resolve::open_pairs};

pub async fn one_name_is_one_entity_within_and_between_documents(fixture: &GraphFixture) {
    let home = collection();
    let mut sheet = DocumentWrite::new(home, "a");
    let one = sheet.entity("Radio Ebrin", "outlet");
    let other = sheet.entity("RADIO EBRIN", "outlet");
    sheet.claim("It broadcast.", &[one, other]);
    let first = fixture.write(&sheet).await;
    assert_eq!(first.entities[0].id, first.entities[1].id);
    assert!(first.entities[0].is_new && !first.entities[1].is_new);
    let second = fixture.write(&mention(home, "b", "Radio Ebrín", "It stopped.")).await;
    assert_eq!(second.entities[0].id, first.entities[0].id);
    assert_eq!(fixture.counts(&Scope::from(home)).await, (2, 1, 0));
}

pub async fn an_external_id_decides(fixture: &GraphFixture) {
    let home = collection();
    let named = |path: &str, name: &str, id: &str| {
        let mut sheet = mention(home, path, name, "It exists.");
        sheet.write.entities[0].external_ids.insert("wikidata".into(), id.into());
        sheet
    };
    let first = fixture.write(&named("a", "Kestra Press", "Q1")).await;
    let renamed = fixture.write(&named("b", "Valley Post", "Q1")).await;
    assert_eq!(renamed.entities[0].id, first.entities[0].id);
    let namesake = fixture.write(&named("c", "Kestra Press", "Q2")).await;
    assert_ne!(namesake.entities[0].id, first.entities[0].id);
    assert_eq!(fixture.graph.reviews(&Scope::from(home), 0, 9).await.unwrap(), []);
}

pub async fn a_short_form_is_only_proposed_until_a_person_merges_it(fixture: &GraphFixture) {
    let (home, scope) = home();
    let person = |path: &str, name: &str, aliases: &[&str]| {
        let mut sheet = DocumentWrite::new(home, path);
        let entity = sheet.entity(name, "person");
        sheet.write.entities[entity].aliases = aliases.iter().map(|alias| (*alias).into()).collect();
        let claim = sheet.claim("They met.", &[entity]);
        sheet.write.entities[entity].claims.push(claim);
        sheet
    };
    let robert = fixture.write(&person("a", "Robert Castellan", &["Castellan"])).await.entities[0].id;
    let ana = fixture.write(&person("b", "Ana Castellan", &["Castellan"])).await.entities[0];
    let castellan = fixture.write(&person("c", "Castellan", &[])).await.entities[0];
    assert!(ana.is_new && castellan.is_new);
    let reviews = fixture.graph.reviews(&scope, 0, 9).await.unwrap();
    let pairs: Vec<_> = reviews.iter().map(|review| (review.left, review.right)).collect();
    for pair in [(robert, ana.id), (robert, castellan.id), (ana.id, castellan.id)] {
        assert!(pairs.contains(&pair), "{reviews:?}");
    }
    let at = super::fixture::noon().now();
    fixture.graph.merge(MergeId(id()), robert, castellan.id, None, at).await.unwrap();
    assert_eq!(fixture.write(&person("d", "Castellan", &[])).await.entities[0].id, robert);
    assert_eq!(fixture.write(&person("e", "Ana Castellan", &[])).await.entities[0].id, ana.id);
}

pub async fn known_entities_of_one_name_are_proposed(fixture: &GraphFixture) {
    let (ada, shared) = (collection(), collection());
    let both = Scope::new(vec![ada, shared]);
    // Neither document was resolved within the collection of the other.
    let private = fixture.write(&mention(ada, "a", "Halvek Front", "It struck.")).await.entities[0].id;
    let open = fixture.write(&mention(shared, "b", "Halvek Front", "It denied this.")).await.entities[0].id;
    assert_ne!(private, open);
    let reading = mention(ada, "c", "Halvek Front", "It struck again.").beside(&[shared]);
    let chosen = fixture.write(&reading).await.entities[0].id;
    assert!(chosen == private || chosen == open);
    let reviews = fixture.graph.reviews(&both, 0, 9).await.unwrap();
    assert_eq!(reviews.iter().map(|review| (review.left, review.right)).collect::<Vec<_>>(), [(private, open)]);
    assert_eq!(fixture.graph.reviews(&Scope::from(shared), 0, 9).await.unwrap(), [], "a private name is nobody else's");
}

/// A full name and one with an initial: probable without further evidence.
fn namesakes(home: domain::CollectionId) -> (DocumentWrite, DocumentWrite) {
    let mut full = DocumentWrite::new(home, "a");
    let entity = full.entity("Robert Orrin", "person");
    full.claim("Robert Orrin was seen.", &[entity]);
    let mut person = DocumentWrite::new(home, "b");
    let entity = person.entity("R. Orrin", "person");
    person.claim("R. Orrin fled.", &[entity]);
    (full, person)
}

pub async fn a_probable_match_stays_two_and_waits_for_a_judge(fixture: &GraphFixture) {
    let (home, scope) = home();
    let (full, person) = namesakes(home);
    let first = fixture.write(&full).await;
    let second = fixture.write(&person).await;
    assert!(second.entities[0].is_new);
    let reviews = fixture.graph.reviews(&scope, 0, 9).await.unwrap();
    assert_eq!(reviews.len(), 1);
    assert_eq!(fixture.graph.open_reviews(&scope).await.unwrap(), 1);
    assert_eq!(fixture.graph.reviews(&scope, 1, 9).await.unwrap(), [], "the first is skipped");
    assert_eq!((reviews[0].left, reviews[0].right), (first.entities[0].id, second.entities[0].id));
    fixture.write(&person).await;
    assert_eq!(fixture.graph.reviews(&scope, 0, 9).await.unwrap(), reviews);
    fixture.graph.merge(MergeId(id()), reviews[0].left, reviews[0].right, None, full.write.at).await.unwrap();
    assert_eq!(fixture.graph.reviews(&scope, 0, 9).await.unwrap(), []);
    assert_eq!(fixture.graph.open_reviews(&scope).await.unwrap(), 0);
}

pub async fn a_verdict_decides_before_the_write(fixture: &GraphFixture) {
    let home = collection();
    let (full, mut person) = namesakes(home);
    let first = fixture.write(&full).await;
    let known = fixture.graph.match_candidates(&Scope::from(home), &person.write.entities, &fixture.cascade).await.unwrap();
    assert_eq!(known[0].iter().map(|known| known.id).collect::<Vec<_>>(), [first.entities[0].id]);
    let within = Scope::from(home);
    let open = open_pairs(&*fixture.graph, &fixture.cascade, None, &within, &person.write.entities).await.unwrap();
    let open: Vec<_> = open.iter().map(|pair| (pair.proposal, pair.known.id, pair.by_likeness)).collect();
    assert_eq!(open, [(0, first.entities[0].id, None)]);
    person.write.entities[0].verdicts = vec![judged(&first, IdentityVerdict::Same)];
    assert_eq!(fixture.write(&person).await.entities[0].id, first.entities[0].id);
    assert_eq!(fixture.graph.reviews(&Scope::from(home), 0, 9).await.unwrap(), []);
}

fn judged(first: &WriteOutcome, verdict: IdentityVerdict) -> ResolutionVerdict {
    ResolutionVerdict { entity_id: first.entities[0].id, verdict, reason: "nothing tells".into() }
}

pub async fn a_judge_who_is_not_sure_leaves_the_pair_and_the_reason(fixture: &GraphFixture) {
    let home = collection();
    let (full, mut person) = namesakes(home);
    let first = fixture.write(&full).await;
    person.write.entities[0].verdicts = vec![judged(&first, IdentityVerdict::Unsure)];
    assert!(fixture.write(&person).await.entities[0].is_new);
    let reviews = fixture.graph.reviews(&Scope::from(home), 0, 9).await.unwrap();
    assert_eq!(reviews[0].why, "initials agree; judged unsure: nothing tells");
}

pub async fn a_pair_that_a_judge_separated_needs_no_review(fixture: &GraphFixture) {
    let home = collection();
    let (full, mut person) = namesakes(home);
    let first = fixture.write(&full).await;
    person.write.entities[0].verdicts = vec![judged(&first, IdentityVerdict::Different)];
    assert!(fixture.write(&person).await.entities[0].is_new);
    assert_eq!(fixture.graph.reviews(&Scope::from(home), 0, 9).await.unwrap(), []);
    person.write.entities[0].verdicts = vec![];
    fixture.write(&person).await;
    assert_eq!(fixture.graph.reviews(&Scope::from(home), 0, 9).await.unwrap(), [], "nor later, when nobody is asked");
}

pub async fn a_closed_review_stays_closed(fixture: &GraphFixture) {
    let (home, scope) = home();
    let (full, person) = namesakes(home);
    fixture.write(&full).await;
    fixture.write(&person).await;
    let review = fixture.graph.reviews(&scope, 0, 9).await.unwrap().remove(0);
    let at = person.write.at;
    let decide =
        async |scope: &Scope, decision| fixture.graph.decide_review(scope, review.id, decision, None, at).await.unwrap();
    assert!(!decide(&Scope::from(collection()), ReviewDecision::KeepApart).await, "nobody decides about what they do not see");
    assert!(decide(&scope, ReviewDecision::KeepApart).await);
    fixture.write(&person).await;
    assert_eq!(fixture.graph.reviews(&scope, 0, 9).await.unwrap(), []);
    assert!(decide(&scope, ReviewDecision::Later).await);
    let later = Review { postponed_at: Some(at), decided_at: Some(at), ..review.clone() };
    assert_eq!(fixture.graph.reviews(&scope, 0, 9).await.unwrap(), [later]);
    assert!(decide(&scope, ReviewDecision::Reopen).await);
    assert_eq!(fixture.graph.reviews(&scope, 0, 9).await.unwrap(), std::slice::from_ref(&review));
}

pub async fn pairs_kept_apart_are_listed_with_who_decided(fixture: &GraphFixture) {
    let (home, scope) = home();
    let (full, mut person) = namesakes(home);
    let first = fixture.write(&full).await;
    fixture.write(&person).await;
    let review = fixture.graph.reviews(&scope, 0, 9).await.unwrap().remove(0);
    let (by, at) = (UserId(id()), person.write.at);
    let decide = async |decision| fixture.graph.decide_review(&scope, review.id, decision, Some(by), at).await.unwrap();
    assert_eq!(fixture.graph.kept_apart(&scope, 9).await.unwrap(), []);
    assert!(decide(ReviewDecision::KeepApart).await);
    let apart = Review { decided_by: Some(by), decided_at: Some(at), ..review.clone() };
    assert_eq!(fixture.graph.kept_apart(&scope, 9).await.unwrap(), [apart]);
    assert_eq!(fixture.graph.kept_apart(&Scope::from(collection()), 9).await.unwrap(), []);
    assert!(decide(ReviewDecision::Reopen).await);
    assert_eq!(fixture.graph.kept_apart(&scope, 9).await.unwrap(), []);
    assert_eq!(fixture.graph.reviews(&scope, 0, 9).await.unwrap(), [review]);

    // A pair that a model separated has no person as decider.
    let other = collection();
    let (full, _) = namesakes(other);
    let known = fixture.write(&full).await;
    assert!(known.entities[0].id != first.entities[0].id);
    person = namesakes(other).1;
    person.write.entities[0].verdicts = vec![judged(&known, IdentityVerdict::Different)];
    fixture.write(&person).await;
    let apart = fixture.graph.kept_apart(&Scope::from(other), 9).await.unwrap();
    assert_eq!(
        apart.iter().map(|pair| (pair.decided_by, pair.decided_at, pair.stage())).collect::<Vec<_>>(),
        [(None, None, ReviewStage::Model)]
    );
}

pub async fn an_external_id_rests_on_the_claims_that_state_it(fixture: &GraphFixture) {
    let home = collection();
    let mut sheet = mention(home, "a", "Halla", "The Halla was seen.");
    let stated = sheet.claim("The Halla has the number 9074729.", &[0]);
    sheet.write.entities[0].external_ids.insert("imo".into(), "9074729".into());
    sheet.update(EntityRef::New(0), &[stated]).external_ids.insert("imo".into(), "9074729".into());
    let halla = fixture.write(&sheet).await.entities[0].id;
    let mut later = mention(home, "b", "Night Star", "The Night Star lies in port.");
    later.write.entities[0].external_ids.insert("imo".into(), "9074729".into());
    assert_eq!(fixture.write(&later).await.entities[0].id, halla);
    let entity = fixture.graph.entities(&Scope::from(home), &[halla]).await.unwrap().remove(0);
    assert_eq!(entity.external_ids["imo"], "9074729");
}

pub async fn a_stated_sameness_waits_for_a_person_and_merges_nothing(fixture: &GraphFixture) {
    let (home, scope) = home();
    let known = fixture.write(&mention(home, "a", "Gulen network", "It has schools.")).await.entities[0].id;
    let mut sheet = mention(home, "b", "FETÖ", "FETÖ is what Ankara calls the Gulen network.");
    sheet.same(0, EntityRef::Existing(known), &[0]);
    sheet.same(0, EntityRef::New(0), &[0]);
    let feto = fixture.write(&sheet).await.entities[0].id;
    let reviews = fixture.graph.reviews(&scope, 0, 9).await.unwrap();
    assert_eq!(reviews.len(), 1, "nothing is the same as itself: {reviews:?}");
    assert_eq!((reviews[0].left, reviews[0].right, reviews[0].score), (known, feto, 1.0));
    assert_eq!(reviews[0].why, "a document says so: “FETÖ is what Ankara calls the Gulen network.”");
    assert_ne!(known, feto);
    assert_eq!(fixture.counts(&scope).await.1, 2);

    // Said again, by the same document and by another: it is the same pair.
    let mut again = sheet.clone();
    again.write.same_as.iter_mut().for_each(|same| same.id = ReviewId(id()));
    fixture.write(&again).await;
    let mut other = mention(home, "c", "FETÖ", "The Gulen network, or FETÖ.");
    other.same(0, EntityRef::Existing(known), &[0]);
    fixture.write(&other).await;
    assert_eq!(fixture.graph.reviews(&scope, 0, 9).await.unwrap(), reviews);
    let apart = ReviewDecision::KeepApart;
    assert!(fixture.graph.decide_review(&scope, reviews[0].id, apart, None, sheet.write.at).await.unwrap());
    fixture.write(&again).await;
    assert_eq!(fixture.graph.reviews(&scope, 0, 9).await.unwrap(), [], "who was told apart stays so");

    let merged = mention(home, "d", "Hizmet", "Hizmet is the Gulen network.");
    let hizmet = fixture.write(&merged).await.entities[0].id;
    fixture.graph.merge(MergeId(id()), known, hizmet, None, merged.write.at).await.unwrap();
    let mut said = mention(home, "e", "Hizmet", "Hizmet is the Gulen network, once more.");
    said.same(0, EntityRef::Existing(known), &[0]);
    fixture.write(&said).await;
    assert_eq!(fixture.graph.reviews(&scope, 0, 9).await.unwrap(), [], "they are one already");
}

pub async fn a_stated_sameness_is_the_reason_where_names_are_alike_too(fixture: &GraphFixture) {
    let home = collection();
    let (full, mut person) = namesakes(home);
    let place = fixture.write(&full).await.entities[0].id;
    person.same(0, EntityRef::Existing(place), &[0]);
    fixture.write(&person).await;
    let reviews = fixture.graph.reviews(&Scope::from(home), 0, 9).await.unwrap();
    assert_eq!(reviews.iter().map(|review| review.why.as_str()).collect::<Vec<_>>(), ["a document says so: “R. Orrin fled.”"]);
    fixture.graph.remove_collection(home).await.unwrap();
    assert_eq!(fixture.graph.reviews(&Scope::from(home), 0, 9).await.unwrap(), []);
}

pub async fn a_private_sameness_is_hidden_from_others(fixture: &GraphFixture) {
    let (ada, shared) = (collection(), collection());
    let network = fixture.write(&mention(shared, "a", "Gulen network", "It has schools.")).await.entities[0].id;
    let feto = fixture.write(&mention(shared, "b", "FETÖ", "It is banned.")).await.entities[0].id;
    let mut private = mention(ada, "c", "FETÖ", "They are one.").beside(&[shared]);
    private.same(0, EntityRef::Existing(network), &[0]);
    assert_eq!(fixture.write(&private).await.entities[0].id, feto);
    assert_eq!(fixture.graph.reviews(&Scope::from(shared), 0, 9).await.unwrap(), []);
    assert_eq!(fixture.graph.reviews(&Scope::new(vec![ada, shared]), 0, 9).await.unwrap().len(), 1);
}

/// More names than anybody would compare sound like this one; it is the same with and without its title all the same, whichever
/// of its spellings comes first, with any other writes in between.
pub async fn a_name_is_found_however_many_sound_like_it(fixture: &GraphFixture) {
    const ENDINGS: [&str; 14] = ["a", "em", "im", "om", "um", "ar", "er", "ir", "or", "ur", "et", "it", "ot", "ut"];
    let person = |home, path: String, name: String| {
        let mut sheet = DocumentWrite::new(home, &path);
        let entity = sheet.entity(&name, "person");
        sheet.claim("They met.", &[entity]);
        sheet
    };
    for [first, last] in [["Dr Boris Kalden", "Boris Kalden"], ["Boris Kalden", "Dr Boris Kalden"]] {
        let home = collection();
        let known = fixture.write(&person(home, "a".into(), first.into())).await;
        for ending in ENDINGS {
            for name in [format!("Boris Kald{ending}"), format!("T{ending}vik Kalden")] {
                fixture.write(&person(home, name.clone(), name)).await;
            }
        }
        let again = fixture.write(&person(home, "z".into(), last.into())).await;
        assert_eq!(again.entities[0].id, known.entities[0].id, "{last} after {first}");
        fixture.graph.remove_collection(home).await.unwrap();
    }
}
