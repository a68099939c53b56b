//! What a body does in the passage that names it: author, claimant, blamed, victim, or only the voice that reports.

use super::lexicon::WordSet;
use super::phrase::{Reader, Run};
use super::words::{Shape, stem};

/// The parts a body may play around one mention.
#[derive(Debug, Clone, Copy, Default)]
pub struct Roles {
    /// "… by X".
    pub by: bool,
    /// "X attacked …".
    pub subject: bool,
    /// "X claimed responsibility".
    pub claim: bool,
    /// "attributed to X", "accused X", "X is responsible".
    pub blame: bool,
    /// "the X attack".
    pub deed: bool,
    /// "X said", "according to X".
    pub source: bool,
    /// "against X", "X was killed".
    pub victim: bool,
    /// "X headquarters", "X officers".
    pub owner: bool,
    /// "X denied".
    pub denial: bool,
    /// The clause is denied ("X did not …").
    pub negated: bool,
    /// The clause is hedged.
    pub hedged: bool,
    /// A word of claim or blame stands in the same clause.
    pub near_blame: bool,
    /// A preposition of place stands before it.
    pub placed: bool,
    /// A title of a person stands before it.
    pub titled: bool,
    /// A word of the deed stands in the same clause.
    pub near_act: bool,
    /// What it is the author of is a deed of the kind asked about.
    pub kindred: bool,
}

impl Roles {
    /// It is named as the author, not only beside the deed.
    pub fn explicit(&self) -> bool {
        self.by || self.subject || self.claim || self.blame || self.deed
    }
}

const CLAUSE: usize = 24;
const REACH: usize = 12;
const MAX_BRACKET: usize = 14;

/// Reads the parts that the body named at `run` plays.
pub fn roles(reader: Reader<'_>, run: Run, asked: &WordSet, deeds: &WordSet) -> Roles {
    let mut roles = Roles::default();
    let close = run.from.checked_sub(1).map_or("", |k| reader.norm(k));
    let article = lexicon_article(reader, run.from);
    roles.placed = reader.lexicon.place_marks.contains(close) || reader.lexicon.place_marks.contains(article);
    roles.titled = reader.lexicon.titles.contains(close);
    before(reader, run, &mut roles);
    after(reader, run, asked, &mut roles);
    around(reader, run, &mut roles);
    roles.kindred = kindred(reader, run, roles, deeds);
    roles
}

/// Whether the words beside an author tell of one of the given deeds: before "by X", after "X did", on either side else.
fn kindred(reader: Reader<'_>, run: Run, roles: Roles, deeds: &WordSet) -> bool {
    let within = |k: &usize| reader.at(*k).is_some_and(|w| !w.ends_clause());
    let tells = |k: usize| deeds.contains(stem(reader.norm(k)));
    let left = || (run.from.saturating_sub(REACH)..run.from).rev().take_while(within).any(tells);
    let right = || (run.to..run.to + REACH).take_while(within).any(tells);
    let either = roles.claim || roles.blame || roles.deed;
    roles.by && left() || roles.subject && right() || either && (left() || right())
}

/// The word before an article that stands before a mention.
fn lexicon_article<'r>(reader: Reader<'r>, from: usize) -> &'r str {
    match from.checked_sub(2) {
        Some(_) if !reader.lexicon.determiners.contains(reader.norm(from - 1)) => "",
        Some(k) => reader.list_norm(k),
        None => "",
    }
}

fn before(reader: Reader<'_>, run: Run, roles: &mut Roles) {
    let lexicon = reader.lexicon;
    let Some(prev) = adjoining(reader, run, roles) else { return };
    let norm = reader.norm(prev);
    // "no guerrilla group has claimed …"
    roles.negated |= lexicon.role("none", norm);
    let left = Left { reader, of: prev };
    if lexicon.role("by", norm) {
        by(&left, roles);
    } else if lexicon.role("to", norm) {
        let according = prev > 0 && lexicon.role("according", reader.norm(prev - 1));
        if according {
            roles.source = true;
        } else if left.any(8, "blame") {
            roles.blame = true;
        }
    } else if lexicon.role("blame", norm)
        || lexicon.of.contains(norm) && (left.any(2, "blame") || left.any(2, "makings"))
        || lexicon.role("holding", norm) && (run.to..run.to + 4).any(|k| lexicon.role("blame", reader.norm(k)))
    {
        roles.blame = true;
    } else if lexicon.role("victim_marks", norm) {
        if left.any(2, "blame") {
            roles.blame = true;
        } else if left.any(4, "act_nouns") || left.any(6, "act_verbs") {
            roles.victim = true;
        }
    } else if lexicon.role("act_verbs", norm) {
        roles.victim = true;
    }
}

/// The first word to the left that is more than a part of the name's phrase.
fn adjoining(reader: Reader<'_>, run: Run, roles: &mut Roles) -> Option<usize> {
    let lexicon = reader.lexicon;
    let mut i = run.from;
    while i > 0 {
        let k = i - 1;
        if run.from - k > REACH || !belongs_to_phrase(reader, k) {
            return Some(k);
        }
        // "the attack was the work of guerrillas of X"
        let work = lexicon.of.contains(reader.norm(k)) && k > 0 && lexicon.role("blame", reader.norm(k - 1));
        if work && (k.saturating_sub(5)..k).any(|b| lexicon.role("passive", reader.norm(b))) {
            roles.blame = true;
            return None;
        }
        i = k;
    }
    None
}

/// Articles, numbers, adjectives and heads such as "guerrillas of the" before a name.
fn belongs_to_phrase(reader: Reader<'_>, k: usize) -> bool {
    let lexicon = reader.lexicon;
    let norm = reader.norm(k);
    let is_head = |norm: &str| lexicon.hands.contains(norm) || lexicon.pointers.contains(norm);
    lexicon.determiners.contains(norm)
        || lexicon.role("hedges", norm)
        || lexicon.role("quantities", norm)
        || norm == "at" && reader.norm(k + 1) == "least"
        || lexicon.figures.numbers.contains_key(norm)
        || reader.at(k).is_some_and(|w| w.shape == Shape::Number)
        || matches!(norm, "\"" | "[" | "(" | "-")
        || lexicon.descriptors.contains_key(norm)
        || lexicon.is_demonym(norm)
        || is_head(norm)
        || lexicon.members.contains_key(norm)
        || lexicon.heads.contains_key(norm)
        || lexicon.of.contains(norm) && k > 0 && (is_head(reader.norm(k - 1)) || reader.head(k - 1).is_some())
}

/// What stands to the left of a word in its clause.
struct Left<'r> {
    reader: Reader<'r>,
    of: usize,
}

impl Left<'_> {
    /// The places of at most `reach` words, nearest first.
    fn places(&self, reach: usize) -> impl Iterator<Item = usize> + '_ {
        let ends = |k: usize| self.reader.at(k).is_some_and(super::words::Word::ends_clause);
        (self.of.saturating_sub(reach)..self.of).rev().take_while(move |&k| !ends(k))
    }

    fn any(&self, reach: usize, list: &str) -> bool {
        self.places(reach).any(|k| self.reader.lexicon.role(list, self.reader.norm(k)))
    }
}

/// "… by X".
fn by(left: &Left<'_>, roles: &mut Roles) {
    let (reader, lexicon) = (left.reader, left.reader.lexicon);
    let told = reader.norm(left.of.saturating_sub(1));
    if lexicon.role("no_deeds", told) {
        return;
    }
    // "by a rival and not by X"
    roles.negated |= lexicon.role("negations", told);
    let done = left.places(REACH).find(|&k| reader.norm(k).ends_with("ed") || reader.norm(k) == "made");
    let is_participle = done.is_some_and(|k| !lexicon.role("no_deeds", reader.norm(k)));
    if left.any(REACH, "act_nouns") || left.any(REACH, "act_verbs") || is_participle {
        match left.any(2, "reporting") {
            true => roles.source = true,
            false => roles.by = true,
        }
    }
    if left.any(REACH, "claims") && left.any(REACH, "claim_objects") {
        roles.claim = true;
    }
}

fn after(reader: Reader<'_>, run: Run, asked: &WordSet, roles: &mut Roles) {
    let lexicon = reader.lexicon;
    let mut j = run.to;
    if reader.norm(j) == "\"" {
        j += 1;
    }
    j = reader.past_enclosed(j, MAX_BRACKET);
    while (reader.head(j).is_some()
        || lexicon.descriptors.contains_key(reader.norm(j))
        || lexicon.pointers.contains(reader.norm(j)))
        && j < run.to + 10
    {
        j += 1;
    }
    if lexicon.possessions.contains(reader.norm(j)) {
        // "air force helicopters attacked …", "officers of the army killed …": what a body's people and things do, it does.
        let acts = |k: usize| lexicon.role("act_verbs", reader.norm(k)) || asked.contains(stem(reader.norm(k)));
        let doing = (j + 1..j + 4).find(|&k| reader.at(k).is_none_or(|w| w.ends_clause()) || acts(k) || stands(reader, k));
        if lexicon.role("instruments", reader.norm(j)) && doing.is_some_and(acts) {
            roles.subject = true;
        } else {
            roles.owner = true;
        }
        return;
    }
    if lexicon.role("act_nouns", reader.norm(j)) {
        roles.deed = true;
    }
    let apposition = past_apposition(reader, j);
    // "X, which nobody knew, attacked": the clause about X first, then what X does.
    let clause = usize::from(reader.norm(j) == ",") + j;
    let relative = lexicon.role("relatives", reader.norm(clause));
    if !(relative && does(reader, clause + 1, asked, roles)) {
        does(reader, apposition, asked, roles);
    }
}

/// Reads what the body does or suffers from the words from `j` on; whether they tell.
fn does(reader: Reader<'_>, j: usize, asked: &WordSet, roles: &mut Roles) -> bool {
    let lexicon = reader.lexicon;
    let mut passive = false;
    for k in j..j + 7 {
        let Some(word) = reader.at(k) else { return false };
        let norm = word.norm.as_str();
        let is = |list: &str| lexicon.role(list, norm);
        // "the ministry's word that the blast …" begins a clause with a subject of its own.
        let new_clause = is("clauses") && lexicon.determiners.contains(reader.norm(k + 1));
        // "by X and not by Y"
        let contrast = lexicon.conjunctions.contains(norm) && lexicon.role("negations", reader.norm(k + 1));
        if word.ends_clause() || new_clause || contrast {
            return false;
        }
        let going_on = norm.ends_with("ing");
        if is("negations") {
            roles.negated = true;
        } else if is("hedges") {
            roles.hedged = true;
        } else if is("passive") {
            passive = true;
        } else if is("denials") {
            roles.denial = true;
            return true;
        } else if is("claims") && (k + 1..k + 6).any(|m| lexicon.role("claim_objects", reader.norm(m))) {
            roles.claim = true;
            return true;
        } else if (is("blame") || is("authorship")) && passive {
            roles.blame = true;
            return true;
        } else if is("reporting") && !passive || is("holding") && holds_responsible(reader, k) {
            roles.source = true;
            return true;
        } else if lexicon.role("happening", reader.norm(k + 1)) && is("claims") {
            return false;
        } else if is("act_verbs") || word.shape != Shape::Title && asked.contains(stem(norm)) {
            if passive && !going_on {
                roles.victim = true
            } else {
                roles.subject = true
            }
            return true;
        } else if k > j + 1 && (is("victim_marks") || is("by")) {
            return false;
        }
    }
    false
}

/// "X holds Y responsible": the verb at `k` makes X the one who accuses.
fn holds_responsible(reader: Reader<'_>, k: usize) -> bool {
    (k + 1..k + REACH).any(|b| reader.lexicon.role("blame", reader.norm(b)))
}

/// A word that ends the reach of what stands before it: a passive, a preposition, a voice.
fn stands(reader: Reader<'_>, k: usize) -> bool {
    ["passive", "reporting", "by", "to", "victim_marks", "clauses"].iter().any(|list| reader.lexicon.role(list, reader.norm(k)))
}

/// "X, the largest of them, attacked", "X, which nobody knew, attacked": the first word after what stands between commas.
fn past_apposition(reader: Reader<'_>, j: usize) -> usize {
    let role = |list: &str, k: usize| reader.lexicon.role(list, reader.norm(k));
    let comma = reader.norm(j) == ",";
    let within = |k: &usize| !reader.at(*k).is_some_and(super::words::Word::ends_clause);
    let closing = (j + 2..j + REACH).take_while(within).find(|&k| reader.norm(k) == ",");
    let Some(close) = closing.filter(|_| comma || role("relatives", j)) else { return j };
    let told = reader.lexicon.determiners.contains(reader.norm(j + 1)) || role("relatives", j) || role("relatives", j + 1);
    let goes_on =
        ["auxiliaries", "claims", "denials", "act_verbs", "passive", "reporting"].iter().any(|list| role(list, close + 1));
    if told || goes_on { close + 1 } else { j }
}

fn around(reader: Reader<'_>, run: Run, roles: &mut Roles) {
    let ends = |k: &usize| reader.at(*k).is_some_and(super::words::Word::ends_clause);
    let left = (run.from.saturating_sub(CLAUSE)..run.from).rev().take_while(|k| !ends(k));
    let right = (run.to..(run.to + CLAUSE).min(reader.words.list.len())).take_while(|k| !ends(k));
    for k in left.chain(right) {
        let Some(word) = reader.at(k).filter(|w| w.shape != Shape::Mark) else { continue };
        roles.near_blame |= reader.lexicon.role("blame", &word.norm) || reader.lexicon.role("claims", &word.norm);
        roles.near_act |= reader.lexicon.role("act_nouns", &word.norm) || reader.lexicon.role("act_verbs", &word.norm);
    }
}
