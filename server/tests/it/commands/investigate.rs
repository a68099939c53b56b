//! Tests of `autosint investigate` and `export`.

use super::{CommandOutput, autosint, run, succeed};
use crate::prelude::*;
use std::io::{Read, Write};

fn reports(folder: &Path) {
    let reports = folder.join("reports");
    fs::create_dir(&reports).unwrap();
    let head = "PORT HALEN, March 4, 2031 (Coast Gazette) -- ";
    let said =
        "Police said that the Red Tide group was behind the fire at the grain store in Port Halen. Two people were injured.";
    fs::write(reports.join("one.txt"), format!("{head}{said}")).unwrap();
    fs::write(
        reports.join("two.html"),
        format!("<html><head><title>Fire</title></head><body><article><h1>Fire</h1><p>{said}</p></article></body></html>"),
    )
    .unwrap();
    fs::write(reports.join("three.pdf"), "%PDF-1.4\nthis is no PDF").unwrap();
}

fn investigate(folder: &Path, more: &[&str]) -> CommandOutput {
    run(autosint(folder).args(["investigate", QUESTION]).args(more), "")
}

#[test]
fn documents_become_an_assessment_whose_quotes_stand_in_the_exported_text() {
    let folder = tempfile::tempdir().unwrap();
    reports(folder.path());
    let ended = investigate(folder.path(), &["--documents", "reports", "--provider", "extractive", "--json", "--workers", "1"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("files: 2 new, 1 unreadable"), "{}", ended.stderr);
    assert!(ended.stderr.contains("not read: three.pdf: "), "{}", ended.stderr);
    let assessment: Value = serde_json::from_str(&ended.stdout).unwrap();
    let citations = assessment["citations"].as_array().unwrap();
    assert!(!citations.is_empty());
    for citation in citations {
        let id = citation["document_id"].as_str().unwrap();
        let text = run(autosint(folder.path()).args(["export", "document", id, "--format", "text"]), "");
        let (start, end) = (citation["span"]["start"].as_u64().unwrap(), citation["span"]["end"].as_u64().unwrap());
        assert_eq!(&text.stdout[start as usize..end as usize], citation["quote"].as_str().unwrap());
    }
    let id = assessment["id"].as_str().unwrap();
    let exported = run(autosint(folder.path()).args(["export", "assessment", id]), "");
    assert_eq!(serde_json::from_str::<Value>(&exported.stdout).unwrap(), assessment);
    let markdown = run(autosint(folder.path()).args(["export", "assessment", id, "--format", "markdown"]), "");
    assert!(markdown.stdout.starts_with("# "));
}

#[test]
fn a_question_with_documents_reads_only_these() {
    let folder = tempfile::tempdir().unwrap();
    reports(folder.path());
    let first = investigate(folder.path(), &["--documents", "reports", "--json"]);
    assert!(first.code == Some(0) && first.stdout.contains("Red Tide"), "{}", first.stderr);
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    let said = "The mayor said that the Blue Dawn group set the fire at the grain store of Port Halen.";
    fs::write(other.join("mayor.txt"), format!("PORT HALEN, March 9, 2031 (Harbour Radio) -- {said}")).unwrap();
    let second = investigate(folder.path(), &["--documents", "other", "--json"]);
    assert!(second.code == Some(0) && second.stdout.contains("Blue Dawn"), "{}", second.stderr);
    assert!(!second.stdout.contains("Red Tide"), "{}", second.stdout);
    let assessment: Value = serde_json::from_str(&second.stdout).unwrap();
    assert_eq!(assessment["scope"]["reading"].as_str(), Some("added"));
    let whole = investigate(folder.path(), &["--json"]);
    assert!(whole.code == Some(0) && whole.stdout.contains("Red Tide"), "{}", whole.stderr);
    assert!(whole.stdout.contains("Blue Dawn"), "{}", whole.stdout);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_about_one_folder_share_a_collection_and_add_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    reports(folder.path());
    let first = investigate(folder.path(), &["--documents", "reports"]);
    assert!(first.code == Some(0) && first.stderr.contains("files: 2 new, 1 unreadable"), "{}", first.stderr);
    let said = "PORT HALEN, March 5, 2031 (Coast Gazette) -- The harbour office said that the grain store opens again in May.";
    fs::write(folder.path().join("reports/four.txt"), said).unwrap();
    let absolute = folder.path().join("reports");
    let asked = ["investigate", "When does the grain store of Port Halen open again?", "--documents"];
    let second = run(autosint(folder.path()).args(asked).arg(&absolute), "");
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    assert!(second.stderr.contains("files: 1 new, 2 with a known text, 1 unreadable"), "{}", second.stderr);
    fs::create_dir_all(folder.path().join("other/reports")).unwrap();
    fs::write(folder.path().join("other/reports/four.txt"), said).unwrap();
    let third = investigate(folder.path(), &["--documents", "other/reports"]);
    assert!(third.stderr.contains("files: 1 new\n"), "another folder of that name: {}", third.stderr);
    let program = open_folder(folder.path()).await;
    let all = program.engine.accounts.collections().await.unwrap();
    let shared: Vec<_> = all.into_iter().filter(|one| one.kind == domain::CollectionKind::Shared).map(|one| one.name).collect();
    assert!(shared.len() == 2 && shared.iter().all(|name| name.starts_with("reports (")), "{shared:?}");
}

#[test]
fn doctor_counts_the_texts_that_wait_for_a_vector() {
    let folder = tempfile::tempdir().unwrap();
    reports(folder.path());
    let ended = investigate(folder.path(), &["--documents", "reports", "--provider", "extractive"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let vectors = |provider: &str| {
        let doctor = run(autosint(folder.path()).arg("doctor").env("AUTOSINT__EMBED__PROVIDER", provider), "").stdout;
        doctor.lines().find(|line| line.starts_with("ok  vectors")).expect("doctor has a line about vectors").to_owned()
    };
    assert!(vectors("none").ends_with("no embedder: searches go by words"));
    let waiting = vectors("hashing");
    let texts = waiting.split(" texts wait for a vector").next().unwrap();
    let (pending, all) = texts.rsplit_once(" of ").unwrap();
    let pending = pending.rsplit(' ').next().unwrap();
    assert!(pending == all && pending.parse::<u64>().unwrap() > 0, "{waiting}");
}

#[test]
fn a_web_page_is_read_and_a_forbidden_one_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let port = serve_pages();
    fs::create_dir(folder.path().join("config")).unwrap();
    let config = format!(
        "[fetch]\ncontact = \"desk@example.org\"\n[fetch.http]\nexceptions = [{{ source = \"web\", host = \"127.0.0.1\", port = {port} }}]\n"
    );
    fs::write(folder.path().join("config/autosint.toml"), config).unwrap();
    let page = format!("http://127.0.0.1:{port}/report");
    let ended = investigate(folder.path(), &["--url", &page, "http://localhost:3000/", "--json", "--workers", "1"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("files: 1 new, 1 unreadable"), "{}", ended.stderr);
    assert!(ended.stderr.contains("not read: http://localhost:3000/: localhost was not fetched"), "{}", ended.stderr);
    let assessment: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(assessment["citations"][0]["document_path"].as_str(), Some(page.as_str()));
    let gaps = assessment["analysis"].to_string();
    assert!(gaps.contains("could not be read: http://localhost:3000/ (localhost was not fetched"), "{gaps}");
    assert!(gaps.contains("fetch.http.exceptions"), "the way out is named: {gaps}");
    let ended = investigate(folder.path(), &["--url", &format!("http://127.0.0.1:{port}/nowhere")]);
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("answered 404: the page does not exist"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("readable types:"), "kinds of files say nothing about a page: {}", ended.stderr);
    assert!(ended.stderr.contains("pages: 0 of 1"), "{}", ended.stderr);

    // The question may follow the addresses.
    let behind = succeed(autosint(folder.path()).args(["investigate", "--url", &page, QUESTION, "--json"]), "");
    assert!(behind.stdout.contains(QUESTION), "{}", behind.stdout);
    let without = run(autosint(folder.path()).args(["investigate", "--url", &page]), "");
    assert!(without.code == Some(2) && without.stderr.contains("no question: put it first"), "{}", without.stderr);
}

/// Serves one page during the test.
fn serve_pages() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let words =
        "Police said that the Red Tide group was behind the fire at the grain store in Port Halen. Two people were injured.";
    let page =
        format!("<html><head><title>Fire</title></head><body><article><h1>Fire</h1><p>{words}</p></article></body></html>");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = [0; 4_096];
            let read = stream.read(&mut head).unwrap_or(0);
            let is_page = head[..read].starts_with(b"GET /report ");
            let (status, body) = if is_page { ("200 OK", page.as_str()) } else { ("404 Not Found", "") };
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    port
}

#[test]
fn refused_investigations_have_a_reason_and_an_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.txt"), "").unwrap();
    let long = "why ".repeat(25_000);
    fs::create_dir(folder.path().join("holes")).unwrap();
    let cases: [(&[&str], i32, &str); 8] = [
        (&["investigate", "", "--documents", "."], 2, "the question is empty"),
        (&["investigate", " ?! … ", "--documents", "."], 2, "the question has no words: enter one"),
        (
            &["investigate", QUESTION, "--documents", "holes"],
            3,
            "no readable document in holes; readable types: text, Markdown, HTML",
        ),
        (&["investigate", &long, "--documents", "."], 2, "the question has 99999 characters, the maximum is 10000"),
        (&["investigate", QUESTION], 3, "nothing to read"),
        (&["investigate", QUESTION, "--documents", "nowhere"], 3, "nowhere: The file or folder does not exist"),
        (&["investigate", QUESTION, "--documents", "empty.txt"], 3, "empty.txt: "),
        (&["investigate", QUESTION, "--provider", "oracle"], 2, "oracle"),
    ];
    for (args, code, message) in cases {
        let ended = run(autosint(folder.path()).args(args), "");
        assert_eq!(ended.code, Some(code), "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(message), "{args:?}: {}", ended.stderr);
        assert_eq!(ended.stdout, "");
    }
}

#[test]
fn a_full_disk_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..60_000).map(|number| format!("Sentence {number} says something new. ")).collect();
    fs::write(folder.path().join("large.txt"), text).unwrap();
    let mut command = autosint(folder.path());
    command.env("AUTOSINT__SQL__MAX_MIB", "1").args(["investigate", QUESTION, "--documents", "large.txt"]);
    let ended = run(&mut command, "");
    assert_eq!(ended.code, Some(74), "{}", ended.stderr);
    assert!(ended.stderr.contains("disk full"), "{}", ended.stderr);
}

/// Disk size that fits the documents but not the claims.
#[test]
fn a_disk_that_fills_up_during_a_run_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../config/samples/varrow-lock/documents");
    let mut command = autosint(folder.path());
    command.env("AUTOSINT__SQL__MAX_MIB", "2").args(["investigate", QUESTION, "--documents", sample]);
    let ended = run(&mut command, "");
    assert_eq!(ended.code, Some(74), "{}", ended.stderr);
    assert!(ended.stderr.contains("Processors running"), "{}", ended.stderr);
    assert!(ended.stderr.contains("disk full"), "{}", ended.stderr);
}

#[test]
fn an_unknown_id_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(autosint(folder.path()).args(["user", "list"]), "").code, Some(0));
    for (id, message) in [
        ("nonsense", "'nonsense' is no document id"),
        ("0192d3c4-0000-7000-8000-000000000000", "document 0192d3c4-0000-7000-8000-000000000000 not found"),
    ] {
        let ended = run(autosint(folder.path()).args(["export", "document", id]), "");
        assert_eq!(ended.code, Some(2));
        assert!(ended.stderr.contains(message), "{}", ended.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_visible_to_all_or_to_their_owner() {
    let folder = tempfile::tempdir().unwrap();
    reports(folder.path());
    let data_dir = folder.path().join("data");
    let app = spawn_with(|config| config.server.data_dir = data_dir).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let mut rea = app.signed_in("rea", Role::Reader).await;
    let ask = |question: &'static str, more: &'static [&'static str]| {
        let folder = folder.path().to_owned();
        let ended =
            move || run(autosint(&folder).args(["investigate", question, "--documents", "reports", "--json"]).args(more), "");
        tokio::task::spawn_blocking(ended)
    };
    let ended = ask(QUESTION, &[]).await.unwrap();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let open: Value = serde_json::from_str(&ended.stdout).unwrap();
    let ended = ask("Who was behind the fire in Port Halen?", &["--owner", "ADA"]).await.unwrap();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let private: Value = serde_json::from_str(&ended.stdout).unwrap();
    let addresses = |assessment: &Value| {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        [
            format!("/investigations/{}", text(&assessment["investigation_id"])),
            format!("/assessments/{}", text(&assessment["id"])),
            format!("/documents/{}", text(&assessment["citations"][0]["document_id"])),
        ]
    };
    for path in addresses(&open) {
        assert_eq!((ada.get(&path).await.status, rea.get(&path).await.status), (200, 200), "{path}");
    }
    // The cited documents may be the shared ones.
    for path in &addresses(&private)[..2] {
        assert_eq!((ada.get(path).await.status, rea.get(path).await.status), (200, 404), "{path}");
    }
    let dashboard = rea.get("/").await.text();
    assert!(dashboard.contains(QUESTION) && !dashboard.contains("behind the fire in Port Halen"));
    let ended = ask(QUESTION, &["--owner", "eve"]).await.unwrap();
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("user 'eve' not found"), "{}", ended.stderr);
}
