//! Notifications of the feature, on the one list: matches, and days of reports that are over.

use crate::{
    dates::DAY_MS,
    for_you::{load_due, load_items},
    interest::{Feedback, MatchId},
    interests::{answer_match, mute},
    pages::for_you,
    store::MonitorStore,
};
use domain::{ObjectId, Timestamp, UserId, user::User};
use engine::StoreResult;
use feature::{NotificationAnswer, NotificationItem, NotificationSource, Web};

pub const SOURCE: NotificationSource = NotificationSource {
    list: |web, viewer, after, limit| Box::pin(list(web, viewer, after, limit)),
    count: |web, viewer, after| Box::pin(count(web, viewer, after)),
    answer: |web, viewer, topic, answer| Box::pin(take_answer(web, viewer, topic, answer)),
};

/// Beginning of the topic of a match, before its id.
const MATCH: &str = "monitor:match:";

async fn list(web: Web, viewer: User, after: Timestamp, limit: u32) -> StoreResult<Vec<NotificationItem>> {
    let items = load_items(&web, &viewer, after).await?.into_iter().take(limit as usize);
    let matched = items.map(|item| NotificationItem {
        topic: format!("{MATCH}{}", item.stored.id),
        interest: Some(ObjectId(item.stored.interest.0)),
        title: item.product.title,
        text: format!("Matches “{}”", item.stored.sentence),
        href: format!("{}#m{}", for_you::PAGE, item.stored.id),
        at: item.stored.matched_at,
        actions: vec![],
    });
    let due = load_due(&web, &viewer).await?.into_iter().filter(|item| item.ask_at > after).map(|item| NotificationItem {
        topic: format!("monitor:day:{}:{}", item.assessment, item.item),
        interest: None,
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

/// Records the answer of a person to a match as feedback, or mutes its interest.
async fn take_answer(web: Web, viewer: User, topic: String, answer: NotificationAnswer) -> StoreResult<bool> {
    let Some(id) = topic.strip_prefix(MATCH).and_then(|id| id.parse::<MatchId>().ok()) else { return Ok(false) };
    let feedback = match answer {
        NotificationAnswer::Useful => Feedback::More,
        NotificationAnswer::Hide => Feedback::Wrong,
        NotificationAnswer::Mute => {
            let Some(stored) = MonitorStore::new(&web).stored_match(viewer.id, id).await? else { return Ok(false) };
            let until = web.engine.clock.now().plus_ms(NotificationAnswer::MUTE_DAYS * DAY_MS);
            return mute(&web, &viewer, stored.interest, until).await;
        }
    };
    answer_match(&web, &viewer, id, feedback).await
}
