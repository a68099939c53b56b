//! Built-in sample: invented documents in a shared collection, investigated by recordings first and then by its own question.
//!
//! Invariant: sample investigations run one after the other. A document is extracted once, so each recording depends on the
//! claims that earlier replies made. Ids derive from collection and name, so that nothing is launched twice.

use crate::{Program, intake, role_models};
use adapters::llm::ModelRef;
use bytes::Bytes;
use domain::{
    Collection, CollectionId, CollectionKind, InvestigationId, Scope, Timestamp,
    event::EventKind,
    investigation::{Investigation, Status},
    user::{Role, User},
};
use engine::{
    StoreError, StoreResult, accounts,
    evidence::sha256_hex,
    investigations::{self, InvestigationFilter, InvestigationRequest, ReadingProgress, StartError},
    library::{self, IngestReport},
};
use fetch::Input;
use futures::StreamExt;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use uuid::{Builder, Variant, Version};

const SAMPLE: &str = "varrow-lock";

/// Content of `sample.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Sample {
    pub title: String,
    pub question: String,
    /// File names in `recordings/`, in recording order.
    #[serde(default)]
    pub recordings: Vec<String>,
}

/// Error that prevents the sample from being investigated.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    #[error("the sample is missing from the configuration folder: put samples/{SAMPLE} back")]
    Missing,
    #[error("this person has investigated the sample today: try again tomorrow")]
    OncePerDay,
    #[error(transparent)]
    Start(#[from] StartError),
}

impl From<StoreError> for SampleError {
    fn from(error: StoreError) -> Self {
        Self::Start(error.into())
    }
}

/// Investigation of the sample.
struct SampleInvestigation {
    id: InvestigationId,
    question: String,
    /// Recording to replay; `None` uses the configured models.
    model: Option<String>,
}

impl SampleInvestigation {
    fn request<'a>(&'a self, owner: &'a User, collection: CollectionId) -> InvestigationRequest<'a> {
        let (id, model) = (Some(self.id), self.model.clone());
        InvestigationRequest { id, model, ..InvestigationRequest::new(owner, &self.question, collection) }
    }
}

/// Loads `sample.toml`.
pub fn load(program: &Program) -> Result<Sample, SampleError> {
    let text = program.files.get(&format!("samples/{SAMPLE}/sample.toml")).ok_or(SampleError::Missing)?;
    toml::from_str(text).map_err(|error| {
        tracing::error!(%error, "sample.toml unreadable");
        SampleError::Missing
    })
}

/// Stores the sample's documents and launches its first investigation, charged to `owner`; `next_investigation` launches the
/// others. If the sample exists already, its question is asked again: once per day (UTC), unless by an administrator.
pub async fn start(
    program: &Program,
    owner: &User,
    on_progress: impl FnMut(ReadingProgress<'_>),
) -> Result<(Investigation, IngestReport), SampleError> {
    let engine = &program.engine;
    let sample = load(program)?;
    let folder = format!("samples/{SAMPLE}/documents");
    let files: Vec<(String, Bytes)> = program
        .files
        .under(&folder)
        .map(|(path, text)| (path[folder.len() + 1..].to_owned(), Bytes::copy_from_slice(text.as_bytes())))
        .collect();
    if files.is_empty() {
        return Err(SampleError::Missing);
    }
    let system = accounts::system_user(engine).await?;
    let collection = accounts::own_collection(engine, &system, CollectionKind::Sample, &sample.title).await?;
    let any = InvestigationFilter { scope: Some(Scope::new(vec![collection.id])), limit: 1, ..InvestigationFilter::default() };
    let is_new = engine.investigations.list(&any).await?.is_empty();
    let first = sample_investigations(program, &sample, collection.id).into_iter().next().filter(|_| is_new);
    let first = match first {
        Some(first) => first,
        None => {
            let id = repeat_id(program, owner, collection.id).await?;
            SampleInvestigation { id, question: sample.question.clone(), model: None }
        }
    };
    let files = Some(intake::read_files(program, Input::InMemory(files)));
    let request = InvestigationRequest { files, ..first.request(owner, collection.id) };
    Ok(investigations::start(engine, request, on_progress).await?)
}

/// Returns the id of one more investigation of the sample: derived from person and day, unless by an administrator.
async fn repeat_id(program: &Program, owner: &User, collection: CollectionId) -> Result<InvestigationId, SampleError> {
    let engine = &program.engine;
    if owner.role == Role::Admin {
        return Ok(InvestigationId(engine.ids.next()));
    }
    let day = |moment: Timestamp| moment.to_datetime().date_naive();
    let today = day(engine.clock.now());
    let newest = InvestigationFilter { owner: Some(owner.id), limit: 1_000, ..InvestigationFilter::default() };
    let own = engine.investigations.list(&newest).await?;
    let is_of_today = |one: &Investigation| one.collection_id == collection && day(one.created_at) == today;
    if own.iter().any(is_of_today) {
        return Err(SampleError::OncePerDay);
    }
    Ok(sample_investigation_id(collection, &format!("{} {today}", owner.id)))
}

/// Returns the unfinished investigation of the sample, or launches the next one. `None` if the sample was never started or all
/// investigations have ended.
pub async fn next_investigation(program: &Program) -> Result<Option<Investigation>, SampleError> {
    let engine = &program.engine;
    let sample = load(program)?;
    let Some(collection) = collection(program, &sample).await? else { return Ok(None) };
    let mut started_by = None;
    for next in sample_investigations(program, &sample, collection.id) {
        match (engine.investigations.investigation(next.id).await?, started_by) {
            (Some(found), _) if found.progress.status.is_terminal() => started_by = Some(found.owner),
            (Some(found), _) => return Ok(Some(found)),
            // A sample from an earlier version has none of these ids, and stays as it is.
            (None, None) => return Ok(None),
            // All are charged to the person who launched the first.
            (None, Some(owner)) => {
                let Some(owner) = engine.accounts.user(owner).await? else { return Ok(None) };
                let request = next.request(&owner, collection.id);
                return Ok(Some(investigations::start(engine, request, |_| {}).await?.0));
            }
        }
    }
    Ok(None)
}

/// Runs the remaining investigations of a started sample, one after the other.
pub async fn resume(program: Program, stop: CancellationToken) {
    loop {
        let investigation = match next_investigation(&program).await {
            Ok(Some(investigation)) => investigation,
            Ok(None) => return,
            Err(error) => return tracing::warn!(%error, "sample not resumed"),
        };
        let ended = tokio::select! {
            ended = wait_for_end(&program, investigation.id) => ended,
            () = stop.cancelled() => false,
        };
        if !ended {
            return;
        }
    }
}

/// Removes every sample collection with everything derived from it, even during an investigation.
pub async fn remove(program: &Program, by: &User) -> StoreResult<()> {
    let engine = &program.engine;
    let collections = engine.accounts.collections().await?;
    let samples: Vec<Collection> = collections.into_iter().filter(|found| found.kind == CollectionKind::Sample).collect();
    for sample in samples {
        accounts::audit(engine, by.id.into(), "remove_collection", &sample.name).await?;
        library::remove_collection(engine, sample.id).await?;
    }
    Ok(())
}

async fn collection(program: &Program, sample: &Sample) -> StoreResult<Option<Collection>> {
    let collections = program.engine.accounts.collections().await?;
    Ok(collections.into_iter().find(|found| found.kind == CollectionKind::Sample && found.name == sample.title))
}

/// Lists the investigations of the sample in order, without unreadable recordings.
fn sample_investigations(program: &Program, sample: &Sample, collection: CollectionId) -> Vec<SampleInvestigation> {
    let recordings = sample.recordings.iter().filter_map(|name| {
        let recording = format!("{SAMPLE}/{name}");
        match role_models::load_recording(&program.files, &recording) {
            Ok(found) => Some(SampleInvestigation {
                id: sample_investigation_id(collection, name),
                question: found.question,
                model: Some(ModelRef::Replay { recording }.to_string()),
            }),
            Err(problem) => {
                tracing::error!(problem, "recording skipped");
                None
            }
        }
    });
    let own_question =
        SampleInvestigation { id: sample_investigation_id(collection, ""), question: sample.question.clone(), model: None };
    recordings.chain([own_question]).collect()
}

/// Derives the id of a sample investigation from its natural key. It sorts after that of the collection.
fn sample_investigation_id(collection: CollectionId, name: &str) -> InvestigationId {
    const TIME_BITS: u32 = 48;
    let digest = sha256_hex(format!("{collection} {name}").as_bytes());
    let drawn = u128::from_str_radix(&digest[..32], 16).unwrap_or_default();
    let time = (collection.0.as_u128() >> (u128::BITS - TIME_BITS)).wrapping_add(1);
    let bits = (time << (u128::BITS - TIME_BITS)) | (drawn >> TIME_BITS);
    let id = Builder::from_u128(bits).with_version(Version::SortRand).with_variant(Variant::RFC4122);
    InvestigationId(id.into_uuid())
}

/// Waits for the end of an investigation; returns false if it was removed.
async fn wait_for_end(program: &Program, id: InvestigationId) -> bool {
    let mut events = program.engine.events.follow(id, 0);
    while let Some(Ok(event)) = events.next().await {
        if let EventKind::StatusChanged { status, .. } = event.kind
            && Status::is_terminal(status)
        {
            return true;
        }
    }
    false
}
