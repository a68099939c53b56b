//! Tensions as objects that people watch. A watcher is notified when the heat of dated evidence crosses a threshold, when its trend
//! turns, and of new responses and stories.

use crate::{
    heat::heat_text,
    pages::detail::address,
    settings::TensionSettings,
    store::TensionStore,
    tension::{TensionId, day_number},
    view::Trend,
};
use domain::{ObjectId, Scope, Timestamp, user::User};
use engine::StoreResult;
use feature::{SignValue, WatchedKind, WatchedObject, WatchedSign, WatchedSigns, Web};
use std::collections::HashMap;
use tensions_islands::{BoardState, percent};

/// Key of the kind.
pub const KEY: &str = "tension";

pub const KIND: WatchedKind = WatchedKind {
    key: KEY,
    title: "Tensions",
    find: |web, viewer, ids| Box::pin(find(web, viewer, ids)),
    signs: |web, viewer, ids| Box::pin(read_signs(web, viewer, ids)),
    existing: |web, ids| Box::pin(existing(web, ids)),
};

fn tension_ids(ids: &[ObjectId]) -> Vec<TensionId> {
    ids.iter().map(|id| TensionId(id.0)).collect()
}

async fn find(web: Web, viewer: User, ids: Vec<ObjectId>) -> StoreResult<Vec<WatchedObject>> {
    let scope = web.engine.read_scope(&viewer).await?;
    let named = TensionStore::new(&web).named(&scope, &tension_ids(&ids)).await?;
    let objects =
        named.into_iter().map(|one| WatchedObject { id: ObjectId(one.asked.0), title: one.title, href: address(one.id) });
    Ok(objects.collect())
}

async fn existing(web: Web, ids: Vec<ObjectId>) -> StoreResult<Vec<(ObjectId, ObjectId)>> {
    let existing = TensionStore::new(&web).existing(&tension_ids(&ids)).await?;
    Ok(existing.into_iter().map(|(asked, id)| (ObjectId(asked.0), ObjectId(id.0))).collect())
}

async fn read_signs(web: Web, viewer: User, ids: Vec<ObjectId>) -> StoreResult<Vec<WatchedSigns>> {
    let (store, settings) = (TensionStore::new(&web), web.settings.get::<TensionSettings>());
    let scope = web.engine.read_scope(&viewer).await?;
    let named = store.named(&scope, &tension_ids(&ids)).await?;
    let now_ids: Vec<TensionId> = named.iter().map(|one| one.id).collect();
    let mut answered: HashMap<TensionId, Timestamp> = HashMap::new();
    for response in store.responses_to(&scope, &now_ids).await? {
        let latest = answered.entry(response.link.tension).or_insert(response.link.first_seen);
        *latest = response.link.first_seen.max(*latest);
    }
    let told: HashMap<TensionId, Timestamp> = store.story_times(&scope, &now_ids).await?.into_iter().collect();
    let mut found = vec![];
    for one in named {
        let mut signs = heat_signs(&store, &settings, &scope, one.id, web.engine.clock.now()).await?;
        signs.extend(answered.get(&one.id).map(|at| latest_sign("response", *at, "A response was added.")));
        signs.extend(told.get(&one.id).map(|at| latest_sign("story", *at, "The story changed.")));
        found.push(WatchedSigns { id: ObjectId(one.asked.0), signs });
    }
    Ok(found)
}

fn latest_sign(name: &'static str, at: Timestamp, text: &str) -> WatchedSign {
    WatchedSign { name, value: SignValue::Latest(at), text: text.to_owned() }
}

/// Returns the signs of the heat over the evidence that a scope sees.
async fn heat_signs(
    store: &TensionStore,
    settings: &TensionSettings,
    scope: &Scope,
    id: TensionId,
    now: Timestamp,
) -> StoreResult<Vec<WatchedSign>> {
    let (today, rule, window) = (day_number(now), settings.heat_rule(), BoardState::default().window);
    let since = today - i64::from(window);
    let evidence = store.recent_evidence_of(scope, id, rule.first_counted_day(since)).await?;
    let history = rule.heat_of_days(since..=today, &evidence);
    // An old page without a date that was read today is no news.
    let dated = history.last().map_or(0.0, |day| day.dated);
    let is_hot = percent(dated) >= percent(settings.watched_heat);
    // Without the heat itself, which may rest on what is hidden from the person later.
    let (direction, least) = (if is_hot { "rose to" } else { "fell below" }, heat_text(settings.watched_heat));
    let trend = Trend::over(&history, window, percent(settings.trend));
    let turn = match trend {
        Trend::Falling => -1,
        Trend::Steady => 0,
        Trend::Rising => 1,
    };
    Ok(vec![
        WatchedSign {
            name: "heat",
            value: SignValue::State(i64::from(is_hot)),
            text: format!("Heat of dated evidence {direction} {least}."),
        },
        WatchedSign { name: "trend", value: SignValue::State(turn), text: format!("Heat is {} now.", trend.word()) },
    ])
}
