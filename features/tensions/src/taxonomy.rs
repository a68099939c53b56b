//! Taxonomy: themes, and the words by which documents state strain.
//!
//! Finds stated strain only. Agents find what follows from a statement, and what no document states.

use crate::tension::Severity;
use domain::claim::Mode;
use serde::Deserialize;
use std::sync::LazyLock;

static TAXONOMY: LazyLock<Taxonomy> = LazyLock::new(|| {
    Taxonomy::parse(include_str!("../taxonomy.toml")).unwrap_or_else(|error| {
        tracing::error!(%error, "taxonomy of strain unreadable");
        Taxonomy::default()
    })
});

/// Word that may stand for any ending.
#[derive(Debug, Clone, PartialEq, Eq)]
struct WordPattern {
    text: String,
    is_prefix: bool,
}

/// Words in sequence.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
struct Phrase(Vec<WordPattern>);

/// Theme of tensions.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    pub code: String,
    pub label: String,
    words: Vec<Phrase>,
}

/// Kind of strain, such as a strike.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrainKind {
    pub code: String,
    pub label: String,
    /// Theme where the words of no other stand beside it.
    theme: String,
    pub severity: Severity,
    words: Vec<Phrase>,
    /// Words that count beside one of `beside` only.
    #[serde(default)]
    beside_words: Vec<Phrase>,
    #[serde(default)]
    beside: Vec<Phrase>,
    /// Whether a promise of it is one.
    #[serde(default)]
    includes_promises: bool,
}

/// Themes and kinds of strain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Taxonomy {
    /// Words before a strain that deny it.
    denials: Vec<Phrase>,
    /// Words behind a strain that end it.
    endings: Vec<Phrase>,
    /// Words before a strain that end it. Beside a denial it goes on.
    enders: Vec<Phrase>,
    conditions: Vec<Phrase>,
    /// Words around a strain among which denials, endings and conditions are looked for.
    reach: usize,
    /// Words before a strain among which enders are looked for.
    ender_reach: usize,
    /// Words that begin a clause.
    borders: Vec<Phrase>,
    /// Words that look like others and mean something else.
    exceptions: Vec<Phrase>,
    /// Words of sport, play, art and the laboratory.
    elsewhere: Vec<Phrase>,
    /// Words of the past.
    past: Vec<Phrase>,
    pub themes: Vec<Theme>,
    pub kinds: Vec<StrainKind>,
}

/// Strain that a sentence states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatedStrain<'a> {
    pub kind: &'a StrainKind,
    /// Code of the theme.
    pub theme: &'a str,
    /// Whether the sentence denies it.
    pub is_denied: bool,
}

impl From<String> for Phrase {
    fn from(text: String) -> Self {
        let pattern =
            |word: &str| WordPattern { text: word.trim_end_matches('*').to_lowercase(), is_prefix: word.ends_with('*') };
        let words = text.split(|c: char| c.is_whitespace() || c == '-').filter(|word| !word.is_empty());
        Self(words.map(pattern).collect())
    }
}

impl WordPattern {
    fn matches(&self, word: &str) -> bool {
        if self.is_prefix { word.starts_with(&self.text) } else { word == self.text }
    }
}

impl Phrase {
    /// Returns whether the words begin with the phrase.
    fn begins(&self, words: &[String]) -> bool {
        self.0.len() <= words.len() && self.0.iter().zip(words).all(|(pattern, word)| pattern.matches(word))
    }
}

/// Returns the number of words of the longest phrase with which the words begin.
fn longest(phrases: &[Phrase], words: &[String]) -> Option<usize> {
    phrases.iter().filter(|phrase| phrase.begins(words)).map(|phrase| phrase.0.len()).max()
}

/// Returns whether one of the phrases is in the words.
fn has_one(phrases: &[Phrase], words: &[String]) -> bool {
    (0..words.len()).any(|at| longest(phrases, &words[at..]).is_some())
}

impl Taxonomy {
    pub fn shared() -> &'static Self {
        &TAXONOMY
    }

    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    pub fn theme(&self, code: &str) -> Option<&Theme> {
        self.themes.iter().find(|theme| theme.code == code)
    }

    pub fn kind(&self, code: &str) -> Option<&StrainKind> {
        self.kinds.iter().find(|kind| kind.code == code)
    }

    /// Returns the most severe strain that a statement states, else denies. Forecasts, questions and mere possibilities state none,
    /// and a promise states only what it is in itself, as a threat.
    pub fn read(&self, statement: &str, mode: Mode) -> Option<StatedStrain<'_>> {
        let is_question = statement.trim_end_matches([' ', '"', '\'', '”', '’']).ends_with('?');
        if is_question || mode == Mode::Forecast {
            return None;
        }
        let clauses = self.clauses(statement);
        if clauses.iter().any(|clause| has_one(&self.elsewhere, clause)) {
            return None;
        }
        let kinds = self.kinds.iter().filter(|kind| mode != Mode::Promised || kind.includes_promises);
        let found = kinds.flat_map(|kind| clauses.iter().flat_map(move |clause| self.strains(kind, clause)));
        let found = found.map(|(kind, is_denied)| (kind, is_denied || mode == Mode::Denied));
        // The first of the most severe.
        let best = found.reduce(|one, other| {
            let rank = |(kind, is_denied): &(&StrainKind, bool)| (!is_denied, kind.severity);
            if rank(&other) > rank(&one) { other } else { one }
        });
        let (kind, is_denied) = best?;
        Some(StatedStrain { kind, theme: self.theme_of(&clauses).unwrap_or(&kind.theme), is_denied })
    }

    /// Returns whether a statement of a year speaks of an earlier time.
    pub fn is_past(&self, statement: &str, year: i32) -> bool {
        self.clauses(statement).iter().any(|clause| {
            let is_earlier = |at: usize| {
                let named = clause[at].strip_suffix('s').unwrap_or(&clause[at]);
                let named = if named.len() == 4 { named.parse::<i32>().ok() } else { None };
                named.is_some_and(|named| (1000..year).contains(&named)) && (at == 0 || clause[at - 1] != "since")
            };
            let is_word = |at: usize| longest(&self.past, &clause[at..]).is_some() && !self.is_excepted(clause, at);
            (0..clause.len()).any(|at| is_earlier(at) || is_word(at))
        })
    }

    /// Returns the words of each clause of a statement. A sign within a number or a word ends none.
    fn clauses(&self, statement: &str) -> Vec<Vec<String>> {
        let statement = statement.replace(['’', '‘'], "'");
        let mut clauses: Vec<Vec<String>> = vec![];
        for piece in pieces(&statement) {
            let words =
                piece.split(|c: char| !(c.is_alphanumeric() || c == '\'')).map(|word| word.trim_matches('\'').to_lowercase());
            let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
            let mut clause = vec![];
            for (at, word) in words.iter().enumerate() {
                if longest(&self.borders, &words[at..]).is_some() {
                    clauses.push(std::mem::take(&mut clause));
                } else {
                    clause.push(word.clone());
                }
            }
            clauses.push(clause);
        }
        clauses
    }

    /// Returns the strains of a kind in a clause, with whether the words around them deny them.
    fn strains<'a>(&'a self, kind: &'a StrainKind, clause: &[String]) -> Vec<(&'a StrainKind, bool)> {
        let mut strains = vec![];
        for at in 0..clause.len() {
            let Some(length) = self.strain_at(kind, clause, at) else { continue };
            if self.is_excepted(clause, at) {
                continue;
            }
            let (before, behind) = (&clause[at.saturating_sub(self.reach)..at], &clause[at + length..]);
            let behind = &behind[..self.reach.min(behind.len())];
            if has_one(&self.conditions, before) {
                continue;
            }
            let is_ended = has_one(&self.endings, behind) && !has_one(&self.denials, behind);
            let near = &before[before.len().saturating_sub(self.ender_reach)..];
            // "Did not end the strike": the strike goes on.
            let is_denied = has_one(&self.denials, before) != has_one(&self.enders, near);
            strains.push((kind, is_ended || is_denied));
        }
        strains
    }

    /// Returns the number of words of a strain of this kind that begins at a word of a clause.
    fn strain_at(&self, kind: &StrainKind, clause: &[String], at: usize) -> Option<usize> {
        let beside = || {
            let length = longest(&kind.beside_words, &clause[at..])?;
            let is_beside = |other: usize| {
                let is_own = (at..at + length).contains(&other);
                !is_own && longest(&kind.beside, &clause[other..]).is_some() && !self.is_excepted(clause, other)
            };
            (0..clause.len()).any(is_beside).then_some(length)
        };
        longest(&kind.words, &clause[at..]).or_else(beside)
    }

    /// Returns whether a word is part of an exception.
    fn is_excepted(&self, words: &[String], at: usize) -> bool {
        self.exceptions.iter().any(|phrase| {
            let first = (at + 1).saturating_sub(phrase.0.len());
            (first..=at).any(|start| phrase.begins(&words[start..]))
        })
    }

    /// Returns the theme with most words in a statement, the first among equals.
    fn theme_of(&self, clauses: &[Vec<String>]) -> Option<&str> {
        let hits = |theme: &Theme| -> usize {
            let in_clause = |clause: &Vec<String>| {
                let is_hit = |at: &usize| longest(&theme.words, &clause[*at..]).is_some() && !self.is_excepted(clause, *at);
                (0..clause.len()).filter(is_hit).count()
            };
            clauses.iter().map(in_clause).sum()
        };
        let (theme, most) = self.themes.iter().rev().map(|theme| (theme, hits(theme))).max_by_key(|(_, hits)| *hits)?;
        (most > 0).then_some(theme.code.as_str())
    }
}

/// Splits a text at the signs that end a clause.
fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut from) = (vec![], 0);
    for (at, sign) in text.char_indices() {
        let next = text[at + sign.len_utf8()..].chars().next();
        let is_end = match sign {
            ',' | ';' | ':' | '(' | ')' | '—' | '–' => !next.is_some_and(|next| next.is_ascii_digit()),
            '.' => next.is_some_and(char::is_whitespace),
            _ => false,
        };
        if is_end {
            pieces.push(&text[from..at]);
            from = at + sign.len_utf8();
        }
    }
    pieces.push(&text[from..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(statement: &str) -> Option<(&'static str, &'static str, bool)> {
        read_as(statement, Mode::Asserted)
    }

    fn read_as(statement: &str, mode: Mode) -> Option<(&'static str, &'static str, bool)> {
        Taxonomy::shared().read(statement, mode).map(|found| (found.kind.code.as_str(), found.theme, found.is_denied))
    }

    #[test]
    fn the_taxonomy_is_complete() {
        let taxonomy = Taxonomy::parse(include_str!("../taxonomy.toml")).unwrap();
        assert_eq!((taxonomy.themes.len(), taxonomy.kinds.len()), (10, 14));
        for kind in &taxonomy.kinds {
            assert!(taxonomy.theme(&kind.theme).is_some(), "{}: {}", kind.code, kind.theme);
            assert_eq!(kind.beside.is_empty(), kind.beside_words.is_empty(), "{}", kind.code);
        }
    }

    #[test]
    fn stated_strain_is_found_with_its_theme() {
        for (statement, kind, theme) in [
            ("The dockers' strike entered its third week.", "strike", "work"),
            ("Nurses strike over pay.", "strike", "work"),
            ("The price of bread has doubled.", "price", "food"),
            ("Prices have soared.", "price", "money"),
            ("The factory sacked 500 workers.", "layoff", "work"),
            ("Cholera has spread to three districts.", "epidemic", "health"),
            ("Dockers in Constanta walked out over unpaid wages.", "strike", "work"),
            ("Bread prices doubled in Mopti within a week.", "price", "food"),
            ("Thousands protested against the new tax.", "protest", "money"),
            ("The army clashed with herders near the border.", "clash", "land"),
            ("In February the Front threatened to \"close the river\".", "threat", "water"),
            ("Gunmen killed eleven people at a roadblock.", "violence", "safety"),
            ("The rebels vowed revenge.", "threat", "safety"),
            ("There is no deal, so dockers in Romania are on strike.", "strike", "work"),
            ("Wells ran dry in the valley.", "water", "water"),
            ("A strike by dockers closed the port.", "strike", "work"),
            ("Dockers in Romania walked out.", "strike", "work"),
            ("Teachers in Romania are on strike over their jobs.", "strike", "work"),
            ("Dock workers in Romania went on strike.", "strike", "work"),
            ("Nurses in France are on strike at hospitals.", "strike", "health"),
            ("A shortage of grain has spread to eleven villages.", "shortage", "food"),
            ("Riot police clashed with students in the capital.", "clash", "rule"),
            ("Hundreds demonstrated outside the port.", "protest", "rule"),
            ("Police fired tear gas at students.", "crackdown", "rule"),
            ("Forty workers were fired on Friday.", "layoff", "work"),
            ("An outbreak of the novel coronavirus closed two schools.", "epidemic", "health"),
            ("An outbreak of influenza closed the schools.", "epidemic", "health"),
            ("The talks broke down, and prison riots in the north injured nine.", "clash", "rule"),
        ] {
            assert_eq!(read(statement), Some((kind, theme, false)), "{statement}");
        }
    }

    #[test]
    fn a_promise_of_harm_is_a_threat_and_no_other_promise_or_forecast_states_strain() {
        let revenge = "The rebels vowed revenge.";
        assert_eq!(read_as(revenge, Mode::Promised).map(|(kind, ..)| kind), Some("threat"));
        assert_eq!(read_as("The union will go on strike on Monday.", Mode::Forecast), None);
        assert_eq!(read_as("Dockers promised that they are on strike on Monday.", Mode::Promised), None);
    }

    #[test]
    fn denied_and_ended_strain_is_evidence_against() {
        for statement in [
            "There is no shortage of grain.",
            "There is no strike by dockers in Romania.",
            "The strike was called off.",
            "The dockers' strike has ended.",
            "The rail strike was averted.",
            "The teachers’ strike is over.",
            "Nurses aren’t on strike.",
            "The land dispute was settled.",
            "The dockers lifted the strike.",
            "Dockers called off a strike on Monday.",
            "The mayor lifted the nightly curfew.",
            "The union will not strike, and workers won't strike.",
            "The ferry staff ended their strike.",
            "The march passed without any clashes between groups.",
        ] {
            assert!(read(statement).is_some_and(|(_, _, is_denied)| is_denied), "{statement}: {:?}", read(statement));
        }
        assert_eq!(read_as("A strike by dockers closed the port.", Mode::Denied), Some(("strike", "work", true)));
        assert_eq!(
            read("There was no shooting, but thousands protested.").map(|(kind, _, denied)| (kind, denied)),
            Some(("protest", false))
        );
    }

    #[test]
    fn words_of_an_end_end_a_strain_only_beside_it() {
        for (statement, kind) in [
            ("There is no end to the strike by nurses.", "strike"),
            ("At the end of the week thousands protested.", "protest"),
            ("Vela ended the day amid protests.", "protest"),
            ("The talks did not end the strike by nurses.", "strike"),
            ("Police did not stop the riots in the capital.", "clash"),
            ("In the end the protests grew.", "protest"),
            ("Families cannot pay soaring prices.", "price"),
            ("The school called off its fair and teachers are on strike.", "strike"),
        ] {
            assert_eq!(read(statement).map(|(kind, _, is_denied)| (kind, is_denied)), Some((kind, false)), "{statement}");
        }
    }

    #[test]
    fn figures_of_speech_products_and_aims_state_none() {
        for statement in [
            "The lamps sit in the window between two chairs.",
            "The guard demonstrated great skill against the visitors.",
            "The need for it was clearly demonstrated to the government.",
            "The chairman protested that the fee was fair.",
            "The party held an election rally for thousands.",
            "Hundreds watched the market rally on their phones.",
            "She is accused of stealing government stamps.",
            "The town has an epidemic of loneliness.",
            "The laboratory infected forty mice with measles.",
            "Cages of animals infected with measles were moved.",
            "The pivot bombed with voters of the opposition.",
            "The talks raise the possibility of another strike by dockers.",
            "Malaria is spread by mosquitoes.",
            "Thorne lost his battle with the flu and died in the city.",
            "Firefighters fought the blaze on two streets and one was injured.",
            "Share prices have risen since the port opened.",
            "The coal fired plant supplies four towns.",
            "Police fired at workers.",
            "Police fired on workers.",
            "A tax cut brings jobs to the plant.",
            "Training is there for workers who lose their jobs.",
            "The strike price of the staff options rose.",
            "Pilots reported two bird strikes this week.",
            "The bill aims to combat threats by gangs.",
            "The alarm protects villagers against attacks by rebels.",
            "People lived under threat of starvation.",
            "The miners are expected to go on strike.",
            "The bombshell left the deal dead.",
            "Two soldiers were killed in a lorry crash.",
            "The pitcher threw strikes as the staff cheered.",
        ] {
            assert_eq!(read(statement), None, "{statement}");
        }
    }

    #[test]
    fn words_that_only_look_like_strain_and_possibilities_state_none() {
        for statement in [
            "Dockers could go on strike next week.",
            "The two sides strike a deal on grain.",
            "The study demonstrated that yields rose.",
            "Tigers are a threatened species.",
            "The mayor opened a new library.",
            "The strikers combined well and the midfield held.",
            "They clash with Chelsea on Saturday.",
            "The batsmen walked out to applause.",
            "Riot Games announced a new title.",
            "She demonstrated resilience.",
            "We ran out of time.",
            "Rain threatened the picnic.",
            "He shelled out for a new car.",
            "The Senate killed the bill.",
            "She has panic attacks.",
            "He is fighting cancer.",
            "The blackout lasted a minute.",
            "He blamed himself.",
            "The driver fled the scene.",
            "Two people were killed in a car crash.",
            "The gunmen surrendered.",
            "She runs a charity for refugees.",
            "The city banned the use of plastic bags.",
            "They watched strikes by jets.",
            "The talks averted a strike by dockers.",
            "Fears of a strike by nurses grew.",
            "The city has plans to prevent riots in the centre.",
            "They hope to avoid a shortage of grain.",
        ] {
            assert_eq!(read(statement), None, "{statement}");
        }
    }

    #[test]
    fn a_statement_that_names_an_earlier_time_is_of_the_past() {
        let taxonomy = Taxonomy::shared();
        for (statement, is_past) in [
            ("In 1984 miners were on strike for a year.", true),
            ("The riots of the 1980s changed the city.", true),
            ("The plague killed millions in the 14th century.", true),
            ("Forty years ago soldiers shot dead six protesters.", true),
            ("Miners marked the anniversary of the strike.", true),
            ("Prices doubled in 2026.", false),
            ("It is the longest strike since 1984.", false),
            ("Gunmen killed two soldiers three days ago.", false),
            ("Bread prices are twice as high as a year ago, up from 1,200.", true),
            ("Bread prices doubled from a year ago.", false),
            ("The teachers' strike of last year was long.", true),
            ("Gunmen burned the mill three months ago.", true),
            ("Rents are twice as high as last year, and tenants protested.", true),
            ("Rents rose sharply from last year.", false),
            ("Rents doubled over the last year.", false),
            ("Rents are higher than six months ago.", false),
        ] {
            assert_eq!(taxonomy.is_past(statement, 2026), is_past, "{statement}");
        }
    }
}
