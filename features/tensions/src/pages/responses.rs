//! All responses, the newest first, with the tensions that they ease.

use super::{
    actions::ScoutForm,
    detail::{ResponseItem, address},
    list,
};
use crate::{
    response::{EventLimits, TensionResponse},
    sample::without_sample,
    settings::TensionSettings,
    store::TensionStore,
    tension::TensionId,
};
use app::{
    format,
    parts::{EmptyState, Frame, NavItem, PageLinks},
};
use axum::{body::Body, http::Response};
use domain::user::{Action, User};
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
    /// Tension whose scouting is offered where there is no response: the most neglected one.
    pub scouted: Option<(TensionId, String)>,
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
    let (store, now) = (TensionStore::new(web), engine.clock.now());
    let (responses, total) = store.responses(&scope, skip, per_page).await?;
    let scouted = if total == 0 && viewer.role.may(Action::Investigate) {
        let real = without_sample(engine, scope).await?;
        store.targets(&real, 0.0, now, limits, 1).await?.pop().map(|tension| (tension.id, tension.title))
    } else {
        None
    };
    Ok(ResponsesView { responses, total, page, per_page: per_page as u64, scouted, limits })
}

#[component]
fn PageBody(viewer: User, page: ResponsesView) -> impl IntoView {
    let ResponsesView { responses, total, page, per_page, scouted, limits } = page;
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
            {match (total, scouted) {
                (0, Some((tension, title))) => view! {
                    <div class="empty">
                        <p>"Nothing answers a tension yet; the first to scout is " <a href=address(tension)>{title}</a> "."</p>
                        <ScoutForm tension />
                    </div>
                }.into_any(),
                (0, None) => view! { <EmptyState text="Nothing answers a tension yet." href=list::PAGE button="See the tensions" /> }.into_any(),
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
    fn an_empty_page_offers_a_scouting_or_leads_to_the_tensions() {
        let empty = |scouted| {
            let limits = EventLimits::new(Timestamp::from_micros(0), 30);
            let page = ResponsesView { responses: vec![], total: 0, page: 1, per_page: 25, scouted, limits };
            feature::testing::render_page(move |viewer| view! { <PageBody viewer page /> }.into_any())
        };
        let html = empty(None);
        assert!(html.contains("Nothing answers a tension yet") && html.contains("See the tensions"), "{html}");
        let tension = TensionId(testkit::id());
        let html = empty(Some((tension, "Strike in Romania".to_owned())));
        assert!(
            html.contains(&format!("action=\"/tensions/{tension}/scout\"")) && html.contains("Strike in Romania"),
            "{html}"
        );
    }
}
