//! Markers: numbered in the order in which claims are first cited.

use super::Evidence;
use domain::assessment::Marker;
use protocol::tools::ClaimRef;

/// The claims cited so far.
pub(super) struct Citations<'a> {
    evidence: &'a Evidence,
    /// Keys in the order of their markers.
    cited: Vec<u32>,
}

impl<'a> Citations<'a> {
    pub fn new(evidence: &'a Evidence) -> Self {
        Self { evidence, cited: vec![] }
    }

    /// The marker of a claim; none when there is no such claim.
    pub fn cite(&mut self, key: u32) -> Option<Marker> {
        self.evidence.claims.get(key as usize)?;
        let place = self.cited.iter().position(|cited| *cited == key).unwrap_or_else(|| {
            self.cited.push(key);
            self.cited.len() - 1
        });
        Marker::try_from(place + 1).ok()
    }

    pub fn cite_all<'k>(&mut self, keys: impl IntoIterator<Item = &'k u32>) -> Vec<Marker> {
        keys.into_iter().filter_map(|key| self.cite(*key)).collect()
    }

    /// Key and marker of each claim cited, in the order of the markers.
    pub fn keys(&self) -> impl Iterator<Item = (u32, Marker)> + '_ {
        self.cited.iter().copied().zip(1..)
    }

    pub fn into_refs(self) -> Vec<ClaimRef> {
        self.keys()
            .filter_map(|(key, marker)| Some(ClaimRef { marker, claim_id: self.evidence.claims.get(key as usize)?.id }))
            .collect()
    }
}
