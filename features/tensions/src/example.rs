//! Example of a run of the response scout, written by hand in `example.toml`: three invented reports and what a run would find in
//! them. It comes and goes with the sample.
//!
//! Invariant: nothing here is presented as the work of a model. Every step can be repeated, and stores nothing twice.

use crate::{
    findings::INFERRED_KIND,
    response::{RespondsTo, Response, ResponseId, ResponseKind},
    sample::{DOCUMENTS, SampleReport, derived_id},
    settings::TensionSettings,
    store::{NamedTension, StrainBatch, TensionStore},
    tension::{DAY_MS, Evidence, EvidenceDay, Severity, Tension, TensionId, TensionOrigin, TensionState, day_number},
};
use domain::{CollectionId, DocumentId, Scope, document::Document, user::User};
use engine::{
    StoreResult,
    graph::{ClaimOrder, ClaimQuery},
    library::DocumentQuery,
};
use feature::{Web, region::Region};
use serde::Deserialize;
use std::{collections::HashMap, sync::LazyLock};

/// Country in which the invented town lies.
const COUNTRY: &str = "642";
/// Claims read at once, more than the reports have.
const CLAIMS: u32 = 100;

pub static EXAMPLE: LazyLock<ExampleRun> = LazyLock::new(|| {
    ExampleRun::parse(include_str!("../example.toml")).unwrap_or_else(|error| {
        tracing::error!(%error, "example of a run of the scout unreadable");
        ExampleRun::default()
    })
});

/// Content of `example.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleRun {
    pub reports: Vec<SampleReport>,
    pub tensions: Vec<ExampleTension>,
    pub responses: Vec<ExampleResponse>,
    pub steps: Vec<ExampleStep>,
}

/// Tension that the example finds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleTension {
    pub title: String,
    /// A sentence of its report.
    statement: String,
    /// Address of the report.
    report: String,
    theme: String,
    origin: String,
    confidence: f64,
    /// Days before the day on which it is stored.
    days_ago: i64,
    /// Title of the tension that it sprang from.
    parent: Option<String>,
}

/// Response that the example finds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleResponse {
    report: String,
    /// Title of the tension that it eases.
    tension: String,
    kind: ResponseKind,
    title: String,
    /// A sentence of its report.
    summary: String,
    mechanism: String,
    /// Days until it takes place, from the day on which it is stored.
    in_days: Option<i64>,
}

/// Step of the example.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleStep {
    /// Question that the hop follows.
    pub hop: String,
    /// Tool that was called.
    pub act: String,
    /// Query or address that it was called with.
    pub input: String,
}

impl ExampleRun {
    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    pub fn report(&self, address: &str) -> Option<&SampleReport> {
        self.reports.iter().find(|report| report.address == address)
    }
}

fn tension_id(collection: CollectionId, title: &str) -> TensionId {
    TensionId(derived_id(collection, title))
}

/// Returns the tensions of the run that `viewer` sees on lists, in its order.
pub async fn listed(web: &Web, viewer: &User, collection: CollectionId) -> StoreResult<Vec<NamedTension>> {
    let scope = web.engine.listed_scope(viewer).await?;
    let ids: Vec<TensionId> = EXAMPLE.tensions.iter().map(|one| tension_id(collection, &one.title)).collect();
    let named = TensionStore::new(web).named(&scope, &ids).await?;
    Ok(ids.iter().filter_map(|id| named.iter().find(|one| one.asked == *id).cloned()).collect())
}

/// Stores the tensions of the run with their evidence, where their reports are and none of the tensions is.
pub async fn add_tensions(web: &Web, collection: CollectionId) -> StoreResult<()> {
    let (engine, store) = (&web.engine, TensionStore::new(web));
    let (scope, now) = (Scope::from(collection), engine.clock.now());
    let ids: Vec<TensionId> = EXAMPLE.tensions.iter().map(|one| tension_id(collection, &one.title)).collect();
    if !store.existing(&ids).await?.is_empty() {
        return Ok(());
    }
    let every = DocumentQuery { limit: DOCUMENTS, ..DocumentQuery::default() };
    let documents = engine.documents.list(&scope, &every).await?.documents;
    let documents: HashMap<DocumentId, Document> =
        documents.into_iter().filter(|one| EXAMPLE.report(&one.path).is_some()).map(|one| (one.id, one)).collect();
    if documents.is_empty() {
        return Ok(());
    }
    let query = ClaimQuery {
        document_ids: documents.keys().copied().collect(),
        order: ClaimOrder::DocumentOrder,
        candidates: CLAIMS,
        ..ClaimQuery::default()
    };
    let claims = engine.graph.find_claims(&scope, &query).await?;
    let mut batch = StrainBatch::default();
    for one in &EXAMPLE.tensions {
        let claim = claims.iter().map(|found| &found.item).find(|claim| claim.content == one.statement);
        let document = claim.and_then(|claim| documents.get(&claim.document_id)).filter(|found| found.path == one.report);
        let (Some(claim), Some(document), Some(origin)) = (claim, document, TensionOrigin::parse(&one.origin)) else {
            continue;
        };
        let (id, day) = (tension_id(collection, &one.title), day_number(now) - one.days_ago);
        batch.tensions.push(Tension {
            id,
            collection,
            origin,
            theme: one.theme.clone(),
            kind: INFERRED_KIND.to_owned(),
            title: one.title.clone(),
            statement: one.statement.clone(),
            region: Region { code: COUNTRY.to_owned() },
            severity: Severity::Serious,
            confidence: one.confidence,
            state: TensionState::Active,
            first_day: day,
            last_day: day,
            cause_heat: 0.0,
            response_scouted_at: None,
            created_at: now,
        });
        let evidence = Evidence {
            claim: claim.id,
            document: document.id,
            origin: document.text_sha256.clone(),
            is_against: false,
            severity: Severity::Serious,
            day: EvidenceDay::dated(day),
        };
        batch.evidence.push((id, evidence));
    }
    store.record(&batch, now).await?;
    for one in &EXAMPLE.tensions {
        if let Some(parent) = &one.parent {
            store.add_parent(tension_id(collection, &one.title), tension_id(collection, parent), now).await?;
        }
    }
    Ok(())
}

/// Stores the responses of the run to those of its tensions that exist.
pub async fn add_responses(web: &Web, collection: CollectionId, documents: &[Document]) -> StoreResult<()> {
    let (engine, store, settings) = (&web.engine, TensionStore::new(web), web.settings.get::<TensionSettings>());
    let now = engine.clock.now();
    for one in &EXAMPLE.responses {
        let asked = tension_id(collection, &one.tension);
        let tension = store.existing(&[asked]).await?.pop().map(|(_, tension)| tension);
        let document = documents.iter().find(|document| document.path == one.report);
        let (Some(tension), Some(document)) = (tension, document) else { continue };
        let region = Region { code: COUNTRY.to_owned() };
        let response = Response {
            id: ResponseId(derived_id(collection, &one.title)),
            collection,
            kind: one.kind,
            title: one.title.clone(),
            summary: one.summary.clone(),
            url: one.report.clone(),
            document: Some(document.id),
            starts_at: one.in_days.map(|days| now.plus_ms(days * DAY_MS)),
            ends_at: None,
            region,
            confidence: settings.response_confidence,
            created_at: now,
        };
        let link = RespondsTo {
            tension,
            strength: settings.response_confidence,
            explanation: "Invented, as the report is.".to_owned(),
            mechanism: one.mechanism.clone(),
            first_seen: now,
            last_seen: now,
        };
        store.add_response(&response, &link).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taxonomy::Taxonomy;
    use domain::claim::Mode;

    #[test]
    fn the_run_rests_on_sentences_of_its_reports_in_which_the_word_lists_find_nothing() {
        let run = ExampleRun::parse(include_str!("../example.toml")).unwrap();
        let taxonomy = Taxonomy::shared();
        assert_eq!((run.reports.len(), run.tensions.len(), run.responses.len()), (3, 3, 3));
        let is_stated = |address: &str, sentence: &String| run.report(address).unwrap().sentences.contains(sentence);
        for (at, one) in run.tensions.iter().enumerate() {
            assert!(is_stated(&one.report, &one.statement) && taxonomy.theme(&one.theme).is_some(), "{}", one.title);
            let parent = one.parent.as_ref().map(|title| run.tensions.iter().position(|other| other.title == *title));
            assert_eq!(parent, at.checked_sub(1).map(Some), "each sprang from the one before");
            assert!(TensionOrigin::parse(&one.origin).is_some());
        }
        for one in &run.responses {
            assert!(is_stated(&one.report, &one.summary) && run.tensions.iter().any(|other| other.title == one.tension));
        }
        for sentence in run.reports.iter().flat_map(|report| &report.sentences) {
            assert!(taxonomy.read(sentence, Mode::Asserted).is_none(), "{sentence}");
        }
        let read = run.steps.iter().filter(|step| step.act == "read_page");
        assert!(
            read.map(|step| run.report(&step.input)).all(|report| report.is_some()),
            "every page that was read is a report"
        );
    }
}
