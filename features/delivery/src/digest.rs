//! Selection of the news for one mail or feed: the notifications of a person, without what they left out.

use crate::{settings::DeliverySettings, store::DeliveryStore};
use domain::{Timestamp, user::User};
use engine::StoreResult;
use feature::{NotificationAnswer, NotificationItem, Web};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
};

/// News of one mail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digest {
    /// The most useful first.
    pub items: Vec<NotificationItem>,
    /// News beyond the reading budget.
    pub folded: usize,
}

impl Digest {
    /// Returns the news within a reading budget, those on useful topics first.
    pub fn new(mut news: Vec<NotificationItem>, useful: &BTreeSet<String>, budget: u32) -> Self {
        news.sort_by_key(|item| (!useful.contains(&item.topic), Reverse(item.at)));
        let mut news = join_matches(news);
        let folded = news.len().saturating_sub(budget as usize);
        news.truncate(budget as usize);
        Self { items: news, folded }
    }
}

/// Joins the news of one title that belong to different interests: one item names them all, under the first topic.
fn join_matches(news: Vec<NotificationItem>) -> Vec<NotificationItem> {
    let mut joined: Vec<NotificationItem> = vec![];
    let (mut places, mut seen) = (HashMap::new(), BTreeSet::new());
    for item in news {
        let is_new = item.interest.is_some_and(|interest| seen.insert((item.title.clone(), interest)));
        match places.get(&item.title) {
            Some(&place) if is_new => {
                let first: &mut NotificationItem = &mut joined[place];
                first.text.push_str(&format!("; {}", item.text));
            }
            _ => {
                if is_new {
                    places.insert(item.title.clone(), joined.len());
                }
                joined.push(item);
            }
        }
    }
    joined
}

/// News of a person, newest first and one per topic, with the topics that they find useful.
pub struct FoundNews {
    pub news: Vec<NotificationItem>,
    pub useful: BTreeSet<String>,
}

/// Finds the news of a person after one time and up to another, as they read them now.
pub async fn find_news(web: &Web, user: &User, since: Timestamp, until: Timestamp) -> StoreResult<FoundNews> {
    let (now, limit) = (web.engine.clock.now(), web.settings.get::<DeliverySettings>().news);
    let answers = DeliveryStore::new(web).answers(user.id).await?;
    let answers: HashMap<&str, _> = answers.iter().map(|one| (one.topic.as_str(), one)).collect();
    let mut news = list(web, user, since, limit).await?;
    let is_wanted = |item: &NotificationItem| answers.get(item.topic.as_str()).is_none_or(|one| !one.hides_at(now));
    news.retain(|item| item.at <= until && is_wanted(item));
    news.sort_by_key(|item| Reverse(item.at));
    let mut seen = BTreeSet::new();
    news.retain(|item| seen.insert(item.topic.clone()));
    let useful = answers.values().filter(|one| one.answer == NotificationAnswer::Useful).map(|one| one.topic.clone()).collect();
    Ok(FoundNews { news, useful })
}

/// Returns the newest notifications of a person after a time, from the feature that keeps the list.
pub async fn list(web: &Web, user: &User, since: Timestamp, limit: u32) -> StoreResult<Vec<NotificationItem>> {
    match web.notification_list {
        Some(list) => list(web.clone(), user.clone(), since, limit).await,
        None => Ok(vec![]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::ObjectId;

    #[test]
    fn useful_topics_come_first_and_the_rest_is_folded() {
        let item = |topic: &str, at: i64| NotificationItem {
            topic: topic.into(),
            interest: None,
            title: topic.into(),
            text: String::new(),
            href: "/".into(),
            at: Timestamp::from_micros(at),
            actions: vec![],
        };
        let news = vec![item("old", 1), item("new", 3), item("middle", 2)];
        let digest = Digest::new(news, &BTreeSet::from(["old".to_owned()]), 2);
        let topics: Vec<&str> = digest.items.iter().map(|item| item.topic.as_str()).collect();
        assert_eq!((topics, digest.folded), (vec!["old", "new"], 1));
    }

    #[test]
    fn a_product_that_matches_two_interests_is_one_item_that_names_both() {
        let item = |topic: &str, interest: u128, text: &str| NotificationItem {
            topic: topic.into(),
            interest: (interest > 0).then(|| ObjectId::from(uuid::Uuid::from_u128(interest))),
            title: "A paper".into(),
            text: text.into(),
            href: "/".into(),
            at: Timestamp::from_micros(0),
            actions: vec![],
        };
        let news =
            vec![item("a", 1, "Matches “A”"), item("b", 2, "Matches “B”"), item("c", 1, "again"), item("d", 0, "watched")];
        let digest = Digest::new(news, &BTreeSet::new(), 9);
        let found: Vec<(&str, &str)> = digest.items.iter().map(|item| (item.topic.as_str(), item.text.as_str())).collect();
        assert_eq!(found, [("a", "Matches “A”; Matches “B”"), ("c", "again"), ("d", "watched")]);
    }
}
