//! View model of the explorer: its query, as the address holds it, and the subgraph with its paths.

use super::AddedNode;
use domain::{
    AssessmentId, EntityId, InvestigationId, PartialDate,
    subgraph::{GraphEdge, GraphNode, Subgraph},
};
use serde::{Deserialize, Serialize};

/// Property that colours the nodes of the picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeColour {
    #[default]
    Group,
    Kind,
}

/// Query of the explorer, as the address holds it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplorerQuery {
    /// Entities whose relationships are shown.
    pub seeds: Vec<EntityId>,
    /// End of the paths from the first seed; none: no paths.
    pub to: Option<EntityId>,
    /// Name of the end of the paths, where it was typed.
    pub target: String,
    /// Words of the description, any of which must occur.
    pub words: String,
    /// Minimum number of supporting claims.
    pub min_claims: u32,
    /// Minimum strength of a relationship, in hundredths; 0: any, also an unknown one.
    pub min_strength_percent: u32,
    /// Kind of the entities beside the seeds; empty: any.
    pub kind: String,
    /// Leaves out relationships that no claim asserts.
    pub is_asserted_only: bool,
    /// First and last day, month or year in which a claim that states the relationship was published.
    pub from: Option<PartialDate>,
    pub until: Option<PartialDate>,
    pub colour: NodeColour,
    /// Entities that are left out.
    pub hidden: Vec<EntityId>,
    /// Entities that keep their place in the picture.
    pub pinned: Vec<EntityId>,
    /// Words, an assessment or an investigation whose entities are the seeds; only without `seeds`.
    pub search: String,
    pub assessment: Option<AssessmentId>,
    pub investigation: Option<InvestigationId>,
    /// Report whose cited claims are shown. Its entities are the seeds where there are none.
    pub report: Option<AssessmentId>,
    /// Also shows what else is known of the entities of the report.
    pub shows_all: bool,
}

impl ExplorerQuery {
    /// Reads keys and values of an address. Unknown keys and malformed values are left out.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut query = Self::default();
        let mut clears_target = false;
        for (key, value) in pairs {
            match key.as_str() {
                "seed" => add(&mut query.seeds, &value),
                "to" => query.to = value.parse().ok(),
                "target" => {
                    value.trim().clone_into(&mut query.target);
                    clears_target = query.target.is_empty();
                }
                "words" => query.words = value,
                "claims" => query.min_claims = value.parse().unwrap_or_default(),
                "strength" => query.min_strength_percent = percent(&value),
                "kind" => query.kind = value,
                "asserted" => query.is_asserted_only = true,
                "from" => query.from = PartialDate::parse(&value),
                "until" => query.until = PartialDate::parse(&value),
                "colour" if value == "kind" => query.colour = NodeColour::Kind,
                "hide" => add(&mut query.hidden, &value),
                "pin" => add(&mut query.pinned, &value),
                "search" => query.search = value,
                "assessment" => query.assessment = value.parse().ok(),
                "investigation" => query.investigation = value.parse().ok(),
                "report" => query.report = value.parse().ok(),
                "known" => query.shows_all = true,
                _ => {}
            }
        }
        // The form sends the name beside the id: an emptied field asks for no path.
        if clears_target {
            query.to = None;
        }
        query
    }

    /// Returns keys and values of the address: those that are set, with the seeds rather than the start that led to them.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs: Vec<_> = self.seeds.iter().map(|seed| ("seed", seed.to_string())).collect();
        pairs.extend(self.to.map(|to| ("to", to.to_string())));
        // An id alone is enough once the name is resolved.
        pairs.extend((self.to.is_none() && !self.target.is_empty()).then(|| ("target", self.target.clone())));
        pairs.extend((!self.words.is_empty()).then(|| ("words", self.words.clone())));
        pairs.extend((self.min_claims > 0).then(|| ("claims", self.min_claims.to_string())));
        pairs.extend(self.min_strength().map(|strength| ("strength", strength)));
        pairs.extend((!self.kind.is_empty()).then(|| ("kind", self.kind.clone())));
        pairs.extend(self.is_asserted_only.then(|| ("asserted", "1".to_owned())));
        pairs.extend(self.from.map(|date| ("from", date.to_string())));
        pairs.extend(self.until.map(|date| ("until", date.to_string())));
        pairs.extend((self.colour == NodeColour::Kind).then(|| ("colour", "kind".to_owned())));
        pairs.extend(self.hidden.iter().map(|id| ("hide", id.to_string())));
        pairs.extend(self.pinned.iter().map(|id| ("pin", id.to_string())));
        pairs.extend(self.report.map(|id| ("report", id.to_string())));
        pairs.extend(self.shows_all.then(|| ("known", "1".to_owned())));
        pairs
    }

    /// Returns the minimum strength as the form shows it, `0.40`.
    pub fn min_strength(&self) -> Option<String> {
        let percent = self.min_strength_percent;
        (percent > 0).then(|| format!("{}.{:02}", percent / 100, percent % 100))
    }

    /// Returns whether some relationships are left out by a filter.
    pub const fn is_filtered(&self) -> bool {
        !self.words.is_empty()
            || self.min_claims > 0
            || self.min_strength_percent > 0
            || !self.kind.is_empty()
            || self.is_asserted_only
            || self.from.is_some()
            || self.until.is_some()
            || !self.hidden.is_empty()
    }
}

/// Adds an id once.
fn add(ids: &mut Vec<EntityId>, value: &str) {
    ids.extend(value.parse().ok().filter(|id| !ids.contains(id)));
}

/// Returns the hundredths of a number from 0 to 1.
fn percent(value: &str) -> u32 {
    let strength = value.trim().replace(',', ".").parse::<f64>().unwrap_or_default();
    (0..=100).rev().find(|percent| f64::from(*percent) <= strength * 100.0 + 1e-6).unwrap_or_default()
}

/// The explorer: a subgraph, and paths through it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExplorerView {
    pub query: ExplorerQuery,
    pub graph: Subgraph,
    /// Community of each node, in the order of `graph.nodes`, numbered from the largest.
    pub communities: Vec<u32>,
    /// Whether weaker relationships that pass the filters were left out.
    pub is_cut: bool,
    /// Number of relationships that the filters were applied to, where there are weaker ones.
    pub read_edges: Option<u32>,
    /// Number of seeds that were left out, above `max_seeds`.
    pub dropped_seeds: usize,
    pub max_seeds: usize,
    /// Kinds of the entities around the seeds.
    pub kinds: Vec<String>,
    /// Paths asked for; `None` without an end.
    pub paths: Option<Vec<GraphPath>>,
    pub max_hops: u32,
    /// Entities whose name matches `query.target`, where it is not settled which is meant.
    pub targets: Vec<GraphNode>,
    /// Name of the end of the paths, or what was typed.
    pub target: String,
    /// Objects of features over the graph.
    pub added: Vec<AddedNode>,
}

impl ExplorerView {
    /// Returns the sentences that say what is not shown.
    pub fn notices(&self) -> Vec<String> {
        let Self { dropped_seeds, max_seeds, .. } = self;
        let mut notices = vec![];
        if *dropped_seeds > 0 {
            notices.push(format!("At most {max_seeds} entities are expanded at once; {dropped_seeds} of yours are not."));
        }
        if self.is_cut {
            let text = "There are more relationships than are shown: these are the strongest. Narrow them with the filters.";
            notices.push(text.to_owned());
        }
        if let Some(read) = self.read_edges {
            notices.push(format!("The filters were applied to the {read} strongest relationships; weaker ones are not shown."));
        }
        notices
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_as_it_was_written() {
        let pairs = |query: &ExplorerQuery| query.pairs().into_iter().map(|(key, value)| (key.to_owned(), value));
        let id: EntityId = "00000000-0000-0000-0000-000000000007".parse().unwrap();
        let query = ExplorerQuery {
            seeds: vec![id],
            target: "Sandrel".into(),
            min_strength_percent: 29,
            kind: "person".into(),
            colour: NodeColour::Kind,
            hidden: vec![id],
            pinned: vec![id],
            ..Default::default()
        };
        assert_eq!(ExplorerQuery::from_pairs(pairs(&query)), query);
        let cleared = [("to".to_owned(), id.to_string()), ("target".to_owned(), " ".to_owned())];
        assert_eq!(ExplorerQuery::from_pairs(cleared), ExplorerQuery::default());
    }

    #[test]
    fn a_strength_lies_between_0_and_1() {
        assert_eq!(["0.4", "0,75", "7", "-1", "x", ""].map(percent), [40, 75, 100, 0, 0, 0]);
    }
}
