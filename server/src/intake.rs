//! Intake of a new investigation: stores uploaded files and pages as documents, then launches the question.

use crate::Program;
use domain::{
    Collection, CollectionKind, InvestigationId, Scope,
    document::RejectedFile,
    investigation::{Investigation, InvestigationKind, Trigger},
    user::User,
};
use engine::{
    StoreError, StoreResult,
    accounts::AuditEntry,
    fetch::PageProgress,
    launch::{self, LaunchError, NewInvestigation},
    library::{self, DocumentQuery, ExtractedFile, IngestReport},
};
use fetch::{DocumentWithBytes, Input};
use futures::StreamExt;

/// Request for a new investigation.
pub struct InvestigationRequest<'a> {
    pub owner: &'a User,
    pub text: &'a str,
    /// Collection that stores the files.
    pub collection: &'a Collection,
    /// Readable collections; `collection` is added.
    pub scope: Scope,
    pub files: Option<Input>,
    /// Addresses of pages to read.
    pub addresses: Vec<String>,
    /// Model for every role, if the question names one.
    pub model: Option<String>,
}

/// Progress of reading files and pages before the launch.
#[derive(Debug, Clone, Copy)]
pub enum IntakeProgress<'a> {
    Files(&'a IngestReport),
    Pages(PageProgress<'a>),
}

/// Error that prevents an investigation.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// No readable document. Carries the rejected files, which are also stored under this id.
    #[error("nothing to read: add at least one readable document")]
    NothingToRead(InvestigationId, Vec<RejectedFile>),
}

impl From<StoreError> for IntakeError {
    fn from(error: StoreError) -> Self {
        Self::Launch(LaunchError::Store(error))
    }
}

/// Stores the files and pages, then launches the investigation. Checks the question first, so that an invalid one costs nothing.
pub async fn start_investigation(
    program: &Program,
    request: InvestigationRequest<'_>,
    mut on_progress: impl FnMut(IntakeProgress<'_>),
) -> Result<(Investigation, IngestReport), IntakeError> {
    let engine = &program.engine;
    launch::check_question(engine, request.text)?;
    if let Some(cap) = launch::over_budget(engine, request.owner, request.model.as_deref()).await? {
        return Err(LaunchError::OverBudget(cap).into());
    }
    let collection = request.collection;
    let scope = request.scope.with(collection.id);
    // Assigned early, so that pages can list the files that failed.
    let id = InvestigationId(engine.ids.next());
    let mut report = match request.files {
        Some(input) => {
            let files = program.documents.read(input).map(to_read_file);
            library::ingest(engine, collection.id, &scope, Some(id), files, |report| on_progress(IntakeProgress::Files(report)))
                .await?
        }
        None => IngestReport::default(),
    };
    if !request.addresses.is_empty() {
        let fetched = engine::fetch::ingest(engine, collection.id, id, &request.addresses, |pages| {
            on_progress(IntakeProgress::Pages(pages));
        });
        report = report.with(&fetched.await?);
    }
    if report.stored + report.known == 0 {
        let any = engine.documents.list(&scope, &DocumentQuery { limit: 1, ..DocumentQuery::default() }).await?;
        let has_something = any.total > 0 || engine::fetch::sources::is_any_on(engine).await?;
        // If every file failed, the request fails even when other documents exist.
        if !has_something || !report.rejected.is_empty() {
            return Err(IntakeError::NothingToRead(id, report.rejected));
        }
    }
    let new = NewInvestigation {
        id,
        owner: request.owner,
        question: request.text.to_owned(),
        kind: InvestigationKind::Intelligence,
        trigger: Trigger::Prompt,
        model: request.model,
        scope,
        collection_id: collection.id,
    };
    let investigation = launch::launch(engine, new).await?;
    metrics::counter!("autosint_investigations_launched_total").increment(1);
    if report != IngestReport::default() {
        library::announce(engine, id, &report).await?;
    }
    audit(program, request.owner, "launch_investigation", &id.to_string()).await?;
    Ok((investigation, report))
}

/// Returns the private collection for a user's uploads.
pub async fn upload_collection(program: &Program, user: &User) -> StoreResult<Collection> {
    engine::accounts::own_collection(&program.engine, user, CollectionKind::Private, "Uploads").await
}

/// Returns the user's scope without the sample, so that invented events never mix with real ones.
pub async fn scope_without_sample(program: &Program, user: &User) -> StoreResult<Scope> {
    let accounts = &program.engine.accounts;
    let scope = accounts.scope_of(user.id).await?;
    let real = accounts.collections().await?.into_iter().filter(|collection| collection.kind != CollectionKind::Sample);
    Ok(scope.intersect(&Scope::new(real.map(|collection| collection.id).collect())))
}

/// Writes an entry to the audit log.
pub async fn audit(program: &Program, user: &User, act: &str, object: &str) -> StoreResult<()> {
    let engine = &program.engine;
    let entry = AuditEntry { at: engine.clock.now(), user: Some(user.id), act: act.to_owned(), object: object.to_owned() };
    engine.accounts.audit(&entry).await
}

/// Converts a document from Fetch for the library.
pub fn to_read_file(item: Result<DocumentWithBytes, domain::fetch::Rejection>) -> Result<ExtractedFile, RejectedFile> {
    let DocumentWithBytes { document, bytes } =
        item.map_err(|rejected| RejectedFile { path: rejected.path, reason: rejected.message })?;
    Ok(ExtractedFile::new(document, bytes))
}

/// Splits typed addresses at white space and commas. An address without a scheme gets `https://`.
pub fn parse_addresses(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| if word.contains("://") { word.to_owned() } else { format!("https://{word}") }).collect()
}
