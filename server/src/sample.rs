//! The sample investigation, which the binary carries: invented documents in a collection of their own that everybody sees.

use crate::{
    Program,
    intake::{self, IntakeError, Question, Reading},
};
use bytes::Bytes;
use domain::{Collection, CollectionKind, Scope, investigation::Investigation, user::User};
use engine::{
    StoreResult, accounts,
    library::{self, IngestReport},
};
use fetch::Input;
use serde::Deserialize;

const FOLDER: &str = "samples/varrow-lock";

/// What `sample.toml` says of the sample.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Sample {
    pub title: String,
    pub question: String,
}

/// Why the sample cannot be investigated.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    #[error("the sample is missing from the configuration folder: put {FOLDER} back")]
    Missing,
    #[error(transparent)]
    Intake(#[from] IntakeError),
}

impl From<engine::StoreError> for SampleError {
    fn from(error: engine::StoreError) -> Self {
        Self::Intake(error.into())
    }
}

/// Title and question of the sample.
pub fn load(program: &Program) -> Result<Sample, SampleError> {
    let text = program.files.get(&format!("{FOLDER}/sample.toml")).ok_or(SampleError::Missing)?;
    toml::from_str(text).map_err(|error| {
        tracing::error!(%error, "sample.toml cannot be read");
        SampleError::Missing
    })
}

/// Stores the sample's documents and launches its question, as the user `system`.
pub async fn investigate(
    program: &Program,
    on_progress: impl FnMut(Reading<'_>),
) -> Result<(Investigation, IngestReport), SampleError> {
    let sample = load(program)?;
    let folder = format!("{FOLDER}/documents");
    let files: Vec<(String, Bytes)> = program
        .files
        .under(&folder)
        .map(|(path, text)| (path[folder.len() + 1..].to_owned(), Bytes::copy_from_slice(text.as_bytes())))
        .collect();
    if files.is_empty() {
        return Err(SampleError::Missing);
    }
    let owner = accounts::system_user(&program.engine).await?;
    let collection = accounts::own_collection(&program.engine, &owner, CollectionKind::Sample, &sample.title).await?;
    let question = Question {
        owner: &owner,
        text: &sample.question,
        collection: &collection,
        scope: Scope::default(),
        files: Some(Input::Uploads(files)),
        addresses: vec![],
        model: None,
    };
    Ok(intake::investigate(program, question, on_progress).await?)
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
