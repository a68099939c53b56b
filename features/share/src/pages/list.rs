//! The links of a person, with their views, and the way to revoke them.

use crate::{
    link::{LinkId, ShareLink, ShownSources, path_of_token},
    pages_cache::{PagesCache, load_titles},
    settings::ShareSettings,
    store::ShareStore,
};
use app::{
    Notice, format,
    parts::{EmptyState, Frame, NavItem, NoticeBanner, PageLinks},
};
use axum::{
    Extension,
    body::Body,
    http::{HeaderMap, Response, header},
};
use domain::{Timestamp, user::User};
use engine::{
    StoreResult,
    accounts::{self, hash_token},
};
use feature::{FormPost, PageVisit, Web, redirect, shareable::SharedTitle};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::Deserialize;

pub const PAGE: &str = "/shares";

/// Links on one page.
const PER_PAGE: usize = 10;

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct RevokeForm {
    id: String,
}

/// Page of the links of a person.
struct LinkList {
    lines: Vec<LinkLine>,
    page: u64,
    last: u64,
    /// Address of the link that was made just now.
    made: Option<String>,
    may_share: bool,
    now: Timestamp,
}

/// Link on the list.
struct LinkLine {
    link: ShareLink,
    /// None where the person may not show it now.
    object: Option<SharedTitle>,
}

/// Handler of `GET /shares`.
pub async fn page(Extension(cache): Extension<PagesCache>, headers: HeaderMap, visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let number = visit.query("page").and_then(|page| page.parse().ok()).unwrap_or(1);
    let loaded = load(&visit.web, &cache, &visit.viewer, number, visit.query("link"), &headers).await;
    visit.show(loaded, |viewer, list| view! { <PageBody viewer list error /> }.into_any()).await
}

async fn load(
    web: &Web,
    cache: &PagesCache,
    viewer: &User,
    page: u64,
    token: Option<String>,
    headers: &HeaderMap,
) -> StoreResult<LinkList> {
    let store = ShareStore::new(web);
    let mut links = store.links(viewer.id).await?;
    let last = links.len().div_ceil(PER_PAGE).max(1) as u64;
    let page = page.clamp(1, last);
    let skipped = (page as usize - 1) * PER_PAGE;
    links = links.into_iter().skip(skipped).take(PER_PAGE).collect();
    cache.write_views(web, &mut links).await?;
    let made = token.filter(|token| links.iter().any(|link| link.token_hash == hash_token(token)));
    let made = made.map(|token| format!("{}{}", origin(&web.settings.get::<ShareSettings>(), headers), path_of_token(&token)));
    let mut titles = load_titles(web, viewer, &links).await?;
    let lines = links.into_iter().map(|link| LinkLine { object: titles.remove(&link.id), link }).collect();
    let may_share = web.settings.get::<ShareSettings>().may_share(viewer.role);
    Ok(LinkList { lines, page, last, made, may_share, now: web.engine.clock.now() })
}

/// Returns the address of this server: the configured one, or the one that the person uses.
fn origin(settings: &ShareSettings, headers: &HeaderMap) -> String {
    let text = |name| headers.get(name).and_then(|value: &axum::http::HeaderValue| value.to_str().ok());
    match text(header::HOST) {
        _ if !settings.address.is_empty() => settings.address.clone(),
        Some(host) => {
            // The browser names the page that led here, with its scheme.
            let is_https = text(header::REFERER).is_some_and(|referer| referer.starts_with("https://"));
            format!("{}://{host}", if is_https { "https" } else { "http" })
        }
        None => String::new(),
    }
}

/// Handler of `POST /shares/revoke`.
pub async fn revoke(Extension(cache): Extension<PagesCache>, post: FormPost<RevokeForm>) -> Response<Body> {
    let Ok(id) = post.form.id.parse::<LinkId>() else { return post.lead_to(PAGE, Notice::NotFound.code()) };
    match ShareStore::new(&post.web).remove(post.user.id, id).await {
        Ok(Some(token_hash)) => {
            cache.remove(&post.web, &token_hash).await;
            match accounts::audit(&post.web.engine, post.by, "revoke_share_link", &id.to_string()).await {
                Ok(()) => redirect(PAGE),
                Err(error) => post.fail(PAGE, &error).await,
            }
        }
        Ok(None) => post.lead_to(PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

#[component]
fn PageBody(viewer: User, list: LinkList, error: Option<String>) -> impl IntoView {
    let LinkList { lines, page, last, made, may_share, now } = list;
    let is_empty = lines.is_empty();
    let rows = lines.into_iter().map(|line| view! { <Line line now /> }).collect_view();
    view! {
        <Title text="Shared links" />
        <Frame viewer nav=NavItem::Page(PAGE)>
            <h1>"Shared links"</h1>
            <NoticeBanner code=error />
            {made.map(|address| view! {
                <section class="share-made" aria-labelledby="made">
                    <h2 id="made">"Your link"</h2>
                    <label for="made-link">"Copy it now: only its hash is stored, so it is not shown again."</label>
                    <input id="made-link" type="text" readonly value=address.clone() />
                    <p><a href=address>"Open the page"</a></p>
                </section>
            })}
            {match is_empty {
                true if !may_share => view! {
                    <EmptyState
                        text="You may not share by link on this server: ask your administrator."
                        href="/assessments"
                        button="Open assessments"
                    />
                }.into_any(),
                true => view! {
                    <EmptyState
                        text="You share nothing by link: select “Share a link” on an assessment, a comparison, a tension or a saved graph view."
                        href="/assessments"
                        button="Open assessments"
                    />
                }.into_any(),
                false => view! {
                    <p class="muted">"Whoever has a link reads its page without an account. Views are counted without noting who reads; previews of messengers count, too."</p>
                    <ul class="rows">{rows}</ul>
                    <PageLinks label="Pages" address=PAGE.to_owned() name="page" fields=vec![] page last />
                }.into_any(),
            }}
        </Frame>
    }
    .into_any()
}

#[component]
fn Line(line: LinkLine, now: Timestamp) -> impl IntoView {
    let LinkLine { link, object } = line;
    let state = match &object {
        _ if link.expires_at <= now => "Expired",
        Some(_) => "Works",
        None => "Does not work: you may not show this now",
    };
    let ShareLink { id, kind, sources, note, created_at, expires_at, views, .. } = link;
    let (label, title) = match object {
        Some(SharedTitle { href, title }) => {
            (format!("Revoke the link to {title}"), view! { <a href=href>{title}</a> }.into_any())
        }
        None => {
            let text = format!("A link to something that you may not show now ({kind})");
            (format!("Revoke: {text}"), view! { {text} }.into_any())
        }
    };
    let sources = match sources {
        ShownSources::Bundle => "with quotations and bundle",
        ShownSources::Quotes => "with quotations",
        ShownSources::References => "references only",
    };
    view! {
        <li class="row" id=format!("s{id}")>
            <p class="row-title">{title}</p>
            <p class="card-facts">
                <span>{state}</span>
                <span>{format::count(views, "view", "views")}</span>
                <span>{sources}</span>
                <span>"made " <time datetime=created_at.to_string()>{format::day(created_at)}</time></span>
                <span>"until " <time datetime=expires_at.to_string()>{format::day(expires_at)}</time></span>
            </p>
            {(!note.is_empty()).then(|| view! { <p class="muted">"Note: " {note}</p> })}
            <form method="post" action=format!("{PAGE}/revoke")>
                <input type="hidden" name="id" value=id.to_string() />
                <button type="submit" class="quiet" aria-label=label>"Revoke"</button>
            </form>
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_list_explains_how_to_fill_it() {
        let list = LinkList { lines: vec![], page: 1, last: 1, made: None, may_share: true, now: Timestamp::from_micros(0) };
        let html = feature::testing::render_page(|viewer| view! { <PageBody viewer list error=None /> }.into_any());
        assert!(html.contains("You share nothing by link") && html.contains("/assessments"), "{html}");
    }

    #[test]
    fn a_link_begins_with_the_configured_address_or_the_one_in_use() {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "osint.example".parse().unwrap());
        let mut settings = ShareSettings::default();
        assert_eq!(origin(&settings, &headers), "http://osint.example");
        headers.insert(header::REFERER, "https://osint.example/shares/new".parse().unwrap());
        assert_eq!(origin(&settings, &headers), "https://osint.example");
        settings.address = "https://public.example".into();
        assert_eq!(origin(&settings, &headers), "https://public.example");
    }
}
