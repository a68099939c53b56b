//! Ranking of rival statements about an entity, by evidence alone, never by order of arrival.

use engine::names::{NameForm, NameMatcher};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

/// A stated value. The greatest one is current: newest evidence, then most claims, then the last alphabetically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::graph) struct RankedValue {
    pub value: String,
    pub claims: i64,
    /// Publication times of the newest and the oldest claim.
    pub newest: Option<i64>,
    pub oldest: Option<i64>,
    /// The rows that state it.
    pub facts: Vec<i64>,
}

impl RankedValue {
    fn rank(&self) -> (Option<i64>, i64, &str) {
        (self.newest, self.claims, &self.value)
    }

    /// Adds another row that states the same value.
    pub fn join(&mut self, other: RankedValue) {
        self.claims += other.claims;
        self.newest = self.newest.max(other.newest);
        self.oldest = [self.oldest, other.oldest].into_iter().flatten().min();
        self.facts.extend(other.facts);
    }
}

impl PartialOrd for RankedValue {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RankedValue {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// A name of one entity, with its evidence.
#[derive(Debug, Clone)]
pub(in crate::graph) struct RankedName {
    pub name: String,
    /// Stated as an alias beside a name.
    pub is_alias: bool,
    pub claims: i64,
    /// Publication time of the oldest claim.
    pub oldest: Option<i64>,
}

/// The evidence for one spelling of a name.
#[derive(Debug, Default)]
struct NameEvidence {
    is_stated: bool,
    /// Claims that state it as the name, and as an alias.
    as_name: i64,
    as_alias: i64,
    oldest: Option<i64>,
}

/// The names of one entity with their evidence.
#[derive(Debug, Default)]
pub(in crate::graph) struct NameRanking {
    evidence: BTreeMap<String, NameEvidence>,
}

impl NameRanking {
    pub fn add(&mut self, RankedName { name, is_alias, claims, oldest }: RankedName) {
        let evidence = self.evidence.entry(name).or_default();
        evidence.is_stated |= !is_alias;
        *(if is_alias { &mut evidence.as_alias } else { &mut evidence.as_name }) += claims;
        evidence.oldest = [evidence.oldest, oldest].into_iter().flatten().min();
    }

    /// Returns the canonical name first, the others alphabetically. A plain name outranks one with a title, and any name a host name; a
    /// name outranks an alias. Then more claims as the name, older evidence and the alphabet decide. Age is that of the evidence, so that
    /// the reading order of documents never matters.
    pub fn into_ranked(self, names: &NameMatcher) -> Vec<String> {
        let forms: Vec<(&String, NameForm)> = match self.evidence.len() {
            0 | 1 => return self.evidence.into_keys().collect(),
            _ => self.evidence.keys().map(|name| (name, names.form(name))).collect(),
        };
        let rank = |name: &String, form: &NameForm| {
            let others = forms.iter().filter(|(other, _)| *other != name).map(|(_, other)| other);
            let NameEvidence { is_stated, as_name, as_alias, oldest } = &self.evidence[name];
            (form.rank(others), !is_stated, Reverse((*as_name, *as_alias)), oldest.is_none(), *oldest)
        };
        let best = forms.iter().min_by_key(|(name, form)| (rank(name, form), (*name).clone())).map(|(name, _)| (*name).clone());
        let others = self.evidence.keys().filter(|name| Some(*name) != best.as_ref()).cloned();
        best.clone().into_iter().chain(others).collect()
    }
}

/// The kinds of one entity with their number of claims.
#[derive(Debug, Default)]
pub(in crate::graph) struct KindRanking {
    claims: HashMap<String, i64>,
}

impl KindRanking {
    pub fn add(&mut self, kind: String, claims: i64) {
        *self.claims.entry(kind).or_default() += claims;
    }

    /// Returns the current kind: most claims, then longest, then first alphabetically.
    pub fn current(self) -> Option<String> {
        let order = |(kind, claims): &(String, i64)| (Reverse(*claims), Reverse(kind.chars().count()), kind.clone());
        self.claims.into_iter().min_by_key(order).map(|(kind, _)| kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(names: &[(&str, bool, i64, Option<i64>)]) -> String {
        let mut ranked = NameRanking::default();
        for (name, is_alias, claims, oldest) in names {
            ranked.add(RankedName { name: (*name).to_owned(), is_alias: *is_alias, claims: *claims, oldest: *oldest });
        }
        ranked.into_ranked(&NameMatcher::default()).remove(0)
    }

    #[test]
    fn a_name_is_chosen_before_an_alias_however_many_claims_stand_behind_it() {
        assert_eq!(canonical(&[("Reuters", false, 1, None), ("Reuters News Agency", true, 9, None)]), "Reuters");
        assert_eq!(canonical(&[("Erdogan", true, 9, None), ("Recep Tayyip Erdogan", false, 1, None)]), "Recep Tayyip Erdogan");
    }

    #[test]
    fn a_title_or_a_host_name_is_chosen_only_where_there_is_nothing_else() {
        assert_eq!(canonical(&[("Sen. John McCain", false, 9, None), ("John McCain", true, 1, None)]), "John McCain");
        assert_eq!(canonical(&[("www.reuters.com", false, 9, None), ("Reuters", true, 1, None)]), "Reuters");
        assert_eq!(canonical(&[("www.reuters.com", false, 1, None)]), "www.reuters.com");
        assert_eq!(canonical(&[("Governor Bush", false, 3, None), ("the governor", true, 9, None)]), "Governor Bush");
    }

    #[test]
    fn most_claims_decide_and_then_age() {
        let (gulen, dotted) = (("Fethullah Gulen", false, 2, Some(1)), ("Fetullah Gülen", false, 2, Some(2)));
        assert_eq!(canonical(&[gulen, dotted]), "Fethullah Gulen");
        assert_eq!(canonical(&[("Fethullah Gulen", false, 2, None), dotted]), "Fetullah Gülen", "undated is not old");
        assert_eq!(canonical(&[gulen, ("Fetullah Gülen", false, 3, Some(2))]), "Fetullah Gülen");
    }
}
