//! Tests of the shipped configuration file (it equals the defaults and names every key) and of error messages.

use super::*;
use figment::{Figment, error::Kind};
use std::fs;

const SHIPPED: &str = include_str!("../../../config/autosint.toml");

#[test]
fn the_shipped_file_equals_the_defaults() {
    let shipped: Config = toml::from_str(SHIPPED).unwrap();
    assert_eq!(format!("{shipped:#?}"), format!("{:#?}", Config::default()));
}

#[test]
fn the_shipped_file_names_every_key() {
    check_table(&mut vec![]);
}

/// Finds the keys of a table through the error for an unknown key, and checks that the shipped file names each.
fn check_table(path: &mut Vec<&'static str>) {
    let key = [path.join("."), "no_such_key".to_owned()].join(".");
    let asked: Result<Config, _> = Figment::new().merge((key.trim_start_matches('.').to_owned(), 1)).extract();
    // Features check their own sections.
    if path == &["features"] {
        return;
    }
    let Kind::UnknownField(_, known) = asked.unwrap_err().kind else { panic!("{path:?} accepts unknown keys") };
    for name in known {
        path.push(name);
        let text = path.join(".");
        if SHIPPED.lines().any(|line| line == format!("[{text}]") || line.starts_with(&format!("[{text}."))) {
            check_table(path);
        } else {
            let section = path[..path.len() - 1].join(".");
            let body = SHIPPED.split(&format!("[{section}]\n")).nth(1).unwrap_or_default().split("\n[").next().unwrap();
            let written = |line: &str| line.trim_start_matches("# ").starts_with(&format!("{name} = "));
            assert!(body.lines().any(written), "config/autosint.toml does not name {text}");
        }
        path.pop();
    }
}

fn config_error(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.toml");
    fs::write(&file, text).unwrap();
    let message = load(Some(&file), vec![]).unwrap_err().to_string();
    message.replace(&folder.path().display().to_string(), "FOLDER")
}

#[test]
fn errors_name_key_and_location() {
    insta::assert_snapshot!(config_error("[server]\nlisten_on = 1"), @"unknown key 'server.listen_on' in FOLDER/test.toml (did you mean 'listen'?); known there: listen, data_dir, site_root, trusted_origins, host_names, trusted_proxies, plain_http, request_max_bytes, keep_alive_ms, stream_check_ms, shutdown_ms, lock_check_ms, api_list_limit, reload_port, connections, requests, uploads");
    insta::assert_snapshot!(config_error("[server]\nlisten = \"nowhere\""), @"'server.listen' is not an address in FOLDER/test.toml; it must be like 127.0.0.1:3000");
    insta::assert_snapshot!(config_error("[documents]\nroots = { archive = \"archive\" }"), @"documents.roots.archive is 'archive'; it must be an absolute path");
    insta::assert_snapshot!(config_error("[embed]\nprovider = \"openai\""), @r#"embed.provider is "openai" and embed.model names no model over HTTP: name one, such as model = "ollama:nomic-embed-text" with dimensions = 768"#);
    insta::assert_snapshot!(config_error("[engine]\nmax_cycles = 0"), @"engine.max_cycles is 0; it must be at least 1");
    insta::assert_snapshot!(config_error("[engine]\nmax_cycles = \"many\""), @r#"'engine.max_cycles' is string "many" in FOLDER/test.toml; it must be a whole number from 0 on"#);
    insta::assert_snapshot!(config_error("[models]\nanalyst = \"oracle\""), @r#"'models.analyst' cannot be used in FOLDER/test.toml: 'oracle' names no model: write "extractive", or "PROVIDER:MODEL" such as "ollama:qwen3:8b""#);
    insta::assert_snapshot!(config_error("[models]\nanalyst = []"), @r#"'models.analyst' cannot be used in FOLDER/test.toml: the list is empty: name at least one model, such as "extractive""#);
    insta::assert_snapshot!(config_error("[models.providers.mine]\nkind = \"mystic\""), @"'models.providers.mine.kind' is 'mystic' in FOLDER/test.toml; it must be one of: anthropic, openai");
    insta::assert_snapshot!(config_error("[models.prices.\"m\"]\ninput = -1\noutput = 1"), @r#"models.prices."m" has a price that is no amount of money"#);
    insta::assert_snapshot!(config_error("[reliability.breaker]\nprobe_ms = 1000\n[models]\nanalyst = [\"extractive\", \"ollama:m\"]"), @"reliability.breaker.probe_ms is 1000; it must be at least 600000, which is how long a call of 'ollama' may take (models.providers.ollama.timeout_ms)");
    let slow = "[models]\nanalyst = \"slow:m\"\n[models.providers.slow]\nkind = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\ntimeout_ms = 1800000";
    insta::assert_snapshot!(config_error(slow), @"reliability.breaker.probe_ms is 600000 and budget.reservation_ms is 900000; both must be at least 1800000, which is how long a call of 'slow' may take (models.providers.slow.timeout_ms)");
    insta::assert_snapshot!(config_error("[server]\nstream_check_ms = 0"), @"server.stream_check_ms must be at least 10");
    insta::assert_snapshot!(config_error("[server.connections]\nmax_open = 0"), @"server.connections.max_open is 0; it must be at least 1");
    insta::assert_snapshot!(config_error("[server.connections]\nheader_timeout_ms = 1"), @"server.connections.header_timeout_ms must be at least 10");
    insta::assert_snapshot!(config_error("[traces]\nendpoint = \"collector:4318\""), @"traces.endpoint is 'collector:4318'; it must be like http://127.0.0.1:4318");
    insta::assert_snapshot!(config_error("[traces]\nbatch = 9000"), @"traces.queue must be at least traces.batch, which is 9000");
    insta::assert_snapshot!(config_error("[surver]"), @"unknown key 'surver' in FOLDER/test.toml (did you mean 'server'?); known there: server, auth, models, embed, engine, reliability, budget, search, resolve, names, documents, fetch, sql, redis, graph, transfer, log, metrics, traces, features");
    let unknown = config_error("[features.watchin]");
    let expected = "unknown key 'features.watchin' in FOLDER/test.toml (did you mean 'watching'?); known there: ";
    assert!(unknown.starts_with(expected), "{unknown}");
    insta::assert_snapshot!(config_error("[features.watching]\nper_round = \"many\""), @r#"'features.watching.per_round' is string "many" in FOLDER/test.toml; it must be a whole number from 0 on"#);
    insta::assert_snapshot!(config_error("[features.watching]\nmin_score = 1.5"), @"features.watching.min_score is 1.5; it must be from 0 to 1");
    let unknown = config_error("[features.watching]\ncheck = 1");
    assert!(unknown.starts_with("unknown key 'features.watching.check' in FOLDER/test.toml"), "{unknown}");
    insta::assert_snapshot!(config_error("[sql]\nurl = \"mysql://ada:secret@db\""), @"sql.url must begin with postgres://, like postgres://USER@HOST:5432/DATABASE");
    insta::assert_snapshot!(config_error("[sql]\nurl = \"db.example\""), @"'sql.url' cannot be used in FOLDER/test.toml: it is no address (relative URL without a base): write SCHEME://USER@HOST:PORT");
    insta::assert_snapshot!(config_error("[redis]\nurl = \"redis://cache:6379\""), @"redis.url is set and sql.url is not: in one folder nothing needs Redis; set both, or neither");
    assert!(
        config_error("[engine.web]\nsources = [\"gdelt\", \"nosuch\"]")
            .starts_with("engine.web.sources names the unknown source 'nosuch'")
    );
    let exception = "[fetch.http]\nexceptions = [{ source = \"nosuch\", host = \"wiki.example.org\", port = 443 }]";
    assert!(config_error(exception).contains("unknown source 'nosuch'"));
    insta::assert_snapshot!(config_error("[server"), @"TOML parse error at line 1, column 8 | 1 | [server | ^ invalid table header expected `.`, `]` in FOLDER/test.toml");
}

#[test]
fn a_list_of_feeds_beside_the_file_replaces_the_built_in_one() {
    let folder = tempfile::tempdir().unwrap();
    let (file, list) = (folder.path().join("test.toml"), folder.path().join("feeds.opml"));
    fs::write(&file, "").unwrap();
    let addresses = || -> Vec<String> {
        let feeds = load(Some(&file), vec![]).unwrap().config.fetch.sources.feeds;
        feeds.into_iter().map(|feed| feed.address).collect()
    };
    assert!(addresses().len() > 20, "the built-in list");
    let outline = r#"<outline type="rss" text="The Post" xmlUrl="https://post.example/rss"/>"#;
    fs::write(&list, format!(r#"<opml version="2.0"><body><outline text="outlets">{outline}</outline></body></opml>"#))
        .unwrap();
    assert_eq!(addresses(), ["https://post.example/rss"]);
    fs::write(&file, "[fetch.sources]\nfeeds = []").unwrap();
    assert_eq!(addresses(), Vec::<String>::new(), "a setting comes before the file");
    fs::write(&file, "").unwrap();
    fs::write(&list, "no list").unwrap();
    let problem = load(Some(&file), vec![]).unwrap_err().to_string();
    assert!(problem.contains("feeds.opml cannot be used: this is not an OPML file"), "{problem}");
}

#[test]
fn the_command_line_overrides_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.toml");
    fs::write(&file, "[server]\nlisten = \"127.0.0.1:4000\"").unwrap();
    let loaded = load(Some(&file), vec![("server.listen", "127.0.0.1:5000".into())]).unwrap();
    assert_eq!(loaded.config.server.listen.port(), 5000);
    assert_eq!(loaded.file, Some(file));
}

#[test]
fn no_configuration_lets_more_than_a_hundred_guesses_an_hour_pass() {
    insta::assert_snapshot!(config_error("[auth.pauses]\nmax_ms = 1000"), @"auth.pauses lets more than 100 failed sign-ins an hour pass; make max_ms longer or after_failures smaller");
    insta::assert_snapshot!(config_error("[auth.pauses]\nafter_failures = 200"), @"auth.pauses lets more than 100 failed sign-ins an hour pass; make max_ms longer or after_failures smaller");
    insta::assert_snapshot!(config_error("[server]\nhost_names = [\"osint.lan:80\"]"), @"server.host_names has 'osint.lan:80'; it must be a name such as osint.example, without port");
}
