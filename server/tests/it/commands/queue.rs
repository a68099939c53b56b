//! Tests of `autosint queue`.

use super::{autosint, run};

#[test]
fn failed_work_orders_are_listed_and_unknown_ones_refused() {
    let folder = tempfile::tempdir().unwrap();
    let queue = |arguments: &[&str]| run(autosint(folder.path()).arg("queue").args(arguments), "");
    assert_eq!(queue(&["failed"]).code, Some(2), "without data there is nothing to list");
    let password = "correct horse battery\n";
    run(autosint(folder.path()).args(["user", "add", "ada", "--role", "admin", "--password-stdin"]), password);
    assert_eq!(queue(&["failed"]).stdout, "");
    assert_eq!(queue(&["failed", "--json"]).stdout, "[]\n");
    let id = "01890a5d-ac96-774b-bcce-b302099a8057";
    for act in ["requeue", "discard"] {
        let ended = queue(&[act, id]);
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains("not among the failed work orders"), "{}", ended.stderr);
    }
}
