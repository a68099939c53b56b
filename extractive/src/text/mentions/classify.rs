//! The kind of a name, from its words, its neighbours and its other mentions in the document.

use std::collections::HashMap;

use super::{Candidate, Kind};
use crate::text::tokens::{Gap, Token, TokenKind};
use crate::text::{Case, Class, ClassSet, Text};

/// Scores of the kinds of a name.
#[derive(Clone, Copy, Default)]
struct Scores {
    person: f32,
    organisation: f32,
    place: f32,
    other: f32,
}

impl Scores {
    fn add(&mut self, other: Scores) {
        self.person += other.person;
        self.organisation += other.organisation;
        self.place += other.place;
        self.other += other.other;
    }

    fn scaled(self, by: f32) -> Scores {
        Scores {
            person: self.person * by,
            organisation: self.organisation * by,
            place: self.place * by,
            other: self.other * by,
        }
    }

    fn best(self) -> (Kind, f32) {
        let ranked = [
            (Kind::Person, self.person),
            (Kind::Place, self.place),
            (Kind::Organisation, self.organisation),
            (Kind::Other, self.other),
        ];
        ranked.into_iter().fold((Kind::Other, 0.0), |best, next| if next.1 > best.1 { next } else { best })
    }
}

const TITLES: ClassSet = ClassSet::from_classes(&[Class::Title, Class::Honorific]);
const PEOPLE: ClassSet = ClassSet::from_classes(&[Class::Given, Class::Surname]);

impl Text<'_> {
    /// The kind of every candidate; none where it turns out not to be a name.
    pub(super) fn classify(&self, candidates: &[Candidate], links: &[Option<usize>]) -> Vec<Option<Kind>> {
        let keys: Vec<String> = candidates.iter().map(|candidate| self.key(candidate)).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for key in &keys {
            *counts.entry(key).or_default() += 1;
        }
        let mut evidence: HashMap<&str, (Scores, f32)> = HashMap::new();
        for (candidate, key) in candidates.iter().zip(&keys).filter(|(candidate, _)| !candidate.doubtful) {
            let (scores, count) = evidence.entry(key).or_default();
            scores.add(self.context_scores(candidate));
            *count += 1.0;
        }
        for (candidate, key) in candidates.iter().zip(&keys) {
            if let Some((scores, count)) = evidence.get_mut(key.as_str()).filter(|(_, count)| *count > 0.0) {
                // Context counts by its mean and a little more for its weight of numbers; the words count once.
                let mean = scores.scaled(1.0 / count.sqrt());
                *scores = mean;
                scores.add(self.word_scores(candidate));
                *count = 0.0;
            }
        }
        let mut kinds: HashMap<&str, Kind> = evidence.iter().map(|(key, (scores, _))| (*key, decide(key, *scores))).collect();
        self.follow_full_names(candidates, &keys, &mut kinds);
        for (short, long) in links.iter().enumerate().filter_map(|(short, long)| Some((short, (*long)?))) {
            let kind = kinds.get(keys[long].as_str()).copied().unwrap_or(Kind::Organisation);
            let kind = if kind == Kind::Place || kind == Kind::Person { Kind::Organisation } else { kind };
            kinds.insert(&keys[short], candidates[short].kind.unwrap_or(kind));
        }
        for key in &keys {
            if let Some(kind) = self.listed_kind(key) {
                kinds.insert(key, kind);
            }
        }
        let fixed = candidates
            .iter()
            .zip(&keys)
            .filter_map(|(candidate, key)| Some((key.as_str(), candidate.kind.or_else(|| self.kind_by_role(candidate))?)));
        let fixed: HashMap<&str, Kind> = fixed.collect();
        let kind = |(candidate, key): (&Candidate, &String)| {
            candidate.kind.or_else(|| fixed.get(key.as_str()).copied()).or_else(|| kinds.get(key.as_str()).copied())
        };
        let stray = |candidate: &Candidate, key: &str| {
            candidate.tokens.len() == 1 && self.in_capitals(&self.tokens[candidate.tokens.start]) && counts[key] < 2
        };
        let kinds = candidates
            .iter()
            .zip(&keys)
            .map(|(candidate, key)| kind((candidate, key)).filter(|kind| *kind != Kind::Other || !stray(candidate, key)));
        kinds.collect()
    }

    fn key(&self, candidate: &Candidate) -> String {
        let words: Vec<&str> = self.tokens[candidate.tokens.clone()].iter().map(|token| &*token.fold).collect();
        words.join(" ")
    }

    /// A family or given name alone is the person whose full name stands elsewhere.
    fn follow_full_names<'k>(&self, candidates: &[Candidate], keys: &'k [String], kinds: &mut HashMap<&'k str, Kind>) {
        let mut parts: HashMap<&str, Kind> = HashMap::new();
        for (candidate, key) in candidates.iter().zip(keys).filter(|(candidate, _)| candidate.tokens.len() > 1) {
            if kinds.get(key.as_str()) == Some(&Kind::Person) {
                let tokens = &self.tokens[candidate.tokens.clone()];
                let words =
                    tokens.iter().filter(|token| token.is_word() && !token.is(Class::NameSuffix) && token.span.len() > 2);
                parts.extend(words.map(|token| (&*token.fold, Kind::Person)));
            }
        }
        for (candidate, key) in candidates.iter().zip(keys).filter(|(candidate, _)| candidate.tokens.len() == 1) {
            let listed = self.tokens[candidate.tokens.start].classes;
            let elsewhere = listed.has(Class::Place) && self.follows_place_preposition(candidate);
            if let Some(kind) = parts.get(key.as_str()).filter(|_| !listed.has(Class::Demonym) && !elsewhere) {
                kinds.insert(key, *kind);
            }
        }
    }

    /// "insurer Meridian Mutual": the word before the name says that it is an organisation, unless a word of it is a person's or the
    /// whole is a place.
    fn kind_by_role(&self, candidate: &Candidate) -> Option<Kind> {
        let before = candidate.tokens.start.checked_sub(1).map(|before| &self.tokens[before])?;
        let name = &self.tokens[candidate.tokens.clone()];
        let first = name.first()?;
        let is_person = candidate.titled
            || name.iter().any(|token| token.classes.has(Class::Given) || token.is(Class::NameSuffix))
            || name.last().is_some_and(|last| last.is(Class::Surname) && !first.is(Class::Common));
        let is_place = candidate.demonym || first.is(Class::Place);
        let is_role = before.is(Class::OrgRole) && first.gap < Gap::Paragraph;
        (is_role && !is_person && !is_place).then_some(Kind::Organisation)
    }

    fn follows_place_preposition(&self, candidate: &Candidate) -> bool {
        let before = candidate.tokens.start.checked_sub(1).map(|before| &self.tokens[before]);
        before.is_some_and(|token| token.is(Class::PlacePreposition) && &*token.fold != "to" && &*token.fold != "from")
    }

    /// Countries are places and listed acronyms organisations in every context.
    fn listed_kind(&self, key: &str) -> Option<Kind> {
        let acronym = self.lexicon.classes(key).has(Class::OrgAcronym) && self.lexicon.place(key).is_none();
        let country = self.lexicon.country_of(key).is_some()
            && self.lexicon.place(key).is_some()
            && !self.lexicon.classes(key).any(PEOPLE);
        if acronym { Some(Kind::Organisation) } else { country.then_some(Kind::Place) }
    }

    /// Evidence for the kind of a name in its words.
    fn word_scores(&self, candidate: &Candidate) -> Scores {
        let tokens = &self.tokens[candidate.tokens.clone()];
        let mut scores = Scores::default();
        let Some(first) = tokens.first() else { return scores };
        let words: Vec<&Token> = tokens.iter().filter(|token| token.is_word()).collect();
        let last = *words.iter().rev().find(|token| !token.is(Class::NameSuffix)).unwrap_or(&first);
        let many = words.len() > 1;
        let phrase =
            first.phrase.filter(|(len, _)| *len as usize == tokens.len()).map_or(ClassSet::EMPTY, |(_, classes)| classes);
        let whole = if many { phrase } else { phrase.with(first.classes) };
        if whole.has(Class::Place) {
            scores.place += 4.0;
        }
        if whole.has(Class::OrgAcronym) {
            scores.organisation += 5.0;
        }
        let of = tokens.iter().position(|token| &*token.fold == "of");
        let head = match of.filter(|of| *of > 0) {
            Some(of) => &tokens[of - 1],
            None => last,
        };
        self.head_scores(head, first, many, of.is_some(), &mut scores);
        self.person_scores(&words, tokens, many, &mut scores);
        if tokens.iter().any(|token| token.is_mark("&")) {
            scores.organisation += 3.0;
        }
        if tokens.iter().any(|token| token.kind == TokenKind::Number) {
            scores.other += 1.5;
        }
        let acronym = first.case == Case::Upper && !many && !self.in_capitals(first) && (2..=6).contains(&first.span.len());
        if acronym && !whole.has(Class::Place) {
            scores.organisation += 2.0;
        }
        let listed = words.iter().any(|token| !token.classes.is_empty());
        if !many && !listed && self.lexicon.ends_like_place(&first.fold) {
            scores.place += 0.9;
        }
        if first.fold.contains('&') || first.case == Case::Mixed && !many {
            scores.organisation += 1.0;
        }
        scores
    }

    fn head_scores(&self, head: &Token, first: &Token, many: bool, of: bool, scores: &mut Scores) {
        let weight = if many { 1.0 } else { 0.4 };
        if head.is(Class::OrgSuffix) && many {
            scores.organisation += 5.0;
        }
        if head.is(Class::OrgHead) {
            scores.organisation += if many { 3.5 } else { 2.2 };
        }
        if many && (head.is(Class::OrgHeadWeak) && !head.is(Class::OrgHead) || first.is(Class::OutletLead)) {
            scores.organisation += 2.6;
        }
        if head.is(Class::PlaceHead) && many {
            scores.place += 3.2;
        }
        if head.is(Class::OtherHead) {
            scores.other += 3.4 * weight;
        }
        if of && first.is(Class::OrgLead) {
            scores.organisation += 3.0;
        }
        if many && first.is(Class::PlaceLead) {
            scores.place += if of { 3.0 } else { 2.2 };
        }
        if many && first.is(Class::Compass) {
            scores.place += 0.8;
        }
        if many && first.is(Class::OrgModifier) {
            scores.organisation += 0.6;
        }
    }

    fn person_scores(&self, words: &[&Token], tokens: &[Token], many: bool, scores: &mut Scores) {
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
        if first.is(Class::Given) {
            scores.person += if many { 2.8 } else { 1.5 };
        }
        if last.is(Class::Surname) {
            scores.person += if many { 2.0 } else { 1.4 };
        }
        if many && words[1..].iter().any(|token| token.is(Class::Given)) {
            scores.person += 0.8;
        }
        if last.is(Class::NameSuffix) && many && !words[words.len() - 2].is(Class::OtherHead) {
            scores.person += 3.0;
        }
        let initial = words.iter().any(|token| token.span.len() == 1 && token.is_capital());
        let nickname = tokens.iter().any(|token| matches!(&*token.fold, "\"" | "\u{201c}"));
        if many && (initial || nickname) {
            scores.person += 2.0;
        }
        let unknown = |token: &&&Token| !token.classes.any(ClassSet::INFLECTED) && !token.classes.any(ClassSet::FUNCTION);
        let strange = words.iter().filter(unknown).count();
        if (2..=3).contains(&words.len()) && strange == words.len() {
            scores.person += 0.9;
        } else if many && strange == 0 && !first.is(Class::Given) {
            scores.other += 1.0;
        }
        if words.iter().any(|token| token.is(Class::Particle) && !token.is_capital()) {
            scores.person += 0.5;
        }
    }

    /// Evidence for the kind of a name in its neighbours.
    fn context_scores(&self, candidate: &Candidate) -> Scores {
        let mut scores = Scores::default();
        let range = &candidate.tokens;
        if candidate.titled {
            scores.person += 4.0;
        }
        if let Some(before) =
            range.start.checked_sub(1).map(|at| &self.tokens[at]).filter(|_| self.tokens[range.start].gap < Gap::Paragraph)
        {
            self.score_before(before, range.start, &mut scores);
        }
        if let Some(after) = self.tokens.get(range.end).filter(|after| after.gap < Gap::Paragraph) {
            self.score_after(after, range.end, &mut scores);
        }
        scores
    }

    fn score_before(&self, before: &Token, at: usize, scores: &mut Scores) {
        let previous = at.checked_sub(2).map(|at| &self.tokens[at]);
        match &*before.fold {
            "in" => scores.place += 1.8,
            "at" => {
                scores.place += 0.7;
                scores.organisation += 0.7;
            }
            "the" => {
                scores.organisation += 0.7;
                scores.other += 0.5;
                scores.person -= 1.2;
            }
            "by" | "with" => scores.person += 0.6,
            "\"" | "\u{201c}" => scores.other += 1.5,
            "of" if previous.is_some_and(|token| token.is(Class::PlaceHead) || token.is(Class::PlaceLead)) => {
                scores.place += 2.5
            }
            "of" if previous.is_some_and(|token| token.is(Class::OrgHead)) => scores.place += 0.6,
            "of" => scores.place += 0.45,
            "," if self.place_ends_at(at - 1) => scores.place += 1.5,
            _ if before.is(Class::PlacePreposition) => scores.place += 0.8,
            _ => {}
        }
        if before.is_capital() && !self.in_capitals(before) {
            return;
        }
        if before.is(Class::Compass) || &*before.fold == "capital" {
            scores.place += 2.0;
        }
        if before.classes.any(TITLES) {
            scores.person += 2.5;
        } else if before.is(Class::OutletHead) {
            scores.organisation += 2.8;
        } else if before.is(Class::OtherHead) {
            scores.other += 2.0;
        } else if before.is(Class::OrgHead) {
            scores.organisation += 1.5;
        } else if before.is(Class::PlaceHead) && before.is_word() {
            scores.place += 1.0;
        }
    }

    fn score_after(&self, after: &Token, at: usize, scores: &mut Scores) {
        let next = self.tokens.get(at + 1);
        if after.is_word() && !after.is_capital() || self.in_capitals(after) {
            if after.is(Class::PersonVerb) {
                scores.person += 1.2;
            }
            if after.is(Class::OrgVerb) {
                scores.organisation += 0.6;
            }
            if after.is(Class::PersonNoun) {
                scores.person += 1.6;
            }
            if after.is(Class::PlaceHead) {
                scores.place += 1.5;
            }
            if after.is(Class::OrgHead) {
                scores.organisation += 0.8;
            }
            if after.is(Class::OtherHead) {
                scores.other += 0.8;
            }
            if after.classes.any(PEOPLE) && self.in_capitals(after) {
                scores.person += 0.5;
            }
        }
        let (opens, comma) = (after.is_mark("("), after.is_mark(","));
        if let Some(next) = next {
            if opens && next.is(Class::Born)
                || comma && next.is(Class::PersonNoun)
                || (opens || comma) && next.is(Class::Title) && !next.is_capital()
            {
                scores.person += 3.0;
            } else if opens
                && next.kind == TokenKind::Number
                && next.fold.len() == 4
                && self.tokens.get(at + 2).is_some_and(Token::is_dash)
            {
                scores.person += 1.0;
            } else if opens && next.is(Class::Month) {
                scores.person += 2.0;
            } else if comma && self.place_starts_at(at + 1) {
                scores.place += 1.6;
            } else if comma
                && matches!(&*next.fold, "a" | "an")
                && self.tokens.get(at + 2).is_some_and(|token| token.is(Class::Title))
            {
                scores.person += 2.0;
            } else if matches!(&*after.fold, "was" | "is") && next.is(Class::Born) {
                scores.person += 3.0;
            } else if matches!(&*after.fold, "was" | "is")
                && matches!(&*next.fold, "a" | "an")
                && self.tokens[at + 2..].iter().take(4).any(|token| token.is(Class::Title))
            {
                scores.person += 2.0;
            }
        }
    }

    fn place_starts_at(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        token.is_capital() && (token.is(Class::Place) || token.phrase.is_some_and(|(_, classes)| classes.has(Class::Place)))
    }

    fn place_ends_at(&self, at: usize) -> bool {
        let Some(token) = at.checked_sub(1).map(|at| &self.tokens[at]) else { return false };
        token.is_capital() && token.is(Class::Place)
    }
}

/// The kind with the most evidence; names of two or three words without any are most often persons.
fn decide(key: &str, scores: Scores) -> Kind {
    const SURE: f32 = 0.4;
    let (kind, score) = scores.best();
    if score >= SURE {
        return kind;
    }
    match key.split(' ').count() {
        2 | 3 => Kind::Person,
        _ => Kind::Other,
    }
}
