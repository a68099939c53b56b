//! One-time code for the first account: a reader of the output of `serve` may create it, not the first visitor.

use crate::{Program, http::random_token};
use engine::{StoreResult, accounts::hash_token};

/// Time after which another start forgets a code. Each process that serves pages has its own.
const KEPT_MS: i64 = 24 * 60 * 60 * 1_000;

/// Creates a code while no account exists; only its hash is stored.
pub async fn create(program: &Program) -> StoreResult<Option<String>> {
    let (accounts, now) = (&program.engine.accounts, program.engine.clock.now());
    if accounts.has_people().await? {
        return Ok(None);
    }
    let code = random_token();
    accounts.add_setup_code(&hash_token(&code), now, now.plus_ms(-KEPT_MS)).await?;
    Ok(Some(code))
}
