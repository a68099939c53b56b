//! The form posts of the page of sources: switches, keys, trying one out, feeds and lists of feeds.

use super::{
    Web,
    answer::{back, encode, see_other},
    settings::notice_of,
    upload::first_file,
    visitor::Visitor,
};
use app::{Notice, session::SOURCE_NOTICE_KEY};
use axum::{
    Form,
    body::Body,
    extract::{Multipart, State, multipart::MultipartRejection},
    http::{Response, header},
    response::IntoResponse,
};
use domain::{
    fetch::{FeedEntry, FeedGroup, REGIONS, is_language, region_of},
    sources::SourceNotice,
};
use engine::{
    models::Secret,
    settings::{SettingError, SourceTrial},
};
use fetch::{OpmlFeed, OpmlList, read_opml, write_opml};
use serde::Deserialize;
use tower_sessions::Session;

const PAGE: &str = "/sources";
/// Most of what was typed that is shown again.
const MAX_ADDRESS_CHARS: usize = 1_000;
const MAX_WORD_CHARS: usize = 40;

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

pub(super) async fn test(
    State(web): State<Web>,
    Visitor(user): Visitor,
    session: Session,
    Form(form): Form<OfSource>,
) -> Response<Body> {
    let tried = web.program.settings.try_source(&user, &form.source).await;
    if let Ok(SourceTrial::Answered { hits, words }) = &tried {
        let words = match hits {
            0 => {
                format!("It answered, and had nothing for \u{201c}{words}\u{201d}: try it in a question before you rely on it.")
            }
            1 => format!("It answered with one hit for \u{201c}{words}\u{201d}."),
            _ => format!("It answered with {hits} hits for \u{201c}{words}\u{201d}."),
        };
        tell(&session, SourceNotice { part: form.source.clone(), words, ..SourceNotice::default() }).await;
    }
    answer(tried.map(drop), Some(&form.source))
}

pub(super) async fn add_feed(
    State(web): State<Web>,
    Visitor(user): Visitor,
    session: Session,
    Form(form): Form<NewFeed>,
) -> Response<Body> {
    let short = |typed: &str| typed.trim().to_lowercase().chars().take(MAX_WORD_CHARS).collect::<String>();
    let entry = FeedEntry {
        group: FeedGroup::parse(&form.group).unwrap_or_default(),
        region: region_of(&form.region).map_or_else(|| short(&form.region), str::to_owned),
        language: short(&form.language),
        ..FeedEntry::default()
    };
    let typed = FeedEntry { address: form.address.trim().chars().take(MAX_ADDRESS_CHARS).collect(), ..entry.clone() };
    let failed =
        |words| SourceNotice { part: SourceNotice::NEW_FEED.to_owned(), words, is_failure: true, feed: Some(typed.clone()) };
    if !entry.region.is_empty() && !REGIONS.contains(&entry.region.as_str()) {
        let words = format!(
            "\u{201c}{}\u{201d} is no region that feeds are told apart by; leave it empty, or choose one of: {}.",
            entry.region,
            REGIONS.join(", ")
        );
        return told(&session, failed(words)).await;
    }
    if !entry.language.is_empty() && !is_language(&entry.language) {
        let words = format!(
            "\u{201c}{}\u{201d} is no language of ISO 639-1, such as en or ar; leave it empty if you do not know it.",
            entry.language
        );
        return told(&session, failed(words)).await;
    }
    match web.program.settings.add_feed(&user, &form.address, entry).await {
        Ok(found) if found.is_empty() => {
            let words = format!("The feed of {} is followed now.", typed.address);
            told(&session, of_list(words)).await
        }
        Ok(found) => {
            tell(
                &session,
                SourceNotice { part: SourceNotice::NEW_FEED.to_owned(), feed: Some(typed), ..SourceNotice::default() },
            )
            .await;
            let found: Vec<String> = found.iter().map(|feed| format!("found={}", encode(&feed.address))).collect();
            see_other(&format!("{PAGE}?{}#{}", found.join("&"), SourceNotice::FEED_LIST))
        }
        Err(SettingError::NoFeed(why)) => {
            tracing::info!(why, "no feed was added");
            told(&session, failed(format!("No feed was found there: {}.", why.trim_end_matches('.')))).await
        }
        Err(error) => answer(Err(error), None),
    }
}

pub(super) async fn remove_feed(State(web): State<Web>, Visitor(user): Visitor, Form(form): Form<NewFeed>) -> Response<Body> {
    answer(web.program.settings.remove_feed(&user, &form.address).await, Some(SourceNotice::FEED_LIST))
}

pub(super) async fn import(
    State(web): State<Web>,
    Visitor(user): Visitor,
    session: Session,
    form: Result<Multipart, MultipartRejection>,
) -> Response<Body> {
    let file = match first_file(form).await {
        Ok(file) => file,
        Err(notice) => return back(PAGE, notice, &[]),
    };
    let Ok(OpmlList { feeds, without_address, not_of_web }) = read_opml(&file) else {
        return back(PAGE, Notice::NoOpml, &[]);
    };
    let feeds: Vec<FeedEntry> = feeds.into_iter().map(FeedEntry::from).collect();
    match web.program.settings.import_feeds(&user, &feeds).await {
        Ok(added) => told(&session, of_list(imported(added, without_address, not_of_web))).await,
        Err(error) => answer(Err(error), None),
    }
}

/// How many feeds of a list are new, and what was left out of it.
fn imported(added: u64, without_address: usize, not_of_web: usize) -> String {
    let mut words = match added {
        0 => "Every feed of that list is followed already.".to_owned(),
        1 => "1 feed was added.".to_owned(),
        _ => format!("{added} feeds were added."),
    };
    let left_out = [(without_address, "without an address"), (not_of_web, "whose address is not of the web (http or https)")];
    for (count, why) in left_out.into_iter().filter(|(count, _)| *count > 0) {
        let entries = if count == 1 { "entry was" } else { "entries were" };
        words.push_str(&format!(" {count} {entries} left out {why}."));
    }
    words
}

/// About the feeds that are followed.
fn of_list(words: String) -> SourceNotice {
    SourceNotice { part: SourceNotice::FEED_LIST.to_owned(), words, ..SourceNotice::default() }
}

/// Back to the part of the page that it is about, which says it.
async fn told(session: &Session, told: SourceNotice) -> Response<Body> {
    let part = told.part.clone();
    tell(session, told).await;
    answer(Ok(()), Some(&part))
}

/// Keeps what the page is to say: in the session, where no link of a stranger can put words.
async fn tell(session: &Session, told: SourceNotice) {
    if let Err(error) = session.insert(SOURCE_NOTICE_KEY, told).await {
        tracing::warn!(%error, "what came of a change could not be kept for the page");
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
