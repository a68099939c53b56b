//! Form posts that archive and delete investigations, and delete documents.

use super::{
    WebState,
    answer::{redirect, redirect_back, store_notice},
    auth::SessionUser,
    client_address::ClientAddress,
};
use app::Notice;
use axum::{body::Body, extract::State, http::Response};
use domain::{
    DocumentId, InvestigationId,
    user::{Action, User},
};
use engine::{accounts::Actor, investigations, library};
use std::{net::IpAddr, str::FromStr};

const PAGE: &str = "/assessments";
const LIBRARY: &str = "/documents";

pub(super) async fn archive(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids): (_, Vec<InvestigationId>) = match read(&user, address, &body) {
        Ok(read) => read,
        Err(notice) => return redirect_back(PAGE, notice, &[]),
    };
    match investigations::archive(&web.program.engine, &user, by, &ids).await {
        Ok(0) => redirect_back(PAGE, Notice::NotFound, &[]),
        Ok(_) => redirect(&format!("{PAGE}?{}", undo(&ids))),
        Err(error) => redirect_back(PAGE, store_notice(&error), &[]),
    }
}

pub(super) async fn unarchive(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids): (_, Vec<InvestigationId>) = match read(&user, address, &body) {
        Ok(read) => read,
        Err(notice) => return redirect_back(PAGE, notice, &[]),
    };
    match investigations::unarchive(&web.program.engine, &user, by, &ids).await {
        Ok(0) => redirect_back(PAGE, Notice::NotFound, &[]),
        Ok(_) => redirect(&format!("{PAGE}?view=archived&{}", undo(&ids))),
        Err(error) => redirect_back(PAGE, store_notice(&error), &[]),
    }
}

pub(super) async fn delete(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids): (_, Vec<InvestigationId>) = match read(&user, address, &body) {
        Ok(read) => read,
        Err(notice) => return redirect_back(PAGE, notice, &[]),
    };
    match investigations::delete(&web.program.engine, &user, by, &ids).await {
        Ok(0) => redirect_back(PAGE, Notice::NotFound, &[]),
        Ok(_) => redirect(PAGE),
        Err(error) => redirect_back(PAGE, store_notice(&error), &[]),
    }
}

pub(super) async fn delete_documents(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids): (_, Vec<DocumentId>) = match read(&user, address, &body) {
        Ok(read) => read,
        Err(notice) => return redirect_back(LIBRARY, notice, &[]),
    };
    if ids.len() > web.program.engine.config.pages.documents_per_page as usize {
        return redirect_back(LIBRARY, Notice::TooManyChosen, &[]);
    }
    match library::delete_documents(&web.program.engine, &user, by, &ids).await {
        Ok(0) => redirect_back(LIBRARY, Notice::NotFound, &[]),
        Ok(number) => redirect(&format!("{LIBRARY}?deleted={number}")),
        Err(error) => redirect_back(LIBRARY, store_notice(&error), &[]),
    }
}

/// Reads the chosen investigations or documents of a form.
fn read<Id: FromStr>(user: &User, address: IpAddr, body: &str) -> Result<(Actor, Vec<Id>), Notice> {
    if !user.role.may(Action::Investigate) {
        return Err(Notice::NotAllowed);
    }
    let fields = form_urlencoded::parse(body.as_bytes());
    let ids: Vec<Id> = fields.filter(|(name, _)| name == "id").filter_map(|(_, id)| id.parse().ok()).collect();
    if ids.is_empty() {
        return Err(Notice::NothingChosen);
    }
    Ok((Actor { user: Some(user.id), address: Some(address) }, ids))
}

/// Returns the query of the page that offers to undo.
fn undo(ids: &[InvestigationId]) -> String {
    ids.iter().map(|id| format!("undo={id}")).collect::<Vec<_>>().join("&")
}
