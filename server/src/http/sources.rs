//! Form posts of the sources page: switches, keys, tests, feeds and feed lists.

use super::{
    auth::{ConfirmedUser, SessionUser},
    prelude::*,
    settings::notice_of,
    upload::first_file,
};
use app::session::{SOURCE_NOTICE_KEY, encode, local_path};
use axum::extract::{Multipart, multipart::MultipartRejection};
use domain::fetch::{FeedEntry, FeedGroup, REGIONS, is_language, region_of};
use engine::{
    models::Secret,
    settings::{SettingError, SourceTrial},
};
use fetch::{OpmlFeed, OpmlList, write_opml};
use views::sources::SourceNotice;

const PAGE: &str = "/sources";
/// Maximum characters of typed values that are shown again.
const MAX_ADDRESS_CHARS: usize = 1_000;
const MAX_WORD_CHARS: usize = 40;

#[derive(Deserialize)]
pub(super) struct SwitchForm {
    /// `None`: all sources that can be queried.
    source: Option<String>,
    on: bool,
    /// Page to return to; empty: the page of sources.
    #[serde(default)]
    next: String,
}

// No `Debug`, because it holds a key.
#[derive(Deserialize)]
pub(super) struct StoreSourceKeyForm {
    source: String,
    #[serde(default)]
    key: String,
}

#[derive(Deserialize)]
pub(super) struct SourceForm {
    source: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct FeedForm {
    address: String,
    group: String,
    region: String,
    language: String,
}

pub(super) async fn switch(State(web): State<WebState>, post: FormPost<SwitchForm>) -> Response<Body> {
    let form = &post.form;
    let source = form.source.as_deref();
    match web.program.settings.of_client(post.by.address).switch_source(&post.user, source, form.on).await {
        Ok(()) if !form.next.is_empty() => redirect(local_path(&form.next)),
        done => respond(done, source),
    }
}

pub(super) async fn store_key(
    State(web): State<WebState>,
    ConfirmedUser(user): ConfirmedUser,
    ClientAddress(address): ClientAddress,
    Form(form): Form<StoreSourceKeyForm>,
) -> Response<Body> {
    let key = Secret::from(form.key);
    respond(web.program.settings.of_client(Some(address)).store_source_key(&user, &form.source, &key).await, Some(&form.source))
}

pub(super) async fn remove_key(State(web): State<WebState>, _: ConfirmedUser, post: FormPost<SourceForm>) -> Response<Body> {
    let source = post.form.source.as_str();
    respond(web.program.settings.of_client(post.by.address).remove_source_key(&post.user, source).await, Some(source))
}

pub(super) async fn test(State(web): State<WebState>, session: Session, post: FormPost<SourceForm>) -> Response<Body> {
    let source = post.form.source.as_str();
    let tried = web.program.settings.of_client(post.by.address).try_source(&post.user, source).await;
    if let Ok(SourceTrial::Answered { hits, words }) = &tried {
        let words = match hits {
            0 => {
                format!("Connected, but no hits for \u{201c}{words}\u{201d}. Try it in a question before you rely on it.")
            }
            1 => format!("Connected: one hit for \u{201c}{words}\u{201d}."),
            _ => format!("Connected: {hits} hits for \u{201c}{words}\u{201d}."),
        };
        keep_message(&session, SourceNotice { part: source.to_owned(), words, ..SourceNotice::default() }).await;
    }
    respond(tried.map(drop), Some(source))
}

pub(super) async fn add_feed(State(web): State<WebState>, session: Session, post: FormPost<FeedForm>) -> Response<Body> {
    let form = &post.form;
    let normalize = |typed: &str| typed.trim().to_lowercase().chars().take(MAX_WORD_CHARS).collect::<String>();
    let entry = FeedEntry {
        group: FeedGroup::parse(&form.group).unwrap_or_default(),
        region: region_of(&form.region).map_or_else(|| normalize(&form.region), str::to_owned),
        language: normalize(&form.language),
        ..FeedEntry::default()
    };
    let typed = FeedEntry { address: form.address.trim().chars().take(MAX_ADDRESS_CHARS).collect(), ..entry.clone() };
    let failure =
        |words| SourceNotice { part: SourceNotice::NEW_FEED.to_owned(), words, is_failure: true, feed: Some(typed.clone()) };
    if !entry.region.is_empty() && !REGIONS.contains(&entry.region.as_str()) {
        let words = format!(
            "Unknown region \u{201c}{}\u{201d}. Leave it empty, or choose one of: {}.",
            entry.region,
            REGIONS.join(", ")
        );
        return redirect_with_message(&session, failure(words)).await;
    }
    if !entry.language.is_empty() && !is_language(&entry.language) {
        let words = format!(
            "Unknown language \u{201c}{}\u{201d}. Use an ISO 639-1 code such as en or ar, or leave it empty.",
            entry.language
        );
        return redirect_with_message(&session, failure(words)).await;
    }
    match web.program.settings.of_client(post.by.address).add_feed(&post.user, &form.address, entry).await {
        Ok(found) if found.is_empty() => {
            let words = format!("Feed {} added.", typed.address);
            redirect_with_message(&session, feed_list_message(words)).await
        }
        Ok(found) => {
            keep_message(
                &session,
                SourceNotice { part: SourceNotice::NEW_FEED.to_owned(), feed: Some(typed), ..SourceNotice::default() },
            )
            .await;
            let found: Vec<String> = found.iter().map(|feed| format!("found={}", encode(&feed.address))).collect();
            redirect(&format!("{PAGE}?{}#{}", found.join("&"), SourceNotice::FEED_LIST))
        }
        Err(SettingError::NoFeed(why)) => {
            tracing::info!(why, "no feed found");
            redirect_with_message(&session, failure(format!("No feed found: {}.", why.trim_end_matches('.')))).await
        }
        Err(error) => respond(Err(error), None),
    }
}

pub(super) async fn remove_feed(State(web): State<WebState>, post: FormPost<FeedForm>) -> Response<Body> {
    let removed = web.program.settings.of_client(post.by.address).remove_feed(&post.user, &post.form.address).await;
    respond(removed, Some(SourceNotice::FEED_LIST))
}

pub(super) async fn import(caller: Caller, session: Session, form: Result<Multipart, MultipartRejection>) -> Response<Body> {
    let Caller { web, user, by } = caller;
    // Before the body is read, which may be long.
    if !user.role.may(Action::Configure) {
        return respond(Err(SettingError::NotAllowed), None);
    }
    let file = match first_file(form).await {
        Ok(file) => file,
        Err(notice) => return redirect_back(PAGE, notice, &[]),
    };
    let OpmlList { feeds, without_address, not_of_web } = match web.program.documents.feed_list(file).await {
        Ok(list) => list,
        Err(rejection) => {
            tracing::info!(reason = rejection.message, "list of feeds refused");
            return redirect_back(PAGE, Notice::NoOpml, &[]);
        }
    };
    let feeds: Vec<FeedEntry> = feeds.into_iter().map(FeedEntry::from).collect();
    match web.program.settings.of_client(by.address).import_feeds(&user, &feeds).await {
        Ok(added) => {
            redirect_with_message(&session, feed_list_message(import_summary(added, without_address, not_of_web))).await
        }
        Err(error) => respond(Err(error), None),
    }
}

/// Summarises an import: new feeds, and skipped entries.
fn import_summary(added: u64, without_address: usize, not_of_web: usize) -> String {
    let mut words = match added {
        0 => "You already follow every feed in this list.".to_owned(),
        1 => "1 feed added.".to_owned(),
        _ => format!("{added} feeds added."),
    };
    let left_out = [(without_address, "without an address"), (not_of_web, "because the address is not http or https")];
    for (count, why) in left_out.into_iter().filter(|(count, _)| *count > 0) {
        let entries = if count == 1 { "entry was" } else { "entries were" };
        words.push_str(&format!(" {count} {entries} skipped {why}."));
    }
    words
}

/// Message for the list of feeds.
fn feed_list_message(words: String) -> SourceNotice {
    SourceNotice { part: SourceNotice::FEED_LIST.to_owned(), words, ..SourceNotice::default() }
}

/// Redirects to a part of the page and shows a message there.
async fn redirect_with_message(session: &Session, notice: SourceNotice) -> Response<Body> {
    let part = notice.part.clone();
    keep_message(session, notice).await;
    respond(Ok(()), Some(&part))
}

/// Keeps a message in the session, so that no link can inject text.
async fn keep_message(session: &Session, notice: SourceNotice) {
    if let Err(error) = session.insert(SOURCE_NOTICE_KEY, notice).await {
        tracing::warn!(%error, "page message not stored");
    }
}

pub(super) async fn export(State(web): State<WebState>, SessionUser(user): SessionUser) -> Response<Body> {
    match web.program.settings.feeds(&user).await {
        Ok(feeds) => {
            let feeds: Vec<OpmlFeed> = feeds.into_iter().map(OpmlFeed::from).collect();
            let headers = [
                (header::CONTENT_TYPE, "text/x-opml; charset=utf-8"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"autosint-feeds.opml\""),
            ];
            (headers, write_opml("Feeds of AutOSINT", &feeds)).into_response()
        }
        Err(error) => respond(Err(error), None),
    }
}

/// Redirects to a part of the page.
fn respond(done: Result<(), SettingError>, part: Option<&str>) -> Response<Body> {
    match done {
        Ok(()) => redirect(&part.map_or_else(|| PAGE.to_owned(), |part| format!("{PAGE}#{}", encode(part)))),
        Err(error) => redirect_back(PAGE, notice_of(&error), &[]),
    }
}
