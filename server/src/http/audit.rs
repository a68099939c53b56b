//! Audit entries of what people add and change. The change stands already: its missing entry goes to the log of the server.

use super::prelude::*;
use engine::accounts;

/// Passes the result of a form on, with an audit entry where something was done.
pub(super) async fn done<F, T, E>(
    post: &FormPost<F>,
    act: &str,
    object: &str,
    result: StoreResult<Result<T, E>>,
) -> StoreResult<Result<T, E>> {
    if matches!(result, Ok(Ok(_)))
        && let Err(error) = accounts::audit(&post.web.engine, post.by, act, object).await
    {
        tracing::error!(%error, act, object, "audit entry not written");
    }
    result
}
