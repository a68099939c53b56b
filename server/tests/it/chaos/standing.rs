//! Crash test of standing questions: `serve` is killed at seeded SQL statements while questions are due. Each is asked once, as the next
//! version of its question.
//!
//! `make chaos` kills it twenty times, other test runs three times.

use super::{
    cycle::{MAX_STATEMENTS, NEVER, QUAY_REPORT, Server, copy_of, fill, rows, serve},
    faults::SeededRandom,
    size::Size,
};
use crate::prelude::*;

const QUESTIONS: usize = 6;
/// Statement with which a run ends.
const RUN_ENDS: &str = "update standing_runs set state";
/// Adds questions of a person that are due, each to be run again from the first investigation.
const ADD_DUE: &str = "
    insert into standing_questions (id, user_id, question, follows_id, timing, pattern, time_zone, once_at, entity_id, budget_micros,
                                    paused, counted_from, created_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 6)
    select randomblob(16), u.id, 'Is quay ' || i || ' open?', (select id from investigations limit 1), 'once', '', '', i, null, null, 0, 1, 1
      from n join users u on u.name = 'ada'";
/// Questions whose run has not ended.
const OPEN: &str = "select q.question from standing_questions q
     where not exists (select 1 from standing_runs r where r.standing_id = q.id and r.state <> 'due')";
const STATE: &str = "
    select q.question || ' ' || r.state || ', ' || count(distinct i.id) || ' asked, ' || count(distinct t.investigation_id) || ' joined'
      from standing_questions q join standing_runs r on r.standing_id = q.id
      left join investigations i on i.question = q.question
      left join investigation_threads t on t.investigation_id = i.id
     group by q.question, r.state order by 1";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn standing_questions_survive_killed_processes() {
    let size = Size::given().unwrap_or(Size::SMALL);
    let (folders, deaths) = if size == Size::SMALL { (1, 3) } else { (5, 4) };
    let base = tempfile::tempdir().unwrap();
    let config = prepare(base.path()).await;

    let undisturbed = copy_of(base.path());
    let mut server = Server::logging(undisturbed.path(), &config);
    let whole: usize = (0..QUESTIONS).map(|_| server.read_statements(MAX_STATEMENTS, RUN_ENDS)).sum();
    let expected = final_state(undisturbed.path()).await;
    drop(server);
    let is_once = |row: &String| row.ends_with("started, 1 asked, 1 joined");
    assert!(expected.len() == QUESTIONS && expected.iter().all(is_once), "{expected:#?}");
    println!("seed {}: {whole} statements", size.seed);

    let mut chance = SeededRandom(size.seed);
    for _ in 0..folders {
        let folder = copy_of(base.path());
        let (mut left, mut kills) = (whole, vec![]);
        for _ in 0..deaths {
            let most = 1 + chance.below(left as u64) as usize;
            let mut server = Server::logging(folder.path(), &config);
            server.read_statements(most, NEVER);
            drop(server);
            left = left.saturating_sub(most).max(1);
            kills.push(most);
        }
        let server = Server::start(&mut serve(folder.path(), &config));
        let state = final_state(folder.path()).await;
        drop(server);
        println!("killed after {kills:?} statements");
        assert_eq!(state, expected, "killed after {kills:?} of {whole} statements");
    }
}

/// Stores a report, a person, and questions of theirs that are due; returns the configuration of the server.
async fn prepare(folder: &Path) -> PathBuf {
    fill(folder, "Is the second quay open?", &[QUAY_REPORT], "analyst");
    rows(folder, ADD_DUE).await;
    let text =
        "[server]\nlisten = \"127.0.0.1:0\"\n[engine]\nworkers = 0\n[features.monitor]\ncheck_ms = 0\nschedule_ms = 1000\n";
    let file = folder.join("standing.toml");
    fs::write(&file, text).unwrap();
    file
}

/// Waits for the end of all runs, and returns what became of each question.
async fn final_state(folder: &Path) -> Vec<String> {
    let has_ended = eventually(async || rows(folder, OPEN).await.is_empty()).await;
    assert!(has_ended, "a question is not asked");
    rows(folder, STATE).await
}
