//! What counts as one text, in words.

use super::*;

mod corpora;

const REPORT: &str = "PORT VELL, March 14 (Coastal Wire) - The harbour master ordered the gates of the port shut on Friday, after two \
    barges had run aground in the fog, he told reporters. No ship will leave before Monday, according to a notice that was posted at \
    noon and that names neither the cause nor the cost of the accident. The mayor said that the town had stores for a month and that \
    nobody needed to fear for bread, although prices rose at once. Twelve ships wait outside, three of them with grain for the mills. \
    The insurers of both barges declined to comment.";

fn near(a: &str, b: &str) -> bool {
    Sketch::of(a).zip(Sketch::of(b)).is_some_and(|(a, b)| a.is_near(&b, OriginsConfig::default().near_percent))
}

#[test]
fn a_report_with_small_edits_is_the_same_one() {
    let edits = [
        REPORT.to_uppercase(),
        REPORT.replace(". ", ".\n\n"),
        REPORT.replace("PORT VELL, March 14 (Coastal Wire) - ", ""),
        format!("Gates shut\n\n{REPORT}\n\nReporting by A. Ruiz; editing by L. Gil"),
        REPORT.replace("harbour master", "port captain").replace("Twelve", "A dozen"),
        REPORT.replace(" The insurers of both barges declined to comment.", ""),
    ];
    for edit in edits {
        assert!(near(REPORT, &edit), "{edit}");
    }
}

#[test]
fn another_report_of_the_same_event_is_another_one() {
    let other = "Two barges that ran aground in thick fog have closed the port of Port Vell until Monday, its harbour master said on \
        Friday. A notice posted at the gates at midday gave no cause. Ships carrying grain are among the twelve that cannot enter. \
        The town's mayor assured people there was bread for a month, but bakers had already put up their prices by the evening.";
    assert!(!near(REPORT, other));
    assert!(Sketch::of("Too few words to tell.").is_none());
}

#[test]
fn a_sketch_survives_storing_and_one_of_another_version_is_none() {
    let sketch = Sketch::of(REPORT).unwrap();
    assert_eq!(Sketch::from_bytes(&sketch.to_bytes()), Some(sketch.clone()));
    assert_eq!(Sketch::from_bytes(&sketch.to_bytes()[1..]), None);
    assert_eq!(sketch.bands().count(), 42);
}

#[test]
fn texts_without_spaces_have_words_too() {
    let text = "港口管理处周五下令关闭港口大门此前两艘驳船在大雾中搁浅周一之前任何船只不得离港";
    assert!(near(text, &format!("{text}他说")));
}

#[test]
fn what_hangs_together_is_named_by_its_least_text() {
    let texts: BTreeMap<String, Sketch> =
        [("c", REPORT.to_owned()), ("a", format!("{REPORT} More to come.")), ("b", REPORT.replace("grain", "ore"))]
            .into_iter()
            .map(|(name, text)| (name.to_owned(), Sketch::of(&text).unwrap()))
            .collect();
    let leaders = leaders(&texts, 50);
    assert!(leaders.values().all(|leader| leader == "a"));
}
