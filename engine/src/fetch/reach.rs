//! What a session may open.

use crate::{Engine, StoreResult};
use domain::{SessionId, work_order::WorkOrder};
use protocol::addresses::addresses_in;

/// How many links lie between what the order or a source of this session named and `address`; none: it may not be opened.
pub async fn steps_to(
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

/// Lets a session open what a page or a source in it named. Pages that would be too far away are not offered.
pub async fn offer(engine: &Engine, session: SessionId, addresses: &[String], steps: u32) -> StoreResult<bool> {
    if steps > engine.config.web.max_steps || addresses.is_empty() {
        return Ok(false);
    }
    engine.captures.allow(session, addresses, steps).await?;
    Ok(true)
}
