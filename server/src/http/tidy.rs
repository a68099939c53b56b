//! Form posts that archive and delete investigations and documents.

use super::{
    WebState,
    answer::{redirect, redirect_back, redirect_with, store_notice},
    auth::SessionUser,
    client_address::ClientAddress,
};
use crate::features;
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

/// Fields of the filters of both lists, which come back after a change with those of features. The tab (`view`) is that of the change.
const FILTERS: [&str; 11] =
    ["q", "collection", "from", "until", "sample", "tag", "owner", "sort", "visibility", "state", "kind"];

/// Filter of the list that a form was posted from.
type ListFields = Vec<(&'static str, String)>;

pub(super) async fn archive(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids): (_, Vec<InvestigationId>) = match read_investigations(&web, &user, address, &body) {
        Ok(read) => read,
        Err(notice) => return refuse(PAGE, notice, &read_filter(&body)),
    };
    let done = investigations::archive(&web.program.engine, &user, by, &ids).await;
    answer(done, PAGE, read_filter(&body), None)
}

pub(super) async fn unarchive(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids): (_, Vec<InvestigationId>) = match read_investigations(&web, &user, address, &body) {
        Ok(read) => read,
        Err(notice) => return refuse(PAGE, notice, &read_filter(&body)),
    };
    let done = investigations::unarchive(&web.program.engine, &user, by, &ids).await;
    answer(done, PAGE, read_filter(&body), Some("archived"))
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
    match done {
        Ok(deleted) if deleted.is_empty() => redirect_back(PAGE, Notice::NotFound, &[]),
        Ok(_) => redirect(PAGE),
        Err(error) => redirect_back(PAGE, store_notice(&error), &[]),
    }
}

pub(super) async fn archive_documents(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids) = match read_documents(&web, &user, address, &body) {
        Ok(read) => read,
        Err(notice) => return refuse(LIBRARY, notice, &read_filter(&body)),
    };
    let done = library::archive_documents(&web.program.engine, &user, by, &ids).await;
    answer(done, LIBRARY, read_filter(&body), None)
}

pub(super) async fn unarchive_documents(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let (by, ids) = match read_documents(&web, &user, address, &body) {
        Ok(read) => read,
        Err(notice) => return refuse(LIBRARY, notice, &read_filter(&body)),
    };
    let done = library::unarchive_documents(&web.program.engine, &user, by, &ids).await;
    answer(done, LIBRARY, read_filter(&body), Some("archived"))
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

/// Answers a change of chosen rows: `done` are those that changed. Leads to the tab `view` of the list, with the filter and the way to
/// undo; errors lead to the list as it was.
fn answer<Id: Display>(done: StoreResult<Vec<Id>>, list: &str, mut fields: ListFields, view: Option<&str>) -> Response<Body> {
    match done {
        Ok(changed) if changed.is_empty() => refuse(list, Notice::NotFound, &fields),
        Ok(changed) => {
            fields.extend(view.map(|view| ("view", view.to_owned())));
            fields.extend(changed.iter().map(|id| ("undo", id.to_string())));
            redirect_with(list, &fields)
        }
        Err(error) => refuse(list, store_notice(&error), &fields),
    }
}

/// Leads back to a list with its filter and a notice.
fn refuse(list: &str, notice: Notice, fields: &[(&'static str, String)]) -> Response<Body> {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    redirect_back(list, notice, &fields)
}

/// Reads the field `filter` of a form: the query of the list, without what is no filter.
fn read_filter(body: &str) -> ListFields {
    let field = form_urlencoded::parse(body.as_bytes()).find(|(name, _)| name == "filter");
    let filter = field.map(|(_, filter)| filter.into_owned()).unwrap_or_default();
    let added = features::FEATURES.iter().flat_map(|feature| feature.filters).map(|filter| filter.field);
    let fields: Vec<&'static str> = FILTERS.into_iter().chain(added).collect();
    let known = |name: &str| fields.iter().copied().find(|known| *known == name);
    form_urlencoded::parse(filter.as_bytes())
        .filter_map(|(name, value)| Some((known(name.as_ref())?, value.into_owned())))
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_keeps_its_filter_and_nothing_else_of_its_address() {
        let body = "id=1&filter=q%3Dgrain%2520store%26view%3Darchived%26tag%3Da%2526b%26undo%3D2%26error%3Dinternal";
        assert_eq!(read_filter(body), [("q", "grain store".to_owned()), ("tag", "a&b".to_owned())]);
        assert!(read_filter("id=1").is_empty());
    }
}
