//! Days of reports, and the answers to them.

use super::{MonitorStore, open_items};
use crate::dates::{AnsweredItem, DueAnswer, DueItem};
use adapters::{
    newest_version, read_assessment,
    sql::{
        execute,
        fault::Fault,
        read, rows,
        types::{Moment, word},
        write,
    },
};
use domain::{AssessmentId, InvestigationId, Timestamp, UserId};
use engine::StoreResult;
use feature::ProductMark;
use uuid::Uuid;

const OPEN: &str = concat!(
    "select d.assessment_id, d.item, d.user_id, d.words, d.due_at, d.ask_at",
    open_items!(),
    " order by d.due_at, d.assessment_id, d.item limit $3"
);
/// Items that a person is asked about at `$4`, and those whose day is ahead: these first. What was put off is left out until then.
const SOON: &str = concat!(
    "select d.assessment_id, d.item, d.user_id, d.words, d.due_at, d.ask_at",
    open_items!(),
    " and (d.ask_at <= $4 or d.due_at > $4)
      order by case when d.due_at > $4 then 0 else 1 end, d.due_at, d.assessment_id, d.item limit $3"
);
/// Answered items of a person whose report they read, the last answer first.
const ANSWERED: &str = concat!(
    "select d.assessment_id, d.item, d.user_id, d.words, d.due_at, d.ask_at, d.answer, d.answered_at, a.investigation_id, n.question
       from due_items d join assessments a on a.id = d.assessment_id join investigations n on n.id = a.investigation_id
      where d.user_id = $1 and d.answer <> '' and ",
    read_assessment!("$1"),
    " order by d.answered_at desc, d.assessment_id, d.item limit $2"
);
const OWNED: &str = "
    select a.id, i.owner, a.created_at from assessments a join investigations i on i.id = a.investigation_id
     where not a.is_partial and i.parent_id is null and (a.created_at > $1 or (a.created_at = $1 and a.id > $2))
     order by a.created_at, a.id limit $3";

/// Report with its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnedReport {
    pub id: AssessmentId,
    pub owner: UserId,
    pub at: Timestamp,
}

type ItemRow = (Uuid, String, Uuid, String, Moment, Moment);

fn due_item((assessment, item, user, text, due_at, ask_at): ItemRow) -> DueItem {
    let (assessment, user) = (AssessmentId(assessment), UserId(user));
    DueItem { assessment, item, user, text, due_at: due_at.0, ask_at: ask_at.0 }
}

#[derive(sqlx::FromRow)]
struct AnsweredRow {
    assessment_id: Uuid,
    item: String,
    user_id: Uuid,
    words: String,
    due_at: Moment,
    ask_at: Moment,
    answer: String,
    answered_at: Moment,
    investigation_id: Uuid,
    question: String,
}

impl AnsweredRow {
    fn answered(self) -> Result<AnsweredItem, Fault> {
        Ok(AnsweredItem {
            answer: word("answer to a day", &self.answer, DueAnswer::parse)?,
            item: due_item((self.assessment_id, self.item, self.user_id, self.words, self.due_at, self.ask_at)),
            answered_at: self.answered_at.0,
            investigation: InvestigationId(self.investigation_id),
            question: self.question,
        })
    }
}

impl MonitorStore {
    /// Returns reports after a mark with their owners, oldest first.
    pub async fn owned_reports(&self, after: ProductMark, limit: u32) -> StoreResult<Vec<OwnedReport>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, Uuid, Moment)> = rows!(conn.fetch_all, OWNED; Moment(after.at), after.id, i64::from(limit));
            let owned = |(id, owner, at): (Uuid, Uuid, Moment)| OwnedReport {
                id: AssessmentId(id),
                owner: UserId(owner),
                at: at.0,
            };
            rows.into_iter().map(owned).collect()
        })
    }

    /// Adds days of reports; known ones stay as they are.
    pub async fn add_due_items(&self, items: &[DueItem]) -> StoreResult<()> {
        if items.is_empty() {
            return Ok(());
        }
        write!(self.0, conn => {
            for one in items {
                execute!(conn,
                    "insert into due_items (assessment_id, item, user_id, words, due_at, ask_at, answer, answered_at)
                     select a.id, $2, $3, $4, $5, $6, '', null from assessments a where a.id = $1
                     on conflict (assessment_id, item) do nothing";
                    one.assessment.0, &one.item, one.user.0, &one.text, Moment(one.due_at), Moment(one.ask_at));
            }
        })
    }

    /// Returns the open items that a person is asked about at a moment, the longest overdue first.
    pub async fn open_items(&self, user: UserId, now: Timestamp, limit: u32) -> StoreResult<Vec<DueItem>> {
        read!(self.0, conn => {
            let rows: Vec<ItemRow> = rows!(conn.fetch_all, OPEN; user.0, Moment(now), i64::from(limit));
            rows.into_iter().map(due_item).collect()
        })
    }

    /// Returns the open items of a person up to a day: those ahead with the nearest first, then those that they are asked about.
    pub async fn due_soon(&self, user: UserId, now: Timestamp, until: Timestamp, limit: u32) -> StoreResult<Vec<DueItem>> {
        read!(self.0, conn => {
            let rows: Vec<ItemRow> = rows!(conn.fetch_all, SOON; user.0, Moment(until), i64::from(limit), Moment(now));
            rows.into_iter().map(due_item).collect()
        })
    }

    /// Returns the answered items of a person, the last answer first.
    pub async fn answered_items(&self, user: UserId, limit: u32) -> StoreResult<Vec<AnsweredItem>> {
        read!(self.0, conn => {
            let rows: Vec<AnsweredRow> = rows!(conn.fetch_all, ANSWERED; user.0, i64::from(limit));
            rows.into_iter().map(AnsweredRow::answered).collect::<Result<_, Fault>>()?
        })
    }

    /// Records the answer of a person to an open item, puts it off until `later`, or takes the answer back. Returns whether there was such
    /// an item.
    pub async fn answer_item(
        &self,
        user: UserId,
        (assessment, item): (AssessmentId, &str),
        answer: DueAnswer,
        now: Timestamp,
        later: Timestamp,
    ) -> StoreResult<bool> {
        write!(self.0, conn => {
            let answered = match answer {
                DueAnswer::Later => {
                    execute!(conn,
                        "update due_items set ask_at = $4 where assessment_id = $1 and item = $2 and user_id = $3 and answer = ''";
                        assessment.0, item, user.0, Moment(later))
                }
                DueAnswer::Open => {
                    execute!(conn, "update due_items set answer = '', answered_at = null
                          where assessment_id = $1 and item = $2 and user_id = $3 and answer <> ''"; assessment.0, item, user.0)
                }
                DueAnswer::Happened | DueAnswer::DidNot | DueAnswer::Closed => {
                    execute!(conn, "update due_items set answer = $4, answered_at = $5
                          where assessment_id = $1 and item = $2 and user_id = $3 and answer = ''";
                        assessment.0, item, user.0, answer.as_str(), Moment(now))
                }
            };
            answered.rows_affected() > 0
        })
    }
}
