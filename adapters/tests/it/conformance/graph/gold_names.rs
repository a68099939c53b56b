//! Accuracy of entity resolution as the graph really merges, on the labelled pairs of names of `AUTOSINT_TESTDATA`.
//!
//! Each pair is two documents of its own collection. Rules merge while the second is written; then people decide the reviews as the
//! labels do. Prints the figures with `--nocapture`.

use super::fixture::{DocumentWrite, GraphFixture, collection, id, sqlite};
use domain::{EntityId, MergeId, Scope, entity::ReviewDecision};
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

#[derive(Default)]
struct Tally {
    by_rules: usize,
    false_by_rules: Vec<[String; 2]>,
    reviewed: usize,
    merged_by_people: usize,
    kept_apart: usize,
    right: usize,
    missed: usize,
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs AUTOSINT_TESTDATA"]
async fn names_are_merged_as_the_labels_say() {
    let fixture = sqlite().await.expect("SQLite is always there");
    let (pairs, mut tally) = (pairs(), Tally::default());
    for pair in &pairs {
        let (scope, [one, other]) = write(&fixture, pair).await;
        let at = super::fixture::noon().now();
        if one == other {
            tally.by_rules += 1;
            tally.false_by_rules.extend((!pair.is_match).then(|| pair.names.clone()));
        }
        for review in fixture.graph.reviews(&scope, 0, 9).await.unwrap() {
            tally.reviewed += 1;
            if pair.is_match {
                fixture.graph.merge(MergeId(id()), review.left, review.right, None, at).await.unwrap();
                tally.merged_by_people += 1;
            } else {
                assert!(fixture.graph.decide_review(&scope, review.id, ReviewDecision::KeepApart, None, at).await.unwrap());
                tally.kept_apart += 1;
            }
        }
        let is_merged = fixture.graph.entities(&scope, &[one, other]).await.unwrap().len() == 1;
        tally.right += usize::from(is_merged == pair.is_match);
        tally.missed += usize::from(!is_merged && pair.is_match);
    }
    let Tally { by_rules, false_by_rules, reviewed, merged_by_people, kept_apart, right, missed } = tally;
    let accuracy = right as f64 / pairs.len() as f64;
    println!(
        "{} pairs: {by_rules} merged by rules ({} falsely), {reviewed} reviewed ({merged_by_people} merged, {kept_apart} kept \
         apart), {missed} missed; accuracy {accuracy:.3}",
        pairs.len(),
        false_by_rules.len()
    );
    assert!(false_by_rules.is_empty(), "false merges: {false_by_rules:?}");
    assert!(accuracy >= 0.85, "accuracy {accuracy:.3}");
}
