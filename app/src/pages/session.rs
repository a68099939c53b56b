//! One agent session: inputs, model replies, tool calls and results.

use super::{Visit, id_in_path, query, render_page};
use crate::{
    islands::LiveSession,
    live::sessions::{self, SessionBody},
    parts::LiveScripts,
    prelude::*,
};
use views::SessionView;

pub async fn load_session(id: String, page: Option<u64>) -> Result<Visit<SessionView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse() else { return Err(AppError::not_found("session")) };
    let page = engine.session_view(&viewer, id, page).await?.ok_or_else(|| AppError::not_found("session"))?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn SessionPage() -> impl IntoView {
    let page = query("page").and_then(|page| page.parse().ok());
    render_page(load_session(id_in_path(), page), move |Visit { viewer, page: view }| {
        view! { <PageBody viewer page=view requested_page=page /> }.into_any()
    })
}

/// `requested_page`: number of the page of steps in the address.
#[component]
pub(super) fn PageBody(viewer: User, page: SessionView, requested_page: Option<u64>) -> impl IntoView {
    let session = &page.line.session;
    let name = sessions::name(session);
    let investigation = format!("/investigations/{}", page.investigation_id);
    let all = format!("{investigation}/sessions");
    let here = format!("/sessions/{}", session.id);
    view! {
        <Title text=format!("{name} · {}", format::abridged(&page.question, 120)) />
        <Frame viewer nav=NavItem::Other>
            <Breadcrumbs above=[("Investigation", investigation), ("Agent log", all)] here=name.clone() />
            <p class="overline"><SampleBadge is_shown=page.is_sample /></p>
            <h1>{name}</h1>
            <QuestionLine text=page.question.clone() />
            {(!page.is_over).then(|| view! {
                <noscript>
                    <p class="hint">"The session may continue. "<a href=here>"Refresh now"</a></p>
                </noscript>
            })}
            {if page.is_over {
                view! { <SessionBody view=page /> }.into_any()
            } else {
                view! { <LiveSession view=page requested_page /> <LiveScripts /> }.into_any()
            }}
        </Frame>
    }
    .into_any()
}
