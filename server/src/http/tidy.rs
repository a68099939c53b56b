//! Form posts that archive and delete investigations and documents.

use super::{answer::redirect_with, prelude::*};
use crate::features;
use engine::{investigations, library};
use std::{fmt::Display, str::FromStr};

const PAGE: &str = "/assessments";
const LIBRARY: &str = "/documents";

/// Fields of the filters of both lists, which come back after a change with those of features. The tab (`view`) is that of the change.
const FILTERS: [&str; 11] =
    ["q", "collection", "from", "until", "sample", "tag", "owner", "sort", "visibility", "state", "kind"];

/// Filter of the list that a form was posted from.
type ListFields = Vec<(&'static str, String)>;

pub(super) async fn archive(post: FormPost<AnyFields>) -> Response<Body> {
    let done = match chosen_investigations(&post) {
        Ok(ids) => investigations::archive(&post.web.engine, &post.user, post.by, &ids).await,
        Err(notice) => return refuse(PAGE, notice, &read_filter(&post)),
    };
    respond(done, PAGE, read_filter(&post), None)
}

pub(super) async fn unarchive(post: FormPost<AnyFields>) -> Response<Body> {
    let done = match chosen_investigations(&post) {
        Ok(ids) => investigations::unarchive(&post.web.engine, &post.user, post.by, &ids).await,
        Err(notice) => return refuse(PAGE, notice, &read_filter(&post)),
    };
    respond(done, PAGE, read_filter(&post), Some("archived"))
}

pub(super) async fn delete(post: FormPost<AnyFields>) -> Response<Body> {
    let done = match chosen_investigations(&post) {
        Ok(ids) => investigations::delete(&post.web.engine, &post.user, post.by, &ids).await,
        Err(notice) => return post.lead_to(PAGE, notice),
    };
    match done {
        Ok(deleted) if deleted.is_empty() => post.lead_to(PAGE, Notice::NotFound),
        Ok(_) => redirect(PAGE),
        Err(error) => post.lead_to(PAGE, store_notice(&error)),
    }
}

pub(super) async fn archive_documents(post: FormPost<AnyFields>) -> Response<Body> {
    let done = match chosen_documents(&post) {
        Ok(ids) => library::archive_documents(&post.web.engine, &post.user, post.by, &ids).await,
        Err(notice) => return refuse(LIBRARY, notice, &read_filter(&post)),
    };
    respond(done, LIBRARY, read_filter(&post), None)
}

pub(super) async fn unarchive_documents(post: FormPost<AnyFields>) -> Response<Body> {
    let done = match chosen_documents(&post) {
        Ok(ids) => library::unarchive_documents(&post.web.engine, &post.user, post.by, &ids).await,
        Err(notice) => return refuse(LIBRARY, notice, &read_filter(&post)),
    };
    respond(done, LIBRARY, read_filter(&post), Some("archived"))
}

pub(super) async fn delete_documents(post: FormPost<AnyFields>) -> Response<Body> {
    let done = match chosen_documents(&post) {
        Ok(ids) => library::delete_documents(&post.web.engine, &post.user, post.by, &ids).await,
        Err(notice) => return post.lead_to(LIBRARY, notice),
    };
    match done {
        Ok(0) => post.lead_to(LIBRARY, Notice::NotFound),
        Ok(number) => redirect(&format!("{LIBRARY}?deleted={number}")),
        Err(error) => post.lead_to(LIBRARY, store_notice(&error)),
    }
}

/// Answers a change of chosen rows: `done` are those that changed. Leads to the tab `view` of the list, with the filter and the way to
/// undo; errors lead to the list as it was.
fn respond<Id: Display>(done: StoreResult<Vec<Id>>, list: &str, mut fields: ListFields, view: Option<&str>) -> Response<Body> {
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

/// Reads the field `filter` of a form.
fn read_filter(post: &FormPost<AnyFields>) -> ListFields {
    filter_fields(&post.values("filter").next().unwrap_or_default())
}

/// Returns the fields of the query of a list, without what is no filter.
fn filter_fields(query: &str) -> ListFields {
    let added = features::FEATURES.iter().flat_map(|feature| feature.filters).map(|filter| filter.field);
    let fields: Vec<&'static str> = FILTERS.into_iter().chain(added).collect();
    let known = |name: &str| fields.iter().copied().find(|known| *known == name);
    form_urlencoded::parse(query.as_bytes())
        .filter_map(|(name, value)| Some((known(name.as_ref())?, value.into_owned())))
        .collect()
}

/// Reads the chosen investigations or documents of a form, `most` at most.
fn chosen<Id: FromStr>(post: &FormPost<AnyFields>, most: u32) -> Result<Vec<Id>, Notice> {
    if !post.user.role.may(Action::Investigate) {
        return Err(Notice::NotAllowed);
    }
    let ids: Vec<Id> = post.values("id").filter_map(|id| id.parse().ok()).collect();
    match ids.len() {
        0 => Err(Notice::NothingChosen),
        number if number > most as usize => Err(Notice::TooManyChosen),
        _ => Ok(ids),
    }
}

/// Reads the chosen documents of a form: those of one page at most.
fn chosen_documents(post: &FormPost<AnyFields>) -> Result<Vec<DocumentId>, Notice> {
    chosen(post, post.web.engine.config.pages.documents_per_page)
}

/// Reads the chosen investigations of a form: those of one page at most.
fn chosen_investigations(post: &FormPost<AnyFields>) -> Result<Vec<InvestigationId>, Notice> {
    let pages = &post.web.engine.config.pages;
    chosen(post, pages.dashboard_assessments.max(pages.dashboard_investigations))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_keeps_its_filter_and_nothing_else_of_its_address() {
        let query = "q=grain%20store&view=archived&tag=a%26b&undo=2&error=internal";
        assert_eq!(filter_fields(query), [("q", "grain store".to_owned()), ("tag", "a&b".to_owned())]);
        assert!(filter_fields("").is_empty());
    }
}
