//! The state machine of an investigation as one pure table: (progress, signal) -> (progress, effects).
//!
//! Invariant: no clock, no I/O, no other place that decides a status. Every cell is tested below.

use super::{ResumeFrom, Status};
use serde::{Deserialize, Serialize};

/// State of an investigation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub status: Status,
    /// Cycles dispatched so far.
    pub cycle: u32,
    /// Analyst sessions in a row that ended with neither orders nor an assessment.
    pub empty_sessions: u32,
    /// Cycles in a row in which every order failed.
    pub failed_cycles: u32,
    /// The next (or running) Analyst session must write the assessment with what there is.
    pub final_session: bool,
    /// Point at which a suspended investigation resumes.
    pub resume_from: Option<ResumeFrom>,
}

/// The configured bounds that the table needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Cycles before the final session is forced.
    pub max_cycles: u32,
    /// Empty sessions in a row before the final session is forced.
    pub max_empty_sessions: u32,
    /// Cycles in a row in which all orders failed before the investigation fails.
    pub max_failed_cycles: u32,
}

/// Input of the state machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// The orchestrator takes a pending investigation up.
    Started,
    /// The Analyst session ended with work orders.
    OrdersCreated,
    /// The Analyst session ended by dividing the question into parts, which are investigations of their own.
    Decomposed,
    /// The Analyst session ended with an assessment.
    AssessmentProduced,
    /// The Analyst session ended with neither.
    SessionEmpty,
    /// The Analyst session ended with a permanent error.
    SessionFailed,
    /// Every order of the cycle is completed or failed for good.
    OrdersResolved { any_completed: bool },
    /// Every part of the question is completed or failed.
    PartsEnded { any_completed: bool },
    /// The circuit of a hard dependency opened.
    DependencyDown,
    /// The circuits of all hard dependencies are closed.
    DependencyUp,
    /// A suspended investigation is older than the configured maximum.
    SuspendedTooLong,
    /// A person pressed stop, or a budget cap was reached: write with what we have.
    FinishRequested,
    /// After a restart: what ran in the dead process is to be taken up again.
    Recovered,
}

/// Action of the orchestrator after the new progress is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Begin a fresh Analyst session of the current cycle.
    StartAnalyst,
    /// Hand the staged orders of the current cycle to the queue.
    DispatchOrders,
    /// Make sure that every open order of the current cycle is in the queue.
    ResumeOrders,
    /// Remove the unassigned work orders from the queue.
    CancelOrders,
    /// Write what the graph holds as a report, without a model.
    WritePartialReport,
}

/// A signal that the current status does not accept. The state is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an investigation that is {} cannot take {signal:?}", status.as_str())]
pub struct InvalidTransition {
    pub status: Status,
    pub signal: Signal,
}

impl Progress {
    /// The table. Returns the new progress and what to do, or refuses without a change.
    pub fn after(&self, signal: Signal, limits: Limits) -> Result<(Progress, Vec<Effect>), InvalidTransition> {
        use Effect::{DispatchOrders, StartAnalyst, WritePartialReport};
        let refused = Err(InvalidTransition { status: self.status, signal });
        let mut next = self.clone();
        let effects = match (self.status, signal) {
            (Status::Pending, Signal::Started) => next.begin_session(),
            (Status::Pending, Signal::FinishRequested) => next.begin_final_session(),
            (Status::AnalystRunning, Signal::OrdersCreated) if !self.final_session => next.begin_cycle(vec![DispatchOrders]),
            // The parts are taken up like any investigation.
            (Status::AnalystRunning, Signal::Decomposed) if !self.final_session => next.begin_cycle(vec![]),
            // Orders and parts in a final session are as good as nothing.
            (Status::AnalystRunning, Signal::OrdersCreated | Signal::Decomposed | Signal::SessionEmpty) => {
                next.count_empty(limits)
            }
            (Status::AnalystRunning, Signal::AssessmentProduced) => next.end(Status::Completed, vec![]),
            (Status::AnalystRunning, Signal::SessionFailed) => next.end(Status::Failed, vec![WritePartialReport]),
            (Status::AnalystRunning, Signal::FinishRequested) if !self.final_session => next.begin_final_session(),
            (Status::AnalystRunning | Status::Processing, Signal::FinishRequested) if self.final_session => vec![],
            (Status::AnalystRunning, Signal::DependencyDown) => next.suspend(ResumeFrom::Analyst),
            (Status::AnalystRunning, Signal::Recovered) => vec![StartAnalyst],
            (Status::Processing, Signal::OrdersResolved { any_completed } | Signal::PartsEnded { any_completed }) => {
                next.close_cycle(any_completed, limits)
            }
            (Status::Processing, Signal::FinishRequested) => {
                let mut effects = vec![Effect::CancelOrders];
                effects.extend(next.begin_final_session());
                effects
            }
            (Status::Processing, Signal::DependencyDown) => next.suspend(ResumeFrom::Processing),
            (Status::Processing, Signal::Recovered) => vec![Effect::ResumeOrders],
            (Status::Suspended, Signal::DependencyUp) => next.resume(),
            (Status::Suspended, Signal::SuspendedTooLong | Signal::FinishRequested) => {
                next.end(Status::Failed, vec![WritePartialReport])
            }
            // A repeated signal changes nothing.
            (Status::Suspended, Signal::DependencyDown | Signal::Recovered) => vec![],
            _ => return refused,
        };
        Ok((next, effects))
    }

    fn begin_session(&mut self) -> Vec<Effect> {
        self.status = Status::AnalystRunning;
        self.resume_from = None;
        vec![Effect::StartAnalyst]
    }

    fn begin_final_session(&mut self) -> Vec<Effect> {
        self.final_session = true;
        self.begin_session()
    }

    fn begin_cycle(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        self.status = Status::Processing;
        self.cycle += 1;
        self.empty_sessions = 0;
        effects
    }

    fn end(&mut self, status: Status, effects: Vec<Effect>) -> Vec<Effect> {
        self.status = status;
        self.resume_from = None;
        effects
    }

    fn suspend(&mut self, resume_from: ResumeFrom) -> Vec<Effect> {
        self.status = Status::Suspended;
        self.resume_from = Some(resume_from);
        vec![]
    }

    fn resume(&mut self) -> Vec<Effect> {
        match self.resume_from.take() {
            Some(ResumeFrom::Processing) => {
                self.status = Status::Processing;
                vec![Effect::ResumeOrders]
            }
            Some(ResumeFrom::Analyst) | None => self.begin_session(),
        }
    }

    /// Retry, then force the final session; a final session that stays empty as often fails.
    fn count_empty(&mut self, limits: Limits) -> Vec<Effect> {
        self.empty_sessions += 1;
        if self.empty_sessions < limits.max_empty_sessions {
            return vec![Effect::StartAnalyst];
        }
        if self.final_session {
            return self.end(Status::Failed, vec![Effect::WritePartialReport]);
        }
        self.empty_sessions = 0;
        self.begin_final_session()
    }

    /// Ends a cycle: the next one begins, the final session is forced, or the investigation fails.
    fn close_cycle(&mut self, any_completed: bool, limits: Limits) -> Vec<Effect> {
        self.failed_cycles = if any_completed { 0 } else { self.failed_cycles + 1 };
        if self.failed_cycles >= limits.max_failed_cycles {
            return self.end(Status::Failed, vec![Effect::WritePartialReport]);
        }
        self.final_session |= self.cycle >= limits.max_cycles;
        self.begin_session()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { max_cycles: 3, max_empty_sessions: 2, max_failed_cycles: 2 };
    const SIGNALS: [Signal; 15] = [
        Signal::Started,
        Signal::OrdersCreated,
        Signal::Decomposed,
        Signal::AssessmentProduced,
        Signal::SessionEmpty,
        Signal::SessionFailed,
        Signal::OrdersResolved { any_completed: true },
        Signal::OrdersResolved { any_completed: false },
        Signal::PartsEnded { any_completed: true },
        Signal::PartsEnded { any_completed: false },
        Signal::DependencyDown,
        Signal::DependencyUp,
        Signal::SuspendedTooLong,
        Signal::FinishRequested,
        Signal::Recovered,
    ];

    fn at(status: Status) -> Progress {
        let resume_from = (status == Status::Suspended).then_some(ResumeFrom::Processing);
        Progress { status, cycle: 1, resume_from, ..Progress::default() }
    }

    /// Every cell of state x signal, one line each; `-` refuses.
    #[test]
    fn the_transition_table_is_unchanged() {
        let mut table = String::new();
        for status in Status::ALL {
            for signal in SIGNALS {
                let cell = match at(status).after(signal, LIMITS) {
                    Ok((next, effects)) => {
                        format!("{}{} {effects:?}", next.status.as_str(), if next.final_session { " (final)" } else { "" })
                    }
                    Err(_) => "-".into(),
                };
                table += &format!("{} + {signal:?} = {cell}\n", status.as_str());
            }
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn a_second_empty_session_forces_the_final_one_and_two_more_fail() {
        let mut progress = at(Status::AnalystRunning);
        let mut seen = vec![];
        for _ in 0..4 {
            let (next, _) = progress.after(Signal::SessionEmpty, LIMITS).unwrap();
            seen.push((next.status, next.final_session));
            progress = next;
        }
        assert_eq!(
            seen,
            [
                (Status::AnalystRunning, false),
                (Status::AnalystRunning, true),
                (Status::AnalystRunning, true),
                (Status::Failed, true)
            ]
        );
    }

    #[test]
    fn the_last_cycle_leads_to_the_final_session() {
        let progress = Progress { cycle: 3, ..at(Status::Processing) };
        let (next, _) = progress.after(Signal::OrdersResolved { any_completed: true }, LIMITS).unwrap();
        assert!(next.final_session);
        assert_eq!(next.status, Status::AnalystRunning);
    }

    #[test]
    fn two_cycles_of_failed_orders_fail_and_a_good_one_between_them_clears_the_count() {
        let failed = Signal::OrdersResolved { any_completed: false };
        let one = Progress { failed_cycles: 1, ..at(Status::Processing) };
        assert_eq!(one.after(failed, LIMITS).unwrap().0.status, Status::Failed);
        let cleared = one.after(Signal::OrdersResolved { any_completed: true }, LIMITS).unwrap().0;
        assert_eq!(cleared.failed_cycles, 0);
    }

    #[test]
    fn parts_that_all_failed_count_as_a_failed_cycle_and_none_are_made_in_a_final_session() {
        let failed = Signal::PartsEnded { any_completed: false };
        let next = at(Status::Processing).after(failed, LIMITS).unwrap().0;
        assert_eq!((next.status, next.failed_cycles), (Status::AnalystRunning, 1));
        let last = Progress { failed_cycles: 1, ..at(Status::Processing) };
        assert_eq!(last.after(failed, LIMITS).unwrap().0.status, Status::Failed);
        let last = Progress { final_session: true, ..at(Status::AnalystRunning) };
        let next = last.after(Signal::Decomposed, LIMITS).unwrap().0;
        assert_eq!((next.status, next.cycle, next.empty_sessions), (Status::AnalystRunning, 1, 1));
    }

    #[test]
    fn terminal_states_accept_no_event() {
        for status in [Status::Completed, Status::Failed] {
            for signal in SIGNALS {
                assert!(at(status).after(signal, LIMITS).is_err(), "{status:?} {signal:?}");
            }
        }
    }
}
