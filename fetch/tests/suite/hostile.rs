//! Hostile files and misbehaving parsers; each costs exactly itself.

use crate::prelude::*;
use std::time::Instant;

const GOOD: &[u8] = b"<html><title>Good</title><body><p>Good words.</p></body></html>";

#[tokio::test]
async fn floods_of_elements_and_attributes_are_refused_at_once() {
    let attributes: String = (0..200_000).map(|n| format!(" a{n}='{n}'")).collect();
    let bold = "<b>x".repeat(20_000);
    let boxes = "<div>".repeat(200_000);
    let attributes = format!("<html><body><p{attributes}>words</p></body></html>");
    let files: [(&str, &[u8]); 4] = [
        ("a-bold.html", bold.as_bytes()),
        ("b-boxes.html", boxes.as_bytes()),
        ("c-attributes.html", attributes.as_bytes()),
        ("d-good.html", GOOD),
    ];
    let started = Instant::now();
    let results = read_uploads(&files).await;
    let expected =
        ["a-bold.html! TooComplex", "b-boxes.html! TooComplex", "c-attributes.html! TooComplex", "d-good.html: Good"];
    assert_eq!(lines(&results), expected);
    println!("floods took {:?}", started.elapsed());
}

#[tokio::test]
async fn nesting_within_the_limit_is_read() {
    let page = format!("<html><body>{}<p>Innermost words.</p></body></html>", "<div><b>".repeat(480));
    assert_eq!(read_one("deep.html", page.as_bytes()).await.text, "Innermost words.");
}

#[tokio::test(start_paused = true)]
async fn a_parser_that_hangs_is_killed_and_replaced() {
    let config = config();
    let pool = ParserPool::new(shell("exec sleep 1000"), &config);
    let results = read(&Documents::new(config, pool), uploads(&[("a.html", GOOD), ("b.html", GOOD), ("c.txt", b"Text")])).await;
    assert_eq!(lines(&results), ["a.html! TimedOut", "b.html! TimedOut", "c.txt! TimedOut"]);
}

#[tokio::test(start_paused = true)]
async fn a_file_that_waits_too_long_for_a_parser_is_named_and_the_others_are_read_on() {
    let mut config = config();
    config.pool.children = 1;
    config.pool.parse_timeout_ms = 1_000;
    config.pool.wait_timeout_ms = 400;
    let pool = ParserPool::new(shell("exec sleep 1000"), &config);
    let results = read(&Documents::new(config, pool), uploads(&[("a.html", GOOD), ("b.html", GOOD), ("c.txt", b"Text")])).await;
    assert_eq!(lines(&results), ["a.html! TimedOut", "b.html! TimedOut", "c.txt! TimedOut"]);
    let waited =
        |result: &Outcome| result.as_ref().is_err_and(|rejected| rejected.message.contains("`fetch.pool.wait_timeout_ms`"));
    assert_eq!(results.iter().map(waited).collect::<Vec<_>>(), [false, true, true]);
}

#[tokio::test]
async fn a_parser_that_exits_or_writes_garbage_costs_one_file() {
    for script in ["kill -9 $$", "exit 1", "head -c 100 /dev/zero", "echo hello world, this is no frame at all"] {
        let pool = ParserPool::new(shell(script), &config());
        let results = read(&Documents::new(config(), pool), uploads(&[("a.html", GOOD), ("b.txt", b"Text")])).await;
        assert_eq!(lines(&results), ["a.html! Crashed", "b.txt! Crashed"], "{script}");
    }
    let nothing = fetch::ParserCommand { program: "/nowhere/at/all".into(), args: Vec::new() };
    let pool = ParserPool::new(nothing, &config());
    let results = read(&Documents::new(config(), pool), uploads(&[("a.html", GOOD)])).await;
    assert_eq!(lines(&results), ["a.html! Crashed"]);
}

#[tokio::test]
async fn a_text_of_brackets_is_read_within_its_deadline() {
    let mut config = config();
    config.pool.parse_timeout_ms = 20_000;
    // One address of closing brackets, and as many addresses of the greatest length as fit into a mebibyte.
    let one = format!("http://a{}\n", ")".repeat(200_000));
    let many = format!("http://a{} ", ")".repeat(4_000)).repeat(256);
    let documents = source(config);
    let files: [(&str, &[u8]); 3] = [("many.txt", many.as_bytes()), ("one.md", one.as_bytes()), ("one.txt", one.as_bytes())];
    let results = read(&documents, uploads(&files)).await;
    assert!(results.len() == 3 && results.iter().all(Result::is_ok), "{:?}", lines(&results));
    for text in [one, many] {
        let page = fetch::Page::new("https://a.example/p.txt".to_owned(), Some("text/plain"), text.into());
        let results = documents.read_page(page).collect::<Vec<_>>().await;
        assert!(results.len() == 1 && results[0].is_ok(), "{:?}", lines(&results));
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn memory_is_limited_in_the_child() {
    let mut config = config();
    config.pool.max_memory_bytes = 192 * 1024 * 1024;
    config.pool.stack_bytes = 8 * 1024 * 1024;
    config.read.max_file_bytes = 512 * 1024 * 1024;
    let mut huge = b"<html><body>".to_vec();
    huge.resize(150 * 1024 * 1024, b'x');
    let source = source(config);
    let results = read(&source, uploads(&[("a.html", &huge), ("b.html", GOOD)])).await;
    assert_eq!(lines(&results), ["a.html! Crashed", "b.html: Good"]);
}

/// Returns when a killed child of this process has exited with all its threads; the pool still finds it unreaped.
#[cfg(target_os = "linux")]
fn wait_for_exit(id: u32) {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let pid = Pid::from_raw(id.cast_signed()).unwrap();
    waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn children_are_reused_and_one_that_was_killed_while_idle_is_replaced() {
    let pool = ParserPool::new(parser(), &config());
    let source = Documents::new(config(), pool.clone());
    let read_page = async || {
        let page = fetch::Page::new("https://a.example/a.html".to_owned(), Some("text/html"), GOOD.into());
        lines(&source.read_page(page).collect::<Vec<_>>().await)
    };
    read_page().await;
    let first = pool.idle_ids();
    read_page().await;
    assert_eq!(pool.idle_ids(), first);
    let status = std::process::Command::new("kill").args(["-9", &first[0].to_string()]).status().unwrap();
    assert!(status.success());
    wait_for_exit(first[0]);
    assert_eq!(read_page().await, ["https://a.example/a.html: Good"]);
    assert_ne!(pool.idle_ids(), first);
}

#[tokio::test]
async fn a_child_reads_the_files_of_one_import_only() {
    let mut config = config();
    config.read.parallel_files = 1;
    let pool = ParserPool::new(parser(), &config);
    let source = Documents::new(config, pool.clone());
    read(&source, uploads(&[("a.html", GOOD), ("b.txt", b"Text")])).await;
    let first = pool.idle_ids();
    assert_eq!(first.len(), 1, "both files in one child");
    read(&source, uploads(&[("c.txt", b"Text")])).await;
    let both = pool.idle_ids();
    assert!(both.len() == 2 && both.contains(&first[0]), "{both:?}");
    // Idle children are bounded like busy ones.
    read(&source, uploads(&[("d.txt", b"Text")])).await;
    assert_eq!((pool.idle_ids().len(), pool.idle_ids().contains(&first[0])), (2, false));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_child_is_confined_from_its_first_file_on() {
    let pool = ParserPool::new(parser(), &config());
    let source = Documents::new(config(), pool.clone());
    assert_eq!(source.confinement(), None);
    read(&source, uploads(&[("a.txt", b"Text")])).await;
    let confinement = source.confinement().unwrap();
    assert!(confinement.seccomp, "{confinement}");
    let id = pool.idle_ids()[0];
    let proc = |name: &str| std::fs::read_to_string(format!("/proc/{id}/{name}")).unwrap();
    let status = proc("status");
    for line in ["NoNewPrivs:\t1", "Seccomp:\t2"] {
        assert!(status.contains(line), "{line}: {status}");
    }
    assert_eq!(proc("environ"), "");
    let limits = proc("limits");
    assert!(limits.lines().any(|line| line.split_whitespace().eq("Max open files 0 0 files".split(' '))), "{limits}");
    let folder = std::fs::read_link(format!("/proc/{id}/cwd")).unwrap();
    assert!(folder.to_string_lossy().ends_with("(deleted)"), "{folder:?}");
}

#[tokio::test]
async fn the_order_of_results_does_not_depend_on_speed() {
    let slow = format!("<html><title>Slow</title><body>{}</body></html>", "<p>Many words in a row.</p>".repeat(20_000));
    let files: Vec<(String, bytes::Bytes)> = (0..12)
        .map(|n| match n % 3 {
            0 => (format!("{n:02}.html"), slow.clone().into()),
            1 => (format!("{n:02}.html"), bytes::Bytes::from_static(GOOD)),
            _ => (format!("{n:02}.txt"), bytes::Bytes::from_static(b"Text")),
        })
        .collect();
    let forward = lines(&read(&source(config()), Input::InMemory(files.clone())).await);
    let backward = lines(&read(&source(config()), Input::InMemory(files.into_iter().rev().collect())).await);
    assert_eq!(forward, backward);
    assert_eq!(forward[3], "03.html: Slow");
}
