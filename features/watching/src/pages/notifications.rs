//! Notifications: ended investigations of the viewer, reports shared with a team of theirs, invitations, matches of their watched
//! indicators, changes of their watched objects, and notifications of other features.

use crate::{
    list,
    notification::{Notification, NotificationKind},
    settings::WatchingSettings,
    store::WatchingStore,
};
use app::{
    atoms::{ActionButton, Age, Badge, Tone},
    format,
    parts::{EmptyState, Frame, NavItem},
};
use axum::{body::Body, http::Response};
use domain::{Timestamp, user::User};
use engine::StoreResult;
use feature::{PageVisit, Web};
use leptos::prelude::*;
use leptos_meta::Title;

pub const PAGE: &str = "/notifications";

/// Handler of `GET /notifications`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let loaded = load(&visit.web, &visit.viewer).await;
    visit.show(loaded, |viewer, (notifications, now)| view! { <PageBody viewer notifications now /> }.into_any()).await
}

/// Loads the newest notifications of `viewer`, each with whether it came since the last look, and records that they are looked at.
async fn load(web: &Web, viewer: &User) -> StoreResult<(Vec<(Notification, bool)>, Timestamp)> {
    let (engine, store) = (&web.engine, WatchingStore::new(web));
    let now = engine.clock.now();
    let limit = web.settings.get::<WatchingSettings>().notifications;
    let found = list::load(web, viewer, Timestamp::from_micros(0), limit).await?;
    let last = store.look_at_notifications(viewer.id, now).await?;
    let since = last.unwrap_or(viewer.created_at);
    Ok((found.into_iter().map(|one| (one.at > since, one)).map(|(is_new, one)| (one, is_new)).collect(), now))
}

#[component]
fn PageBody(viewer: User, notifications: Vec<(Notification, bool)>, now: Timestamp) -> impl IntoView {
    let is_empty = notifications.is_empty();
    let rows = notifications.into_iter().map(|(one, is_new)| view! { <Line one is_new now /> }).collect_view();
    view! {
        <Title text="Notifications" />
        <Frame viewer nav=NavItem::Page(PAGE)>
            <h1>"Notifications"</h1>
            <p class="muted"><a href="/watching">"What you watch"</a></p>
            {match is_empty {
                true => view! {
                    <EmptyState
                        text="No notifications yet: they say what was answered, shared, matched or changed for you."
                        href="/watching"
                        button="See what you watch"
                    />
                }.into_any(),
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
    let actions = match &kind {
        NotificationKind::Added(item) => item.actions.clone(),
        _ => vec![],
    };
    let buttons = actions.into_iter().map(|action| {
        let label = format!("{}: {title}", action.label);
        view! { <ActionButton action=action.address fields=action.fields text=action.label label /> }
    });
    let buttons = buttons.collect_view();
    let tone = match kind {
        NotificationKind::Finished { .. } | NotificationKind::Shared { .. } => Tone::Good,
        NotificationKind::Failed { .. } => Tone::Bad,
        NotificationKind::PagesChanged { .. } => Tone::Warning,
        _ => Tone::Live,
    };
    let (text, href) = (kind.text(), kind.href());
    view! {
        <li class="row">
            <a class="row-title" href=href>{format::abridged(&title, 160)}</a>
            <p class="card-facts">
                {is_new.then(|| view! { <Badge tone=Tone::Warning text="New" /> })}
                <Badge tone text />
                <Age then=at now />
                {changes.map(|href| view! { <a href=href>"What changed"<span class="hidden">" since the version before"</span></a> })}
            </p>
            {buttons}
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::WatchId;
    use domain::{AssessmentId, InvestigationId};

    #[test]
    fn notifications_say_what_happened_and_lead_there() {
        let now = Timestamp::from_micros(1_900_000_000_000_000);
        let html =
            feature::testing::render_page(move |viewer| view! { <PageBody viewer notifications=vec![] now /> }.into_any());
        assert!(html.contains("No notifications yet"), "{html}");
        let kind = NotificationKind::Matched { watch: WatchId(testkit::id()), claims: 2 };
        let one = Notification { kind, title: "The gate log is published.".into(), at: now };
        let (investigation, assessment) = (InvestigationId(testkit::id()), AssessmentId(testkit::id()));
        let kind = NotificationKind::Shared { investigation, assessment: Some(assessment), owner: "ada".into() };
        let shared = Notification { kind, title: "Who closed the gate?".into(), at: now };
        let earlier = Some(AssessmentId(testkit::id()));
        let kind = NotificationKind::Finished { investigation, assessment: Some(assessment), earlier };
        let finished = Notification { kind, title: "Who closed the gate?".into(), at: now };
        let notifications = vec![(one, true), (shared, true), (finished, false)];
        let html = feature::testing::render_page(move |viewer| view! { <PageBody viewer notifications now /> }.into_any());
        assert!(html.contains("2 new claims match what you watch") && html.contains("/watching#w"), "{html}");
        assert!(html.contains("ada shared this with you") && html.contains("/compare?with="), "{html}");
    }
}
