//! Fictional things to show on pages, for the tests of this crate.

mod assessment;
mod sessions;
mod settings;
mod sources;
mod tools;

pub use assessment::{assessment, brief, outlet_record};
pub use sessions::{session_view, sessions_view};
pub use settings::{preview, settings_view};
pub use sources::sources_view;
pub use tools::tools_view;

use crate::prelude::*;
use domain::{
    ClaimId, NoteId, Precision, PublicationDate, PublishedBasis, RelationshipId, SessionId, WorkOrderId,
    agent::AgentRole,
    annotation::{Note, Tag},
    assessment::AssessmentState,
    budget::OwnCap,
    claim::{Attribution, Claim, Information, Mode, Span},
    document::{Credits, Document, DocumentDetails, RejectedFile},
    event::{Event, EventKind},
    fetch::{Hop, RetrievalMethod, Table, WebCapture},
    investigation::{ProgressSummary, Status, WebAccess},
    live::{GraphCounts, LiveState},
    subgraph::{GraphEdge, GraphNode},
    work_order::WorkOrderStatus,
};
use std::collections::BTreeMap;
use views::{
    AccountView, AssessmentCard, AssessmentList, AuditLine, AuditView, Dashboard, DeviceLine, DocumentLine, DocumentView,
    DocumentsView, FailedOrderLine, FailedOrdersView, InvestigationCard, InvestigationView, ListFilter, OrderWords, Ownership,
    PeopleView, RejectedPage, SetupSteps, TextWindow, VisitChange, VisitChangeKind, VisitChanges, graph::RelationshipLine,
};

pub const QUESTION: &str = "Who cut the power to the Tessin ferry terminal?";
pub const TEXT: &str = "TESSIN, 4 May — The terminal went dark at 21:40.\n\n“Somebody opened the yard gate with a key,” said \
    Ilse Varn, who runs the night desk. The gate log names no one.\n\nThe harbour office expects the ferries back on Friday.";

pub fn viewer() -> User {
    User::new(UserId(uuid(1)), "m.okafor", Role::Admin, now())
}

pub fn now() -> Timestamp {
    moment("2031-05-06T08:00:00Z")
}

/// Failed work orders: one of an open investigation, one of an ended one that belongs to somebody else.
pub fn failed_orders() -> FailedOrdersView {
    let line = |n, words, is_open| FailedOrderLine {
        id: WorkOrderId(uuid(n)),
        investigation_id: InvestigationId(uuid(n)),
        words,
        reason: "more than 4 tool calls".into(),
        attempts: 2,
        failed_at: Some(now()),
        is_open,
    };
    let words = OrderWords { question: QUESTION.into(), objective: "Find the gate log of 4 May".into() };
    FailedOrdersView { lines: vec![line(71, Some(words), true), line(72, None, false)], total: 2, page: 1, per_page: 50 }
}

fn moment(text: &str) -> Timestamp {
    Timestamp::parse(text).expect("a date of a fixture")
}

pub fn uuid<T: std::str::FromStr>(n: u32) -> T
where
    T::Err: std::fmt::Debug,
{
    format!("01890000-0000-7000-8000-{n:012}").parse().expect("a well-formed id")
}

fn published(day: &str) -> Option<PublicationDate> {
    Some(PublicationDate { value: moment(day), precision: Precision::Day, basis: PublishedBasis::Stated })
}

pub fn events() -> Vec<Event> {
    let order = WorkOrderId(uuid(5));
    let ordered = |status| EventKind::WorkOrderChanged {
        work_order_id: order,
        objective: "Find first-hand reports about the yard gate".into(),
        status,
        attempt: 1,
    };
    let status = |status, cycle| EventKind::StatusChanged { status, cycle, final_session: false, reason: None };
    let kinds = vec![
        EventKind::DocumentsIngested { stored: 27, copies: 3, copied: vec!["wire/gate-copy.txt".into()], rejected: 1 },
        status(Status::AnalystRunning, 0),
        EventKind::SessionStarted {
            session_id: SessionId(uuid(6)),
            role: AgentRole::Analyst,
            cycle: 0,
            work_order_id: None,
            model: "extractive-1".into(),
        },
        status(Status::Processing, 1),
        ordered(WorkOrderStatus::Assigned),
        EventKind::Reading { work_order_id: order, document_id: DocumentId(uuid(201)), title: "Terminal dark".into() },
        EventKind::GraphAdded(GraphCounts { claims: 412, entities: 96, relationships: 58 }),
    ];
    let event = |(n, kind): (usize, EventKind)| Event {
        investigation_id: InvestigationId(uuid(3)),
        sequence: n as u64 + 1,
        at: now().plus_ms(n as i64 * 900 - 60_000),
        kind,
    };
    kinds.into_iter().enumerate().map(event).collect()
}

pub fn rejected() -> RejectedPage {
    let file = RejectedFile {
        path: "scans/gate.pdf".into(),
        reason: "It is encrypted: save it without a password and add it again.".into(),
    };
    RejectedPage { files: vec![file], total: 61, page: 1, per_page: 50 }
}

pub fn investigation() -> InvestigationView {
    InvestigationView {
        id: InvestigationId(uuid(3)),
        question: QUESTION.into(),
        is_sample: true,
        parent: None,
        may_stop: true,
        sees_records: true,
        access: None,
        visibility_form: None,
        live: LiveState::from_events(&events()),
        log: events(),
        rejected: rejected(),
        assessment: None,
        models: vec!["ollama:qwen3:8b".into()],
        currency: "USD".into(),
        prices_known: false,
        scope: None,
        web: WebAccess::Off,
        created_at: now().plus_ms(-72_000),
        now: now(),
    }
}

pub fn dashboard() -> Dashboard {
    let view = assessment();
    let body = view.assessment.body;
    let card = AssessmentCard {
        id: view.assessment.id,
        investigation_id: view.assessment.investigation_id,
        question: view.assessment.question,
        title: body.title,
        bottom_line: body.bottom_line,
        kind: view.assessment.kind,
        state: AssessmentState::Answered,
        answered_parts: None,
        judgement: body.key_judgements.into_iter().next(),
        confidence: body.overall_confidence,
        citations: 3,
        documents: 3,
        found_later: 1,
        changed_at: Some(now().plus_ms(-3_600_000)),
        is_partial: false,
        is_sample: true,
        is_recorded: false,
        access: None,
        tags: vec![],
        due: Some("2031-06-30".into()),
        created_at: view.created_at,
    };
    let quoted = brief();
    let brief_card = AssessmentCard {
        id: quoted.assessment.id,
        investigation_id: quoted.assessment.investigation_id,
        kind: quoted.assessment.kind,
        state: AssessmentState::from_assessment(&quoted.assessment),
        bottom_line: quoted.assessment.bottom_line_text().into_owned(),
        question: quoted.assessment.question,
        title: quoted.assessment.body.title,
        judgement: None,
        confidence: None,
        citations: 7,
        found_later: 0,
        changed_at: None,
        due: None,
        ..card.clone()
    };
    let live = LiveState::from_events(&events());
    let (resolved, orders) = live.resolved();
    let (resolved, orders) = (resolved as u64, orders as u64);
    let running = InvestigationCard {
        id: InvestigationId(uuid(3)),
        question: QUESTION.into(),
        status: Status::Processing,
        reason: None,
        progress: Some(ProgressSummary {
            cycle: live.cycle,
            orders,
            resolved,
            claims: live.graph.map_or(0, |graph| graph.claims),
        }),
        may_stop: true,
        owner: None,
        is_sample: false,
        created_at: now().plus_ms(-72_000),
        ended_at: None,
    };
    let changed = VisitChange {
        kind: VisitChangeKind::CitedPageChanged,
        title: card.question.clone(),
        href: format!("/assessments/{}", card.id),
        at: now().plus_ms(-3_600_000),
    };
    Dashboard {
        assessments: vec![card, brief_card],
        total: 25,
        filter: ListFilter::default(),
        collections: vec![],
        running: vec![running],
        running_total: 1,
        failed: vec![],
        failed_total: 0,
        since_visit: Some(VisitChanges { since: now().plus_ms(-86_400_000), changes: vec![changed] }),
        has_sample: true,
        setup: Some(SetupSteps::default()),
        documents: 27,
        now: now(),
    }
}

pub fn assessment_list(filter: ListFilter) -> AssessmentList {
    let Dashboard { assessments, total, has_sample, now, .. } = dashboard();
    AssessmentList { assessments, total, page: 1, per_page: 24, filter, collections: vec![], has_sample, now }
}

fn document(n: u32, title: &str, outlet: &str) -> Document {
    Document {
        id: DocumentId(uuid(n)),
        collection_id: CollectionId(uuid(9)),
        path: "reports/terminal-dark.md".into(),
        title: title.into(),
        outlet: Some(outlet.into()),
        published: published("2031-05-04"),
        language: Some("en".into()),
        media_type: "text/markdown".into(),
        sha256: "9f".repeat(32),
        size_bytes: 2_048,
        text_sha256: "3c".repeat(32),
        text_bytes: TEXT.len() as u64,
        extractor: "text-1".into(),
        captured_at: now(),
        credits: Credits::default(),
    }
}

fn tag(text: &str) -> Tag {
    Tag::parse(text).expect("a tag of the fixture")
}

/// A note of another person.
fn note(text: &str) -> Note {
    Note { id: NoteId(uuid(301)), text: text.into(), by: UserId(uuid(77)), name: "k.lind".into(), at: now() }
}

pub fn document_view() -> DocumentView {
    let quote = "Somebody opened the yard gate with a key";
    let start = TEXT.find(quote).expect("a quote of the fixture") as u64;
    let claim = Claim {
        id: ClaimId(uuid(101)),
        document_id: DocumentId(uuid(201)),
        collection_id: CollectionId(uuid(9)),
        content: "The yard gate was opened with a key.".into(),
        quote: quote.into(),
        span: Span { start, end: start + quote.len() as u64 },
        published: published("2031-05-04"),
        occurred: None,
        ingested_at: now(),
        attribution: Attribution::Secondhand,
        information: Information::Testimony,
        speaker: Some("Ilse Varn".into()),
        mode: Mode::Asserted,
        language: Some("en".into()),
        content_hash: "00".repeat(32),
        outlet_id: None,
        entity_ids: vec![],
    };
    let capture = WebCapture {
        document_id: DocumentId(uuid(201)),
        url: "http://courier.example/dark".into(),
        final_url: "https://courier.example/2031/dark".into(),
        canonical_url: Some("https://courier.example/dark-terminal".into()),
        status: 203,
        hops: vec![Hop { url: "http://courier.example/dark".into(), status: 301 }],
        headers: BTreeMap::new(),
        reached: RetrievalMethod::Rendered,
        fetched_at: now(),
    };
    let rows = vec![vec!["Night".to_owned(), "Ferries".to_owned()], vec!["Friday".to_owned(), "0 <of> 9".to_owned()]];
    let details = DocumentDetails {
        byline: Some("Ruth Amsel".into()),
        updated: published("2031-05-05"),
        tables: vec![Table { caption: Some("Ferries that ran".into()), rows }],
    };
    DocumentView {
        details,
        more_tables: 2,
        capture: Some(capture),
        finding: None,
        injections: vec![],
        document: document(201, "Terminal dark for a second night", "Tessin Courier"),
        text: TextWindow { text: TEXT.into(), start: 0, total: TEXT.len() as u64 },
        copies: vec![document(202, "Terminal dark for a second night", "East Bank Radio")],
        captures: vec![document(204, "Terminal dark", "Tessin Courier")],
        cited_in: vec![(AssessmentId(uuid(1)), QUESTION.into())],
        claims: vec![claim],
        tags: vec![tag("night shift")],
        own_tags: vec![],
        notes: vec![note("ask the harbour office")],
        is_sample: true,
        is_archived: false,
        is_in_view_only: false,
        may_edit: true,
    }
}

pub fn documents_view() -> DocumentsView {
    let line = |n, title| DocumentLine {
        document: document(n, title, "Tessin Courier"),
        claims: 14,
        ownership: if n == 201 { Ownership::Sample } else { Ownership::Shared },
        tags: vec![tag("night shift")],
        may_edit: n == 203,
    };
    DocumentsView {
        tab: Default::default(),
        documents: vec![
            line(201, "Terminal dark for a second night"),
            line(203, "Ferries to run on Friday, harbour office says"),
        ],
        total: 120,
        has_sample: true,
        is_sample_hidden: false,
        page: 1,
        per_page: 50,
        filter: Default::default(),
        collections: vec![(CollectionId(uuid(7)), "Harbour reports".into())],
        readers: None,
        rejected: rejected(),
        may_dismiss: true,
    }
}

/// A relationship of the entity 0 with another of that kind, of one claim. Above one half, the claim asserts it.
pub fn relationship(other: u32, kind: &str, number: u32, weight: f64) -> RelationshipLine {
    let target = EntityId(uuid(other));
    let edge = GraphEdge {
        id: RelationshipId(uuid(number)),
        source: EntityId(uuid(0)),
        target,
        description: "owns".into(),
        weight: Some(weight),
        bidirectional: false,
        since: None,
        until: None,
        claims: 1,
        asserted: u32::from(weight > 0.5),
        first_published: None,
        last_published: None,
    };
    RelationshipLine { edge, other: GraphNode { id: target, name: format!("Firm {other}"), kind: kind.into(), claims: None } }
}

pub fn people() -> PeopleView {
    let person = |n, name: &str, role, is_disabled| User {
        is_disabled,
        cap: OwnCap { tokens: is_disabled.then_some(50_000), cost_micros: None },
        ..User::new(UserId(uuid(n)), name, role, now().plus_ms(-86_400_000 * n as i64))
    };
    PeopleView {
        min_password_chars: 12,
        people: vec![
            viewer(),
            person(901, "j.lindqvist", Role::Analyst, false),
            person(902, "a-name-that-is-as-long-as-a-name-may-be-and-has-no-place-to-break", Role::Reader, true),
        ],
    }
}

pub fn account() -> AccountView {
    let line = |device: &str, is_current| DeviceLine {
        key: device.into(),
        device: device.into(),
        started_at: now(),
        used_at: now(),
        is_current,
    };
    AccountView { sessions: vec![line("Firefox on Linux", true), line("Safari on iPhone", false)], min_password_chars: 12 }
}

pub fn audit_log() -> AuditView {
    let line = |actor: Option<&str>, act: &str, object: &str, address: Option<&str>| AuditLine {
        at: now(),
        actor: actor.map(str::to_owned),
        act: act.into(),
        object: object.into(),
        address: address.map(str::to_owned),
    };
    let lines = vec![
        line(Some("m.okafor"), "sign_in", "m.okafor", Some("203.0.113.9")),
        line(None, "sign_in_locked", "unknown name #1f2e3d4c", Some("2001:db8::5")),
        line(None, "backup", "/mnt/safe/autosint-2031-05-06-080000.tar", None),
    ];
    AuditView { lines, total: 250, page: 2, per_page: 100 }
}
