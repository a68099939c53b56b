//! The bell in the bar: link to the notifications, with the number of those since the last look.

use super::notifications::PAGE;
use crate::{objects::readable_changes, store::WatchingStore};
use domain::UserId;
use engine::StoreResult;
use feature::{Slot, Web};
use leptos::prelude::*;

/// Largest number beside the bell.
const MOST_COUNTED: u64 = 99;

/// Piece of the feature in the bar.
pub fn piece(place: &Slot) -> Option<AnyView> {
    let Slot::Bar { viewer, address } = place else { return None };
    let (viewer, is_current) = (*viewer, *address == PAGE);
    Some(
        Suspend::new(async move {
            view! { <Bell unseen=count_unseen(viewer).await is_current /> }
        })
        .into_any(),
    )
}

/// Counts the notifications since the last look; 0 when they cannot be read, so that the page stands all the same.
async fn count_unseen(viewer: UserId) -> u64 {
    let Some(web) = Web::of_page() else { return 0 };
    load_unseen(&web, viewer).await.unwrap_or_else(|error| {
        tracing::error!(%error, "notifications not counted");
        0
    })
}

async fn load_unseen(web: &Web, viewer: UserId) -> StoreResult<u64> {
    let counts = WatchingStore::new(web).count_unseen(viewer).await?;
    let mut unseen = counts.others;
    for source in web.notifications.iter() {
        unseen += (source.count)(web.clone(), viewer, counts.since).await?;
    }
    if counts.changes == 0 {
        return Ok(unseen);
    }
    let Some(viewer) = web.engine.accounts.user(viewer).await? else { return Ok(unseen) };
    Ok(unseen + readable_changes(web, &viewer, counts.since).await?.len() as u64)
}

#[component]
fn Bell(unseen: u64, is_current: bool) -> impl IntoView {
    let label = match unseen {
        0 => "Notifications".to_owned(),
        count => format!("Notifications, {count} new"),
    };
    let count = (unseen > 0).then(|| {
        let text = if unseen > MOST_COUNTED { format!("{MOST_COUNTED}+") } else { unseen.to_string() };
        view! { <span class="bell-count" aria-hidden="true">{text}</span> }
    });
    view! {
        <a class="bar-bell" href=PAGE aria-label=label aria-current=is_current.then_some("page")>
            <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 17h14l-2-3v-4a5 5 0 0 0-10 0v4zM10 20h4" /></svg>
            {count}
        </a>
    }
}
