//! The form posts of the page of sources: switches, keys, trying one out, feeds and lists of feeds.

use super::{
    Web,
    answer::{back, encode, see_other},
    settings::notice_of,
    upload::first_file,
    visitor::Visitor,
};
use app::Notice;
use axum::{
    Form,
    body::Body,
    extract::{Multipart, State, multipart::MultipartRejection},
    http::{Response, header},
    response::IntoResponse,
};
use domain::fetch::{FeedEntry, FeedGroup};
use engine::{models::Secret, settings::SettingError};
use fetch::{OpmlFeed, read_opml, write_opml};
use serde::Deserialize;

const PAGE: &str = "/sources";

#[derive(Deserialize)]
pub(super) struct Switch {
    /// None: all that can be asked.
    source: Option<String>,
    on: bool,
}

// No `Debug`: it holds a key.
#[derive(Deserialize)]
pub(super) struct StoreKey {
    source: String,
    #[serde(default)]
    key: String,
}

#[derive(Deserialize)]
pub(super) struct OfSource {
    source: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct NewFeed {
    address: String,
    group: String,
    region: String,
    language: String,
}

pub(super) async fn switch(State(web): State<Web>, Visitor(user): Visitor, Form(form): Form<Switch>) -> Response<Body> {
    let source = form.source.as_deref();
    answer(web.program.settings.switch_source(&user, source, form.on).await, source)
}

pub(super) async fn store_key(State(web): State<Web>, Visitor(user): Visitor, Form(form): Form<StoreKey>) -> Response<Body> {
    let key = Secret::from(form.key);
    answer(web.program.settings.store_source_key(&user, &form.source, &key).await, Some(&form.source))
}

pub(super) async fn remove_key(State(web): State<Web>, Visitor(user): Visitor, Form(form): Form<OfSource>) -> Response<Body> {
    answer(web.program.settings.remove_source_key(&user, &form.source).await, Some(&form.source))
}

pub(super) async fn test(State(web): State<Web>, Visitor(user): Visitor, Form(form): Form<OfSource>) -> Response<Body> {
    answer(web.program.settings.try_source(&user, &form.source).await, Some(&form.source))
}

pub(super) async fn add_feed(State(web): State<Web>, Visitor(user): Visitor, Form(form): Form<NewFeed>) -> Response<Body> {
    let entry = FeedEntry {
        group: FeedGroup::parse(&form.group).unwrap_or_default(),
        region: form.region.trim().to_lowercase().chars().take(40).collect(),
        language: form.language.trim().to_lowercase().chars().take(2).collect(),
        ..FeedEntry::default()
    };
    match web.program.settings.add_feed(&user, &form.address, entry).await {
        Ok(found) if found.is_empty() => see_other("/sources#feed-list"),
        Ok(found) => {
            let found: Vec<String> = found.iter().map(|feed| format!("found={}", encode(&feed.address))).collect();
            see_other(&format!("{PAGE}?{}#feed-list", found.join("&")))
        }
        Err(error) => answer(Err(error), None),
    }
}

pub(super) async fn remove_feed(State(web): State<Web>, Visitor(user): Visitor, Form(form): Form<NewFeed>) -> Response<Body> {
    answer(web.program.settings.remove_feed(&user, &form.address).await, Some("feed-list"))
}

pub(super) async fn import(
    State(web): State<Web>,
    Visitor(user): Visitor,
    form: Result<Multipart, MultipartRejection>,
) -> Response<Body> {
    let file = match first_file(form).await {
        Ok(file) => file,
        Err(notice) => return back(PAGE, notice, &[]),
    };
    let Ok(feeds) = read_opml(&file) else { return back(PAGE, Notice::NoOpml, &[]) };
    let feeds: Vec<FeedEntry> = feeds.into_iter().map(FeedEntry::from).collect();
    match web.program.settings.import_feeds(&user, &feeds).await {
        Ok(added) => see_other(&format!("{PAGE}?added={added}#feed-list")),
        Err(error) => answer(Err(error), None),
    }
}

pub(super) async fn export(State(web): State<Web>, Visitor(_): Visitor) -> Response<Body> {
    match web.program.settings.feeds().await {
        Ok(feeds) => {
            let feeds: Vec<OpmlFeed> = feeds.into_iter().map(OpmlFeed::from).collect();
            let headers = [
                (header::CONTENT_TYPE, "text/x-opml; charset=utf-8"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"autosint-feeds.opml\""),
            ];
            (headers, write_opml("Feeds of AutOSINT", &feeds)).into_response()
        }
        Err(error) => back(PAGE, super::answer::store_notice(&error), &[]),
    }
}

/// Back to the part of the page that it was about.
fn answer(done: Result<(), SettingError>, part: Option<&str>) -> Response<Body> {
    match done {
        Ok(()) => see_other(&part.map_or_else(|| PAGE.to_owned(), |part| format!("{PAGE}#{}", encode(part)))),
        Err(error) => back(PAGE, notice_of(&error), &[]),
    }
}
