//! Facets: values of the filters with the number of hits for each.

use domain::{claim::Claim, entity::Entity};
use serde::Serialize;
use std::{cmp::Reverse, collections::BTreeMap};
use views::{FacetKind, FacetValue, SearchFacet, SearchQuery};

/// Returns how many entities there are of each kind; none if all are of one kind without a filter on it.
pub(super) fn entity_kinds(entities: &[Entity], asked: &str) -> Option<SearchFacet> {
    let kinds = entities.iter().map(|entity| (entity.kind.to_lowercase(), entity.kind.clone()));
    facet(FacetKind::EntityKind, kinds, !asked.is_empty())
}

/// Returns how many claims there are by outlet, attribution, mode and year of publication.
pub(super) fn of_claims(claims: &[Claim], asked: &SearchQuery, outlet: impl Fn(&Claim) -> Option<String>) -> Vec<SearchFacet> {
    let outlets = claims.iter().filter_map(|claim| Some((claim.outlet_id?.to_string(), outlet(claim)?)));
    let attributions = claims.iter().map(|claim| both(text(claim.attribution)));
    let modes = claims.iter().map(|claim| both(text(claim.mode)));
    let years = claims.iter().filter_map(|claim| Some(both(claim.published?.value.to_datetime().format("%Y").to_string())));
    let is_dated = asked.from.is_some() || asked.until.is_some();
    [
        facet(FacetKind::Outlet, outlets, asked.outlet.is_some()),
        facet(FacetKind::Attribution, attributions, asked.attribution.is_some()),
        facet(FacetKind::Mode, modes, asked.mode.is_some()),
        facet(FacetKind::Year, years, is_dated),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn both(text: String) -> (String, String) {
    (text.clone(), text)
}

/// Returns the text of an enum value in the address.
fn text<T: Serialize>(value: T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        _ => String::new(),
    }
}

/// Counts values, most first. A filter with one value would narrow nothing and is left out unless it is set.
fn facet(kind: FacetKind, found: impl Iterator<Item = (String, String)>, is_set: bool) -> Option<SearchFacet> {
    let mut counts: BTreeMap<String, (String, u64)> = BTreeMap::new();
    for (value, label) in found {
        counts.entry(value).or_insert((label, 0)).1 += 1;
    }
    let value = |(value, (label, count))| FacetValue { value, label, count };
    let mut values: Vec<FacetValue> = counts.into_iter().map(value).collect();
    values.sort_by_key(|value| Reverse(value.count));
    (values.len() > 1 || (is_set && !values.is_empty())).then_some(SearchFacet { kind, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(texts: &[&str]) -> impl Iterator<Item = (String, String)> {
        texts.iter().map(|text| both((*text).to_owned())).collect::<Vec<_>>().into_iter()
    }

    #[test]
    fn a_filter_with_one_value_is_offered_only_while_it_is_set() {
        assert_eq!(facet(FacetKind::Mode, pairs(&["denied", "denied"]), false), None);
        let set = facet(FacetKind::Mode, pairs(&["denied", "denied"]), true).unwrap();
        assert_eq!((set.values.len(), set.values[0].count), (1, 2));
        let two = facet(FacetKind::Mode, pairs(&["alleged", "denied", "denied"]), false).unwrap();
        assert_eq!(two.values.iter().map(|value| value.value.as_str()).collect::<Vec<_>>(), ["denied", "alleged"]);
    }
}
