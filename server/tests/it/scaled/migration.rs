//! Tests of `autosint migrate` with interruptions.

use super::{RunningProgram, Services, autosint, backend, run, signal};
use crate::{
    commands::{add_user, first_line, succeed},
    prelude::*,
    service::{Kind, Service},
};
use adapters::embed::HashingEmbedder;
use engine::embeddings::backfill_once;
use std::fmt::Write as _;

const WHICH_BARGES: &str = "Which barges passed the locks?";
/// Claims per document.
const CLAIMS: usize = 40;
/// Number of interruptions.
const DEATHS: u64 = 5;

/// Number of claims: few by default, or `AUTOSINT_TEST_CLAIMS`.
#[expect(clippy::disallowed_methods, reason = "who wants many says so by the environment")]
fn claims() -> usize {
    std::env::var("AUTOSINT_TEST_CLAIMS").map_or(800, |count| count.parse().unwrap())
}

/// Returns one of a hundred names.
fn keeper(n: usize) -> String {
    const FIRST: [&str; 10] = ["Mara", "Orrin", "Jonas", "Edda", "Vesper", "Quillon", "Teodor", "Ansel", "Brid", "Casimir"];
    const LAST: [&str; 10] =
        ["Quist", "Vael", "Brandt", "Marsh", "Tarn", "Harrow", "Feld", "Ostrander", "Lindqvist", "Pemberton"];
    format!("{} {}", FIRST[n % 10], LAST[n / 10 % 10])
}

/// Creates a folder with an investigation of that many claims and their vectors.
async fn fill(folder: &Path, claims: usize) {
    fs::create_dir(folder.join("reports")).unwrap();
    for number in 0..claims.div_ceil(CLAIMS) {
        let mut text = format!("PORT HALEN, March {}, 2031 (Coast Gazette {number}) -- ", 1 + number % 28);
        for claim in 0..CLAIMS {
            let (one, other) = (keeper(number * 7 + claim * 3), keeper(number * 5 + claim * 11 + 1));
            write!(text, "{one} met {other} and counted barge {claim} of convoy {number} at lock {}. ", claim % 9).unwrap();
        }
        fs::write(folder.join(format!("reports/{number}.txt")), text).unwrap();
    }
    succeed(autosint(folder).args(["investigate", WHICH_BARGES, "--documents", "reports"]), "");

    let program = open_folder(folder).await;
    let embedder = HashingEmbedder::new(32);
    while backfill_once(&*program.engine.graph, &embedder, 500).await.unwrap().pending > 0 {}
    program.store.close().await;
}

/// Returns count and digest of every kind of record but the audit log, as in a backup.
fn kinds(mut autosint: Command, folder: &Path, name: &str) -> Value {
    succeed(autosint.args(["backup", name]), "");
    let manifest = Command::new("tar").current_dir(folder).args(["-xOf", name, "manifest.json"]).output().unwrap();
    let mut kinds = serde_json::from_slice::<Value>(&manifest.stdout).unwrap()["kinds"].take();
    // Backups and the migration are themselves in the log.
    kinds.as_object_mut().unwrap().remove("audit_log");
    kinds
}

/// Returns a number below `most` that depends on the seed alone (the finaliser of SplitMix64).
fn draw(seed: u64, most: usize) -> usize {
    let mut z = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) as usize % most
}

/// Interrupts the command after that many lines; returns the last line. The first interruption is Ctrl-C, the others
/// are kills.
fn die_after(command: &mut Command, death: u64, lines: usize) -> String {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let said: Vec<String> = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok).take(lines).collect();
    assert!(child.try_wait().unwrap().is_none(), "it ended by itself: {said:#?}");
    signal(&child, if death == 0 { "-INT" } else { "-KILL" });
    assert_eq!(child.wait().unwrap().code(), (death == 0).then_some(130));
    said.into_iter().last().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_refuses_databases_in_use() {
    let Some(services) = Services::new().await else { return };
    add_user(autosint(services.folder()), "ada", "analyst");
    succeed(autosint(services.folder()).args(["backup", "old.tar"]), "");
    let refused = |who: &str| {
        for arguments in [&["migrate", "--to", "scaled"][..], &["restore", "old.tar", "--data-dir", "elsewhere"]] {
            let refused = services.run(arguments, "");
            assert!(refused.code == Some(2) && refused.stderr.contains(who), "{arguments:?}: {}", refused.stderr);
        }
    };
    let serve = services.serve("web");
    services.registered(1).await;
    refused("an autosint process works on");
    let worker = services.worker("hands");
    services.registered(2).await;
    refused("2 autosint processes work on");
    assert_eq!(serve.stop().1, Some(0));
    refused("an autosint process works on");
    assert_eq!(worker.stop().1, Some(0));
    let begun = services.run(&["list", "--data-dir", "web"], "");
    assert_eq!(begun.code, Some(0), "nothing was begun: {}", begun.stderr);
}

/// Creates a folder with a stored provider key.
async fn store_key(folder: &Path) {
    let house = "[models.providers.house]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\nkey_env = \"HOUSE_KEY\"\n";
    fs::write(folder.join("house.toml"), house).unwrap();
    let serving = ["serve", "--listen", "127.0.0.1:0", "--config", "house.toml"];
    let mut serve = RunningProgram::start(autosint(folder).args(serving), "autosint serves http://");
    let mut boss = Browser::new(serve.said.parse().unwrap());
    boss.make_first_account("boss", &first_line(&mut serve.child)).await;
    assert_eq!(
        boss.post("/settings/keys", &[("provider", "house"), ("key", "sk-house")]).await.location(),
        "/settings?provider=house#key-title"
    );
    assert_eq!(serve.stop().1, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stored_keys_do_not_move_to_where_another_master_key_is_given() {
    let Some(services) = Services::new().await else { return };
    store_key(services.folder()).await;
    let refused = services.run(&["migrate", "--to", "scaled"], "");
    assert!(refused.code == Some(2) && refused.stderr.contains("is not the master key"), "{}", refused.stderr);
    let begun = services.run(&["list", "--data-dir", "web"], "");
    assert_eq!(begun.code, Some(0), "nothing was begun: {}", begun.stderr);
    let key = fs::read_to_string(services.folder().join("data/secret.key")).unwrap();
    let mut migrate = autosint(services.folder());
    services.apply(&mut migrate);
    // It may be refused because of other tests' graph data, but not because of the key.
    let ended = run(migrate.args(["migrate", "--to", "scaled"]).env("AUTOSINT_SECRET_KEY", key.trim()), "");
    assert!(!ended.stderr.contains("is not the master key"), "{}", ended.stderr);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_killed_at_any_moment_continues_and_ends_identical() {
    let Some(postgres) = backend("AUTOSINT_TEST_POSTGRES") else { return };
    let Some(services) = Services::on(&postgres).await else { return };
    let (folder, began) = (services.folder(), Instant::now());
    // It must be empty, unlike that of the other tests.
    let mut neo4j = Service::start(Kind::Neo4j, folder);
    fill(folder, claims()).await;
    let expected = kinds(autosint(folder), folder, "before.tar");
    neo4j.wait();
    let filled = began.elapsed();
    let of = |kind: &str| expected[kind]["records"].as_u64().unwrap() as usize;
    assert!(of("claims") >= claims() && of("vectors") > of("claims") && of("relationships") > 0, "{expected:#}");
    let there = || {
        let mut command = autosint(folder);
        services.apply(&mut command);
        command.env("AUTOSINT__GRAPH__NEO4J__URL", format!("bolt://127.0.0.1:{}", neo4j.port));
        command
    };
    let migrate = || {
        let mut command = there();
        // Small batches, so that there are many points of interruption.
        command.args(["migrate", "--to", "scaled"]).env("AUTOSINT__TRANSFER__BATCH_RECORDS", "200");
        command
    };

    // Prints one line at the start, and one per kind after its first batch or if all of it was there. Each kill comes later
    // than the previous one; after the second line, some data exists.
    let some = expected.as_object().unwrap().keys().filter(|kind| of(kind) > 0).count();
    let mut deaths = vec![];
    for death in 0..DEATHS {
        let lines = 2 + (death as usize * (some - 1) + draw(death, some - 1)) / DEATHS as usize;
        deaths.push(die_after(&mut migrate(), death, lines));
        let refused = run(there().args(["list", "--data-dir", "elsewhere"]), "");
        assert!(refused.code == Some(78) && refused.stderr.contains("is incomplete"), "{:?}: {}", refused.code, refused.stderr);
    }
    let ended = succeed(&mut migrate(), "");
    let says = |words: &str| ended.stdout.contains(words);
    assert!(says("resumed") && says("identical on both sides"), "{}", ended.stdout);
    let moved = began.elapsed() - filled;
    assert_eq!(kinds(there(), folder, "after.tar"), expected);
    assert_eq!(kinds(autosint(folder), folder, "still.tar"), expected, "the folder is as it was");
    println!("{} claims made in {filled:?}, moved in {moved:?} with {DEATHS} deaths: {deaths:#?}", of("claims"));

    let again = run(&mut migrate(), "");
    assert!(again.code == Some(2) && again.stderr.contains("empty both databases"), "{}", again.stderr);
}
