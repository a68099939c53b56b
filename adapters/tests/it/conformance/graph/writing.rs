//! Writing: atomic, harmless to repeat, and without regard to the order of arrival.

use super::prelude::*;
use crate::conformance::backends::capture;
use domain::{
    CollectionKind,
    claim::Attribution,
    user::{Role, User},
};
use engine::{
    accounts::Accounts,
    library::{DocumentQuery, Documents},
};
use futures::future::join_all;
use std::slice::from_ref;

fn key(name: &str) -> PropertyKey {
    PropertyKey::try_from(name.to_owned()).unwrap()
}

pub async fn a_graph_names_its_backend_and_version(fixture: &GraphFixture) {
    let name = fixture.graph.describe().await.unwrap();
    assert!(
        name.split_once(' ').is_some_and(|(_, version)| version.starts_with(|digit: char| digit.is_ascii_digit())),
        "{name}"
    );
}

pub async fn written_records_are_read_back(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = DocumentWrite::new(home, "a");
    let lock = sheet.entity("Varrow Lock", "place");
    let front = sheet.entity("Halvek Front", "group");
    let outlet = sheet.entity("Radio Ebrin", "outlet");
    sheet.write.outlet = Some(EntityRef::New(outlet));
    sheet.write.entities[front].aliases = vec!["HF".into()];
    sheet.write.entities[front].is_stub = false;
    let claim = sheet.claim("The Front opened the lock.", &[front, lock]);
    sheet.write.claims[claim].published = Some(day("2031-03-12"));
    sheet.write.claims[claim].speaker = Some("a guard".into());
    sheet.write.claims[claim].attribution = Attribution::Secondhand;
    let link = sheet.link(front, lock, "opened", &[claim]);
    sheet.write.relationships[link].weight = Some(0.75);
    sheet.write.relationships[link].confidence = Confidence::try_from(0.5).ok();
    sheet.write.relationships[link].timestamp = Timestamp::parse("2031-03-12");
    let update = sheet.update(EntityRef::New(front), &[claim]);
    update.summary = Some("An armed group.".into());
    update.properties.insert(key("members"), PropertyValue::Integer(300));
    update.external_ids.insert("wikidata".into(), "Q7".into());
    let written = fixture.write(&sheet).await;
    assert!(written.entities.iter().all(|entity| entity.is_new));

    let claims = fixture.graph.claims(&scope, &[written.claims[0].id]).await.unwrap();
    let (new, read) = (&sheet.write.claims[0], &claims[0]);
    assert_eq!((&read.content, &read.quote, read.span, read.published), (&new.content, &new.quote, new.span, new.published));
    assert_eq!((read.attribution, &read.speaker, read.collection_id), (Attribution::Secondhand, &new.speaker, home));
    assert_eq!(read.outlet_id, Some(written.entities[outlet].id));
    assert_eq!(read.entity_ids, [written.entities[front].id, written.entities[lock].id]);

    let entities = fixture.graph.entities(&scope, &[written.entities[front].id]).await.unwrap();
    let front_read = &entities[0];
    assert_eq!((front_read.canonical_name.as_str(), front_read.kind.as_str()), ("Halvek Front", "group"));
    assert_eq!(front_read.aliases, ["HF"]);
    assert!(!front_read.is_stub && front_read.embedding_pending);
    let summary = front_read.summary.as_ref().unwrap();
    assert_eq!((summary.value.as_str(), summary.claim_ids.as_slice()), ("An armed group.", [read.id].as_slice()));
    assert_eq!(front_read.properties[&key("members")].value, PropertyValue::Integer(300));
    assert_eq!(front_read.properties[&key("members")].claim_ids, [read.id]);
    assert_eq!(front_read.external_ids["wikidata"], "Q7");

    let links = fixture.graph.relationships(&scope, &[written.relationships[0].id]).await.unwrap();
    assert_eq!((links[0].source_id, links[0].target_id), (written.entities[front].id, written.entities[lock].id));
    assert_eq!((links[0].weight, links[0].confidence.map(Confidence::get)), (Some(0.75), Some(0.5)));
    assert_eq!((links[0].timestamp, links[0].claim_ids.as_slice()), (Timestamp::parse("2031-03-12"), [read.id].as_slice()));
    assert_eq!(fixture.counts(&scope).await, (1, 3, 1));
    assert_eq!(fixture.graph.claim_counts(&scope, &[sheet.write.document_id, DocumentId(id())]).await.unwrap(), [1, 0]);
}

pub async fn writing_again_changes_nothing(fixture: &GraphFixture) {
    let home = collection();
    let mut sheet = mention(home, "a", "Halvek Front", "The Front denies it.");
    let other = sheet.entity("Orrin Wire", "outlet");
    sheet.link(0, other, "spoke to", &[0]);
    sheet.update(EntityRef::New(0), &[0]).summary = Some("A group.".into());
    let first = fixture.write(&sheet).await;
    let scope = Scope::from(home);
    let ids: Vec<EntityId> = first.entities.iter().map(|entity| entity.id).collect();
    let before = fixture.graph.entities(&scope, &ids).await.unwrap();

    // With other ids, as a reader that starts anew would have them; then the very same.
    let mut again = sheet.clone();
    again.write.entities.iter_mut().for_each(|entity| entity.id = EntityId(id()));
    again.write.claims[0].id = domain::ClaimId(id());
    again.write.relationships[0].id = domain::RelationshipId(id());
    for repeated in [&again, &sheet] {
        let second = fixture.write(repeated).await;
        assert!(second.entities.iter().all(|entity| !entity.is_new));
        assert_eq!((second.claims[0].id, second.claims[0].is_new), (first.claims[0].id, false));
        assert_eq!((second.relationships[0].id, second.relationships[0].is_new), (first.relationships[0].id, false));
    }
    assert_eq!(fixture.graph.entities(&scope, &ids).await.unwrap(), before);
    assert_eq!(fixture.counts(&scope).await, (1, 2, 1));
}

pub async fn a_claim_is_unique_by_document_and_content(fixture: &GraphFixture) {
    let home = collection();
    let one = mention(home, "a", "Halvek Front", "The Front denies it.");
    let mut copy = mention(home, "b", "Halvek Front", "The Front denies it.");
    let twice = copy.write.claims[0].clone();
    copy.write.claims.push(domain_claim_with_new_id(twice));
    fixture.write(&one).await;
    let written = fixture.write(&copy).await;
    assert!(written.claims[0].is_new && !written.claims[1].is_new);
    assert_eq!(written.claims[0].id, written.claims[1].id);
    assert_eq!(fixture.counts(&Scope::from(home)).await.0, 2);
}

fn domain_claim_with_new_id(mut claim: engine::graph::NewClaim) -> engine::graph::NewClaim {
    claim.id = domain::ClaimId(id());
    claim
}

pub async fn repeated_statements_add_evidence(fixture: &GraphFixture) {
    let home = collection();
    let make = |path: &str, content: &str| {
        let mut sheet = mention(home, path, "Halvek Front", content);
        let lock = sheet.entity("Varrow Lock", "place");
        sheet.link(0, lock, "opened", &[0]);
        sheet.update(EntityRef::New(0), &[0]).properties.insert(key("members"), PropertyValue::Integer(300));
        sheet
    };
    let first = fixture.write(&make("a", "They opened it.")).await;
    let second = fixture.write(&make("b", "It was opened by them.")).await;
    assert_eq!(first.relationships[0].id, second.relationships[0].id);
    let scope = Scope::from(home);
    let claims = [first.claims[0].id, second.claims[0].id];
    assert_eq!(fixture.graph.relationships(&scope, &[first.relationships[0].id]).await.unwrap()[0].claim_ids, claims);
    let entity = fixture.graph.entities(&scope, &[first.entities[0].id]).await.unwrap().remove(0);
    assert_eq!(entity.properties[&key("members")].claim_ids, claims);
}

pub async fn writers_at_once_make_an_entity_once(fixture: &GraphFixture) {
    let home = collection();
    let other = fixture.other_process().await;
    let sheets: Vec<DocumentWrite> =
        (0..16).map(|n| mention(home, &n.to_string(), "Halvek Front", &format!("Statement {n}."))).collect();
    let graphs = [&*fixture.graph, &*other];
    let writes = sheets.iter().enumerate().map(|(n, sheet)| graphs[n % 2].write(from_ref(&sheet.write), &fixture.cascade));
    let written = join_all(writes).await;
    let first = written[0].as_ref().unwrap()[0].entities[0].id;
    assert!(written.iter().all(|written| written.as_ref().unwrap()[0].entities[0].id == first));
    assert_eq!(written.iter().filter(|written| written.as_ref().unwrap()[0].entities[0].is_new).count(), 1);
    assert_eq!(fixture.counts(&Scope::from(home)).await, (16, 1, 0));
}

pub async fn many_writers_with_the_same_names_make_each_once(fixture: &GraphFixture) {
    const NAMES: [&str; 6] = ["Halvek Front", "Radio Ebrin", "Varrow Lock", "Cedar Union", "Ash Company", "Kestra Press"];
    let home = collection();
    let other = fixture.other_process().await;
    let sheet = |n: usize| {
        let mut sheet = DocumentWrite::new(home, &format!("{n:02}"));
        // Each in an order of its own, so that a deadlock would show.
        let entities: Vec<usize> = (0..NAMES.len()).map(|i| sheet.entity(NAMES[(i * 5 + n) % NAMES.len()], "group")).collect();
        let claim = sheet.claim(&format!("Statement {n}."), &entities);
        sheet.link(entities[n % 5], entities[5], "works with", &[claim]);
        sheet
    };
    let sheets: Vec<DocumentWrite> = (0..24).map(sheet).collect();
    let graphs = [&*fixture.graph, &*other];
    let writes = sheets.iter().enumerate().map(|(n, sheet)| graphs[n % 2].write(from_ref(&sheet.write), &fixture.cascade));
    let written: Vec<_> = join_all(writes).await.into_iter().flat_map(Result::unwrap).collect();
    let new = written.iter().flat_map(|written| &written.entities).filter(|entity| entity.is_new).count();
    let ids: BTreeSet<_> = written.iter().flat_map(|written| &written.entities).map(|entity| entity.id).collect();
    assert_eq!((new, ids.len()), (NAMES.len(), NAMES.len()));
    let links: BTreeSet<_> = written.iter().flat_map(|written| &written.relationships).map(|link| link.id).collect();
    assert_eq!(fixture.counts(&Scope::from(home)).await, (24, NAMES.len() as u64, links.len() as u64));
    let ids: Vec<_> = ids.into_iter().collect();
    let entities = fixture.graph.entities(&Scope::from(home), &ids).await.unwrap();
    assert!(entities.iter().all(|entity| entity.aliases.is_empty()), "{entities:?}");
}

pub async fn completing_a_document_is_remembered(fixture: &GraphFixture) {
    let owner = User::new(UserId(id()), "ada", Role::Analyst, Timestamp::from_micros(0));
    fixture.store.add_user(&owner, None, None).await.unwrap();
    let home = domain::Collection {
        id: collection(),
        kind: CollectionKind::Private,
        name: "papers".into(),
        owner: owner.id,
        created_at: Timestamp::from_micros(0),
    };
    fixture.store.ensure_collection(&home).await.unwrap();
    let text = "The Front denies it.";
    let capture = capture(home.id, "a.txt", text);
    let document = capture.document.clone();
    fixture.store.add_documents(&[capture]).await.unwrap();
    let scope = Scope::from(home.id);
    let unread = DocumentQuery { only_unextracted: true, limit: 9, ..DocumentQuery::default() };
    assert_eq!(fixture.store.list(&scope, &unread).await.unwrap().total, 1);
    let mut sheet = mention(home.id, "a", "Halvek Front", text);
    sheet.write.document_id = document.id;
    sheet.write.completes_document = true;
    let read_for = async |question: Option<&'static str>| {
        let query = DocumentQuery { question: question.map(str::to_owned), ..unread.clone() };
        let is_read = fixture.store.extracted_for(&[document.id], question).await.unwrap().contains(&document.id);
        (fixture.store.list(&scope, &query).await.unwrap().total, is_read)
    };
    let is_in_view_only = async || {
        let found = fixture.store.with_relatives(&scope, document.id).await.unwrap();
        found.expect("the document").is_in_view_only
    };
    sheet.write.in_view_of = Some("one".into());
    fixture.write(&sheet).await;
    fixture.write(&sheet).await;
    assert_eq!(fixture.store.list(&scope, &unread).await.unwrap().total, 0);
    assert_eq!(read_for(None).await, (0, false), "it is read, but not in full");
    assert_eq!((read_for(Some("one")).await, read_for(Some("two")).await), ((0, true), (1, false)));
    assert!(is_in_view_only().await);
    sheet.write.in_view_of = None;
    fixture.write(&sheet).await;
    assert_eq!((read_for(None).await, read_for(Some("two")).await), ((0, true), (0, true)));
    sheet.write.in_view_of = Some("three".into());
    fixture.write(&sheet).await;
    assert!(!is_in_view_only().await, "a full reading stays one");
}

pub async fn the_canonical_name_does_not_depend_on_the_order_of_writes(fixture: &GraphFixture) {
    let sheets = |home| {
        vec![
            mention(home, "a", "RADIO EBRIN", "One."),
            mention(home, "b", "Radio Ebrin", "Two."),
            mention(home, "c", "Radio Ebrin", "Three."),
            mention(home, "d", "radio Ebrin", "Four."),
        ]
    };
    assert_eq!(names(fixture, sheets).await.0, "Radio Ebrin");
}

pub async fn the_current_value_is_the_one_with_the_newest_evidence(fixture: &GraphFixture) {
    let home = collection();
    let make = |path: &str, date: &str, members: i64| {
        let mut sheet = mention(home, path, "Halvek Front", &format!("It has {members} members."));
        sheet.write.claims[0].published = Some(day(date));
        sheet.update(EntityRef::New(0), &[0]).properties.insert(key("members"), PropertyValue::Integer(members));
        sheet
    };
    let newer = fixture.write(&make("a", "2031-03-14", 200)).await;
    let older = fixture.write(&make("b", "2031-03-10", 300)).await;
    let entity = fixture.graph.entities(&Scope::from(home), &[newer.entities[0].id]).await.unwrap().remove(0);
    assert_eq!(entity.properties[&key("members")].value, PropertyValue::Integer(200));
    assert_eq!(entity.properties[&key("members")].claim_ids, [newer.claims[0].id]);
    // Both stay, each with its evidence; what was said once has no history.
    let history: Vec<_> =
        entity.history[&key("members")].iter().map(|one| (one.value.clone(), one.claim_ids.clone())).collect();
    let earlier = vec![older.claims[0].id];
    assert_eq!(history, [(PropertyValue::Integer(200), vec![newer.claims[0].id]), (PropertyValue::Integer(300), earlier)]);
    let dated = &entity.history[&key("members")][0];
    assert!(dated.first.is_some() && dated.first == dated.last, "{dated:?}");
    assert_eq!(entity.history.len(), 1);
}

/// The name of the one entity of some sheets, with its aliases, after they were written in this order and in the other.
async fn names(fixture: &GraphFixture, make: impl Fn(domain::CollectionId) -> Vec<DocumentWrite>) -> (String, Vec<String>) {
    let mut named = Vec::new();
    for reversed in [false, true] {
        let home = collection();
        let mut sheets = make(home);
        if reversed {
            sheets.reverse();
        }
        let mut entity = None;
        for sheet in &sheets {
            entity = Some(fixture.write(sheet).await.entities[0].id);
        }
        let entity = fixture.graph.entities(&Scope::from(home), &[entity.unwrap()]).await.unwrap().remove(0);
        named.push((entity.canonical_name, entity.aliases));
    }
    assert_eq!(named[0], named[1], "the order of writes");
    named.remove(0)
}

pub async fn a_name_comes_before_an_alias_and_a_title_or_host_name_last(fixture: &GraphFixture) {
    let given = |name: &str, aliases: &[&str], documents: usize| {
        let (name, aliases): (String, Vec<String>) =
            (name.to_owned(), aliases.iter().map(|alias| (*alias).to_owned()).collect());
        move |home| {
            let sheet = |n: usize| {
                let mut sheet = mention(home, &format!("{name} {n}"), &name, &format!("{name} met {n}."));
                sheet.write.entities[0].aliases = aliases.clone();
                sheet.write.entities[0].kind = "person".into();
                sheet
            };
            (0..documents).map(sheet).collect::<Vec<_>>()
        }
    };
    let name = names(fixture, given("Kestra Press", &["Kestra Press International Limited"], 1)).await.0;
    assert_eq!(name, "Kestra Press", "an alias is no name, however long");
    let name = names(fixture, given("www.kestrapress.example", &["Kestra Press"], 1)).await.0;
    assert_eq!(name, "Kestra Press");
    let name = names(fixture, given("Sen. Mara Quist", &["Mara Quist"], 1)).await.0;
    assert_eq!(name, "Mara Quist");
    let both = |home| [given("Dr Mara Quist", &[], 3)(home), given("Mara Quist", &[], 1)(home)].concat();
    assert_eq!(names(fixture, both).await, ("Mara Quist".into(), vec!["Dr Mara Quist".into()]));
    let more =
        |home| [given("Radio Ebrin", &["RADIO EBRIN"], 2)(home), given("RADIO EBRIN", &["Radio Ebrin"], 1)(home)].concat();
    assert_eq!(names(fixture, more).await.0, "Radio Ebrin", "most claims decide");
}

pub async fn the_name_with_the_older_evidence_is_kept(fixture: &GraphFixture) {
    let named = |home, path: &str, name: &str, published: Option<&str>| {
        let mut sheet = mention(home, path, name, &format!("{name} spoke."));
        sheet.write.claims[0].published = published.map(day);
        sheet
    };
    let (older, newer) = ("Zoë Quist", "Zoe Quist");
    let both = |home| vec![named(home, "b", older, Some("2031-03-10")), named(home, "a", newer, Some("2031-03-14"))];
    assert_eq!(names(fixture, both).await.0, older);
    let undated = |home| vec![named(home, "a", newer, Some("2031-03-14")), named(home, "b", older, None)];
    assert_eq!(names(fixture, undated).await.0, newer);
}

fn period(from: &str, to: Option<&str>) -> Option<DateRange> {
    DateRange::new(PartialDate::parse(from).unwrap(), to.and_then(PartialDate::parse))
}

pub async fn times_of_claims_and_periods_of_links_are_read_back(fixture: &GraphFixture) {
    let home = collection();
    let mut sheet = mention(home, "a", "Halvek Front", "They met in December.");
    sheet.write.claims[0].occurred = period("1969-12", None);
    let second = sheet.claim("They met for days.", &[0]);
    sheet.write.claims[second].occurred = period("2016-12-14", Some("2016-12-16"));
    let third = sheet.claim("They met.", &[0]);
    let fourth = sheet.claim("They met from November on.", &[0]);
    sheet.write.claims[fourth].occurred = period("2015-11", Some("2016"));
    let other = sheet.entity("Orrin Wire", "outlet");
    let link = sheet.link(0, other, "owns", &[third]);
    sheet.write.relationships[link].since = PartialDate::parse("1987");
    sheet.write.relationships[link].until = PartialDate::parse("2016-12-14");
    let written = fixture.write(&sheet).await;
    let scope = Scope::from(home);
    let ids: Vec<_> = written.claims.iter().map(|claim| claim.id).collect();
    let claims = fixture.graph.claims(&scope, &ids).await.unwrap();
    let occurred: Vec<_> = claims.iter().map(|claim| claim.occurred).collect();
    assert_eq!(
        occurred,
        [period("1969-12", None), period("2016-12-14", Some("2016-12-16")), None, period("2015-11", Some("2016"))]
    );
    let link = fixture.graph.relationships(&scope, &[written.relationships[0].id]).await.unwrap().remove(0);
    assert_eq!((link.since, link.until), (PartialDate::parse("1987"), PartialDate::parse("2016-12-14")));
}

pub async fn several_documents_state_the_period_of_a_link_together(fixture: &GraphFixture) {
    let (one, other) = (collection(), collection());
    let sheet = |home, path: &str, since: Option<&str>, until: Option<&str>| {
        let mut sheet = mention(home, path, "Halvek Front", &format!("They met {path}.")).beside(&[one, other]);
        let wire = sheet.entity("Orrin Wire", "outlet");
        let link = sheet.link(0, wire, "owns", &[0]);
        sheet.write.relationships[link].since = since.and_then(PartialDate::parse);
        sheet.write.relationships[link].until = until.and_then(PartialDate::parse);
        sheet
    };
    let first = fixture.write(&sheet(one, "a", Some("2016"), Some("2019"))).await;
    let held = async |scope: Scope| {
        let link = fixture.graph.relationships(&scope, &[first.relationships[0].id]).await.unwrap().remove(0);
        [link.since, link.until].map(|date| date.map(|date| date.to_string()).unwrap_or_default())
    };
    // Of a year and a day in it the day is kept, whichever comes first.
    fixture.write(&sheet(one, "b", Some("2016-05-03"), None)).await;
    fixture.write(&sheet(one, "c", None, Some("2019-02"))).await;
    assert_eq!(held(Scope::from(one)).await, ["2016-05-03", "2019-02"]);
    fixture.write(&sheet(one, "d", Some("2016"), Some("2018-11"))).await;
    assert_eq!(held(Scope::from(one)).await, ["2016-05-03", "2019-02"]);
    fixture.write(&sheet(other, "e", Some("2015-12"), Some("2020"))).await;
    assert_eq!(held(Scope::from(one)).await, ["2016-05-03", "2019-02"], "what others say is theirs");
    assert_eq!(held(Scope::new(vec![one, other])).await, ["2015-12", "2020"]);
    // One entity under two ids: the link of both is one to readers.
    let scope = Scope::new(vec![one, other]);
    let mut twin = sheet(one, "f", Some("2014"), None);
    twin.write.entities[0].name = "Night Brigade".into();
    let brigade = fixture.write(&twin).await.entities[0].id;
    fixture.graph.merge(domain::MergeId(id()), first.entities[0].id, brigade, None, twin.write.at).await.unwrap();
    let traversal = engine::graph::Traversal {
        entity_id: brigade,
        direction: engine::graph::Direction::Both,
        description: None,
        min_weight: None,
        limit: 9,
    };
    let edges = fixture.graph.traverse(&scope, &traversal).await.unwrap();
    assert_eq!((edges.len(), edges[0].relationship.since), (1, PartialDate::parse("2014")));
}
