//! Proper names in a text: persons, organisations, places and others, in mixed case and in text wholly in capitals.
//!
//! Three steps: candidates (`mixed`, `capitals`), their kind from the evidence of the whole document (`classify`), and
//! acronyms with the long forms that introduce them (`acronyms`).

mod acronyms;
mod capitals;
mod classify;
mod mixed;

use std::collections::HashSet;
use std::ops::Range;

use super::span::Span;
use super::{Case, Class, ClassSet, Gap, Text, TokenKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Person,
    Organisation,
    Place,
    Other,
}

/// One name at one place of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    pub span: Span,
    pub kind: Kind,
    /// The name as it is usually written: one space between words, a country for its demonym, no wall of capitals.
    pub canonical: String,
    /// An adjective or people's name that refers to a place: "Salvadoran".
    pub demonym: bool,
    /// The mention of the long form that this acronym was introduced with, or of the acronym for a long form in brackets.
    pub acronym_of: Option<usize>,
}

/// Small words inside a name.
const JOINING: ClassSet = ClassSet::from_classes(&[Class::Particle, Class::Preposition, Class::Conjunction, Class::Determiner]);
/// A listed organisation with a longer name than this is a name and no acronym.
const LISTED_ACRONYM_MAX: usize = 5;

/// A run of tokens that may be a name.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub tokens: Range<usize>,
    pub kind: Option<Kind>,
    pub demonym: bool,
    /// A title or role stands before it: "Gen. Rafael Bustillo".
    pub titled: bool,
    /// Only kept if the same words are a name elsewhere in the text.
    pub doubtful: bool,
}

impl Candidate {
    pub fn new(tokens: Range<usize>) -> Self {
        Self { tokens, kind: None, demonym: false, titled: false, doubtful: false }
    }
}

impl Text<'_> {
    /// All names, in order, never overlapping.
    pub fn mentions(&self) -> Vec<Mention> {
        let mut candidates = self.candidates();
        let links = self.link_acronyms(&mut candidates);
        let kinds = self.classify(&candidates, &links);
        let mut renumbered = vec![None; candidates.len()];
        let mut mentions = Vec::new();
        for (index, candidate) in candidates.iter().enumerate() {
            let Some(kind) = kinds[index] else { continue };
            renumbered[index] = Some(mentions.len());
            mentions.push(Mention {
                span: self.span_of(candidate.tokens.clone()),
                kind,
                canonical: self.canonical(candidate, kind),
                demonym: candidate.demonym,
                acronym_of: links[index],
            });
        }
        for mention in &mut mentions {
            mention.acronym_of = mention.acronym_of.and_then(|index| renumbered[index]);
        }
        mentions
    }

    fn candidates(&self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        let mut start = 0;
        while let Some(first) = self.tokens.get(start) {
            let end = start + self.tokens[start..].partition_point(|token| token.paragraph == first.paragraph);
            match self.in_capitals(first) {
                true => self.capital_candidates(start, end, &mut candidates),
                false => self.mixed_candidates(start, end, &mut candidates),
            }
            start = end;
        }
        self.add_known_surnames(&mut candidates);
        candidates
    }

    /// In capitals, a family name that is an ordinary word is seen only behind a title or given name; this finds the rest.
    fn add_known_surnames(&self, candidates: &mut Vec<Candidate>) {
        let surname = |candidate: &Candidate| {
            let last = &self.tokens[candidate.tokens.end - 1];
            let person = candidate.titled || self.tokens[candidate.tokens.start].is(Class::Given);
            (person && last.is(Class::Surname) && self.in_capitals(last)).then_some(&*last.fold)
        };
        let known: HashSet<&str> = candidates.iter().filter_map(surname).collect();
        if known.is_empty() {
            return;
        }
        let mut taken = vec![false; self.tokens.len()];
        candidates.iter().for_each(|candidate| taken[candidate.tokens.clone()].fill(true));
        let found = (0..self.tokens.len())
            .filter(|at| !taken[*at] && self.in_capitals(&self.tokens[*at]) && known.contains(&*self.tokens[*at].fold));
        let found: Vec<Candidate> = found.map(|at| Candidate { titled: true, ..Candidate::new(at..at + 1) }).collect();
        candidates.extend(found);
        candidates.sort_by_key(|candidate| candidate.tokens.start);
    }

    fn canonical(&self, candidate: &Candidate, kind: Kind) -> String {
        let surface = self.span_of(candidate.tokens.clone()).slice(self.source);
        let listed = self.lexicon.country_of(surface).or_else(|| self.lexicon.place(surface));
        if let Some(place) = listed.filter(|_| kind == Kind::Place) {
            return place.to_owned();
        }
        let shout = self.in_capitals(&self.tokens[candidate.tokens.start]) && surface.len() > 1;
        let mut words = surface.split_whitespace().peekable();
        let mut name = String::with_capacity(surface.len());
        let single = candidate.tokens.len() == 1;
        while let Some(word) = words.next() {
            let keep = !shout || word.chars().any(char::is_lowercase) || (single && self.reads_as_acronym(word, kind));
            let joined = name.ends_with(" de ") || name.ends_with(" del ");
            if keep {
                name.push_str(word)
            } else {
                name.push_str(&self.title_case(word, name.is_empty(), joined))
            }
            if words.peek().is_some() {
                name.push(' ');
            }
        }
        name
    }

    fn reads_as_acronym(&self, word: &str, kind: Kind) -> bool {
        const SHORT: usize = 4;
        let vowels = word.chars().filter(|letter| "AEIOUY".contains(*letter)).count();
        let listed = self.lexicon.is(Class::OrgAcronym, word);
        listed || word.contains('.') || vowels == 0 || (kind == Kind::Organisation && word.len() <= SHORT + 1)
    }

    fn title_case(&self, word: &str, first: bool, after_particle: bool) -> String {
        let folded = super::fold(word);
        let classes = self.lexicon.classes(&folded);
        let article = classes.has(Class::SaintPrefix) && !after_particle;
        if !first && !article && classes.any(JOINING) {
            return word.to_lowercase();
        }
        let numeral = classes.has(Class::NameSuffix) && word.chars().all(|letter| "IVX".contains(letter));
        let acronym = classes.has(Class::OrgAcronym) && word.len() <= LISTED_ACRONYM_MAX
            || word.chars().all(|letter| "BCDFGHJKLMNPQRSTVWXZ".contains(letter));
        let coded = word.contains('-') && word.chars().any(|character| character.is_ascii_digit());
        if word.contains('.') && word.len() <= 6 || numeral || coded || (acronym && !classes.has(Class::Honorific)) {
            return word.to_owned();
        }
        let mut fresh = true;
        let cased = word.chars().flat_map(|letter| {
            let cased: Vec<char> = if fresh { vec![letter] } else { letter.to_lowercase().collect() };
            fresh = matches!(letter, '-' | '/' | '.' | '(') || (letter == '\'' && word.find('\'') == Some(1));
            cased
        });
        cased.collect()
    }

    /// A word of a name: written with a capital where capitals say something, and no word of grammar.
    pub(super) fn is_name_token(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        if !token.is_capital() || token.is_possessive() {
            return false;
        }
        if token.is(Class::PlainAcronym) && token.case == Case::Upper && !token.is(Class::OrgAcronym) {
            return at > 0 && token.is(Class::NameSuffix) && self.tokens[at - 1].is_capital();
        }
        let initial =
            token.span.len() == 1 && self.tokens.get(at + 1).is_some_and(|next| next.is_mark(".") && next.gap == Gap::None);
        if initial && self.tokens.get(at + 2).is_some_and(|next| next.is_capital() && next.gap < Gap::Wide) {
            return true;
        }
        if token.is_function() || token.is(Class::Weekday) || token.is(Class::Month) && !self.is_month_as_name(at) {
            return token.case == Case::Upper && token.span.len() > 1 && token.is(Class::Place);
        }
        true
    }

    /// "German Reyes", and not "German police": an adjective of a place that is a given name too.
    pub(super) fn is_given_name(&self, at: usize) -> bool {
        let next = self.tokens.get(at + 1).filter(|next| next.gap < Gap::Paragraph);
        self.tokens[at].is(Class::Given) && next.is_some_and(|next| next.is(Class::Surname) && next.is_capital())
    }

    /// "a broadcast in Spanish to Ebrin": the language, and not its country.
    pub(super) fn is_language(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let single = token.is(Class::Demonym) && !token.fold.ends_with('s');
        let noun = self.tokens.get(at + 1).is_some_and(|next| next.is_word() && !next.is_function());
        single && !noun && at > 0 && &*self.tokens[at - 1].fold == "in"
    }

    /// "April Jones", and not "April 3", "in April", "3 April".
    fn is_month_as_name(&self, at: usize) -> bool {
        let number = |at: usize| self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Number);
        let before = at.checked_sub(1);
        let dated = before.is_some_and(|before| number(before) || self.tokens[before].is(Class::Preposition));
        let next = self.tokens.get(at + 1);
        self.tokens[at].is(Class::Given)
            && !dated
            && !number(at + 1)
            && next.is_some_and(|next| next.is_capital() && !next.is_function())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Lexicon;
    use super::Kind::{Organisation, Other, Person, Place};
    use super::*;

    fn check(text: &str, expect: &[(&str, Kind)]) {
        let mentions = Text::new(Lexicon::english(), text).mentions();
        let found: Vec<(&str, Kind)> = mentions.iter().map(|mention| (mention.canonical.as_str(), mention.kind)).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn titles_initials_and_particles_mark_persons() {
        check(
            "Former President J. R. Smith met Deputy Transport Minister Pia Lodrecht.",
            &[("J. R. Smith", Person), ("Pia Lodrecht", Person)],
        );
        check("US Secretary of State Ann Vale left.", &[("United States", Place), ("Ann Vale", Person)]);
        check("The poet Ana de la Torre and Mr. O'Brien's son left.", &[("Ana de la Torre", Person), ("O'Brien", Person)]);
    }

    #[test]
    fn head_words_mark_organisations_and_places() {
        check(
            "He left the University of Toronto for the Ministry of Health and Welfare in Port Harcourt.",
            &[
                ("University of Toronto", Organisation),
                ("Ministry of Health and Welfare", Organisation),
                ("Port Harcourt", Place),
            ],
        );
        check(
            "Kestravian police closed Quay Street near the River Ebrin.",
            &[("Kestravian", Place), ("Quay Street", Place), ("River Ebrin", Place)],
        );
    }

    #[test]
    fn a_role_before_a_name_makes_it_an_organisation() {
        for role in ["insurer", "operator", "carrier", "contractor", "bank", "utility", "agency"] {
            check(&format!("The {role} Kestrin Ovelle closed the line."), &[("Kestrin Ovelle", Organisation)]);
        }
        check("The insurer Meridian Mutual said that it had paid.", &[("Meridian Mutual", Organisation)]);
        check("The contractor John Smith left.", &[("John Smith", Person)]);
    }

    #[test]
    fn the_first_word_of_a_sentence_needs_more_than_its_capital() {
        check("Police detained two men. Soldiers left Bogota.", &[("Bogota", Place)]);
    }

    #[test]
    fn headings_in_capitals_are_no_part_of_the_name_behind_them() {
        check("UPDATE Ana Gomez left Bogota.", &[("Ana Gomez", Person), ("Bogota", Place)]);
        let report = "POLITICAL BACKGROUND\nAna Gomez left Bogota on Monday, and the police did not say why she went away.";
        check(report, &[("Ana Gomez", Person), ("Bogota", Place)]);
    }

    #[test]
    fn capitals_are_read_by_what_is_no_ordinary_word() {
        check(
            "MAJOR RENE RODRIGUEZ SAID THE ATONAL BATTALION LEFT LA ESPERANZA FARM IN USULUTAN DEPARTMENT ON 3 MAY.",
            &[
                ("Rene Rodriguez", Person),
                ("Atonal Battalion", Organisation),
                ("La Esperanza Farm", Place),
                ("Usulutan Department", Place),
            ],
        );
        check(
            "PRESIDENT BUSH SPOKE OF THE MINISTRY OF DEFENSE.  LATER BUSH LEFT.",
            &[("Bush", Person), ("Ministry of Defense", Organisation), ("Bush", Person)],
        );
    }

    #[test]
    fn brackets_introduce_acronyms_of_any_language() {
        let check = |text: &str, long: &str, short: &str| {
            let mentions = Text::new(Lexicon::english(), text).mentions();
            let acronym = mentions.iter().find(|mention| mention.canonical == short).expect("the acronym");
            assert_eq!(acronym.acronym_of.map(|at| mentions[at].canonical.as_str()), Some(long), "{text}");
        };
        check("GUERRILLAS OF THE ARMY OF NATIONAL LIBERATION [ELN] FLED THE TOWN.", "Army of National Liberation", "ELN");
        check("THE KESTRAVIAN WATERWAYS AUTHORITY [KWA] CLOSED THE LOCK TODAY.", "Kestravian Waterways Authority", "KWA");
        check("The Free Ebrin Front (FEF) has left.", "Free Ebrin Front", "FEF");
    }

    #[test]
    fn words_of_other_languages_and_of_the_calendar_are_no_names() {
        check("Die App starb. Meanwhile Ann Vale left.", &[("App", Other), ("Ann Vale", Person)]);
        check("She shopped on Black Friday in Port Harcourt.", &[("Port Harcourt", Place)]);
        check("Radio Ebrin spoke in Spanish to Ann Vale.", &[("Radio Ebrin", Organisation), ("Ann Vale", Person)]);
        check("GERMAN REYES LEFT.", &[("German Reyes", Person)]);
        check("Questioning Vindman took hours.", &[("Vindman", Other)]);
        check(
            "Die Ministerin hat gestern mit dem Verband und der Gemeinde in Lima eine neue App und das neue Konto der Stadt \
             vorgestellt, wie Ana Gomez und der Vorstand der Bank am Abend sagten.",
            &[("Lima", Place), ("Ana Gomez", Person)],
        );
    }
}
