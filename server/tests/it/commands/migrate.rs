//! Tests of `autosint migrate` without services.

use super::{autosint, run};

#[test]
fn migration_errors_suggest_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let migrate = |settings: &[(&str, &str)]| {
        let mut command = autosint(folder.path());
        // It calls an absent database for so long.
        command.env("AUTOSINT__SQL__ACQUIRE_TIMEOUT_MS", "5000");
        run(command.args(["migrate", "--to", "scaled"]).envs(settings.iter().copied()), "")
    };
    let nowhere = migrate(&[]);
    assert!(nowhere.code == Some(78) && nowhere.stderr.contains("AUTOSINT__GRAPH__NEO4J__URL"), "{}", nowhere.stderr);
    let named = [("AUTOSINT__SQL__URL", "postgres://a@127.0.0.1:9/a"), ("AUTOSINT__GRAPH__NEO4J__URL", "bolt://127.0.0.1:9")];
    let nothing = migrate(&named);
    assert!(nothing.code == Some(2) && nothing.stderr.contains("no data to migrate in"), "{}", nothing.stderr);
    assert_eq!(run(autosint(folder.path()).args(["user", "list"]), "").code, Some(0));
    let away = migrate(&named);
    assert!(away.code == Some(74) && away.stderr.contains("(sql.url)"), "{}", away.stderr);
}
