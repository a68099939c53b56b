//! Form posts that archive and delete investigations and documents.

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
use engine::{StoreResult, accounts::Actor, investigations, library};
use std::{fmt::Display, net::IpAddr, str::FromStr};

const PAGE: &str = "/assessments";
const LIBRARY: &str = "/documents";

pub(super) async fn archive(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids): (_, Vec<InvestigationId>) = match read_investigations(&web, &user, address, &body) {
        Ok(read) => read,
        Err(notice) => return redirect_back(PAGE, notice, &[]),
    };
    let done = investigations::archive(&web.program.engine, &user, by, &ids).await;
    answer(done, PAGE, |ids| format!("{PAGE}?{}", undo(ids)))
}

pub(super) async fn unarchive(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids): (_, Vec<InvestigationId>) = match read_investigations(&web, &user, address, &body) {
        Ok(read) => read,
        Err(notice) => return redirect_back(PAGE, notice, &[]),
    };
    let done = investigations::unarchive(&web.program.engine, &user, by, &ids).await;
    answer(done, PAGE, |ids| format!("{PAGE}?view=archived&{}", undo(ids)))
}

pub(super) async fn delete(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids): (_, Vec<InvestigationId>) = match read_investigations(&web, &user, address, &body) {
        Ok(read) => read,
        Err(notice) => return redirect_back(PAGE, notice, &[]),
    };
    let done = investigations::delete(&web.program.engine, &user, by, &ids).await;
    answer(done, PAGE, |_| PAGE.to_owned())
}

pub(super) async fn archive_documents(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids) = match read_documents(&web, &user, address, &body) {
        Ok(read) => read,
        Err(notice) => return redirect_back(LIBRARY, notice, &[]),
    };
    let done = library::archive_documents(&web.program.engine, &user, by, &ids).await;
    answer(done, LIBRARY, |ids| format!("{LIBRARY}?{}", undo(ids)))
}

pub(super) async fn unarchive_documents(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids) = match read_documents(&web, &user, address, &body) {
        Ok(read) => read,
        Err(notice) => return redirect_back(LIBRARY, notice, &[]),
    };
    let done = library::unarchive_documents(&web.program.engine, &user, by, &ids).await;
    answer(done, LIBRARY, |ids| format!("{LIBRARY}?view=archived&{}", undo(ids)))
}

pub(super) async fn delete_documents(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids) = match read_documents(&web, &user, address, &body) {
        Ok(read) => read,
        Err(notice) => return redirect_back(LIBRARY, notice, &[]),
    };
    let done = library::delete_documents(&web.program.engine, &user, by, &ids).await;
    match done {
        Ok(0) => redirect_back(LIBRARY, Notice::NotFound, &[]),
        Ok(number) => redirect(&format!("{LIBRARY}?deleted={number}")),
        Err(error) => redirect_back(LIBRARY, store_notice(&error), &[]),
    }
}

/// Answers a change of chosen rows: `done` are those that changed, `location` is the address after it. Errors lead back to `list`.
fn answer<Id>(done: StoreResult<Vec<Id>>, list: &str, location: impl FnOnce(&[Id]) -> String) -> Response<Body> {
    match done {
        Ok(changed) if changed.is_empty() => redirect_back(list, Notice::NotFound, &[]),
        Ok(changed) => redirect(&location(&changed)),
        Err(error) => redirect_back(list, store_notice(&error), &[]),
    }
}

/// Reads the chosen investigations or documents of a form, `most` at most.
fn read<Id: FromStr>(user: &User, address: IpAddr, body: &str, most: u32) -> Result<(Actor, Vec<Id>), Notice> {
    if !user.role.may(Action::Investigate) {
        return Err(Notice::NotAllowed);
    }
    let fields = form_urlencoded::parse(body.as_bytes());
    let ids: Vec<Id> = fields.filter(|(name, _)| name == "id").filter_map(|(_, id)| id.parse().ok()).collect();
    if ids.is_empty() {
        return Err(Notice::NothingChosen);
    }
    if ids.len() > most as usize {
        return Err(Notice::TooManyChosen);
    }
    Ok((Actor { user: Some(user.id), address: Some(address) }, ids))
}

/// Reads the chosen documents of a form: those of one page at most.
fn read_documents(web: &WebState, user: &User, address: IpAddr, body: &str) -> Result<(Actor, Vec<DocumentId>), Notice> {
    read(user, address, body, web.program.engine.config.pages.documents_per_page)
}

/// Reads the chosen investigations of a form: those of one page at most.
fn read_investigations(
    web: &WebState,
    user: &User,
    address: IpAddr,
    body: &str,
) -> Result<(Actor, Vec<InvestigationId>), Notice> {
    let pages = &web.program.engine.config.pages;
    read(user, address, body, pages.dashboard_assessments.max(pages.dashboard_investigations))
}

/// Returns the query of the page that offers to undo.
fn undo(ids: &[impl Display]) -> String {
    ids.iter().map(|id| format!("undo={id}")).collect::<Vec<_>>().join("&")
}
