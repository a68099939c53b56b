//! `autosint migrate`: an embedded folder in PostgreSQL and Neo4j, whatever happens on the way.

use super::{Ended, autosint, run};
use engine::embeddings::{Embedder, backfill_once};
use fetch::ParserCommand;
use serde_json::Value;
use server::{Config, Program};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::{
    fmt::Write as _,
    fs::{self, File},
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const QUESTION: &str = "Which barges passed the locks?";
/// Claims of one document.
const CLAIMS: usize = 40;
/// How often it is killed.
const DEATHS: u64 = 5;

/// The databases under a test: one of PostgreSQL that is its own, and the graph, which is emptied.
struct Databases {
    postgres: String,
    neo4j: String,
}

impl Databases {
    /// None: one of them is not there, and nothing requires it.
    async fn empty() -> Option<Self> {
        let (postgres, neo4j) = (backend("AUTOSINT_TEST_POSTGRES")?, backend("AUTOSINT_TEST_NEO4J")?);
        let name = format!("moved_{}", std::process::id());
        let mut admin = PgConnection::connect(&format!("{postgres}/postgres")).await.unwrap();
        for statement in [format!("drop database if exists {name}"), format!("create database {name}")] {
            sqlx::query(AssertSqlSafe(statement)).execute(&mut admin).await.unwrap();
        }
        let graph = neo4rs::Graph::new(&neo4j, "neo4j", "").unwrap();
        let empty =
            "MATCH (n) WHERE NOT n:Graph AND NOT n:VectorModel CALL { WITH n DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS";
        graph.run(neo4rs::query(empty)).await.unwrap();
        Some(Self { postgres: format!("{postgres}/{name}"), neo4j })
    }

    /// A command that works on these, its machine's folder apart.
    fn autosint(&self, folder: &Path) -> Command {
        let mut command = autosint(folder);
        command.env("AUTOSINT__SQL__URL", &self.postgres).env("AUTOSINT__GRAPH__NEO4J__URL", &self.neo4j);
        command
    }

    fn migrate(&self, folder: &Path) -> Command {
        let mut command = self.autosint(folder);
        // Many batches, so that there are many moments between two.
        command.args(["migrate", "--to", "scaled"]).env("AUTOSINT__MOVING__BATCH_RECORDS", "200");
        command
    }
}

/// The address that the environment gives; none: the test is skipped, unless backends are required.
#[expect(clippy::disallowed_methods, reason = "which backends there are is told to the tests by the environment")]
fn backend(variable: &str) -> Option<String> {
    let address = std::env::var(variable).ok();
    if address.is_none() {
        assert!(std::env::var("REQUIRE_BACKENDS").is_err(), "a backend is required and {variable} is unset");
        println!("skipped: {variable} is unset");
    }
    address
}

/// How many claims are moved: few among all tests, as many as are wanted alone.
#[expect(clippy::disallowed_methods, reason = "the command that asks for many says so by the environment")]
fn claims() -> usize {
    std::env::var("AUTOSINT_TEST_CLAIMS").map_or(800, |count| count.parse().unwrap())
}

/// A folder with an investigation of so many claims, and vectors of them.
async fn fill(folder: &Path, claims: usize) {
    fs::create_dir(folder.join("reports")).unwrap();
    for number in 0..claims.div_ceil(CLAIMS) {
        let mut text = format!("PORT HALEN, March {}, 2031 (Coast Gazette {number}) -- ", 1 + number % 28);
        for claim in 0..CLAIMS {
            let (keeper, lock) = ((number * 7 + claim * 3) % 97, (number + claim) % 89);
            write!(text, "Keeper Quist{keeper} said that barge {claim} of convoy {number} passed Varrow Lock {lock}. ")
                .unwrap();
        }
        fs::write(folder.join(format!("reports/{number}.txt")), text).unwrap();
    }
    let asked = run(autosint(folder).args(["investigate", QUESTION, "--documents", "reports"]), "");
    assert_eq!(asked.code, Some(0), "{}", asked.stderr);

    let mut config = Config::default();
    config.server.data_dir = folder.join("data");
    config.embed.provider = adapters::embed::Provider::None;
    let parser = ParserCommand { program: env!("CARGO_BIN_EXE_autosint").into(), args: vec!["parse-child".into()] };
    let program = Program::open_with(config, None, parser).await.unwrap();
    let embedder = adapters::embed::Hashing::new(32);
    while backfill_once(&*program.engine.graph, &embedder as &dyn Embedder, 500).await.unwrap().pending > 0 {}
    program.store.close().await;
}

/// Count and digest of every kind of record, as a backup has them.
fn kinds(mut autosint: Command, folder: &Path, name: &str) -> Value {
    let backup = run(autosint.args(["backup", name]), "");
    assert_eq!(backup.code, Some(0), "{}", backup.stderr);
    let mut archive = tar::Archive::new(File::open(folder.join(name)).unwrap());
    let mut entries = archive.entries().unwrap().map(Result::unwrap);
    let manifest = entries.find(|entry| entry.path().unwrap().ends_with("manifest.json")).unwrap();
    serde_json::from_reader::<_, Value>(manifest).unwrap()["kinds"].take()
}

/// A number below `most` that only depends on the seed (the finaliser of SplitMix64).
fn drawn(seed: u64, most: usize) -> usize {
    let mut z = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) as usize % most
}

/// Lets it work until it has said so many lines and a little longer; gives the last line, or none when it had ended before.
fn die_after(command: &mut Command, lines: usize, rest: Duration) -> Option<String> {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let said = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok).take(lines).last();
    std::thread::sleep(rest);
    let had_ended = child.try_wait().unwrap().is_some();
    child.kill().unwrap();
    child.wait().unwrap();
    said.filter(|_| !had_ended)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_moment_it_goes_on_and_ends_identical() {
    let Some(databases) = Databases::empty().await else { return };
    let (folder, began) = (tempfile::tempdir().unwrap(), Instant::now());
    let folder = folder.path();
    fill(folder, claims()).await;
    let expected = kinds(autosint(folder), folder, "before.tar");
    let filled = began.elapsed();
    let of = |kind: &str| expected[kind]["records"].as_u64().unwrap() as usize;
    assert!(of("claims") >= claims() && of("vectors") > of("claims") && of("relationships") > 0, "{expected:#}");

    // It says one line at its beginning, one for each kind that is written or there already, and one for each that is compared.
    let some = expected.as_object().unwrap().keys().filter(|kind| of(kind) > 0).count();
    let mut deaths = vec![];
    for seed in 0..DEATHS {
        let (lines, rest) = (1 + drawn(seed, some + some / 2), Duration::from_millis(drawn(seed + 100, 120) as u64));
        deaths.extend(die_after(&mut databases.migrate(folder), lines, rest));
        let refused = run(databases.autosint(folder).args(["list", "--data-dir", "elsewhere"]), "");
        assert!(refused.code == Some(78) && refused.stderr.contains("half filled"), "{:?}: {}", refused.code, refused.stderr);
    }
    assert!(deaths.len() as u64 == DEATHS, "it ended before it was killed: {deaths:#?}");
    let Ended { code, stdout, stderr } = run(&mut databases.migrate(folder), "");
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("going on with what was there") && stdout.contains("the same on both sides"), "{stdout}");
    let moved = began.elapsed() - filled;
    assert_eq!(kinds(databases.autosint(folder), folder, "after.tar"), expected);
    assert_eq!(kinds(autosint(folder), folder, "still.tar"), expected, "the folder is as it was");
    println!("{} claims filled in {filled:?}, moved in {moved:?} with {DEATHS} deaths: {deaths:#?}", of("claims"));

    let again = run(&mut databases.migrate(folder), "");
    assert!(again.code == Some(2) && again.stderr.contains("empty both databases"), "{}", again.stderr);
}

#[test]
fn what_cannot_be_migrated_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let migrate = |settings: &[(&str, &str)]| {
        let mut command = autosint(folder.path());
        run(command.args(["migrate", "--to", "scaled"]).envs(settings.iter().copied()), "")
    };
    let nowhere = migrate(&[]);
    assert!(nowhere.code == Some(78) && nowhere.stderr.contains("AUTOSINT__GRAPH__NEO4J__URL"), "{}", nowhere.stderr);
    let named = [("AUTOSINT__SQL__URL", "postgres://a@127.0.0.1:9/a"), ("AUTOSINT__GRAPH__NEO4J__URL", "bolt://127.0.0.1:9")];
    let nothing = migrate(&named);
    assert!(nothing.code == Some(2) && nothing.stderr.contains("nothing to migrate in"), "{}", nothing.stderr);
    assert_eq!(run(autosint(folder.path()).args(["user", "list"]), "").code, Some(0));
    let away = migrate(&named);
    assert!(away.code == Some(74) && away.stderr.contains("(sql.url)"), "{}", away.stderr);
}
