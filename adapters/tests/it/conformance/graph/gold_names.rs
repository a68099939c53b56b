//! Accuracy of entity resolution as the graph merges by itself, on the labelled pairs of names of `AUTOSINT_TESTDATA`.
//!
//! Each pair is two documents of its own collection. The program merges while the second is written, or it does not: a proposed pair is
//! two entities until a person decides, and counts as such. Prints the figures with `--nocapture`.

use super::prelude::*;
use std::path::PathBuf;

struct Pair {
    kind: &'static str,
    names: [String; 2],
    is_match: bool,
}

#[expect(clippy::disallowed_methods, reason = "tests find their material through the environment")]
fn pairs() -> Vec<Pair> {
    let folder = PathBuf::from(std::env::var_os("AUTOSINT_TESTDATA").expect("AUTOSINT_TESTDATA"));
    let text = std::fs::read_to_string(folder.join("names/name_pairs_dev.csv")).expect("names/name_pairs_dev.csv");
    let pair = |line: &str| {
        let row = columns(line);
        let kind = match row[1].as_str() {
            "Person" => "person",
            "Company" | "Organization" => "company",
            _ => "thing",
        };
        Pair { kind, names: [row[2].clone(), row[3].clone()], is_match: row[4] == "true" }
    };
    text.lines().skip(1).map(pair).collect()
}

/// The fields of a line of comma-separated values.
fn columns(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let field = fields.last_mut().expect("one field");
        match c {
            '"' if is_quoted && chars.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            _ => field.push(c),
        }
    }
    fields
}

/// Writes a pair. Returns its scope and the entity of each name.
async fn write(fixture: &GraphFixture, pair: &Pair) -> (Scope, [EntityId; 2]) {
    let home = collection();
    let mut written = [EntityId(id()); 2];
    for (place, name) in pair.names.iter().enumerate() {
        let mut sheet = DocumentWrite::new(home, &place.to_string());
        let entity = sheet.entity(name, pair.kind);
        let claim = sheet.claim(&format!("{name} was named."), &[entity]);
        sheet.write.entities[entity].claims.push(claim);
        written[place] = fixture.write(&sheet).await.entities[entity].id;
    }
    (Scope::from(home), written)
}

/// Least share of the pairs that end as labelled without a model or a person. Half of the rest differ in more than spelling.
const LEAST_ACCURACY: f64 = 0.7;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs AUTOSINT_TESTDATA"]
async fn names_are_merged_as_the_labels_say() {
    let fixture = sqlite().await.expect("SQLite is always there");
    let pairs = pairs();
    let (mut right, mut merged, mut proposed) = (0, 0, 0);
    let mut false_merges = vec![];
    for pair in &pairs {
        let (scope, [one, other]) = write(&fixture, pair).await;
        let is_merged = one == other;
        merged += usize::from(is_merged);
        proposed += fixture.graph.reviews(&scope, 0, 9).await.unwrap().len();
        right += usize::from(is_merged == pair.is_match);
        false_merges.extend((is_merged && !pair.is_match).then(|| pair.names.clone()));
    }
    let accuracy = right as f64 / pairs.len() as f64;
    println!(
        "{} pairs, by rules alone: {merged} merged ({} falsely), {proposed} left to a judge or a person, {right} as labelled; accuracy \
         {accuracy:.3}",
        pairs.len(),
        false_merges.len()
    );
    assert!(false_merges.is_empty(), "false merges: {false_merges:?}");
    assert!(accuracy >= LEAST_ACCURACY, "accuracy {accuracy:.3}");
}
