//! View model of the search over everything that a viewer may see.

use domain::{
    EntityId, PartialDate, PublicationDate,
    claim::{Attribution, Mode},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Query of a search, as the address holds it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchQuery {
    pub words: String,
    /// Only this kind; `None`: every kind that has the filters that are set.
    pub only: Option<SearchKind>,
    /// Only this kind of a feature, by its key; empty: every kind.
    #[serde(default)]
    pub only_added: String,
    /// First and last day, month or year of publication of a claim or document, or of completion of an investigation, both included.
    pub from: Option<PartialDate>,
    pub until: Option<PartialDate>,
    /// Outlet that published a claim.
    pub outlet: Option<EntityId>,
    pub attribution: Option<Attribution>,
    pub mode: Option<Mode>,
    /// Kind of an entity.
    pub entity_kind: String,
    pub order: SearchOrder,
    /// Leaves out likeness, and hits without every word. For lists that follow typing.
    #[serde(default)]
    pub is_words_only: bool,
}

impl SearchQuery {
    /// Returns whether a filter is set that only claims have.
    pub const fn filters_claims(&self) -> bool {
        self.outlet.is_some() || self.attribution.is_some() || self.mode.is_some()
    }

    /// Returns whether a first or last day is set, which all kinds but entities and relationships have.
    pub const fn has_period(&self) -> bool {
        self.from.is_some() || self.until.is_some()
    }

    /// Returns whether the search covers a kind: the one that was chosen, or every one that has the filters that are set.
    pub fn covers(&self, kind: SearchKind) -> bool {
        let (of_claims, of_entities) = (self.filters_claims(), !self.entity_kind.is_empty());
        match self.only {
            Some(only) => only == kind,
            None if !self.only_added.is_empty() => false,
            None if !of_claims && !of_entities && !self.has_period() => true,
            None => match kind {
                SearchKind::Claims => of_claims || self.has_period(),
                SearchKind::Entities => of_entities,
                SearchKind::Relationships => false,
                SearchKind::Assessments | SearchKind::Investigations | SearchKind::Documents => self.has_period() && !of_claims,
            },
        }
    }

    /// Returns whether the search covers a kind of a feature, which has no filters.
    pub fn covers_added(&self, key: &str) -> bool {
        match (self.only, self.only_added.as_str()) {
            (Some(_), _) => false,
            (None, "") => !self.filters_claims() && self.entity_kind.is_empty() && !self.has_period(),
            (None, only) => only == key,
        }
    }
}

/// Order of the hits of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchOrder {
    #[default]
    Relevance,
    /// By publication of claims and documents, by time of assessments and investigations, by last change of entities, and by last
    /// confirmation of relationships.
    Newest,
}

/// Hits of a search, by kind, and values that narrow it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchView {
    pub query: SearchQuery,
    /// Only groups with hits.
    pub groups: Vec<SearchGroup>,
    /// Hits of features; only groups with hits.
    pub added: Vec<AddedGroup>,
    pub facets: Vec<SearchFacet>,
}

/// Hits of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchGroup {
    pub kind: SearchKind,
    /// Best hits that have every word.
    pub hits: Vec<SearchHit>,
    /// Number of matches that have every word.
    pub total: u64,
    /// Whether there may be more than `total`, because the search stopped there.
    pub is_at_least: bool,
    /// Hits with some of the words or a similar meaning, shown where few have every word.
    pub related: Vec<SearchHit>,
}

/// Hits of one kind that a feature adds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AddedGroup {
    /// Value of `kind` in the address.
    pub key: String,
    pub title: String,
    pub hits: Vec<SearchHit>,
    /// Whether there may be more, because the search stopped there.
    pub is_at_least: bool,
}

/// Kind of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    Assessments,
    Investigations,
    Entities,
    Claims,
    Relationships,
    Documents,
}

impl SearchKind {
    /// Every kind, in the order of the page.
    pub const ALL: [Self; 6] =
        [Self::Assessments, Self::Investigations, Self::Entities, Self::Claims, Self::Relationships, Self::Documents];
}

/// One hit: a page and the words that match.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchHit {
    pub title: String,
    /// Address of its page.
    pub href: String,
    pub snippet: Snippet,
    /// Kind of an entity, outlet and manner of a claim, remark of a feature; empty for other kinds.
    pub note: String,
    pub published: Option<PublicationDate>,
}

/// Filter with the number of hits per value, among the claims or entities with every word that the search considered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchFacet {
    pub kind: FacetKind,
    /// Most hits first.
    pub values: Vec<FacetValue>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FacetKind {
    Outlet,
    Attribution,
    Mode,
    Year,
    EntityKind,
}

/// Value of a filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FacetValue {
    /// Text in the address.
    pub value: String,
    pub label: String,
    pub count: u64,
}

/// Excerpt of a text, as runs that match the query or do not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Snippet(pub Vec<(String, bool)>);
