//! What a watcher of an investigation knows: its events folded into one state. The web page folds them on the server and
//! again in the browser, so both show the same.

use crate::{
    AssessmentId, DocumentId, InvestigationId, SessionId, Timestamp, WorkOrderId, agent::AgentRole, budget::Spent,
    event::Event, event::Happening, investigation::Status, work_order::WorkOrderStatus,
};
use serde::{Deserialize, Serialize};

/// An investigation as its events tell it. Events that were folded in before are ignored, so a repeated one does no harm.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Watch {
    /// Sequence number of the last event that was folded in.
    pub last: u64,
    pub status: Status,
    pub cycle: u32,
    pub final_session: bool,
    pub reason: Option<String>,
    /// A person asked for it to end with what there is.
    pub finish_requested: bool,
    pub documents: Intake,
    pub graph: Growth,
    pub orders: Vec<WatchedOrder>,
    /// The investigations that the question was divided into.
    #[serde(default)]
    pub parts: Vec<WatchedPart>,
    /// What calls of models have used so far.
    pub spent: Spent,
    /// Sessions that have begun and not ended.
    pub sessions: Vec<WatchedSession>,
    pub assessment: Option<(AssessmentId, String)>,
    /// When it was completed or failed.
    pub ended_at: Option<Timestamp>,
}

/// What became of the documents of the investigation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intake {
    pub stored: u64,
    pub copies: u64,
    pub rejected: u64,
}

/// What the investigation has written into the graph so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    pub claims: u64,
    pub entities: u64,
    pub relationships: u64,
}

/// A work order as its events tell it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WatchedOrder {
    pub id: WorkOrderId,
    pub cycle: u32,
    pub objective: String,
    pub status: WorkOrderStatus,
    pub attempt: u32,
    /// The document that its Processor has open, with its title.
    pub reading: Option<(DocumentId, String)>,
    /// Documents that were opened for it.
    pub read: u64,
}

/// A part of the question as its events tell it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedPart {
    pub id: InvestigationId,
    pub question: String,
    pub status: Status,
    pub reason: Option<String>,
}

/// An agent session that is running.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedSession {
    pub id: SessionId,
    pub role: AgentRole,
    pub model: String,
}

impl Watch {
    /// The state after all of `events`, which come oldest first.
    pub fn of(events: &[Event]) -> Self {
        let mut watch = Self::default();
        for event in events {
            watch.fold(event);
        }
        watch
    }

    /// Takes one more event in; false when it was known already.
    pub fn fold(&mut self, event: &Event) -> bool {
        if event.sequence <= self.last {
            return false;
        }
        self.last = event.sequence;
        match &event.what {
            Happening::StatusChanged { status, cycle, final_session, reason } => {
                self.status = *status;
                self.cycle = *cycle;
                self.final_session = *final_session;
                self.reason = reason.clone();
                // Whatever an Analyst was doing is over, also where it died without a word.
                self.sessions.retain(|session| session.role != AgentRole::Analyst);
                if status.is_terminal() {
                    self.end(event.at);
                }
            }
            Happening::FinishRequested => self.finish_requested = true,
            Happening::DocumentsIngested { stored, copies, rejected } => {
                self.documents.stored += stored;
                self.documents.copies += copies;
                self.documents.rejected += rejected;
            }
            Happening::SessionStarted { session_id, role, model, .. } => {
                // A session that another worker takes up again is announced again.
                self.sessions.retain(|session| session.id != *session_id);
                self.sessions.push(WatchedSession { id: *session_id, role: *role, model: model.clone() });
            }
            Happening::SessionEnded { session_id, .. } => self.sessions.retain(|session| session.id != *session_id),
            Happening::WorkOrderChanged { work_order_id, objective, status, attempt } => {
                let order = self.order(*work_order_id, objective);
                order.status = *status;
                order.attempt = *attempt;
                order.reading = order.reading.take().filter(|_| *status == WorkOrderStatus::Assigned);
            }
            Happening::Reading { work_order_id, document_id, title } => {
                let order = self.order(*work_order_id, "");
                order.reading = Some((*document_id, title.clone()));
                order.read += 1;
            }
            Happening::PartChanged { investigation_id, question, status, reason } => {
                let part =
                    WatchedPart { id: *investigation_id, question: question.clone(), status: *status, reason: reason.clone() };
                match self.parts.iter_mut().find(|known| known.id == part.id) {
                    Some(known) => *known = part,
                    None => self.parts.push(part),
                }
            }
            Happening::GraphGrew { claims, entities, relationships } => {
                self.graph = Growth { claims: *claims, entities: *entities, relationships: *relationships };
            }
            Happening::ModelCalled { spent, .. } => self.spent += *spent,
            Happening::ToolCalled { .. }
            | Happening::LureFound { .. }
            | Happening::DocumentRefused { .. }
            | Happening::DependencyDown { .. }
            | Happening::BudgetReached { .. } => {}
            Happening::AssessmentWritten { assessment_id, bottom_line } => {
                self.assessment = Some((*assessment_id, bottom_line.clone()));
            }
        }
        true
    }

    /// How many orders are resolved, and how many there are.
    pub fn resolved(&self) -> (usize, usize) {
        (self.orders.iter().filter(|order| order.status.is_resolved()).count(), self.orders.len())
    }

    /// How many parts have ended, and how many there are.
    pub fn ended_parts(&self) -> (usize, usize) {
        (self.parts.iter().filter(|part| part.status.is_terminal()).count(), self.parts.len())
    }

    /// How often a document was opened for an order.
    pub fn opened(&self) -> u64 {
        self.orders.iter().map(|order| order.read).sum()
    }

    /// The titles of the documents that are open now.
    pub fn reading(&self) -> impl Iterator<Item = &(DocumentId, String)> {
        self.orders.iter().filter_map(|order| order.reading.as_ref())
    }

    fn end(&mut self, at: Timestamp) {
        self.ended_at = Some(at);
        self.sessions.clear();
        for order in &mut self.orders {
            order.reading = None;
        }
    }

    fn order(&mut self, id: WorkOrderId, objective: &str) -> &mut WatchedOrder {
        let at = self.orders.iter().position(|order| order.id == id).unwrap_or_else(|| {
            self.orders.push(WatchedOrder {
                id,
                cycle: self.cycle,
                objective: objective.to_owned(),
                status: WorkOrderStatus::Queued,
                attempt: 0,
                reading: None,
                read: 0,
            });
            self.orders.len() - 1
        });
        &mut self.orders[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn events(happenings: Vec<Happening>) -> Vec<Event> {
        let number = |(n, what)| Event {
            investigation_id: InvestigationId(Uuid::nil()),
            sequence: n as u64 + 1,
            at: Timestamp::from_micros(n as i64),
            what,
        };
        happenings.into_iter().enumerate().map(number).collect()
    }

    #[test]
    fn folding_an_event_twice_changes_nothing() {
        let order = WorkOrderId(Uuid::nil());
        let document = DocumentId(Uuid::nil());
        let events = events(vec![
            Happening::StatusChanged { status: Status::Processing, cycle: 1, final_session: false, reason: None },
            Happening::WorkOrderChanged {
                work_order_id: order,
                objective: "Find reports".into(),
                status: WorkOrderStatus::Assigned,
                attempt: 1,
            },
            Happening::Reading { work_order_id: order, document_id: document, title: "A report".into() },
            Happening::DocumentsIngested { stored: 3, copies: 1, rejected: 0 },
        ]);
        let once = Watch::of(&events);
        let mut twice = once.clone();
        assert!(events.iter().all(|event| !twice.fold(event)));
        assert_eq!(once, twice);
        assert_eq!((once.documents.stored, once.resolved(), once.reading().count()), (3, (0, 1), 1));
    }

    #[test]
    fn a_part_is_listed_once_with_its_last_status() {
        let part = |n, status| Happening::PartChanged {
            investigation_id: InvestigationId(Uuid::from_u128(n)),
            question: format!("Part {n}?"),
            status,
            reason: None,
        };
        let watch = Watch::of(&events(vec![part(1, Status::Pending), part(2, Status::Pending), part(1, Status::Failed)]));
        let listed: Vec<_> = watch.parts.iter().map(|part| (part.question.as_str(), part.status)).collect();
        assert_eq!(listed, [("Part 1?", Status::Failed), ("Part 2?", Status::Pending)]);
        assert_eq!(watch.ended_parts(), (1, 2));
    }

    #[test]
    fn nothing_is_being_read_after_the_end() {
        let order = WorkOrderId(Uuid::nil());
        let watch = Watch::of(&events(vec![
            Happening::Reading { work_order_id: order, document_id: DocumentId(Uuid::nil()), title: "A report".into() },
            Happening::StatusChanged { status: Status::Completed, cycle: 1, final_session: false, reason: None },
        ]));
        assert_eq!(watch.reading().count(), 0);
        assert!(watch.ended_at.is_some());
    }
}
