//! "For you": the matches of a person since a time, as they read them now, packed to a budget of reading.

use crate::{
    beliefs::BELIEFS,
    dates::{AnsweredItem, DueItem},
    settings::MonitorSettings,
    sources::REPORTS,
    store::{MonitorStore, StoredMatch},
};
use domain::{ObjectId, Timestamp, user::User};
use engine::StoreResult;
use feature::{ReadableProduct, Web};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Most open days on a page.
const DUE_SHOWN: u32 = 50;
/// Most answered days on a page.
const ANSWERED_SHOWN: u32 = 25;

/// A match with its product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForYouItem {
    /// Name of the kind of the product.
    pub kind: &'static str,
    pub stored: StoredMatch,
    pub product: ReadableProduct,
}

/// Matches of a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForYou {
    /// Matches that fit into the budget, best first.
    pub shown: Vec<ForYouItem>,
    /// The rest.
    pub folded: Vec<ForYouItem>,
    /// Minutes that it takes to read what is shown, rounded up.
    pub minutes: u32,
}

/// Returns the matches of a person after a time whose products they read now, newest first. A report whose change of belief is among them
/// is left out.
pub async fn load_items(web: &Web, viewer: &User, after: Timestamp) -> StoreResult<Vec<ForYouItem>> {
    let settings = web.settings.get::<MonitorSettings>();
    let now = web.engine.clock.now();
    let matches = MonitorStore::new(web).matches(viewer.id, now, after, settings.matches_shown).await?;
    let mut by_source: BTreeMap<&str, Vec<ObjectId>> = BTreeMap::new();
    for one in &matches {
        by_source.entry(&one.source).or_default().push(one.product);
    }
    let mut products: HashMap<(&'static str, ObjectId), (&'static str, ReadableProduct)> = HashMap::new();
    for source in web.products.iter() {
        let Some(ids) = by_source.get(source.key) else { continue };
        for product in (source.find)(web.clone(), viewer.clone(), ids.clone()).await? {
            products.insert((source.key, product.id), (source.title, product));
        }
    }
    let item = |stored: StoredMatch| {
        let key = web.products.iter().find(|source| source.key == stored.source)?.key;
        let (kind, product) = products.get(&(key, stored.product)).cloned()?;
        Some(ForYouItem { kind, stored, product })
    };
    let mut items: Vec<ForYouItem> = matches.into_iter().filter_map(item).collect();
    let is_change = |item: &&ForYouItem| item.stored.source == BELIEFS.key;
    let changed: HashSet<ObjectId> = items.iter().filter(is_change).map(|item| item.stored.product).collect();
    items.retain(|item| item.stored.source != REPORTS.key || !changed.contains(&item.stored.product));
    Ok(items)
}

/// Packs matches to a budget: the best score first, the newer among equals, each product once. At least one is shown.
pub fn pack(mut items: Vec<ForYouItem>, reading_minutes: u32, words_per_minute: u32) -> ForYou {
    items.sort_by(|one, other| {
        let newer = other.stored.matched_at.cmp(&one.stored.matched_at);
        other.stored.score.cmp(&one.stored.score).then(newer).then_with(|| one.stored.id.cmp(&other.stored.id))
    });
    let (budget, mut words) = (u64::from(reading_minutes) * u64::from(words_per_minute), 0);
    let mut packed = ForYou::default();
    for item in items {
        let is_same = |shown: &ForYouItem| shown.product.href == item.product.href;
        let needed = u64::from(item.product.words);
        if packed.shown.is_empty() || (words + needed <= budget && !packed.shown.iter().any(is_same)) {
            words += needed;
            packed.shown.push(item);
        } else {
            packed.folded.push(item);
        }
    }
    let minutes = words.div_ceil(u64::from(words_per_minute.max(1)));
    packed.minutes = u32::try_from(minutes).unwrap_or(u32::MAX);
    packed
}

/// Loads the packed matches of a person after a time.
pub async fn load(web: &Web, viewer: &User, after: Timestamp) -> StoreResult<ForYou> {
    let settings = web.settings.get::<MonitorSettings>();
    Ok(pack(load_items(web, viewer, after).await?, settings.reading_minutes, settings.words_per_minute))
}

/// Returns the days of reports that a person is asked about now.
pub async fn load_due(web: &Web, viewer: &User) -> StoreResult<Vec<DueItem>> {
    MonitorStore::new(web).open_items(viewer.id, web.engine.clock.now(), DUE_SHOWN).await
}

/// Returns the days of reports that a person answered last.
pub async fn load_answered(web: &Web, viewer: &User) -> StoreResult<Vec<AnsweredItem>> {
    MonitorStore::new(web).answered_items(viewer.id, ANSWERED_SHOWN).await
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::interest::{InterestId, MatchId};
    use domain::UserId;
    use testkit::id;

    /// A match with a score and a number of words.
    pub fn item(title: &str, score: u8, words: u32) -> ForYouItem {
        let at = Timestamp::from_micros(1_900_000_000_000_000);
        let product = ObjectId(id());
        let stored = StoredMatch {
            id: MatchId(id()),
            interest: InterestId(id()),
            user: UserId(Default::default()),
            sentence: "Grain transit".into(),
            is_edited: false,
            source: "report".into(),
            product,
            score,
            terms: vec![],
            feedback: None,
            matched_at: at,
            is_judged: false,
        };
        let href = format!("/assessments/{product}");
        let product = ReadableProduct { id: product, title: title.into(), href, summary: String::new(), words };
        ForYouItem { kind: "Report", stored, product }
    }

    #[test]
    fn the_best_fill_the_budget_and_the_rest_is_folded() {
        let best = item("best", 90, 450);
        let again = ForYouItem { stored: StoredMatch { id: MatchId(id()), ..best.stored.clone() }, ..best.clone() };
        let items = vec![item("low", 40, 450), item("long", 80, 900), item("short", 50, 450), best, again];
        let packed = pack(items, 5, 230);
        let titles = |items: &[ForYouItem]| items.iter().map(|one| one.product.title.clone()).collect::<Vec<_>>();
        assert_eq!(titles(&packed.shown), ["best", "short"]);
        assert_eq!(titles(&packed.folded), ["best", "long", "low"]);
        assert_eq!(packed.minutes, 4);
        assert_eq!(pack(vec![item("long", 80, 9_000)], 5, 230).shown.len(), 1);
        assert_eq!(pack(vec![], 5, 230), ForYou::default());
    }
}
