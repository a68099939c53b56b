//! View model of the claims about an entity: the filter, as the address holds it, and the numbers by which it narrows.

use super::ClaimLine;
use domain::{EntityId, PartialDate, Precision, claim::Mode, subgraph::GraphNode};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Filter of the claims about an entity, and the page of its list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimsFilter {
    /// Claims that the entity published, as an outlet, instead of those about it.
    pub is_outlet: bool,
    pub mode: Option<Mode>,
    pub outlet: Option<OutletFilter>,
    /// Month of publication.
    pub month: Option<PartialDate>,
    /// Counted from 1; 0 is the first page, too.
    pub page: u64,
}

impl ClaimsFilter {
    /// Reads the values of an address; malformed ones are left out.
    pub fn from_address(value: impl Fn(&str) -> Option<String>) -> Self {
        let month = value("month").and_then(|text| PartialDate::parse(&text));
        Self {
            is_outlet: value("published").is_some(),
            mode: value("mode").and_then(|text| Mode::ALL.into_iter().find(|mode| mode.as_str() == text)),
            outlet: value("outlet").and_then(|text| OutletFilter::parse(&text)),
            month: month.filter(|month| month.precision() == Precision::Month),
            page: value("page").and_then(|text| text.parse().ok()).unwrap_or(1),
        }
    }

    /// Returns keys and values of the address, without the page.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        [
            ("published", self.is_outlet.then(|| "1".to_owned())),
            ("mode", self.mode.map(|mode| mode.as_str().to_owned())),
            ("outlet", self.outlet.map(|outlet| outlet.to_string())),
            ("month", self.month.map(|month| month.to_string())),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .collect()
    }

    /// Returns whether claims are left out.
    pub const fn is_narrowed(&self) -> bool {
        self.mode.is_some() || self.outlet.is_some() || self.month.is_some()
    }
}

/// Outlet that a list of claims is narrowed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutletFilter {
    /// The documents name no outlet.
    Unnamed,
    Entity(EntityId),
}

impl OutletFilter {
    fn parse(text: &str) -> Option<Self> {
        if text == UNNAMED { Some(Self::Unnamed) } else { text.parse().ok().map(Self::Entity) }
    }
}

/// Value of `outlet` in the address for documents that name none.
const UNNAMED: &str = "none";

impl fmt::Display for OutletFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unnamed => f.write_str(UNNAMED),
            Self::Entity(id) => id.fmt(f),
        }
    }
}

/// A page of the claims about an entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityClaimsView {
    pub entity: GraphNode,
    pub filter: ClaimsFilter,
    /// Newest publication first, at most `per_page`.
    pub claims: Vec<ClaimLine>,
    /// Number of claims that pass the filter.
    pub total: u64,
    pub per_page: u64,
    /// Number of claims without a filter.
    pub all: u64,
    /// Name of the outlet of the filter, if it is visible.
    pub outlet: Option<String>,
    /// Numbers by mode, of the filter's outlet and month. Every mode has one.
    pub modes: Vec<(Mode, u64)>,
    /// Numbers by outlet, of the filter's month: most first.
    pub outlets: Vec<OutletLine>,
    /// Numbers by month of publication, of the filter's mode and outlet: oldest first, months without claims left out.
    pub months: Vec<MonthLine>,
    /// Number of claims of the filter's mode and outlet without a publication date.
    pub undated: u64,
}

/// Numbers of claims of one outlet, by mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutletLine {
    pub outlet: OutletFilter,
    /// `None`: the documents name no outlet.
    pub name: Option<String>,
    /// Modes without claims are left out.
    pub modes: Vec<(Mode, u64)>,
}

impl OutletLine {
    /// Returns the number of claims of one mode, or of all.
    pub fn claims(&self, mode: Option<Mode>) -> u64 {
        self.modes.iter().filter(|(one, _)| mode.is_none_or(|mode| mode == *one)).map(|(_, claims)| claims).sum()
    }
}

/// Number of claims that were published in one month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MonthLine {
    /// `2031-03`.
    pub month: String,
    pub claims: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_as_it_was_written() {
        let read = |pairs: &[(&str, &str)]| {
            let value = |key: &str| pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| (*value).to_owned());
            ClaimsFilter::from_address(value)
        };
        let id: EntityId = "00000000-0000-0000-0000-000000000007".parse().unwrap();
        for outlet in [OutletFilter::Unnamed, OutletFilter::Entity(id)] {
            let filter = ClaimsFilter {
                is_outlet: true,
                mode: Some(Mode::Denied),
                outlet: Some(outlet),
                month: PartialDate::parse("2031-03"),
                page: 1,
            };
            let pairs = filter.pairs();
            let pairs: Vec<(&str, &str)> = pairs.iter().map(|(key, value)| (*key, value.as_str())).collect();
            assert_eq!(read(&pairs), filter);
        }
        let malformed = read(&[("mode", "shouted"), ("outlet", "x"), ("month", "2031-03-04"), ("page", "-1")]);
        assert_eq!(malformed, ClaimsFilter { page: 1, ..ClaimsFilter::default() });
    }
}
