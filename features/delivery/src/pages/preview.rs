//! Preview of a person's mail in the browser: the news of the last week, as text and as HTML.

use super::order;
use crate::{
    digest::{Digest, find_news},
    links::{LinkEnds, LinkSigner, PersonLinks},
    outbox::DAY_MS,
    render::{MailText, render_digest},
    settings::DeliverySettings,
    store::DeliveryStore,
};
use app::parts::{Breadcrumbs, Frame, NavItem};
use axum::{
    body::Body,
    http::{Response, header},
    response::IntoResponse,
};
use domain::user::User;
use engine::StoreResult;
use feature::{PageVisit, Web, redirect};
use leptos::prelude::*;
use leptos_meta::Title;

pub const PAGE: &str = "/delivery/preview";
pub const HTML: &str = "/delivery/preview/mail";

/// Policy of the HTML part as a page of its own: inline styles, and nothing that is loaded or run.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Handler of `GET /delivery/preview`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let loaded = load(&visit.web, &visit.viewer).await;
    visit.show(loaded, |viewer, mail| view! { <PageBody viewer mail /> }.into_any()).await
}

/// Handler of `GET /delivery/preview/mail`.
pub async fn html(visit: PageVisit) -> Response<Body> {
    match load(&visit.web, &visit.viewer).await {
        Ok(Some(mail)) => {
            let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
            (headers, mail.html).into_response()
        }
        Ok(None) => redirect(PAGE),
        Err(error) => visit.show(Err::<(), _>(error), |_, ()| ().into_any()).await,
    }
}

/// Renders the news of the last seven days; none without news.
async fn load(web: &Web, viewer: &User) -> StoreResult<Option<MailText>> {
    let (store, now) = (DeliveryStore::new(web), web.engine.clock.now());
    let choice = store.subscription(viewer.id).await?.map(|one| one.choice).unwrap_or_default();
    let found = find_news(web, viewer, now.plus_ms(-7 * DAY_MS), now).await?;
    let digest = Digest::new(found.news, &found.useful, choice.budget);
    if digest.items.is_empty() {
        return Ok(None);
    }
    let site = store.server().await?.map(|server| server.site).unwrap_or_default();
    let signer = LinkSigner::load(web).await?;
    let links = PersonLinks { signer: &signer, site: &site, person: viewer.id };
    let ends = LinkEnds::new(now, &web.settings.get::<DeliverySettings>());
    Ok(Some(render_digest(&digest, &choice, &links, now, ends)))
}

#[component]
fn PageBody(viewer: User, mail: Option<MailText>) -> impl IntoView {
    let body = match mail {
        Some(mail) => view! {
            <p class="muted">"The news of the last seven days, as a mail to you shows them. The links work."</p>
            <dl class="facts"><dt>"Subject"</dt><dd>{mail.subject}</dd></dl>
            <p><a class="button" href=HTML>"Open the mail"</a></p>
            <h2>"Its text part"</h2>
            <pre class="delivery-text" tabindex="0">{mail.text}</pre>
        }
        .into_any(),
        None => view! {
            <p>"There are no news of the last seven days, so no mail would be sent. Ask a question, or watch something."</p>
            <p><a class="button" href="/watching">"What you watch"</a></p>
        }
        .into_any(),
    };
    view! {
        <Title text="Preview of your mail" />
        <Frame viewer nav=NavItem::Page(order::PAGE)>
            <Breadcrumbs above=[("Delivery", order::PAGE.to_owned())] here="Preview" />
            <h1>"Preview of your mail"</h1>
            {body}
        </Frame>
    }
    .into_any()
}
