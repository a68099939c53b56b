//! `autosint investigate`: investigates one question and prints the assessment.

use super::{
    Exit, Failure, check_model, help, open_for_work,
    output::{to_json, write_result},
    progress::Progress,
    resume_condition::{self, ResumeCondition},
    shutdown::wait_for_stop_signal,
};
use crate::{
    Program, Runner,
    config::{LoadedConfig, Override},
    intake,
};
use adapters::llm::ModelRef;
use clap::{Args, ValueEnum};
use domain::{
    InvestigationId,
    event::EventKind,
    fetch::split_addresses,
    investigation::{Investigation, Reading, Status, Terms, WebAccess},
    user::User,
};
use engine::{
    StoreError, accounts,
    assessments::{StoredAssessment, markdown},
    evidence::sha256_hex,
    investigations::{self, InvestigationRequest, Reach, ReachRequest, StartError},
};
use fetch::Input;
use futures::StreamExt;
use std::{collections::BTreeSet, path::PathBuf};

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&[
    "investigate \"Who was behind the explosion at the Varrow Lock?\" --documents FOLDER --json > assessment.json",
    "investigate \"What did the inquiry find?\" --url https://example.org/report https://example.org/reply",
    "investigate \"Will the strike end by May?\" --provider ollama:qwen3:8b",
]))]
pub(super) struct InvestigateArgs {
    /// Question, e.g. "Who was behind the explosion at the Varrow Lock?"
    #[arg(value_name = "QUESTION", allow_hyphen_values = true)]
    question: Option<String>,
    /// Folders, files and archives to read. The question reads them, pages of --url and what its agents find on the web; without
    /// either option, all documents of this data directory that --owner sees, or else those that all users see
    #[arg(long, value_name = "PATH", num_args = 1..)]
    documents: Vec<PathBuf>,
    /// Web pages to read, as addresses; they limit the question as --documents does
    #[arg(long = "url", value_name = "ADDRESS", num_args = 1..)]
    urls: Vec<String>,
    /// Keep the agents off the web; without it, they stay off when private files of --owner are in scope. =no: let them use it
    #[arg(long, value_name = "yes|no", num_args = 0..=1, require_equals = true, default_missing_value = "yes")]
    stay_off_web: Option<YesNo>,
    /// Owner of documents and investigation, visible to nobody else in the browser; without it, visible to all users
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Model of this question for every role, also after a restart: extractive, or PROVIDER:MODEL such as ollama:qwen3:8b
    #[arg(long, value_name = "P")]
    provider: Option<ModelRef>,
    /// Print the assessment as JSON (autosint.assessment.v1)
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the assessment as Markdown (the default)
    #[arg(long)]
    markdown: bool,
    /// Number of work orders processed at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    workers: Option<u32>,
}

/// Value of `--stay-off-web`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum YesNo {
    Yes,
    No,
}

impl YesNo {
    const fn web_access(self) -> WebAccess {
        match self {
            Self::Yes => WebAccess::Off,
            Self::No => WebAccess::On,
        }
    }
}

impl InvestigateArgs {
    /// Returns the question: as given, or taken from the end of `--url` or `--documents`, which accept several values.
    fn take_question(&mut self) -> Result<String, Failure> {
        let has_words = |text: &str| text.trim().contains(char::is_whitespace);
        if let Some(question) = self.question.take() {
            return Ok(question);
        }
        if let Some(question) = self.urls.pop_if(|last| has_words(last)) {
            return Ok(question);
        }
        let is_question = |last: &mut PathBuf| !last.exists() && has_words(&last.to_string_lossy());
        match self.documents.pop_if(is_question) {
            Some(question) => Ok(question.to_string_lossy().into_owned()),
            None => Err(Failure::new(
                Exit::Usage,
                "no question: put it first, like autosint investigate \"Who owns the mill?\" --url https://example.org/report",
            )),
        }
    }

    pub(super) fn overrides(&self) -> Vec<Override> {
        self.workers.map(|count| ("engine.workers", count.into())).into_iter().collect()
    }
}

pub(super) async fn run(loaded: LoadedConfig, mut args: InvestigateArgs) -> Result<Exit, Failure> {
    let question = args.take_question()?;
    check_model(&loaded.config, args.provider.as_ref())?;
    let program = open_for_work(loaded).await?;
    let progress = Progress::new();
    let started = tokio::select! {
        started = start(&program, &question, &args, &progress) => started?,
        () = wait_for_stop_signal() => return Err(Failure::new(Exit::Interrupted, "interrupted before the investigation started")),
    };
    let followed = follow(&program, &started, progress, wait_for_stop_signal()).await;
    let (ended, exit) = followed.map_err(|failure| resume_condition::with_resume_hint(failure, started.id))?;
    let text = if args.json { to_json(&ended.assessment)? } else { markdown(&ended.assessment, &[]) };
    write_result(text.as_bytes())?;
    Ok(exit)
}

async fn start(
    program: &Program,
    question: &str,
    args: &InvestigateArgs,
    progress: &Progress,
) -> Result<Investigation, Failure> {
    let engine = &program.engine;
    let owner = match &args.owner {
        Some(name) => person(program, name).await?,
        None => accounts::system_user(engine).await?,
    };
    let id = InvestigationId(engine.ids.next());
    let reading = if args.documents.is_empty() && args.urls.is_empty() { Reading::Library } else { Reading::Added };
    let addresses = split_addresses(&args.urls.join(" "));
    let shared_name = collection_name(&args.documents, &addresses);
    let shared_name = shared_name.as_deref();
    let wanted = ReachRequest { id, owner: &owner, question, reading, chosen: &[], follows: None, shared_name };
    let Reach { collection, scope, new } = investigations::reach(engine, wanted).await?;
    let files = (!args.documents.is_empty()).then(|| Input::Paths(args.documents.clone()));
    let request = InvestigationRequest {
        id: Some(id),
        new_collection: new,
        scope,
        files: files.map(|files| intake::read_files(program, files)),
        addresses,
        web: args.stay_off_web.map(YesNo::web_access),
        model: args.provider.as_ref().map(ToString::to_string),
        terms: Terms { reading, ..Terms::default() },
        ..InvestigationRequest::new(&owner, question, collection)
    };
    let started = investigations::start(engine, request, |reading| progress.reading(reading)).await;
    let (investigation, report) = started.map_err(|error| start_error(error, args))?;
    if !args.documents.is_empty() || !args.urls.is_empty() {
        progress.files(&report);
    }
    Ok(investigation)
}

/// Characters of a path or an address in the name of a collection.
const NAME_CHARS: usize = 60;
/// Hexadecimal digits of the hash beside them, which keep folders of one name apart.
const HASH_DIGITS: usize = 16;

/// Returns the name of the collection that all questions with these documents and pages share; none without any. It has no path of this
/// machine, since others may see it.
fn collection_name(documents: &[PathBuf], addresses: &[String]) -> Option<String> {
    let paths = documents.iter().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone()));
    let paths: BTreeSet<PathBuf> = paths.collect();
    let addresses: BTreeSet<&str> = addresses.iter().map(String::as_str).collect();
    let file_name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let first = paths.first().map(file_name).or_else(|| addresses.first().map(|address| (*address).to_owned()))?;
    let first: String = first.chars().take(NAME_CHARS).collect();
    let paths = paths.iter().map(|path| path.as_os_str().as_encoded_bytes());
    let added: Vec<&[u8]> = paths.chain([&b""[..]]).chain(addresses.iter().map(|address| address.as_bytes())).collect();
    let hash = sha256_hex(&added.join(&0_u8));
    Some(format!("{first} ({})", &hash[..HASH_DIGITS]))
}

async fn person(program: &Program, name: &str) -> Result<User, Failure> {
    let found = program.engine.accounts.user_by_name(name).await?;
    found.map(|(user, _)| user).ok_or_else(|| {
        Failure::new(
            Exit::Usage,
            format!("user '{name}' not found: see `autosint user list`, or add one with `autosint user add`"),
        )
    })
}

/// Runs or follows the investigation until it ends or `stop` resolves, then loads the result. Never dropped midway, so that
/// started work is settled either way.
pub(super) async fn follow(
    program: &Program,
    investigation: &Investigation,
    mut progress: Progress,
    stop: impl Future<Output = ()>,
) -> Result<(StoredAssessment, Exit), Failure> {
    let runner = Runner::start(program, program.config.engine.workers.max(1)).await?;
    if !runner.works_here() {
        progress.line("another autosint process works on this data directory, with its own configuration; following it");
    }
    let watched = tokio::select! {
        watched = watch(program, investigation.id, &mut progress) => watched,
        () = program.engine.disk_is_full() => Err(StoreError::Full.into()),
        () = stop => Err(Failure::new(Exit::Interrupted, "interrupted")),
    };
    runner.stop().await;
    program.drain().await;
    progress.finish();
    let status = watched?;
    let stored = program.engine.assessments.of_investigation(&investigation.scope, investigation.id).await?;
    match (status, stored) {
        (Status::Completed, Some(stored)) => Ok((stored, Exit::Done)),
        (_, Some(stored)) => Ok((stored, Exit::Partial)),
        (_, None) => Err(Failure::new(Exit::Partial, "the investigation ended without an assessment: see the lines above")),
    }
}

async fn watch(program: &Program, id: InvestigationId, progress: &mut Progress) -> Result<Status, Failure> {
    let mut events = program.engine.events.follow(id, 0);
    let mut status = Status::Pending;
    while let Some(event) = events.next().await {
        let event = event?;
        progress.event(&event);
        let suspended = match event.kind {
            EventKind::StatusChanged { status: now, .. } => {
                status = now;
                (now == Status::Suspended).then_some(id)
            }
            EventKind::PartChanged { investigation_id, status: Status::Suspended, .. } => Some(investigation_id),
            _ => None,
        };
        if let Some(resume_condition) = suspended {
            let condition = ResumeCondition::load(program, resume_condition).await?;
            if let Some(line) = condition.status_line(program.engine.clock.now()) {
                progress.line(&line);
            }
            condition.fail_if_person_needed()?;
        }
    }
    Ok(status)
}

/// Explains that nothing was readable, with the given names and the supported file types.
fn start_error(error: StartError, args: &InvestigateArgs) -> Failure {
    let paths = args.documents.iter().map(|path| path.display().to_string());
    let names: Vec<_> = paths.chain(args.urls.iter().cloned()).collect();
    let files = match &error {
        StartError::NothingToRead(_, files) => files.as_slice(),
        // Such as an empty folder.
        StartError::NothingInScope if !names.is_empty() => &[],
        _ => return error.into(),
    };
    let mut message = match &names[..] {
        [] => "nothing to read: add documents with --documents PATH, or pages with --url ADDRESS".to_owned(),
        names => {
            let kinds = (!args.documents.is_empty()).then(|| format!("; readable types: {}", fetch::READABLE_KINDS));
            format!("no readable document in {}{}", names.join(", "), kinds.unwrap_or_default())
        }
    };
    for file in files {
        message.push_str(&format!("\n  {}: {}", file.path, file.reason));
    }
    Failure::new(Exit::NoDocuments, message)
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Store(error) => error.into(),
            error @ (StartError::NothingToRead(..) | StartError::NothingInScope) => Self::new(Exit::NoDocuments, error),
            error => Self::new(Exit::Usage, error),
        }
    }
}
