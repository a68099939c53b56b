//! Check that a document prints a name, regardless of case, accents, punctuation and endings. A name that no text states is
//! invented, and invented aliases would merge strangers.

use super::fold::fold;
use std::cell::OnceCell;
use unicode_normalization::UnicodeNormalization;

/// Words that join two names of which the second alone has the common part: "Barack and Michelle Obama".
const JOINING: [&str; 9] = ["and", "und", "et", "y", "e", "i", "en", "og", "och"];
/// Words between two words of a name of which the first is one of `JOINING`; at least one more follows.
const MAX_JOINED: usize = 3;
/// Words inside a name: "Green Party of the United States".
const LINKS: [&str; 22] = [
    "of", "the", "for", "and", "in", "on", "at", "a", "an", "de", "la", "le", "du", "des", "del", "di", "da", "der", "die",
    "das", "von", "und",
];
/// Words among which the words of a description stand: "Lind, the mayor" for "Mayor Lind".
const NEAR: usize = 20;
/// Longest ending by which two forms of a word differ, in letters.
const MAX_ENDING: usize = 3;
/// Least number of letters of a word that takes endings.
const MIN_STEM: usize = 4;
/// Least number of letters of a surname that stands alone.
const MIN_SURNAME: usize = 3;

/// The texts of a document and of its header, folded when a name does not stand in them letter by letter.
pub struct PrintedNames<'a> {
    texts: Vec<&'a str>,
    folded: OnceCell<FoldedTexts>,
    /// Every name counts as printed.
    accepts_all: bool,
}

struct FoldedTexts {
    words: Vec<String>,
    /// The words without spaces, with the place where each begins and the end.
    joined: String,
    starts: Vec<usize>,
}

impl<'a> PrintedNames<'a> {
    pub fn new(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self { texts: texts.into_iter().collect(), folded: OnceCell::new(), accepts_all: false }
    }

    /// For answers that are played back: what they name was judged when they were recorded.
    pub fn accepting_all() -> Self {
        Self { texts: vec![], folded: OnceCell::new(), accepts_all: true }
    }

    /// Returns whether the document prints `name`: its words together, or, of a name with descriptive words ("the Ebrin Fire leaflet"),
    /// the proper ones together and the others anywhere.
    pub fn has(&self, name: &str) -> bool {
        if self.accepts_all || self.has_plainly(name.trim()) || self.folded().has(name) {
            return true;
        }
        let Parts { proper, described } = Parts::new(name);
        let parts = || proper.iter().map(String::as_str).chain(described.iter().copied());
        !proper.is_empty() && !described.is_empty() && parts().all(|part| self.has_plainly(part) || self.folded().has(part))
    }

    /// Returns whether the document prints the proper words of a description near each other: "Mayor Lind", "unnamed source of Heron".
    /// A description without one names no person.
    pub fn has_described(&self, description: &str) -> bool {
        if self.accepts_all {
            return true;
        }
        let Parts { proper, .. } = Parts::new(description);
        self.has_plainly(description.trim()) || proper.iter().all(|part| self.has_plainly(part) || self.folded().has_near(part))
    }

    /// Returns the longest ending of a person's name that the document prints letter by letter: "Trump" of "Donald Trump". An
    /// ending without a name, such as "Jr.", is left out.
    pub fn ending_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        let name = name.trim();
        let endings = name.match_indices(char::is_whitespace).map(|(at, _)| name[at..].trim_start());
        let is_name = |word: &str| {
            let letters = word.chars().filter(|c| c.is_alphabetic());
            letters.count() >= MIN_SURNAME && word.chars().any(char::is_lowercase)
        };
        let mut named =
            endings.filter(|ending| ending.starts_with(char::is_uppercase) && ending.split_whitespace().any(is_name));
        named.find(|ending| self.has_plainly(ending))
    }

    fn has_plainly(&self, name: &str) -> bool {
        let ends_word = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        let is_whole = |text: &str, at: usize| {
            ends_word(text[..at].chars().next_back()) && ends_word(text[at + name.len()..].chars().next())
        };
        let stands = |text: &&str| text.match_indices(name).any(|(at, _)| is_whole(text, at));
        name.chars().any(char::is_alphanumeric) && self.texts.iter().any(stands)
    }

    fn folded(&self) -> &FoldedTexts {
        self.folded.get_or_init(|| FoldedTexts::new(&self.texts))
    }
}

/// Parts of a name: runs of words with a capital, and the words that describe.
struct Parts<'a> {
    proper: Vec<String>,
    described: Vec<&'a str>,
}

impl<'a> Parts<'a> {
    fn new(name: &'a str) -> Self {
        let (mut proper, mut described): (Vec<String>, Vec<&str>) = (vec![], vec![]);
        // Linking words since the last proper one; none after a descriptive one.
        let mut links: Option<Vec<&str>> = None;
        for word in name.split_whitespace() {
            let is_proper = word.chars().find(|c| c.is_alphanumeric()).is_some_and(|c| c.is_uppercase() || c.is_numeric());
            let is_link = LINKS.contains(&word);
            match (is_proper, links.as_mut(), proper.last_mut()) {
                (true, Some(between), Some(run)) => {
                    between.drain(..).chain([word]).for_each(|word| run.extend([" ", word]));
                }
                (true, ..) => {
                    proper.push(word.to_owned());
                    links = Some(vec![]);
                }
                (false, Some(between), _) if is_link => between.push(word),
                (false, ..) => {
                    described.extend(Some(word).filter(|_| !is_link));
                    links = None;
                }
            }
        }
        Self { proper, described }
    }
}

impl FoldedTexts {
    fn new(texts: &[&str]) -> Self {
        let (mut words, mut joined, mut starts) = (vec![], String::new(), vec![]);
        for text in texts {
            for word in words_of(text).into_iter().chain(["\0".to_owned()]) {
                starts.push(joined.len());
                joined.push_str(&word);
                words.push(word);
            }
        }
        starts.push(joined.len());
        Self { words, joined, starts }
    }

    fn has(&self, name: &str) -> bool {
        let wanted = words_of(name);
        !wanted.is_empty() && (self.has_letters(name, &wanted.concat()) || self.has_forms(&wanted))
    }

    fn has_near(&self, description: &str) -> bool {
        self.has(description) || self.are_near(&words_of(description))
    }

    /// Whether forms of all these words stand within `NEAR` words. Reads the text once for each word.
    fn are_near(&self, wanted: &[String]) -> bool {
        let found = wanted.iter().enumerate().flat_map(|(n, wanted)| {
            let is_form = move |word: &String| is_form_of(wanted, word);
            self.words.iter().enumerate().filter(move |(_, word)| is_form(word)).map(move |(at, _)| (at, n))
        });
        let mut found: Vec<(usize, usize)> = found.collect();
        found.sort_unstable();
        // The last place of each word, up to the place looked at.
        let mut last: Vec<Option<usize>> = vec![None; wanted.len()];
        found.into_iter().any(|(at, n)| {
            last[n] = Some(at);
            last.iter().all(|last| last.is_some_and(|last| at - last < NEAR))
        })
    }

    /// Whether the letters stand from the beginning of a word to the end of one. Scripts without capitals have words without spaces.
    fn has_letters(&self, name: &str, letters: &str) -> bool {
        let is_uncased = name.chars().any(|c| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase());
        let is_boundary = |at: usize| self.starts.binary_search(&at).is_ok();
        let mut found = self.joined.match_indices(letters);
        found.any(|(at, _)| is_uncased || (is_boundary(at) && is_boundary(at + letters.len())))
    }

    fn has_forms(&self, wanted: &[String]) -> bool {
        (0..self.words.len()).any(|at| self.has_forms_at(wanted, at))
    }

    fn has_forms_at(&self, wanted: &[String], mut at: usize) -> bool {
        for (n, wanted) in wanted.iter().enumerate() {
            let is_here = |at: usize| self.words.get(at).is_some_and(|word| is_form_of(wanted, word));
            if !is_here(at) {
                let is_joining = n > 0 && self.words.get(at).is_some_and(|word| JOINING.contains(&word.as_str()));
                match (at + 2..=at + MAX_JOINED).find(|at| is_joining && is_here(*at)) {
                    Some(further) => at = further,
                    None => return false,
                }
            }
            at += 1;
        }
        true
    }
}

fn words_of(text: &str) -> Vec<String> {
    let composed: String = text.nfkc().collect();
    let (words, _) = fold(&composed, usize::MAX, usize::MAX);
    words.into_iter().map(|word| if word.foreign { word.native } else { word.text }).collect()
}

/// Whether two words are forms of one: equal but for a short ending.
fn is_form_of(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    // Forms begin alike: most different pairs are excluded here.
    if one.chars().next() != other.chars().next() {
        return false;
    }
    let (long, short) = (one.chars().count().max(other.chars().count()), one.chars().count().min(other.chars().count()));
    let shared = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let is_latin = one.is_ascii();
    let least =
        if is_latin { (MIN_STEM + 1).max(long.saturating_sub(2)) } else { MIN_STEM.max(long.saturating_sub(MAX_ENDING)) };
    let has_ending = shared == short && short >= MIN_STEM && long - short <= MAX_ENDING;
    !one.bytes().any(|byte| byte.is_ascii_digit()) && (has_ending || shared >= least)
}

#[cfg(test)]
mod tests {
    use super::PrintedNames;

    const TEXT: &str = "Recep Tayyip Erdoğan met Barack and Michelle Obama, the FETÖ network\u{2019}s critics, in Inter-\nnational City. \
        Jill Stein of the Green party spoke in the United States; so did Lloyd\u{2019}s agents and seven others of the CIA. \
        Путина сопровождал Сергей Лавров, встреча в Москве. 北京市で会談した。 وقال الرئيس أردوغان. Merkels Büro und die U.S. Navy schwiegen.";

    #[test]
    fn a_printed_name_is_found_in_any_spelling_and_inflection() {
        let printed = PrintedNames::new([TEXT, "www.theguardian.com", "Mayor of Brae resigns"]);
        for name in [
            "Erdogan",
            "ERDOĞAN",
            "Tayyip Erdoğan",
            "Barack Obama",
            "Michelle Obama",
            "FETO",
            "International City",
            "Green Party",
            "Lloyd's",
            "Lloyds",
            "Путин",
            "Сергея Лаврова",
            "Москва",
            "北京",
            "أردوغان",
            "Merkel",
            "US Navy",
            "The Guardian",
            "Brae",
        ] {
            assert!(printed.has(name), "{name}");
        }
    }

    #[test]
    fn an_invented_name_is_not_found() {
        let printed = PrintedNames::new([TEXT, "www.theguardian.com"]);
        for name in [
            "Agent Seven",
            "Green Party of the United States",
            "Central Intelligence Agency",
            "Green States",
            "Michelle Stein",
            "ISI",
            "Obamas Network",
            "Сергей Путин",
            "上海",
            "guardian agents",
            "Lloyd 7",
            "",
            "—",
        ] {
            assert!(!printed.has(name), "{name}");
        }
    }

    #[test]
    fn the_printed_ending_of_a_name_is_its_surname() {
        let printed = PrintedNames::new(["Mr. Stein Jr. met Mr. van Dam, seven others and Stein Lind in Brae."]);
        for (name, ending) in [
            ("Jill Stein", Some("Stein")),
            ("Ana Stein Lind", Some("Stein Lind")),
            ("Bo van Dam", Some("Dam")),
            ("Agent Seven", None),
            ("Bo Lund Jr.", None),
            ("Stein", None),
        ] {
            assert_eq!(printed.ending_of(name), ending, "{name}");
        }
    }

    #[test]
    fn a_description_names_a_person_by_adjacent_words() {
        let printed = PrintedNames::new([
            "\u{201c}It leaked,\u{201d} said Ana Lind, the mayor of Brae. The dam was shut and nobody was hurt.",
        ]);
        for named in
            ["Mayor Ana Lind", "the mayor of Brae", "Lind", "office of Ana Lind", "unnamed sources", "", "a colleague of Lind"]
        {
            assert!(printed.has_described(named), "{named}");
        }
        for invented in ["Mayor Bo Lind", "Governor Brisk", "office of Reuters"] {
            assert!(!printed.has_described(invented), "{invented}");
        }
    }
}
