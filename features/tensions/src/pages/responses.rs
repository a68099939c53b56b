//! All responses, the newest first, with the tensions that they ease.

use super::{
    detail::{ResponseItem, address},
    list,
};
use crate::{
    response::{EventLimits, TensionResponse},
    settings::TensionSettings,
    store::TensionStore,
};
use app::{
    format,
    parts::{EmptyState, Frame, NavItem, PageLinks},
};
use axum::{body::Body, http::Response};
use domain::user::User;
use engine::StoreResult;
use feature::{PageVisit, Web};
use leptos::prelude::*;
use leptos_meta::Title;

pub const PAGE: &str = "/tensions/responses";

/// Loaded page.
#[derive(Debug, Clone, PartialEq)]
pub struct ResponsesView {
    pub responses: Vec<TensionResponse>,
    pub total: u64,
    pub page: u64,
    pub per_page: u64,
    pub limits: EventLimits,
}

/// Handler of `GET /tensions/responses`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let page = visit.query("page").and_then(|page| page.parse().ok()).unwrap_or(1);
    let loaded = load(&visit.web, &visit.viewer, page).await;
    visit.show(loaded, |viewer, page| view! { <PageBody viewer page /> }.into_any()).await
}

/// Loads a page of the responses that `viewer` sees.
pub async fn load(web: &Web, viewer: &User, page: u64) -> StoreResult<ResponsesView> {
    let (engine, page) = (&web.engine, page.max(1));
    let settings = web.settings.get::<TensionSettings>();
    let (per_page, limits) = (settings.per_page, settings.event_limits(engine.clock.now()));
    let scope = engine.listed_scope(viewer).await?;
    let skip = (page - 1).saturating_mul(per_page as u64);
    let (responses, total) = TensionStore::new(web).responses(&scope, skip, per_page).await?;
    Ok(ResponsesView { responses, total, page, per_page: per_page as u64, limits })
}

#[component]
fn PageBody(viewer: User, page: ResponsesView) -> impl IntoView {
    let ResponsesView { responses, total, page, per_page, limits } = page;
    let last = total.div_ceil(per_page.max(1)).max(1);
    let count = format::count(total, "response", "responses");
    let items = responses.into_iter().map(|one| {
        let (href, title) = (address(one.link.tension), one.tension_title.clone());
        let more = view! { <p class="muted">"answers " <a href=href>{title}</a></p> }.into_any();
        view! { <ResponseItem one limits more /> }
    });
    let items = items.collect_view();
    view! {
        <Title text="Responses" />
        <Frame viewer nav=NavItem::Page(PAGE)>
            <h1>"Responses"</h1>
            {match total {
                0 => view! { <EmptyState text="Nothing answers a tension yet." href=list::PAGE button="See the tensions" /> }.into_any(),
                _ => view! {
                    <p class="muted" role="status">{count}</p>
                    <ul class="rows">{items}</ul>
                    <PageLinks label="Pages" address=PAGE.to_owned() name="page" fields=vec![] page last />
                }.into_any(),
            }}
        </Frame>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;

    #[test]
    fn an_empty_page_leads_to_the_tensions() {
        let limits = EventLimits::new(Timestamp::from_micros(0), 30);
        let page = ResponsesView { responses: vec![], total: 0, page: 1, per_page: 25, limits };
        let html = feature::testing::render_page(move |viewer| view! { <PageBody viewer page /> }.into_any());
        assert!(html.contains("Nothing answers a tension yet") && html.contains("href=\"/tensions\""), "{html}");
    }
}
