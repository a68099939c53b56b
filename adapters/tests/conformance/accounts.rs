//! Accounts, collections, browser sessions.

use super::bench::{Bench, id};
use domain::{
    Collection, CollectionId, CollectionKind, UserId,
    budget::OwnCap,
    user::{Role, User},
};
use engine::accounts::{AccountChange, Accounts, AuditEntry, WebSession, WebSessions};
use futures::future::join_all;

fn entry(bench: &Bench, act: &str) -> AuditEntry {
    AuditEntry { at: bench.now(), user: None, act: act.into(), object: "somebody".into() }
}

fn user(bench: &Bench, name: &str) -> User {
    User {
        id: UserId(id()),
        name: name.into(),
        role: Role::Admin,
        is_disabled: false,
        cap: OwnCap::default(),
        created_at: bench.now(),
    }
}

pub async fn a_name_is_taken_whatever_its_case(bench: &Bench) {
    let store = &bench.store;
    let ada = user(bench, "Ada");
    assert!(store.add_user(&ada, Some("hash"), None).await.unwrap());
    assert!(!store.add_user(&user(bench, "aDA"), None, None).await.unwrap());
    assert_eq!(store.user_by_name("ADA").await.unwrap(), Some((ada.clone(), Some("hash".into()))));
    assert_eq!(store.user(ada.id).await.unwrap(), Some(ada.clone()));
    assert_eq!(store.users().await.unwrap(), std::slice::from_ref(&ada));
    store.set_password(ada.id, "new").await.unwrap();
    assert_eq!(store.user_by_name("ada").await.unwrap().unwrap().1.as_deref(), Some("new"));
    assert!(store.set_password(UserId(id()), "new").await.is_err());
}

pub async fn somebody_always_administers(bench: &Bench) {
    let store = &bench.store;
    let (ada, bob, system) = (user(bench, "ada"), user(bench, "bob"), user(bench, "system"));
    for (person, hash) in [(&ada, Some("hash")), (&bob, Some("hash")), (&system, None)] {
        assert!(store.add_user(person, hash, None).await.unwrap());
    }
    let entry = entry(bench, "change");
    let change = |id, change| store.change_user(id, change, &entry);
    assert!(change(bob.id, AccountChange::Role(Role::Reader)).await.unwrap());
    assert_eq!(store.user(bob.id).await.unwrap().unwrap().role, Role::Reader);
    for to in [AccountChange::Disabled(true), AccountChange::Role(Role::Analyst)] {
        assert!(!change(ada.id, to).await.unwrap(), "who cannot sign in administers nothing");
    }
    assert_eq!(store.user(ada.id).await.unwrap(), Some(ada.clone()));
    assert!(change(bob.id, AccountChange::Disabled(true)).await.unwrap());
    assert!(change(bob.id, AccountChange::Role(Role::Admin)).await.unwrap());
    assert!(!change(ada.id, AccountChange::Disabled(true)).await.unwrap(), "nor who is kept out");
    assert!(change(bob.id, AccountChange::Disabled(false)).await.unwrap());
    let (one, other) =
        tokio::join!(change(ada.id, AccountChange::Role(Role::Reader)), change(bob.id, AccountChange::Disabled(true)));
    assert_eq!([one.unwrap(), other.unwrap()].iter().filter(|changed| **changed).count(), 1);
    assert!(!change(UserId(id()), AccountChange::Role(Role::Reader)).await.unwrap());
    assert!(!change(system.id, AccountChange::Role(Role::Reader)).await.unwrap());
}

pub async fn each_change_of_a_person_leaves_the_others_as_they_are_and_is_noted_with_it(bench: &Bench) {
    let store = &bench.store;
    let (ada, bob) = (user(bench, "ada"), user(bench, "bob"));
    assert!(store.add_user(&ada, Some("hash"), Some(&entry(bench, "add"))).await.unwrap());
    assert!(!store.add_user(&user(bench, "ADA"), Some("hash"), Some(&entry(bench, "add again"))).await.unwrap());
    assert!(store.add_user(&bob, Some("hash"), None).await.unwrap());
    // Two administrators act at once: whoever is kept out stays out, whatever the other gives them.
    let (role, keep_out) = (entry(bench, "role"), entry(bench, "keep out"));
    let other = bench.other_process().await;
    let (first, second) = tokio::join!(
        store.change_user(bob.id, AccountChange::Disabled(true), &keep_out),
        other.change_user(bob.id, AccountChange::Role(Role::Reader), &role)
    );
    assert!(first.unwrap() && second.unwrap());
    let bob = store.user(bob.id).await.unwrap().unwrap();
    assert_eq!((bob.role, bob.is_disabled), (Role::Reader, true));
    assert!(!store.change_user(ada.id, AccountChange::Disabled(true), &entry(bench, "refused")).await.unwrap());
    let mut acts: Vec<String> = store.audit_log(10).await.unwrap().into_iter().map(|entry| entry.act).collect();
    acts.sort_unstable();
    assert_eq!(acts, ["add", "keep out", "role"], "what was refused is not noted as done");
}

pub async fn only_one_of_many_first_visitors_becomes_the_first_user(bench: &Bench) {
    let other = bench.other_process().await;
    let visitors: Vec<User> = (0..8).map(|n| user(bench, &format!("visitor {n}"))).collect();
    let stores = [&bench.store, &other];
    let note = entry(bench, "first");
    let tries = visitors.iter().enumerate().map(|(n, visitor)| stores[n % 2].add_first_user(visitor, "hash", &note));
    let won = join_all(tries).await.into_iter().filter(|won| *won.as_ref().unwrap()).count();
    assert_eq!(won, 1);
    assert_eq!(bench.store.users().await.unwrap().len(), 1);
    assert_eq!(bench.store.audit_log(10).await.unwrap().len(), 1);
}

pub async fn an_account_without_a_password_is_nobody_who_can_sign_in(bench: &Bench) {
    let store = &bench.store;
    assert!(store.add_user(&user(bench, "system"), None, None).await.unwrap());
    assert!(!store.has_people().await.unwrap());
    assert!(store.add_first_user(&user(bench, "ada"), "hash", &entry(bench, "first")).await.unwrap());
    assert!(store.has_people().await.unwrap());
    assert!(!store.add_first_user(&user(bench, "bob"), "hash", &entry(bench, "first")).await.unwrap());
}

pub async fn a_collection_is_made_once_per_owner_kind_and_name(bench: &Bench) {
    let owner = bench.user("ada").await;
    let make = |kind| Collection { id: CollectionId(id()), kind, name: "Uploads".into(), owner, created_at: bench.now() };
    let first = bench.store.ensure_collection(&make(CollectionKind::Private)).await.unwrap();
    let again = bench.store.ensure_collection(&make(CollectionKind::Private)).await.unwrap();
    assert_eq!(first, again);
    let shared = bench.store.ensure_collection(&make(CollectionKind::Shared)).await.unwrap();
    assert_ne!(first.id, shared.id);
    assert_eq!(bench.store.collection(shared.id).await.unwrap(), Some(shared.clone()));
    assert_eq!(bench.store.collections().await.unwrap(), [first, shared]);
}

pub async fn a_scope_holds_what_is_open_and_what_is_ones_own(bench: &Bench) {
    let (ada, private) = bench.person("ada").await;
    let (bob, bobs) = bench.person("bob").await;
    let sample = bench.collection(bob, CollectionKind::Sample).await;
    let shared = bench.collection(bob, CollectionKind::Shared).await;
    let scope = bench.store.scope_of(ada).await.unwrap();
    for open in [private, sample, shared] {
        assert!(scope.sees(open));
    }
    assert!(!scope.sees(bobs));
}

pub async fn the_audit_log_is_newest_first(bench: &Bench) {
    let user = bench.user("ada").await;
    let entry = |act: &str| AuditEntry { at: bench.now(), user: Some(user), act: act.into(), object: "ada".into() };
    for act in ["sign_in_refused", "sign_in", "sign_out"] {
        bench.store.audit(&entry(act)).await.unwrap();
    }
    assert_eq!(bench.store.audit_log(2).await.unwrap(), [entry("sign_out"), entry("sign_in")]);
}

pub async fn a_browser_session_lives_until_it_expires(bench: &Bench) {
    let (store, now) = (&bench.store, bench.now());
    let mut session = WebSession { id: "s".into(), data: "{}".into(), expires_at: now.plus_ms(1000) };
    assert!(WebSessions::create(store, &session).await.unwrap());
    assert!(!WebSessions::create(store, &session).await.unwrap());
    session.data = "{\"user\":1}".into();
    store.save(&session).await.unwrap();
    assert_eq!(store.load("s", now).await.unwrap(), Some(session.clone()));
    assert_eq!(store.load("s", now.plus_ms(1000)).await.unwrap(), None);
    store.delete_expired(now.plus_ms(999)).await.unwrap();
    assert!(store.load("s", now).await.unwrap().is_some());
    store.delete_expired(now.plus_ms(1000)).await.unwrap();
    assert_eq!(store.load("s", now).await.unwrap(), None);
    assert!(WebSessions::create(store, &session).await.unwrap());
    store.delete("s").await.unwrap();
    store.save(&session).await.unwrap();
    assert_eq!(store.load("s", now).await.unwrap(), None, "what has ended stays ended");
}
