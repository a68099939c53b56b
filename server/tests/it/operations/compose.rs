//! Tests of the container files as resolved by `docker-compose config`. No container is started.

use super::tree;
use crate::{commands::autosint, prelude::*};
use std::{net::TcpListener, os::unix::fs::PermissionsExt};

const BASE: &str = "docker-compose.yml";
const OVERRIDE: &str = "docker-compose.override.yml";
const PROD: &str = "docker-compose.prod.yml";
const STORES: [&str; 3] = ["neo4j", "postgres", "redis"];
const OBSERVERS: [&str; 6] = ["alertmanager", "alloy", "docker-api", "grafana", "loki", "prometheus"];

/// Resolves compose files with profiles; `None` without docker-compose, unless it is required.
fn resolve(files: &[&str], profiles: &[&str]) -> Option<Value> {
    let mut command = Command::new("docker-compose");
    command.current_dir(tree("")).args(["--project-name", "autosint", "--env-file", ".env.example"]);
    command.args(files.iter().flat_map(|file| ["-f", file])).args(profiles.iter().flat_map(|name| ["--profile", name]));
    // Values that the operator sets.
    for (name, value) in required() {
        command.env(name, value);
    }
    let Ok(output) = command.arg("config").output() else {
        assert!(!is_required(), "docker-compose is missing: run scripts/setup/compose.sh");
        eprintln!("skipped: docker-compose is not installed");
        return None;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{files:?} {profiles:?}: {said}");
    assert!(!said.contains("is not set"), "{files:?} {profiles:?}: {said}");
    Some(serde_norway::from_slice(&output.stdout).unwrap())
}

#[expect(clippy::disallowed_methods, reason = "how the test command says that nothing may be left out")]
fn is_required() -> bool {
    std::env::var_os("REQUIRE_BACKENDS").is_some()
}

/// Values for variables without a default.
fn required() -> BTreeMap<&'static str, &'static str> {
    BTreeMap::from([("AUTOSINT_ORIGIN", "https://osint.example")])
}

/// Returns the services of these profiles; some versions do not filter them.
fn services<'a>(resolved: &'a Value, profiles: &[&str]) -> BTreeMap<&'a str, &'a Value> {
    let starts = |service: &Value| match service["profiles"].as_array() {
        None => true,
        Some(of) => of.iter().any(|name| profiles.contains(&name.as_str().unwrap())),
    };
    let all = resolved["services"].as_object().unwrap().iter();
    all.filter(|(_, service)| starts(service)).map(|(name, service)| (name.as_str(), service)).collect()
}

#[test]
fn each_profile_has_its_services_pinned_watched_and_kept() {
    let sizes: [(&[&str], &[&str]); 2] = [(&[BASE, OVERRIDE], &["app"]), (&[BASE, PROD], &["app", "app-2", "worker", "proxy"])];
    let profiles: [(&[&str], &[&str]); 3] = [(&[], &[]), (&["observability"], &OBSERVERS), (&["backup"], &["backup"])];
    for ((files, ours), (profiles, observers)) in sizes.into_iter().flat_map(|size| profiles.map(|profile| (size, profile))) {
        let Some(resolved) = resolve(files, profiles) else { return };
        // A profile adds all its services; without it, none appear.
        let services = services(&resolved, profiles);
        let expected: BTreeSet<&str> = [ours, &STORES, observers].concat().into_iter().collect();
        assert_eq!(services.keys().copied().collect::<BTreeSet<_>>(), expected, "{files:?} {profiles:?}");
        for (&name, service) in &services {
            let image = service["image"].as_str().unwrap_or_else(|| panic!("{name} has no image"));
            let tag = image.rsplit_once(':').unwrap_or_else(|| panic!("{name}: {image} has no version")).1;
            assert!(tag.contains('.') && tag.chars().any(|c| c.is_ascii_digit()), "{name}: {image} is not pinned");
            // Our image defines its health check in the Dockerfile.
            let is_ours = image.starts_with("autosint:");
            assert!(is_ours || service["healthcheck"]["test"][0] != "NONE", "{name}'s health check is switched off");
            assert!(is_ours || service["healthcheck"]["test"].is_array(), "{name} has no health check");
            assert!(service["restart"].is_string(), "{name} does not start again");
            assert_eq!(service["security_opt"][0], "no-new-privileges:true", "{name}");
            assert!(service["logging"]["options"]["max-size"].is_string(), "{name} fills the disk with its log");
            assert_eq!(service["cap_drop"][0], "ALL", "{name}");
            assert_eq!(service["read_only"] == true, name != "neo4j", "{name} writes beside its folder");
            if is_ours {
                assert!(service["cap_add"].is_null(), "{name}");
                assert!(service["stop_grace_period"].is_string(), "{name} is killed before it can give back what it holds");
            }
            if files.contains(&PROD) {
                let limits = &service["deploy"]["resources"]["limits"];
                assert!(limits["memory"].is_string() && !limits["cpus"].is_null(), "{name} has no limits");
                assert_eq!(service["restart"], "always", "{name}");
            }
            for volume in service["volumes"].as_array().into_iter().flatten() {
                let source =
                    volume.as_str().map_or_else(|| volume["source"].as_str().unwrap(), |text| text.split(':').next().unwrap());
                let is_file = source.starts_with('/');
                assert!(resolved["volumes"].get(source).is_some() || is_file, "{name}: {source} is no named volume");
                assert!(!is_file || source.ends_with("docker.sock") || tree("").join(source).exists(), "{name}: no {source}");
            }
            for port in service["ports"].as_array().into_iter().flatten() {
                let text = port.as_str().map_or_else(|| port.to_string(), str::to_owned);
                assert!(text.contains("127.0.0.1"), "{name} is open to the network by default: {text}");
            }
        }
        for store in STORES {
            let networks = &services[store]["networks"];
            let on = networks.as_object().map_or(0, serde_json::Map::len);
            assert!(on == 1 && networks.get("stores").is_some(), "{store} is reached from outside: {networks}");
        }
        assert_eq!(resolved["networks"]["stores"]["internal"], true);
    }
}

#[test]
fn the_program_accepts_every_setting_that_its_containers_are_given() {
    let (image, _) = image_settings();
    let secrets = tempfile::tempdir().unwrap();
    create_secrets(secrets.path());
    // An address in use stops `serve` after validation and before anything is opened.
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let serve = |settings: &BTreeMap<String, String>| {
        let folder = tempfile::tempdir().unwrap();
        let mut command = autosint(folder.path());
        command.envs(settings).args(["serve", "--listen", &address, "--config"]).arg(tree("deploy/autosint/autosint.toml"));
        crate::commands::run(&mut command, "")
    };
    for files in [&[BASE, OVERRIDE][..], &[BASE, PROD]] {
        let Some(resolved) = resolve(files, &[]) else { return };
        let mut ours = 0;
        for (name, service) in resolved["services"].as_object().unwrap() {
            if !service["image"].as_str().unwrap().starts_with("autosint:") {
                continue;
            }
            ours += 1;
            let mut settings = image.clone();
            for (key, value) in service["environment"].as_object().unwrap() {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let own = format!("{}/", secrets.path().display());
                settings.insert(key.clone(), value.replace("/run/secrets/", &own));
            }
            let ended = serve(&settings);
            assert_eq!(ended.code, Some(69), "{name} of {files:?}: {}", ended.stderr);
        }
        assert_eq!(ours, if files.contains(&PROD) { 4 } else { 2 });
    }
    // The check must be able to fail.
    let ended = serve(&BTreeMap::from([("AUTOSINT__SERVER__LISTN".to_owned(), "x".to_owned())]));
    assert_eq!(ended.code, Some(78), "{}", ended.stderr);
}

/// Runs the script that creates the secrets in a folder.
fn create_secrets(folder: &Path) {
    let ended = Command::new("sh").arg(tree("deploy/secrets.sh")).arg(folder).status().unwrap();
    assert!(ended.success());
}

/// Returns the files of a folder with their text.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())).collect()
}

#[test]
fn secrets_are_created_once_and_agree() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("postgres_password"), "of-postgres\n").unwrap();
    create_secrets(folder.path());
    let created = files(folder.path());
    assert_eq!(created["postgres_password"], "of-postgres\n", "a file of the operator is kept");
    assert_eq!(created["sql_url"], "postgres://autosint:of-postgres@postgres:5432/autosint\n");
    assert_eq!(created["neo4j_auth"], format!("neo4j/{}", created["neo4j_password"]));
    let redis = created["redis_conf"].strip_prefix("requirepass ").unwrap().trim();
    assert_eq!(created["redis_url"], format!("redis://:{redis}@redis:6379\n"));
    let passwords = ["neo4j_password", "grafana_password"].map(|name| created[name].trim());
    assert!(redis.len() == 48 && passwords.iter().all(|text| text.len() == 48 && *text != redis), "{created:?}");
    assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o700, "closed to other accounts");
    create_secrets(folder.path());
    assert_eq!(files(folder.path()), created);
}

#[test]
fn a_new_password_reaches_the_addresses_that_contain_it() {
    let folder = tempfile::tempdir().unwrap();
    create_secrets(folder.path());
    let before = files(folder.path());
    fs::write(folder.path().join("postgres_password"), "\n").unwrap();
    fs::remove_file(folder.path().join("neo4j_password")).unwrap();
    fs::remove_file(folder.path().join("redis_conf")).unwrap();
    fs::write(folder.path().join("redis_url"), "redis://:theirs@elsewhere:6379\n").unwrap();
    create_secrets(folder.path());
    let after = files(folder.path());
    let password = after["postgres_password"].trim();
    assert_eq!(password.len(), 48, "a file with nothing but the end of a line is empty");
    assert_eq!(after["sql_url"], format!("postgres://autosint:{password}@postgres:5432/autosint\n"));
    assert_eq!(after["neo4j_auth"], format!("neo4j/{}", after["neo4j_password"]));
    assert_eq!(after["redis_url"], "redis://:theirs@elsewhere:6379\n", "an address of the operator is kept");
    assert_eq!(after["grafana_password"], before["grafana_password"]);
}

#[test]
fn containers_get_secrets_as_files_only() {
    let folder = tempfile::tempdir().unwrap();
    create_secrets(folder.path());
    for sizes in [&[BASE, OVERRIDE][..], &[BASE, PROD]] {
        let profiles = ["observability", "backup"];
        let Some(resolved) = resolve(sizes, &profiles) else { return };
        let defined: BTreeSet<&str> = resolved["secrets"].as_object().unwrap().keys().map(String::as_str).collect();
        let created = files(folder.path());
        assert_eq!(
            defined,
            created.keys().map(String::as_str).collect::<BTreeSet<_>>(),
            "what secrets.sh creates and what is defined"
        );
        let mut given = BTreeSet::new();
        for (name, service) in services(&resolved, &profiles) {
            let mounted: BTreeSet<&str> = service["secrets"].as_array().into_iter().flatten().map(secret_name).collect();
            let settings = [&service["environment"], &service["command"]].map(Value::to_string).concat();
            let named: BTreeSet<&str> =
                settings.split("/run/secrets/").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
            assert_eq!(mounted, named, "{name}: what is mounted and what is named");
            given.extend(mounted.into_iter().map(str::to_owned));
            for (key, value) in service["environment"].as_object().into_iter().flatten() {
                let is_secret = ["PASSWORD", "SECRET_KEY", "API_KEY", "NEO4J_AUTH", "SQL__URL", "REDIS__URL"];
                let is_secret = is_secret.iter().any(|word| key.contains(word));
                let is_file = value.as_str().is_some_and(|value| value.starts_with("/run/secrets/"));
                assert_eq!(is_secret, is_file, "{name}: {key}");
            }
        }
        assert_eq!(given.iter().map(String::as_str).collect::<BTreeSet<_>>(), defined, "{sizes:?}: a secret for nobody");
    }
}

/// Returns the name of a secret in its short or long form.
fn secret_name(secret: &Value) -> &str {
    secret.as_str().or_else(|| secret["source"].as_str()).unwrap()
}

#[test]
fn only_the_proxy_is_exposed_and_only_a_guard_has_the_docker_socket() {
    let Some(resolved) = resolve(&[BASE, PROD], &["observability"]) else { return };
    let services = services(&resolved, &["observability"]);
    let open: Vec<&str> = services.iter().filter(|(_, service)| service["ports"].is_array()).map(|(name, _)| *name).collect();
    assert_eq!(open, ["grafana", "proxy"]);
    let known = services["proxy"]["networks"]["front"]["ipv4_address"].as_str().unwrap();
    for web in ["app", "app-2"] {
        let trusted = services[web]["environment"]["AUTOSINT__SERVER__TRUSTED_PROXIES"].as_str().unwrap();
        assert_eq!(trusted, format!("[\"{known}/32\"]"), "{web}");
    }
    for (name, service) in &services {
        let has_socket = service["volumes"].to_string().contains("docker.sock");
        assert_eq!(has_socket, *name == "docker-api", "{name}");
        let networks: BTreeSet<&str> = service["networks"].as_object().unwrap().keys().map(String::as_str).collect();
        if OBSERVERS.contains(name) {
            assert!(!networks.contains("front") && !networks.contains("stores"), "{name} shares a network: {networks:?}");
        }
        let is_read = networks.contains("metrics");
        assert_eq!(is_read, ["app", "app-2", "prometheus", "worker"].contains(name), "{name}");
        let is_near = service["networks"].get("docker").is_some();
        assert_eq!(is_near, ["alloy", "docker-api"].contains(name), "{name}");
    }
    assert_eq!(services["docker-api"]["networks"].as_object().unwrap().len(), 1);
    assert_eq!(resolved["networks"]["docker"]["internal"], true);
    assert_eq!(resolved["networks"]["metrics"]["internal"], true);
}

#[test]
fn the_proxy_limits_clients_in_rate_number_and_time() {
    let config = fs::read_to_string(tree("deploy/nginx/autosint.conf")).unwrap();
    let server = config.split_once("\nserver {").unwrap().1;
    let value = |name: &str| {
        let mut lines = server.lines().filter_map(|line| line.trim().strip_prefix(name)?.strip_prefix(' ')?.strip_suffix(';'));
        lines.next().unwrap_or_else(|| panic!("{name} is not set"))
    };
    for (name, zone) in [("limit_req", "requests"), ("limit_conn", "connections")] {
        assert!(value(name).contains(zone), "{name}: {}", value(name));
        assert!(config.contains(&format!("\n{name}_zone $binary_remote_addr zone={zone}:")), "{name} counts per client");
    }
    for name in ["client_header_timeout", "client_body_timeout", "send_timeout", "keepalive_timeout"] {
        let seconds: u32 = value(name).strip_suffix('s').unwrap().parse().unwrap();
        assert!((1..=60).contains(&seconds), "{name}: {seconds} s");
    }
}

/// Returns `ENV` of the image, and the lines of its Dockerfile.
fn image_settings() -> (BTreeMap<String, String>, Vec<String>) {
    let text = fs::read_to_string(tree("Dockerfile")).unwrap().replace("\\\n", " ");
    let lines: Vec<String> = text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    let settings = lines.iter().filter_map(|line| line.strip_prefix("ENV ")).flat_map(str::split_whitespace);
    let settings = settings.filter_map(|setting| setting.split_once('=')).filter(|(key, _)| key.starts_with("AUTOSINT"));
    (settings.map(|(key, value)| (key.to_owned(), value.to_owned())).collect(), lines)
}

#[test]
fn the_image_is_built_by_the_test_scripts_and_runs_unprivileged() {
    let (settings, lines) = image_settings();
    assert!(settings.len() > 4, "{settings:?}");
    let commands = ["scripts/test.sh", "scripts/build.sh"].map(|script| fs::read_to_string(tree(script)).unwrap()).concat();
    let scripts: BTreeSet<&str> = lines
        .iter()
        .filter(|line| line.starts_with("RUN "))
        .flat_map(|line| line.split_whitespace())
        .filter(|word| word.starts_with("scripts/"))
        .collect();
    assert!(scripts.len() > 3, "{scripts:?}");
    let runs: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("RUN ")).collect();
    for run in &runs {
        assert!(run.starts_with("scripts/") || run.starts_with("apt-get "), "the Dockerfile does by itself: {run}");
    }
    for script in scripts {
        assert!(commands.contains(script), "the Dockerfile calls {script}, which neither `make test` nor `make build` runs");
    }
    for image in lines.iter().filter_map(|line| line.strip_prefix("FROM ")) {
        let tag = image.split(' ').next().unwrap().rsplit_once(':').unwrap().1;
        assert!(tag.contains('.'), "{image} is not pinned");
    }
    assert!(lines.iter().filter(|line| line.starts_with("FROM ")).count() > 1, "one stage only");
    assert!(lines.iter().any(|line| line == "USER autosint"));
    assert!(lines.iter().any(|line| line.starts_with("HEALTHCHECK ")));
    // Same toolchain as the repository.
    let toolchain = fs::read_to_string(tree("rust-toolchain.toml")).unwrap();
    let channel = toolchain.lines().find_map(|line| line.strip_prefix("channel = ")).unwrap().trim_matches('"');
    assert!(lines.iter().any(|line| line.starts_with(&format!("FROM rust:{channel}"))), "not {channel}");
}

#[test]
fn the_tests_run_on_the_databases_that_the_containers_have() {
    let scripts = fs::read_to_string(tree("scripts/lib.sh")).unwrap();
    let major_after = |words: &str| -> String {
        let rest = scripts.split_once(words).unwrap_or_else(|| panic!("scripts/lib.sh has no {words}")).1;
        rest.chars().take_while(char::is_ascii_digit).collect()
    };
    let Some(resolved) = resolve(&[BASE], &[]) else { return };
    let image = |service: &str| resolved["services"][service]["image"].as_str().unwrap().to_owned();
    assert!(image("postgres").ends_with(&format!("-pg{}", major_after("postgres-"))), "{}", image("postgres"));
    assert!(image("neo4j").starts_with(&format!("neo4j:{}.", major_after("NEO4J_VERSION="))), "{}", image("neo4j"));
    let Ok(redis) = Command::new("redis-server").arg("--version").output() else {
        assert!(!is_required(), "redis-server is missing: run scripts/setup/redis.sh");
        return;
    };
    let said = String::from_utf8(redis.stdout).unwrap();
    let major = said.split_once("v=").unwrap().1.split('.').next().unwrap();
    assert!(image("redis").starts_with(&format!("redis:{major}.")), "{} and {said}", image("redis"));
}

#[test]
fn required_variables_are_named() {
    let example = fs::read_to_string(tree(".env.example")).unwrap();
    let given: BTreeMap<&str, &str> = example.lines().filter_map(|line| line.split_once('=')).collect();
    let mut used = BTreeSet::new();
    for file in [BASE, OVERRIDE, PROD] {
        let text = fs::read_to_string(tree(file)).unwrap();
        for variable in text.split("${").skip(1) {
            let (name, rest) = variable.split_at(variable.find([':', '}']).unwrap());
            used.insert(name.to_owned());
            let value = *given.get(name).unwrap_or_else(|| panic!("{file}: {name} is not in .env.example"));
            if rest.starts_with(":?") {
                assert_eq!(value, "", "{name} has a value that everybody knows");
                assert!(required().contains_key(name), "{name}");
            }
        }
    }
    let given: BTreeSet<String> = given.keys().filter(|name| !name.starts_with('#')).map(ToString::to_string).collect();
    assert_eq!(given, used, "what .env.example names and what is used differ");
}
