//! The feed of a person: its addresses, its end, and the feed itself.

use super::order;
use crate::{
    feed::{FeedFormat, NamedFeed, feed_path, load_feed},
    mail::FeedId,
    store::DeliveryStore,
};
use app::{atoms::ActionButton, format};
use axum::{
    body::Body,
    extract::Path,
    http::{Response, StatusCode, header},
    response::IntoResponse,
};
use feature::{AnyFields, FormPost, OpenVisit, redirect};
use leptos::prelude::*;

/// Address of the form that creates a feed.
pub const PAGE: &str = "/delivery/feed";
const SECTION: &str = "/delivery#feed";

/// Handler of `POST /delivery/feed`: gives the person a feed at a new address; the earlier address ends.
pub async fn create(post: FormPost<AnyFields>) -> Response<Body> {
    let engine = &post.web.engine;
    let feed = FeedId(engine.ids.next());
    match DeliveryStore::new(&post.web).put_feed(post.user.id, feed, engine.clock.now()).await {
        Ok(()) => redirect(SECTION),
        Err(error) => post.fail(order::PAGE, &error).await,
    }
}

/// Handler of `POST /delivery/feed/remove`.
pub async fn remove(post: FormPost<AnyFields>) -> Response<Body> {
    match DeliveryStore::new(&post.web).remove_feed(post.user.id).await {
        Ok(()) => redirect(SECTION),
        Err(error) => post.fail(order::PAGE, &error).await,
    }
}

/// Handler of `GET /feeds/{format}`: the feed, or the same answer for every wrong address.
pub async fn read(Path(file): Path<String>, visit: OpenVisit) -> Response<Body> {
    let Some(format) = FeedFormat::parse(&file) else { return StatusCode::NOT_FOUND.into_response() };
    match load_feed(&visit.web, &visit.query("key").unwrap_or_default(), format).await {
        Ok(Some(feed)) => ([(header::CONTENT_TYPE, format.media_type())], feed.write(format)).into_response(),
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => {
            tracing::error!(%error, "feed not loaded");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

/// Section of the page with the addresses of the feed; `site` is missing until an administrator has set it.
#[component]
pub fn FeedSection(site: Option<String>, feeds: Vec<NamedFeed>) -> impl IntoView {
    let has_feed = !feeds.is_empty();
    let root = site.clone().unwrap_or_default();
    let addresses = feeds.into_iter().map(|feed| {
        let row = |format: FeedFormat| {
            let href = format!("{root}{}", feed_path(&feed.token, format));
            let text = href.clone();
            view! { <li>{format.label()} ": " <a href=href>{text}</a></li> }
        };
        let rows = FeedFormat::ALL.map(row).into_iter().collect_view();
        let name = feed.interest.map_or_else(|| "All news".to_owned(), |sentence| format::abridged(&sentence, 160));
        view! { <h3>{name}</h3> <ul class="delivery-addresses">{rows}</ul> }
    });
    let addresses = addresses.collect_view();
    view! {
        <section aria-labelledby="feed">
            <h2 id="feed">"Feed"</h2>
            {match site.is_some() {
                true => view! {
                    <p class="muted">"Your news for a feed reader. Whoever has an address reads them without signing in: keep it to yourself."</p>
                    {addresses}
                    <form method="post" action=PAGE>
                        <button type="submit" class="outline">{if has_feed { "Replace the addresses" } else { "Create a feed" }}</button>
                    </form>
                    {has_feed.then(|| view! { <ActionButton action="/delivery/feed/remove" fields=vec![] text="End the feed" /> })}
                }.into_any(),
                false => view! { <p>"Feeds need the public address of this site, which an administrator sets."</p> }.into_any(),
            }}
        </section>
    }
    .into_any()
}
