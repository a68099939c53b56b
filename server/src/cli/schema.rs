//! `autosint schema`: generates the JSON schema of assessments from the types of `domain`.

use super::{Exit, Failure};
use clap::Args;
use domain::assessment::Assessment;
use schemars::generate::SchemaSettings;
use std::{fs, path::PathBuf};

#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// Output file
    #[arg(default_value = "config/schema/assessment.v1.json")]
    file: PathBuf,
}

pub(super) fn run(args: &SchemaArgs) -> Result<Exit, Failure> {
    let written = args.file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&args.file, schema()));
    written.map_err(|error| Failure::new(Exit::Io, format!("cannot write {}: {error}", args.file.display())))?;
    Ok(Exit::Done)
}

fn schema() -> String {
    // The schema of serialised values: every key is present, and numbers are numbers.
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<Assessment>();
    format!("{:#}\n", schema.as_value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_schema_is_that_of_the_types() {
        let shipped = include_str!("../../../config/schema/assessment.v1.json");
        assert!(shipped == schema(), "config/schema/assessment.v1.json is out of date: run `cargo run -p server -- schema`");
    }
}
