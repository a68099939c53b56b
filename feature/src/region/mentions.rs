//! Countries that a text names, told from people, towns and states of their names.

use super::{Regions, joined};
use domain::text::words;
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::LazyLock,
};

/// Most words of a name.
const MAX_WORDS: usize = 9;
/// Countries that are names of people, too. Beside another capital letter they are no place: "Michael Jordan".
const NAMES_OF_PEOPLE: [&str; 2] = ["jordan", "chad"];
/// Country whose name a state of the United States has, too, with its code.
const GEORGIA: (&str, &str) = ("Georgia", "268");
/// Code of the country whose states make towns of other countries.
const UNITED_STATES: &str = "840";
/// Signs that end the name of a state behind that of a town.
const ENDS_OF_NAMES: [char; 6] = ['.', '\n', '–', '—', '"', '”'];
/// Words that may begin a sentence before the name of a country.
const BEFORE_PLACES: [&str; 10] = ["across", "and", "around", "for", "from", "in", "near", "northern", "southern", "to"];
/// Abbreviations that are found, in capitals only, with their countries (ISO 3166-1 alpha-2).
const ABBREVIATIONS: [(&str, &str); 5] = [("DRC", "CD"), ("UAE", "AE"), ("UK", "GB"), ("US", "US"), ("USA", "US")];

/// Names by which a text may name a country.
#[derive(Clone, Copy)]
enum NameKind {
    Country,
    CountryOrCapital,
}

/// Mention of a country in a text.
struct Mention<'a> {
    code: &'a str,
    /// Whether its name ends a piece of the text.
    is_last: bool,
    /// Whether it is the country of one who acts or speaks elsewhere.
    is_abroad: bool,
}

/// Words that tell a country from a town or state of the same name.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Homonyms {
    /// States of the United States, with their abbreviations.
    states: Vec<String>,
    /// Words of texts on Georgia, the country.
    country: HashSet<String>,
    /// Words of texts on Georgia, the state.
    state: HashSet<String>,
    /// Words that follow "Georgia" only where it is the state.
    after_state: HashSet<String>,
    /// Words before a comma that name no town.
    no_towns: HashSet<String>,
}

static HOMONYMS: LazyLock<Homonyms> = LazyLock::new(|| {
    toml::from_str(include_str!("../../homonyms.toml")).unwrap_or_else(|error| {
        tracing::error!(%error, "homonyms of countries unreadable");
        Homonyms::default()
    })
});

impl Regions {
    /// Returns the countries that a text names.
    pub fn countries_in(&self, text: &str) -> BTreeSet<&str> {
        self.mentions(text, NameKind::Country).into_iter().map(|mention| mention.code).collect()
    }

    /// Returns the countries in which a text places what it tells. Those who act or speak elsewhere have none: "U.S. officials".
    pub fn places_in(&self, text: &str) -> BTreeSet<&str> {
        self.places(text, NameKind::Country)
    }

    /// Returns the country that most texts name as a place, by its own name or that of its capital; the first code among equals.
    pub fn most_named(&self, texts: &[&str]) -> Option<&str> {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for code in texts.iter().flat_map(|text| self.places(text, NameKind::CountryOrCapital)) {
            *counts.entry(code).or_default() += 1;
        }
        counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(code, _)| code)
    }

    fn places(&self, text: &str, kind: NameKind) -> BTreeSet<&str> {
        let mentions = self.mentions(text, kind).into_iter().filter(|mention| !mention.is_abroad);
        mentions.map(|mention| mention.code).collect()
    }

    /// Returns the mentions of countries in a text. A name does not go on behind a comma or the like, but a state there makes it a
    /// town: "Lebanon, Pennsylvania".
    fn mentions(&self, text: &str, kind: NameKind) -> Vec<Mention<'_>> {
        let is_shouted = !text.contains(char::is_lowercase);
        let pieces: Vec<&str> = text.split([',', ';', ':', '(', ')', '!', '?']).collect();
        let names_georgia = words(text).any(|word| word.eq_ignore_ascii_case(GEORGIA.0));
        let is_georgia_a_state = names_georgia && self.is_georgia_the_state(text, &pieces);
        let names_state = |piece: &str| is_state(piece) || (is_georgia_a_state && is_alone(piece, GEORGIA.0));
        let is_before_state =
            |n: usize| pieces.get(n + 1).is_some_and(|next| names_state(next)) && !continues_list(pieces.get(n + 2));
        let mut found = vec![];
        for (n, piece) in pieces.iter().enumerate() {
            let is_town = |mention: &Mention<'_>| mention.is_last && mention.code != UNITED_STATES && is_before_state(n);
            found.extend(self.mentions_in_piece(piece, kind, is_shouted).into_iter().filter(|mention| !is_town(mention)));
        }
        if is_georgia_a_state {
            found.retain(|mention| mention.code != GEORGIA.1);
        }
        found
    }

    /// Returns whether "Georgia" is the state in a text: by words of the text, or behind the name of a town.
    fn is_georgia_the_state(&self, text: &str, pieces: &[&str]) -> bool {
        let words: Vec<&str> = words(text).collect();
        if words.iter().any(|word| HOMONYMS.country.contains(*word)) {
            return false;
        }
        let is_town = |piece: &str| {
            let last = domain::text::words(piece).last();
            last.is_some_and(|word| is_name(word) && !HOMONYMS.no_towns.contains(word))
                && self.mentions_in_piece(piece, NameKind::Country, false).last().is_none_or(|mention| !mention.is_last)
        };
        words.iter().any(|word| HOMONYMS.state.contains(*word))
            || words.windows(2).any(|pair| pair[0] == GEORGIA.0 && HOMONYMS.after_state.contains(pair[1]))
            || pieces.windows(2).any(|pair| is_alone(pair[1], GEORGIA.0) && is_town(pair[0]))
    }

    fn mentions_in_piece(&self, piece: &str, kind: NameKind, is_shouted: bool) -> Vec<Mention<'_>> {
        let (words, mut found, mut at) = (words(piece).collect::<Vec<&str>>(), vec![], 0);
        while at < words.len() {
            let longest = if is_name(words[at]) { MAX_WORDS.min(words.len() - at) } else { 0 };
            let hit = (1..=longest).rev().find_map(|count| {
                let name = &words[at..at + count];
                if is_shouted && count == 1 && self.words.shouted.contains(name[0]) {
                    return None;
                }
                let capital = || match kind {
                    NameKind::Country => None,
                    NameKind::CountryOrCapital => self.capitals.get(&joined(name)).map(String::as_str),
                };
                let code = self.country(name).or_else(capital)?;
                Some((count, code))
            });
            let Some((count, code)) = hit else {
                at += 1;
                continue;
            };
            if !code.is_empty() && !is_person(&words, at) {
                let next = words.get(at + count).map(|word| word.to_lowercase());
                let is_abroad = next.is_some_and(|next| self.words.abroad.contains(&next));
                found.push(Mention { code, is_last: at + count == words.len(), is_abroad });
            }
            at += count;
        }
        found
    }

    /// Returns the country of a text that is its name, and nothing else.
    pub fn country_named(&self, text: &str) -> Option<&str> {
        self.country(&words(text).collect::<Vec<_>>()).filter(|code| !code.is_empty())
    }

    /// Returns the country of a name, given as its words.
    fn country(&self, words: &[&str]) -> Option<&str> {
        // "U.S." has two words of one letter each.
        if words.len() == 1 || words.iter().all(|word| word.len() == 1) {
            let name = words.concat();
            if let Some((_, alpha2)) = ABBREVIATIONS.iter().find(|(abbreviation, _)| *abbreviation == name) {
                return self.by_alpha2.get(*alpha2).map(String::as_str);
            }
        }
        self.countries.get(&joined(words)).map(String::as_str)
    }
}

/// Returns whether a piece of a text is a name, and nothing else in its sentence.
fn is_alone(piece: &str, name: &str) -> bool {
    piece.trim().strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(ENDS_OF_NAMES))
}

fn is_state(piece: &str) -> bool {
    HOMONYMS.states.iter().any(|state| is_alone(piece, state))
}

/// Returns whether a piece of a text goes on with a list: "Mexico, Texas, and California".
fn continues_list(piece: Option<&&str>) -> bool {
    piece.and_then(|piece| words(piece).next()).is_some_and(|word| ["and", "or"].contains(&word))
}

fn is_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// Returns whether a word is part of the name of a person.
fn is_person(words: &[&str], at: usize) -> bool {
    let is_before = |word: &str| is_name(word) && !BEFORE_PLACES.contains(&word.to_lowercase().as_str());
    NAMES_OF_PEOPLE.contains(&words[at].to_lowercase().as_str())
        && (at.checked_sub(1).is_some_and(|before| is_before(words[before]))
            || words.get(at + 1).is_some_and(|word| is_name(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(text: &str) -> &'static str {
        let regions = Regions::shared();
        regions.common(regions.countries_in(text)).label()
    }

    #[test]
    fn countries_are_found_by_their_names() {
        for (text, label) in [
            ("Dockers in Romania walked out.", "Romania"),
            ("Prices doubled across Mali, traders said", "Mali"),
            ("in the UK", "United Kingdom"),
            ("the United Kingdom and its ports", "United Kingdom"),
            ("Russia cut the supply", "Russia"),
            ("in Bolivia, farmers", "Bolivia"),
            ("Protests in Viet Nam", "Vietnam"),
            ("French farmers blocked roads.", "France"),
            ("Police in Northern Ireland", "United Kingdom"),
            ("Nurses in England", "United Kingdom"),
            ("Britain and its ports", "United Kingdom"),
            ("Troops of America left.", "United States"),
            ("A strike in New Jersey", "United States"),
            ("In Jordan, teachers", "Jordan"),
            ("Teachers in Amman, Jordan", "Jordan"),
            ("Oil spilled in the Niger Delta", "Nigeria"),
        ] {
            assert_eq!(region(text), label, "{text}");
        }
    }

    #[test]
    fn several_countries_share_their_smallest_area() {
        assert_eq!(region("Mali and Niger closed the border"), "Western Africa");
        assert_eq!(region("France and Mali"), "World");
        assert_eq!(region("The Varrow Lock, a turkey and china cups"), "No country named");
    }

    #[test]
    fn names_that_only_look_like_a_country_name_none() {
        for text in [
            "The Gulf of Mexico",
            "Michael Jordan scored.",
            "Chad Smith resigned.",
            "Farmers of South America",
            "The coast of New Guinea",
        ] {
            assert_eq!(Regions::shared().countries_in(text), BTreeSet::new(), "{text}");
        }
        assert_eq!(Regions::shared().countries_in("Gaza").len(), 1);
    }

    /// The first ten were looked at while the rule was written. The others are from texts of others, found afterwards.
    #[test]
    fn a_town_or_state_of_the_name_of_a_country_is_not_found_as_one() {
        for (text, labels) in [
            ("A fire in Atlanta, Georgia", vec![]),
            ("A student from Marietta, Georgia, and her brother", vec![]),
            ("Georgia governor signs a bill", vec![]),
            ("A flood in Peru, Ind., closed a mill.", vec![]),
            ("Paris, Texas", vec![]),
            ("New Mexico, Missouri, Oregon", vec!["United States"]),
            ("Protests in Tbilisi, Georgia", vec!["Georgia"]),
            ("Ukraine, Moldova, Georgia.", vec!["Georgia", "Moldova", "Ukraine"]),
            ("In August, Georgia, which borders Turkey, closed a road.", vec!["Georgia", "Türkiye"]),
            ("Mexico, Texas, and California sued.", vec!["Mexico"]),
            // Found afterwards.
            ("An advisory firm (Marietta, Georgia).", vec![]),
            ("St. Petersburg, Florida and Marietta, Georgia", vec![]),
            ("Five kids from Lebanon, Pennsylvania, who could have been anything", vec![]),
            ("Sixth and Walnut Streets in Lebanon, Pennsylvania.  It is a repository", vec![]),
            ("Born in Mexico, Missouri, Dr. McKeown brings over 30 years", vec![]),
            ("North Sea, Gulf of Mexico, Texas", vec![]),
            ("Egypt, Turkey, Georgia, Pakistan and Mali", vec!["Egypt", "Georgia", "Mali", "Pakistan", "Türkiye"]),
            ("Georgia's parliament adopts AI law", vec!["Georgia"]),
            ("Russia's invasion of Georgia in August 2008 featured strikes.", vec!["Georgia", "Russia"]),
            ("Vacancies in Georgia (Tbilisi)", vec!["Georgia"]),
        ] {
            let regions = Regions::shared();
            let mut found: Vec<&str> = regions.countries_in(text).into_iter().map(|code| regions.label(code)).collect();
            found.sort_unstable();
            assert_eq!(found, labels, "{text}");
        }
    }

    #[test]
    fn words_that_are_spelled_like_a_country_name_none() {
        for text in [
            "THEY THREATENED US, AND GAVE US A DAY TO LEAVE.",
            "I ran to the quay.",
            "To go on was too dangerous.",
            "WE WANT TO GO HOME",
        ] {
            assert_eq!(Regions::shared().countries_in(text), BTreeSet::new(), "{text}");
        }
        assert_eq!(region("ALL PORTS OF THE U.S. ARE CLOSED"), "United States");
        assert_eq!(region("The US closed its ports."), "United States");
    }

    #[test]
    fn one_who_acts_or_speaks_elsewhere_is_no_place() {
        let regions = Regions::shared();
        for (text, label) in [
            ("U.S. officials said that two dockers were killed.", "No country named"),
            ("THE U.S. EMBASSY CONDEMNED THE KILLING", "No country named"),
            ("French troops fired on the crowd near the Varrow Lock.", "No country named"),
            ("German-trained guards beat nurses in Kenya.", "Kenya"),
            ("The Cuban ambassador to Chile warned of riots.", "Chile"),
            ("French farmers blocked roads.", "France"),
            ("U.S. nurses are on strike.", "United States"),
        ] {
            assert_eq!(regions.common(regions.places_in(text)).label(), label, "{text}");
        }
        assert_eq!(region("U.S. officials said so."), "United States", "it is named all the same");
    }

    #[test]
    fn the_country_of_a_document_is_the_one_that_most_of_its_sentences_name() {
        let most = |texts: &[&str]| Regions::shared().most_named(texts).map(|code| Regions::shared().label(code));
        let dockers = "Two dockers were killed at the Varrow Lock.";
        let (said, left) = ("U.S. officials said so.", "American envoys left.");
        assert_eq!(most(&["In Lisbon, dockers marched.", said, left, dockers]), Some("Portugal"));
        assert_eq!(most(&["The march in Oslo went on.", "Norway has no such law.", "Sweden has one."]), Some("Norway"));
        assert_eq!(most(&[said, dockers]), None);
        assert_eq!(most(&["A fire in Athens, Georgia", "A march in Rome, Georgia.", "A flood in Paris, Texas."]), None);
        assert_eq!(most(&["A fire in Athens, Georgia", "A march in Athens."]), Some("Greece"));
        assert_eq!(most(&["Washington, Sofia and Victoria are names of people."]), None);
    }
}
