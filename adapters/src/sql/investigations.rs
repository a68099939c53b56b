//! Investigations, held by leases and advanced by atomic transitions.

mod row;
mod thread;
mod tidy;

use super::{
    Store,
    events::append_event,
    fault::Fault,
    notify::Topic,
    types::{Moment, count, id_list, text_list, word},
};
use async_trait::async_trait;
use domain::{
    HolderId, InvestigationId, Scope, Timestamp, UserId,
    investigation::{FollowKind, Investigation, ProgressSummary, ResumeFrom, Status},
    model_choice::ModelChoices,
};
use engine::{
    StoreError, StoreResult,
    investigations::{
        Contents, InvestigationFilter, Investigations, Lease, ManageAccess, Obstacle, Obstacles, ProcessRole, StagedOrders,
        Suspension, ThreadEntry, Transition,
    },
};
use row::{
    COUNT_FILTERED, INHERIT_FINISH, INSERT, InvestigationRow, MOVE_ON, OPEN_OF_OWNER, STANDINGS, SUSPENSION, StandingRow,
    UNHELD, bind_filter, containing, list, part_added, standing,
};
use sqlx::types::Json;
use std::{collections::BTreeMap, time::Duration};
use uuid::Uuid;

/// Failure reason of orders still open when an investigation finishes.
const CANCELLED: &str = "cancelled: the investigation was asked to finish";

/// Inserts an investigation inside a transaction; returns whether it is new.
macro_rules! insert_investigation {
    ($conn:expr, $investigation:expr) => {{
        let (investigation, progress) = ($investigation, &$investigation.progress);
        let added = execute!($conn, INSERT; investigation.id.0, investigation.owner.0, investigation.collection_id.0,
            investigation.parent_id.map(|id| id.0), &investigation.question, investigation.kind.as_str(),
            investigation.trigger.as_str(), Json(&investigation.scope), progress.status.as_str(), i64::from(progress.cycle),
            i64::from(progress.empty_sessions), i64::from(progress.failed_cycles), progress.final_session,
            progress.resume_from.map(ResumeFrom::as_str), &investigation.reason, investigation.suspended_at.map(Moment),
            &investigation.traceparent, Moment(investigation.created_at), investigation.completed_at.map(Moment),
            &investigation.model, Json(&investigation.addresses), investigation.web.as_str(), Json(&investigation.terms),
            Json(&investigation.models));
        let is_new = added.rows_affected() == 1;
        if is_new {
            execute!($conn, "insert into investigation_scopes (investigation_id, collection_id)
                 select distinct $1, unhex(value) from json_each($2)";
                investigation.id.0, id_list(investigation.scope.collections().iter().map(|id| id.0)));
        }
        is_new
    }};
}

#[async_trait]
impl Investigations for Store {
    async fn add(&self, investigation: &Investigation) -> StoreResult<()> {
        write!(self, conn => {
            insert_investigation!(conn, investigation);
        })?;
        self.inner.notifier.publish(Topic::Investigations);
        Ok(())
    }

    async fn add_within(&self, investigation: &Investigation, max_open: u32) -> StoreResult<bool> {
        let lock = self.lock_of_person();
        let is_added = write!(self, conn => {
            sqlx::query(lock).bind(investigation.owner.0).fetch_optional(&mut *conn).await?;
            let open: i64 = values!(conn.fetch_one, OPEN_OF_OWNER; investigation.owner.0);
            let open: u64 = count(open)?;
            let has_room = open < u64::from(max_open);
            if has_room {
                insert_investigation!(conn, investigation);
            }
            has_room
        })?;
        if is_added {
            self.inner.notifier.publish(Topic::Investigations);
        }
        Ok(is_added)
    }

    async fn investigation(&self, id: InvestigationId) -> StoreResult<Option<Investigation>> {
        read!(self, conn => {
            let row: Option<InvestigationRow> = rows!(conn.fetch_optional, "select * from investigations where id = $1"; id.0);
            row.map(InvestigationRow::investigation).transpose()?
        })
    }

    async fn parts(&self, parent: InvestigationId) -> StoreResult<Vec<Investigation>> {
        read!(self, conn => {
            let rows: Vec<InvestigationRow> = rows!(conn.fetch_all,
                "select * from investigations where parent_id = $1 order by created_at, id"; parent.0);
            rows.into_iter().map(InvestigationRow::investigation).collect::<Result<_, Fault>>()?
        })
    }

    async fn list(&self, filter: &InvestigationFilter) -> StoreResult<Vec<Investigation>> {
        let scope = filter.scope.as_ref().map(|scope| id_list(scope.collections().iter().map(|id| id.0)));
        read!(self, conn => {
            let found = bind_filter!(sqlx::query_as(list(filter.order)), filter, &scope).bind(i64::from(filter.limit));
            let rows: Vec<InvestigationRow> = found.fetch_all(&mut *conn).await?;
            rows.into_iter().map(InvestigationRow::investigation).collect::<Result<_, Fault>>()?
        })
    }

    async fn count_filtered(&self, filter: &InvestigationFilter) -> StoreResult<Vec<(Status, u64)>> {
        let scope = filter.scope.as_ref().map(|scope| id_list(scope.collections().iter().map(|id| id.0)));
        read!(self, conn => {
            let counted = bind_filter!(sqlx::query_as(COUNT_FILTERED), filter, &scope);
            let rows: Vec<(String, i64)> = counted.fetch_all(&mut *conn).await?;
            let mut numbers = vec![];
            for (status, number) in rows {
                numbers.push((word("status", &status, Status::parse)?, count(number)?));
            }
            numbers
        })
    }

    async fn join_thread(&self, id: InvestigationId, follows: InvestigationId, kind: FollowKind) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, thread::FOLLOW; id.0, follows.0, kind.as_str());
        })
    }

    async fn threads(
        &self,
        ids: &[InvestigationId],
        viewer: UserId,
        scope: &Scope,
        limit: u32,
    ) -> StoreResult<BTreeMap<InvestigationId, Vec<ThreadEntry>>> {
        thread::threads(self, ids, viewer, scope, limit).await
    }

    async fn archive(
        &self,
        ids: &[InvestigationId],
        by: &ManageAccess,
        at: Option<Timestamp>,
    ) -> StoreResult<Vec<InvestigationId>> {
        write!(self, conn => {
            let (list, scope, reader) = tidy::parameters(ids, by);
            let change = sqlx::query_scalar(if at.is_some() { tidy::ARCHIVE } else { tidy::UNARCHIVE });
            let change = change.bind(list).bind(by.user.0).bind(scope).bind(reader);
            let changed: Vec<Uuid> = if let Some(at) = at { change.bind(Moment(at)) } else { change }.fetch_all(&mut *conn).await?;
            changed.into_iter().map(InvestigationId).collect()
        })
    }

    async fn contents(&self, ids: &[InvestigationId], by: &ManageAccess) -> StoreResult<(Vec<Investigation>, Contents)> {
        tidy::contents(self, ids, by).await
    }

    async fn delete(&self, ids: &[InvestigationId], by: &ManageAccess) -> StoreResult<Vec<InvestigationId>> {
        let (list, scope, reader) = tidy::parameters(ids, by);
        let deleted = write!(self, conn => {
            for statement in tidy::DELETE_FIRST {
                execute!(conn, statement; &list, by.user.0, &scope, reader);
            }
            let deleted: Vec<Uuid> = values!(conn.fetch_all, tidy::DELETE; &list, by.user.0, &scope, reader);
            deleted.into_iter().map(InvestigationId).collect()
        })?;
        self.inner.notifier.publish(Topic::Investigations);
        Ok(deleted)
    }

    async fn count_open(&self, owner: UserId) -> StoreResult<u64> {
        read!(self, conn => {
            let open: i64 = values!(conn.fetch_one, OPEN_OF_OWNER; owner.0);
            count(open)?
        })
    }

    async fn is_any_running(&self) -> StoreResult<bool> {
        read!(self, conn => {
            values!(conn.fetch_one,
                "select exists (select 1 from investigations where status in ('pending', 'analyst_running', 'processing'))")
        })
    }

    async fn progress_summaries(&self, ids: &[InvestigationId]) -> StoreResult<BTreeMap<InvestigationId, ProgressSummary>> {
        read!(self, conn => {
            let rows: Vec<StandingRow> = rows!(conn.fetch_all, STANDINGS; id_list(ids.iter().map(|id| id.0)));
            rows.into_iter().map(standing).collect::<Result<_, Fault>>()?
        })
    }

    async fn unheld(&self, now: Timestamp, limit: u32) -> StoreResult<Vec<InvestigationId>> {
        read!(self, conn => {
            let ids: Vec<Uuid> = values!(conn.fetch_all, UNHELD; Moment(now), i64::from(limit));
            ids.into_iter().map(InvestigationId).collect()
        })
    }

    async fn changed(&self) {
        let mut news = self.inner.news.lock().await;
        let wait = Duration::from_millis(self.inner.config.lease_check_ms.max(1));
        // Both ends mean the same to the caller: look again.
        let _ = tokio::time::timeout(wait, news.changed()).await;
    }

    async fn take(
        &self,
        id: InvestigationId,
        holder: HolderId,
        now: Timestamp,
        until: Timestamp,
    ) -> StoreResult<Option<Lease>> {
        write!(self, conn => {
            let attempt: Option<i64> = values!(conn.fetch_optional,
                "update investigations set holder = $2, lease_until = $4, attempt = attempt + 1
                 where id = $1 and (lease_until is null or lease_until <= $3) returning attempt";
                id.0, holder.0, Moment(now), Moment(until));
            match attempt {
                Some(attempt) => Some(Lease { investigation_id: id, holder, attempt: count(attempt)? }),
                None => None,
            }
        })
    }

    async fn renew(&self, lease: &Lease, until: Timestamp) -> StoreResult<bool> {
        write!(self, conn => {
            let kept = execute!(conn,
                "update investigations set lease_until = $4 where id = $1 and holder = $2 and attempt = $3";
                lease.investigation_id.0, lease.holder.0, i64::from(lease.attempt), Moment(until));
            kept.rows_affected() == 1
        })
    }

    async fn release(&self, lease: &Lease) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn,
                "update investigations set holder = null, lease_until = null where id = $1 and holder = $2 and attempt = $3";
                lease.investigation_id.0, lease.holder.0, i64::from(lease.attempt));
        })?;
        self.inner.notifier.publish(Topic::Investigations);
        Ok(())
    }

    async fn advance(&self, lease: &Lease, transition: &Transition) -> StoreResult<()> {
        let Transition { from, to, reason, at, orders, parts, event, parent_event } = transition;
        let id = lease.investigation_id;
        write!(self, conn => {
            // A parent is always locked before its part.
            if let Some((parent, event)) = parent_event {
                append_event!(conn, parent, *at, event);
            }
            let moved = execute!(conn, MOVE_ON; id.0, lease.holder.0, i64::from(lease.attempt), from.status.as_str(),
                i64::from(from.cycle), i64::from(from.empty_sessions), i64::from(from.failed_cycles), from.final_session,
                from.resume_from.map(ResumeFrom::as_str), to.status.as_str(), i64::from(to.cycle), i64::from(to.empty_sessions),
                i64::from(to.failed_cycles), to.final_session, to.resume_from.map(ResumeFrom::as_str), reason,
                (to.status == Status::Suspended).then_some(Moment(*at)), to.status.is_terminal().then_some(Moment(*at)));
            if moved.rows_affected() == 0 {
                return Err(StoreError::Stale("the investigation is held by somebody else or has moved on").into());
            }
            if let StagedOrders::Commit(session) = orders {
                execute!(conn, "update work_orders set status = 'queued', cycle = $3
                     where investigation_id = $1 and session_id = $2 and status = 'staged'";
                    id.0, session.0, i64::from(to.cycle));
            }
            // Orders still staged belong to a session that ended without a commit.
            if *orders != StagedOrders::Keep {
                execute!(conn, "delete from work_orders where investigation_id = $1 and status = 'staged'"; id.0);
            }
            if *orders == StagedOrders::CancelOpen {
                execute!(conn, "update work_orders set status = 'failed', failure = $2, completed_at = $3, discarded_at = $3
                     where investigation_id = $1 and status in ('queued', 'assigned')"; id.0, CANCELLED, Moment(*at));
            }
            for part in parts {
                if insert_investigation!(conn, part) {
                    execute!(conn, INHERIT_FINISH; part.id.0);
                    append_event!(conn, id, *at, &part_added(part));
                }
            }
            append_event!(conn, id, *at, event);
        })?;
        self.inner.notifier.publish_events(id);
        if let Some((parent, _)) = parent_event {
            self.inner.notifier.publish_events(*parent);
        }
        if !parts.is_empty() {
            self.inner.notifier.publish(Topic::Investigations);
        }
        Ok(())
    }

    async fn count_by_status(&self) -> StoreResult<Vec<(Status, u64)>> {
        let statement = "select status, count(*) from investigations group by status order by status";
        self.count_of_each(statement, Status::parse).await
    }

    async fn report_obstacle(&self, id: InvestigationId, obstacle: &Obstacle) -> StoreResult<()> {
        write!(self, conn => {
            // The row is locked before it is read.
            let stored: Option<Option<Json<Obstacles>>> = values!(conn.fetch_optional,
                "update investigations set reason = reason where id = $1 and status not in ('completed', 'failed')
                 returning obstacles"; id.0);
            if let Some(stored) = stored {
                let mut obstacles = stored.map(|stored| stored.0).unwrap_or_default();
                obstacles.add(obstacle.clone());
                execute!(conn, "update investigations set obstacles = $2 where id = $1"; id.0, Json(obstacles));
            }
        })
    }

    async fn suspension(&self, id: InvestigationId) -> StoreResult<Suspension> {
        read!(self, conn => {
            let row: Option<(Option<Json<Obstacles>>, Option<Moment>)> = rows!(conn.fetch_optional, SUSPENSION; id.0);
            let (obstacles, since) = row.unwrap_or_default();
            Suspension { obstacles: obstacles.map(|stored| stored.0).unwrap_or_default(), since: since.map(|moment| moment.0) }
        })
    }

    async fn request_finish(&self, id: InvestigationId, at: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "update investigations set finish_requested_at = $2
                 where id = $1 and finish_requested_at is null and status not in ('completed', 'failed')"; id.0, Moment(at));
        })?;
        self.inner.notifier.publish(Topic::Investigations);
        Ok(())
    }

    async fn change_models(&self, id: InvestigationId, model: Option<&str>, models: &ModelChoices) -> StoreResult<bool> {
        write!(self, conn => {
            let changed = execute!(conn,
                "update investigations set model = $2, models = $3 where id = $1 and status = 'suspended'"; id.0, model,
                Json(models));
            changed.rows_affected() > 0
        })
    }

    async fn finish_requested(&self, id: InvestigationId) -> StoreResult<bool> {
        read!(self, conn => {
            let requested: Option<Option<Moment>> = values!(conn.fetch_optional,
                "select finish_requested_at from investigations where id = $1"; id.0);
            requested.flatten().is_some()
        })
    }

    async fn register_holder(&self, holder: HolderId, does: ProcessRole, until: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "insert into holders (id, works_only, alive_until) values ($1, $2, $3)
                 on conflict (id) do update set works_only = excluded.works_only, alive_until = excluded.alive_until";
                holder.0, does == ProcessRole::WorkerOnly, Moment(until));
        })?;
        // Expired holders are deleted in a transaction of their own: two expired processes would block each other.
        write!(self, conn => {
            execute!(conn, "delete from holders where alive_until <= $1"; Moment(self.inner.clock.now()));
        })
    }

    async fn live_holders(&self, now: Timestamp) -> StoreResult<Vec<(HolderId, ProcessRole)>> {
        read!(self, conn => {
            let rows: Vec<(Uuid, bool)> = rows!(conn.fetch_all, "select id, works_only from holders where alive_until > $1
                 union select holder, false from investigations
                       where lease_until > $1 and status not in ('completed', 'failed')
                 order by 1"; Moment(now));
            let holder = |(id, works_only)| (HolderId(id), if works_only { ProcessRole::WorkerOnly } else { ProcessRole::Full });
            rows.into_iter().map(holder).collect()
        })
    }

    async fn forget_holders(&self) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "delete from holders");
            // The probing process is gone.
            execute!(conn,
                "update circuit_states set prober = null, probe_until = null, version = version + 1 where prober is not null");
            execute!(conn, "update investigations set holder = null, lease_until = null where holder is not null");
        })?;
        self.inner.notifier.publish(Topic::Investigations);
        Ok(())
    }
}
