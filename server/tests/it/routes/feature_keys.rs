//! Keys that features give to buttons and links of the pages of the kernel.

use super::another_person::feature_source;
use crate::prelude::*;

/// Returns the keys that the scripts of every page and of a report take.
fn taken_keys() -> BTreeSet<String> {
    let public = Path::new(env!("CARGO_MANIFEST_DIR")).join("../public");
    let mut taken = BTreeSet::new();
    for script in ["frame.js", "report.js", "panel.js"] {
        let script = std::fs::read_to_string(public.join(script)).unwrap();
        for line in script.lines().map(str::trim_start) {
            let listed = line.strip_prefix("[\"").and_then(|rest| rest.split_once("\", ")).map(|(keys, _)| keys);
            let pressed = line.strip_prefix("case \"").and_then(|rest| rest.split_once('"')).map(|(key, _)| key);
            let keys = listed.into_iter().chain(pressed).flat_map(|keys| keys.split(", "));
            taken.extend(keys.filter(|key| key.chars().count() == 1).map(str::to_owned));
        }
    }
    taken
}

/// Returns the values of `data-key` in a source, which are texts or names of constants in it.
fn declared_keys(source: &str) -> Vec<String> {
    let values = source.split("data-key=").skip(1).map(|rest| rest.split([' ', '>']).next().unwrap_or_default());
    let constant = |name: &str| {
        let declared = source.split(&format!("const {name}: &str = \"")).nth(1).and_then(|rest| rest.split('"').next());
        declared.unwrap_or_else(|| panic!("no constant {name}")).to_owned()
    };
    values.map(|value| if value.starts_with('"') { value.trim_matches('"').to_owned() } else { constant(value) }).collect()
}

#[test]
fn no_feature_takes_a_key_of_the_kernel_or_of_another_feature() {
    let mut taken = taken_keys();
    let (kernel, mut features) = (taken.len(), vec![]);
    assert!(["/", "?", "c", "j", "f"].iter().all(|key| taken.contains(*key)), "{taken:?}");
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../features")).unwrap() {
        let folder = entry.unwrap().path();
        let keys: BTreeSet<String> = declared_keys(&feature_source(&folder.join("src"))).into_iter().collect();
        for key in &keys {
            assert!(taken.insert(key.clone()), "{}: the key {key} is taken", folder.display());
        }
        features.extend(keys);
    }
    assert!(taken.len() > kernel, "features declare keys: {features:?}");
}
