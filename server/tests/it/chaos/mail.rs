//! Crash test of mail: `serve` is killed at seeded SQL statements while digests are due. Each person gets each news in one mail; a
//! mail whose sending was cut off may arrive twice, with the same Message-ID.
//!
//! `make chaos` kills it twenty times, other test runs three times.

use super::{
    cycle::{MAX_STATEMENTS, NEVER, QUAY_REPORT, Server, copy_of, fill, rows, serve},
    faults::SeededRandom,
    size::Size,
};
use crate::{commands::database, prelude::*};
use sqlx::Connection;
use testkit::{SmtpBehaviour, SmtpServer};

/// People with a confirmed address, each with two news.
const PEOPLE: usize = 6;
/// Statement with which a mail ends.
const MAIL_ENDS: &str = "update delivery_mails set state";
const ADD_PEOPLE: &str = "
    insert into users (id, name, name_key, role, created_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 6)
    select randomblob(16), 'person-' || i, 'person-' || i, 'analyst', 1 from n";
/// Adds two teams for each person.
const ADD_TEAMS: &str = "
    insert into teams (id, name, name_key, created_by, created_at)
    select randomblob(16), d.name || ' ' || u.name, d.name || ' ' || u.name, (select id from users where name = 'ada'), 1
      from users u join (select 'harbour desk' as name union all select 'lock desk') d on 1 = 1 where u.name like 'person-%'";
/// Adds the news: invitations to the teams.
const ADD_NEWS: &str = "
    insert into team_invitations (team_id, user_id, invited_by, invited_at)
    select t.id, u.id, t.created_by, 2 from teams t join users u on t.name like '% ' || u.name";
const ADD_SUBSCRIPTIONS: &str = "
    insert into delivery_subscriptions (user_id, address, confirmed_at, frequency, weekday, minute, zone, quiet_from, quiet_to,
                                        budget, names_in_subject, is_paused, covered_at)
    select id, name || '@mail.example', 1, 'immediate', 0, 420, 'UTC', 0, 0, 9, 0, 0, 1 from users where name like 'person-%'";
const ADD_SERVER: &str = "
    insert into delivery_server (name, site, host, port, encryption, username, sender, sender_name)
    values ('main', 'https://osint.example', '127.0.0.1', $1, 'plain', '', 'osint@mail.example', 'AutOSINT')";
/// People whose digest has not ended.
const OPEN: &str = "select u.name from delivery_subscriptions s join users u on u.id = s.user_id
     where not exists (select 1 from delivery_mails m where m.user_id = u.id and m.state <> 'waiting')";
const STATE: &str = "
    select u.name || ': ' || count(*) || ' mail, ' || min(m.state) || ', ' || sum(m.items) || ' news'
      from delivery_mails m join users u on u.id = m.user_id group by u.name order by u.name";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mail_survives_killed_processes() {
    let size = Size::given().unwrap_or(Size::SMALL);
    let kills = if size == Size::SMALL { 3 } else { 20 };
    let smtp = SmtpServer::start(SmtpBehaviour::Accept, None).await;
    let base = tempfile::tempdir().unwrap();
    let config = prepare(base.path(), smtp.port).await;

    let undisturbed = copy_of(base.path());
    let mut server = Server::logging(undisturbed.path(), &config);
    let whole: usize = (0..PEOPLE).map(|_| server.read_statements(MAX_STATEMENTS, MAIL_ENDS)).sum();
    let expected = final_state(undisturbed.path()).await;
    drop(server);
    let is_once = |row: &String| row.ends_with(": 1 mail, sent, 2 news");
    assert!(expected.len() == PEOPLE && expected.iter().all(is_once), "{expected:#?}");
    assert_eq!(repeated(&smtp.take_mails()), 0, "without a kill");
    println!("seed {}: {whole} statements", size.seed);

    let (mut chance, mut repeats) = (SeededRandom(size.seed), 0);
    for _ in 0..kills {
        let folder = copy_of(base.path());
        let most = 1 + chance.below(whole as u64) as usize;
        let mut server = Server::logging(folder.path(), &config);
        server.read_statements(most, NEVER);
        drop(server);
        let server = Server::start(&mut serve(folder.path(), &config));
        let state = final_state(folder.path()).await;
        drop(server);
        let repeated = repeated(&smtp.take_mails());
        println!("killed after {most} statements: {repeated} repeated");
        assert_eq!(state, expected, "killed after {most} of {whole} statements");
        assert!(repeated <= 1, "{repeated} mails twice, killed after {most} of {whole} statements");
        repeats += repeated;
    }
    println!("{kills} kills, {repeats} mails repeated with the same id");
}

/// Stores people with their news and subscriptions, and the mail server; returns the configuration of the server.
async fn prepare(folder: &Path, port: u16) -> PathBuf {
    fill(folder, "Is the second quay open?", &[QUAY_REPORT], "admin");
    for sql in [ADD_PEOPLE, ADD_TEAMS, ADD_NEWS, ADD_SUBSCRIPTIONS] {
        rows(folder, sql).await;
    }
    let mut connection = database(folder).await;
    sqlx::query(ADD_SERVER).bind(i64::from(port)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let text = r#"
[server]
listen = "127.0.0.1:0"

[engine]
workers = 0

[features.delivery]
check_ms = 1000
settle_ms = 0
immediate_ms = 0
retry_ms = 1000
retry_max_ms = 1000

[features.monitor]
check_ms = 0

[features.tensions]
check_ms = 0
"#;
    let file = folder.join("mail.toml");
    fs::write(&file, text).unwrap();
    file
}

/// Waits for the end of all digests, and returns what became of each person's mail.
async fn final_state(folder: &Path) -> Vec<String> {
    let has_ended = eventually(async || rows(folder, OPEN).await.is_empty()).await;
    assert!(has_ended, "a mail is not sent");
    rows(folder, STATE).await
}

/// Asserts that each person got their news, each in one mail; returns how many mails came once more, with the same id.
fn repeated(mails: &[Vec<u8>]) -> usize {
    let mut ids: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mail in mails {
        let mail = String::from_utf8_lossy(mail);
        let (person, id) = (header(&mail, "To"), header(&mail, "Message-ID"));
        let name = person.trim_end_matches("@mail.example");
        for news in ["harbour desk", "lock desk"] {
            assert!(mail.contains(&format!("{news} {name}")), "{news} is not in the mail to {person}: {mail}");
        }
        ids.entry(person).or_default().push(id);
    }
    assert_eq!(ids.len(), PEOPLE, "each person gets mail: {ids:#?}");
    for (person, of_person) in &ids {
        assert!(of_person.iter().all(|id| *id == of_person[0]), "{person} got the same news in several mails: {of_person:?}");
    }
    mails.len() - PEOPLE
}

/// Returns the value of a header.
fn header(mail: &str, name: &str) -> String {
    let fields = mail.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_once(':'));
    let mut values = fields.filter(|(field, _)| field.eq_ignore_ascii_case(name));
    let (_, value) = values.next().unwrap_or_else(|| panic!("no {name}: {mail}"));
    value.trim().trim_matches(['<', '>']).to_owned()
}
