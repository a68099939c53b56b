//! The sample, which the binary carries: invented documents in a collection of their own that everybody sees, and what is investigated
//! in them: recorded investigations first, then its question as anybody would ask it.
//!
//! Invariant: one after the other. A document is extracted once, so a recording finds the claims that it rests on only where its own
//! replies made them. Each has an id made of collection and name, so that none is launched twice.

use crate::{
    Program, cast,
    intake::{self, IntakeError, Reading},
};
use adapters::llm::ModelRef;
use bytes::Bytes;
use domain::{
    Collection, CollectionId, CollectionKind, InvestigationId, Scope,
    event::EventKind,
    investigation::{Investigation, InvestigationKind, Status, Trigger},
    user::User,
};
use engine::{
    StoreError, StoreResult, accounts,
    evidence::sha256_hex,
    investigations::InvestigationFilter,
    launch::{self, LaunchError, NewInvestigation},
    library::{self, IngestReport},
};
use fetch::Input;
use futures::StreamExt;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use uuid::{Builder, Variant, Version};

const SAMPLE: &str = "varrow-lock";

/// What `sample.toml` says of the sample.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Sample {
    pub title: String,
    pub question: String,
    /// Names of files of `recordings/`, in the order in which they were made.
    #[serde(default)]
    pub recordings: Vec<String>,
}

/// Why the sample cannot be investigated.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    #[error("the sample is missing from the configuration folder: put samples/{SAMPLE} back")]
    Missing,
    #[error(transparent)]
    Intake(#[from] IntakeError),
}

impl From<StoreError> for SampleError {
    fn from(error: StoreError) -> Self {
        Self::Intake(error.into())
    }
}

impl From<LaunchError> for SampleError {
    fn from(error: LaunchError) -> Self {
        Self::Intake(error.into())
    }
}

/// One investigation of the sample.
struct Planned {
    id: InvestigationId,
    question: String,
    /// A recording; none: whoever plays the roles.
    model: Option<String>,
}

/// What `sample.toml` says.
pub fn load(program: &Program) -> Result<Sample, SampleError> {
    let text = program.files.get(&format!("samples/{SAMPLE}/sample.toml")).ok_or(SampleError::Missing)?;
    toml::from_str(text).map_err(|error| {
        tracing::error!(%error, "sample.toml cannot be read");
        SampleError::Missing
    })
}

/// Stores the sample's documents and launches the first of its investigations, as the user `system`; `next` launches the others. A
/// sample that is there already is asked its question once more.
pub async fn begin(
    program: &Program,
    mut on_progress: impl FnMut(Reading<'_>),
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
    let owner = accounts::system_user(engine).await?;
    let collection = accounts::own_collection(engine, &owner, CollectionKind::Sample, &sample.title).await?;
    let scope = Scope::new(vec![collection.id]);
    let any = InvestigationFilter { scope: Some(scope.clone()), limit: 1, ..InvestigationFilter::default() };
    let is_new = engine.investigations.list(&any).await?.is_empty();
    let again = Planned { id: InvestigationId(engine.ids.next()), question: sample.question.clone(), model: None };
    let first = planned(program, &sample, collection.id).into_iter().next();
    let first = first.filter(|_| is_new).unwrap_or(again);
    let read = program.documents.read(Input::Uploads(files)).map(intake::read_file);
    let report = library::ingest(engine, collection.id, &scope, Some(first.id), read, |report| {
        on_progress(Reading::Files(report));
    })
    .await?;
    let investigation = launch(program, &owner, collection.id, first).await?;
    library::announce(engine, investigation.id, &report).await?;
    Ok((investigation, report))
}

/// The investigation of the sample that is to be waited for: one that is not over, else the next one, which this launches. None: the
/// sample was not begun, or all are over.
pub async fn next(program: &Program) -> Result<Option<Investigation>, SampleError> {
    let engine = &program.engine;
    let sample = load(program)?;
    let Some(collection) = collection(program, &sample).await? else { return Ok(None) };
    let mut is_begun = false;
    for planned in planned(program, &sample, collection.id) {
        match engine.investigations.investigation(planned.id).await? {
            Some(found) if found.progress.status.is_terminal() => is_begun = true,
            Some(found) => return Ok(Some(found)),
            // A sample of an earlier program has none of them, and is left as it is.
            None if !is_begun => return Ok(None),
            None => {
                let owner = accounts::system_user(engine).await?;
                return launch(program, &owner, collection.id, planned).await.map(Some);
            }
        }
    }
    Ok(None)
}

/// Launches what is left of a sample that was begun, one after the other.
pub async fn go_on(program: Program, stop: CancellationToken) {
    loop {
        let investigation = match next(&program).await {
            Ok(Some(investigation)) => investigation,
            Ok(None) => return,
            Err(error) => return tracing::warn!(%error, "the sample was not gone on with"),
        };
        let ended = tokio::select! {
            ended = has_ended(&program, investigation.id) => ended,
            () = stop.cancelled() => false,
        };
        if !ended {
            return;
        }
    }
}

/// Removes every sample collection with all that was drawn from it, also while it is investigated.
pub async fn remove(program: &Program, by: &User) -> StoreResult<()> {
    let engine = &program.engine;
    let collections = engine.accounts.collections().await?;
    let samples: Vec<Collection> = collections.into_iter().filter(|found| found.kind == CollectionKind::Sample).collect();
    for sample in samples {
        intake::audit(program, by, "remove_collection", &sample.name).await?;
        library::remove_collection(engine, sample.id).await?;
    }
    Ok(())
}

async fn collection(program: &Program, sample: &Sample) -> StoreResult<Option<Collection>> {
    let collections = program.engine.accounts.collections().await?;
    Ok(collections.into_iter().find(|found| found.kind == CollectionKind::Sample && found.name == sample.title))
}

/// What is investigated in the sample, in order. A recording that cannot be read is left out.
fn planned(program: &Program, sample: &Sample, collection: CollectionId) -> Vec<Planned> {
    let recorded = sample.recordings.iter().filter_map(|name| {
        let recording = format!("{SAMPLE}/{name}");
        match cast::recording_of(&program.files, &recording) {
            Ok(found) => Some(Planned {
                id: id_of(collection, name),
                question: found.question,
                model: Some(ModelRef::Replay { recording }.to_string()),
            }),
            Err(problem) => {
                tracing::error!(problem, "a recording is left out");
                None
            }
        }
    });
    let asked = Planned { id: id_of(collection, ""), question: sample.question.clone(), model: None };
    recorded.chain([asked]).collect()
}

/// The id of an investigation of the sample, made of its natural key. It sorts after that of the collection.
fn id_of(collection: CollectionId, name: &str) -> InvestigationId {
    const TIME_BITS: u32 = 48;
    let digest = sha256_hex(format!("{collection} {name}").as_bytes());
    let drawn = u128::from_str_radix(&digest[..32], 16).unwrap_or_default();
    let time = (collection.0.as_u128() >> (u128::BITS - TIME_BITS)).wrapping_add(1);
    let bits = (time << (u128::BITS - TIME_BITS)) | (drawn >> TIME_BITS);
    let id = Builder::from_u128(bits).with_version(Version::SortRand).with_variant(Variant::RFC4122);
    InvestigationId(id.into_uuid())
}

async fn launch(
    program: &Program,
    owner: &User,
    collection: CollectionId,
    planned: Planned,
) -> Result<Investigation, SampleError> {
    let Planned { id, question, model } = planned;
    let new = NewInvestigation {
        id,
        owner,
        question,
        kind: InvestigationKind::Intelligence,
        trigger: Trigger::Prompt,
        model,
        scope: Scope::new(vec![collection]),
        collection_id: collection,
    };
    let investigation = launch::launch(&program.engine, new).await?;
    metrics::counter!("autosint_investigations_launched_total").increment(1);
    intake::audit(program, owner, "launch_investigation", &id.to_string()).await?;
    Ok(investigation)
}

/// Waits until it is over; false where it was removed meanwhile.
async fn has_ended(program: &Program, id: InvestigationId) -> bool {
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
