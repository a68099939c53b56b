//! Statements of the interviewer: its rounds, and what its tools store.

use super::{InterviewStore, insert_proposal, insert_signal, insert_turn, profile_text, thousandths};
use crate::{
    agent::INTERVIEW,
    interview::{InterviewId, InterviewState, Profile, Proposal, Signal, TransitionReason, Turn, TurnAction},
    sharpen::SHARPENING,
};
use adapters::sql::{execute, read, rows, types::Moment, values, write};
use domain::{Timestamp, UserId};
use engine::StoreResult;
use tokio::sync::watch;
use uuid::Uuid;

/// Interviews whose sessions are removed in one round.
const STRAY_PER_ROUND: i64 = 100;
/// Lock of an interview until the end of the transaction.
pub(super) const LOCK: &str = "update interviews set held_until = held_until where id = $1";

impl InterviewStore {
    /// Takes interviews that wait for the interviewer, by a lease until `until`, the oldest first.
    pub async fn take_due(&self, now: Timestamp, until: Timestamp, limit: u32) -> StoreResult<Vec<(UserId, InterviewId)>> {
        write!(self.0, conn => {
            let rows: Vec<(Uuid, Uuid)> = rows!(conn.fetch_all, "update interviews set held_until = $2
                  where state = 'interviewer' and (held_until is null or held_until <= $1)
                    and id in (select w.id from interviews w
                                where w.state = 'interviewer' and (w.held_until is null or w.held_until <= $1)
                                order by w.started_at, w.id limit $3)
                 returning user_id, id"; Moment(now), Moment(until), i64::from(limit));
            rows.into_iter().map(|(user, id)| (UserId(user), InterviewId(id))).collect()
        })
    }

    /// Puts a card or question to the person. One who stopped or skipped the scenario meanwhile is not asked: the interviewer gets that as
    /// the answer. Repeating a turn changes nothing.
    pub async fn put_turn(&self, id: InterviewId, turn: &Turn) -> StoreResult<()> {
        write!(self.0, conn => {
            // Waits for a person who stops or skips at this moment.
            execute!(conn, LOCK; id.0);
            if insert_turn!(conn, id, turn) > 0 {
                execute!(conn, "update interview_turns set action = 'stop' where interview_id = $1 and number = $2
                        and exists (select 1 from interviews i where i.id = $1 and i.is_stopped)";
                    id.0, i64::from(turn.number));
                execute!(conn, "update interview_turns set action = 'skip', reason = $4
                      where interview_id = $1 and number = $2 and action = ''
                        and exists (select 1 from interview_turns t where t.interview_id = $1 and t.card = $3 and t.reason = $4)";
                    id.0, i64::from(turn.number), i64::from(turn.card), TransitionReason::UserSkipped.as_str());
                execute!(conn, "update interviews set card = $2, held_until = null, note = '',
                            state = case when exists (select 1 from interview_turns t
                                                       where t.interview_id = $1 and t.number = $3 and t.action <> '')
                                         then state else 'person' end
                      where id = $1 and state = 'interviewer'"; id.0, i64::from(turn.card), i64::from(turn.number));
            }
        })
    }

    /// Pauses the interviewer until `until`, with the reason.
    pub async fn pause(&self, id: InterviewId, until: Timestamp, note: &str) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "update interviews set held_until = $2, note = $3 where id = $1 and state = 'interviewer'"; id.0,
                Moment(until), note);
        })
    }

    /// Ends an interview that the interviewer has, in a state and with proposals.
    pub async fn finish(
        &self,
        id: InterviewId,
        state: InterviewState,
        proposals: &[Proposal],
        note: &str,
        now: Timestamp,
    ) -> StoreResult<()> {
        write!(self.0, conn => {
            let ended = execute!(conn, "update interviews set state = $2, note = $3, ended_at = $4, held_until = null
                  where id = $1 and state = 'interviewer'"; id.0, state.as_str(), note, Moment(now));
            if ended.rows_affected() > 0 {
                for proposal in proposals {
                    insert_proposal!(conn, id, proposal);
                }
            }
        })
    }

    /// Stores a signal that a step of the session found. Repeating the step stores nothing more.
    pub async fn add_signal(&self, id: InterviewId, step: u32, signal: &Signal) -> StoreResult<()> {
        write!(self.0, conn => {
            insert_signal!(conn, id, i64::from(step), signal);
        })
    }

    /// Ends the scenario of a card after its last turn. That the person skipped it stays the reason, but for a crisis.
    pub async fn close_card(&self, id: InterviewId, card: u32, reason: TransitionReason) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "update interview_turns
                    set reason = case when reason = $4 and $3 <> $5 then reason else $3 end
                  where interview_id = $1 and card = $2
                    and number = (select max(t.number) from interview_turns t where t.interview_id = $1 and t.card = $2)";
                id.0, i64::from(card), reason.as_str(), TransitionReason::UserSkipped.as_str(), TransitionReason::Crisis.as_str());
        })
    }

    /// Stores the profile of an interview; a later one replaces it. Returns false where the person has removed one of the `signals` that it
    /// was written from.
    pub async fn set_profile(&self, (user, id): (UserId, InterviewId), profile: &Profile, signals: usize) -> StoreResult<bool> {
        let (lock, profile) = (self.0.lock_of_person(), profile_text(Some(profile))?);
        write!(self.0, conn => {
            sqlx::query(lock).bind(user.0).fetch_optional(&mut *conn).await?;
            execute!(conn, "update interviews set profile = $3 where user_id = $1 and id = $2
                    and (select count(*) from interview_signals s where s.interview_id = $2) = $4";
                user.0, id.0, &profile, signals as i64)
            .rows_affected()
                > 0
        })
    }

    /// Returns the objects of sessions whose interview is gone, or ended in a crisis.
    pub async fn stray_sessions(&self) -> StoreResult<Vec<Uuid>> {
        read!(self.0, conn => {
            values!(conn.fetch_all, "select distinct s.owner_id from agent_sessions s
                  where s.owner_kind = $1 and not exists
                        (select 1 from interviews i where i.id = s.owner_id and i.state <> 'crisis') limit $2";
                INTERVIEW.as_str(), STRAY_PER_ROUND)
        })
    }

    /// Returns the objects of sessions about vague questions that began before a time.
    pub async fn abandoned_sharpenings(&self, before: Timestamp) -> StoreResult<Vec<Uuid>> {
        read!(self.0, conn => {
            values!(conn.fetch_all,
                "select distinct s.owner_id from agent_sessions s where s.owner_kind = $1 and s.started_at < $2 limit $3";
                SHARPENING.as_str(), Moment(before), STRAY_PER_ROUND)
        })
    }

    /// Begins a round of the jobs at once, and lets open pages look for changes.
    pub fn announce(&self) {
        self.0.notify_jobs();
    }

    /// Returns a receiver of announcements.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.subscribe_jobs()
    }
}
