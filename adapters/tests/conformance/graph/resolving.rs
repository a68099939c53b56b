//! Resolution inside the write.

use super::field::{Field, Sheet, collection, mention};
use domain::{Scope, entity::IdentityVerdict};
use engine::graph::{EntityRef, ResolutionVerdict, WriteOutcome, resolve::open_pairs};

pub async fn one_name_is_one_entity_within_and_between_documents(field: &Field) {
    let home = collection();
    let mut sheet = Sheet::new(home, "a");
    let one = sheet.entity("Radio Ebrin", "outlet");
    let other = sheet.entity("RADIO EBRIN", "outlet");
    sheet.claim("It broadcast.", &[one, other]);
    let first = field.write(&sheet).await;
    assert_eq!(first.entities[0].id, first.entities[1].id);
    assert!(first.entities[0].is_new && !first.entities[1].is_new);
    let second = field.write(&mention(home, "b", "Radio Ebrín", "It stopped.")).await;
    assert_eq!(second.entities[0].id, first.entities[0].id);
    assert_eq!(field.counts(&Scope::from(home)).await, (2, 1, 0));
}

pub async fn an_external_id_decides(field: &Field) {
    let home = collection();
    let named = |path: &str, name: &str, id: &str| {
        let mut sheet = mention(home, path, name, "It exists.");
        sheet.write.entities[0].external_ids.insert("wikidata".into(), id.into());
        sheet
    };
    let first = field.write(&named("a", "Kestra Press", "Q1")).await;
    let renamed = field.write(&named("b", "Valley Post", "Q1")).await;
    assert_eq!(renamed.entities[0].id, first.entities[0].id);
    let namesake = field.write(&named("c", "Kestra Press", "Q2")).await;
    assert_ne!(namesake.entities[0].id, first.entities[0].id);
    assert_eq!(field.graph.reviews(&Scope::from(home), 9).await.unwrap(), []);
}

/// A person and a place of one single name: probable, for whoever has no more to go by.
fn namesakes(home: domain::CollectionId) -> (Sheet, Sheet) {
    let mut place = Sheet::new(home, "a");
    let entity = place.entity("Orrin", "place");
    place.claim("Orrin was flooded.", &[entity]);
    let mut person = Sheet::new(home, "b");
    let entity = person.entity("Orrin", "person");
    person.claim("Orrin fled.", &[entity]);
    (place, person)
}

pub async fn a_probable_match_stays_two_and_waits_for_a_judge(field: &Field) {
    let home = collection();
    let scope = Scope::from(home);
    let (place, person) = namesakes(home);
    let first = field.write(&place).await;
    let second = field.write(&person).await;
    assert!(second.entities[0].is_new);
    let reviews = field.graph.reviews(&scope, 9).await.unwrap();
    assert_eq!(reviews.len(), 1);
    assert_eq!((reviews[0].left, reviews[0].right), (first.entities[0].id, second.entities[0].id));
    field.write(&person).await;
    assert_eq!(field.graph.reviews(&scope, 9).await.unwrap(), reviews);
    field.graph.merge(domain::MergeId(super::field::id()), reviews[0].left, reviews[0].right, place.write.at).await.unwrap();
    assert_eq!(field.graph.reviews(&scope, 9).await.unwrap(), []);
}

pub async fn a_verdict_decides_before_the_write(field: &Field) {
    let home = collection();
    let (place, mut person) = namesakes(home);
    let first = field.write(&place).await;
    let known = field.graph.match_candidates(&Scope::from(home), &person.write.entities, &field.cascade).await.unwrap();
    assert_eq!(known[0].iter().map(|known| known.id).collect::<Vec<_>>(), [first.entities[0].id]);
    let within = Scope::from(home);
    let open = open_pairs(&*field.graph, &field.cascade, None, &within, &person.write.entities).await.unwrap();
    let open: Vec<_> = open.iter().map(|pair| (pair.proposal, pair.known.id, pair.by_likeness)).collect();
    assert_eq!(open, [(0, first.entities[0].id, None)]);
    person.write.entities[0].verdicts = vec![judged(&first, IdentityVerdict::Same)];
    assert_eq!(field.write(&person).await.entities[0].id, first.entities[0].id);
    assert_eq!(field.graph.reviews(&Scope::from(home), 9).await.unwrap(), []);
}

fn judged(first: &WriteOutcome, verdict: IdentityVerdict) -> ResolutionVerdict {
    ResolutionVerdict { entity_id: first.entities[0].id, verdict, reason: "a town cannot flee".into() }
}

pub async fn a_judge_who_is_not_sure_leaves_the_pair_and_the_reason(field: &Field) {
    let home = collection();
    let (place, mut person) = namesakes(home);
    let first = field.write(&place).await;
    person.write.entities[0].verdicts = vec![judged(&first, IdentityVerdict::Unsure)];
    assert!(field.write(&person).await.entities[0].is_new);
    let reviews = field.graph.reviews(&Scope::from(home), 9).await.unwrap();
    assert_eq!(reviews[0].why, "one name, two kinds of thing; judged unsure: a town cannot flee");
}

pub async fn what_a_judge_tells_apart_waits_for_nobody(field: &Field) {
    let home = collection();
    let (place, mut person) = namesakes(home);
    let first = field.write(&place).await;
    person.write.entities[0].verdicts = vec![judged(&first, IdentityVerdict::Different)];
    assert!(field.write(&person).await.entities[0].is_new);
    assert_eq!(field.graph.reviews(&Scope::from(home), 9).await.unwrap(), []);
    person.write.entities[0].verdicts = vec![];
    field.write(&person).await;
    assert_eq!(field.graph.reviews(&Scope::from(home), 9).await.unwrap(), [], "nor later, when nobody is asked");
}

pub async fn a_closed_review_stays_closed(field: &Field) {
    let home = collection();
    let scope = Scope::from(home);
    let (place, person) = namesakes(home);
    field.write(&place).await;
    field.write(&person).await;
    let review = field.graph.reviews(&scope, 9).await.unwrap().remove(0);
    field.graph.close_review(review.id).await.unwrap();
    field.write(&person).await;
    assert_eq!(field.graph.reviews(&scope, 9).await.unwrap(), []);
}

pub async fn an_external_id_rests_on_the_claims_that_state_it(field: &Field) {
    let home = collection();
    let mut sheet = mention(home, "a", "Halla", "The Halla was seen.");
    let stated = sheet.claim("The Halla has the number 9074729.", &[0]);
    sheet.write.entities[0].external_ids.insert("imo".into(), "9074729".into());
    sheet.update(EntityRef::New(0), &[stated]).external_ids.insert("imo".into(), "9074729".into());
    let halla = field.write(&sheet).await.entities[0].id;
    let mut later = mention(home, "b", "Night Star", "The Night Star lies in port.");
    later.write.entities[0].external_ids.insert("imo".into(), "9074729".into());
    assert_eq!(field.write(&later).await.entities[0].id, halla);
    let entity = field.graph.entities(&Scope::from(home), &[halla]).await.unwrap().remove(0);
    assert_eq!(entity.external_ids["imo"], "9074729");
}

pub async fn a_stated_sameness_waits_for_a_person_and_merges_nothing(field: &Field) {
    let home = collection();
    let scope = Scope::from(home);
    let known = field.write(&mention(home, "a", "Gulen network", "It has schools.")).await.entities[0].id;
    let mut sheet = mention(home, "b", "FETÖ", "FETÖ is what Ankara calls the Gulen network.");
    sheet.same(0, EntityRef::Existing(known), &[0]);
    sheet.same(0, EntityRef::New(0), &[0]);
    let feto = field.write(&sheet).await.entities[0].id;
    let reviews = field.graph.reviews(&scope, 9).await.unwrap();
    assert_eq!(reviews.len(), 1, "nothing is the same as itself: {reviews:?}");
    assert_eq!((reviews[0].left, reviews[0].right, reviews[0].score), (known, feto, 1.0));
    assert_eq!(reviews[0].why, "a document says so: “FETÖ is what Ankara calls the Gulen network.”");
    assert_ne!(known, feto);
    assert_eq!(field.counts(&scope).await.1, 2);

    // Said again, by the same document and by another: it is the same pair.
    let mut again = sheet.clone();
    again.write.same_as.iter_mut().for_each(|same| same.id = domain::ReviewId(super::field::id()));
    field.write(&again).await;
    let mut other = mention(home, "c", "FETÖ", "The Gulen network, or FETÖ.");
    other.same(0, EntityRef::Existing(known), &[0]);
    field.write(&other).await;
    assert_eq!(field.graph.reviews(&scope, 9).await.unwrap(), reviews);
    field.graph.close_review(reviews[0].id).await.unwrap();
    field.write(&again).await;
    assert_eq!(field.graph.reviews(&scope, 9).await.unwrap(), [], "who was told apart stays so");

    let merged = mention(home, "d", "Hizmet", "Hizmet is the Gulen network.");
    let hizmet = field.write(&merged).await.entities[0].id;
    field.graph.merge(domain::MergeId(super::field::id()), known, hizmet, merged.write.at).await.unwrap();
    let mut said = mention(home, "e", "Hizmet", "Hizmet is the Gulen network, once more.");
    said.same(0, EntityRef::Existing(known), &[0]);
    field.write(&said).await;
    assert_eq!(field.graph.reviews(&scope, 9).await.unwrap(), [], "they are one already");
}

pub async fn a_stated_sameness_is_the_reason_where_names_are_alike_too(field: &Field) {
    let home = collection();
    let (place, mut person) = namesakes(home);
    let place = field.write(&place).await.entities[0].id;
    person.same(0, EntityRef::Existing(place), &[0]);
    field.write(&person).await;
    let reviews = field.graph.reviews(&Scope::from(home), 9).await.unwrap();
    assert_eq!(reviews.iter().map(|review| review.why.as_str()).collect::<Vec<_>>(), ["a document says so: “Orrin fled.”"]);
    field.graph.remove_collection(home).await.unwrap();
    assert_eq!(field.graph.reviews(&Scope::from(home), 9).await.unwrap(), []);
}

pub async fn a_private_sameness_is_nobody_elses(field: &Field) {
    let (ada, shared) = (collection(), collection());
    let network = field.write(&mention(shared, "a", "Gulen network", "It has schools.")).await.entities[0].id;
    let feto = field.write(&mention(shared, "b", "FETÖ", "It is banned.")).await.entities[0].id;
    let mut private = mention(ada, "c", "FETÖ", "They are one.").beside(&[shared]);
    private.same(0, EntityRef::Existing(network), &[0]);
    assert_eq!(field.write(&private).await.entities[0].id, feto);
    assert_eq!(field.graph.reviews(&Scope::from(shared), 9).await.unwrap(), []);
    assert_eq!(field.graph.reviews(&Scope::new(vec![ada, shared]), 9).await.unwrap().len(), 1);
}

/// More names than anybody would compare sound like this one; it is the same with and without its title all the same, whichever
/// of its spellings comes first and whatever came between.
pub async fn a_name_is_found_however_many_sound_like_it(field: &Field) {
    const ENDINGS: [&str; 14] = ["a", "em", "im", "om", "um", "ar", "er", "ir", "or", "ur", "et", "it", "ot", "ut"];
    let person = |home, path: String, name: String| {
        let mut sheet = Sheet::new(home, &path);
        let entity = sheet.entity(&name, "person");
        sheet.claim("They met.", &[entity]);
        sheet
    };
    for [first, last] in [["Dr Boris Kalden", "Boris Kalden"], ["Boris Kalden", "Dr Boris Kalden"]] {
        let home = collection();
        let known = field.write(&person(home, "a".into(), first.into())).await;
        for ending in ENDINGS {
            for name in [format!("Boris Kald{ending}"), format!("T{ending}vik Kalden")] {
                field.write(&person(home, name.clone(), name)).await;
            }
        }
        let again = field.write(&person(home, "z".into(), last.into())).await;
        assert_eq!(again.entities[0].id, known.entities[0].id, "{last} after {first}");
        field.graph.remove_collection(home).await.unwrap();
    }
}
