//! `scripted-model`: the model server as a program, for end-to-end tests and experiments.

use anyhow::Context;
use clap::Parser;
use scripted::{Fallback, FaultPlan, Options, Server, Transcript};
use serde::de::DeserializeOwned;
use std::{fs, path::PathBuf};

/// Model server for tests, on 127.0.0.1
#[derive(Debug, Parser)]
#[command(name = "scripted-model")]
struct Args {
    /// Port; 0 chooses a free one
    #[arg(long, default_value_t = 8088)]
    port: u16,
    /// JSON file with replies; without it, the built-in provider answers
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// Answer minimally and instantly, to measure the cost of everything else
    #[arg(long, conflicts_with = "transcript")]
    brief: bool,
    /// JSON file with faults and quirks
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Context length of the models in tokens
    #[arg(long, default_value_t = 200_000)]
    context_tokens: u32,
    /// Accept requests without a key
    #[arg(long)]
    no_key: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let options = Options {
        port: args.port,
        plan: read::<FaultPlan>(args.plan)?,
        transcript: match args.brief {
            true => Transcript { then: Fallback::Brief, ..Transcript::default() },
            false => read::<Transcript>(args.transcript)?,
        },
        context_tokens: args.context_tokens,
        wants_key: !args.no_key,
    };
    let mut server = Server::start(options).await?;
    println!("{}", server.url());
    tokio::select! {
        () = server.wait() => {}
        stopped = tokio::signal::ctrl_c() => stopped?,
    }
    Ok(())
}

fn read<T: DeserializeOwned + Default>(file: Option<PathBuf>) -> anyhow::Result<T> {
    let Some(file) = file else { return Ok(T::default()) };
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} cannot be used", file.display()))
}
