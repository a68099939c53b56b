//! Full text, filters and order.

use super::prelude::*;
use domain::claim::{Attribution, Claim};
use engine::graph::{Candidate, GraphQuery, search::search_entities};

fn query(text: &str) -> ClaimQuery {
    ClaimQuery { text: Some(text.into()), candidates: 50, ..ClaimQuery::default() }
}

fn contents(found: &[Candidate<Claim>]) -> Vec<&str> {
    found.iter().map(|candidate| candidate.item.content.as_str()).collect()
}

async fn find(fixture: &GraphFixture, scope: &Scope, query: &ClaimQuery) -> Vec<String> {
    contents(&fixture.graph.find_claims(scope, query).await.unwrap()).into_iter().map(str::to_owned).collect()
}

pub async fn claims_are_found_by_their_words(fixture: &GraphFixture) {
    let home = collection();
    let mut sheet = DocumentWrite::new(home, "a");
    sheet.claim("The café was attacked at dawn.", &[]);
    sheet.claim("Nothing else burned.", &[]);
    fixture.write(&sheet).await;
    let found = fixture.graph.find_claims(&Scope::from(home), &query("ATTACKS on cafes")).await.unwrap();
    assert_eq!(contents(&found), ["The café was attacked at dawn."]);
    assert!(found[0].text_matched && found[0].similarity.is_none());
}

pub async fn the_newest_claims_of_several_entities_come_at_once(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = DocumentWrite::new(home, "a");
    let [ash, birch] = ["Ash Company", "Birch League"].map(|name| sheet.entity(name, "organisation"));
    for (content, about, date) in [
        ("Ash met.", vec![ash], Some("2031-01-01")),
        ("Ash sued Birch.", vec![ash, birch], Some("2031-03-01")),
        ("Ash grew.", vec![ash], Some("2031-02-01")),
        ("Birch slept.", vec![birch], None),
    ] {
        let claim = sheet.claim(content, &about);
        sheet.write.claims[claim].published = date.map(super::fixture::day);
    }
    let written = fixture.write(&sheet).await;
    let hidden = fixture.write(&super::fixture::mention(collection(), "b", "Ash Company", "Ash hid.")).await.entities[0].id;
    let [ash, birch] = [ash, birch].map(|index| written.entities[index].id);
    let found = async |ids: &[EntityId], each| {
        let found = fixture.graph.newest_claims(&scope, ids, each).await.unwrap();
        found.into_iter().map(|(id, claim)| (id, claim.content)).collect::<Vec<_>>()
    };
    let told = |id: EntityId, text: &str| (id, text.to_owned());
    let expected =
        [told(ash, "Ash sued Birch."), told(ash, "Ash grew."), told(birch, "Ash sued Birch."), told(birch, "Birch slept.")];
    assert_eq!(found(&[birch, ash, hidden, ash], 2).await, expected);
    fixture.graph.merge(MergeId(id()), ash, birch, None, sheet.write.at).await.unwrap();
    assert_eq!(found(&[birch], 2).await, expected[..2], "one claim about both sides is one");
    assert_eq!(found(&[birch], 9).await.len(), 4);
    assert_eq!(found(&[], 2).await, []);
}

pub async fn filters_narrow_claims(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = DocumentWrite::new(home, "a");
    let front = sheet.entity("Halvek Front", "group");
    let outlet = sheet.entity("Radio Ebrin", "outlet");
    sheet.write.outlet = Some(EntityRef::New(outlet));
    sheet.claim("The lock opened early.", &[front]);
    sheet.dated("The lock opened late.", "2031-03-12");
    sheet.write.claims[1].attribution = Attribution::Indirect;
    sheet.write.claims[1].mode = Mode::Denied;
    let written = fixture.write(&sheet).await;
    let mut elsewhere = DocumentWrite::new(home, "b");
    elsewhere.dated("The lock opened twice.", "2031-03-14");
    fixture.write(&elsewhere).await;

    for text in [None, Some(domain::QueryText::from("lock"))] {
        let base = ClaimQuery { text, candidates: 50, ..ClaimQuery::default() };
        let by = |change: &dyn Fn(&mut ClaimQuery)| {
            let mut query = base.clone();
            change(&mut query);
            query
        };
        let early = ["The lock opened early."];
        let late = ["The lock opened late."];
        assert_eq!(find(fixture, &scope, &by(&|query| query.entity_id = Some(written.entities[front].id))).await, early);
        let of_outlet = by(&|query| query.outlet_id = Some(written.entities[outlet].id));
        assert_eq!(find(fixture, &scope, &of_outlet).await, [early, late].concat());
        assert_eq!(find(fixture, &scope, &by(&|query| query.attribution = Some(Attribution::Indirect))).await, late);
        assert_eq!(find(fixture, &scope, &by(&|query| query.mode = Some(Mode::Denied))).await, late);
        let of_document = by(&|query| query.document_ids = vec![elsewhere.write.document_id]);
        assert_eq!(find(fixture, &scope, &of_document).await, ["The lock opened twice."]);
        let before = by(&|query| query.published_before = Timestamp::parse("2031-03-14"));
        assert_eq!(find(fixture, &scope, &before).await, late);
        let after = by(&|query| query.published_after = Timestamp::parse("2031-03-14"));
        assert_eq!(find(fixture, &scope, &after).await, ["The lock opened twice."]);
        let unknown = by(&|query| query.entity_id = Some(EntityId(id())));
        assert!(find(fixture, &scope, &unknown).await.is_empty());
    }
}

pub async fn times_sort_with_undated_last(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = DocumentWrite::new(home, "a");
    sheet.claim("Lock undated.", &[]);
    sheet.dated("Lock second.", "2031-03-12");
    sheet.dated("Lock first.", "2031-03-10");
    sheet.dated("Lock third.", "2031-03-14");
    fixture.write(&sheet).await;
    for text in [None, Some(domain::QueryText::from("lock"))] {
        let make = |order, candidates| ClaimQuery { text: text.clone(), order, candidates, ..ClaimQuery::default() };
        let newest = ["Lock third.", "Lock second.", "Lock first.", "Lock undated."];
        let oldest = ["Lock first.", "Lock second.", "Lock third.", "Lock undated."];
        assert_eq!(find(fixture, &scope, &make(ClaimOrder::NewestFirst, 50)).await, newest);
        assert_eq!(find(fixture, &scope, &make(ClaimOrder::OldestFirst, 50)).await, oldest);
        assert_eq!(find(fixture, &scope, &make(ClaimOrder::NewestFirst, 2)).await, newest[..2]);
        assert_eq!(find(fixture, &scope, &make(ClaimOrder::OldestFirst, 3)).await, oldest[..3]);
    }
}

pub async fn times_sort_across_collections_and_filters(fixture: &GraphFixture) {
    let (shared, own) = (collection(), collection());
    for (home, path, day) in [(shared, "b", "2031-03-10"), (own, "a", "2031-03-10"), (own, "c", "2031-03-12")] {
        let mut sheet = DocumentWrite::new(home, path);
        sheet.dated(&format!("{path} first"), day);
        sheet.dated(&format!("{path} second"), day);
        sheet.claim(&format!("{path} undated"), &[]);
        sheet.write.claims[1].attribution = Attribution::Indirect;
        hash_by_content(&mut sheet);
        fixture.write(&sheet).await;
    }
    let scope = Scope::new(vec![shared, own]);
    let make = |order, candidates| ClaimQuery { order, candidates, ..ClaimQuery::default() };
    let newest = ["c first", "c second", "a first", "a second", "b first", "b second", "a undated", "b undated", "c undated"];
    for most in [1, 3, 5, 7, 9] {
        assert_eq!(find(fixture, &scope, &make(ClaimOrder::NewestFirst, most)).await, newest[..most as usize]);
    }
    let oldest = ["a first", "a second", "b first", "b second", "c first", "c second", "a undated"];
    assert_eq!(find(fixture, &scope, &make(ClaimOrder::OldestFirst, 7)).await, oldest);
    let indirect = ClaimQuery { attribution: Some(Attribution::Indirect), ..make(ClaimOrder::NewestFirst, 2) };
    assert_eq!(find(fixture, &scope, &indirect).await, ["c second", "a second"]);
    let early = ClaimQuery { published_before: Timestamp::parse("2031-03-11"), ..make(ClaimOrder::NewestFirst, 9) };
    assert_eq!(find(fixture, &scope, &early).await, ["a first", "a second", "b first", "b second"]);
    let in_order = find(fixture, &scope, &make(ClaimOrder::DocumentOrder, 4)).await;
    assert_eq!(in_order, ["a first", "a second", "a undated", "b first"]);
}

/// Makes claims of one time stand in the order of their words.
fn hash_by_content(sheet: &mut DocumentWrite) {
    sheet.write.claims.iter_mut().for_each(|claim| claim.content_hash.clone_from(&claim.content));
}

/// A claim that says when it happened.
fn happened(sheet: &mut DocumentWrite, content: &str, from: &str, to: Option<&str>) -> usize {
    let claim = sheet.claim(content, &[]);
    let date = |text| PartialDate::parse(text).unwrap();
    sheet.write.claims[claim].occurred = DateRange::new(date(from), to.map(date));
    claim
}

pub async fn claims_are_found_by_the_period_of_their_event(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = DocumentWrite::new(home, "a");
    happened(&mut sheet, "Lock year.", "2016", None);
    happened(&mut sheet, "Lock month.", "2016-12", None);
    happened(&mut sheet, "Lock day.", "2016-12-14", None);
    happened(&mut sheet, "Lock week.", "2016-12-10", Some("2016-12-16"));
    let published = sheet.claim("Lock unsaid.", &[]);
    sheet.write.claims[published].published = Some(day("2016-12-14"));
    fixture.write(&sheet).await;
    for text in [None, Some(domain::QueryText::from("lock"))] {
        let within = async |after: Option<&str>, before: Option<&str>| {
            let moment = |date: &str| Timestamp::parse(date).unwrap();
            let query = ClaimQuery {
                text: text.clone(),
                occurred_after: after.map(moment),
                occurred_before: before.map(moment),
                order: ClaimOrder::DocumentOrder,
                candidates: 50,
                ..ClaimQuery::default()
            };
            find(fixture, &scope, &query).await
        };
        let (year, month, one, week) = ("Lock year.", "Lock month.", "Lock day.", "Lock week.");
        assert_eq!(within(Some("2016-12-14"), Some("2016-12-15")).await, [year, month, one, week]);
        assert_eq!(within(Some("2016-12-15"), None).await, [year, month, week]);
        assert_eq!(within(Some("2016-12-17"), Some("2017-01-01")).await, [year, month]);
        assert_eq!(within(None, Some("2016-12-01")).await, [year]);
        assert_eq!(within(Some("2017-01-01"), None).await, Vec::<String>::new());
        assert_eq!(within(None, Some("2016-01-01")).await, Vec::<String>::new());
        assert_eq!(within(Some("2016-12-14T23:59:00Z"), Some("2016-12-14T23:59:30Z")).await, [year, month, one, week]);
    }
}

pub async fn claims_sort_by_when_it_happened_with_the_others_last(fixture: &GraphFixture) {
    let (shared, own) = (collection(), collection());
    for (home, path) in [(shared, "b"), (own, "a")] {
        let mut sheet = DocumentWrite::new(home, path);
        sheet.claim(&format!("Lock {path} unsaid."), &[]);
        let late = happened(&mut sheet, &format!("Lock {path} late."), "2016-12-14", None);
        sheet.write.claims[late].published = Some(day("2031-03-10"));
        let early = happened(&mut sheet, &format!("Lock {path} early."), "2016", None);
        sheet.write.claims[early].published = Some(day("2031-03-12"));
        hash_by_content(&mut sheet);
        fixture.write(&sheet).await;
    }
    let scope = Scope::new(vec![shared, own]);
    let (early, late) = (["Lock a early.", "Lock b early."], ["Lock a late.", "Lock b late."]);
    let unsaid = ["Lock a unsaid.", "Lock b unsaid."];
    for text in [None, Some(domain::QueryText::from("lock"))] {
        let make = |order, candidates| ClaimQuery { text: text.clone(), order, candidates, ..ClaimQuery::default() };
        let oldest = [early, late, unsaid].concat();
        let newest = [late, early, unsaid].concat();
        for most in [1, 2, 3, 5, 6] {
            let found = find(fixture, &scope, &make(ClaimOrder::OccurredOldestFirst, most)).await;
            assert_eq!(found, oldest[..most as usize], "{text:?} {most}");
            let found = find(fixture, &scope, &make(ClaimOrder::OccurredNewestFirst, most)).await;
            assert_eq!(found, newest[..most as usize], "{text:?} {most}");
        }
        let december = Timestamp::parse("2016-12-15");
        let query = ClaimQuery { occurred_after: december, ..make(ClaimOrder::OccurredNewestFirst, 9) };
        assert_eq!(find(fixture, &scope, &query).await, early, "who asks for a period is not given what does not say when");
        let query = ClaimQuery { occurred_after: december, ..make(ClaimOrder::OldestFirst, 9) };
        assert_eq!(find(fixture, &scope, &query).await, early);
    }
    let config = SearchConfig::default();
    let query = ClaimQuery { order: ClaimOrder::OccurredOldestFirst, ..ClaimQuery::default() };
    let found = search_claims(&*fixture.graph, None, &config, &scope, query, 4).await.unwrap();
    let times: Vec<String> = found.iter().map(|hit| hit.item.occurred.unwrap().to_string()).collect();
    assert_eq!(times, ["2016", "2016", "2016-12-14", "2016-12-14"]);
}

pub async fn claims_stand_in_document_order(fixture: &GraphFixture) {
    let home = collection();
    for path in ["b", "a"] {
        let mut sheet = DocumentWrite::new(home, path);
        sheet.claim(&format!("{path} one"), &[]);
        sheet.claim(&format!("{path} two"), &[]);
        fixture.write(&sheet).await;
    }
    let query = ClaimQuery { order: ClaimOrder::DocumentOrder, candidates: 50, ..ClaimQuery::default() };
    assert_eq!(find(fixture, &Scope::from(home), &query).await, ["a one", "a two", "b one", "b two"]);
}

pub async fn pages_of_claims_of_one_time_do_not_overlap(fixture: &GraphFixture) {
    let homes = [collection(), collection()];
    // The same document in both.
    for home in homes {
        let mut sheet = DocumentWrite::new(home, "same");
        for n in 0..6 {
            let claim = happened(&mut sheet, &format!("Lock {n}."), "2016", None);
            sheet.write.claims[claim].published = Some(day("2031-03-10"));
        }
        fixture.write(&sheet).await;
    }
    let (scope, config) = (Scope::new(homes.to_vec()), SearchConfig { candidates: 1, ..SearchConfig::default() });
    let by_time = [
        ClaimOrder::NewestFirst,
        ClaimOrder::OldestFirst,
        ClaimOrder::OccurredNewestFirst,
        ClaimOrder::OccurredOldestFirst,
        ClaimOrder::DocumentOrder,
    ];
    for (order, text) in by_time.into_iter().flat_map(|order| [(order, None), (order, Some("lock"))]) {
        let first = async |most: usize| {
            let query = ClaimQuery { text: text.map(Into::into), order, ..ClaimQuery::default() };
            let found = search_claims(&*fixture.graph, None, &config, &scope, query, most).await.unwrap();
            found.into_iter().map(|hit| hit.item.id).collect::<Vec<_>>()
        };
        let all = first(12).await;
        assert_eq!(all.len(), 12);
        for most in 1..12 {
            assert_eq!(first(most).await, all[..most], "{order:?} {text:?} {most}");
        }
    }
}

pub async fn entities_are_found_by_any_name_and_by_kind(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = mention(home, "a", "International Lock Authority", "It met.");
    sheet.write.entities[0].aliases = vec!["ILA".into()];
    let place = sheet.entity("Varrow", "place");
    sheet.claim("In Varrow.", &[place]);
    fixture.write(&sheet).await;
    let find = async |text: Option<&str>, kind: Option<&str>| {
        let query = EntityQuery { text: text.map(Into::into), kind: kind.map(str::to_owned), vector: None, candidates: 9 };
        let found = fixture.graph.find_entities(&scope, &query).await.unwrap();
        found.into_iter().map(|candidate| candidate.item.canonical_name).collect::<Vec<_>>()
    };
    assert_eq!(find(Some("ila"), None).await, ["International Lock Authority"]);
    assert_eq!(find(Some("authority"), Some("ORGANISATION")).await, ["International Lock Authority"]);
    assert!(find(Some("authority"), Some("place")).await.is_empty());
    assert_eq!(find(None, Some("place")).await, ["Varrow"]);
    assert_eq!(find(None, None).await, ["International Lock Authority", "Varrow"]);

    // One document calls the place an organisation: it stays a place.
    let mut odd = DocumentWrite::new(home, "b");
    let varrow = odd.entity("Varrow", "organisation");
    odd.claim("Varrow refused.", &[varrow]);
    let mut again = DocumentWrite::new(home, "c");
    let place = again.entity("Varrow", "place");
    again.claim("Varrow is a port.", &[place]);
    fixture.write(&again).await;
    odd.write.entities[varrow].id = fixture.write(&again).await.entities[place].id;
    fixture.write(&odd).await;
    assert_eq!(find(None, Some("place")).await, ["Varrow"]);
    assert_eq!(find(Some("varrow"), Some("organisation")).await, [""; 0]);
}

pub async fn relationships_are_found_by_words_and_by_claim(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    let other = sheet.entity("Orrin Wire", "outlet");
    let second = sheet.claim("They paid.", &[0, other]);
    sheet.link(0, other, "met at night", &[0]);
    sheet.link(0, other, "paid", &[second]);
    let written = fixture.write(&sheet).await;
    let find = async |query: RelationshipQuery| {
        let found = fixture.graph.find_relationships(&scope, &RelationshipQuery { candidates: 9, ..query }).await.unwrap();
        found.into_iter().map(|candidate| candidate.item.description).collect::<Vec<_>>()
    };
    assert_eq!(find(RelationshipQuery { text: Some("nights".into()), ..Default::default() }).await, ["met at night"]);
    assert_eq!(find(RelationshipQuery { claim_id: Some(written.claims[1].id), ..Default::default() }).await, ["paid"]);
    assert_eq!(find(RelationshipQuery::default()).await, ["met at night", "paid"]);
}

pub async fn all_kinds_at_once_are_found_as_each_alone(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = mention(home, "a", "Lock Authority", "The lock opened.");
    let (wire, port) = (sheet.entity("Orrin Wire", "outlet"), sheet.entity("Port Varrow", "place"));
    let second = sheet.claim("They paid for the lock.", &[wire, port]);
    sheet.write.claims[second].published = Some(day("2031-03-12"));
    sheet.link(0, wire, "locked out", &[0]);
    sheet.link(wire, port, "paid", &[second]);
    sheet.update(EntityRef::New(wire), &[0, second]).summary = Some("It reports on the lock.".into());
    fixture.write(&sheet).await;
    fixture.write(&mention(collection(), "b", "Hidden Lock", "A lock elsewhere.")).await;
    let (text, candidates) = (Some(domain::QueryText::from("locks")), 9);
    for order in [ClaimOrder::Relevance, ClaimOrder::NewestFirst] {
        let entities = EntityQuery { text: text.clone(), candidates, ..EntityQuery::default() };
        let claims = ClaimQuery { order, candidates, ..query("locks") };
        let relationships = RelationshipQuery { text: text.clone(), candidates, ..RelationshipQuery::default() };
        let mut alone = fixture.graph.find_entities(&scope, &entities).await.unwrap();
        alone.iter_mut().for_each(|found| found.item.embedding_pending = false);
        let claims_alone = fixture.graph.find_claims(&scope, &claims).await.unwrap();
        let links_alone = fixture.graph.find_relationships(&scope, &relationships).await.unwrap();
        let all = GraphQuery { entities: Some(entities), claims: Some(claims), relationships: Some(relationships) };
        let found = fixture.graph.find_all(&scope, &all).await.unwrap();
        assert_eq!((alone.len(), claims_alone.len(), links_alone.len()), (2, 2, 1));
        assert_eq!(parts(&found.entities), parts(&alone));
        assert_eq!(parts(&found.claims), parts(&claims_alone));
        assert_eq!(parts(&found.relationships), parts(&links_alone));
        let mut ends: Vec<&str> = found.ends.values().map(String::as_str).collect();
        ends.sort_unstable();
        assert_eq!(ends, ["Lock Authority", "Orrin Wire"]);
        assert!(fixture.graph.find_all(&Scope::default(), &all).await.unwrap().entities.is_empty());
        let one = GraphQuery { entities: None, claims: None, ..all };
        let found = fixture.graph.find_all(&scope, &one).await.unwrap();
        assert_eq!((found.entities.len(), found.claims.len(), found.relationships.len()), (0, 0, 1));
    }
}

fn parts<T>(found: &[Candidate<T>]) -> Vec<(&T, Option<f64>, bool)> {
    found.iter().map(|candidate| (&candidate.item, candidate.similarity, candidate.text_matched)).collect()
}

pub async fn any_text_is_a_query(fixture: &GraphFixture) {
    let (home, scope) = home();
    fixture.write(&mention(home, "a", "Halvek Front", "The lock, \"opened\" (early) AND late.")).await;
    let long = "lock ".repeat(20_000);
    for text in
        ["", "  ", "\"", "lock OR", "NEAR(lock", "lock*", "-lock", "terms:lock", "{lock}", "^lock", "', --", "锁", "\0", &long]
    {
        let found = fixture.graph.find_claims(&scope, &query(text)).await.unwrap();
        assert_eq!(found.len(), usize::from(text.contains("lock") || text.trim().is_empty()), "{text:.20}");
        let entities = EntityQuery { text: Some(text.into()), candidates: 9, ..EntityQuery::default() };
        fixture.graph.find_entities(&scope, &entities).await.unwrap();
        let links = RelationshipQuery { text: Some(text.into()), candidates: 9, ..RelationshipQuery::default() };
        fixture.graph.find_relationships(&scope, &links).await.unwrap();
    }
}

pub async fn common_words_alone_are_ranked_among_the_last_written_claims(fixture: &GraphFixture) {
    let home = collection();
    let mut sheet = mention(home, "a", "Halvek Front", "The same front.");
    for n in 0..60 {
        sheet.claim(&format!("The same {n}."), &[]);
    }
    fixture.write(&sheet).await;
    let bounded = fixture.with_config(GraphConfig { common_word_texts: 20, ..GraphConfig::default() }).await;
    let scope = Scope::from(home);
    let words = |text: &str| ClaimQuery { candidates: 100, ..query(text) };
    let last: Vec<String> = (40..60).map(|n| format!("The same {n}.")).collect();
    assert_eq!(find(&bounded, &scope, &words("the same")).await, last);
    assert_eq!(find(&bounded, &scope, &words("the same front")).await, ["The same front."], "a rarer word is enough");
    let filtered = ClaimQuery { mode: Some(Mode::Asserted), ..words("same") };
    assert_eq!(find(&bounded, &scope, &filtered).await.len(), 61, "a filter looks at all claims");
    let sorted = ClaimQuery { order: ClaimOrder::DocumentOrder, ..words("same") };
    assert_eq!(find(&bounded, &scope, &sorted).await.len(), 61, "another order looks at all claims");
}

pub async fn the_engine_orders_what_was_found(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = mention(home, "a", "Lock Authority", "The authority met.");
    sheet.claim("The lock opened before the explosion.", &[0]);
    sheet.claim("An explosion.", &[0]);
    sheet.claim("The lock.", &[0]);
    let other = sheet.entity("Lock Workers of the Eastern Provinces", "organisation");
    sheet.claim("Workers met.", &[other]);
    sheet.write.claims[1].published = Some(day("2031-03-12"));
    fixture.write(&sheet).await;
    let config = SearchConfig::default();
    let found = search_claims(&*fixture.graph, None, &config, &scope, query("lock explosion"), 2).await.unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].item.content, "The lock opened before the explosion.");
    assert!((found[0].score - 1.0).abs() < 1e-9 && found[1].score < 1.0);
    let query = EntityQuery { text: Some("lock authority".into()), ..EntityQuery::default() };
    let found = search_entities(&*fixture.graph, None, &config, &scope, query, 9).await.unwrap();
    assert_eq!(found[0].item.canonical_name, "Lock Authority");
    assert!(found[0].score > found[1].score);
}
