//! Suite of accounts, collections and browser sessions.

use super::prelude::*;
use domain::{
    Collection,
    user::{Preferences, Role, User, Visits},
};
use engine::accounts::{AccountChange, Accounts, NewPassword, WebSession, WebSessions};

fn user(backend: &TestBackend, name: &str) -> User {
    User::new(UserId(id()), name, Role::Admin, backend.now())
}

pub async fn a_name_is_unique_regardless_of_case(backend: &TestBackend) {
    let store = &backend.store;
    let ada = user(backend, "Ada");
    assert!(store.add_user(&ada, Some("hash"), None).await.unwrap());
    assert!(!store.add_user(&user(backend, "aDA"), None, None).await.unwrap());
    assert_eq!(store.user_by_name("ADA").await.unwrap(), Some((ada.clone(), Some("hash".into()))));
    assert_eq!(store.user(ada.id).await.unwrap(), Some(ada.clone()));
    assert_eq!(store.users_by_id(&[UserId(id()), ada.id]).await.unwrap(), std::slice::from_ref(&ada));
    assert_eq!(store.users_by_id(&[UserId(id())]).await.unwrap(), []);
    assert_eq!(store.users().await.unwrap(), std::slice::from_ref(&ada));
    store.set_password_hash(ada.id, "new").await.unwrap();
    assert_eq!(store.user_by_name("ada").await.unwrap().unwrap().1.as_deref(), Some("new"));
    assert!(store.set_password_hash(UserId(id()), "new").await.is_err());
}

pub async fn one_administrator_remains(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, bob, system) = (user(backend, "ada"), user(backend, "bob"), user(backend, "system"));
    for (person, hash) in [(&ada, Some("hash")), (&bob, Some("hash")), (&system, None)] {
        assert!(store.add_user(person, hash, None).await.unwrap());
    }
    let entry = entry(backend, "change");
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

pub async fn each_change_of_a_person_is_isolated_and_audited(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, bob) = (user(backend, "ada"), user(backend, "bob"));
    assert!(store.add_user(&ada, Some("hash"), Some(&entry(backend, "add"))).await.unwrap());
    assert!(!store.add_user(&user(backend, "ADA"), Some("hash"), Some(&entry(backend, "add again"))).await.unwrap());
    assert!(store.add_user(&bob, Some("hash"), None).await.unwrap());
    // Two administrators act at once: a disabled account stays disabled when the other changes its role.
    let (role, keep_out) = (entry(backend, "role"), entry(backend, "keep out"));
    let other = backend.other_process().await;
    let (first, second) = tokio::join!(
        store.change_user(bob.id, AccountChange::Disabled(true), &keep_out),
        other.change_user(bob.id, AccountChange::Role(Role::Reader), &role)
    );
    assert!(first.unwrap() && second.unwrap());
    let bob = store.user(bob.id).await.unwrap().unwrap();
    assert_eq!((bob.role, bob.is_disabled), (Role::Reader, true));
    assert!(!store.change_user(ada.id, AccountChange::Disabled(true), &entry(backend, "refused")).await.unwrap());
    let mut acts: Vec<String> = store.audit_log(10).await.unwrap().into_iter().map(|entry| entry.act).collect();
    acts.sort_unstable();
    assert_eq!(acts, ["add", "keep out", "role"], "what was refused is not noted as done");
}

pub async fn one_of_many_first_visitors_becomes_the_first_user(backend: &TestBackend) {
    let other = backend.other_process().await;
    let visitors: Vec<User> = (0..8).map(|n| user(backend, &format!("visitor {n}"))).collect();
    let stores = [&backend.store, &other];
    let note = entry(backend, "first");
    let tries = visitors.iter().enumerate().map(|(n, visitor)| stores[n % 2].add_first_user(visitor, "hash", &note));
    let won = join_all(tries).await.into_iter().filter(|won| *won.as_ref().unwrap()).count();
    assert_eq!(won, 1);
    assert_eq!(backend.store.users().await.unwrap().len(), 1);
    assert_eq!(backend.store.audit_log(10).await.unwrap().len(), 1);
}

pub async fn an_account_without_a_password_cannot_sign_in(backend: &TestBackend) {
    let store = &backend.store;
    assert!(store.add_user(&user(backend, "system"), None, None).await.unwrap());
    assert!(!store.has_people().await.unwrap());
    assert!(store.add_first_user(&user(backend, "ada"), "hash", &entry(backend, "first")).await.unwrap());
    assert!(store.has_people().await.unwrap());
    assert!(!store.add_first_user(&user(backend, "bob"), "hash", &entry(backend, "first")).await.unwrap());
}

pub async fn a_collection_is_made_once_per_owner_kind_and_name(backend: &TestBackend) {
    let owner = backend.user("ada").await;
    let make = |kind| Collection { id: CollectionId(id()), kind, name: "Uploads".into(), owner, created_at: backend.now() };
    let first = backend.store.ensure_collection(&make(CollectionKind::Private)).await.unwrap();
    let again = backend.store.ensure_collection(&make(CollectionKind::Private)).await.unwrap();
    assert_eq!(first, again);
    let shared = backend.store.ensure_collection(&make(CollectionKind::Shared)).await.unwrap();
    assert_ne!(first.id, shared.id);
    assert_eq!(backend.store.collection(shared.id).await.unwrap(), Some(shared.clone()));
    assert_eq!(backend.store.collections().await.unwrap(), [first, shared]);
}

pub async fn a_scope_holds_open_and_own_collections(backend: &TestBackend) {
    let (ada, private) = backend.person("ada").await;
    let (bob, bobs) = backend.person("bob").await;
    let sample = backend.collection(bob, CollectionKind::Sample).await;
    let shared = backend.collection(bob, CollectionKind::Shared).await;
    let scope = backend.store.scope_of(ada).await.unwrap();
    for open in [private, sample, shared] {
        assert!(scope.sees(open));
    }
    assert!(!scope.sees(bobs));
}

pub async fn uploads_are_counted_up_to_a_limit_a_day(backend: &TestBackend) {
    let (ada, bob) = (backend.user("ada").await, backend.user("bob").await);
    let add = async |user, day, bytes| backend.store.add_upload(user, day, bytes, 100).await.unwrap();
    assert!(!add(ada, 7, 101).await, "more than a day allows");
    assert!(add(ada, 7, 60).await && !add(ada, 7, 41).await && add(ada, 7, 40).await && !add(ada, 7, 1).await);
    assert!(add(bob, 7, 100).await, "people are counted apart");
    assert!(add(ada, 8, 99).await && !add(ada, 8, 2).await && add(ada, 8, 1).await, "another day begins at 0");
}

pub async fn the_audit_log_is_newest_first(backend: &TestBackend) {
    let user = backend.user("ada").await;
    let address = Some("2001:db8::7".parse().unwrap());
    let entry = |act: &str| AuditEntry { at: backend.now(), user: Some(user), act: act.into(), object: "ada".into(), address };
    for act in ["sign_in_refused", "sign_in", "sign_out"] {
        backend.store.audit(&entry(act)).await.unwrap();
    }
    assert_eq!(backend.store.audit_log(2).await.unwrap(), [entry("sign_out"), entry("sign_in")]);
    assert_eq!(backend.store.audit_page(2, 2).await.unwrap(), (vec![entry("sign_in_refused")], 3));
    backend.store.drop_audit_before(backend.now()).await.unwrap();
    assert_eq!(backend.store.audit_log(9).await.unwrap().len(), 3);
    backend.store.drop_audit_before(backend.now().plus_ms(1)).await.unwrap();
    assert_eq!(backend.store.audit_page(0, 9).await.unwrap(), (vec![], 0));
}

/// A session of a user that ends after one second.
fn session(backend: &TestBackend, key: &str, user: Option<UserId>) -> WebSession {
    let now = backend.now();
    WebSession {
        key: key.into(),
        user,
        device: "Firefox on Linux".into(),
        data: "{}".into(),
        started_at: now,
        used_at: now,
        expires_at: now.plus_ms(1000),
    }
}

pub async fn a_browser_session_lives_until_it_expires(backend: &TestBackend) {
    let (store, now) = (&backend.store, backend.now());
    let mut session = session(backend, "s", None);
    assert!(WebSessions::create(store, &session).await.unwrap());
    assert!(!WebSessions::create(store, &session).await.unwrap());
    session.data = "{\"user\":1}".into();
    session.user = Some(backend.user("ada").await);
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

pub async fn a_new_password_ends_the_other_sessions_of_its_account_only(backend: &TestBackend) {
    let (store, now) = (&backend.store, backend.now());
    let (ada, bob) = (backend.user("ada").await, backend.user("bob").await);
    for (key, user) in [("a1", ada), ("a2", ada), ("b", bob)] {
        assert!(WebSessions::create(store, &session(backend, key, Some(user))).await.unwrap());
    }
    for (token, user) in [("ta", ada), ("tb", bob)] {
        store.remember_device(token, user, now, 9).await.unwrap();
    }
    let entry = entry(backend, "change_password");
    let keys =
        async |user| store.sessions_of(user, now).await.unwrap().into_iter().map(|session| session.key).collect::<Vec<_>>();
    let new = |must_change, keep_session| NewPassword { hash: "new", must_change, keep_session };
    store.replace_password(ada, new(true, Some("a2")), &entry).await.unwrap();
    assert_eq!(keys(ada).await, ["a2"]);
    assert!(store.user(ada).await.unwrap().unwrap().must_change_password);
    assert!(store.is_device_of("ta", "ADA").await.unwrap(), "its owner changed it");
    store.replace_password(ada, new(false, None), &entry).await.unwrap();
    assert_eq!(keys(ada).await, [""; 0]);
    assert!(!store.user(ada).await.unwrap().unwrap().must_change_password);
    assert!(!store.is_device_of("ta", "ada").await.unwrap());
    assert_eq!(keys(bob).await, ["b"]);
    assert!(store.is_device_of("tb", "bob").await.unwrap());
    store.end_all(bob, &entry).await.unwrap();
    assert_eq!((keys(bob).await.len(), store.is_device_of("tb", "bob").await.unwrap()), (0, false));
    assert_eq!(store.audit_log(9).await.unwrap().len(), 3);
    assert!(store.replace_password(UserId(id()), new(false, None), &entry).await.is_err());
}

pub async fn the_most_recent_devices_of_an_account_are_known(backend: &TestBackend) {
    let (store, now) = (&backend.store, backend.now());
    let (ada, bob) = (backend.user("ada").await, backend.user("bob").await);
    for (ms, token) in [(0, "one"), (1, "two"), (2, "one"), (3, "three")] {
        store.remember_device(token, ada, now.plus_ms(ms), 2).await.unwrap();
    }
    store.remember_device("bobs", bob, now, 2).await.unwrap();
    let known = async |token, name| store.is_device_of(token, name).await.unwrap();
    assert!(known("one", "Ada").await && known("three", "ada").await && known("bobs", "bob").await);
    assert!(!known("two", "ada").await && !known("one", "bob").await && !known("none", "ada").await);
}

pub async fn a_set_up_code_is_good_until_the_first_account(backend: &TestBackend) {
    let (store, now) = (&backend.store, backend.now());
    store.add_setup_code("old", now, now).await.unwrap();
    store.add_setup_code("one", now.plus_ms(10), now.plus_ms(1)).await.unwrap();
    store.add_setup_code("two", now.plus_ms(20), now.plus_ms(1)).await.unwrap();
    assert!(!store.has_setup_code("old").await.unwrap());
    assert!(store.has_setup_code("one").await.unwrap() && store.has_setup_code("two").await.unwrap());
    assert!(store.add_first_user(&user(backend, "ada"), "hash", &entry(backend, "first")).await.unwrap());
    assert!(!store.has_setup_code("one").await.unwrap() && !store.has_setup_code("two").await.unwrap());
}

pub async fn preferences_and_visits_are_stored_per_person(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, bob) = (user(backend, "ada"), user(backend, "bob"));
    for person in [&ada, &bob] {
        assert!(store.add_user(person, Some("hash"), None).await.unwrap());
    }
    let preferences = Preferences { shortcuts_off: true, hides_sample: true, sample_seen: true, setup_dismissed: true };
    let visits = Visits { seen_at: Some(backend.now()), before: Some(backend.now().plus_ms(-1_000)) };
    store.set_preferences(ada.id, preferences).await.unwrap();
    store.set_visits(ada.id, visits).await.unwrap();
    assert_eq!(store.user(ada.id).await.unwrap(), Some(User { preferences, visits, ..ada }));
    assert_eq!(store.user(bob.id).await.unwrap(), Some(bob));
}
