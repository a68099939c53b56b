//! Acronyms and the long forms beside them in brackets: "ARMY OF NATIONAL LIBERATION [ELN]", "FMLN [FARABUNDO …]".

use super::{Candidate, Kind};
use crate::text::{Case, Class, Text};

/// An acronym has at most so many bytes.
const ACRONYM_MAX: usize = 12;

impl Text<'_> {
    /// For each candidate the candidate that it is an acronym of; adds long forms that only the bracket shows.
    pub(super) fn link_acronyms(&self, candidates: &mut Vec<Candidate>) -> Vec<Option<usize>> {
        self.add_explained(candidates);
        let mut links = vec![None; candidates.len()];
        for at in 1..candidates.len() {
            let (left, right) = (&candidates[at - 1], &candidates[at]);
            if !self.is_bracketed(right, left.tokens.end) {
                continue;
            }
            let (short, long) = match (self.is_acronym(left), self.is_acronym(right)) {
                (false, true) => (at, at - 1),
                (true, false) => (at - 1, at),
                _ => continue,
            };
            let kind = candidates[long].kind.or(candidates[short].kind);
            let fits = self.initials_fit(&candidates[short], &candidates[long]);
            let square = self.tokens[left.tokens.end].is_mark("[");
            if candidates[long].demonym || !(fits || square && kind == Some(Kind::Organisation)) || candidates[long].titled {
                continue;
            }
            links[short] = Some(long);
            let kind = kind.unwrap_or(Kind::Organisation);
            candidates[short].kind = Some(kind);
            candidates[long].kind = Some(kind);
        }
        links
    }

    /// Makes a candidate of ordinary words before a bracket that holds one acronym or one foreign name.
    fn add_explained(&self, candidates: &mut Vec<Candidate>) {
        let mut added = Vec::new();
        for candidate in candidates.iter() {
            let start = candidate.tokens.start;
            let capitals = self.in_capitals(&self.tokens[start]);
            if !capitals || candidate.demonym || candidate.titled || start < 2 || !self.is_bracketed(candidate, start - 1) {
                continue;
            }
            let Some(range) = self.explained_before(start - 1) else { continue };
            let acronym = self.is_acronym(candidate);
            let overlaps = |other: &&Candidate| other.tokens.start < range.end && range.start < other.tokens.end;
            let inside: Vec<&Candidate> = candidates.iter().filter(overlaps).collect();
            let fixed = |other: &&Candidate| {
                other.tokens.start < range.start || other.kind == Some(Kind::Organisation) || other.tokens == range
            };
            let fits = acronym && self.initials_fit(candidate, &Candidate::new(range.clone()));
            if inside.iter().any(fixed) || !(inside.is_empty() || fits) {
                continue;
            }
            if !acronym && (candidate.tokens.len() < 2 || range.len() < 2) {
                continue;
            }
            let kind = acronym.then_some(Kind::Organisation);
            added.push(Candidate { kind, ..Candidate::new(range) });
        }
        let within = |long: &Candidate, short: &Candidate| {
            long.tokens.start <= short.tokens.start && short.tokens.end <= long.tokens.end
        };
        candidates.retain(|candidate| !added.iter().any(|long| within(long, candidate)));
        candidates.extend(added);
        candidates.sort_by_key(|candidate| candidate.tokens.start);
    }

    /// Whether a bracket opens at a token and holds just this candidate.
    fn is_bracketed(&self, candidate: &Candidate, open: usize) -> bool {
        let close = self.tokens.get(candidate.tokens.end);
        self.tokens.get(open).is_some_and(|token| token.is_mark("[") || token.is_mark("("))
            && open + 1 == candidate.tokens.start
            && close.is_some_and(|token| token.is_mark("]") || token.is_mark(")") || token.is_mark(",") || token.is_dash())
    }

    fn is_acronym(&self, candidate: &Candidate) -> bool {
        let token = &self.tokens[candidate.tokens.start];
        let known = token.classes.has(Class::Given) || token.is(Class::Place) || token.is(Class::Demonym);
        candidate.tokens.len() == 1 && token.case == Case::Upper && (2..=ACRONYM_MAX).contains(&token.span.len()) && !known
    }

    /// Whether most letters of the acronym are initials of the long form, in order.
    fn initials_fit(&self, short: &Candidate, long: &Candidate) -> bool {
        let initials: String = self.tokens[long.tokens.clone()]
            .iter()
            .filter(|token| token.is_word() && !token.is_possessive() && (token.is_capital() || !token.is_function()))
            .flat_map(|token| token.fold.split('-').filter_map(|part| part.chars().next()).collect::<Vec<_>>())
            .collect();
        let letters: Vec<char> =
            self.tokens[short.tokens.start].fold.chars().filter(|letter| letter.is_alphanumeric()).collect();
        let mut rest = initials.chars();
        let found = letters
            .iter()
            .filter(|letter| rest.clone().any(|initial| initial == **letter) && rest.any(|initial| initial == **letter))
            .count();
        found >= 2 && found * 10 >= letters.len() * 7 && initials.chars().next() == letters.first().copied()
    }
}
