//! Test of `autosint restore` with a backup of a program that named fields otherwise, lacked others, and had no features.

use super::{autosint, database, succeed};
use crate::prelude::*;
use domain::{SessionId, agent::SessionOwner};
use engine::archive::{ArchiveRecord, Batch, RecordKind, file::Writer};

const INVESTIGATION: &str = "0193aabb-ccdd-7000-8000-000000000003";
const SESSION: &str = "0193aabb-ccdd-7000-8000-000000000004";
/// Text of a tool result, and its SHA-256.
const RESULT: &str = "The page is closed.";
/// Records of the older program: the question of an investigation is its prompt, an injection finding is a lure, sessions have no
/// owner but their investigation, and saved views belong to no feature.
const RECORDS: [(&str, &str); 8] = [
    (
        "users",
        r#"{"id":"0193aabb-ccdd-7000-8000-000000000001","name":"ada","name_key":"ada","role":"admin","password_hash":null,
            "disabled":false,"created_at":1900000000000000}"#,
    ),
    (
        "collections",
        r#"{"id":"0193aabb-ccdd-7000-8000-000000000002","kind":"shared","name":"Command line",
            "owner":"0193aabb-ccdd-7000-8000-000000000001","created_at":1900000000000000}"#,
    ),
    (
        "investigations",
        r#"{"id":"0193aabb-ccdd-7000-8000-000000000003","owner":"0193aabb-ccdd-7000-8000-000000000001",
            "collection_id":"0193aabb-ccdd-7000-8000-000000000002","parent_id":null,"prompt":"Who set the fire?",
            "kind":"intelligence","started_by":"prompt","scope":["0193aabb-ccdd-7000-8000-000000000002"],"status":"failed",
            "cycle":1,"empty_sessions":0,"failed_cycles":0,"final_session":false,"traceparent":"",
            "created_at":1900000000000000,"completed_at":1900000001000000,
            "attempt":1,"event_count":1}"#,
    ),
    (
        "events",
        r#"{"investigation_id":"0193aabb-ccdd-7000-8000-000000000003","sequence":1,"at":1900000000500000,
            "what":{"type":"lure_found","session_id":"0193aabb-ccdd-7000-8000-000000000004","tool":"fetch_url",
                    "document_id":"0193aabb-ccdd-7000-8000-000000000005","title":"A page"}}"#,
    ),
    (
        "contents",
        r#"{"sha256":"9c0f37b2bc7a3c12359031dcded4720db928ed700d90eecd2fa4bc341ded5d63",
            "body":{"blob":"9c0f37b2bc7a3c12359031dcded4720db928ed700d90eecd2fa4bc341ded5d63","bytes":19}}"#,
    ),
    (
        "agent_sessions",
        r#"{"id":"0193aabb-ccdd-7000-8000-000000000004","investigation_id":"0193aabb-ccdd-7000-8000-000000000003",
            "work_order_id":null,"role":"analyst","cycle":1,"provider":"house","model":"m","prompt_hash":"","status":"failed",
            "reason":"it ended","turns":1,"tokens_in":10,"tokens_out":2,"started_at":1900000000000000,
            "ended_at":1900000001000000,"setup":null}"#,
    ),
    (
        "tool_calls",
        r#"{"id":"0193aabb-ccdd-7000-8000-000000000006","session_id":"0193aabb-ccdd-7000-8000-000000000004",
            "investigation_id":"0193aabb-ccdd-7000-8000-000000000003","tool":"fetch_url",
            "arguments":{"url":"https://lure.example/"},
            "result":"9c0f37b2bc7a3c12359031dcded4720db928ed700d90eecd2fa4bc341ded5d63","is_error":true,"from_cache":false,
            "cache_ms":0,"tool_ms":0,"reflection_ms":0,"total_ms":0,"called_at":1900000000500000,
            "lured_by":"0193aabb-ccdd-7000-8000-000000000005",
            "lure":{"tool":"fetch_url","document_id":"0193aabb-ccdd-7000-8000-000000000005","title":"A page","outlet":null,
                    "words":"lure.example","span":{"start":3,"end":15}}}"#,
    ),
    (
        "saved_views",
        r#"{"id":"0193aabb-ccdd-7000-8000-000000000007","user_id":"0193aabb-ccdd-7000-8000-000000000001","page":"assessments",
            "name":"Fires","notes":"","query":"q=fire","shared":false,"created_at":1900000000000000}"#,
    ),
];

fn write_archive(file: File) {
    let made_at = Timestamp::from_micros(1_900_000_002_000_000);
    let mut writer = Writer::new(file, "0.0.1", "SQLite, schema 59".into(), made_at).unwrap();
    for (kind, record) in RECORDS {
        let line = serde_json::from_str::<Value>(record).unwrap().to_string();
        let blob = (kind == "contents").then(|| RESULT.as_bytes().into());
        let records = vec![ArchiveRecord { place: String::new(), line, blob }];
        writer.batch(&Batch { kind: RecordKind(kind), records }).unwrap();
    }
    writer.finish().unwrap();
}

#[tokio::test]
async fn a_backup_of_an_older_program_is_restored() {
    let folder = tempfile::tempdir().unwrap();
    write_archive(File::create(folder.path().join("old.tar")).unwrap());
    let restored = succeed(autosint(folder.path()).args(["restore", "old.tar"]), "");
    assert!(restored.stdout.contains("(version 0.0.1)") && restored.stdout.contains("every record is identical"));

    let program = open_folder(folder.path()).await;
    let engine = &program.engine;
    let (id, session): (InvestigationId, SessionId) = (INVESTIGATION.parse().unwrap(), SESSION.parse().unwrap());
    let investigation = engine.investigations.investigation(id).await.unwrap().expect("the investigation");
    assert_eq!(investigation.question, "Who set the fire?");
    let sessions = engine.sessions.sessions(id).await.unwrap();
    assert_eq!((sessions[0].owner, sessions[0].role), (SessionOwner::Investigation(id), AgentRole::Analyst));
    assert_eq!(engine.sessions.injections(session).await.unwrap()[0].words, "lure.example");
    assert_eq!(engine.sessions.calls(session).await.unwrap()[0].result, RESULT);
    let events = engine.events.after(id, 0, 10).await.unwrap();
    assert!(matches!(&events[0].kind, EventKind::InjectionDetected { title, .. } if title == "A page"), "{events:?}");
    program.store.close().await;

    let mut connection = database(folder.path()).await;
    let views: Vec<String> = sqlx::query_scalar("select name from saved_views").fetch_all(&mut connection).await.unwrap();
    assert_eq!(views, ["Fires"]);
}
