//! Notifications of the feature, on the one list: matches, and days of reports that are over.

use crate::{
    for_you::{load_due, load_items},
    pages::for_you,
    store::MonitorStore,
};
use domain::{Timestamp, UserId, user::User};
use engine::StoreResult;
use feature::{AddedNotification, NotificationSource, Web};

pub const SOURCE: NotificationSource = NotificationSource {
    list: |web, viewer, limit| Box::pin(list(web, viewer, limit)),
    count: |web, viewer, after| Box::pin(count(web, viewer, after)),
};

async fn list(web: Web, viewer: User, limit: u32) -> StoreResult<Vec<AddedNotification>> {
    let items = load_items(&web, &viewer, Timestamp::from_micros(0)).await?.into_iter().take(limit as usize);
    let matched = items.map(|item| AddedNotification {
        title: item.product.title,
        text: format!("Matches “{}”", item.stored.sentence),
        href: format!("{}#m{}", for_you::PAGE, item.id),
        at: item.stored.matched_at,
        actions: vec![],
    });
    let due = load_due(&web, &viewer).await?.into_iter().map(|item| AddedNotification {
        text: if item.is_gap() { "This could be known by now".to_owned() } else { "Did it happen?".to_owned() },
        href: format!("{}#due", for_you::PAGE),
        at: item.ask_at,
        actions: item.actions(),
        title: item.text,
    });
    Ok(matched.chain(due).collect())
}

async fn count(web: Web, viewer: UserId, after: Timestamp) -> StoreResult<u64> {
    let unseen = MonitorStore::new(&web).count_unseen(viewer, web.engine.clock.now(), after).await?;
    if unseen.matches == 0 {
        return Ok(unseen.due);
    }
    // Only their sources know which products the person reads now.
    let Some(viewer) = web.engine.accounts.user(viewer).await? else { return Ok(unseen.due) };
    Ok(unseen.due + load_items(&web, &viewer, after).await?.len() as u64)
}
