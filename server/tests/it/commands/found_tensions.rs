//! Print of tensions that the word lists find in real reports, with quotes. A person judges: is each a strain, in that place, of that
//! theme?

use super::{add_user, autosint, succeed};
use crate::prelude::*;

/// Tensions printed of each folder, evenly spread over their titles.
const PRINTED: usize = 30;
/// Quotes printed of each tension.
const QUOTES: usize = 3;
/// Time without a new tension after which the search is complete.
const QUIET: Duration = Duration::from_secs(20);
const PASSWORD: &str = "correct horse battery";

#[tokio::test(flavor = "multi_thread")]
async fn tensions_found_in_real_reports_are_printed() {
    let data = testdata();
    let folders: [(&str, fn(&Path, &Path)); 2] = [("article-extraction", unpack_pages), ("incidents", unpack_incidents)];
    for (name, unpack) in folders {
        let folder = tempfile::tempdir().unwrap();
        let reports = folder.path().join("reports");
        fs::create_dir(&reports).unwrap();
        unpack(&data.join(name), &reports);
        let (total, printed) = find_tensions(folder.path()).await;
        assert!(total > 0, "no tension in {name}");
        println!("\n{name}: {total} tensions, {} of them:", printed.len());
        let text = |value: &Value| value.as_str().unwrap_or_default().replace('\n', " ");
        for found in &printed {
            let tension = &found["tension"];
            println!("- {} | {} | {}", text(&tension["title"]), text(&tension["region_label"]), text(&tension["theme"]));
            for quote in found["evidence"].as_array().into_iter().flatten().take(QUOTES) {
                println!("  \"{}\" ({})", text(&quote["content"]), text(&quote["source"]));
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "only the environment says where test material lies")]
fn testdata() -> PathBuf {
    PathBuf::from(std::env::var_os("AUTOSINT_TESTDATA").expect("AUTOSINT_TESTDATA"))
}

fn gunzip(path: &Path) -> Vec<u8> {
    let unpacked = Command::new("gzip").arg("-dc").arg(path).output().unwrap();
    assert!(unpacked.status.success(), "{}", path.display());
    unpacked.stdout
}

fn unpack_pages(from: &Path, to: &Path) {
    for entry in fs::read_dir(from.join("html")).unwrap() {
        let path = entry.unwrap().path();
        fs::write(to.join(path.file_stem().unwrap()), gunzip(&path)).unwrap();
    }
}

fn unpack_incidents(from: &Path, to: &Path) {
    for line in String::from_utf8(gunzip(&from.join("reports.jsonl.gz"))).unwrap().lines() {
        let report: Value = serde_json::from_str(line).unwrap();
        let (id, text) = (report["id"].as_str().unwrap(), report["text"].as_str().unwrap());
        fs::write(to.join(format!("{id}.txt")), text).unwrap();
    }
}

/// Extracts the claims of the folder `reports`; returns the number of tensions in them, and those to print with their evidence.
async fn find_tensions(folder: &Path) -> (usize, Vec<Value>) {
    let asked = ["investigate", "What strain do these reports state?", "--provider", "extractive", "--documents", "reports"];
    succeed(autosint(folder).args(asked), "");
    add_user(autosint(folder), "ada", "admin");
    let mut command = autosint(folder);
    command.args(["serve", "--listen", "127.0.0.1:0"]).env("AUTOSINT__FEATURES__TENSIONS__CHECK_MS", "1000");
    let mut server = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok);
    let address = lines.find_map(|line| line.strip_prefix("autosint serves http://")?.split(' ').next().map(str::to_owned));
    std::thread::spawn(move || lines.for_each(drop));
    let mut browser = Browser::new(address.expect("the server says where it serves").parse().unwrap());
    browser.post("/sign-in", &[("username", "ada"), ("password", PASSWORD)]).await;
    let mut before: Option<usize> = None;
    let mut found = loop {
        pause(QUIET).await;
        let now = list_tensions(&mut browser).await;
        if before == Some(now.len()) {
            break now;
        }
        before = Some(now.len());
    };
    found.sort_by_key(|tension| (tension["title"].to_string(), tension["statement"].to_string()));
    let mut printed = vec![];
    for tension in found.iter().step_by(found.len().div_ceil(PRINTED).max(1)) {
        let id = tension["id"].as_str().expect("an id");
        printed.push(browser.get(&format!("/api/v1/tensions/{id}")).await.json());
    }
    server.kill().unwrap();
    server.wait().unwrap();
    (found.len(), printed)
}

/// Reads all pages of hot and cooled tensions.
async fn list_tensions(browser: &mut Browser) -> Vec<Value> {
    let mut found = vec![];
    for list in ["", "cooled"] {
        for page in 1.. {
            let answer = browser.get(&format!("/api/v1/tensions?list={list}&page={page}")).await.json();
            let rows = answer["tensions"].as_array().cloned().unwrap_or_default();
            if rows.is_empty() {
                break;
            }
            found.extend(rows);
        }
    }
    found
}
