//! Whether a deed that a sentence tells of is the one that the question asks about.

use crate::{
    actors::{Actor, Deed, Tie, actors, all_actors},
    corpus::Reading,
    question::Term,
    select::Ranking,
    words::Stems,
};
use std::{collections::HashSet, ops::Range};

/// The words of a sentence that may point back, the first sentences of a document, and the longest word that is no place by itself.
const POINTING_WORDS: usize = 6;
const LEAD: usize = 2;
const SHORT: usize = 3;

/// The actors of a passage, with their deeds that are the asked one.
pub struct QuestionActors {
    pub actors: Vec<Actor>,
    /// The passage ties somebody to deeds, and none of them is the asked one.
    pub has_other_deeds_only: bool,
}

impl Ranking<'_> {
    /// The actors of a passage, each with its deeds that are the asked one, the strongest tie first.
    pub fn question_actors(&self, passage: usize) -> QuestionActors {
        let quote = &self.corpus.passages[passage].quote;
        let mut found = actors(quote, self.question, &self.rules.lexicon, &self.rules.words);
        let has_any = !found.is_empty();
        for actor in &mut found {
            let tokens = actor.tokens.clone();
            actor.deeds.retain(|deed| self.is_asked(passage, deed, &tokens));
        }
        found.retain(|actor| !actor.deeds.is_empty());
        QuestionActors { has_other_deeds_only: has_any && found.is_empty(), actors: found }
    }

    /// The actors of a passage that claim or deny the asked deed, with those that the question names; `is_known` says whether
    /// another document ties somebody to it.
    pub fn responders(&self, passage: usize, is_known: impl Fn(&Actor) -> bool) -> Vec<Actor> {
        let quote = &self.corpus.passages[passage].quote;
        let found = all_actors(quote, self.question, &self.rules.lexicon, &self.rules.words);
        let found = found.into_iter().map(|mut actor| {
            let (tokens, is_known) = (actor.tokens.clone(), actor.is_in_question || is_known(&actor));
            actor.deeds.retain(|deed| self.is_response(passage, deed, &tokens, is_known));
            actor
        });
        found.filter(|actor| !actor.deeds.is_empty()).collect()
    }

    /// Whether a deed is the asked one, claimed or denied, by more than the words of the document: its clause names what the question
    /// names, or points back to a sentence that does.
    fn is_response(&self, at: usize, deed: &Deed, actor: &Range<usize>, is_known: bool) -> bool {
        if deed.is_another || !matches!(deed.tie, Tie::Claims | Tie::Denies) {
            return false;
        }
        let words = &self.rules.words;
        let is_act = |term: &Term| words.has_stem(Stems::Acts, &term.key);
        let has_things = self.question.terms.iter().any(|term| !term.is_place && (term.is_name || !is_act(term)));
        let is_thing = |term: &Term| if has_things { !term.is_place && (term.is_name || !is_act(term)) } else { term.is_place };
        let is_deed = |term: &Term| !term.is_name && is_act(term) && !words.has_stem(Stems::Light, &term.key);
        let reading = &self.corpus.readings[at];
        let in_clause = |token: usize| deed.clause.contains(&token) && !actor.contains(&token);
        let inside: Vec<&(String, usize)> = reading.keys.iter().filter(|(_, token)| in_clause(*token)).collect();
        let keys: HashSet<&str> = inside.iter().map(|(key, _)| key.as_str()).collect();
        let has_place = self.share_of(&keys, |term| term.is_place) > f64::EPSILON;
        let has_deed = self.share_of(&keys, is_deed) > f64::EPSILON;
        if deed.has_other_places && !has_place || self.differs(reading, &keys, &in_clause) {
            return false;
        }
        // "the Lowmere fire", "the fire in Lowmere": the deed with its place.
        let tokens_of = |is_wanted: &dyn Fn(&Term) -> bool| -> Vec<usize> {
            let is_one = |key: &str| self.question.terms.iter().any(|term| is_wanted(term) && words.are_kin(&term.key, key));
            inside.iter().filter(|(key, _)| is_one(key)).map(|(_, token)| *token).collect()
        };
        let (places, deeds) = (tokens_of(&|term: &Term| term.is_place), tokens_of(&is_deed));
        let is_beside = |deed: usize, place: usize| place + 1 == deed || (deed + 1..deed + 3).contains(&place);
        if deeds.iter().any(|deed| places.iter().any(|place| is_beside(*deed, *place))) {
            return true;
        }
        if !self.is_asked(at, deed, actor) {
            return false;
        }
        let range = self.corpus.range(self.corpus.passages[at].source);
        let least = self.rules.limits.deeds.around;
        let tells = |at: usize| self.tells_of_deed(at) && self.share(at..at + 1, is_thing) >= least;
        let is_told_beside = (at.saturating_sub(1).max(range.start)..at + 1).any(tells);
        let has_thing = self.share_of(&keys, is_thing) > f64::EPSILON && !deed.has_new_victim;
        let points_back = deed.is_referring || deed.has_pronoun;
        has_thing || points_back && (has_place || has_deed || is_told_beside || is_known && range.clone().any(tells))
    }

    fn is_asked(&self, at: usize, deed: &Deed, actor: &Range<usize>) -> bool {
        let limits = &self.rules.limits.deeds;
        let terms = &self.question.terms;
        let is_any = |term: &Term| term.is_name || !self.rules.words.has_stem(Stems::Acts, &term.key);
        if !terms.iter().any(is_any) {
            return true;
        }
        let has_things = terms.iter().any(|term| is_any(term) && !term.is_place);
        let is_thing = |term: &Term| is_any(term) && !(has_things && term.is_place);
        // "San" alone is no place.
        let is_long = |term: &Term| term.is_place && term.text.len() > SHORT;
        let has_long = terms.iter().any(is_long);
        let is_town = |term: &Term| if has_long { is_long(term) } else { term.is_place };
        let reading = &self.corpus.readings[at];
        let in_clause = |token: usize| deed.clause.contains(&token) && !actor.contains(&token);
        let inside = reading.keys.iter().filter(|(_, token)| in_clause(*token));
        let keys: HashSet<&str> = inside.map(|(key, _)| key.as_str()).collect();
        if self.differs(reading, &keys, &in_clause) {
            return false;
        }
        let has_place = self.share_of(&keys, is_town) > f64::EPSILON;
        let is_elsewhere = deed.has_other_places && !has_place;
        if self.share_of(&keys, is_thing) >= if is_elsewhere { limits.elsewhere } else { limits.in_clause } {
            return true;
        }
        let range = self.corpus.range(self.corpus.passages[at].source);
        let names = |passages: Range<usize>, least: f64| self.share(passages, is_thing) >= least;
        if deed.has_pronoun {
            // "two men drove home when they were killed": the pronoun refers to a person of its own sentence.
            let from = if deed.clause.start > 0 { at } else { at.saturating_sub(1).max(range.start) };
            return names(from..at + 1, limits.around);
        }
        if deed.has_other_people {
            return false;
        }
        let names_behind = |next: usize| {
            let is_there = !is_elsewhere || self.share(next..next + 1, is_town) >= limits.around;
            names(next..next + 1, limits.around) && is_there
        };
        let is_told_behind = self.is_told_behind(at, &range, names_behind);
        if is_elsewhere {
            return is_told_behind;
        }
        if !deed.has_new_victim && names(at..at + 1, limits.in_sentence) {
            return true;
        }
        let tells = |at: usize| self.tells_of_deed(at) && names(at..at + 1, limits.around);
        let before = at.saturating_sub(limits.sentences).max(range.start)..at;
        let head = range.start..(range.start + limits.sentences).min(range.end);
        let is_told_before = deed.is_referring && before.chain(head).any(tells);
        let is_there = self.question.has_town && has_place && !deed.has_new_victim && names(range, limits.around);
        !deed.is_another && (is_told_before || is_told_behind || is_there)
    }

    /// Whether a sentence behind a deed that tells of no deed of somebody names what the question names: some sentences behind the
    /// first ones of a document, else the next one that points back ("they were").
    fn is_told_behind(&self, at: usize, range: &Range<usize>, names: impl Fn(usize) -> bool) -> bool {
        let is_lead = at < range.start + LEAD;
        let end = if is_lead { at + 1 + self.rules.limits.deeds.sentences } else { at + 2 };
        let folded = |at: usize| self.corpus.readings[at].folded.as_str();
        let turns = |at: usize| self.rules.words.phrases.turning.iter().any(|turn| folded(at).starts_with(turn.as_str()));
        let points = |at: usize| {
            let mut words = folded(at).split(' ').take(POINTING_WORDS);
            words.any(|word| matches!(word, "they" | "he" | "she" | "it" | "this" | "these" | "those"))
        };
        let tells = |at: usize| {
            let quote = &self.corpus.passages[at].quote;
            !actors(quote, self.question, &self.rules.lexicon, &self.rules.words).is_empty()
        };
        let mut next = (at + 1..end.min(range.end)).take_while(|next| !turns(*next));
        next.any(|next| names(next) && (is_lead || points(next)) && !tells(next))
    }

    /// Whether a passage has a word for a deed.
    fn tells_of_deed(&self, passage: usize) -> bool {
        let words = &self.rules.words;
        let is_act = |key: &str| words.has_stem(Stems::Acts, key) && !words.has_stem(Stems::Light, key);
        let is_kin = |key: &str| self.question.terms.iter().any(|term| is_act(&term.key) && words.are_kin(&term.key, key));
        self.corpus.readings[passage].vocabulary.iter().any(|key| is_act(key) || is_kin(key))
    }

    /// Whether a clause has another year than the question, or another number of the same.
    fn differs(&self, reading: &Reading, keys: &HashSet<&str>, in_clause: &impl Fn(usize) -> bool) -> bool {
        let is_year = |key: &str| key.len() == 4 && key.parse::<u32>().is_ok_and(|year| (1900..2100).contains(&year));
        let asked = |key: &str| self.question.terms.iter().any(|term| term.key == key);
        let years: Vec<&&str> = keys.iter().filter(|key| is_year(key)).collect();
        let has_year = self.question.terms.iter().any(|term| is_year(&term.key));
        let other_year = has_year && !years.is_empty() && !years.iter().any(|year| asked(year));
        let other_count = self.question.numbers.iter().any(|(value, counted)| {
            let of_same = reading
                .numbers
                .iter()
                .filter(|number| in_clause(number.token) && number.counted.iter().any(|key| counted.contains(key)));
            let values: Vec<f64> = of_same.map(|number| number.value).collect();
            !values.is_empty() && !values.contains(value)
        });
        other_year || other_count
    }
}

/// The strongest tie of an actor.
pub fn tie(actor: &Actor) -> Tie {
    actor.deeds.iter().map(|deed| deed.tie).min().unwrap_or(Tie::Denies)
}
