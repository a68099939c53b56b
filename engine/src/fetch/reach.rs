//! Addresses permitted to a session.

use crate::{Engine, StoreResult};
use domain::{SessionId, work_order::WorkOrder};
use protocol::addresses::addresses_in;

/// Returns the link distance of `address` from one named by the order or a source of this session; none when not permitted.
pub async fn link_distance(
    engine: &Engine,
    session: SessionId,
    order: Option<&WorkOrder>,
    address: &str,
) -> StoreResult<Option<u32>> {
    let named = |text: &str| addresses_in(text).any(|named| named == address);
    if order.is_some_and(|order| named(&order.objective) || order.source_guidance.iter().any(|guidance| named(guidance))) {
        return Ok(Some(0));
    }
    engine.captures.allowed(session, address).await
}

/// Permits a session to open addresses named by a page or source, within the maximum distance.
pub async fn offer(engine: &Engine, session: SessionId, addresses: &[String], steps: u32) -> StoreResult<bool> {
    if steps > engine.config.web.max_steps || addresses.is_empty() {
        return Ok(false);
    }
    engine.captures.allow(session, addresses, steps).await?;
    Ok(true)
}
