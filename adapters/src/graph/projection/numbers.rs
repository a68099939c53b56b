//! Numbers of claims from the rows of a backend.

use crate::graph::enum_text::from_text;
use domain::EntityId;
use engine::{StoreResult, graph::ClaimNumber};
use serde::Deserialize;
use sqlx::FromRow;
use uuid::Uuid;

/// Number of claims of one month, outlet and mode.
#[derive(Deserialize, FromRow)]
pub(in crate::graph) struct NumberRow {
    /// Begins with `2031-03`.
    month: Option<String>,
    outlet: Option<Uuid>,
    mode: String,
    claims: i64,
}

/// Length of `2031-03`.
const MONTH: usize = 7;

pub(in crate::graph) fn claim_numbers(rows: Vec<NumberRow>) -> StoreResult<Vec<ClaimNumber>> {
    let number = |NumberRow { mut month, outlet, mode, claims }: NumberRow| {
        if let Some(month) = &mut month {
            month.truncate(MONTH);
        }
        let (outlet, mode) = (outlet.map(EntityId), from_text(&mode)?);
        Ok(ClaimNumber { month, outlet, mode, claims: claims.cast_unsigned() })
    };
    let mut numbers = rows.into_iter().map(number).collect::<StoreResult<Vec<_>>>()?;
    numbers.sort_unstable();
    Ok(numbers)
}
