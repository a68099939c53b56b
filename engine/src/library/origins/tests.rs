//! Tests of origin clustering.

use super::*;

mod corpora;

const REPORT: &str = "PORT VELL, March 14 (Coastal Wire) - The harbour master ordered the gates of the port shut on Friday, after two \
    barges had run aground in the fog, he told reporters. No ship will leave before Monday, according to a notice that was posted at \
    noon and that names neither the cause nor the cost of the accident. The mayor said that the town had stores for a month and that \
    nobody needed to fear for bread, although prices rose at once. Twelve ships wait outside, three of them with grain for the mills. \
    The insurers of both barges declined to comment.";

fn near(a: &str, b: &str) -> bool {
    Sketch::from_text(a).zip(Sketch::from_text(b)).is_some_and(|(a, b)| a.is_near(&b, OriginsConfig::default().near_percent))
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
    assert!(Sketch::from_text("Too few words to tell.").is_none());
}

#[test]
fn a_stored_sketch_is_read_unless_its_version_differs() {
    let sketch = Sketch::from_text(REPORT).unwrap();
    assert_eq!(Sketch::from_bytes(&sketch.to_bytes()), Some(sketch.clone()));
    assert_eq!(Sketch::from_bytes(&sketch.to_bytes()[1..]), None);
    assert_eq!(sketch.bands().count(), 42);
}

#[test]
fn texts_without_spaces_have_words_too() {
    let text = "港口管理处周五下令关闭港口大门此前两艘驳船在大雾中搁浅周一之前任何船只不得离港";
    assert!(near(text, &format!("{text}他说")));
}

/// Comparable text, credited to an agency on a day.
fn text(name: &str, words: &str, agency: Option<(&str, i64)>) -> (String, ComparedText) {
    let credit =
        |(agency, day): (&str, i64)| AgencyCredit { agency: agency.into(), day: Some(day), title: "Gates shut".into() };
    let credits = agency.map(credit).into_iter().collect();
    (name.to_owned(), ComparedText { text_sha256: name.into(), sketch: Sketch::from_text(words), credits })
}

fn origins<const N: usize>(texts: [(String, ComparedText); N]) -> Vec<String> {
    leaders(&BTreeMap::from(texts), &OriginsConfig::default()).into_values().collect()
}

#[test]
fn a_group_of_copies_is_named_by_its_smallest_id() {
    let edited = [text("c", REPORT, None), text("a", &format!("{REPORT} More to come."), None)];
    let [c, a] = edited;
    assert_eq!(origins([c, a, text("b", &REPORT.replace("grain", "ore"), None)]), ["a", "a", "a"]);
}

/// First half of the report, with as much text of the paper's own.
fn rewritten() -> String {
    let own = "Bakers of the town have raised their prices twice since, and the council will meet tonight to hear what the owners of \
        both barges have to say for themselves, a clerk told this paper, which had asked for the minutes of the last two meetings.";
    format!("{} {own}", &REPORT[..REPORT.len() / 2])
}

#[test]
fn one_agency_makes_one_origin_of_texts_that_share_less() {
    let wire = |name, words: &str, day| text(name, words, Some(("coastal wire", day)));
    assert_eq!(origins([text("a", REPORT, None), text("b", &rewritten(), None)]), ["a", "b"], "without credits they are two");
    assert_eq!(origins([wire("a", REPORT, 10), wire("b", &rewritten(), 12)]), ["a", "a"]);
    assert_eq!(origins([wire("a", REPORT, 10), wire("b", &rewritten(), 13)]), ["a", "b"], "days apart");
    let other = text("b", &rewritten(), Some(("valley press", 10)));
    assert_eq!(origins([wire("a", REPORT, 10), other]), ["a", "b"], "another agency");
    let railway = "The railway between the capital and the coast will be closed for a year, the ministry of works announced, because \
        its bridges are older than anybody thought. Buses will run instead, and freight goes by sea while the port is open again.";
    assert_eq!(origins([wire("a", REPORT, 10), wire("b", railway, 10)]), ["a", "b"], "an agency alone joins nothing");
}

#[test]
fn texts_too_short_to_compare_need_one_agency_day_and_title() {
    let flash = |name, day| text(name, "Gates of the port shut.", Some(("coastal wire", day)));
    assert_eq!(origins([flash("a", 10), flash("b", 10)]), ["a", "a"]);
    assert_eq!(origins([flash("a", 10), flash("b", 11)]), ["a", "b"]);
    let (name, mut other) = flash("b", 10);
    other.credits[0].title = "GATES shut!".into();
    assert_eq!(origins([flash("a", 10), (name.clone(), other.clone())]), ["a", "a"]);
    other.credits[0].title = "Gates open".into();
    assert_eq!(origins([flash("a", 10), (name, other)]), ["a", "b"]);
    assert_eq!(origins([flash("a", 10), text("b", REPORT, Some(("coastal wire", 10)))]), ["a", "b"]);
}
