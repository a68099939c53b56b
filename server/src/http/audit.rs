//! Audit entries of what people read, export and add. An entry that cannot be written refuses what it is about.

use super::WebState;
use domain::user::User;
use engine::{
    StoreResult,
    accounts::{self, Actor},
};
use std::net::IpAddr;

/// Passes a result on, with an audit entry where something was done.
pub(super) async fn done<T, E>(
    web: &WebState,
    user: &User,
    address: IpAddr,
    act: &str,
    object: &str,
    result: StoreResult<Result<T, E>>,
) -> StoreResult<Result<T, E>> {
    if matches!(result, Ok(Ok(_))) {
        entry(web, user, address, act, object).await?;
    }
    result
}

/// Writes an entry.
pub(super) async fn entry(web: &WebState, user: &User, address: IpAddr, act: &str, object: &str) -> StoreResult<()> {
    accounts::audit(&web.program.engine, Actor { user: Some(user.id), address: Some(address) }, act, object).await
}
