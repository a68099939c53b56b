//! Agent sessions: steps and calls.

use super::backends::{TestBackend, capture, id};
use adapters::sql::read;
use domain::{
    CollectionId, DocumentId, InvestigationId, Scope, SessionId, Timestamp, ToolCallId, UserId, Word, WorkOrderId,
    agent::{
        AgentRole, AgentSession, InjectionFinding, Quality, ReflectedBy, Reflection, SessionOwner, SessionStatus, SessionTally,
        ToolCall, ToolLatency, ToolQuality,
    },
    claim::Span,
};
use engine::{
    StoreError, StoreResult,
    evidence::sha256_hex,
    investigations::Investigations,
    library::Documents,
    sessions::{SessionEnd, Sessions, StoredStep},
};
use uuid::Uuid;

async fn started(backend: &TestBackend, order: Option<WorkOrderId>) -> AgentSession {
    let session = backend.session(backend.any_investigation().await, order);
    backend.store.start(&session, "{}").await.unwrap();
    session
}

pub async fn a_session_runs_and_ends_once(backend: &TestBackend) {
    let store = &backend.store;
    let session = started(backend, None).await;
    store.start(&session, "{}").await.unwrap();
    assert_eq!(store.sessions(session.investigation_id.unwrap()).await.unwrap(), std::slice::from_ref(&session));
    let end = SessionEnd {
        status: SessionStatus::Completed,
        reason: None,
        turns: 3,
        tokens_in: 10,
        tokens_out: 20,
        at: backend.now(),
    };
    store.end(session.id, &end).await.unwrap();
    store.end(session.id, &SessionEnd { status: SessionStatus::Failed, ..end.clone() }).await.unwrap();
    store.abandon(session.investigation_id.unwrap(), session.role, backend.now()).await.unwrap();
    let ended = AgentSession {
        status: SessionStatus::Completed,
        turns: 3,
        tokens_in: 10,
        tokens_out: 20,
        ended_at: Some(backend.now()),
        ..session
    };
    assert_eq!(store.sessions(ended.investigation_id.unwrap()).await.unwrap(), [ended]);
}

pub async fn steps_are_kept_in_order_and_never_changed(backend: &TestBackend) {
    let store = &backend.store;
    let session = started(backend, None).await.id;
    let step = |number, input: &str| StoredStep { number, at: backend.now(), input: input.into() };
    let steps = [step(0, "{\"reply\":\"é\"}"), step(1, "[]"), step(2, "[]")];
    for step in &steps {
        store.append_step(session, step).await.unwrap();
    }
    store.append_step(session, &steps[1]).await.unwrap();
    let changed = store.append_step(session, &step(1, "{}")).await;
    assert!(matches!(changed, Err(StoreError::Stale(_))), "{changed:?}");
    let hole = store.append_step(session, &step(4, "{}")).await;
    assert!(matches!(hole, Err(StoreError::Invalid(_))), "{hole:?}");
    assert_eq!(store.steps(session).await.unwrap(), steps);
}

pub async fn abandoning_ends_running_sessions_of_one_role(backend: &TestBackend) {
    let store = &backend.store;
    let analyst = started(backend, None).await;
    let processor = AgentSession {
        investigation_id: analyst.investigation_id,
        ..backend.session(analyst.investigation_id.unwrap(), Some(WorkOrderId(id())))
    };
    store.start(&processor, "{}").await.unwrap();
    let stranger = started(backend, None).await;
    store.abandon(analyst.investigation_id.unwrap(), AgentRole::Analyst, backend.now()).await.unwrap();
    let statuses: Vec<_> =
        store.sessions(analyst.investigation_id.unwrap()).await.unwrap().into_iter().map(|session| session.status).collect();
    assert_eq!(statuses, [SessionStatus::Abandoned, SessionStatus::Running]);
    assert_eq!(store.sessions(stranger.investigation_id.unwrap()).await.unwrap(), [stranger]);
}

async fn fail(backend: &TestBackend, session: &AgentSession) {
    let (status, at) = (SessionStatus::Failed, backend.now());
    let end = SessionEnd { status, reason: None, turns: 0, tokens_in: 0, tokens_out: 0, at };
    backend.store.end(session.id, &end).await.unwrap();
}

pub async fn an_unfinished_session_is_found_by_its_owner(backend: &TestBackend) {
    let store = &backend.store;
    let investigation = backend.any_investigation().await;
    for order in [None, Some(WorkOrderId(id()))] {
        let session = backend.session(investigation, order);
        let unfinished = || store.unfinished(session.owner, session.role);
        assert_eq!(unfinished().await.unwrap(), None);
        store.start(&session, "{}").await.unwrap();
        assert_eq!(unfinished().await.unwrap(), Some(session.clone()));
        for other in
            [SessionOwner::Investigation(backend.any_investigation().await), SessionOwner::WorkOrder(WorkOrderId(id()))]
        {
            assert_eq!(store.unfinished(other, session.role).await.unwrap(), None);
        }
        fail(backend, &session).await;
        assert_eq!(unfinished().await.unwrap(), None);
    }
}

pub async fn two_roles_of_one_investigation_do_not_resume_each_other(backend: &TestBackend) {
    let store = &backend.store;
    let investigation = backend.any_investigation().await;
    let owner = SessionOwner::Investigation(investigation);
    let analyst = backend.session(investigation, None);
    store.start(&analyst, "{}").await.unwrap();
    assert_eq!(store.unfinished(owner, AgentRole::Processor).await.unwrap(), None);

    backend.clock.forward_ms(1);
    let processor = AgentSession { role: AgentRole::Processor, ..backend.session(investigation, None) };
    store.start(&processor, "{}").await.unwrap();
    let of_order = backend.session(investigation, Some(WorkOrderId(id())));
    store.start(&of_order, "{}").await.unwrap();
    for session in [&analyst, &processor, &of_order] {
        let unfinished = store.unfinished(session.owner, session.role).await.unwrap();
        assert_eq!(unfinished.as_ref(), Some(session));
    }
    assert_eq!(store.unfinished(of_order.owner, AgentRole::Analyst).await.unwrap(), None);

    fail(backend, &processor).await;
    assert_eq!(store.unfinished(owner, AgentRole::Processor).await.unwrap(), None);
    assert_eq!(store.unfinished(owner, AgentRole::Analyst).await.unwrap(), Some(analyst));
}

pub async fn the_session_of_an_object_of_a_feature_belongs_to_no_investigation(backend: &TestBackend) {
    let store = &backend.store;
    let (object, role) = (id(), AgentRole::feature("guide"));
    let owner = |kind| SessionOwner::Feature { kind: Word::new(kind), id: object };
    let template = backend.session(backend.any_investigation().await, None);
    let session = AgentSession { owner: owner("interview"), investigation_id: None, role, ..template };
    store.start(&session, "{}").await.unwrap();
    assert_eq!(store.unfinished(session.owner, role).await.unwrap(), Some(session.clone()));
    let investigation = SessionOwner::Investigation(InvestigationId(object));
    for (owner, role) in [(owner("letter"), role), (owner("interview"), AgentRole::Analyst), (investigation, role)] {
        assert_eq!(store.unfinished(owner, role).await.unwrap(), None);
    }
    assert_eq!(store.completed(session.owner, role).await.unwrap(), None);
    let (status, at) = (SessionStatus::Completed, backend.now());
    let end = SessionEnd { status, reason: None, turns: 0, tokens_in: 0, tokens_out: 0, at };
    store.end(session.id, &end).await.unwrap();
    let completed = AgentSession { status, ended_at: Some(at), ..session };
    assert_eq!(store.completed(completed.owner, role).await.unwrap(), Some(completed.clone()));
    assert_eq!(store.unfinished(completed.owner, role).await.unwrap(), None);
}

/// A call of a tool without a source.
fn tool_call(session: &AgentSession, tool: &str, called_at: Timestamp) -> ToolCall {
    ToolCall {
        id: ToolCallId(id()),
        session_id: session.id,
        investigation_id: session.investigation_id,
        tool: tool.into(),
        source: None,
        arguments: serde_json::json!({}),
        result: "text".into(),
        raw: None,
        is_error: false,
        from_cache: false,
        latency: ToolLatency::default(),
        reflection: None,
        injection: None,
        called_at,
    }
}

pub async fn calls_are_recorded_once(backend: &TestBackend) {
    let store = &backend.store;
    let session = started(backend, None).await;
    let call = |result: &str| {
        backend.clock.forward_ms(1);
        ToolCall {
            arguments: serde_json::json!({"query": "lock", "limit": 3}),
            result: result.into(),
            from_cache: true,
            latency: ToolLatency { cache_ms: 1, tool_ms: 2, reflection_ms: 0, total_ms: 3 },
            ..tool_call(&session, "search_claims", backend.now())
        }
    };
    let calls = [
        call("same"),
        call("same"),
        ToolCall { is_error: true, ..call("other") },
        ToolCall { raw: Some("the result in the tool's own words".into()), ..call("normalised") },
    ];
    for call in calls.iter().chain(&calls[..1]) {
        store.record_call(call).await.unwrap();
    }
    assert_eq!(store.calls(session.id).await.unwrap(), calls);
    let investigation = session.investigation_id.unwrap();
    assert_eq!(store.notable_calls(investigation, "search_claims").await.unwrap(), calls);
    assert_eq!(store.notable_calls(investigation, "fetch_url").await.unwrap(), calls[2..3], "the failed one");
}

pub async fn result_quality_is_summed_by_tool_and_source(backend: &TestBackend) {
    let store = &backend.store;
    let session = started(backend, None).await;
    backend.clock.forward_ms(1);
    let since = backend.now();
    let judged = |quality, verified| Reflection {
        answers: true,
        quality,
        key_facts: vec!["The gates are shut.".into()],
        summary: "Shut.".into(),
        confidence: 80,
        by: ReflectedBy::Model,
        verified,
    };
    let call = |source: Option<&str>, reflection: Option<Reflection>, total_ms: u64| ToolCall {
        source: source.map(str::to_owned),
        is_error: reflection.is_none(),
        from_cache: total_ms == 0,
        latency: ToolLatency { total_ms, ..ToolLatency::default() },
        reflection,
        ..tool_call(&session, "what_results_were_worth", since)
    };
    let before = ToolCall { called_at: since.plus_ms(-1), ..call(Some("web"), None, 9) };
    let calls = [
        before,
        call(Some("web"), Some(judged(Quality::Good, true)), 30),
        call(Some("web"), Some(judged(Quality::Poor, false)), 0),
        call(None, None, 5),
    ];
    for call in &calls {
        store.record_call(call).await.unwrap();
    }
    assert_eq!(store.calls(session.id).await.unwrap().iter().filter(|call| call.reflection.is_some()).count(), 2);
    let mut quality = store.tool_quality(since).await.unwrap();
    quality.retain(|line| line.tool == "what_results_were_worth");
    quality.sort_by(|a, b| a.source.cmp(&b.source));
    let latency = |total_ms| ToolLatency { total_ms, ..ToolLatency::default() };
    let line = |source: Option<&str>| ToolQuality {
        tool: "what_results_were_worth".into(),
        source: source.map(str::to_owned),
        ..ToolQuality::default()
    };
    let web =
        ToolQuality { calls: 2, cached: 1, qualities: [0, 1, 0, 1], verified: 1, latency: latency(15), ..line(Some("web")) };
    assert_eq!(quality, [ToolQuality { calls: 1, errors: 1, latency: latency(5), ..line(None) }, web]);
}

pub async fn an_injection_finding_is_listed_by_session_and_by_document(backend: &TestBackend) {
    let store = &backend.store;
    let (session, document) = (started(backend, None).await, DocumentId(id()));
    let finding = |words: &str| InjectionFinding {
        tool: "fetch_url".into(),
        document_id: document,
        title: "Harbour news".into(),
        outlet: Some("Coast Gazette".into()),
        words: words.into(),
        span: Span { start: 3, end: 9 },
    };
    let call = |injection: Option<InjectionFinding>| {
        backend.clock.forward_ms(1);
        let source = Some("web".into());
        ToolCall { source, is_error: true, injection, ..tool_call(&session, "fetch_url", backend.now()) }
    };
    let calls = [call(Some(finding("open it"))), call(None), call(Some(finding("at once")))];
    for call in &calls {
        store.record_call(call).await.unwrap();
    }
    assert_eq!(store.calls(session.id).await.unwrap(), calls);
    let both = [finding("open it"), finding("at once")];
    assert_eq!(store.injections(session.id).await.unwrap(), both);
    let investigation = store.investigation(session.investigation_id.unwrap()).await.unwrap().unwrap();
    let (owner, scope, elsewhere) = (investigation.owner, investigation.scope, Scope::from(CollectionId(id())));
    let stranger = UserId(id());
    assert_eq!(store.injections_of(document, owner, &elsewhere).await.unwrap(), both, "its owner sees all of it");
    assert_eq!(store.injections_of(document, stranger, &scope).await.unwrap(), both, "so does who sees all that it read");
    assert!(store.injections_of(document, stranger, &elsewhere).await.unwrap().is_empty());
    assert!(store.injections_of(DocumentId(id()), owner, &scope).await.unwrap().is_empty());

    let (reader, collection) = backend.person("reader").await;
    let stored = store.add_documents(&[capture(collection, "page.html", "Open it at once.")]).await.unwrap().0.remove(0).id;
    let of_feature = of_object(backend, id(), "{}").await;
    let found = InjectionFinding { document_id: stored, ..finding("open it") };
    let call = ToolCall { session_id: of_feature.id, investigation_id: None, ..call(Some(found.clone())) };
    store.record_call(&call).await.unwrap();
    let (own, elsewhere) = (Scope::from(collection), Scope::from(CollectionId(id())));
    assert_eq!(store.injections_of(stored, reader, &own).await.unwrap(), [found], "a session of a feature");
    assert!(store.injections_of(stored, reader, &elsewhere).await.unwrap().is_empty());
    assert_eq!(store.tallies(session.investigation_id.unwrap()).await.unwrap()[&session.id].injections, 2);
}

/// A session of an object of a feature.
async fn of_object(backend: &TestBackend, object: Uuid, setup: &str) -> AgentSession {
    let session = AgentSession {
        owner: SessionOwner::Feature { kind: Word::new("interview"), id: object },
        investigation_id: None,
        role: AgentRole::feature("guide"),
        ..backend.session(backend.any_investigation().await, None)
    };
    backend.store.start(&session, setup).await.unwrap();
    session
}

pub async fn the_sessions_of_an_object_are_removed_with_contents_used_nowhere_else(backend: &TestBackend) {
    let store = &backend.store;
    let (object, kind) = (id(), Word::new("interview"));
    let (shared, own) = (format!("{{\"shared\": \"{object}\"}}"), format!("[\"{object}\"]"));
    let (session, other) = (of_object(backend, object, &shared).await, of_object(backend, id(), &shared).await);
    let step = StoredStep { number: 0, at: backend.now(), input: own.clone() };
    store.append_step(session.id, &step).await.unwrap();
    let is_kept = async |text: &str| {
        let hash = sha256_hex(text.as_bytes());
        let found: StoreResult<bool> = read!(store, conn => {
            sqlx::query_scalar("select exists (select 1 from contents where sha256 = $1)")
                .bind(&hash)
                .fetch_one(&mut *conn)
                .await?
        });
        found.unwrap()
    };
    store.remove_of_object(Word::new("tension"), object).await.unwrap();
    assert!(store.session(session.id).await.unwrap().is_some() && is_kept(&own).await, "an object of another kind");
    store.remove_of_object(kind, object).await.unwrap();
    assert!(store.session(session.id).await.unwrap().is_none() && store.steps(session.id).await.unwrap().is_empty());
    assert_eq!((is_kept(&own).await, is_kept(&shared).await), (false, true));
    assert_eq!(store.setup(other.id).await.unwrap(), Some(shared));
}

pub async fn a_session_is_read_in_parts_and_counted(backend: &TestBackend) {
    let store = &backend.store;
    let session = started(backend, None).await;
    let quiet = backend.session(session.investigation_id.unwrap(), None);
    store.start(&quiet, "{}").await.unwrap();
    for number in 0..5 {
        let step = StoredStep { number, at: backend.now(), input: format!("[{number}]") };
        store.append_step(session.id, &step).await.unwrap();
    }
    let numbers = |steps: Vec<StoredStep>| steps.into_iter().map(|step| step.number).collect::<Vec<_>>();
    assert_eq!(numbers(store.steps_from(session.id, 1, 3).await.unwrap()), [1, 2, 3]);
    assert!(store.steps_from(session.id, 5, 3).await.unwrap().is_empty());

    let mut called_at = vec![];
    for (is_error, from_cache) in [(true, false), (false, true), (true, false)] {
        backend.clock.forward_ms(1);
        called_at.push(backend.now());
        let call = ToolCall { is_error, from_cache, ..tool_call(&session, "list_sources", backend.now()) };
        store.record_call(&call).await.unwrap();
    }
    let between = store.calls_between(session.id, called_at[1], called_at[2]).await.unwrap();
    assert_eq!(between.iter().map(|call| call.called_at).collect::<Vec<_>>(), called_at[1..]);
    let tally = SessionTally { steps: 5, calls: 3, failed_calls: 2, cached_calls: 1, injections: 0 };
    let expected = [(session.id, tally), (quiet.id, SessionTally::default())].into();
    assert_eq!(store.tallies(session.investigation_id.unwrap()).await.unwrap(), expected);
    assert_eq!(store.session(session.id).await.unwrap(), Some(session));
    assert_eq!(store.session(SessionId(id())).await.unwrap(), None);
}
