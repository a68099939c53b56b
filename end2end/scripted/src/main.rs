//! `scripted-model`: the server on its own, for end-to-end tests and for trying things out.

use anyhow::Context;
use clap::Parser;
use scripted::{Options, Plan, Server, Then, Transcript};
use serde::de::DeserializeOwned;
use std::{fs, path::PathBuf};

/// A model server for tests, on 127.0.0.1
#[derive(Debug, Parser)]
#[command(name = "scripted-model")]
struct Args {
    /// 0: one that is free
    #[arg(long, default_value_t = 8088)]
    port: u16,
    /// JSON file with replies; without one, the built-in provider answers
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// Answer with the least that is asked for, at once; for measuring what everything else costs
    #[arg(long, conflicts_with = "transcript")]
    brief: bool,
    /// JSON file with what goes wrong
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// What it says that its models can read
    #[arg(long, default_value_t = 200_000)]
    context_tokens: u32,
    /// Take requests without a key
    #[arg(long)]
    no_key: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let options = Options {
        port: args.port,
        plan: read::<Plan>(args.plan)?,
        transcript: match args.brief {
            true => Transcript { then: Then::Brief, ..Transcript::default() },
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
