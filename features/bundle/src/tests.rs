//! Bundles of a stored report: made, checked, damaged, and read by other rules.

mod damage;
mod formats;
mod keys;
mod routes;
mod shared;

use crate::{
    file, json_ld, page,
    report::{ExportError, ExportedReport, load},
    signing::SigningKey,
    stix,
    store::SCHEMA,
};
use domain::{
    AssessmentId, InvestigationId, Scope, Timestamp, UserId, assessment::Assessment, claim::Span, user::User,
    visibility::Visibility,
};
use engine::{
    accounts::{Accounts, AuditEntry},
    assessments::{Assessments, markdown},
    library::Documents,
    teams::Teams,
};
use feature::{Schema, testing::TestSite};
use testkit::{TestBackend, capture, stored_assessment};

static SCHEMAS: [&Schema; 1] = [&SCHEMA];

/// Text in which every quotation of the report stands.
const TEXT: &str = "Zürich, Monday. Somebody opened the yard gate with a key <b>at</b> noon. The gate log names no one. Later it rained. The \
     harbour office expects the ferries back on Friday. Trains run as usual.";

/// A stored report with its owner and site.
struct Fixture {
    backend: TestBackend,
    site: TestSite,
    owner: User,
    /// Scope of the owner.
    scope: Scope,
    assessment: AssessmentId,
    investigation: InvestigationId,
}

async fn fixture() -> Fixture {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let site = TestSite::new(crate::feature(), &backend);
    let (owner, collection) = backend.person("ada").await;
    let investigation = backend.investigation(owner, collection).await;
    let (documents, _) = backend.store.add_documents(&[capture(collection, "reports/gate.md", TEXT)]).await.unwrap();
    let document = &documents[0];
    let mut stored = stored_assessment(&backend, investigation, &[collection], "");
    let json = include_str!("../../../domain/src/assessment/tests/complete.json");
    let mut assessment: Assessment = serde_json::from_str(json).unwrap();
    (assessment.id, assessment.investigation_id) = (stored.assessment.id, investigation);
    assessment.body.change = None;
    for citation in &mut assessment.citations {
        let start = TEXT.find(&citation.quote).expect("the text has every quotation");
        citation.span = Span { start: start as u64, end: (start + citation.quote.len()) as u64 };
        citation.document_id = document.id;
        citation.document_sha256 = document.sha256.clone();
        citation.text_sha256 = document.text_sha256.clone();
        citation.document_path = document.path.clone();
    }
    stored.assessment = assessment;
    let assessment = backend.store.put(&stored).await.unwrap();
    let owner = person(&backend, owner).await;
    Fixture { backend, site, owner, scope: Scope::from(collection), assessment, investigation }
}

async fn person(backend: &TestBackend, id: UserId) -> User {
    backend.store.user(id).await.unwrap().unwrap()
}

impl Fixture {
    async fn report(&self) -> ExportedReport {
        load(&self.site.web, &self.owner, self.assessment).await.unwrap()
    }
}

/// Returns a report in every format of a bundle, by name.
fn in_every_format(report: &ExportedReport) -> [(&'static str, String); 5] {
    [
        ("page", page::write(report, &key().public_key())),
        ("markdown", markdown(&report.assessment, &report.findings)),
        ("stix", stix::bundle(report).to_string()),
        ("json-ld", json_ld::graph(report).to_string()),
        ("quotations", file::json(&report.quotations)),
    ]
}

/// A key that is the same in every run.
fn key() -> SigningKey {
    SigningKey::from_seed(&[7; 32]).unwrap()
}

fn moment() -> Timestamp {
    Timestamp::from_micros(1_900_000_000_000_000)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_that_quotes_the_private_document_of_another_is_not_exported() {
    let fixture = fixture().await;
    let bob = person(&fixture.backend, fixture.backend.user("bob").await).await;
    let hidden = load(&fixture.site.web, &bob, fixture.assessment).await;
    assert!(matches!(hidden, Err(ExportError::NotFound)));
    let at = fixture.backend.now();
    let entry = AuditEntry { at, user: None, act: "change_visibility".into(), object: String::new(), address: None };
    fixture.backend.store.set_visibility(fixture.investigation, Visibility::Workspace, &entry).await.unwrap();
    let lent = load(&fixture.site.web, &bob, fixture.assessment).await;
    assert!(matches!(lent, Err(ExportError::Private)), "he reads the report, and not its documents");
    assert_eq!(fixture.report().await.quotations.len(), 3, "its owner exports it");
    fixture.backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_key_is_made_once_and_stored_encrypted() {
    let fixture = fixture().await;
    let (first, second) =
        (SigningKey::load(&fixture.site.web).await.unwrap(), SigningKey::load(&fixture.site.web).await.unwrap());
    assert_eq!(first.public_key(), second.public_key());
    assert_ne!(first.public_key(), key().public_key());
    let names = fixture.site.web.secrets.names().await.unwrap();
    assert!(names.len() == 1 && names.iter().all(|name| name.starts_with("bundle:signing:")), "{names:?}");
    fixture.backend.close().await;
}
