//! Tests of `autosint backup` and `restore`.

use super::{autosint, run, succeed};
use crate::prelude::*;

/// Creates data with one investigation; returns the assessment.
fn furnished(folder: &Path) -> Value {
    let said = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group set the fire at the grain store \
        in Port Halen.";
    fs::write(folder.join("one.txt"), said).unwrap();
    let asked = ["investigate", QUESTION, "--documents", "one.txt", "--provider", "extractive", "--json"];
    let ended = succeed(autosint(folder).args(asked), "");
    serde_json::from_str(&ended.stdout).unwrap()
}

fn only_tar(folder: &Path) -> PathBuf {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut tars = files.filter(|path| path.extension().is_some_and(|extension| extension == "tar"));
    let tar = tars.next().expect("a backup");
    assert!(tars.next().is_none(), "one backup, and nothing half written");
    tar
}

#[test]
fn a_backup_is_restored_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let assessment = furnished(folder.path());
    let backup = succeed(autosint(folder.path()).arg("backup"), "");
    let tar = only_tar(folder.path());
    assert!(backup.stdout.contains(&format!("autosint restore {}", tar.display())), "{}", backup.stdout);
    assert!(backup.stdout.contains("1 investigation, 1 assessment, 1 document"), "{}", backup.stdout);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&tar).unwrap().permissions().mode() & 0o777, 0o600);
    }

    let restore = |place: &str| run(autosint(folder.path()).args(["restore", tar.to_str().unwrap(), "--data-dir", place]), "");
    let restored = restore("new");
    assert_eq!(restored.code, Some(0), "{}", restored.stderr);
    assert!(
        restored.stdout.contains("every record is identical") && restored.stdout.contains("autosint serve"),
        "{}",
        restored.stdout
    );
    let id = assessment["id"].as_str().unwrap();
    let export = |place: &str| run(autosint(folder.path()).args(["export", "assessment", id, "--data-dir", place]), "");
    assert_eq!(export("new").stdout, export("data").stdout);
    assert!(export("new").stdout.contains("Red Tide"));

    let again = restore("new");
    assert_eq!(again.code, Some(2), "{}", again.stderr);
    assert!(again.stderr.contains("is not empty") && again.stderr.contains("--data-dir NEW_FOLDER"), "{}", again.stderr);
    let replayed = run(
        autosint(folder.path()).args(["replay", assessment["investigation_id"].as_str().unwrap(), "--data-dir", "new"]),
        "",
    );
    assert_eq!(replayed.code, Some(0), "the record of the sessions came along: {}{}", replayed.stdout, replayed.stderr);
}

#[test]
fn backup_and_restore_errors_suggest_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let nothing = run(autosint(folder.path()).args(["backup", "--data-dir", "nowhere"]), "");
    assert_eq!(nothing.code, Some(2));
    assert!(
        nothing.stderr.contains("no data to back up in nowhere") && nothing.stderr.contains("--data-dir"),
        "{}",
        nothing.stderr
    );
    assert!(!folder.path().join("nowhere").exists(), "a folder that was mistyped is not made");

    furnished(folder.path());
    let to = |more: &[&str]| run(autosint(folder.path()).args(["backup", "kept.tar"]).args(more), "");
    assert!(to(&["--with-key"]).stderr.contains("no master key in"));
    let no_folder = run(autosint(folder.path()).args(["backup", "missing/kept.tar"]), "");
    assert!(no_folder.code == Some(2) && no_folder.stderr.contains("folder missing not found"), "{}", no_folder.stderr);
    assert_eq!(to(&[]).code, Some(0));
    assert!(to(&[]).stderr.contains("kept.tar already exists"));

    let restore = |file: &str, place: &str| run(autosint(folder.path()).args(["restore", file, "--data-dir", place]), "");
    let missing = restore("missing.tar", "new");
    assert!(missing.code == Some(2) && missing.stderr.contains("cannot open missing.tar"), "{}", missing.stderr);
    assert!(!folder.path().join("new").exists());
    let wrong = restore("one.txt", "new");
    assert!(wrong.code == Some(2) && wrong.stderr.contains("not an autosint archive"), "{}", wrong.stderr);

    let kept = fs::read(folder.path().join("kept.tar")).unwrap();
    let name = b"claims/000001.jsonl";
    let place = kept.windows(name.len()).position(|bytes| bytes == name).unwrap();
    let mut damaged = kept.clone();
    damaged[place + 600] ^= 4;
    fs::write(folder.path().join("damaged.tar"), damaged).unwrap();
    let refused = restore("damaged.tar", "new");
    assert_eq!(refused.code, Some(74), "{}", refused.stderr);
    assert!(refused.stderr.contains("claims/000001.jsonl is damaged"), "{}", refused.stderr);
    fs::write(folder.path().join("cut.tar"), &kept[..kept.len() / 2]).unwrap();
    let refused = restore("cut.tar", "new");
    assert!(refused.code == Some(74) && refused.stderr.contains("is truncated after"), "{}", refused.stderr);
    assert_eq!(restore("kept.tar", "new").code, Some(0), "nothing was written before");
}

#[test]
fn the_master_key_travels_only_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    furnished(folder.path());
    let key = "5e".repeat(32);
    let path = folder.path().join("data/secret.key");
    fs::write(&path, &key).unwrap();
    for (file, args, place) in [("without.tar", vec![], "one"), ("with.tar", vec!["--with-key"], "two")] {
        assert_eq!(run(autosint(folder.path()).args(["backup", file]).args(&args), "").code, Some(0));
        let holds = fs::read(folder.path().join(file)).unwrap().windows(key.len()).any(|bytes| bytes == key.as_bytes());
        assert_eq!(holds, !args.is_empty());
        assert_eq!(run(autosint(folder.path()).args(["restore", file, "--data-dir", place]), "").code, Some(0));
        let restored = folder.path().join(place).join("secret.key");
        assert_eq!(fs::read_to_string(restored).ok().as_deref(), (!args.is_empty()).then_some(key.as_str()));
    }
    let restore = |place: &str, key: &str| {
        let mut command = autosint(folder.path());
        run(command.args(["restore", "with.tar", "--data-dir", place]).env("AUTOSINT_SECRET_KEY", key), "")
    };
    let refused = restore("other", &"6f".repeat(32));
    let says = refused.stderr.contains("AUTOSINT_SECRET_KEY is not the master key in the archive");
    assert!(refused.code == Some(2) && says, "{}", refused.stderr);
    assert_eq!(restore("other", &key.to_uppercase()).code, Some(0), "nothing was written before");
    fs::create_dir(folder.path().join("three")).unwrap();
    fs::write(folder.path().join("three/secret.key"), "6f".repeat(32)).unwrap();
    let refused = run(autosint(folder.path()).args(["restore", "with.tar", "--data-dir", "three"]), "");
    assert!(refused.code == Some(2) && refused.stderr.contains("is not the master key"), "{}", refused.stderr);
}
