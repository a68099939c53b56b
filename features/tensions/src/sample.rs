//! Sample: invented reports of strain and what answers it, beside the sample investigation. They come and go with it.
//!
//! Invariant: the reports stand in a collection of their own, which the recorded investigations do not read. Every step can be
//! repeated, and stores nothing twice.

use crate::{
    example::{self, EXAMPLE},
    response::{RespondsTo, Response, ResponseId, ResponseKind},
    settings::TensionSettings,
    store::{KnownSubject, TensionStore},
    tension::DAY_MS,
};
use domain::{
    ClaimId, Collection, CollectionId, CollectionKind, DocumentId, Precision, PublicationDate, PublishedBasis, Scope,
    Timestamp,
    document::{Document, DocumentDetails, DocumentText},
};
use engine::{
    Engine, StoreResult, accounts,
    evidence::{document_order, sha256_hex},
    graph::{EntityProposal, EntityRef, GraphWrite, NewClaim},
    library::{self, DocumentQuery, ExtractedFile},
};
use feature::{Web, region::Region};
use serde::Deserialize;
use std::sync::LazyLock;
use uuid::{Builder, Variant, Version};

/// Name of the collection.
const COLLECTION: &str = "Reports of strain";
/// Name and version of what makes the text of a report.
const EXTRACTOR: &str = "sample-1";
/// Documents read at once, more than there are reports.
pub const DOCUMENTS: u32 = 100;

static SAMPLE: LazyLock<SampleReports> = LazyLock::new(|| {
    SampleReports::parse(include_str!("../sample.toml")).unwrap_or_else(|error| {
        tracing::error!(%error, "sample of tensions unreadable");
        SampleReports::default()
    })
});

/// Content of `sample.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleReports {
    /// First line of every report.
    heading: String,
    reports: Vec<SampleReport>,
    responses: Vec<SampleResponse>,
}

/// Invented report. Each of its sentences is a claim.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleReport {
    pub address: String,
    outlet: String,
    date: String,
    title: String,
    pub sentences: Vec<String>,
    /// Names and kinds of entities; a sentence that contains the name is about it.
    #[serde(default)]
    entities: Vec<(String, String)>,
}

/// Invented response that a report describes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleResponse {
    /// Address of the report.
    report: String,
    /// Subject of the tension.
    subject: String,
    kind: ResponseKind,
    title: String,
    summary: String,
    mechanism: String,
    /// Days until it takes place, from the day on which it is stored.
    in_days: Option<i64>,
}

impl SampleReports {
    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    fn report(&self, address: &str) -> Option<&SampleReport> {
        self.reports.iter().find(|report| report.address == address)
    }
}

impl SampleReport {
    fn text(&self, heading: &str) -> String {
        format!("{heading}\n\n{}\n\n{}\n", self.title, self.sentences.join(" "))
    }

    fn file(&self, heading: &str) -> ExtractedFile {
        let text = self.text(heading);
        let published = Timestamp::parse(&self.date).map(|value| PublicationDate {
            value,
            precision: Precision::Day,
            basis: PublishedBasis::Stated,
        });
        ExtractedFile {
            path: self.address.clone(),
            bytes: text.clone().into_bytes().into(),
            sha256: sha256_hex(text.as_bytes()),
            media_type: "text/plain".to_owned(),
            text,
            extractor: EXTRACTOR.to_owned(),
            title: self.title.clone(),
            outlet: Some(self.outlet.clone()),
            published,
            language: Some("en".to_owned()),
            details: DocumentDetails::default(),
        }
    }
}

/// Returns a report as the file that is stored of it.
pub fn stored_file(report: &SampleReport) -> ExtractedFile {
    report.file(&SAMPLE.heading)
}

/// Stores the reports with their claims where the sample investigation is, and not without it.
pub async fn add_reports(web: &Web) -> StoreResult<()> {
    let engine = &web.engine;
    if !web.settings.get::<TensionSettings>().sample_reports {
        return Ok(());
    }
    let samples = sample_collections(engine).await?;
    if samples.iter().all(is_own) {
        return Ok(());
    }
    let collection = match samples.iter().find(|one| is_own(one)) {
        Some(own) => own.id,
        None => {
            let system = accounts::system_user(engine).await?;
            accounts::own_collection(engine, &system, CollectionKind::Sample, COLLECTION).await?.id
        }
    };
    let scope = Scope::from(collection);
    let every = DocumentQuery { limit: DOCUMENTS, ..DocumentQuery::default() };
    if engine.documents.list(&scope, &every).await?.documents.is_empty() {
        let files = SAMPLE.reports.iter().chain(&EXAMPLE.reports).map(|report| Ok(stored_file(report))).collect();
        library::store(engine, collection, None, files).await?;
    }
    let unread = DocumentQuery { only_unextracted: true, ..every };
    let unread: Vec<DocumentId> = engine.documents.list(&scope, &unread).await?.documents.iter().map(|one| one.id).collect();
    if unread.is_empty() {
        return Ok(());
    }
    let texts = engine.documents.texts(&scope, &unread).await?;
    let writes: Vec<GraphWrite> = texts.iter().map(|text| extract(engine, text)).collect();
    engine.graph.write(&writes, &*engine.resolve).await?;
    Ok(())
}

/// Returns the claims of a report: its sentences.
fn extract(engine: &Engine, DocumentText { document, text, .. }: &DocumentText) -> GraphWrite {
    let report = SAMPLE.report(&document.path).or_else(|| EXAMPLE.report(&document.path));
    let (sentences, names) = report.map(|report| (&report.sentences[..], &report.entities[..])).unwrap_or_default();
    let sentences: Vec<(&String, u64)> =
        sentences.iter().filter_map(|sentence| Some((sentence, text.find(sentence.as_str())? as u64))).collect();
    let claim = |(sentence, start): &(&String, u64)| {
        let about = (0..names.len()).filter(|index| sentence.contains(&names[*index].0)).map(EntityRef::New).collect();
        let claim = NewClaim::quoted(ClaimId(engine.ids.next()), sentence, *start, about);
        NewClaim { published: document.published, ..claim }
    };
    let entity = |(name, kind): &(String, String)| {
        let claims = (0..sentences.len()).filter(|index| sentences[*index].0.contains(name)).collect();
        EntityProposal { claims, ..EntityProposal::new(&*engine.ids, name, kind) }
    };
    let (order, now) = (document_order(document), engine.clock.now());
    GraphWrite {
        entities: names.iter().map(entity).collect(),
        claims: sentences.iter().map(claim).collect(),
        completes_document: true,
        ..GraphWrite::new(document.id, document.collection_id, order, now)
    }
}

/// Stores what the reports name as answers to the tensions that were found in them. Once all are stored, the example is played.
pub async fn add_responses(web: &Web) -> StoreResult<()> {
    let store = TensionStore::new(web);
    let samples = sample_collections(&web.engine).await?;
    let Some(collection) = samples.iter().find(|one| is_own(one)).map(|own| own.id) else { return Ok(()) };
    let number = SAMPLE.responses.len() as u64;
    if store.count_responses(collection).await? < number {
        store_responses(web, collection).await?;
    }
    match store.count_responses(collection).await? < number {
        true => Ok(()),
        false => example::play(web, collection).await,
    }
}

async fn store_responses(web: &Web, collection: CollectionId) -> StoreResult<()> {
    let (engine, store, settings) = (&web.engine, TensionStore::new(web), web.settings.get::<TensionSettings>());
    let scope = Scope::from(collection);
    let every = DocumentQuery { limit: DOCUMENTS, ..DocumentQuery::default() };
    let documents = engine.documents.list(&scope, &every).await?.documents;
    let subjects: Vec<String> = SAMPLE.responses.iter().map(|one| one.subject.clone()).collect();
    let known = store.known_subjects(&scope, &subjects).await?;
    for one in &SAMPLE.responses {
        let document = documents.iter().find(|document| document.path == one.report);
        let subject = known.iter().find(|known| known.subject == one.subject);
        if let (Some(document), Some(subject)) = (document, subject) {
            let (response, link) = one.response(document, subject, settings.stated_confidence, engine.clock.now());
            store.add_response(&response, &link).await?;
        }
    }
    Ok(())
}

impl SampleResponse {
    fn response(&self, document: &Document, subject: &KnownSubject, share: f64, now: Timestamp) -> (Response, RespondsTo) {
        let region = Region { code: self.subject.rsplit('/').next().unwrap_or_default().to_owned() };
        let response = Response {
            id: response_id(document.collection_id, &self.title),
            collection: document.collection_id,
            kind: self.kind,
            title: self.title.clone(),
            summary: self.summary.clone(),
            url: self.report.clone(),
            document: Some(document.id),
            starts_at: self.in_days.map(|days| now.plus_ms(days * DAY_MS)),
            ends_at: None,
            region,
            confidence: share,
            created_at: now,
        };
        let link = RespondsTo {
            tension: subject.tension,
            strength: share,
            explanation: "Invented, as the report is.".to_owned(),
            mechanism: self.mechanism.clone(),
            first_seen: now,
            last_seen: now,
        };
        (response, link)
    }
}

/// Derives the id of a response from its natural key, so that it is stored once.
fn response_id(collection: CollectionId, title: &str) -> ResponseId {
    let digest = sha256_hex(format!("{collection} {title}").as_bytes());
    let bits = u128::from_str_radix(&digest[..32], 16).unwrap_or_default();
    ResponseId(Builder::from_u128(bits).with_version(Version::SortRand).with_variant(Variant::RFC4122).into_uuid())
}

/// Returns the collections of the sample, these reports included.
pub async fn sample_collections(engine: &Engine) -> StoreResult<Vec<Collection>> {
    let collections = engine.accounts.collections().await?;
    Ok(collections.into_iter().filter(|one| one.kind == CollectionKind::Sample).collect())
}

/// Returns a scope without the sample, whose invented events are no part of the work on real ones.
pub async fn without_sample(engine: &Engine, scope: Scope) -> StoreResult<Scope> {
    Ok(sample_collections(engine).await?.iter().fold(scope, |scope, sample| scope.without(sample.id)))
}

/// Returns the part of a scope that may be read together with a collection: of the sample that collection alone, else all but the
/// `samples`. Invented and real events never share a tension, a response or a precedent.
pub fn together(scope: &Scope, samples: &[Collection], collection: CollectionId) -> Scope {
    if samples.iter().any(|sample| sample.id == collection) {
        return Scope::from(collection);
    }
    samples.iter().fold(scope.clone(), |scope, sample| scope.without(sample.id)).with(collection)
}

/// Returns what everybody reads of what may be read together with a collection, and that collection.
pub async fn open_together(engine: &Engine, collection: CollectionId) -> StoreResult<Scope> {
    Ok(together(&engine.accounts.open_scope().await?, &sample_collections(engine).await?, collection))
}

/// Returns whether a collection holds these reports.
pub fn is_own(collection: &Collection) -> bool {
    collection.name == COLLECTION
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taxonomy::Taxonomy;
    use domain::claim::Mode;
    use std::collections::BTreeSet;

    #[test]
    fn the_reports_are_complete_and_say_that_they_are_invented() {
        let sample = SampleReports::parse(include_str!("../sample.toml")).unwrap();
        assert!((24..=30).contains(&sample.reports.len()), "{}", sample.reports.len());
        let addresses: BTreeSet<&str> = sample.reports.iter().map(|report| report.address.as_str()).collect();
        assert_eq!(addresses.len(), sample.reports.len(), "one report per address");
        for report in &sample.reports {
            let text = report.text(&sample.heading);
            let words = text.split_whitespace().count();
            assert!(text.starts_with("Invented sample") && (60..=150).contains(&words), "{words} words: {text}");
            assert!(report.address.contains(".example/") && Timestamp::parse(&report.date).is_some(), "{}", report.address);
            assert!(report.sentences.iter().all(|sentence| text.matches(sentence.as_str()).count() == 1), "{text}");
        }
    }

    #[test]
    fn every_response_is_a_sentence_of_its_report_and_answers_a_strain_that_one_states() {
        let (sample, taxonomy) = (&*SAMPLE, Taxonomy::shared());
        let sentences = || sample.reports.iter().flat_map(|report| &report.sentences);
        let stated: BTreeSet<String> = sentences()
            .filter_map(|sentence| taxonomy.read(sentence, Mode::Asserted))
            .map(|strain| format!("{}/", strain.kind.code))
            .collect();
        for response in &sample.responses {
            let report = sample.report(&response.report).expect("a report of this address");
            assert!(report.sentences.contains(&response.summary), "{}", response.summary);
            assert!(stated.iter().any(|subject| response.subject.starts_with(subject)), "{}", response.subject);
        }
        let kinds: BTreeSet<&str> = sample.responses.iter().map(|response| response.kind.as_str()).collect();
        assert_eq!(kinds.len(), ResponseKind::ALL.len());
        let denied =
            sentences().filter_map(|sentence| taxonomy.read(sentence, Mode::Asserted)).filter(|strain| strain.is_denied);
        assert!(denied.count() >= 2, "some of it is denied");
    }
}
