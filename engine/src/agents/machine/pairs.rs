//! Name pairs that are probably one entity, and the verdicts on them.

use domain::{CollectionId, EntityId, entity::IdentityVerdict};
use protocol::tools::{EntityVerdict, EntityVerdicts, parse_json_answer};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};

/// Names of a pack that are probably known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamePairs {
    /// Question to the judge about the open pairs; empty without any.
    pub text: Arc<str>,
    /// Pairs without a verdict, by number from 1.
    pub open: Vec<NamePair>,
    /// Pairs decided by the similarity of descriptions.
    pub settled: Vec<NameVerdict>,
}

/// Name in a pack and the known entity it probably denotes.
///
/// A name denotes one entity throughout a collection. Collections are judged separately, so private data never affects other
/// users.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NamePair {
    pub collection_id: CollectionId,
    pub name: String,
    pub kind: String,
    pub entity_id: EntityId,
}

/// Verdict on a pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameVerdict {
    #[serde(flatten)]
    pub pair: NamePair,
    pub verdict: IdentityVerdict,
    pub reason: String,
}

/// Parses the judge's verdicts on the given pairs. Contradictory verdicts become unsure; unreadable ones are dropped.
pub(super) fn verdicts(pairs: &[NamePair], answer: &str) -> Vec<NameVerdict> {
    let answer: EntityVerdicts = parse_json_answer(answer).unwrap_or_default();
    let mut verdicts: BTreeMap<u32, EntityVerdict> = BTreeMap::new();
    for said in answer.verdicts {
        match verdicts.get_mut(&said.pair) {
            Some(before) if before.verdict != said.verdict => before.verdict = IdentityVerdict::Unsure,
            Some(_) => {}
            None => drop(verdicts.insert(said.pair, said)),
        }
    }
    let known = (1..).zip(pairs).filter_map(|(number, pair)| Some((pair, verdicts.remove(&number)?)));
    known.map(|(pair, said)| NameVerdict { pair: pair.clone(), verdict: said.verdict, reason: said.reason }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str, n: u128) -> NamePair {
        let (collection_id, entity_id) = (CollectionId(uuid::Uuid::from_u128(n)), EntityId(uuid::Uuid::from_u128(n)));
        NamePair { collection_id, name: name.into(), kind: "person".into(), entity_id }
    }

    #[test]
    fn an_answer_speaks_only_of_the_pairs_that_were_asked_about() {
        let pairs = [pair("Ana", 1), pair("Bo", 2)];
        let said = |answer: &str| -> Vec<(String, IdentityVerdict)> {
            verdicts(&pairs, answer).into_iter().map(|said| (said.pair.name, said.verdict)).collect()
        };
        let verdict = |pair, verdict| format!(r#"{{"pair":{pair},"verdict":"{verdict}","reason":"so"}}"#);
        let answer = |verdicts: &[String]| format!(r#"{{"verdicts":[{}]}}"#, verdicts.join(","));
        assert_eq!(said(&answer(&[verdict(2, "same")])), [("Bo".into(), IdentityVerdict::Same)]);
        assert_eq!(said(&answer(&[verdict(0, "same"), verdict(3, "same")])), []);
        assert_eq!(said(&answer(&[verdict(1, "same"), verdict(1, "different")])), [("Ana".into(), IdentityVerdict::Unsure)]);
        assert_eq!(said(&answer(&[verdict(1, "perhaps")])), []);
        assert_eq!(said("I cannot say."), []);
    }
}
