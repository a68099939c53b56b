//! Resolution inside the write.

use super::field::{Field, Sheet, collection, mention};
use domain::Scope;
use engine::graph::{Judged, Verdict, Written, resolve::open_pairs};

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
    let known = field.graph.known(&Scope::from(home), &person.write.entities, &field.cascade).await.unwrap();
    assert_eq!(known[0].iter().map(|known| known.id).collect::<Vec<_>>(), [first.entities[0].id]);
    let within = Scope::from(home);
    let open = open_pairs(&*field.graph, &field.cascade, None, &within, &person.write.entities).await.unwrap();
    let open: Vec<_> = open.iter().map(|pair| (pair.proposal, pair.known.id, pair.by_likeness)).collect();
    assert_eq!(open, [(0, first.entities[0].id, None)]);
    person.write.entities[0].verdicts = vec![judged(&first, Verdict::Same)];
    assert_eq!(field.write(&person).await.entities[0].id, first.entities[0].id);
    assert_eq!(field.graph.reviews(&Scope::from(home), 9).await.unwrap(), []);
}

fn judged(first: &Written, verdict: Verdict) -> Judged {
    Judged { entity_id: first.entities[0].id, verdict, reason: "a town cannot flee".into() }
}

pub async fn a_judge_who_is_not_sure_leaves_the_pair_and_the_reason(field: &Field) {
    let home = collection();
    let (place, mut person) = namesakes(home);
    let first = field.write(&place).await;
    person.write.entities[0].verdicts = vec![judged(&first, Verdict::Unsure)];
    assert!(field.write(&person).await.entities[0].is_new);
    let reviews = field.graph.reviews(&Scope::from(home), 9).await.unwrap();
    assert_eq!(reviews[0].why, "one name, two kinds of thing; judged unsure: a town cannot flee");
}

pub async fn what_a_judge_tells_apart_waits_for_nobody(field: &Field) {
    let home = collection();
    let (place, mut person) = namesakes(home);
    let first = field.write(&place).await;
    person.write.entities[0].verdicts = vec![judged(&first, Verdict::Different)];
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
