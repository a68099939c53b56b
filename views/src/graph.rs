//! View models of the knowledge graph: entities, their claims, and the explorer.

use domain::{
    AssessmentId, DocumentId, EntityId, PartialDate, PublicationDate,
    claim::{Claim, Mode},
    entity::{Entity, Merge, Review},
    notification::SavedView,
    relationship::Relationship,
    subgraph::{GraphEdge, GraphNode, Subgraph},
};
use serde::{Deserialize, Serialize};

/// The list of entities: those that match the words, or those with the most claims behind their names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntitiesView {
    pub query: String,
    pub kind: String,
    /// At most `limit`, best first.
    pub entities: Vec<EntityLine>,
    pub limit: usize,
}

/// An entity in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityLine {
    pub id: EntityId,
    pub name: String,
    pub kind: String,
    pub aliases: Vec<String>,
    pub summary: Option<String>,
    pub is_stub: bool,
}

/// Overview of an entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityView {
    pub entity: Entity,
    /// Strongest first, at most `max_relationships`.
    pub relationships: Vec<RelationshipLine>,
    pub max_relationships: usize,
    /// Assessments that mention it, newest first.
    pub assessments: Vec<AssessmentMention>,
}

/// A relationship from the viewpoint of an entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelationshipLine {
    pub edge: GraphEdge,
    pub other: GraphNode,
}

/// An assessment that mentions an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssessmentMention {
    pub id: AssessmentId,
    pub question: String,
    pub is_sample: bool,
}

/// Claims about an entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityClaimsView {
    pub entity: GraphNode,
    /// Newest first, at most `limit` before filtering by mode.
    pub claims: Vec<ClaimLine>,
    pub limit: usize,
    pub mode: Option<Mode>,
    /// Claims that it published, as an outlet, instead of those about it.
    pub is_outlet: bool,
    /// Claims by outlet, most first.
    pub outlets: Vec<OutletLine>,
    /// Claims by month of publication, oldest first, months without claims left out.
    pub months: Vec<MonthLine>,
}

/// A claim with its document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimLine {
    pub claim: Claim,
    /// Title of the document.
    pub title: String,
    pub outlet: Option<String>,
}

/// Numbers of claims of one outlet, by mode.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutletLine {
    /// `None`: the documents name no outlet.
    pub outlet: Option<String>,
    pub asserted: u64,
    pub denied: u64,
    pub alleged: u64,
    /// Promised or forecast.
    pub other: u64,
}

impl OutletLine {
    pub const fn total(&self) -> u64 {
        self.asserted + self.denied + self.alleged + self.other
    }
}

/// Number of claims that were published in one month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MonthLine {
    /// `2031-03`.
    pub month: String,
    pub claims: u64,
}

/// One claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimView {
    pub claim: Claim,
    pub document_id: DocumentId,
    pub title: String,
    pub outlet: Option<String>,
    pub published: Option<PublicationDate>,
    /// Entities that it is about.
    pub entities: Vec<GraphNode>,
}

/// One relationship with the claims that state it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelationshipView {
    pub relationship: Relationship,
    pub source: GraphNode,
    pub target: GraphNode,
    /// Visible claims, at most `entity_claims` of the configuration; `relationship.claim_ids` has all.
    pub claims: Vec<ClaimLine>,
}

/// Question of the explorer, as the address holds it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplorerQuery {
    /// Entities whose relationships are shown.
    pub seeds: Vec<EntityId>,
    /// End of the paths from the first seed; none: no paths.
    pub to: Option<EntityId>,
    /// Words of the description, any of which must occur.
    pub words: String,
    /// Least number of supporting claims.
    pub min_claims: u32,
    /// Leaves out relationships that no claim asserts.
    pub is_asserted_only: bool,
    /// First and last day, month or year in which a claim that states the relationship was published.
    pub from: Option<PartialDate>,
    pub until: Option<PartialDate>,
    /// Words whose best entities are the seeds, and an assessment whose entities are; only without `seeds`.
    pub search: String,
    pub assessment: Option<AssessmentId>,
}

impl ExplorerQuery {
    /// Reads keys and values of an address. Unknown keys and malformed values are left out.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut query = Self::default();
        for (key, value) in pairs {
            match key.as_str() {
                "seed" => query.seeds.extend(value.parse::<EntityId>().ok()),
                "to" => query.to = value.parse().ok(),
                "words" => query.words = value,
                "claims" => query.min_claims = value.parse().unwrap_or_default(),
                "asserted" => query.is_asserted_only = true,
                "from" => query.from = PartialDate::parse(&value),
                "until" => query.until = PartialDate::parse(&value),
                "search" => query.search = value,
                "assessment" => query.assessment = value.parse().ok(),
                _ => {}
            }
        }
        query
    }

    /// Returns keys and values of the address, without those that are not set and without what seeds are searched by.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs: Vec<_> = self.seeds.iter().map(|seed| ("seed", seed.to_string())).collect();
        pairs.extend(self.to.map(|to| ("to", to.to_string())));
        pairs.extend((!self.words.is_empty()).then(|| ("words", self.words.clone())));
        pairs.extend((self.min_claims > 0).then(|| ("claims", self.min_claims.to_string())));
        pairs.extend(self.is_asserted_only.then(|| ("asserted", "1".to_owned())));
        pairs.extend(self.from.map(|date| ("from", date.to_string())));
        pairs.extend(self.until.map(|date| ("until", date.to_string())));
        pairs
    }
}

/// The explorer: a subgraph, and paths through it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExplorerView {
    pub query: ExplorerQuery,
    pub graph: Subgraph,
    /// Community of each node, in the order of `graph.nodes`, numbered from the largest.
    pub communities: Vec<u32>,
    /// Whether weaker relationships were left out.
    pub is_cut: bool,
    /// Paths asked for; `None` without `to`.
    pub paths: Option<Vec<GraphPath>>,
    pub max_hops: u32,
    /// Views that the viewer saved or that others share.
    pub views: Vec<SavedView>,
}

/// A path between two entities: each step continues at the end of the one before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphPath {
    pub start: GraphNode,
    pub steps: Vec<PathStep>,
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PathStep {
    pub edge: GraphEdge,
    /// Whether it is walked from source to target.
    pub is_forward: bool,
    pub node: GraphNode,
}

/// Pairs of entities that are probably the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewsView {
    /// Best first, at most `limit`.
    pub pairs: Vec<PairView>,
    pub limit: usize,
}

/// A pair that awaits a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairView {
    pub review: Review,
    pub left: Entity,
    pub right: Entity,
    /// Newest claims about each side.
    pub left_claims: Vec<ClaimLine>,
    pub right_claims: Vec<ClaimLine>,
}

/// Merges that can be undone, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergesView {
    pub merges: Vec<MergeLine>,
    /// Entity to which the list is narrowed.
    pub entity: Option<EntityId>,
}

/// A merge in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeLine {
    pub merge: Merge,
    /// Name of the account that decided; none where it is not known.
    pub by: Option<String>,
}

/// Pairs that are kept apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptApartView {
    /// The latest decision first, at most `limit`; those without a person last.
    pub pairs: Vec<KeptApartLine>,
    pub limit: usize,
}

/// A pair that is kept apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptApartLine {
    pub review: Review,
    pub left: GraphNode,
    pub right: GraphNode,
    /// Name of the account that decided; none where it is not known, or where no person did.
    pub by: Option<String>,
}

/// Preview of a merge: what each side brings. The second becomes part of the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MergePreview {
    pub sides: [MergeSide; 2],
    /// Assessments that mention either.
    pub assessments: Vec<AssessmentMention>,
}

/// One side of a merge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MergeSide {
    pub entity: Entity,
    /// Number of visible claims about it.
    pub claims: u32,
    /// Number of visible relationships; those between the two sides are not counted, because they go.
    pub relationships: usize,
}
