//! Rows of investigations, and the longer statements about them.

use crate::sql::{
    fault::Fault,
    teams::includes,
    types::{Moment, count, word},
};
use domain::{
    CollectionId, InvestigationId, Scope, UserId,
    event::EventKind,
    investigation::{
        Investigation, InvestigationKind, Progress, ProgressSummary, ResumeFrom, Status, Terms, Trigger, WebAccess,
    },
    model_choice::ModelChoices,
};
use engine::investigations::InvestigationOrder;
use sqlx::types::Json;
use uuid::Uuid;

pub(super) const INSERT: &str = "insert into investigations
        (id, owner, collection_id, parent_id, question, kind, started_by, scope, status, cycle, empty_sessions, failed_cycles,
         final_session, resume_from, reason, suspended_at, traceparent, created_at, completed_at, model, addresses, web, terms, models)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)
     on conflict (id) do nothing";

/// Tables and condition for the investigations `i` of a filter. A reader other than the owner must see the collection written to and every
/// collection read, or the visibility must include them.
macro_rules! of_filter {
    () => {
        concat!(
            "from investigations i
             where (($1 is null and $2 is null)
                    or i.owner = $1
                    or ($2 is not null
                        and i.collection_id in (select unhex(value) from json_each($2))
                        and not exists (select 1 from investigation_scopes s
                                        where s.investigation_id = i.id
                                        and s.collection_id not in (select unhex(value) from json_each($2))))
                    or ",
            includes!("$7"),
            ")
               and ($3 = '[]' or i.status in (select value from json_each($3)))
               and (not $4 or not exists (select 1 from assessments a where a.investigation_id = i.id))
               and (cast($5 as text) is null or lower(i.question) like $5 escape '\\')
               and ($6 is null or $6 = exists (select 1 from archived_investigations z where z.investigation_id = i.id))
               and ($8 is null or coalesce(i.completed_at, i.created_at) >= $8)
               and ($9 is null or coalesce(i.completed_at, i.created_at) < $9) "
        )
    };
}
macro_rules! list {
    ($order:literal) => {
        concat!("select i.* ", of_filter!(), "order by ", $order, " i.created_at desc, i.id desc limit $10")
    };
}

/// Counts the investigations of a filter by status.
pub(super) const COUNT_FILTERED: &str = concat!("select i.status, count(*) ", of_filter!(), "group by i.status");

/// Binds all values of a filter but its limit.
macro_rules! bind_filter {
    ($query:expr, $filter:expr, $scope:expr) => {
        $query
            .bind($filter.owner.map(|owner| owner.0))
            .bind($scope)
            .bind(text_list($filter.statuses.iter().map(|status| status.as_str())))
            .bind($filter.without_assessment)
            .bind($filter.text.as_deref().map(containing))
            .bind($filter.archived.wants_archived())
            .bind($filter.scope.as_ref().and_then(Scope::reader).map(|reader| reader.0))
            .bind($filter.period.after().map(Moment))
            .bind($filter.period.before().map(Moment))
    };
}
pub(super) use bind_filter;

pub(super) const fn list(order: InvestigationOrder) -> &'static str {
    match order {
        InvestigationOrder::NewestFirst => list!(""),
        InvestigationOrder::Relevance => list!("length(i.question),"),
    }
}

/// Selects the progress of running investigations; cheap to poll, as it reads only the events of its own writes.
pub(super) const STANDINGS: &str = "select i.id, i.cycle,
        (select count(*) from work_orders w where w.investigation_id = i.id and w.status <> 'staged'),
        (select count(*) from work_orders w where w.investigation_id = i.id and w.status in ('completed', 'failed', 'cancelled')),
        (select cast(sum(cast(e.what ->> 'claims' as bigint)) as bigint) from events e
         where e.investigation_id = i.id and e.what ->> 'type' = 'graph_added')
     from investigations i where i.id in (select unhex(value) from json_each($1))";

/// Counts the questions of an owner that have not ended; their parts are not counted.
pub(super) const OPEN_OF_OWNER: &str = "select count(*) from investigations
     where owner = $1 and parent_id is null and status not in ('completed', 'failed')";

/// Selects investigations without a holder; one that waits for its parts is left out until they have ended.
pub(super) const UNHELD: &str = "select i.id from investigations i where i.status not in ('completed', 'failed')
       and (i.lease_until is null or i.lease_until <= $1)
       and not (i.status = 'processing'
                and exists (select 1 from investigations p where p.parent_id = i.id and p.status not in ('completed', 'failed')))
     order by i.created_at, i.id limit $2";

/// Makes a new part inherit the request to finish.
pub(super) const INHERIT_FINISH: &str = "update investigations
     set finish_requested_at = (select p.finish_requested_at from investigations p where p.id = investigations.parent_id)
     where id = $1";

/// Whether a tool call or work order has succeeded since the investigation stalled.
macro_rules! has_worked {
    () => {
        "(exists (select 1 from agent_sessions s join tool_calls t on t.session_id = s.id
                  where s.investigation_id = investigations.id and t.called_at > stalled_since)
          or exists (select 1 from work_orders w
                     where w.investigation_id = investigations.id and w.status = 'completed' and w.completed_at > stalled_since))"
    };
}

pub(super) const SUSPENSION: &str = concat!(
    "select obstacles, case when ",
    has_worked!(),
    " then suspended_at else coalesce(stalled_since, suspended_at) end from investigations where id = $1"
);

/// Stores a new progress if the lease is current and the old progress is as expected.
pub(super) const MOVE_ON: &str = concat!(
    "update investigations
     set status = $10, cycle = $11, empty_sessions = $12, failed_cycles = $13, final_session = $14, resume_from = $15,
         reason = $16, completed_at = $18,
         suspended_at = case when $17 is null then null else coalesce(suspended_at, $17) end,
         obstacles = case when $17 is null then null else obstacles end,
         stalled_since = case when $17 is not null and ",
    has_worked!(),
    " then $17 else coalesce(stalled_since, $17) end
     where id = $1 and holder = $2 and attempt = $3
       and status = $4 and cycle = $5 and empty_sessions = $6 and failed_cycles = $7 and final_session = $8
       and resume_from is not distinct from $9"
);

/// Returns the pattern of `like` for texts that contain `text`.
pub(super) fn containing(text: &str) -> String {
    let text = text.to_lowercase().replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_");
    format!("%{text}%")
}

pub(super) type StandingRow = (Uuid, i64, i64, i64, Option<i64>);

pub(super) fn standing(
    (id, cycle, orders, resolved, claims): StandingRow,
) -> Result<(InvestigationId, ProgressSummary), Fault> {
    let claims = count(claims.unwrap_or_default())?;
    let standing = ProgressSummary { cycle: count(cycle)?, orders: count(orders)?, resolved: count(resolved)?, claims };
    Ok((InvestigationId(id), standing))
}

/// Returns the event for a new part of a question.
pub(super) fn part_added(part: &Investigation) -> EventKind {
    let (investigation_id, question) = (part.id, part.question.clone());
    EventKind::PartChanged { investigation_id, question, status: part.progress.status, reason: None }
}

#[derive(sqlx::FromRow)]
pub(super) struct InvestigationRow {
    id: Uuid,
    owner: Uuid,
    collection_id: Uuid,
    parent_id: Option<Uuid>,
    question: String,
    kind: String,
    started_by: String,
    scope: Json<Scope>,
    status: String,
    cycle: i64,
    empty_sessions: i64,
    failed_cycles: i64,
    final_session: bool,
    resume_from: Option<String>,
    reason: Option<String>,
    suspended_at: Option<Moment>,
    traceparent: String,
    created_at: Moment,
    completed_at: Option<Moment>,
    model: Option<String>,
    addresses: Option<Json<Vec<String>>>,
    web: Option<String>,
    terms: Option<Json<Terms>>,
    models: Option<Json<ModelChoices>>,
}

impl InvestigationRow {
    pub(super) fn investigation(self) -> Result<Investigation, Fault> {
        let resume_from = self.resume_from.as_deref().map(|text| word("resume point", text, ResumeFrom::parse)).transpose()?;
        let progress = Progress {
            status: word("status", &self.status, Status::parse)?,
            cycle: count(self.cycle)?,
            empty_sessions: count(self.empty_sessions)?,
            failed_cycles: count(self.failed_cycles)?,
            final_session: self.final_session,
            resume_from,
        };
        let web = self.web.as_deref().map(|text| word("web access", text, WebAccess::parse)).transpose()?;
        Ok(Investigation {
            id: InvestigationId(self.id),
            owner: UserId(self.owner),
            question: self.question,
            kind: word("kind of investigation", &self.kind, InvestigationKind::parse)?,
            trigger: word("trigger", &self.started_by, Trigger::parse)?,
            model: self.model,
            models: self.models.map(|models| models.0).unwrap_or_default(),
            parent_id: self.parent_id.map(InvestigationId),
            scope: self.scope.0,
            collection_id: CollectionId(self.collection_id),
            addresses: self.addresses.map(|addresses| addresses.0).unwrap_or_default(),
            web: web.unwrap_or_default(),
            terms: self.terms.map(|terms| terms.0).unwrap_or_default(),
            progress,
            reason: self.reason,
            suspended_at: self.suspended_at.map(|moment| moment.0),
            traceparent: self.traceparent,
            created_at: self.created_at.0,
            completed_at: self.completed_at.map(|moment| moment.0),
        })
    }
}
