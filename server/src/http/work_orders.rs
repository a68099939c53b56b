//! Form posts on failed work orders: requeue and discard.

use super::{
    WebState,
    answer::{redirect, redirect_back, store_notice},
    auth::SessionUser,
    client_address::ClientAddress,
};
use app::Notice;
use axum::{
    body::Body,
    extract::{Path, State},
    http::Response,
};
use domain::{
    WorkOrderId,
    user::{Action, User},
};
use engine::{StoreResult, accounts::Actor, investigations};
use std::net::IpAddr;

const PAGE: &str = "/work-orders/failed";

pub(super) async fn requeue(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
) -> Response<Body> {
    let (id, by) = match permitted(&user, address, &id) {
        Ok(permitted) => permitted,
        Err(notice) => return redirect_back(PAGE, notice, &[]),
    };
    answer(investigations::requeue_order(&web.program.engine, by, id).await, Notice::NotRequeued)
}

pub(super) async fn discard(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
) -> Response<Body> {
    let (id, by) = match permitted(&user, address, &id) {
        Ok(permitted) => permitted,
        Err(notice) => return redirect_back(PAGE, notice, &[]),
    };
    answer(investigations::discard_order(&web.program.engine, by, id).await, Notice::NotFound)
}

/// Returns order and actor of a request by an administrator.
fn permitted(user: &User, address: IpAddr, id: &str) -> Result<(WorkOrderId, Actor), Notice> {
    if !user.role.may(Action::Configure) {
        return Err(Notice::NotAllowed);
    }
    let id: WorkOrderId = id.parse().map_err(|_| Notice::NotFound)?;
    Ok((id, Actor { user: Some(user.id), address: Some(address) }))
}

fn answer(done: StoreResult<bool>, otherwise: Notice) -> Response<Body> {
    match done {
        Ok(true) => redirect(PAGE),
        Ok(false) => redirect_back(PAGE, otherwise, &[]),
        Err(error) => redirect_back(PAGE, store_notice(&error), &[]),
    }
}
