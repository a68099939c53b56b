//! `autosint export`: prints an assessment, a recording or a document, with the operator's access to all data, or an export of a feature.

use super::{
    Exit, Failure,
    added::{self, AddedCommand, Exports},
    audit::record,
    help, open_existing,
    output::{to_json, write_result},
};
use crate::{Program, config::LoadedConfig, role_models::load_recording};
use adapters::{llm::ModelRef, replay::Recording};
use clap::{Args, Subcommand, ValueEnum};
use domain::{AssessmentId, DocumentId, InvestigationId, Scope, agent::AgentRole};
use engine::{accounts, assessments::markdown, replay};

#[derive(Debug, Args)]
#[command(after_help = help::with_examples(&["export assessment ID --format markdown", "export document ID --format text"]))]
pub(super) struct ExportArgs {
    #[command(subcommand)]
    what: ExportTarget,
}

#[derive(Debug, Subcommand)]
enum ExportTarget {
    #[command(flatten)]
    Own(OwnExport),
    #[command(flatten)]
    Added(AddedCommand<Exports>),
}

#[derive(Debug, Subcommand)]
enum OwnExport {
    /// An assessment, by its id or that of its investigation
    #[command(after_help = help::with_examples(&["export assessment ID --format markdown > assessment.md"]))]
    Assessment {
        /// The assessment, or its investigation; page addresses contain both ids
        #[arg(value_name = "ID")]
        id: String,
        /// As JSON (autosint.assessment.v1), or as Markdown to be read
        #[arg(long, value_enum, default_value_t = AssessmentFormat::Json)]
        format: AssessmentFormat,
    },
    /// The model calls of an investigation as a recording, which the provider `replay` plays back
    #[command(after_help = help::with_examples(&["export recording ID --model \"Claude, replies given by hand\" > who.json"]))]
    Recording {
        /// The investigation; its page address contains the id
        #[arg(value_name = "ID")]
        id: InvestigationId,
        /// Displayed author of the replies; default PROVIDER:MODEL
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
    },
    /// A document: its record as JSON, the stored text, or the bytes as they were read
    #[command(after_help = help::with_examples(&["export document ID --format bytes > report.pdf"]))]
    Document {
        /// The document; citations and its page address contain the id
        #[arg(value_name = "ID")]
        id: String,
        /// The record as JSON, the stored text that citations point into, or the bytes as they were read
        #[arg(long, value_enum, default_value_t = DocumentFormat::Text)]
        format: DocumentFormat,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AssessmentFormat {
    Json,
    Markdown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DocumentFormat {
    Json,
    Text,
    Bytes,
}

pub(super) async fn run(loaded: LoadedConfig, args: ExportArgs) -> Result<Exit, Failure> {
    let own = match args.what {
        ExportTarget::Own(own) => own,
        ExportTarget::Added(command) => return added::run(loaded, command).await,
    };
    let program = open_existing(loaded).await?;
    // The operator can read the data directory anyway.
    let scope = accounts::every_collection(&program.engine).await?;
    let (act, object) = match own {
        OwnExport::Assessment { id, format } => {
            assessment(&program, &scope, &id, format).await?;
            ("export_assessment", id)
        }
        OwnExport::Recording { id, model } => {
            recording(&program, id, model).await?;
            ("export_recording", id.to_string())
        }
        OwnExport::Document { id, format } => {
            document(&program, &scope, &id, format).await?;
            ("export_document", id)
        }
    };
    record(&*program.engine.accounts, program.engine.clock.now(), act, &object).await;
    Ok(Exit::Done)
}

async fn assessment(program: &Program, scope: &Scope, id: &str, format: AssessmentFormat) -> Result<(), Failure> {
    let assessments = &program.engine.assessments;
    let requested: AssessmentId = id.parse().map_err(|error| Failure::new(Exit::Usage, error))?;
    let found = match assessments.assessment(scope, requested).await? {
        Some(found) => Some(found),
        None => assessments.of_investigation(scope, requested.0.into()).await?,
    };
    let stored = found.ok_or_else(|| missing("assessment", id))?;
    let text = match format {
        AssessmentFormat::Json => to_json(&stored.assessment)?,
        AssessmentFormat::Markdown => {
            let findings = program.engine.found_later(scope, &stored.assessment).await?;
            markdown(&stored.assessment, &findings)
        }
    };
    write_result(text.as_bytes())
}

async fn document(program: &Program, scope: &Scope, id: &str, format: DocumentFormat) -> Result<(), Failure> {
    let documents = &program.engine.documents;
    let requested: DocumentId = id.parse().map_err(|error| Failure::new(Exit::Usage, error))?;
    match format {
        DocumentFormat::Json => {
            let found = documents.document(scope, requested).await?.ok_or_else(|| missing("document", id))?;
            write_result(to_json(&found)?.as_bytes())
        }
        DocumentFormat::Text => {
            let found = documents.texts(scope, &[requested]).await?.pop().ok_or_else(|| missing("document", id))?;
            write_result(found.text.as_bytes())
        }
        DocumentFormat::Bytes => {
            let found = documents.bytes(scope, requested).await?.ok_or_else(|| missing("document", id))?;
            write_result(&found)
        }
    }
}

async fn recording(program: &Program, id: InvestigationId, model: Option<String>) -> Result<(), Failure> {
    let engine = &program.engine;
    let found = engine.investigations.investigation(id).await?;
    let investigation = found.ok_or_else(|| missing("investigation", &id.to_string()))?;
    let calls = replay::model_calls(engine, &program.agents, &investigation).await?.map_err(|difference| {
        let what = difference.what;
        Failure::new(
            Exit::Different,
            format!("the program has changed since the recording: {what}; see `autosint replay {id}`"),
        )
    })?;
    let played_by = engine.models_for(&investigation).model(AgentRole::Analyst).clone();
    let is_given_anew = model.is_some();
    let model = model.unwrap_or_else(|| format!("{}:{}", played_by.provider(), played_by.model()));
    let calls = calls.iter().map(|(request, reply)| (request, reply));
    let recording = Recording::new(&investigation.question, &model, calls);
    let text = match investigation.model.as_deref().map(str::parse) {
        // What a replayed run has asked is not what the model was given, unless its replies are given anew.
        Some(Ok(ModelRef::Replay { recording: name })) if !is_given_anew => {
            let origin = load_recording(&program.files, &name).map_err(|problem| Failure::new(Exit::Usage, problem))?;
            recording.with_prompts_of(&origin).write()
        }
        _ => recording.write(),
    };
    write_result(text.map_err(|error| Failure::new(Exit::Defect, error))?.as_bytes())
}

fn missing(what: &str, id: &str) -> Failure {
    Failure::new(Exit::Usage, format!("{what} {id} not found: check the id and --data-dir"))
}
