//! Standing questions: asked again by a schedule, on a day, or when a new document names somebody.

use crate::{dates::OVERLAP_MS, settings::MonitorSettings, store::MonitorStore};
use domain::{DocumentId, EntityId, InvestigationId, Timestamp, UserId};
use engine::{
    StoreResult,
    graph::{ClaimOrder, ClaimQuery},
};
use feature::{NoticeText, ProductMark, Schedule, Web};
use std::collections::HashSet;
use uuid::Uuid;

domain::ids! {
    /// One question that is asked again by itself.
    StandingId = "standing question";
}

/// Occurrences whose pauses are looked at when a schedule is saved.
const CHECKED_OCCURRENCES: usize = 24;

/// New documents that are looked at for a name in one step, claims of them, and steps of one round.
const DOCUMENTS: u32 = 500;
const STEPS: u32 = 20;

/// Refusal of a schedule.
pub const BAD_SCHEDULE: NoticeText = NoticeText {
    code: "bad_schedule",
    message: "A schedule needs a question and a time: a pattern such as “0 9 * * 1” with a time zone, a day in the future, or a name that \
              documents mention. Runs must be at least as far apart as this server allows.",
    action: app::NoticeAction { text: "Change the time", href: "#when" },
};

/// Time at which a standing question is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Timing {
    /// At each occurrence of a pattern in cron syntax in a time zone.
    Cron { pattern: String, time_zone: String },
    /// Once.
    Once(Timestamp),
    /// At a document that is read later and mentions an entity.
    Names(EntityId),
}

impl Timing {
    /// Returns whether it can be kept: a pattern whose runs are far enough apart, or a moment that lies ahead.
    pub fn is_allowed(&self, now: Timestamp, least_pause_ms: i64) -> bool {
        match self {
            Self::Cron { pattern, time_zone } => Schedule::parse(pattern, time_zone).is_ok_and(|schedule| {
                let pause = schedule.shortest_pause_ms(now, CHECKED_OCCURRENCES);
                schedule.next(now).is_some() && pause.is_none_or(|pause| pause >= least_pause_ms)
            }),
            Self::Once(at) => *at > now,
            Self::Names(_) => true,
        }
    }
}

/// A question that is asked again by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingQuestion {
    pub id: StandingId,
    pub user: UserId,
    pub question: String,
    /// Investigation that the first run continues.
    pub follows: Option<InvestigationId>,
    pub timing: Timing,
    /// Most money of 30 days, in millionths of the currency.
    pub budget_micros: Option<u64>,
    pub is_paused: bool,
    /// Occurrences before this moment are not made up: it was made, or went on, then.
    pub counted_from: Timestamp,
    pub created_at: Timestamp,
}

domain::words! {
    /// State of a run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RunState {
        /// Recorded, and not started yet.
        Due = "due",
        Started = "started",
        /// Not started, with the reason.
        Skipped = "skipped",
    }
}

/// Run of a standing question at one due time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingRun {
    pub standing: StandingId,
    pub due_at: Timestamp,
    /// Id of its investigation, which exists once it is started.
    pub investigation: InvestigationId,
    pub state: RunState,
    /// Reason why it was skipped; empty: none.
    pub note: String,
    pub changed_at: Timestamp,
    /// Starts that failed.
    pub attempts: u32,
}

/// Returns the due time of a question that has no run yet, if there is one. Of several that were missed it is the last.
pub async fn due_time(
    web: &Web,
    question: &StandingQuestion,
    last: Option<&StandingRun>,
    now: Timestamp,
) -> StoreResult<Option<Timestamp>> {
    let after = last.map_or(question.counted_from, |run| run.due_at.max(question.counted_from));
    Ok(match &question.timing {
        // Patterns are checked when they are saved. A run whose start failed made up for those until it ended.
        Timing::Cron { pattern, time_zone } => {
            let waited = last.filter(|run| run.attempts > 0).map_or(after, |run| run.changed_at.max(after));
            Schedule::parse(pattern, time_zone).ok().and_then(|schedule| schedule.due(waited, now))
        }
        Timing::Once(at) => (last.is_none() && *at <= now).then_some(*at),
        Timing::Names(entity) => {
            let pause_ms = i64::from(web.settings.get::<MonitorSettings>().least_pause_minutes) * 60_000;
            match last.is_some_and(|run| now.ms_since(run.changed_at) < pause_ms) {
                true => None,
                false => named_since(web, question, last, *entity, after).await?,
            }
        }
    })
}

/// Returns when the newest document that names an entity was read, after a time. The documents that a run itself reads do not count.
/// Without one, the question remembers how far it looked.
async fn named_since(
    web: &Web,
    question: &StandingQuestion,
    last: Option<&StandingRun>,
    entity: EntityId,
    after: Timestamp,
) -> StoreResult<Option<Timestamp>> {
    let (engine, mut after) = (&web.engine, after);
    if let Some(run) = last.filter(|run| run.state == RunState::Started)
        && let Some(investigation) = engine.investigations.investigation(run.investigation).await?
    {
        let Some(ended) = investigation.completed_at else { return Ok(None) };
        after = after.max(ended);
    }
    let (store, scope) = (MonitorStore::new(web), engine.accounts.scope_of(question.user).await?);
    let (mut mark, mut named_at) = (ProductMark { at: after, id: Uuid::max() }, None);
    for _ in 0..STEPS {
        let documents = store.documents_after(question.user, mark, DOCUMENTS).await?;
        let Some(last) = documents.last() else { break };
        mark = ProductMark { at: last.at, id: last.id.0 };
        let is_last = documents.len() < DOCUMENTS as usize;
        let document_ids = documents.iter().map(|document| document.id).collect();
        let (order, candidates) = (ClaimOrder::DocumentOrder, DOCUMENTS);
        let query = ClaimQuery { entity_id: Some(entity), document_ids, order, candidates, ..ClaimQuery::default() };
        let claims = engine.graph.find_claims(&scope, &query).await?;
        let named: HashSet<DocumentId> = claims.into_iter().map(|found| found.item.document_id).collect();
        let newest = documents.iter().rev().find(|document| named.contains(&document.id));
        named_at = newest.map(|document| document.at).or(named_at);
        if is_last {
            break;
        }
    }
    // The next round goes on from there. A document may be stored a little later than it was read.
    let looked = mark.at.plus_ms(-OVERLAP_MS);
    if named_at.is_none() && looked > question.counted_from {
        store.count_from(question.id, looked).await?;
    }
    Ok(named_at)
}

/// Returns when a question is asked next; none where nothing is known of it.
pub fn next_time(question: &StandingQuestion, now: Timestamp) -> Option<Timestamp> {
    match &question.timing {
        _ if question.is_paused => None,
        Timing::Cron { pattern, time_zone } => Schedule::parse(pattern, time_zone).ok()?.next(now),
        Timing::Once(at) => Some(*at).filter(|at| *at > now),
        Timing::Names(_) => None,
    }
}
