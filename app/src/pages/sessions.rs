//! Agent sessions of an investigation: model, duration, spend, status.

use super::{Visit, id_in_path, query, render_page};
use crate::{
    islands::LiveSessions,
    live::sessions::SessionList,
    parts::{LiveScripts, QuestionHeading},
    prelude::*,
};
use views::SessionsView;

pub async fn load_sessions(id: String, page: u64) -> Result<Visit<SessionsView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse() else { return Err(AppError::not_found("investigation")) };
    let page = engine.sessions_view(&viewer, id, page).await?.ok_or_else(|| AppError::not_found("investigation"))?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn SessionsPage() -> impl IntoView {
    let page = query("page").and_then(|page| page.parse().ok()).unwrap_or(1);
    render_page(load_sessions(id_in_path(), page), |Visit { viewer, page }| view! { <PageBody viewer page /> }.into_any())
}

#[component]
pub(super) fn PageBody(viewer: User, page: SessionsView) -> impl IntoView {
    let investigation = format!("/investigations/{}", page.investigation_id);
    let here = format!("{investigation}/sessions");
    view! {
        <Title text=format!("Work · {}", format::abridged(&page.question, 120)) />
        <Frame viewer nav=NavItem::Other>
            <Breadcrumbs above=[("Investigation", investigation)] here="Agent log" />
            <p class="overline"><SampleBadge is_shown=page.is_sample /></p>
            <QuestionHeading text=page.question.clone() />
            {(!page.is_over).then(|| view! {
                <noscript>
                    <meta http-equiv="refresh" content="5" />
                    <p class="hint">"This page reloads every five seconds. "<a href=here>"Refresh now"</a></p>
                </noscript>
            })}
            {if page.is_over {
                view! { <SessionList view=page /> }.into_any()
            } else {
                view! { <LiveSessions view=page /> <LiveScripts /> }.into_any()
            }}
        </Frame>
    }
    .into_any()
}
