//! Numbers of claims from the rows of a backend.

use crate::graph::enum_text::from_text;
use domain::{EntityId, claim::Mode};
use engine::{StoreResult, graph::ClaimNumbers};
use serde::Deserialize;
use sqlx::FromRow;
use std::collections::BTreeMap;
use uuid::Uuid;

/// A month with its number of claims, or an outlet and mode with theirs.
#[derive(Deserialize, FromRow)]
pub(in crate::graph) struct NumberRow {
    /// Begins with `2031-03`.
    month: Option<String>,
    outlet: Option<Uuid>,
    mode: Option<String>,
    claims: i64,
}

/// Length of `2031-03`.
const MONTH: usize = 7;

pub(in crate::graph) fn claim_numbers(rows: Vec<NumberRow>) -> StoreResult<ClaimNumbers> {
    let mut months: BTreeMap<String, u64> = BTreeMap::new();
    let mut outlets: Vec<(Option<EntityId>, Mode, u64)> = vec![];
    for NumberRow { month, outlet, mode, claims } in rows {
        let claims = claims.cast_unsigned();
        if let Some(mut month) = month {
            month.truncate(MONTH);
            *months.entry(month).or_default() += claims;
        } else if let Some(mode) = mode {
            outlets.push((outlet.map(EntityId), from_text(&mode)?, claims));
        }
    }
    outlets.sort_unstable();
    Ok(ClaimNumbers { months: months.into_iter().collect(), outlets })
}
