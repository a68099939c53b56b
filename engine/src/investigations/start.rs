//! Use cases that start and stop investigations.

use crate::{
    Engine, StoreError, StoreResult,
    accounts::{self, Actor},
    budget::{BudgetShare, CapReached},
    fetch::{self, PageProgress},
    library::{self, DocumentQuery, ExtractedFile, IngestReport},
    models::RoleModels,
};
use domain::{
    Collection, CollectionId, CollectionKind, InvestigationId, Scope,
    agent::AgentRole,
    document::RejectedFile,
    event::EventKind,
    investigation::{FollowKind, Investigation, InvestigationKind, Progress, Terms, Trigger, WebAccess},
    model_choice::ModelChoices,
    user::{SYSTEM_USER, User},
};
use futures::stream::BoxStream;
use std::net::IpAddr;

/// Request for a new investigation.
pub struct InvestigationRequest<'a> {
    /// Id, where it derives from a natural key; none: a new one.
    pub id: Option<InvestigationId>,
    pub owner: &'a User,
    pub question: &'a str,
    /// Collection that stores files, pages and captured documents.
    pub collection: CollectionId,
    /// The same collection, where it is to be made once nothing speaks against the question.
    pub new_collection: Option<Collection>,
    /// Readable collections; `collection` is added.
    pub scope: Scope,
    /// Files to read first, if any.
    pub files: Option<BoxStream<'a, Result<ExtractedFile, RejectedFile>>>,
    /// Addresses of pages to read first.
    pub addresses: Vec<String>,
    /// Model named for every role, if any.
    pub model: Option<String>,
    /// Web access of its agents; none: off where private files are in scope.
    pub web: Option<WebAccess>,
    /// Period and depth; `scope` holds the collections.
    pub terms: Terms,
    /// Question that it continues, which the owner must be able to see.
    pub follows: Option<(InvestigationId, FollowKind)>,
    /// Address of the client, for the audit log; none on the command line.
    pub client: Option<IpAddr>,
    pub trigger: Trigger,
}

impl<'a> InvestigationRequest<'a> {
    /// Builds a request to investigate the documents of one collection.
    pub fn new(owner: &'a User, question: &'a str, collection: CollectionId) -> Self {
        let (scope, addresses) = (Scope::default(), vec![]);
        Self {
            id: None,
            owner,
            question,
            collection,
            new_collection: None,
            scope,
            files: None,
            addresses,
            model: None,
            web: None,
            terms: Terms::default(),
            follows: None,
            client: None,
            trigger: Trigger::default(),
        }
    }
}

/// Progress of reading files and pages before the start.
#[derive(Debug, Clone, Copy)]
pub enum ReadingProgress<'a> {
    Files(&'a IngestReport),
    Pages(PageProgress<'a>),
}

/// Errors of starting an investigation.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("the question is empty: enter one, for example \"Who was behind …?\"")]
    NoQuestion,
    #[error("the question has no words: enter one, for example \"Who was behind …?\"")]
    NoWords,
    #[error("the question has {chars} characters, the maximum is {max}: shorten it and move background into a document")]
    TooLong { chars: usize, max: usize },
    /// No budget for even a final session.
    #[error("budget exhausted, the investigation was not started: {0}")]
    OverBudget(CapReached),
    /// Limit `engine.max_open_investigations`.
    #[error("{open} investigations are not finished, the maximum is {max}: wait for one, or stop one")]
    TooManyOpen { open: u64, max: u32 },
    /// Limit `engine.max_collections`.
    #[error("you have {max} collections, the maximum: read your whole library, or ask a follow-up, which shares a collection")]
    TooManyCollections { max: u32 },
    /// No readable document. Carries the rejected files, which are also stored under this id.
    #[error("nothing to read: add at least one readable document")]
    NothingToRead(InvestigationId, Vec<RejectedFile>),
    /// No document in the collections and the period.
    #[error("no document is in this scope: widen the collections or the period, or allow the web")]
    NothingInScope,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Starts an investigation, which an orchestrator then runs: checks question and budget, stores files and pages, stores the
/// investigation, and writes the audit log. The checks come first, so that a refused question costs nothing; it leaves no empty
/// collection either.
pub async fn start(
    engine: &Engine,
    request: InvestigationRequest<'_>,
    on_progress: impl FnMut(ReadingProgress<'_>),
) -> Result<(Investigation, IngestReport), StartError> {
    let (owner, new) = (request.owner, request.new_collection.as_ref().map(|new| new.id));
    let started = read_and_start(engine, request, on_progress).await;
    let unread = match &started {
        Err(StartError::NothingToRead(id, files)) => Some((*id, files.clone())),
        _ => None,
    };
    // After a failure of the store the investigation may exist.
    let is_refused = !matches!(started, Ok(_) | Err(StartError::Store(_)));
    if let Some(collection) = new.filter(|_| is_refused)
        && let Err(error) = remove_if_empty(engine, owner, collection, unread).await
    {
        tracing::warn!(%error, "empty collection of a refused question not removed");
    }
    started
}

async fn read_and_start(
    engine: &Engine,
    request: InvestigationRequest<'_>,
    mut on_progress: impl FnMut(ReadingProgress<'_>),
) -> Result<(Investigation, IngestReport), StartError> {
    let InvestigationRequest {
        id,
        owner,
        question,
        mut collection,
        new_collection,
        scope,
        files,
        addresses,
        model,
        web,
        terms,
        follows,
        client,
        trigger,
    } = request;
    let question = check_question(engine, question)?;
    let models = if model.is_some() { ModelChoices::default() } else { engine.model_choices().await? };
    let called = if model.is_some() { engine.models_named(model.as_deref()) } else { engine.models_with(&models) };
    if let Some(cap) = over_budget(engine, owner, &called).await? {
        return Err(StartError::OverBudget(cap));
    }
    check_open(engine, owner).await?;
    let mut unmade = new_collection;
    if unmade.is_some() {
        check_collections(engine, owner).await?;
    }
    if files.is_some() || !addresses.is_empty() {
        collection = make_collection(engine, &mut unmade, collection).await?;
    }
    let scope = scope.with(collection);
    // Assigned early, so that pages can list the files that failed.
    let id = id.unwrap_or_else(|| InvestigationId(engine.ids.next()));
    let mut report = IngestReport::default();
    if let Some(files) = files {
        let progress = |report: &IngestReport| on_progress(ReadingProgress::Files(report));
        report = library::ingest(engine, collection, &scope, Some(id), files, progress).await?;
    }
    if !addresses.is_empty() {
        let progress = |pages: PageProgress<'_>| on_progress(ReadingProgress::Pages(pages));
        report = report.with(&fetch::ingest(engine, collection, id, &addresses, progress).await?);
    }
    let web = match web {
        Some(web) => web,
        None if has_private_files(engine, owner, &scope).await? => WebAccess::Off,
        None => WebAccess::On,
    };
    let period = terms.period;
    if report.is_empty() || !period.is_open() {
        let any = engine.documents.list(&scope, &DocumentQuery { limit: 1, period, ..DocumentQuery::default() }).await?;
        let has_something = any.total > 0 || (web == WebAccess::On && fetch::sources::is_any_on(engine).await?);
        // If every file failed, the request fails even when other documents exist.
        if !has_something && terms != Terms::default() && report.rejected.is_empty() {
            return Err(StartError::NothingInScope);
        }
        if !has_something || (report.is_empty() && !report.rejected.is_empty()) {
            return Err(StartError::NothingToRead(id, report.rejected));
        }
    }
    // Without documents, the name of a collection has the id of its question: no other question makes it, and `reach` finds it again.
    make_collection(engine, &mut unmade, collection).await?;
    let investigation = Investigation {
        id,
        owner: owner.id,
        question,
        kind: InvestigationKind::Intelligence,
        trigger,
        model,
        models,
        parent_id: None,
        scope,
        collection_id: collection,
        addresses,
        web,
        terms,
        progress: Progress::default(),
        reason: None,
        suspended_at: None,
        traceparent: traceparent(id, engine.ids.next().as_u128()),
        created_at: engine.clock.now(),
        completed_at: None,
    };
    match personal_limit(owner, engine.config.max_open_investigations) {
        // Reading takes time, in which others may have started.
        Some(max) if !engine.investigations.add_within(&investigation, max).await? => {
            return Err(StartError::TooManyOpen { open: engine.investigations.count_open(owner.id).await?, max });
        }
        Some(_) => {}
        None => engine.investigations.add(&investigation).await?,
    }
    if let Some((followed, kind)) = follows
        && engine.may_read(owner, followed).await?
    {
        engine.investigations.join_thread(id, followed, kind).await?;
    }
    metrics::counter!("autosint_investigations_launched_total").increment(1);
    if report != IngestReport::default() {
        library::announce(engine, id, &report).await?;
    }
    accounts::audit(engine, Actor { user: Some(owner.id), address: client }, "launch_investigation", &id.to_string()).await?;
    Ok((investigation, report))
}

/// Returns the cap that leaves no budget for a final session, the minimum of an investigation. Concurrent calls may still use up
/// that budget; the ledger decides on each call.
pub async fn over_budget(engine: &Engine, owner: &User, models: &RoleModels) -> StoreResult<Option<CapReached>> {
    let least = engine.budget.min_output_tokens.min(engine.config.max_output_tokens);
    let analyst = models.model(AgentRole::Analyst).clone();
    Ok(BudgetShare::load(engine, owner.id, owner.cap, None, &*analyst, least).await?.holds(0).err())
}

/// Returns the limit of one person; 0 is no limit. The user `system`, the operator on the command line, has none.
fn personal_limit(owner: &User, max: u32) -> Option<u32> {
    Some(max).filter(|max| *max > 0 && owner.name != SYSTEM_USER)
}

/// Checks `engine.max_open_investigations` before anything is read.
async fn check_open(engine: &Engine, owner: &User) -> Result<(), StartError> {
    let Some(max) = personal_limit(owner, engine.config.max_open_investigations) else { return Ok(()) };
    let open = engine.investigations.count_open(owner.id).await?;
    if open >= u64::from(max) { Err(StartError::TooManyOpen { open, max }) } else { Ok(()) }
}

/// Checks `engine.max_collections` before a question gets a collection of its own.
async fn check_collections(engine: &Engine, owner: &User) -> Result<(), StartError> {
    let Some(max) = personal_limit(owner, engine.config.max_collections) else { return Ok(()) };
    let own = engine.accounts.collections_of(owner.id).await?.into_iter().filter(|one| one.owner == owner.id).count();
    if own >= max as usize { Err(StartError::TooManyCollections { max }) } else { Ok(()) }
}

/// Makes the collection that a question needs, if it is not made yet, and returns the id of `collection` or of the one of that name that
/// a question with the same documents has made meanwhile.
async fn make_collection(
    engine: &Engine,
    unmade: &mut Option<Collection>,
    collection: CollectionId,
) -> StoreResult<CollectionId> {
    match unmade.take() {
        Some(wanted) => Ok(engine.accounts.ensure_collection(&wanted).await?.id),
        None => Ok(collection),
    }
}

/// Removes the collection of a refused question if no document went into it. Its unreadable files stay listed, among the uploads.
async fn remove_if_empty(
    engine: &Engine,
    owner: &User,
    collection: CollectionId,
    unread: Option<(InvestigationId, Vec<RejectedFile>)>,
) -> StoreResult<()> {
    let any = DocumentQuery { limit: 1, ..DocumentQuery::default() };
    let is_made = engine.accounts.collection(collection).await?.is_some();
    if !is_made || engine.documents.list(&Scope::from(collection), &any).await?.total > 0 {
        return Ok(());
    }
    if let Some((id, files)) = unread {
        let uploads = accounts::upload_collection(engine, owner).await?;
        engine.documents.add_rejected(uploads.id, Some(id), &files).await?;
    }
    library::remove_collection(engine, collection).await
}

/// Returns whether a private collection of the owner has documents in the scope that are not from the web. Collections that others opened
/// to a team do not count.
async fn has_private_files(engine: &Engine, owner: &User, scope: &Scope) -> StoreResult<bool> {
    let all = engine.accounts.collections_of(owner.id).await?.into_iter();
    let own = all.filter(|one| one.kind == CollectionKind::Private && one.owner == owner.id).map(|one| one.id);
    engine.documents.has_files(&Scope::new(own.collect()).intersect(scope)).await
}

/// Returns the trimmed question, or an error when empty, without words, or too long.
pub fn check_question(engine: &Engine, question: &str) -> Result<String, StartError> {
    let question = question.split_whitespace().collect::<Vec<_>>().join(" ");
    let (chars, max) = (question.chars().count(), engine.config.max_question_chars);
    match chars {
        0 => Err(StartError::NoQuestion),
        _ if !question.chars().any(char::is_alphanumeric) => Err(StartError::NoWords),
        _ if chars > max => Err(StartError::TooLong { chars, max }),
        _ => Ok(question),
    }
}

/// Requests an end with the present evidence, for its parts too. Idempotent, and harmless when too late.
pub async fn stop(engine: &Engine, investigation: &Investigation) -> Result<(), StoreError> {
    request_finish(engine, investigation).await?;
    // Read after storing the request: parts added later inherit it.
    for part in engine.investigations.parts(investigation.id).await? {
        request_finish(engine, &part).await?;
    }
    Ok(())
}

async fn request_finish(engine: &Engine, investigation: &Investigation) -> Result<(), StoreError> {
    if investigation.progress.status.is_terminal() {
        return Ok(());
    }
    let now = engine.clock.now();
    engine.investigations.request_finish(investigation.id, now).await?;
    engine.events.append(investigation.id, now, EventKind::FinishRequested).await?;
    Ok(())
}

/// Returns the W3C trace context of an investigation, with its id as trace id.
pub(crate) fn traceparent(id: InvestigationId, chance: u128) -> String {
    let span = (chance as u64) | 1;
    format!("00-{:032x}-{span:016x}-01", id.0.as_u128())
}
