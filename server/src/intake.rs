//! From files to an investigation: what Fetch reads becomes Documents, then the question is launched on them.

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
    fetch::PagesRead,
    launch::{self, LaunchError, NewInvestigation},
    library::{self, DocumentQuery, IngestReport, ReadFile},
};
use fetch::{DocumentWithBytes, Input};
use futures::StreamExt;

/// What is asked, by whom, of what.
pub struct Question<'a> {
    pub owner: &'a User,
    pub text: &'a str,
    /// Where the files go.
    pub collection: &'a Collection,
    /// What the agents may read; the collection is added.
    pub scope: Scope,
    pub files: Option<Input>,
    /// Pages to read, as a person wrote them.
    pub addresses: Vec<String>,
    /// Who answers for every role, where the question names somebody.
    pub model: Option<String>,
}

/// What is being read before the investigation begins.
#[derive(Debug, Clone, Copy)]
pub enum Reading<'a> {
    Files(&'a IngestReport),
    Pages(PagesRead<'a>),
}

/// Why there is no investigation.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// Not one document to read; carries the files with their reasons, which are also stored under this id.
    #[error("there is nothing to read: give at least one document that can be read")]
    NothingToRead(InvestigationId, Vec<RejectedFile>),
}

impl From<StoreError> for IntakeError {
    fn from(error: StoreError) -> Self {
        Self::Launch(LaunchError::Store(error))
    }
}

/// Reads the files, stores them and launches the question. Checks the question first: a bad one costs nothing.
pub async fn investigate(
    program: &Program,
    question: Question<'_>,
    mut on_progress: impl FnMut(Reading<'_>),
) -> Result<(Investigation, IngestReport), IntakeError> {
    let engine = &program.engine;
    launch::check_question(engine, question.text)?;
    if let Some(cap) = launch::over_budget(engine, question.owner, question.model.as_deref()).await? {
        return Err(LaunchError::OverBudget(cap).into());
    }
    let collection = question.collection;
    let scope = question.scope.with(collection.id);
    // Drawn now, so that its page, or the one for asking again, can show which files were not read.
    let id = InvestigationId(engine.ids.next());
    let mut report = match question.files {
        Some(input) => {
            let files = program.documents.read(input).map(read_file);
            library::ingest(engine, collection.id, &scope, Some(id), files, |report| on_progress(Reading::Files(report)))
                .await?
        }
        None => IngestReport::default(),
    };
    if !question.addresses.is_empty() {
        let fetched = engine::fetch::ingest(engine, collection.id, id, &question.addresses, |pages| {
            on_progress(Reading::Pages(pages));
        });
        report = report.with(&fetched.await?);
    }
    if report.stored + report.known == 0 {
        let any = engine.documents.list(&scope, &DocumentQuery { limit: 1, ..DocumentQuery::default() }).await?;
        let has_something = any.total > 0 || engine::fetch::sources::is_any_on(engine).await?;
        // Files that all failed are an answer of their own, whatever else there is to read.
        if !has_something || !report.rejected.is_empty() {
            return Err(IntakeError::NothingToRead(id, report.rejected));
        }
    }
    let new = NewInvestigation {
        id,
        owner: question.owner,
        question: question.text.to_owned(),
        kind: InvestigationKind::Intelligence,
        trigger: Trigger::Prompt,
        model: question.model,
        scope,
        collection_id: collection.id,
    };
    let investigation = launch::launch(engine, new).await?;
    metrics::counter!("autosint_investigations_launched_total").increment(1);
    if report != IngestReport::default() {
        library::announce(engine, id, &report).await?;
    }
    audit(program, question.owner, "launch_investigation", &id.to_string()).await?;
    Ok((investigation, report))
}

/// Where what a person uploads goes.
pub async fn uploads_of(program: &Program, user: &User) -> StoreResult<Collection> {
    engine::accounts::own_collection(&program.engine, user, CollectionKind::Private, "Uploads").await
}

/// What `user` may read, without the sample: invented events must not mix with real ones.
pub async fn scope_without_sample(program: &Program, user: &User) -> StoreResult<Scope> {
    let accounts = &program.engine.accounts;
    let scope = accounts.scope_of(user.id).await?;
    let real = accounts.collections().await?.into_iter().filter(|collection| collection.kind != CollectionKind::Sample);
    Ok(scope.intersect(&Scope::new(real.map(|collection| collection.id).collect())))
}

/// Notes a sensitive act.
pub async fn audit(program: &Program, user: &User, act: &str, object: &str) -> StoreResult<()> {
    let engine = &program.engine;
    let entry = AuditEntry { at: engine.clock.now(), user: Some(user.id), act: act.to_owned(), object: object.to_owned() };
    engine.accounts.audit(&entry).await
}

/// What Fetch gave, as the library takes it.
pub fn read_file(item: Result<DocumentWithBytes, domain::fetch::Rejection>) -> Result<ReadFile, RejectedFile> {
    let DocumentWithBytes { document, bytes } =
        item.map_err(|rejected| RejectedFile { path: rejected.path, reason: rejected.message })?;
    Ok(ReadFile::new(document, bytes))
}

/// The addresses that a person wrote, one or more to a line. One without a scheme is of a page that is served safely.
pub fn addresses_in(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| if word.contains("://") { word.to_owned() } else { format!("https://{word}") }).collect()
}
