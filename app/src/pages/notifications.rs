//! Notifications: ended investigations of the viewer, reports shared with a team of theirs, and matches of their watched indicators.

use super::{Visit, render_page};
use crate::{
    AppError,
    atoms::{Age, Badge, Tone},
    format,
    parts::{Frame, NavItem},
};
use domain::{
    Timestamp,
    notification::{Notification, NotificationKind},
    user::User,
};
use leptos::prelude::*;
use leptos_meta::Title;
use views::NotificationsView;

async fn load_notifications() -> Result<Visit<NotificationsView>, AppError> {
    let (engine, mut viewer) = crate::session::viewer().await?;
    let page = engine.notifications_view(&viewer).await?;
    // They are being looked at.
    viewer.visits.unseen = 0;
    Ok(Visit { viewer, page })
}

#[component]
pub fn NotificationsPage() -> impl IntoView {
    render_page(load_notifications(), |Visit { viewer, page }| view! { <PageBody viewer page /> }.into_any())
}

#[component]
pub(super) fn PageBody(viewer: User, page: NotificationsView) -> impl IntoView {
    let NotificationsView { notifications, now } = page;
    let is_empty = notifications.is_empty();
    let rows = notifications.into_iter().map(|(one, is_new)| view! { <Line one is_new now /> }).collect_view();
    view! {
        <Title text="Notifications" />
        <Frame viewer nav=NavItem::Notifications>
            <h1>"Notifications"</h1>
            <p class="muted"><a href="/watching">"Watched indicators"</a></p>
            {match is_empty {
                true => view! { <p>"No notifications yet. They appear when a question of yours is answered or fails, when a colleague shares a report with your team, when you are invited to a team or its members change, and when new claims match an indicator that you watch."</p> }.into_any(),
                false => view! { <ul class="rows">{rows}</ul> }.into_any(),
            }}
        </Frame>
    }
    .into_any()
}

#[component]
fn Line(one: Notification, is_new: bool, now: Timestamp) -> impl IntoView {
    let Notification { kind, title, at } = one;
    let changes = match &kind {
        NotificationKind::Finished { assessment: Some(id), earlier: Some(earlier), .. } => {
            Some(format!("/assessments/{id}/compare?with={earlier}"))
        }
        _ => None,
    };
    let (tone, text, href) = match kind {
        NotificationKind::Finished { investigation, assessment, .. } => {
            (Tone::Good, "Finished".to_owned(), format::report_address(investigation, assessment))
        }
        NotificationKind::Shared { investigation, assessment, owner } => {
            (Tone::Good, format!("{owner} shared this with your team"), format::report_address(investigation, assessment))
        }
        NotificationKind::Failed { investigation } => {
            (Tone::Bad, "Failed".to_owned(), format!("/investigations/{investigation}"))
        }
        NotificationKind::Invited { by } => (Tone::Live, format!("{by} invites you to this team"), "/teams".to_owned()),
        NotificationKind::TeamChanged { person, has_joined } => {
            let text = if has_joined { format!("{person} joined this team") } else { format!("{person} left this team") };
            (Tone::Live, text, "/teams".to_owned())
        }
        NotificationKind::Matched { watch, claims } => {
            let text = format::count(claims, "new claim matches what you watch", "new claims match what you watch");
            (Tone::Live, text, format!("/watching#w{watch}"))
        }
    };
    view! {
        <li class="row">
            <a class="row-title" href=href>{format::abridged(&title, 160)}</a>
            <p class="card-facts">
                {is_new.then(|| view! { <Badge tone=Tone::Warning text="New" /> })}
                <Badge tone text />
                <Age then=at now />
                {changes.map(|href| view! { <a href=href>"What changed"<span class="hidden">" since the version before"</span></a> })}
            </p>
        </li>
    }
    .into_any()
}
