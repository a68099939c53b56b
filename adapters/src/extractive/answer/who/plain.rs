//! Who did, suffered or holds something ("Who was arrested?", "Who is the director of the mill?"), read from the clauses that say so.

use std::collections::BTreeMap;

use super::super::Mode;
use super::super::clauses::{Phrase, before, clause, names, verbal};
use super::super::corpus::Corpus;
use super::super::lexicon::{Lexicon, WordSet};
use super::super::phrase::{Reader, Run};
use super::super::question::Question;
use super::super::settle::{Group, capitalised};
use super::super::words::{Shape, Word, split, stem};

/// What a description counts beside a name.
const DESCRIBED: f64 = 0.25;
/// Share of its weight that a passage keeps which holds nothing else of what the question says.
const BARE: f64 = 0.1;
/// How sharply later reports of who holds an office count before earlier ones.
const LATEST: i32 = 3;
/// An office and the name of its holder stand at most so many words apart.
const OFFICE_REACH: usize = 3;

/// What the question wants of the clauses.
pub(super) enum Asks {
    /// Who does what the words tell, and whether they have an object.
    Agent(WordSet, bool),
    /// Whom it happens to.
    Patient(WordSet),
    /// Who holds an office, by the stems of its name.
    Holder(Vec<String>),
}

impl Asks {
    /// What a question of "who" wants; none where it asks for the author of a deed in so many words ("was behind").
    pub(super) fn of(question: &Question, lexicon: &Lexicon) -> Option<Self> {
        let text = question.parts.first().map_or(question.text.as_str(), |part| part.text.as_str());
        let split = split(text);
        let words = split.list;
        let role = |list: &str, w: &Word| lexicon.role(list, &w.norm);
        let begin = usize::from(role("by", words.first()?)) + 1;
        let be = words.get(begin..)?.iter().take_while(|w| role("passive", w) || role("auxiliaries", w)).count();
        let passive = words[begin..begin + be].iter().any(|w| role("passive", w));
        let next = words.get(begin + be)?;
        let verb = stem(&next.norm).to_owned();
        let mut set: WordSet = lexicon.kin.iter().filter(|kin| kin.contains(&verb)).flatten().cloned().collect();
        set.insert(verb);
        if lexicon.filler.contains(&next.norm) && !passive || role("claims", next) {
            return None;
        }
        if passive && (lexicon.determiners.contains(&next.norm) || next.possessive || words.iter().any(|w| w.possessive)) {
            return office(&words[begin + be..], lexicon).map(Self::Holder);
        }
        // "Who is Carlos Vega?" asks of no verb.
        let small = split.capitals || next.shape == Shape::Lower;
        if !small || passive && !verbal(&next.norm) {
            return None;
        }
        if role("succession", next) {
            set.extend(lexicon.roles.get("succession").into_iter().flatten().cloned());
        }
        let object = words.get(begin + be + 1).is_some_and(|w| opens_object(w, lexicon));
        Some(if passive || role("undergone", next) { Self::Patient(set) } else { Self::Agent(set, object) })
    }

    /// Whether a word belongs to what is asked for, rather than to what else the question says.
    fn owns(&self, word: &str) -> bool {
        match self {
            Self::Agent(verbs, _) | Self::Patient(verbs) => verbs.contains(word),
            Self::Holder(office) => office.iter().any(|w| w == word),
        }
    }
}

/// "Who is Ann Vale?", "Who denied that …?": such a question is answered with what the documents say, not with an author.
pub(super) fn asks_of_name(question: &Question, lexicon: &Lexicon) -> bool {
    let words = split(&question.text).list;
    let [_, verb, rest @ ..] = words.as_slice() else { return false };
    let role = |list: &str| lexicon.role(list, &verb.norm);
    let named = || rest.iter().filter(|w| w.is_word()).all(|w| matches!(w.shape, Shape::Title | Shape::Upper));
    let says = || role("denials") || role("reporting") || role("claims");
    let clause = || rest.first().is_some_and(|w| w.norm == "that");
    !split(&question.text).capitals && (role("passive") && named() || says() && clause())
}

/// A word behind a verb with which its object may begin.
fn opens_object(word: &Word, lexicon: &Lexicon) -> bool {
    let role = |list: &str| lexicon.role(list, &word.norm);
    let stands = lexicon.determiners.contains(&word.norm) || role("pronouns") || !lexicon.stop.contains(&word.norm);
    word.shape != Shape::Mark && stands && !role("object_ends") && !lexicon.is_adverb(&word.norm)
}

/// "the chief executive of Brand", "Brand's chief executive": the stems of the office.
fn office(words: &[Word], lexicon: &Lexicon) -> Option<Vec<String>> {
    let from = words.iter().position(|w| w.possessive).map_or(0, |owner| owner + 1);
    let plain = words[from..].iter().skip_while(|w| lexicon.determiners.contains(&w.norm));
    let named: Vec<String> =
        plain.take_while(|w| w.is_word() && !lexicon.stop.contains(&w.norm)).map(|w| stem(&w.norm).to_owned()).collect();
    (!named.is_empty()).then_some(named)
}

/// One group for everybody who is told to fit.
pub(super) fn groups(asks: &Asks, question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let people = People::of(corpus, lexicon);
    let mut groups: BTreeMap<Vec<String>, Group> = BTreeMap::new();
    let recent = if matches!(asks, Asks::Holder(_)) { LATEST } else { 1 };
    let asked: WordSet = split(&question.text).list.into_iter().map(|w| w.norm).collect();
    for unit in corpus.weightiest(lexicon) {
        let reader = Reader { words: &corpus.units[unit].words, lexicon };
        let mut told = told(asks, reader);
        if let Asks::Holder(office) = asks
            && told_lately(office, unit, corpus)
        {
            told.extend(successors(reader));
        }
        for (phrase, against, share) in told {
            let Some((key, shown, named)) = people.who(phrase, unit, corpus, lexicon) else { continue };
            if key.iter().all(|word| asked.contains(word)) {
                continue;
            }
            let weight = corpus.weight(unit) * about(asks, question, unit, corpus) * corpus.recency(unit).powi(recent) * share;
            let weight = if named { weight } else { weight * DESCRIBED };
            let group = groups.entry(key).or_default();
            group.statement = super::statement_of(&shown, question, lexicon);
            let denied = against || corpus.units[unit].passage.mode == Mode::Denied;
            if denied { group.against.push((unit, weight)) } else { group.support.push((unit, weight)) }
        }
    }
    groups.into_values().filter(|group| !group.support.is_empty()).collect()
}

/// Whom a passage tells of, whether it denies it, and how far it says so.
fn told(asks: &Asks, reader: Reader<'_>) -> Vec<(Phrase, bool, f64)> {
    let list = &reader.words.list;
    let mut found = Vec::new();
    match asks {
        Asks::Holder(office) => {
            let at =
                |i: usize| office.iter().enumerate().all(|(n, word)| list.get(i + n).is_some_and(|w| stem(&w.norm) == word));
            for i in (0..list.len()).filter(|&i| at(i)) {
                found.extend(holder(reader, Run { from: i, to: i + office.len() }));
            }
        }
        Asks::Agent(verbs, _) | Asks::Patient(verbs) => {
            let undergone = |k: usize| reader.lexicon.role("undergone", reader.norm(k));
            for k in (0..list.len())
                .filter(|&k| list[k].is_word() && (verbs.contains(stem(&list[k].norm)) || verbs.contains(&list[k].norm)))
            {
                let patient = matches!(asks, Asks::Patient(_));
                // Whoever died killed nobody.
                if !patient && undergone(k) {
                    continue;
                }
                // "the driver of the van, Bo Sund": who drove it.
                let owned = k > 0 && (list[k - 1].possessive || reader.lexicon.determiners.contains(&list[k - 1].norm));
                let doer = !patient && owned && reader.lexicon.ends_like("doers", &list[k].norm);
                if doer {
                    found.extend(holder(reader, Run { from: k, to: k + 1 }));
                    continue;
                }
                let clause = clause(reader, k, undergone(k));
                let phrase = match asks {
                    Asks::Agent(_, object) => clause.agent.filter(|_| !(*object && clause.bare)),
                    _ => clause.patient,
                };
                found.extend(phrase.map(|phrase| (phrase, clause.negated, 1.0)));
            }
            if reader.lexicon.roles.get("succession").is_some_and(|words| words.is_subset(verbs)) {
                found.extend(successors(reader));
            }
        }
    }
    found
}

/// An office is named in a passage or in the one before it.
fn told_lately(office: &[String], unit: usize, corpus: &Corpus<'_>) -> bool {
    let near = corpus.before(unit).into_iter().chain([unit]);
    let stems: Vec<&str> = near.flat_map(|u| &corpus.units[u].words.list).map(|w| stem(&w.norm)).collect();
    stems.windows(office.len()).any(|words| words == office)
}

/// Who takes the place of somebody: "he was replaced by Ann Vale", "named Ann Vale as his successor".
fn successors(reader: Reader<'_>) -> Vec<(Phrase, bool, f64)> {
    let noun = |k: usize| !verbal(reader.norm(k)) || lexicon_owner(reader, k);
    let told = (0..reader.words.list.len()).filter(|&k| reader.lexicon.role("succession", reader.norm(k)));
    let named = told.filter_map(|k| match noun(k) {
        true => names(reader, Run { from: 0, to: k }).pop().map(Phrase::Name),
        false => clause(reader, k, false).agent,
    });
    named.map(|phrase| (phrase, false, 1.0)).collect()
}

fn lexicon_owner(reader: Reader<'_>, k: usize) -> bool {
    k > 0 && (reader.lexicon.determiners.contains(reader.norm(k - 1)) || reader.lexicon.role("as", reader.norm(k - 1)))
}

/// Who holds the office that is named at a run: the name behind it, before it, or of whom it is said.
fn holder(reader: Reader<'_>, office: Run) -> Option<(Phrase, bool, f64)> {
    let lexicon = reader.lexicon;
    let role = |list: &str, i: usize| lexicon.role(list, reader.norm(i));
    // "the chief executive of Brand, Ann Vale"
    let mut to = office.to;
    if lexicon.of.contains(reader.norm(to)) {
        let body = to + 1 + usize::from(lexicon.determiners.contains(reader.norm(to + 1)));
        let named = reader.right(body);
        // "the driver of the night coach, Bo Sund"
        let plain = (body..body + OFFICE_REACH + 1).find(|&i| reader.at(i).is_none_or(|w| !w.is_word()));
        to = if named > body { named } else { plain.unwrap_or(to + 1) };
    }
    let at = to + usize::from(reader.norm(to) == ",");
    let behind = Run { from: at, to: reader.right(at) };
    let former = (office.from.saturating_sub(2)..office.from).any(|i| role("former", i));
    if behind.to > behind.from && !reader.at(behind.to - 1).is_some_and(|w| w.possessive) {
        return Some((Phrase::Name(behind), former, 1.0));
    }
    let from = (office.from.saturating_sub(OFFICE_REACH)..office.from).find(|&i| reader.at(i).is_some_and(|w| w.norm == ","));
    // "Ann Vale, who left Ostra in May, is the director": the subject, not the last name.
    let is = (office.from.saturating_sub(2)..office.from).find(|&i| i > 0 && role("passive", i) && reader.norm(i - 1) == ",");
    if let Some(subject @ Phrase::Name(_)) = is.and_then(|i| before(reader, i)) {
        return Some((subject, former || leaves(reader, at), 1.0));
    }
    let near = names(reader, Run { from: 0, to: from.unwrap_or(office.from) }).pop()?;
    let gap = near.to..office.from;
    // "Ann Vale, the chief executive", "made Ann Vale chief executive", "Ann Vale is, became, took over as chief executive".
    let clear = gap.clone().all(|i| reader.at(i).is_some_and(|w| !w.ends_clause()) && !role("reporting", i));
    // "replaced Ann Vale as chief executive"
    let put_out = |i: usize| role("removing", i) || role("succession", i);
    let replaced = gap.len() == 1 && role("as", near.to) && near.from > 0 && put_out(near.from - 1);
    let left = replaced || gap.clone().any(|i| role("leaving", i) || role("removing", i)) || leaves(reader, at);
    clear.then_some((Phrase::Name(near), former || left, if gap.len() <= OFFICE_REACH { 1.0 } else { 0.7 }))
}

/// "(the chief executive) has resigned", "was sacked", but not "sacked two drivers".
fn leaves(reader: Reader<'_>, from: usize) -> bool {
    let role = |list: &str, i: usize| reader.lexicon.role(list, reader.norm(i));
    let helps = |i: &usize| role("passive", *i) || role("auxiliaries", *i) || role("adverbs", *i);
    let verb = (from..).find(|i| !helps(i)).unwrap_or(from);
    role("leaving", verb) || role("removing", verb) && (from..verb).any(|i| role("passive", i))
}

/// How much of what else the question says stands in a passage, or behind it in its document.
fn about(asks: &Asks, question: &Question, unit: usize, corpus: &Corpus<'_>) -> f64 {
    let terms = || question.terms.iter().filter(|t| !asks.owns(&t.stem) && !asks.owns(&t.text));
    let all: f64 = terms().map(|t| t.weight).sum();
    let held = |units: &[usize]| {
        let told = terms().filter(|t| units.iter().any(|&u| corpus.units[u].stems.contains(&t.stem)));
        if all > 0.0 { told.map(|t| t.weight).sum::<f64>() / all } else { 1.0 }
    };
    BARE + (1.0 - BARE) * (0.6 * held(&[unit]) + 0.4 * held(&corpus.docs[corpus.units[unit].document].units))
}

/// The full names that the passages give, each with where it stands.
struct People {
    known: BTreeMap<Vec<String>, (String, Vec<usize>)>,
}

impl People {
    fn of(corpus: &Corpus<'_>, lexicon: &Lexicon) -> Self {
        let mut known: BTreeMap<Vec<String>, (String, Vec<usize>)> = BTreeMap::new();
        for (unit, here) in corpus.units.iter().enumerate() {
            let reader = Reader { words: &here.words, lexicon };
            for run in names(reader, Run { from: 0, to: here.words.list.len() }) {
                let key: Vec<String> = here.words.list[run.from..run.to].iter().map(|w| w.norm.clone()).collect();
                let slot = known.entry(key).or_insert_with(|| (shown(here.passage.text, reader, run), Vec::new()));
                slot.1.push(unit);
            }
        }
        Self { known }
    }

    /// Key and words for whom a phrase in a passage speaks of, and whether it names him.
    fn who(&self, phrase: Phrase, unit: usize, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Option<(Vec<String>, String, bool)> {
        let here = &corpus.units[unit];
        let reader = Reader { words: &here.words, lexicon };
        let key = |run: Run| -> Vec<String> { here.words.list[run.from..run.to].iter().map(|w| w.norm.clone()).collect() };
        match phrase {
            Phrase::Name(run) => {
                let full = self.full(&key(run), here.document, corpus);
                let shown =
                    self.known.get(&full).map_or_else(|| shown(here.passage.text, reader, run), |(shown, _)| shown.clone());
                Some((full, shown, true))
            }
            // "on suspicion of stealing": what ends in a small word is of nobody.
            Phrase::Description(run) if lexicon.stop.contains(reader.norm(run.to - 1)) => None,
            Phrase::Description(run) => Some((key(run), shown(here.passage.text, reader, run), false)),
            Phrase::Pronoun(at) => {
                if let Some(run) = names(reader, Run { from: 0, to: at }).into_iter().next() {
                    return self.who(Phrase::Name(run), unit, corpus, lexicon);
                }
                let before = corpus.before(unit)?;
                let words = &corpus.units[before].words;
                let reader = Reader { words, lexicon };
                let run = names(reader, Run { from: 0, to: words.list.len() }).into_iter().next()?;
                self.who(Phrase::Name(run), before, corpus, lexicon)
            }
        }
    }

    /// The longer name that a short one stands for: one of its own document first, then the most frequent.
    fn full(&self, key: &[String], document: usize, corpus: &Corpus<'_>) -> Vec<String> {
        let longer =
            self.known.iter().filter(|(name, _)| name.len() > key.len() && (name.ends_with(key) || name.starts_with(key)));
        let near = |units: &Vec<usize>| units.iter().any(|&u| corpus.units[u].document == document);
        let best = longer.max_by_key(|(name, (_, units))| (near(units), units.len(), std::cmp::Reverse((*name).clone())));
        best.map_or_else(|| key.to_vec(), |(name, _)| name.clone())
    }
}

/// A phrase as it is written, with its article.
fn shown(text: &str, reader: Reader<'_>, run: Run) -> String {
    let from = run.from - usize::from(run.from > 0 && reader.norm(run.from - 1) == "the");
    let told = &text[reader.words.list[from].start..reader.words.list[run.to - 1].end];
    capitalised(&told.split_whitespace().collect::<Vec<_>>().join(" "))
}
