//! Form posts on failed work orders: requeue and discard.

use super::{auth::Administrator, prelude::*};
use domain::WorkOrderId;
use engine::investigations;

const PAGE: &str = "/work-orders/failed";

pub(super) async fn requeue(Administrator { web, by }: Administrator, Path(id): Path<String>) -> Response<Body> {
    let Ok(id) = id.parse::<WorkOrderId>() else { return redirect_back(PAGE, Notice::NotFound, &[]) };
    respond(investigations::requeue_order(&web.program.engine, by, id).await, Notice::NotRequeued)
}

pub(super) async fn discard(Administrator { web, by }: Administrator, Path(id): Path<String>) -> Response<Body> {
    let Ok(id) = id.parse::<WorkOrderId>() else { return redirect_back(PAGE, Notice::NotFound, &[]) };
    respond(investigations::discard_order(&web.program.engine, by, id).await, Notice::NotFound)
}

fn respond(done: StoreResult<bool>, otherwise: Notice) -> Response<Body> {
    match done {
        Ok(true) => redirect(PAGE),
        Ok(false) => redirect_back(PAGE, otherwise, &[]),
        Err(error) => redirect_back(PAGE, store_notice(&error), &[]),
    }
}
