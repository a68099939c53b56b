//! Tests of SQLite only: a full disk, concurrent processes, a newer schema.

use super::{backends, prelude::*};
use engine::{archive::ArchiveStore, events::Events, library::Documents};
use futures::StreamExt;
use sqlx::{Connection, SqliteConnection};

async fn beside(backend: &TestBackend) -> SqliteConnection {
    SqliteConnection::connect(&format!("sqlite://{}", backend.file().display())).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn many_processes_may_open_a_new_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let backend = backends::sqlite().await.unwrap();
    let path = folder.path().join("new.db");
    let opened = join_all((0..6).map(|_| Store::open_sqlite(&path, SqlConfig::default(), backend.clock.clone()))).await;
    for store in opened {
        store.unwrap().ping().await.unwrap();
    }
}

#[tokio::test]
async fn an_unwritable_folder_is_reported() {
    let backend = backends::sqlite().await.unwrap();
    let path = backend.file().join("not a folder").join("state.db");
    let refused = Store::open_sqlite(&path, SqlConfig::default(), backend.clock.clone()).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))));
}

#[tokio::test]
async fn data_of_a_newer_version_is_left_unchanged() {
    let backend = backends::sqlite().await.unwrap();
    let mut connection = beside(&backend).await;
    sqlx::query("insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (9999, 'x', 1, x'00', 0)")
        .execute(&mut connection)
        .await
        .unwrap();
    let refused = Store::open_sqlite(&backend.file(), SqlConfig::default(), backend.clock.clone()).await;
    let Err(StoreError::Invalid(message)) = refused else { panic!("it was opened") };
    assert!(message.contains("newer version"), "{message}");
}

#[tokio::test]
async fn an_extracted_document_is_left_out() {
    let backend = backends::sqlite().await.unwrap();
    let (_, collection) = backend.person("ada").await;
    let batch = [capture(collection, "a.txt", "a"), capture(collection, "b.txt", "b")];
    let (stored, _) = backend.store.add_documents(&batch).await.unwrap();
    let mut connection = beside(&backend).await;
    sqlx::query("insert into extractions (document_id, at) values ($1, 1)")
        .bind(stored[0].id.0)
        .execute(&mut connection)
        .await
        .unwrap();
    let query = DocumentQuery { only_unextracted: true, limit: 10, ..DocumentQuery::default() };
    let page = backend.store.list(&Scope::from(collection), &query).await.unwrap();
    assert_eq!((page.total, page.documents), (1, vec![stored[1].clone()]));
    let ids = [stored[0].id, stored[1].id];
    assert_eq!(backend.store.extracted(&ids).await.unwrap().into_iter().collect::<Vec<_>>(), [stored[0].id]);
}

#[tokio::test]
async fn a_full_disk_is_reported_and_leaves_the_store_usable() {
    let backend = backends::sqlite().await.unwrap();
    let (_, collection) = backend.person("ada").await;
    backend.store.add_documents(&[capture(collection, "before.txt", "before")]).await.unwrap();
    backend.store.close().await;
    let config = SqlConfig { max_mib: Some(1), ..SqlConfig::default() };
    let store = Store::open_sqlite(&backend.file(), config, backend.clock.clone()).await.unwrap();
    let huge = "word ".repeat(500_000);
    let refused = store.add_documents(&[capture(collection, "huge.txt", &huge)]).await;
    assert!(matches!(refused, Err(StoreError::Full)), "{refused:?}");
    let page = store.list(&Scope::from(collection), &DocumentQuery { limit: 5, ..DocumentQuery::default() }).await.unwrap();
    assert_eq!(page.total, 1);
    store.add_documents(&[capture(collection, "small.txt", "small")]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_another_process_is_found_after_a_failed_read() {
    let backend = backends::sqlite().await.unwrap();
    let config = SqlConfig { recheck_ms: 5, readers: 1, acquire_timeout_ms: 10, ..SqlConfig::default() };
    // On a busy machine a connection takes longer than this store waits for one.
    let store = loop {
        if let Ok(store) = Store::open_sqlite(&backend.file(), config.clone(), backend.clock.clone()).await {
            break store;
        }
    };
    let investigation = backend.any_investigation().await;
    let mut stream = store.follow(investigation, 0);
    backends::not_yet(stream.next()).await;
    // The follower may hold the only reader for longer than a snapshot waits.
    let only_reader = loop {
        if let Ok(snapshot) = store.snapshot().await {
            break snapshot;
        }
    };
    let event = backend.store.append(investigation, backend.now(), EventKind::FinishRequested).await.unwrap();
    backends::not_yet(std::future::pending::<()>()).await;
    drop(only_reader);
    assert_eq!(backends::soon(stream.next()).await.unwrap().unwrap(), event);
}
