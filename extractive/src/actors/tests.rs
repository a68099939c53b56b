//! Small invented sentences: both voices, claims, accusations, denials, negation; capitals and mixed case.

use super::*;

fn found(question: &str, quote: &str) -> Vec<(String, Tie)> {
    let lexicon = Lexicon::english();
    let words =
        QuestionWords::parse(include_str!("../../../config/locale/question.en.toml")).expect("the word lists are valid");
    let question = Question::read(question, lexicon, &words);
    actors(quote, &question, lexicon, &words)
        .into_iter()
        .map(|actor| (actor.name.clone(), crate::question_actors::tie(&actor)))
        .collect()
}

fn check(quote: &str, expect: &[(&str, Tie)]) {
    let found = found("Who carried out the attack on the bridge?", quote);
    let found: Vec<(&str, Tie)> = found.iter().map(|(name, tie)| (name.as_str(), *tie)).collect();
    assert_eq!(found, expect, "{quote}");
}

#[test]
fn a_doer_is_found_in_active_and_passive() {
    check("Fighters of the Northern Army attacked the village, police said.", &[("Fighters of the Northern Army", Tie::Does)]);
    check(
        "THE VILLAGE WAS ATTACKED ON MONDAY BY GUERRILLAS OF THE NORTHERN ARMY.",
        &[("GUERRILLAS OF THE NORTHERN ARMY", Tie::Does)],
    );
    check("THE NORTHERN ARMY ENTERED THE TOWN AND BURNED TWO HOUSES.", &[("THE NORTHERN ARMY", Tie::Does)]);
    check("THE AIR FORCE USED HELICOPTERS TO BOMB THE VILLAGE.", &[("THE AIR FORCE", Tie::Does)]);
    check("The Northern Army, which held the town for a year, attacked the bridge.", &[("The Northern Army", Tie::Does)]);
}

#[test]
fn a_doer_is_found_behind_pronouns_attempts_and_hostages() {
    check("The Red Front claims that it attacked the bridge.", &[("The Red Front", Tie::Does)]);
    check("Troops foiled an attempt by the Red Front to attack the bridge.", &[("the Red Front", Tie::Does)]);
    check("They urged the Red Front to stop its attacks.", &[("the Red Front", Tie::Does)]);
    check(
        "He was hit by two bullets fired from a gun by a member of the Red Front.",
        &[("a member of the Red Front", Tie::Does)],
    );
    let held = "Webb is being held hostage by the Red Front.";
    assert_eq!(found("Who kidnapped Michael Webb?", held), [("the Red Front".to_owned(), Tie::Does)]);
    assert_eq!(found("Who kidnapped Michael Webb?", "The Red Front burned the house of Michael Webb."), []);
    let accused = "When secretary Paul Moore openly accused the Red Front of murdering Smith, the talks ended.";
    assert_eq!(found("Who murdered Smith?", accused), [("the Red Front".to_owned(), Tie::Accused)]);
}

#[test]
fn another_noun_between_deed_and_name_separates_them() {
    check("The attack came after an announcement by the police.", &[]);
    check("Members of the Red Union committed themselves to talks on the attack.", &[]);
    check("The murder of John Smith, who was arrested in May, and the attack shocked the town.", &[]);
    check("The lawyers say that the gun of the suspects was a Kestrel.", &[]);
}

#[test]
fn names_in_brackets_and_after_words_of_calling_belong_to_the_phrase() {
    check("NSF [NORTHERN SALVATION FRONT] UNITS DESTROYED A BRIDGE.", &[("NSF [NORTHERN SALVATION FRONT] UNITS", Tie::Does)]);
    check(
        "A GROUP CALLING ITSELF THE RIVER FRONT CLAIMED RESPONSIBILITY FOR IT.",
        &[("A GROUP CALLING ITSELF THE RIVER FRONT", Tie::Claims)],
    );
    check(
        "THE SO-CALLED NIGHTWALKERS TODAY CLAIMED RESPONSIBILITY FOR THE ATTACK.",
        &[("THE SO-CALLED NIGHTWALKERS", Tie::Claims)],
    );
    check("The attack was claimed by the Lakeside Front.", &[("the Lakeside Front", Tie::Claims)]);
}

#[test]
fn accusations_name_the_accused_and_not_the_accuser() {
    check("The governor blamed the Lakeside Front for the attack.", &[("the Lakeside Front", Tie::Accused)]);
    check("POLICE HAVE ATTRIBUTED THE MURDER OF JOHN SMITH TO THE DRUG MAFIAS.", &[("THE DRUG MAFIAS", Tie::Accused)]);
    check("THE ATTACK WAS APPARENTLY THE WORK OF THE LAKESIDE FRONT.", &[("THE LAKESIDE FRONT", Tie::Accused)]);
    check("THE ARMY REJECTED CHARGES BY THE LAKESIDE FRONT.", &[("THE ARMY", Tie::Denies)]);
    let webb = "Michael Webb, 51, of Grapevine, was arrested on suspicion of kidnapping the child.";
    assert_eq!(found("Who kidnapped the girl in Fort Worth?", webb), [("Michael Webb".to_owned(), Tie::Accused)]);
}

#[test]
fn denied_negated_and_hypothetical_deeds_are_no_reports() {
    check("The Red Brigade has denied it carried out the bombing.", &[("The Red Brigade", Tie::Denies)]);
    check("The minister denied that the Northern Army had attacked the town.", &[("the Northern Army", Tie::Denies)]);
    check("The Red Front denied any part in the attack.", &[("The Red Front", Tie::Denies)]);
    check("The Red Front had nothing to do with the attack.", &[("The Red Front", Tie::Denies)]);
    check("The Red Front did not deny the attack.", &[]);
    check("Bandits have not attacked the village, the governor said.", &[]);
    check("No group has claimed responsibility for the attack.", &[]);
    check("Officials asked whether the Northern Army attacked the bridge.", &[]);
}

#[test]
fn a_name_near_the_deed_is_not_its_doer() {
    check("The attack was carried out near the Government House by masked men.", &[("masked men", Tie::Does)]);
    check("THE CONVOY WAS ATTACKED ON THE FARM OWNED BY JOHN SMITH.", &[]);
    check("The government strongly condemned the attack and announced its plans to carry out an investigation.", &[]);
    check("Two soldiers killed in the attack were buried on Monday.", &[]);
}
