//! Live state of an investigation, folded from its events. The server and the browser fold with the same code.

use crate::{
    AssessmentId, DocumentId, InvestigationId, SessionId, Timestamp, WorkOrderId, agent::AgentRole, budget::Spend,
    event::Event, event::EventKind, investigation::Status, work_order::WorkOrderStatus,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// State of an investigation after its events. Repeated events are ignored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LiveState {
    /// Sequence number of the last event that was folded in.
    pub last: u64,
    pub status: Status,
    pub cycle: u32,
    pub final_session: bool,
    pub reason: Option<String>,
    /// A person asked to stop and write the assessment.
    pub finish_requested: bool,
    pub documents: IngestCounts,
    /// Names of the duplicates among the documents, up to a limit.
    #[serde(default)]
    pub copied: Vec<String>,
    /// Sum of what the investigation added to the graph; none where it wrote nothing, and in older stores.
    pub graph: Option<GraphCounts>,
    pub orders: Vec<OrderState>,
    /// The investigations that the question was divided into.
    #[serde(default)]
    pub parts: Vec<PartState>,
    /// Spend on model calls so far.
    pub spent: Spend,
    /// Whether a call used tokens and cost nothing: its model may have no price.
    #[serde(default)]
    pub has_free_calls: bool,
    /// Sessions that have begun and not ended.
    pub sessions: Vec<SessionState>,
    pub assessment: Option<(AssessmentId, String)>,
    /// When it was completed or failed.
    pub ended_at: Option<Timestamp>,
}

/// Counts of the ingested documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IngestCounts {
    pub stored: u64,
    pub copies: u64,
    pub rejected: u64,
}

/// Counts of what an investigation, or one of its writes, added to the graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphCounts {
    pub claims: u64,
    pub entities: u64,
    pub relationships: u64,
}

impl std::ops::AddAssign for GraphCounts {
    fn add_assign(&mut self, added: Self) {
        self.claims += added.claims;
        self.entities += added.entities;
        self.relationships += added.relationships;
    }
}

/// State of a work order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrderState {
    pub id: WorkOrderId,
    pub cycle: u32,
    pub objective: String,
    pub status: WorkOrderStatus,
    pub attempt: u32,
    /// The document that its Processor has open, with its title.
    pub reading: Option<(DocumentId, String)>,
    /// Documents that were opened for it.
    pub read: BTreeSet<DocumentId>,
}

/// State of a part of the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartState {
    pub id: InvestigationId,
    pub question: String,
    pub status: Status,
    pub reason: Option<String>,
}

/// A running agent session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionState {
    pub id: SessionId,
    pub role: AgentRole,
    pub model: String,
}

impl LiveState {
    /// Folds `events`, oldest first.
    pub fn from_events(events: &[Event]) -> Self {
        let mut live = Self::default();
        for event in events {
            live.fold(event);
        }
        live
    }

    /// Folds one more event; returns false for a known one.
    pub fn fold(&mut self, event: &Event) -> bool {
        if event.sequence <= self.last {
            return false;
        }
        self.last = event.sequence;
        match &event.kind {
            EventKind::StatusChanged { status, cycle, final_session, reason } => {
                self.status = *status;
                self.cycle = *cycle;
                self.final_session = *final_session;
                self.reason = reason.clone();
                // Ends the Analyst session, also one whose process died.
                self.sessions.retain(|session| session.role != AgentRole::Analyst);
                if status.is_terminal() {
                    self.end(event.at);
                }
            }
            EventKind::FinishRequested => self.finish_requested = true,
            EventKind::DocumentsIngested { stored, copies, copied, rejected } => {
                self.copied.extend_from_slice(copied);
                self.documents.stored += stored;
                self.documents.copies += copies;
                self.documents.rejected += rejected;
            }
            EventKind::SessionStarted { session_id, role, model, .. } => {
                // A session that another worker takes up again is announced again.
                self.sessions.retain(|session| session.id != *session_id);
                self.sessions.push(SessionState { id: *session_id, role: *role, model: model.clone() });
            }
            EventKind::SessionEnded { session_id, .. } => self.sessions.retain(|session| session.id != *session_id),
            EventKind::WorkOrderChanged { work_order_id, objective, status, attempt } => {
                let order = self.order(*work_order_id, objective);
                order.status = *status;
                order.attempt = *attempt;
                order.reading = order.reading.take().filter(|_| *status == WorkOrderStatus::Assigned);
            }
            EventKind::Reading { work_order_id, document_id, title } => {
                let order = self.order(*work_order_id, "");
                order.reading = Some((*document_id, title.clone()));
                order.read.insert(*document_id);
            }
            EventKind::PartChanged { investigation_id, question, status, reason } => {
                let part =
                    PartState { id: *investigation_id, question: question.clone(), status: *status, reason: reason.clone() };
                match self.parts.iter_mut().find(|known| known.id == part.id) {
                    Some(known) => *known = part,
                    None => self.parts.push(part),
                }
            }
            EventKind::GraphAdded(added) => {
                *self.graph.get_or_insert_default() += *added;
            }
            EventKind::ModelCalled { spent, .. } => {
                self.spent += *spent;
                self.has_free_calls |= spent.is_free();
            }
            EventKind::GraphGrew {}
            | EventKind::ToolCalled { .. }
            | EventKind::InjectionDetected { .. }
            | EventKind::DocumentRefused { .. }
            | EventKind::DependencyDown { .. }
            | EventKind::BudgetReached { .. }
            | EventKind::ResumeRequested
            | EventKind::BeliefChanged { .. } => {}
            EventKind::AssessmentWritten { assessment_id, bottom_line } => {
                self.assessment = Some((*assessment_id, bottom_line.clone()));
            }
        }
        true
    }

    /// Returns the number of resolved work orders and of all.
    pub fn resolved(&self) -> (usize, usize) {
        (self.orders.iter().filter(|order| order.status.is_resolved()).count(), self.orders.len())
    }

    /// Returns the number of ended parts and of all.
    pub fn ended_parts(&self) -> (usize, usize) {
        (self.parts.iter().filter(|part| part.status.is_terminal()).count(), self.parts.len())
    }

    /// Returns the number of documents that were read, each once. A report counts these and the ones that it cites from earlier work as
    /// consulted.
    pub fn documents_read(&self) -> u64 {
        self.orders.iter().flat_map(|order| &order.read).collect::<BTreeSet<_>>().len() as u64
    }

    /// Returns the documents that are open now, with their titles.
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

    fn order(&mut self, id: WorkOrderId, objective: &str) -> &mut OrderState {
        let at = self.orders.iter().position(|order| order.id == id).unwrap_or_else(|| {
            self.orders.push(OrderState {
                id,
                cycle: self.cycle,
                objective: objective.to_owned(),
                status: WorkOrderStatus::Queued,
                attempt: 0,
                reading: None,
                read: BTreeSet::new(),
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

    fn events(kinds: Vec<EventKind>) -> Vec<Event> {
        let number = |(n, kind)| Event {
            investigation_id: InvestigationId(Uuid::nil()),
            sequence: n as u64 + 1,
            at: Timestamp::from_micros(n as i64),
            kind,
        };
        kinds.into_iter().enumerate().map(number).collect()
    }

    #[test]
    fn folding_an_event_twice_changes_nothing() {
        let order = WorkOrderId(Uuid::nil());
        let document = DocumentId(Uuid::nil());
        let events = events(vec![
            EventKind::StatusChanged { status: Status::Processing, cycle: 1, final_session: false, reason: None },
            EventKind::WorkOrderChanged {
                work_order_id: order,
                objective: "Find reports".into(),
                status: WorkOrderStatus::Assigned,
                attempt: 1,
            },
            EventKind::Reading { work_order_id: order, document_id: document, title: "A report".into() },
            EventKind::DocumentsIngested { stored: 3, copies: 1, copied: vec!["gate.txt".into()], rejected: 0 },
        ]);
        let once = LiveState::from_events(&events);
        let mut twice = once.clone();
        assert!(events.iter().all(|event| !twice.fold(event)));
        assert_eq!(once, twice);
        assert_eq!((once.documents.stored, once.resolved(), once.reading().count()), (3, (0, 1), 1));
    }

    #[test]
    fn the_counts_of_several_writes_are_summed_without_older_totals() {
        let added = |claims| EventKind::GraphAdded(GraphCounts { claims, entities: 1, relationships: 0 });
        let old = r#"{"type": "graph_grew", "claims": 978, "entities": 96, "relationships": 58}"#;
        let old: EventKind = serde_json::from_str(old).unwrap();
        let stored = serde_json::to_string(&added(30)).unwrap();
        let cases = [
            (vec![old.clone()], None),
            (vec![added(30), added(4)], Some((34, 2))),
            (vec![old, serde_json::from_str(&stored).unwrap(), added(0)], Some((30, 2))),
        ];
        for (kinds, expected) in cases {
            let graph = LiveState::from_events(&events(kinds)).graph;
            assert_eq!(graph.map(|graph| (graph.claims, graph.entities)), expected);
        }
    }

    #[test]
    fn a_part_is_listed_once_with_its_last_status() {
        let part = |n, status| EventKind::PartChanged {
            investigation_id: InvestigationId(Uuid::from_u128(n)),
            question: format!("Part {n}?"),
            status,
            reason: None,
        };
        let live =
            LiveState::from_events(&events(vec![part(1, Status::Pending), part(2, Status::Pending), part(1, Status::Failed)]));
        let listed: Vec<_> = live.parts.iter().map(|part| (part.question.as_str(), part.status)).collect();
        assert_eq!(listed, [("Part 1?", Status::Failed), ("Part 2?", Status::Pending)]);
        assert_eq!(live.ended_parts(), (1, 2));
    }

    #[test]
    fn a_document_counts_as_read_once_however_often_it_is_opened() {
        let reading = |order, document| EventKind::Reading {
            work_order_id: WorkOrderId(Uuid::from_u128(order)),
            document_id: DocumentId(Uuid::from_u128(document)),
            title: "A report".into(),
        };
        let live = LiveState::from_events(&events(vec![reading(1, 7), reading(1, 7), reading(2, 7), reading(2, 8)]));
        assert_eq!(live.documents_read(), 2);
        assert_eq!(live.orders.iter().map(|order| order.read.len()).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn no_document_is_being_read_after_the_end() {
        let order = WorkOrderId(Uuid::nil());
        let live = LiveState::from_events(&events(vec![
            EventKind::Reading { work_order_id: order, document_id: DocumentId(Uuid::nil()), title: "A report".into() },
            EventKind::StatusChanged { status: Status::Completed, cycle: 1, final_session: false, reason: None },
        ]));
        assert_eq!(live.reading().count(), 0);
        assert!(live.ended_at.is_some());
    }
}
