//! `autosint export bundle`, `export stix`, `export signing-key` and `autosint verify`.

use crate::{
    file, graph_view,
    report::{ExportError, ExportedReport, load},
    signing::SigningKey,
    stix,
    verify::{Verified, verify},
};
use clap::{ArgMatches, Args, FromArgMatches};
use domain::{AssessmentId, ObjectId, user::User};
use engine::accounts::{self, Actor};
use feature::{Command, CommandError, OfflineCommand, Web};
use serde_json::Value;
use std::{fs, path::PathBuf};

pub const BUNDLE: Command = Command {
    name: "bundle",
    about: "An assessment with its quotations in context, signed, as one HTML file",
    examples: &["export bundle ID > report.html", "export bundle ID --person ada > report.html"],
    arguments: ReportArgs::augment_args,
    run: |web, matches| {
        Box::pin(async move {
            let ReportArgs { id, person } = ReportArgs::from_arg_matches(&matches)?;
            let report = exported(&web, id, person, "export_bundle").await?;
            let key = SigningKey::load(&web).await?;
            Ok(file::write(&report, &key, web.engine.clock.now()))
        })
    },
};

pub const STIX: Command = Command {
    name: "stix",
    about: "An assessment or a saved graph view as STIX 2.1",
    examples: &["export stix ID > report.stix.json", "export stix ID --person ada > view.stix.json"],
    arguments: StixArgs::augment_args,
    run: |web, matches| {
        Box::pin(async move {
            let StixArgs { id, person } = StixArgs::from_arg_matches(&matches)?;
            let bundle = match exported_view(&web, id, person.as_deref()).await? {
                Some(bundle) => bundle,
                None => stix::bundle(&exported(&web, AssessmentId(id.0), person, "export_stix").await?),
            };
            Ok(format!("{bundle:#}\n"))
        })
    },
};

pub const SIGNING_KEY: Command = Command {
    name: "signing-key",
    about: "The public key with which this installation signs bundles",
    examples: &["export signing-key", "export signing-key --new"],
    arguments: KeyArgs::augment_args,
    run: |web, matches| {
        Box::pin(async move {
            let key = match KeyArgs::from_arg_matches(&matches)?.new {
                true => SigningKey::replace(&web).await?,
                false => SigningKey::load(&web).await?,
            };
            Ok(format!("{}\n", key.public_key()))
        })
    },
};

pub const VERIFY: OfflineCommand = OfflineCommand {
    name: "verify",
    about: "Check the parts, quotes and signature of a bundle",
    examples: &["verify report.html", "verify report.html --key KEY --text source.txt"],
    arguments: VerifyArgs::augment_args,
    run: check,
};

#[derive(Debug, Args)]
struct ReportArgs {
    /// The assessment, or its investigation; page addresses contain both ids
    #[arg(value_name = "ID")]
    id: AssessmentId,
    /// The person who exports; nothing that they may not open is exported [default: the person who asked]
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
}

#[derive(Debug, Args)]
struct StixArgs {
    /// The assessment, its investigation, or a saved graph view; page addresses and the button "STIX" contain these ids
    #[arg(value_name = "ID")]
    id: ObjectId,
    /// The person who exports; nothing that they may not open is exported [default: the person who asked, or who saved the view]
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
}

#[derive(Debug, Args)]
struct KeyArgs {
    /// Make a new key; earlier bundles stay valid under the old public key, and recipients need the new one
    #[arg(long)]
    new: bool,
}

#[derive(Debug, Args)]
struct VerifyArgs {
    /// The bundle
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Public key that must have signed it, as `export signing-key` prints it
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Whole texts of its sources, as `export document` prints them, in which quotes and passages must stand
    #[arg(long, value_name = "TEXT", num_args = 1..)]
    text: Vec<PathBuf>,
}

fn no_person() -> CommandError {
    CommandError::Usage("person not found: check --person".to_owned())
}

/// Writes the saved graph view of an export, and records it in the audit log; none where the id is that of another object.
async fn exported_view(web: &Web, id: ObjectId, person: Option<&str>) -> Result<Option<Value>, CommandError> {
    let Some(port) = web.graph_views else { return Ok(None) };
    let Some(owner) = (port.owner)(web.clone(), id).await? else { return Ok(None) };
    let accounts = &web.engine.accounts;
    let person = match person {
        Some(name) => accounts.user_by_name(name).await?.map(|(user, _)| user),
        None => accounts.user(owner).await?,
    };
    let bundle = graph_view::export(web, &person.ok_or_else(no_person)?, id, Actor::default()).await?;
    bundle.map(Some).ok_or_else(|| CommandError::Usage("graph view not found: check the id and --person".to_owned()))
}

/// Loads the report of an export, and records it in the audit log.
async fn exported(web: &Web, id: AssessmentId, person: Option<String>, act: &str) -> Result<ExportedReport, CommandError> {
    let (engine, scope) = (&web.engine, accounts::every_collection(&web.engine).await?);
    let found = match engine.assessments.assessment(&scope, id).await? {
        Some(found) => Some(found),
        None => engine.assessments.of_investigation(&scope, id.0.into()).await?,
    };
    let assessment = found.ok_or(ExportError::NotFound)?.assessment;
    let person = match person {
        Some(name) => engine.accounts.user_by_name(&name).await?.map(|(user, _)| user),
        None => match engine.investigations.investigation(assessment.investigation_id).await? {
            Some(investigation) => engine.accounts.user(investigation.owner).await?,
            None => None,
        },
    };
    let person: User = person.ok_or_else(no_person)?;
    let report = load(web, &person, assessment.id).await?;
    accounts::audit(engine, Actor::default(), act, &assessment.id.to_string()).await?;
    Ok(report)
}

/// Code of `verify`.
fn check(matches: &ArgMatches) -> Result<String, CommandError> {
    let VerifyArgs { file, key, text } = VerifyArgs::from_arg_matches(matches)?;
    let read = |path: &PathBuf| {
        fs::read(path).map_err(|error| CommandError::Usage(format!("cannot read {}: {error}", path.display())))
    };
    let texts = text.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let verified = verify(&read(&file)?, key.as_deref(), &texts);
    let verified = verified.map_err(|damage| CommandError::Different(damage.to_string()))?;
    Ok(summary(&verified, key.is_some()))
}

/// Writes the result for people; `is_expected` says that the key was named.
fn summary(verified: &Verified, is_expected: bool) -> String {
    let Verified { assessment_id, public_key, quotations, without_passage, in_texts } = verified;
    let whose = if is_expected { "the key that you named" } else { "compare it with the sender’s, or name it with --key" };
    format!(
        "assessment: {assessment_id}\nparts: unchanged\nquotations: {quotations}, each in its passage ({without_passage} without one)\n\
         in whole texts: {in_texts}\nsigned with: {public_key} ({whose})\n"
    )
}
