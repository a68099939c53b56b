//! View model of the claims about an entity: a page of them, and their numbers by mode, outlet and month.

use crate::{
    Engine, StoreResult,
    graph::{ClaimNumber, ClaimOrder, ClaimQuery, SubgraphQuery},
};
use domain::{EntityId, claim::Mode, investigation::Period, subgraph::GraphNode, user::User};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};
use views::graph::{ClaimsFilter, EntityClaimsView, MonthLine, OutletFilter, OutletLine};

impl Engine {
    /// Returns a page of the claims about an entity, or of those that it published as an outlet, newest publication first.
    pub async fn entity_claims_view(
        &self,
        viewer: &User,
        id: EntityId,
        filter: ClaimsFilter,
    ) -> StoreResult<Option<EntityClaimsView>> {
        let visible = self.visible(viewer).await?;
        let named = self.graph.subgraph(&visible.scope, &SubgraphQuery::new(vec![id], 0)).await?;
        let Some(entity) = named.nodes.into_iter().next() else { return Ok(None) };
        let numbers = self.graph.claim_numbers(&visible.scope, entity.id, filter.is_outlet).await?;
        // An outlet that was merged meanwhile has no claims under its old id, so its name is looked up alone.
        let chosen = match filter.outlet {
            Some(OutletFilter::Entity(outlet)) if numbers.iter().all(|number| number.outlet != Some(outlet)) => {
                self.nodes(&visible, vec![outlet]).await?.into_iter().next()
            }
            _ => None,
        };
        let outlet = chosen.as_ref().map(|node| OutletFilter::Entity(node.id)).or(filter.outlet);
        let mut filter = ClaimsFilter { outlet, ..filter };
        let outlets: BTreeSet<EntityId> = numbers.iter().filter_map(|number| number.outlet).collect();
        let mut names = self.nodes(&visible, outlets.into_iter().collect()).await?;
        names.extend(chosen);
        let total = count(&numbers, &filter);
        let per_page = self.config.pages.entity_claims;
        filter.page = filter.page.clamp(1, total.div_ceil(u64::from(per_page.max(1))).max(1));
        let found = match total {
            0 => vec![],
            _ => self.graph.find_claims(&visible.scope, &query(&entity, &filter, per_page)).await?,
        };
        let claims = self.claim_lines(&visible, found.into_iter().map(|candidate| candidate.item).collect()).await?;
        let outlet = filter.outlet.and_then(|outlet| match outlet {
            OutletFilter::Entity(id) => names.iter().find(|node| node.id == id).map(|node| node.name.clone()),
            OutletFilter::Unnamed => None,
        });
        let of_months = ClaimsFilter { month: None, ..filter.clone() };
        let months = months(&numbers, &of_months);
        let dated: u64 = months.iter().map(|line| line.claims).sum();
        Ok(Some(EntityClaimsView {
            entity,
            claims,
            total,
            per_page: per_page.into(),
            all: count(&numbers, &ClaimsFilter::default()),
            outlet,
            modes: Mode::ALL.map(|mode| (mode, count(&numbers, &ClaimsFilter { mode: Some(mode), ..filter.clone() }))).into(),
            outlets: outlet_lines(&numbers, &names, &filter),
            undated: count(&numbers, &of_months) - dated,
            months,
            filter,
        }))
    }
}

fn query(entity: &GraphNode, filter: &ClaimsFilter, per_page: u32) -> ClaimQuery {
    let outlet = match filter.outlet {
        Some(OutletFilter::Entity(outlet)) => Some(outlet),
        _ => None,
    };
    let query = ClaimQuery {
        entity_id: (!filter.is_outlet).then_some(entity.id),
        outlet_id: if filter.is_outlet { Some(entity.id) } else { outlet },
        is_without_outlet: filter.outlet == Some(OutletFilter::Unnamed),
        mode: filter.mode,
        order: ClaimOrder::NewestFirst,
        skip: filter.page.saturating_sub(1) * u64::from(per_page),
        candidates: per_page,
        ..ClaimQuery::default()
    };
    query.within(&Period { from: filter.month, until: filter.month })
}

/// Returns whether the claims of a number pass the filter.
fn passes(number: &ClaimNumber, filter: &ClaimsFilter) -> bool {
    let is_outlet = filter.outlet.is_none_or(|outlet| match outlet {
        OutletFilter::Unnamed => number.outlet.is_none(),
        OutletFilter::Entity(id) => number.outlet == Some(id),
    });
    let month = filter.month.map(|month| month.to_string());
    filter.mode.is_none_or(|mode| mode == number.mode) && is_outlet && (month.is_none() || month == number.month)
}

fn count(numbers: &[ClaimNumber], filter: &ClaimsFilter) -> u64 {
    numbers.iter().filter(|number| passes(number, filter)).map(|number| number.claims).sum()
}

/// Returns the numbers by month, oldest first.
fn months(numbers: &[ClaimNumber], filter: &ClaimsFilter) -> Vec<MonthLine> {
    let mut months: BTreeMap<&str, u64> = BTreeMap::new();
    for number in numbers.iter().filter(|number| passes(number, filter)) {
        if let Some(month) = &number.month {
            *months.entry(month).or_default() += number.claims;
        }
    }
    months.into_iter().map(|(month, claims)| MonthLine { month: month.to_owned(), claims }).collect()
}

/// Returns the numbers by outlet, of the filter's month, most first. Outlets without a visible name count as unnamed.
fn outlet_lines(numbers: &[ClaimNumber], names: &[GraphNode], filter: &ClaimsFilter) -> Vec<OutletLine> {
    let names: HashMap<EntityId, &str> = names.iter().map(|node| (node.id, node.name.as_str())).collect();
    let filter = ClaimsFilter { mode: None, outlet: None, ..filter.clone() };
    let mut outlets: BTreeMap<Option<EntityId>, BTreeMap<Mode, u64>> = BTreeMap::new();
    for number in numbers.iter().filter(|number| passes(number, &filter)) {
        let outlet = number.outlet.filter(|outlet| names.contains_key(outlet));
        *outlets.entry(outlet).or_default().entry(number.mode).or_default() += number.claims;
    }
    let line = |(outlet, modes): (Option<EntityId>, BTreeMap<Mode, u64>)| OutletLine {
        outlet: outlet.map_or(OutletFilter::Unnamed, OutletFilter::Entity),
        name: outlet.and_then(|outlet| names.get(&outlet)).map(|name| (*name).to_owned()),
        modes: modes.into_iter().collect(),
    };
    let mut outlets: Vec<OutletLine> = outlets.into_iter().map(line).collect();
    outlets.sort_by(|one, other| (Reverse(one.claims(None)), &one.name).cmp(&(Reverse(other.claims(None)), &other.name)));
    outlets
}
