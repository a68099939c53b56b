//! Chains of causes: what brings about what, and what follows from that.

use super::{Body, Cause, as_clause};

/// A cause with those that its effect brings about in turn.
#[derive(Debug, Clone, PartialEq)]
pub struct CauseChain {
    pub cause: Cause,
    pub next: Vec<CauseChain>,
}

impl Body {
    /// Returns the causes as chains: the effect of one is the cause of the next. Each cause stands once, in a circle as well.
    pub fn cause_chains(&self) -> Vec<CauseChain> {
        let mut left: Vec<&Cause> = self.causes.iter().collect();
        let mut chains = vec![];
        while !left.is_empty() {
            // The first cause that no other brings about; in a circle, the first.
            let place = left.iter().position(|cause| !left.iter().any(|other| is_next(other, cause))).unwrap_or_default();
            let first = left.remove(place);
            chains.push(chain(first, &mut left));
        }
        chains
    }
}

/// Takes the causes that follow from one out of `left`.
fn chain(cause: &Cause, left: &mut Vec<&Cause>) -> CauseChain {
    let mut next = vec![];
    while let Some(place) = left.iter().position(|other| is_next(cause, other)) {
        let follower = left.remove(place);
        next.push(chain(follower, left));
    }
    CauseChain { cause: cause.clone(), next }
}

/// Whether the effect of one is the cause of the other.
fn is_next(one: &Cause, other: &Cause) -> bool {
    let name = |text: &str| as_clause(text).to_lowercase();
    name(&one.to) == name(&other.from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assessment::{CauseStrength, EvidenceBrief};

    fn chains(pairs: &[(&str, &str)]) -> String {
        let mut body: Body = EvidenceBrief::default().into();
        let cause = |(from, to): &(&str, &str)| Cause {
            from: (*from).to_owned(),
            to: (*to).to_owned(),
            mechanism: String::new(),
            strength: CauseStrength::Strong,
            likelihood: None,
            citations: vec![],
        };
        body.causes = pairs.iter().map(cause).collect();
        written(&body.cause_chains())
    }

    fn written(chains: &[CauseChain]) -> String {
        let one = |chain: &CauseChain| format!("{}{}({})", chain.cause.from, chain.cause.to, written(&chain.next));
        chains.iter().map(one).collect()
    }

    #[test]
    fn a_chain_begins_where_nothing_else_leads_and_branches() {
        assert_eq!(chains(&[("B", "C"), ("A", "b."), ("B", "D"), ("X", "Y")]), "Ab.(BC()BD())XY()");
    }

    #[test]
    fn a_circle_of_causes_ends() {
        assert_eq!(chains(&[("A", "B"), ("B", "A"), ("C", "C")]), "AB(BA())CC()");
    }
}
