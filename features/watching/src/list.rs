//! The one list of notifications: of a person's investigations, teams and watches, and those of other features.

use crate::{
    notification::{Notification, NotificationKind},
    objects::readable_changes,
    store::WatchingStore,
};
use domain::{AssessmentId, Timestamp, user::User};
use engine::{StoreResult, assessments::AssessmentQuery};
use feature::{NotificationItem, Web};
use std::{cmp::Reverse, collections::HashMap};

/// Loads the newest notifications of `viewer` after a time, as they read them now.
pub async fn load(web: &Web, viewer: &User, after: Timestamp, limit: u32) -> StoreResult<Vec<Notification>> {
    let mut found = WatchingStore::new(web).notifications(viewer.id, limit).await?;
    found.retain(|one| one.at > after);
    let changes = readable_changes(web, viewer, after).await?;
    found.extend(changes.into_iter().map(|(change, object)| Notification {
        kind: NotificationKind::Changed { href: object.href, text: change.text },
        title: object.title,
        at: change.at,
    }));
    for source in web.notifications.iter() {
        let added = (source.list)(web.clone(), viewer.clone(), after, limit).await?;
        found.extend(added.into_iter().map(|item| Notification {
            title: item.title.clone(),
            at: item.at,
            kind: NotificationKind::Added(item),
        }));
    }
    found.sort_by_key(|one| Reverse(one.at));
    found.truncate(limit as usize);
    Ok(found)
}

/// Returns the list for delivery outside of the browser, with what its reports answer.
pub async fn list(web: Web, viewer: User, after: Timestamp, limit: u32) -> StoreResult<Vec<NotificationItem>> {
    let found = load(&web, &viewer, after, limit).await?;
    let answers = answers(&web, &viewer, &found).await?;
    Ok(found.into_iter().map(|one| item(one, &answers)).collect())
}

/// Returns the bottom lines of the reports among some notifications.
async fn answers(web: &Web, user: &User, found: &[Notification]) -> StoreResult<HashMap<AssessmentId, String>> {
    let ids: Vec<AssessmentId> = found.iter().filter_map(|one| one.kind.assessment()).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let limit = u32::try_from(ids.len()).unwrap_or(u32::MAX);
    let query = AssessmentQuery { only: Some(ids), ..AssessmentQuery::newest(limit) };
    let page = web.engine.assessments.latest(&web.engine.read_scope(user).await?, &query).await?;
    Ok(page.assessments.into_iter().map(|stored| (stored.summary.id, stored.summary.bottom_line)).collect())
}

fn item(one: Notification, answers: &HashMap<AssessmentId, String>) -> NotificationItem {
    let Notification { kind, title, at } = one;
    let (text, href) = (kind.text(), kind.href());
    let text = match kind.assessment().and_then(|id| answers.get(&id)) {
        Some(answer) => format!("{text}: {answer}"),
        None => text,
    };
    let topic = match kind {
        NotificationKind::Added(item) => return item,
        // The end of the same report is another subject.
        NotificationKind::PagesChanged { state, .. } => format!("watching:{href}#{}", state.as_str()),
        // All teams have one page.
        NotificationKind::Invited { .. } | NotificationKind::TeamChanged { .. } => format!("watching:{href}#{title}"),
        _ => format!("watching:{href}"),
    };
    NotificationItem { topic, interest: None, title, text, href, at, actions: vec![] }
}
