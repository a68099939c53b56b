//! Statements on interviews. Everything but the round of the interviewer is selected by the person.

mod rounds;
mod rows;

use crate::interview::{Decision, Interview, InterviewId, Profile, Signal, SignalId, Transcript, TransitionReason, TurnAction};
use adapters::sql::{
    Store,
    archive::{
        ScopeColumn::{Owner, Row},
        Table, tables,
    },
    execute,
    fault::Fault,
    read, rows,
    types::Moment,
    write,
};
use domain::{Timestamp, UserId};
use engine::{StoreError, StoreResult};
use feature::{Schema, Web};
use rows::{InterviewRow, ProposalRow, SignalRow, TurnRow};
use sqlx::migrate::Migrator;

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// Tables of the feature.
pub static SCHEMA: Schema = Schema { name: "interview", sqlite: &SQLITE, postgres: &POSTGRES, tables: TABLES };

const TABLES: &[Table] = tables! {
    interviews 1: id Id, user_id Id, card_set Text, state Text, card Number, is_stopped Flag, profile Text, note Text,
        started_at Moment, ended_at Moment, held_until Moment
        .scope(&[Owner("user_id")]);
    interview_turns 2: interview_id Id, number Number, card Number, is_card Flag, remark Text, question Text, action Text,
        reply Text, reason Text
        .scope(&[Row("interviews", "interview_id")]);
    interview_signals 1: id Id, interview_id Id, step Number, card Number, kind Text, construct Text, state Text, content Text,
        source Text, confidence Number, domain Text
        .scope(&[Row("interviews", "interview_id")]);
    interview_proposals 2: interview_id Id, number Number, sentence Text, because Text, decision Text, decided_at Moment
        .scope(&[Row("interviews", "interview_id")]);
};

/// Columns of an `InterviewRow`.
macro_rules! interviews {
    ($rest:literal) => {
        concat!(
            "select i.id, i.user_id, i.card_set, i.state, i.card, i.is_stopped, i.profile, i.note, i.started_at, i.ended_at
               from interviews i where i.user_id = $1 ",
            $rest
        )
    };
}

/// Rows of another table of the interview `$2` of the person `$1`.
macro_rules! rows_of {
    ($columns:literal, $table:literal, $order:literal) => {
        concat!(
            "select ",
            $columns,
            " from ",
            $table,
            " t join interviews i on i.id = t.interview_id where i.user_id = $1 and i.id = $2 order by ",
            $order
        )
    };
}

const TURNS: &str =
    rows_of!("t.number, t.card, t.is_card, t.remark, t.question, t.action, t.reply, t.reason", "interview_turns", "t.number");
const SIGNALS: &str = rows_of!(
    "t.id, t.step, t.card, t.kind, t.domain, t.construct, t.state, t.content, t.source, t.confidence",
    "interview_signals",
    "t.card, t.step, t.content"
);
const PROPOSALS: &str = rows_of!("t.number, t.sentence, t.because, t.decision", "interview_proposals", "t.number");

/// Reads an interview of a person with everything that belongs to it.
macro_rules! read_transcript {
    ($conn:ident, $user:expr, $id:expr) => {{
        let row: Option<InterviewRow> =
            sqlx::query_as(interviews!("and i.id = $2")).bind($user.0).bind($id.0).fetch_optional(&mut *$conn).await?;
        match row {
            None => None,
            Some(row) => {
                let turns: Vec<TurnRow> = sqlx::query_as(TURNS).bind($user.0).bind($id.0).fetch_all(&mut *$conn).await?;
                let signals: Vec<SignalRow> = sqlx::query_as(SIGNALS).bind($user.0).bind($id.0).fetch_all(&mut *$conn).await?;
                let proposals: Vec<ProposalRow> =
                    sqlx::query_as(PROPOSALS).bind($user.0).bind($id.0).fetch_all(&mut *$conn).await?;
                Some(Transcript {
                    interview: row.interview()?,
                    turns: turns.into_iter().map(TurnRow::turn).collect::<Result<_, Fault>>()?,
                    signals: signals.into_iter().map(SignalRow::signal).collect::<Result<_, Fault>>()?,
                    proposals: proposals.into_iter().map(ProposalRow::proposal).collect::<Result<_, Fault>>()?,
                })
            }
        }
    }};
}

/// Stores an interview within the limit; returns the number of rows.
macro_rules! insert_interview {
    ($conn:ident, $interview:expr, $profile:expr, $limit:expr) => {
        adapters::sql::execute!($conn, "insert into interviews
                    (id, user_id, card_set, state, card, is_stopped, profile, note, started_at, ended_at)
             select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
              where (select count(*) from interviews i where i.user_id = $2) < $11";
            $interview.id.0, $interview.user.0, &$interview.set, $interview.state.as_str(), i64::from($interview.card),
            $interview.is_stopped, &$profile, &$interview.note, Moment($interview.started_at), $interview.ended_at.map(Moment),
            i64::from($limit))
        .rows_affected()
    };
}

/// Stores a turn; returns the number of rows, 0 where its number is known.
macro_rules! insert_turn {
    ($conn:ident, $id:expr, $turn:expr) => {
        adapters::sql::execute!($conn,
            "insert into interview_turns (interview_id, number, card, is_card, remark, question, action, reply, reason)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (interview_id, number) do nothing";
            $id.0, i64::from($turn.number), i64::from($turn.card), $turn.is_card, &$turn.remark, &$turn.question,
            $turn.action.map_or("", TurnAction::as_str), &$turn.reply, $turn.reason.map_or("", TransitionReason::as_str))
        .rows_affected()
    };
}

/// Stores a signal, once for each step and content.
macro_rules! insert_signal {
    ($conn:ident, $id:expr, $step:expr, $signal:expr) => {
        adapters::sql::execute!($conn, "insert into interview_signals
                    (id, interview_id, step, card, kind, construct, state, content, source, confidence, domain)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (interview_id, step, content) do nothing";
            $signal.id.0, $id.0, $step, i64::from($signal.card), $signal.kind.as_str(), &$signal.construct, &$signal.state,
            &$signal.content, &$signal.source, thousandths($signal.confidence),
            Some(&$signal.domain).filter(|domain| !domain.is_empty()))
    };
}

/// Stores a proposed interest, once for each number.
macro_rules! insert_proposal {
    ($conn:ident, $id:expr, $proposal:expr) => {
        adapters::sql::execute!($conn, "insert into interview_proposals (interview_id, number, sentence, because, decision, decided_at)
             values ($1, $2, $3, $4, '', null) on conflict (interview_id, number) do nothing";
            $id.0, i64::from($proposal.number), &$proposal.sentence, &$proposal.because)
    };
}
pub(super) use insert_proposal;
pub(super) use insert_signal;
pub(super) use insert_turn;

fn thousandths(confidence: f64) -> i64 {
    (confidence * 1_000.0).round() as i64
}

/// Returns the text of a column for a profile.
fn profile_text(profile: Option<&Profile>) -> StoreResult<String> {
    let text = profile.map(serde_json::to_string).transpose();
    text.map(Option::unwrap_or_default).map_err(|error| StoreError::Defect(error.to_string()))
}

/// Returns the step of the signals that the choice of a card brings.
fn step_of_choice(card: u32) -> i64 {
    -1 - i64::from(card)
}

/// Accepted interest with the words that it follows from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedInterest {
    pub sentence: String,
    pub because: String,
    pub at: Timestamp,
}

/// The tables of the feature in the state store. A cheap clone.
#[derive(Clone)]
pub struct InterviewStore(Store);

impl From<Store> for InterviewStore {
    fn from(store: Store) -> Self {
        Self(store)
    }
}

impl InterviewStore {
    pub fn new(web: &Web) -> Self {
        Self::from(web.store.clone())
    }

    /// Stores a new interview with its turns, the signals of choices and proposals. Returns false where the person has `limit` already.
    pub async fn add(&self, transcript: &Transcript, limit: u32) -> StoreResult<bool> {
        let (lock, interview) = (self.0.lock_of_person(), &transcript.interview);
        let profile = profile_text(interview.profile.as_ref())?;
        write!(self.0, conn => {
            sqlx::query(lock).bind(interview.user.0).fetch_optional(&mut *conn).await?;
            let is_added = insert_interview!(conn, interview, profile, limit) > 0;
            if is_added {
                for turn in &transcript.turns {
                    insert_turn!(conn, interview.id, turn);
                }
                for signal in &transcript.signals {
                    insert_signal!(conn, interview.id, step_of_choice(signal.card), signal);
                }
                for proposal in &transcript.proposals {
                    insert_proposal!(conn, interview.id, proposal);
                }
            }
            is_added
        })
    }

    /// Returns the interviews of a person, the newest first.
    pub async fn interviews(&self, user: UserId) -> StoreResult<Vec<Interview>> {
        read!(self.0, conn => {
            let rows: Vec<InterviewRow> = rows!(conn.fetch_all, interviews!("order by i.started_at desc, i.id desc"); user.0);
            rows.into_iter().map(InterviewRow::interview).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns an interview of a person with everything that belongs to it.
    pub async fn transcript(&self, user: UserId, id: InterviewId) -> StoreResult<Option<Transcript>> {
        read!(self.0, conn => read_transcript!(conn, user, id))
    }

    /// Records an answer or skip of the person at the open turn `number`, with the signals of a choice, and hands over to the interviewer.
    /// Returns false where no such turn is open.
    pub async fn act(
        &self,
        (user, id): (UserId, InterviewId),
        number: u32,
        action: TurnAction,
        reply: &str,
        signals: &[Signal],
    ) -> StoreResult<bool> {
        write!(self.0, conn => {
            let handed_over = execute!(conn, "update interviews set state = 'interviewer', held_until = null, note = ''
                  where user_id = $1 and id = $2 and state = 'person'
                    and exists (select 1 from interview_turns t where t.interview_id = $2 and t.number = $3 and t.action = '')";
                user.0, id.0, i64::from(number));
            let is_done = handed_over.rows_affected() > 0;
            if is_done {
                execute!(conn, "update interview_turns set action = $3, reply = $4 where interview_id = $1 and number = $2";
                    id.0, i64::from(number), action.as_str(), reply);
                for signal in signals {
                    insert_signal!(conn, id, step_of_choice(signal.card), signal);
                }
            }
            is_done
        })
    }

    /// Skips the rest of a scenario while the interviewer thinks about the answer to its last turn `number`; returns whether it does.
    pub async fn skip_scenario(&self, (user, id): (UserId, InterviewId), number: u32) -> StoreResult<bool> {
        write!(self.0, conn => {
            // A question that is put at this moment comes first.
            execute!(conn, rounds::LOCK; id.0);
            execute!(conn, "update interview_turns set reason = $4
                  where interview_id = $2 and number = $3 and action = 'answer' and reason in ('', $4)
                    and number = (select max(t.number) from interview_turns t where t.interview_id = $2)
                    and exists (select 1 from interviews i where i.id = $2 and i.user_id = $1 and i.state = 'interviewer')";
                user.0, id.0, i64::from(number), TransitionReason::UserSkipped.as_str())
            .rows_affected()
                > 0
        })
    }

    /// Stops an interview, at the open turn or while the interviewer thinks; returns whether it was open.
    pub async fn stop(&self, user: UserId, id: InterviewId) -> StoreResult<bool> {
        write!(self.0, conn => {
            let stopped = execute!(conn, "update interviews set state = 'interviewer', is_stopped = $3
                  where user_id = $1 and id = $2 and state in ('person', 'interviewer')"; user.0, id.0, true);
            let is_done = stopped.rows_affected() > 0;
            if is_done {
                execute!(conn, "update interview_turns set action = 'stop' where interview_id = $1 and action = ''"; id.0);
            }
            is_done
        })
    }

    /// Ends an interview at words of a crisis; returns whether it was open.
    pub async fn end_in_crisis(&self, user: UserId, id: InterviewId, now: Timestamp) -> StoreResult<bool> {
        write!(self.0, conn => {
            execute!(conn, "update interviews set state = 'crisis', ended_at = $3, held_until = null
                  where user_id = $1 and id = $2 and state in ('person', 'interviewer')"; user.0, id.0, Moment(now))
            .rows_affected()
                > 0
        })
    }

    /// Removes a signal of an interview of a person, with what `Transcript::remove_signal` removes; returns whether there was one.
    pub async fn remove_signal(&self, user: UserId, id: InterviewId, signal: SignalId) -> StoreResult<bool> {
        let lock = self.0.lock_of_person();
        write!(self.0, conn => {
            sqlx::query(lock).bind(user.0).fetch_optional(&mut *conn).await?;
            let found: Option<Transcript> = read_transcript!(conn, user, id);
            let has_profile = found.as_ref().is_some_and(|transcript| transcript.interview.profile.is_some());
            let removed = found.and_then(|mut transcript| transcript.remove_signal(signal).then_some(transcript.interview));
            if let Some(interview) = &removed {
                execute!(conn, "delete from interview_signals where id = $1"; signal.0);
                if has_profile {
                    execute!(conn, "update interviews set profile = $2, note = $3 where id = $1"; id.0,
                        profile_text(interview.profile.as_ref())?, &interview.note);
                }
            }
            removed.is_some()
        })
    }

    /// Decides on a proposed interest, with the sentence as the person wants it; returns whether it stands. A decision
    /// is final: only the same one can be sent again.
    pub async fn decide(
        &self,
        (user, id): (UserId, InterviewId),
        number: u32,
        sentence: &str,
        decision: Decision,
        now: Timestamp,
    ) -> StoreResult<bool> {
        write!(self.0, conn => {
            execute!(conn, "update interview_proposals set sentence = $4, decision = $5, decided_at = $6
                  where interview_id = $2 and number = $3
                    and (decision = '' or (decision = $5 and sentence = $4))
                    and exists (select 1 from interviews i where i.id = $2 and i.user_id = $1)";
                user.0, id.0, i64::from(number), sentence, decision.as_str(), Moment(now))
            .rows_affected()
                > 0
        })
    }

    /// Returns the interests that a person has accepted, in the order of their decisions.
    pub async fn accepted(&self, user: UserId) -> StoreResult<Vec<AcceptedInterest>> {
        read!(self.0, conn => {
            let rows: Vec<(String, String, Moment)> = rows!(conn.fetch_all, "select p.sentence, p.because, p.decided_at
                   from interview_proposals p join interviews i on i.id = p.interview_id
                  where i.user_id = $1 and p.decision = 'accepted' order by p.decided_at, p.interview_id, p.number"; user.0);
            let interest = |(sentence, because, at): (String, String, Moment)| AcceptedInterest { sentence, because, at: at.0 };
            rows.into_iter().map(interest).collect()
        })
    }

    /// Erases an interview of a person with everything that belongs to it; returns whether there was one.
    pub async fn erase(&self, user: UserId, id: InterviewId) -> StoreResult<bool> {
        write!(self.0, conn => {
            let erased = sqlx::query("delete from interviews where user_id = $1 and id = $2").bind(user.0).bind(id.0);
            erased.execute(&mut *conn).await?.rows_affected() > 0
        })
    }
}
