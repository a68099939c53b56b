//! How passages name, accuse and clear bodies, on invented reports.

use super::tests::{ask, first, named};

const WHO: &str = "Who carried out the attack against the Ostra Pumping Station in Minsmere?";
const EVENT: (&str, &str) = ("a", "Two workers died in the attack against the Ostra Pumping Station in Minsmere.");

/// The first answer when one more sentence follows the event.
fn blamed(sentence: &str) -> String {
    let answer = ask(WHO, &[EVENT, ("a", sentence), ("b", "The Northern Dockers Union met in Minsmere.")]);
    first(&answer).to_owned()
}

#[test]
fn a_body_is_found_in_quotation_marks_behind_brackets_and_beside_a_description() {
    let cases = [
        ("The attack was carried out by a criminal group called \"Hands of Ostra.\"", "Hands of Ostra"),
        ("The Broad Harrow People's Movement (BHPM, opposition) claimed responsibility for the attack.", "(BHPM)"),
        ("The attack was the work of the Nightwatch, the armed wing of the Brand cartel.", "The Nightwatch"),
        ("The attack was attributed to the [Honour] Battalions.", "[Honour] Battalions"),
        ("The attack was carried out by the Maoist Harrow Liberation Army.", "Maoist Harrow Liberation Army"),
    ];
    for (sentence, name) in cases {
        assert!(blamed(sentence).contains(name), "{sentence}: {}", blamed(sentence));
        assert!(blamed(&sentence.to_uppercase()).to_uppercase().contains(&name.to_uppercase()), "{sentence}, in capitals");
    }
}

#[test]
fn what_its_people_and_machines_do_a_body_does() {
    let cases = [
        ("Harrow Army helicopters attacked the station at night.", "Harrow Army"),
        ("The mayor holds the Harrow Army responsible for the attack.", "Harrow Army"),
        ("The attackers were made up of members of the Harrow Liberation Front.", "Harrow Liberation Front"),
        (
            "The Harrow Liberation Front, which had been silent for years, has claimed responsibility.",
            "Harrow Liberation Front",
        ),
    ];
    for (sentence, name) in cases {
        assert!(blamed(sentence).contains(name), "{sentence}: {}", blamed(sentence));
    }
}

#[test]
fn this_group_is_the_group_named_before() {
    let answer = ask(
        WHO,
        &[
            EVENT,
            ("a", "The Harrow Liberation Front has been active in Minsmere since May."),
            ("a", "The members of this group carried out the attack with explosives."),
        ],
    );
    let front = named(&answer, "Harrow Liberation Front").unwrap();
    assert!(first(&answer).contains("Harrow Liberation Front") && front.supporting.contains(&2), "{answer:#?}");
}

#[test]
fn what_nobody_claimed_and_what_was_ruled_out_is_no_support() {
    let answer = ask(
        WHO,
        &[
            EVENT,
            ("a", "No rebel group has claimed responsibility for the attack."),
            ("a", "The attack was carried out by the Brand cartel and not by the Harrow Liberation Front."),
        ],
    );
    assert!(first(&answer).contains("Brand cartel"), "{answer:#?}");
    let front = named(&answer, "Harrow Liberation Front").unwrap();
    assert!(front.supporting.is_empty() && front.against == [2], "{answer:#?}");
}

#[test]
fn whether_a_body_did_it_is_answered_as_who_did_it() {
    let rows = [
        EVENT,
        ("a", "The Harrow Liberation Front claimed responsibility for the attack."),
        ("b", "The Brand cartel denied that it carried out the attack against the Ostra Pumping Station in Minsmere."),
    ];
    let asked =
        |name: &str| ask(&format!("Did the {name} carry out the attack against the Ostra Pumping Station in Minsmere?"), &rows);
    let (front, cartel) = (asked("Harrow Liberation Front"), asked("Brand Cartel"));
    assert!(first(&front).contains("Front did carry") && front.hypotheses[0].supporting.contains(&1), "{front:#?}");
    assert!(first(&cartel).contains("Cartel did not carry") && cartel.hypotheses[0].supporting.contains(&1), "{cartel:#?}");
}
