//! Addresses permitted to a session.

use crate::{Engine, StoreResult};
use domain::{SessionId, fetch::Link, investigation::Investigation, work_order::WorkOrder};
use protocol::addresses::addresses_in;

/// Returns whether the person or a source of the investigation named this address, as it stands. A part of a question counts with
/// the whole; its own question was written by a model.
pub async fn is_named(engine: &Engine, investigation: &Investigation, address: &str) -> StoreResult<bool> {
    let (root, is_asked) = match investigation.parent_id {
        None => (investigation.id, is_in(&investigation.question, address)),
        Some(parent) => {
            let whole = engine.investigations.investigation(parent).await?;
            (parent, whole.is_some_and(|whole| is_in(&whole.question, address)))
        }
    };
    let is_given = is_asked || investigation.addresses.iter().any(|given| given == address);
    Ok(is_given || engine.captures.is_listed(root, address).await?)
}

fn is_in(question: &str, address: &str) -> bool {
    addresses_in(question).any(|named| named == address)
}

/// Returns the addresses of a work order, as they stand.
pub fn order_addresses(order: &WorkOrder) -> impl Iterator<Item = &str> {
    std::iter::once(&order.objective).chain(&order.source_guidance).flat_map(|text| addresses_in(text))
}

/// Returns the link distance of `address` from one named by the order, by the caller of a feature's session, or by a source of this
/// session; none when not permitted.
pub async fn link_distance(
    engine: &Engine,
    session: SessionId,
    investigation: &Investigation,
    order: Option<&WorkOrder>,
    address: &str,
) -> StoreResult<Option<u32>> {
    let is_ordered = order.is_some_and(|order| order_addresses(order).any(|named| named == address));
    if is_ordered && is_named(engine, investigation, address).await? {
        return Ok(Some(0));
    }
    if is_given(investigation, address) {
        return Ok(Some(0));
    }
    engine.captures.allowed(session, address).await
}

/// Returns whether the caller of a feature's session gave it this address.
fn is_given(investigation: &Investigation, address: &str) -> bool {
    investigation.stored_id().is_none() && investigation.addresses.iter().any(|given| given == address)
}

/// Permits a session to open addresses named by a page or source, within the maximum distance.
pub async fn offer(engine: &Engine, session: SessionId, addresses: &[String], steps: u32) -> StoreResult<bool> {
    if steps > engine.config.web.max_steps || addresses.is_empty() {
        return Ok(false);
    }
    engine.captures.allow(session, addresses, steps).await?;
    Ok(true)
}

/// Permits a session to open the links of a page; see `offer`.
pub async fn offer_links(engine: &Engine, session: SessionId, links: &[Link], steps: u32) -> StoreResult<bool> {
    let addresses: Vec<String> = links.iter().map(|link| link.url.clone()).collect();
    offer(engine, session, &addresses, steps).await
}

/// Permits a session to open what a source listed in it, and the work orders of its investigation to name that.
pub async fn offer_listed(
    engine: &Engine,
    session: SessionId,
    investigation: &Investigation,
    addresses: &[String],
) -> StoreResult<()> {
    if let Some(stored) = investigation.stored_id() {
        engine.captures.add_listed(investigation.parent_id.unwrap_or(stored), addresses).await?;
    }
    offer(engine, session, addresses, 0).await?;
    Ok(())
}
