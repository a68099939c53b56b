//! Limit on SQL statements per document, from the text to its claims in the graph: counted from the log, as the difference of two runs.

use super::{autosint, succeed};
use crate::prelude::*;

/// Maximum statements per document in packs of ten, model calls and events included.
const MOST: usize = 10;
/// Statements whose number depends on the load of the machine: settings of connections, the search for work, and the reading of new
/// events for the progress display, one for all events at its turn.
const BESIDE: [&str; 3] =
    ["pragma ", "select i.id from investigations i where i.status not in", "select i.status, e.sequence, e.at"];
/// Longer than any run.
const HOUR_MS: &str = "3600000";
/// Documents of the two runs.
const FEW: usize = 20;
const MANY: usize = 60;

/// Writes documents about different people of the same few organisations.
fn write_documents(folder: &Path, count: usize) {
    const SYLLABLES: [&str; 8] = ["ka", "ro", "mi", "ten", "va", "lus", "or", "be"];
    let word = |n: usize| {
        let word = [SYLLABLES[n % 8], SYLLABLES[n / 8 % 8], SYLLABLES[n * 5 % 8]].concat();
        word[..1].to_uppercase() + &word[1..]
    };
    for n in 0..count {
        let (person, other, body) = (word(n), word(n + 13), word(n % 3));
        let text = format!(
            "PORT HALEN, March {} 2031 (Coast Gazette) -- Anna {person}, who speaks for the {body} Grain Board, said that the fire \
             had cost {n} million crowns.\n\nThe {body} Grain Board blamed the {other} Shipping Company. According to Boris {other}, \
             {n} people were hurt in report {n}.",
            1 + n % 28
        );
        fs::write(folder.join(format!("report{n:02}.txt")), text).unwrap();
    }
}

/// Counts the SQL statements of an investigation of so many documents.
fn statements(count: usize) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let documents = folder.path().join("documents");
    fs::create_dir(&documents).unwrap();
    write_documents(&documents, count);
    let mut command = autosint(folder.path());
    command.env("AUTOSINT__LOG__COMMAND_LEVEL", "warn,sqlx::query=debug").env("AUTOSINT__LOG__FORMAT", "json");
    // A slow run renews its lease and sends heartbeats, which no document causes.
    command.env("AUTOSINT__ENGINE__LEASE_MS", HOUR_MS).env("AUTOSINT__ENGINE__HEARTBEAT_MS", HOUR_MS);
    command.args(["investigate", "Who was behind the fire?", "--json", "--workers", "1", "--documents", "documents"]);
    let investigated = succeed(&mut command, "");
    let is_statement = |line: &&str| {
        let mut beside = BESIDE.into_iter();
        line.contains("\"target\":\"sqlx::query\"") && !beside.any(|beside| line.to_lowercase().contains(beside))
    };
    investigated.stderr.lines().filter(is_statement).count()
}

#[test]
fn a_document_costs_at_most_ten_statements() {
    let (few, many) = (statements(FEW), statements(MANY));
    let each = (many - few) as f64 / (MANY - FEW) as f64;
    println!("{few} statements for {FEW} documents, {many} for {MANY}: {each:.2} each");
    assert!(few > MOST, "the log has no statements");
    assert!(each <= MOST as f64, "{each:.2} statements per document");
}
