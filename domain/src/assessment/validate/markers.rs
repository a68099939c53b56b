//! Rules for markers: each one that is used is a citation, and each citation is used.

use super::Problems;
use crate::assessment::{Marker, markers_in};
use std::collections::BTreeSet;

impl Problems<'_> {
    pub(super) fn check_markers(&mut self, markers: &BTreeSet<Marker>) {
        let lists = self.body.citation_lists().into_iter().map(|(at, list)| (at, list.to_vec()));
        let texts = self.body.prose().into_iter().map(|(at, text)| (at, markers_in(text).collect()));
        let mut used: BTreeSet<Marker> = BTreeSet::new();
        for (at, list) in lists.chain(texts).collect::<Vec<(String, Vec<Marker>)>>() {
            let list: BTreeSet<Marker> = list.into_iter().collect();
            for marker in list.difference(markers) {
                self.add(at.as_str(), format!("[{marker}] is not a citation: claim_refs has no such marker"));
            }
            used.extend(list);
        }
        let unused: Vec<String> = markers.difference(&used).map(|marker| format!("[{marker}]")).collect();
        if !unused.is_empty() {
            let rule = format!(
                "cited nowhere: {}; use each marker in a text or a list of citations, or leave it out",
                unused.join(", ")
            );
            self.add("claim_refs", rule);
        }
    }
}
