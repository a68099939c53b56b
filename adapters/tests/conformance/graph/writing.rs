//! Writing: atomic, harmless to repeat, and without regard to the order of arrival.

use super::field::{Field, Sheet, collection, day, id, mention};
use bytes::Bytes;
use domain::{
    CollectionKind, Confidence, DocumentId, EntityId, Scope, Timestamp, UserId,
    budget::OwnCap,
    claim::Attribution,
    document::Document,
    entity::{PropertyKey, PropertyValue},
    user::{Role, User},
};
use engine::{
    accounts::Accounts,
    graph::EntityRef,
    library::{Capture, DocumentQuery, Documents},
};
use futures::future::join_all;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

fn key(name: &str) -> PropertyKey {
    PropertyKey::try_from(name.to_owned()).unwrap()
}

pub async fn a_graph_says_what_it_is(field: &Field) {
    let name = field.graph.describe().await.unwrap();
    assert!(
        name.split_once(' ').is_some_and(|(_, version)| version.starts_with(|digit: char| digit.is_ascii_digit())),
        "{name}"
    );
}

pub async fn what_was_written_is_read(field: &Field) {
    let home = collection();
    let scope = Scope::from(home);
    let mut sheet = Sheet::new(home, "a");
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
    let written = field.write(&sheet).await;
    assert!(written.entities.iter().all(|entity| entity.is_new));

    let claims = field.graph.claims(&scope, &[written.claims[0].id]).await.unwrap();
    let (new, read) = (&sheet.write.claims[0], &claims[0]);
    assert_eq!((&read.content, &read.quote, read.span, read.published), (&new.content, &new.quote, new.span, new.published));
    assert_eq!((read.attribution, &read.speaker, read.collection_id), (Attribution::Secondhand, &new.speaker, home));
    assert_eq!(read.outlet_id, Some(written.entities[outlet].id));
    assert_eq!(read.entity_ids, [written.entities[front].id, written.entities[lock].id]);

    let entities = field.graph.entities(&scope, &[written.entities[front].id]).await.unwrap();
    let front_read = &entities[0];
    assert_eq!((front_read.canonical_name.as_str(), front_read.kind.as_str()), ("Halvek Front", "group"));
    assert_eq!(front_read.aliases, ["HF"]);
    assert!(!front_read.is_stub && front_read.embedding_pending);
    let summary = front_read.summary.as_ref().unwrap();
    assert_eq!((summary.value.as_str(), summary.claim_ids.as_slice()), ("An armed group.", [read.id].as_slice()));
    assert_eq!(front_read.properties[&key("members")].value, PropertyValue::Integer(300));
    assert_eq!(front_read.properties[&key("members")].claim_ids, [read.id]);
    assert_eq!(front_read.external_ids["wikidata"], "Q7");

    let links = field.graph.relationships(&scope, &[written.relationships[0].id]).await.unwrap();
    assert_eq!((links[0].source_id, links[0].target_id), (written.entities[front].id, written.entities[lock].id));
    assert_eq!((links[0].weight, links[0].confidence.map(Confidence::get)), (Some(0.75), Some(0.5)));
    assert_eq!((links[0].timestamp, links[0].claim_ids.as_slice()), (Timestamp::parse("2031-03-12"), [read.id].as_slice()));
    assert_eq!(field.counts(&scope).await, (1, 3, 1));
    assert_eq!(field.graph.claim_counts(&scope, &[sheet.write.document_id, DocumentId(id())]).await.unwrap(), [1, 0]);
}

pub async fn writing_again_changes_nothing(field: &Field) {
    let home = collection();
    let mut sheet = mention(home, "a", "Halvek Front", "The Front denies it.");
    let other = sheet.entity("Orrin Wire", "outlet");
    sheet.link(0, other, "spoke to", &[0]);
    sheet.update(EntityRef::New(0), &[0]).summary = Some("A group.".into());
    let first = field.write(&sheet).await;
    let scope = Scope::from(home);
    let ids: Vec<EntityId> = first.entities.iter().map(|entity| entity.id).collect();
    let before = field.graph.entities(&scope, &ids).await.unwrap();

    // With other ids, as a reader that starts anew would have them; then the very same.
    let mut again = sheet.clone();
    again.write.entities.iter_mut().for_each(|entity| entity.id = EntityId(id()));
    again.write.claims[0].id = domain::ClaimId(id());
    again.write.relationships[0].id = domain::RelationshipId(id());
    for repeated in [&again, &sheet] {
        let second = field.write(repeated).await;
        assert!(second.entities.iter().all(|entity| !entity.is_new));
        assert_eq!((second.claims[0].id, second.claims[0].is_new), (first.claims[0].id, false));
        assert_eq!((second.relationships[0].id, second.relationships[0].is_new), (first.relationships[0].id, false));
    }
    assert_eq!(field.graph.entities(&scope, &ids).await.unwrap(), before);
    assert_eq!(field.counts(&scope).await, (1, 2, 1));
}

pub async fn a_claim_is_unique_by_document_and_content(field: &Field) {
    let home = collection();
    let one = mention(home, "a", "Halvek Front", "The Front denies it.");
    let mut copy = mention(home, "b", "Halvek Front", "The Front denies it.");
    let twice = copy.write.claims[0].clone();
    copy.write.claims.push(domain_claim_with_new_id(twice));
    field.write(&one).await;
    let written = field.write(&copy).await;
    assert!(written.claims[0].is_new && !written.claims[1].is_new);
    assert_eq!(written.claims[0].id, written.claims[1].id);
    assert_eq!(field.counts(&Scope::from(home)).await.0, 2);
}

fn domain_claim_with_new_id(mut claim: engine::graph::NewClaim) -> engine::graph::NewClaim {
    claim.id = domain::ClaimId(id());
    claim
}

pub async fn seen_again_means_more_evidence(field: &Field) {
    let home = collection();
    let make = |path: &str, content: &str| {
        let mut sheet = mention(home, path, "Halvek Front", content);
        let lock = sheet.entity("Varrow Lock", "place");
        sheet.link(0, lock, "opened", &[0]);
        sheet.update(EntityRef::New(0), &[0]).properties.insert(key("members"), PropertyValue::Integer(300));
        sheet
    };
    let first = field.write(&make("a", "They opened it.")).await;
    let second = field.write(&make("b", "It was opened by them.")).await;
    assert_eq!(first.relationships[0].id, second.relationships[0].id);
    let scope = Scope::from(home);
    let claims = [first.claims[0].id, second.claims[0].id];
    assert_eq!(field.graph.relationships(&scope, &[first.relationships[0].id]).await.unwrap()[0].claim_ids, claims);
    let entity = field.graph.entities(&scope, &[first.entities[0].id]).await.unwrap().remove(0);
    assert_eq!(entity.properties[&key("members")].claim_ids, claims);
}

pub async fn writers_at_once_make_an_entity_once(field: &Field) {
    let home = collection();
    let other = field.other_process().await;
    let sheets: Vec<Sheet> =
        (0..16).map(|n| mention(home, &n.to_string(), "Halvek Front", &format!("Statement {n}."))).collect();
    let graphs = [&*field.graph, &*other];
    let writes = sheets.iter().enumerate().map(|(n, sheet)| graphs[n % 2].write(&sheet.write, &field.cascade));
    let written = join_all(writes).await;
    let first = written[0].as_ref().unwrap().entities[0].id;
    assert!(written.iter().all(|written| written.as_ref().unwrap().entities[0].id == first));
    assert_eq!(written.iter().filter(|written| written.as_ref().unwrap().entities[0].is_new).count(), 1);
    assert_eq!(field.counts(&Scope::from(home)).await, (16, 1, 0));
}

pub async fn many_writers_with_the_same_names_make_each_once(field: &Field) {
    const NAMES: [&str; 6] = ["Halvek Front", "Radio Ebrin", "Varrow Lock", "Cedar Union", "Ash Company", "Kestra Press"];
    let home = collection();
    let other = field.other_process().await;
    let sheet = |n: usize| {
        let mut sheet = Sheet::new(home, &format!("{n:02}"));
        // Each in an order of its own, so that nobody waits for another in a ring.
        let entities: Vec<usize> = (0..NAMES.len()).map(|i| sheet.entity(NAMES[(i * 5 + n) % NAMES.len()], "group")).collect();
        let claim = sheet.claim(&format!("Statement {n}."), &entities);
        sheet.link(entities[n % 5], entities[5], "works with", &[claim]);
        sheet
    };
    let sheets: Vec<Sheet> = (0..24).map(sheet).collect();
    let graphs = [&*field.graph, &*other];
    let writes = sheets.iter().enumerate().map(|(n, sheet)| graphs[n % 2].write(&sheet.write, &field.cascade));
    let written: Vec<_> = join_all(writes).await.into_iter().map(Result::unwrap).collect();
    let new = written.iter().flat_map(|written| &written.entities).filter(|entity| entity.is_new).count();
    let ids: BTreeSet<_> = written.iter().flat_map(|written| &written.entities).map(|entity| entity.id).collect();
    assert_eq!((new, ids.len()), (NAMES.len(), NAMES.len()));
    let links: BTreeSet<_> = written.iter().flat_map(|written| &written.relationships).map(|link| link.id).collect();
    assert_eq!(field.counts(&Scope::from(home)).await, (24, NAMES.len() as u64, links.len() as u64));
    let ids: Vec<_> = ids.into_iter().collect();
    let entities = field.graph.entities(&Scope::from(home), &ids).await.unwrap();
    assert!(entities.iter().all(|entity| entity.aliases.is_empty()), "{entities:?}");
}

pub async fn completing_a_document_is_remembered(field: &Field) {
    let owner = User {
        id: UserId(id()),
        name: "ada".into(),
        role: Role::Analyst,
        is_disabled: false,
        cap: OwnCap::default(),
        created_at: Timestamp::from_micros(0),
    };
    field.store.add_user(&owner, None, None).await.unwrap();
    let home = domain::Collection {
        id: collection(),
        kind: CollectionKind::Private,
        name: "papers".into(),
        owner: owner.id,
        created_at: Timestamp::from_micros(0),
    };
    field.store.ensure_collection(&home).await.unwrap();
    let text = "The Front denies it.";
    let hash = hex::encode(Sha256::digest(text));
    let document = Document {
        id: DocumentId(id()),
        collection_id: home.id,
        path: "a.txt".into(),
        title: "A".into(),
        outlet: None,
        published: None,
        language: None,
        media_type: "text/plain".into(),
        sha256: hash.clone(),
        size_bytes: text.len() as u64,
        text_sha256: hash,
        text_bytes: text.len() as u64,
        extractor: "plain".into(),
        captured_at: Timestamp::from_micros(0),
    };
    let capture = Capture { document: document.clone(), bytes: Bytes::from(text), text: text.into() };
    field.store.add_documents(&[capture]).await.unwrap();
    let scope = Scope::from(home.id);
    let unread = DocumentQuery { only_unextracted: true, limit: 9, ..DocumentQuery::default() };
    assert_eq!(field.store.list(&scope, &unread).await.unwrap().total, 1);
    let mut sheet = mention(home.id, "a", "Halvek Front", text);
    sheet.write.document_id = document.id;
    sheet.write.completes_document = true;
    field.write(&sheet).await;
    field.write(&sheet).await;
    assert_eq!(field.store.list(&scope, &unread).await.unwrap().total, 0);
}

pub async fn the_canonical_name_does_not_depend_on_the_order_of_writes(field: &Field) {
    let mut named = Vec::new();
    for reversed in [false, true] {
        let home = collection();
        let mut sheets = vec![
            mention(home, "a", "RADIO EBRIN", "One."),
            mention(home, "b", "Radio Ebrin", "Two."),
            mention(home, "c", "Radio Ebrin", "Three."),
            mention(home, "d", "radio Ebrin", "Four."),
        ];
        if reversed {
            sheets.reverse();
        }
        let mut entity = None;
        for sheet in &sheets {
            entity = Some(field.write(sheet).await.entities[0].id);
        }
        let entity = field.graph.entities(&Scope::from(home), &[entity.unwrap()]).await.unwrap().remove(0);
        named.push((entity.canonical_name, entity.aliases));
    }
    assert_eq!(named[0].0, "Radio Ebrin");
    assert_eq!(named[0], named[1]);
}

pub async fn the_current_value_is_the_one_with_the_newest_evidence(field: &Field) {
    let home = collection();
    let make = |path: &str, date: &str, members: i64| {
        let mut sheet = mention(home, path, "Halvek Front", &format!("It has {members} members."));
        sheet.write.claims[0].published = Some(day(date));
        sheet.update(EntityRef::New(0), &[0]).properties.insert(key("members"), PropertyValue::Integer(members));
        sheet
    };
    let newer = field.write(&make("a", "2031-03-14", 200)).await;
    field.write(&make("b", "2031-03-10", 300)).await;
    let entity = field.graph.entities(&Scope::from(home), &[newer.entities[0].id]).await.unwrap().remove(0);
    assert_eq!(entity.properties[&key("members")].value, PropertyValue::Integer(200));
    assert_eq!(entity.properties[&key("members")].claim_ids, [newer.claims[0].id]);
}
