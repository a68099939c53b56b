//! Questions as objects that people watch: a kind of the kernel. A watcher is notified when a version changes a belief.

use crate::{SignValue, WatchedKind, WatchedObject, WatchedSign, WatchedSigns, Web};
use app::WATCHED_QUESTION;
use domain::{InvestigationId, ObjectId, user::User};
use engine::StoreResult;
use views::HistoryView;

/// Questions, each by the investigation of its first version.
pub const QUESTIONS: WatchedKind = WatchedKind {
    key: WATCHED_QUESTION,
    title: "Questions",
    find: |web, viewer, ids| Box::pin(find(web, viewer, ids)),
    signs: |web, viewer, ids| Box::pin(read_signs(web, viewer, ids)),
    existing: |web, ids| Box::pin(existing(web, ids)),
};

/// Returns the histories of questions that the viewer reads.
async fn histories(web: &Web, viewer: &User, ids: Vec<ObjectId>) -> StoreResult<Vec<(ObjectId, HistoryView)>> {
    let asked: Vec<InvestigationId> = ids.iter().map(|id| InvestigationId(id.0)).collect();
    let mut found = web.engine.question_histories(viewer, &asked).await?;
    Ok(ids.into_iter().filter_map(|id| Some((id, found.remove(&InvestigationId(id.0))?))).collect())
}

async fn find(web: Web, viewer: User, ids: Vec<ObjectId>) -> StoreResult<Vec<WatchedObject>> {
    let object = |(id, history): (ObjectId, HistoryView)| {
        let latest = history.versions.last()?;
        Some(WatchedObject { id, href: format!("/assessments/{}/history", latest.id), title: history.question })
    };
    Ok(histories(&web, &viewer, ids).await?.into_iter().filter_map(object).collect())
}

async fn existing(web: Web, ids: Vec<ObjectId>) -> StoreResult<Vec<(ObjectId, ObjectId)>> {
    let asked: Vec<InvestigationId> = ids.iter().map(|id| InvestigationId(id.0)).collect();
    let existing = web.engine.investigations.progress_summaries(&asked).await?;
    Ok(ids.into_iter().filter(|id| existing.contains_key(&InvestigationId(id.0))).map(|id| (id, id)).collect())
}

/// Returns the time of the latest version of each question that changed a belief, else of its first version.
async fn read_signs(web: Web, viewer: User, ids: Vec<ObjectId>) -> StoreResult<Vec<WatchedSigns>> {
    let signs = |(id, history): (ObjectId, HistoryView)| {
        let changes = history.versions.iter().rev().filter_map(|version| {
            let change = version.change.as_ref()?.belief_change();
            Some((version.created_at, format!("A new version: {}.", change.words()))).filter(|_| change.is_notable())
        });
        let first = history.versions.first().map(|version| (version.created_at, "A first version.".to_owned()));
        let sign = changes.chain(first).next();
        let sign = sign.map(|(at, text)| WatchedSign { name: "belief", value: SignValue::Latest(at), text });
        WatchedSigns { id, signs: sign.into_iter().collect() }
    };
    Ok(histories(&web, &viewer, ids).await?.into_iter().map(signs).collect())
}
