//! News for delivery: the notifications of a person with what their reports answer, and changes of what they watch.

use crate::{
    notification::{Notification, NotificationKind},
    objects::readable_changes,
    store::WatchingStore,
};
use domain::{AssessmentId, Timestamp, user::User};
use engine::{StoreResult, assessments::AssessmentQuery};
use feature::{NewsItem, NewsSource, Web};
use std::{cmp::Reverse, collections::HashMap};

/// Source of the feature.
pub const SOURCE: NewsSource =
    NewsSource { find: |web, user, since, limit| Box::pin(async move { find(&web, &user, since, limit).await }) };

/// Returns the newest notifications of a person after a time, up to `limit`.
pub async fn find(web: &Web, user: &User, since: Timestamp, limit: usize) -> StoreResult<Vec<NewsItem>> {
    let rows = u32::try_from(limit).unwrap_or(u32::MAX);
    let mut found = WatchingStore::new(web).notifications(user.id, rows).await?;
    found.retain(|one| one.at > since);
    let changes = readable_changes(web, user, since).await?;
    found.extend(changes.into_iter().map(|(change, object)| Notification {
        kind: NotificationKind::Changed { href: object.href, text: change.text },
        title: object.title,
        at: change.at,
    }));
    found.sort_by_key(|one| Reverse(one.at));
    found.truncate(limit);
    let answers = answers(web, user, &found).await?;
    Ok(found.into_iter().map(|one| news_item(one, &answers)).collect())
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

fn news_item(one: Notification, answers: &HashMap<AssessmentId, String>) -> NewsItem {
    let Notification { kind, title, at } = one;
    let (text, href) = (kind.text(), kind.href());
    let text = match kind.assessment().and_then(|id| answers.get(&id)) {
        Some(answer) => format!("{text}: {answer}"),
        None => text,
    };
    NewsItem { topic: format!("watching:{href}"), title, text, href, at }
}
