//! Days that reports name: an indicator that must have come true by one, or a gap that one may close. The owner of the report is asked
//! when the day is over, and the question stays until it is answered.

use crate::store::{MonitorStore, OwnedReport};
use app::format;
use domain::{
    AssessmentId, InvestigationId, Timestamp, UserId,
    assessment::{Assessment, lenient::last_day_of},
};
use engine::{StoreError, StoreResult};
use feature::{NotificationAction, ProductMark, Web};

/// Address that answers are sent to.
pub const DATES: &str = "/monitor/dates";
/// Key of the mark up to which reports were read for dates.
const MARK: &str = "dates";
/// Milliseconds of a day.
pub const DAY_MS: i64 = 86_400_000;
/// Time before a mark that is read again: a report may be stored a little later than it was written.
pub const OVERLAP_MS: i64 = 120_000;
/// Characters of a day (`2031-05-20`).
const DAY_CHARS: usize = 10;

/// A day of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueItem {
    pub assessment: AssessmentId,
    /// `I1`, `I2` … for indicators, `G1`, `G2` … for gaps.
    pub item: String,
    /// Owner of the report.
    pub user: UserId,
    pub text: String,
    /// Moment after the day.
    pub due_at: Timestamp,
    /// Moment at which the person is asked.
    pub ask_at: Timestamp,
}

impl DueItem {
    pub fn is_gap(&self) -> bool {
        self.item.starts_with('G')
    }

    /// Returns the fields of the form with an answer.
    pub fn fields(&self, answer: DueAnswer) -> Vec<(&'static str, String)> {
        vec![("assessment", self.assessment.to_string()), ("item", self.item.clone()), ("answer", answer.as_str().to_owned())]
    }

    /// Returns the buttons with which the person answers.
    pub fn actions(&self) -> Vec<NotificationAction> {
        let action =
            |label: &'static str, answer: DueAnswer| NotificationAction { label, address: DATES, fields: self.fields(answer) };
        match self.is_gap() {
            true => vec![action("It is closed", DueAnswer::Closed), action("Later", DueAnswer::Later)],
            false => vec![
                action("It happened", DueAnswer::Happened),
                action("It did not", DueAnswer::DidNot),
                action("Later", DueAnswer::Later),
            ],
        }
    }
}

domain::words! {
    /// Answer of a person to a day that is over.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DueAnswer {
        Happened = "happened",
        DidNot = "not",
        /// The gap is closed.
        Closed = "closed",
        /// Ask again after some days.
        Later = "later",
        /// The answer before is taken back.
        Open = "open",
    }
}

impl DueAnswer {
    /// Returns the answer in words: `it happened`.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Happened => "it happened",
            Self::DidNot => "it did not happen",
            Self::Closed => "it is closed",
            Self::Later | Self::Open => "not yet",
        }
    }
}

/// Answered day of a report, with the question of the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredItem {
    pub item: DueItem,
    pub answer: DueAnswer,
    pub answered_at: Timestamp,
    pub investigation: InvestigationId,
    pub question: String,
}

impl AnsweredItem {
    /// Returns the question for the next version, with the answer in it.
    pub fn next_question(&self) -> String {
        let answered = format::day(self.answered_at);
        format!("{} (Answered on {answered}: {}, “{}”.)", self.question, self.answer.text(), self.item.text)
    }
}

/// Returns the days of a report.
pub fn due_items(assessment: &Assessment, user: UserId) -> Vec<DueItem> {
    let item = |item: String, text: &str, day: String| {
        let due_at = Timestamp::parse(&day)?.plus_ms(DAY_MS);
        Some(DueItem { assessment: assessment.id, item, user, text: text.to_owned(), due_at, ask_at: due_at })
    };
    let body = &assessment.body;
    let indicators = body.indicators.iter().filter_map(|one| {
        let day = last_day_of(one.resolution.by.as_deref()?)?;
        item(one.id.clone(), &one.text, day.to_string())
    });
    let gaps = body.gaps.iter().enumerate().filter_map(|(n, gap)| {
        let day = day_in(gap.how_to_close.as_deref().unwrap_or_default()).or_else(|| day_in(&gap.text))?;
        item(format!("G{}", n + 1), &gap.text, day)
    });
    indicators.chain(gaps).collect()
}

/// Returns the first day that a text names in digits (`2031-05-20`).
fn day_in(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_ascii_digit() && c != '-');
    let days = words.filter(|word| word.len() == DAY_CHARS).filter_map(last_day_of);
    days.map(|day| day.to_string()).next()
}

/// Reads the days of reports that arrived since the last round.
pub async fn read_dates(web: &Web, limit: u32) -> StoreResult<()> {
    let (store, now) = (MonitorStore::new(web), web.engine.clock.now());
    let from = store.mark(MARK).await?.map_or(Timestamp::from_micros(0), |at| at.plus_ms(-OVERLAP_MS));
    let reports = store.owned_reports(ProductMark::before(from), limit).await?;
    let is_last = reports.len() < limit as usize;
    let mark = if is_last { now } else { reports.last().map_or(now, |last| last.at.plus_ms(OVERLAP_MS)) };
    for report in reports {
        match read_report(web, &store, report).await {
            // A report that cannot be read does not stop the others.
            Err(error @ (StoreError::Defect(_) | StoreError::Invalid(_))) => {
                tracing::warn!(%error, report = %report.id, "days of a report not read, left out");
            }
            read => read?,
        }
    }
    store.set_mark(MARK, mark).await
}

/// Reads the days of a report as its owner reads it.
async fn read_report(web: &Web, store: &MonitorStore, report: OwnedReport) -> StoreResult<()> {
    let engine = &web.engine;
    let scope = engine.accounts.scope_of(report.owner).await?.read_by(report.owner);
    match engine.assessments.assessment(&scope, report.id).await? {
        Some(stored) => store.add_due_items(&due_items(&stored.assessment, report.owner)).await,
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_names_a_day_in_digits() {
        assert_eq!(day_in("Ask the court after 2031-05-20, when it decides."), Some("2031-05-20".to_owned()));
        assert_eq!(day_in("Case 2031-99-20 of May 2031"), None);
    }
}
