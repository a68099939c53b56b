//! The query of a search in the address.

use super::sentence_case;
use crate::prelude::*;
use domain::claim::{Attribution, Mode};
use serde::{Serialize, de::DeserializeOwned};
use views::{FacetKind, SearchKind, SearchOrder, SearchQuery};

/// Reads the query of the address; what cannot be read is left out.
pub(super) fn from_address(value: impl Fn(&str) -> Option<String>) -> SearchQuery {
    let date = |key| value(key).and_then(|text| PartialDate::parse(&text));
    let kind = value("kind").unwrap_or_default();
    let only = parse(&kind);
    SearchQuery {
        words: value("q").unwrap_or_default(),
        only,
        only_added: if only.is_none() { kind } else { String::new() },
        from: date("from"),
        until: date("until"),
        outlet: value("outlet").and_then(|id| id.parse().ok()),
        attribution: value("attribution").and_then(|text| parse(&text)),
        mode: value("mode").and_then(|text| parse(&text)),
        entity_kind: value("entity").unwrap_or_default().trim().to_owned(),
        order: value("sort").and_then(|text| parse(&text)).unwrap_or_default(),
        is_words_only: false,
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::from(text)).ok()
}

fn text<T: Serialize>(value: T) -> Option<String> {
    serde_json::to_value(value).ok()?.as_str().map(str::to_owned)
}

/// Returns keys and values of the address, without those that are not set.
pub(super) fn pairs(query: &SearchQuery) -> Vec<(&'static str, String)> {
    let given = |value: &String| Some(value.clone()).filter(|value| !value.is_empty());
    [
        ("q", given(&query.words)),
        ("kind", query.only.and_then(text).or_else(|| given(&query.only_added))),
        ("from", query.from.map(|date| date.to_string())),
        ("until", query.until.map(|date| date.to_string())),
        ("outlet", query.outlet.map(|id| id.to_string())),
        ("attribution", query.attribution.and_then(text)),
        ("mode", query.mode.and_then(text)),
        ("entity", given(&query.entity_kind)),
        ("sort", (query.order != SearchOrder::Relevance).then(|| text(query.order)).flatten()),
    ]
    .into_iter()
    .filter_map(|(key, value)| Some((key, value?)))
    .collect()
}

pub(super) fn address(query: &SearchQuery) -> String {
    format!("/search?{}", format::query_string(pairs(query)))
}

/// Returns the query with one more filter.
pub(super) fn narrowed(query: &SearchQuery, kind: FacetKind, value: &str) -> SearchQuery {
    let mut query = query.clone();
    match kind {
        FacetKind::Outlet => query.outlet = value.parse().ok(),
        FacetKind::Attribution => query.attribution = parse(value),
        FacetKind::Mode => query.mode = parse(value),
        FacetKind::Year => {
            query.from = PartialDate::parse(value);
            query.until = query.from;
        }
        FacetKind::EntityKind => value.clone_into(&mut query.entity_kind),
    }
    query
}

/// `2031`, `2031-03 to 2031-04`, `from 2031-03`, `to 2031-04`.
pub(super) fn period_text(query: &SearchQuery) -> String {
    match (query.from, query.until) {
        (Some(from), Some(until)) if from == until => from.to_string(),
        (Some(from), Some(until)) => format!("{from} to {until}"),
        (Some(from), None) => format!("From {from}"),
        (None, Some(until)) => format!("To {until}"),
        (None, None) => String::new(),
    }
}

/// Returns the text of a filter's value for readers.
pub(super) fn value_text(kind: FacetKind, label: &str) -> String {
    match kind {
        FacetKind::Attribution => parse::<Attribution>(label).map(format::attribution).map_or_else(String::new, sentence_case),
        FacetKind::Mode => parse::<Mode>(label).map(Mode::as_str).map_or_else(String::new, sentence_case),
        FacetKind::Outlet | FacetKind::Year | FacetKind::EntityKind => label.to_owned(),
    }
}

pub(super) const fn kind_text(kind: SearchKind) -> &'static str {
    match kind {
        SearchKind::Assessments => "Assessments",
        SearchKind::Investigations => "Investigations",
        SearchKind::Entities => "Entities",
        SearchKind::Claims => "Claims",
        SearchKind::Relationships => "Relationships",
        SearchKind::Documents => "Documents",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_holds_the_whole_query() {
        let query = SearchQuery {
            words: "lock & key".into(),
            only: Some(SearchKind::Claims),
            only_added: String::new(),
            from: PartialDate::parse("2031-03"),
            until: PartialDate::parse("2031-04-02"),
            outlet: "00000000-0000-0000-0000-000000000007".parse().ok(),
            attribution: Some(Attribution::Secondhand),
            mode: Some(Mode::Denied),
            entity_kind: "company".into(),
            order: SearchOrder::Newest,
            is_words_only: false,
        };
        let held = pairs(&query);
        let value = |key: &str| held.iter().find(|(name, _)| *name == key).map(|(_, value)| value.clone());
        assert_eq!(from_address(value), query);
        assert!(address(&query).starts_with("/search?q=lock%20%26%20key&kind=claims&from=2031-03"));
        assert_eq!(from_address(|_| Some("nonsense".into())).mode, None);
        let added = from_address(|key| (key == "kind").then(|| "tensions".to_owned()));
        assert_eq!((added.only, address(&added).as_str()), (None, "/search?kind=tensions"));
        assert!(added.covers_added("tensions") && !added.covers_added("alerts") && !added.covers(SearchKind::Claims));
    }

    #[test]
    fn a_year_is_a_period() {
        let query = narrowed(&SearchQuery::default(), FacetKind::Year, "2031");
        assert_eq!(period_text(&query), "2031");
        assert!(query.covers(SearchKind::Claims) && query.covers(SearchKind::Documents) && !query.covers(SearchKind::Entities));
    }
}
