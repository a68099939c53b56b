//! Rules for markers: each one that is used is a citation. A citation that nothing uses is left out by the program.

use super::Problems;
use crate::assessment::{Body, Marker, markers_in};
use std::collections::BTreeSet;

impl Problems<'_> {
    pub(super) fn check_markers(&mut self, markers: &BTreeSet<Marker>) {
        let lists = self.body.citation_lists().into_iter().map(|(at, list)| (at, list.to_vec()));
        let texts = self.body.prose().into_iter().map(|(at, text)| (at, markers_in(text).collect()));
        for (at, list) in lists.chain(texts).collect::<Vec<(String, Vec<Marker>)>>() {
            let list: BTreeSet<Marker> = list.into_iter().collect();
            for marker in list.difference(markers) {
                self.add(at.as_str(), format!("[{marker}] is not a citation: claim_refs has no such marker"));
            }
        }
    }
}

/// Returns those of the markers that no text and no list of a body cites.
pub fn uncited(body: &Body, markers: &BTreeSet<Marker>) -> BTreeSet<Marker> {
    let lists = body.citation_lists().into_iter().flat_map(|(_, list)| list.to_vec());
    let used: BTreeSet<Marker> = lists.chain(body.prose().into_iter().flat_map(|(_, text)| markers_in(text))).collect();
    markers.difference(&used).copied().collect()
}
