//! Fictional things to show on pages, for the tests of this crate.

mod sessions;
mod settings;
mod sources;
mod tools;

pub use sessions::{session_view, sessions_view};
pub use settings::{prospect, settings_view};
pub use sources::sources_view;
pub use tools::tools_view;

use domain::{
    AssessmentId, ClaimId, CollectionId, ConfidenceLevel, DocumentId, EntityId, InvestigationId, Precision, Published,
    PublishedBasis, SessionId, Timestamp, UserId, WorkOrderId,
    agent::AgentRole,
    assessment::{
        Assessment, Assumption, Body, Citation, Cost, Direction, Gap, Grounded, Hypothesis, Impact, Indicator, Judgement,
        MatrixRow, OutletNote, Producer, Rating, Resolution, SCHEMA,
    },
    budget::{OwnCap, Spent},
    claim::{Attribution, Claim, Information, Mode, Span},
    document::{Credits, Document, RejectedFile},
    event::{Event, Happening},
    fetch::{Finding, PageFinding},
    investigation::{Standing, Status},
    likelihood::Likelihood,
    pages::{
        AssessmentCard, AssessmentView, Belongs, Dashboard, DocumentLine, DocumentView, DocumentsView, InvestigationCard,
        InvestigationView, LibraryCounts, PeopleView, RejectedPage,
    },
    user::{Role, User},
    watch::Watch,
    work_order::WorkOrderStatus,
};
use std::collections::BTreeMap;

pub const QUESTION: &str = "Who cut the power to the Tessin ferry terminal?";
pub const TEXT: &str = "TESSIN, 4 May — The terminal went dark at 21:40.\n\n“Somebody opened the yard gate with a key,” said \
    Ilse Varn, who runs the night desk. The gate log names no one.\n\nThe harbour office expects the ferries back on Friday.";

pub fn viewer() -> User {
    User {
        id: UserId(uuid(1)),
        name: "m.okafor".into(),
        role: Role::Admin,
        is_disabled: false,
        cap: OwnCap::default(),
        created_at: now(),
    }
}

pub fn now() -> Timestamp {
    moment("2031-05-06T08:00:00Z")
}

fn moment(text: &str) -> Timestamp {
    Timestamp::parse(text).expect("a date of a fixture")
}

fn uuid<T: std::str::FromStr>(n: u32) -> T
where
    T::Err: std::fmt::Debug,
{
    format!("01890000-0000-7000-8000-{n:012}").parse().expect("a well-formed id")
}

fn published(day: &str) -> Option<Published> {
    Some(Published { value: moment(day), precision: Precision::Day, basis: PublishedBasis::Stated })
}

fn grounded(level: ConfidenceLevel, basis: &str) -> Grounded {
    Grounded { level, basis: basis.into() }
}

fn hypothesis(id: &str, statement: &str, probability: f64, supporting: Vec<u32>, against: Vec<u32>) -> Hypothesis {
    Hypothesis {
        id: id.into(),
        statement: statement.into(),
        probability,
        reasoning: "Two outlets with different owners report it first-hand; a third repeats the harbour office word for word, \
            and counts with it as one origin."
            .into(),
        supporting,
        against,
        weaknesses: "Nobody has seen the gate log itself.".into(),
    }
}

fn citation(marker: u32, outlet: &str, quote: &str) -> Citation {
    let start = TEXT.find(quote).unwrap_or_default() as u64;
    Citation {
        marker,
        claim_id: ClaimId(uuid(marker + 100)),
        document_id: DocumentId(uuid(marker + 200)),
        document_sha256: "9f".repeat(32),
        text_sha256: "3c".repeat(32),
        document_title: "Terminal dark for a second night".into(),
        document_path: "reports/terminal-dark.md".into(),
        quote: quote.into(),
        span: Span { start, end: start + quote.len() as u64 },
        outlet: Some(outlet.into()),
        published_at: published("2031-05-04"),
        attribution: Attribution::Secondhand,
    }
}

pub fn assessment() -> AssessmentView {
    let judgement = |n: u32, statement: &str, point, level| Judgement {
        id: format!("J{n}"),
        statement: statement.into(),
        likelihood: Likelihood::from_point(point),
        confidence: grounded(level, "two independent origins, one of them first-hand"),
        citations: vec![n, n % 3 + 1],
    };
    let row = |marker, ratings: [Rating; 4]| MatrixRow {
        citation: marker,
        credibility: ConfidenceLevel::High,
        relevance: ConfidenceLevel::Moderate,
        ratings: ["H1", "H2", "H3", "H4"].map(String::from).into_iter().zip(ratings).collect::<BTreeMap<_, _>>(),
    };
    let body = Body {
        title: "The Tessin blackout was probably an inside job".into(),
        bottom_line:
            "Somebody with a key to the yard very likely cut the power; whether on the Halden line's orders is an even \
            question, and no evidence supports the storm."
                .into(),
        key_judgements: vec![
            judgement(1, "The power was cut by hand, by somebody with a key to the yard.", 0.86, ConfidenceLevel::High),
            judgement(2, "The Halden line knew of it beforehand.", 0.5, ConfidenceLevel::Low),
            judgement(3, "The ferries run again by Friday.", 0.67, ConfidenceLevel::Moderate),
            judgement(1, "The storm of 3 May caused it.", 0.04, ConfidenceLevel::High),
        ],
        analysis: String::new(),
        hypotheses: vec![
            hypothesis("H1", "A member of the night crew cut the power", 0.55, vec![1, 2], vec![3]),
            hypothesis("H2", "The Halden line had it cut to move its freight tender", 0.28, vec![2], vec![1, 3]),
            hypothesis("H3", "The storm brought the line down", 0.07, vec![], vec![1, 2, 3]),
            hypothesis("H4", "None of these", 0.1, vec![], vec![]),
        ],
        evidence_matrix: vec![
            row(1, [Rating::CC, Rating::C, Rating::II, Rating::N]),
            row(2, [Rating::C, Rating::N, Rating::I, Rating::N]),
            row(3, [Rating::I, Rating::I, Rating::N, Rating::C]),
        ],
        assumptions: vec![Assumption {
            text: "The two papers did not speak to the same clerk.".into(),
            if_wrong: "The first judgement rests on one origin, and falls to likely.".into(),
        }],
        indicators: vec![Indicator {
            id: "I1".into(),
            text: "The harbour office publishes the gate log.".into(),
            hypotheses: vec!["H1".into(), "H2".into()],
            direction: Direction::Supports,
            resolution: Resolution {
                question: "Is the log public?".into(),
                criteria: "It names who opened the yard between 21:00 and 22:00.".into(),
                by: Some("2031-05-20".into()),
            },
        }],
        gaps: vec![Gap {
            text: "Nothing is known of the fuse that was found.".into(),
            impact: "It would part H1 from H2.".into(),
            how_to_close: "Ask for the inspector's report.".into(),
        }],
        impacts: vec![Impact {
            who: "Farmers of the east bank".into(),
            effect: "Milk is poured away.".into(),
            citations: vec![3],
        }],
        outlets: vec![OutletNote {
            entity_id: EntityId(uuid(7)),
            name: "Tessin Courier".into(),
            notes: "Owned by the Halden line since 2029; first-hand on the gate.".into(),
        }],
        change: None,
        overall_confidence: grounded(ConfidenceLevel::Moderate, "few origins, but they agree on what matters"),
    };
    let assessment = Assessment {
        schema: SCHEMA.into(),
        id: AssessmentId(uuid(2)),
        investigation_id: InvestigationId(uuid(3)),
        question: QUESTION.into(),
        body,
        citations: vec![
            citation(1, "Tessin Courier", "Somebody opened the yard gate with a key"),
            citation(2, "East Bank Radio", "The gate log names no one."),
            citation(3, "Harbour Gazette", "The harbour office expects the ferries back on Friday."),
        ],
        producer: Producer {
            provider: "extractive".into(),
            model: "extractive-1".into(),
            prompts: [("analyst".to_owned(), "ab".repeat(32))].into(),
        },
        cost: Cost { currency: "EUR".into(), amount: 0.0, tokens_in: 18_204, tokens_out: 3_117 },
    };
    let spent = Spent { tokens_in: 18_204, tokens_out: 1_377, cost_micros: 75_267 };
    let (currency, created_at) = ("USD".into(), moment("2031-05-06T07:20:00Z"));
    let findings = vec![PageFinding {
        document_id: assessment.citations[1].document_id,
        what: Finding::Changed,
        note: "1 of 6 passages that were taken from it do not stand there any more.".into(),
        at: moment("2031-05-09T04:00:00Z"),
    }];
    AssessmentView { findings, assessment, is_partial: false, is_sample: true, spent, currency, created_at }
}

pub fn events() -> Vec<Event> {
    let order = WorkOrderId(uuid(5));
    let ordered = |status| Happening::WorkOrderChanged {
        work_order_id: order,
        objective: "Find first-hand reports about the yard gate".into(),
        status,
        attempt: 1,
    };
    let status = |status, cycle| Happening::StatusChanged { status, cycle, final_session: false, reason: None };
    let happenings = vec![
        Happening::DocumentsIngested { stored: 27, copies: 3, rejected: 1 },
        status(Status::AnalystRunning, 0),
        Happening::SessionStarted {
            session_id: SessionId(uuid(6)),
            role: AgentRole::Analyst,
            cycle: 0,
            work_order_id: None,
            model: "extractive-1".into(),
        },
        status(Status::Processing, 1),
        ordered(WorkOrderStatus::Assigned),
        Happening::Reading { work_order_id: order, document_id: DocumentId(uuid(201)), title: "Terminal dark".into() },
        Happening::GraphGrew { claims: 412, entities: 96, relationships: 58 },
    ];
    let event = |(n, what): (usize, Happening)| Event {
        investigation_id: InvestigationId(uuid(3)),
        sequence: n as u64 + 1,
        at: now().plus_ms(n as i64 * 900 - 60_000),
        what,
    };
    happenings.into_iter().enumerate().map(event).collect()
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
        watch: Watch::of(&events()),
        log: events(),
        rejected: rejected(),
        assessment: None,
        currency: "USD".into(),
        created_at: now().plus_ms(-72_000),
        now: now(),
    }
}

pub fn dashboard() -> Dashboard {
    let view = assessment();
    let body = view.assessment.body;
    let card = AssessmentCard {
        id: view.assessment.id,
        question: view.assessment.question,
        title: body.title,
        bottom_line: body.bottom_line,
        judgement: body.key_judgements.into_iter().next(),
        confidence: body.overall_confidence,
        citations: 3,
        documents: 3,
        found_later: 1,
        is_partial: false,
        is_sample: true,
        created_at: view.created_at,
    };
    let watch = Watch::of(&events());
    let (resolved, orders) = watch.resolved();
    let (resolved, orders) = (resolved as u64, orders as u64);
    let running = InvestigationCard {
        id: InvestigationId(uuid(3)),
        question: QUESTION.into(),
        status: Status::Processing,
        reason: None,
        standing: Some(Standing { cycle: watch.cycle, orders, resolved, claims: watch.graph.claims }),
        is_sample: false,
        created_at: now().plus_ms(-72_000),
    };
    let library = LibraryCounts { documents: 27, claims: 412, entities: 96, relationships: 58 };
    Dashboard {
        assessments: vec![card],
        total: 25,
        page: 1,
        per_page: 24,
        query: String::new(),
        running: vec![running],
        failed: vec![],
        has_sample: true,
        library,
        now: now(),
    }
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
    DocumentView {
        finding: None,
        lures: vec![],
        document: document(201, "Terminal dark for a second night", "Tessin Courier"),
        text: TEXT.into(),
        copies: vec![document(202, "Terminal dark for a second night", "East Bank Radio")],
        claims: vec![claim],
        is_sample: true,
    }
}

pub fn documents_view() -> DocumentsView {
    let line = |n, title| DocumentLine {
        document: document(n, title, "Tessin Courier"),
        claims: 14,
        of: if n == 201 { Belongs::Sample } else { Belongs::Shared },
    };
    DocumentsView {
        documents: vec![
            line(201, "Terminal dark for a second night"),
            line(203, "Ferries to run on Friday, harbour office says"),
        ],
        total: 120,
        page: 1,
        per_page: 50,
        query: String::new(),
        rejected: rejected(),
    }
}

pub fn people() -> PeopleView {
    let person = |n, name: &str, role, is_disabled| User {
        id: UserId(uuid(n)),
        name: name.into(),
        role,
        is_disabled,
        cap: OwnCap { tokens: is_disabled.then_some(50_000), cost_micros: None },
        created_at: now().plus_ms(-86_400_000 * n as i64),
    };
    PeopleView {
        people: vec![
            viewer(),
            person(901, "j.lindqvist", Role::Analyst, false),
            person(902, "a-name-that-is-as-long-as-a-name-may-be-and-has-no-place-to-break", Role::Reader, true),
        ],
    }
}
