//! Tests of `/investigations/{id}/plan`: a person removes, raises and adds reading tasks while the investigation runs.

use super::sources::site;
use crate::{prelude::*, web::scripted_model::ScriptedModel};
use domain::work_order::{Priority, WorkOrder};
use protocol::model::Model;
use tokio::sync::watch;

const REPORT: [(&str, &str); 1] = [(
    "one.txt",
    "PORT HALEN, March 3, 2031 (Harbour Post) -- The Red Tide group set the fire at the grain store on Monday night.",
)];

/// Processor that begins once a gate is open.
struct GatedModel {
    gate: watch::Receiver<bool>,
    model: ScriptedModel,
}

#[async_trait]
impl Model for GatedModel {
    fn provider(&self) -> &'static str {
        "player"
    }

    fn model(&self) -> &'static str {
        "player-1"
    }

    fn wants_vectors(&self) -> bool {
        false
    }

    async fn call(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let mut gate = self.gate.clone();
        gate.wait_for(|is_open| *is_open).await.expect("the test opens the gate");
        self.model.call(request).await
    }
}

async fn app(port: u16) -> (App, watch::Sender<bool>) {
    // Not a part of the library: each task asks the model for its plan, and waits for the gate.
    let order = |objective: &str| json!({"objective": objective, "source_guidance": ["documents about the fire"]});
    let orders = ["Read the gate log", "Read the tide table", "Read the harbour book", "Read the ledger"].map(order);
    let (open, gate) = watch::channel(false);
    let processor = GatedModel { gate, model: ScriptedModel::new(|_| None) };
    let app = spawn_playing(ScriptedModel::ordering(orders.into()), processor, |config| {
        config.fetch.http.exceptions = vec![Exception { source: "web".into(), host: "127.0.0.1".into(), port }];
    })
    .await;
    (app, open)
}

/// Asks, and returns the investigation once both workers have a task and the others wait.
async fn ask(app: &App, ada: &mut Browser, web: &str) -> (String, InvestigationId) {
    let fields = [("question", QUESTION), ("web", web)];
    let address = ada.ask_with(&fields, &REPORT).await.location().to_owned();
    let id = address.trim_start_matches("/investigations/").parse().unwrap();
    let is_running = async || {
        let orders = app.program.engine.work_orders.work_orders(id).await.unwrap();
        orders.iter().filter(|order| order.status == WorkOrderStatus::Assigned).count() == 2
    };
    assert!(eventually(is_running).await, "two tasks run");
    (address, id)
}

async fn orders(app: &App, id: InvestigationId, status: WorkOrderStatus) -> Vec<WorkOrder> {
    let orders = app.program.engine.work_orders.work_orders(id).await.unwrap();
    orders.into_iter().filter(|order| order.status == status).collect()
}

#[tokio::test]
async fn a_plan_changed_during_a_run_is_noted_in_the_report() {
    let port = site().await;
    let (app, gate) = app(port).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let (address, id) = ask(&app, &mut ada, "on").await;
    let plan = format!("{address}/plan");
    assert!(ada.get(&address).await.text().contains(&format!("href=\"{plan}\"")));
    let page = ada.get(&plan).await.text();
    assert_eq!(page.matches(">Remove</button>").count(), 2, "{page}");

    let running = orders(&app, id, WorkOrderStatus::Assigned).await.remove(0).id.to_string();
    let refused = ada.post(&format!("{plan}/remove"), &[("task", &running)]).await;
    assert_eq!(refused.location(), format!("{plan}?error=task_begun"));
    let waiting = orders(&app, id, WorkOrderStatus::Queued).await;
    let (removed, raised) = (waiting[0].clone(), waiting[1].clone());
    for _ in 0..2 {
        let answer = ada.post(&format!("{plan}/remove"), &[("task", &removed.id.to_string())]).await;
        assert_eq!(answer.location(), plan, "it can be repeated");
    }
    assert_eq!(ada.post(&format!("{plan}/first"), &[("task", &raised.id.to_string())]).await.location(), plan);
    assert_eq!(orders(&app, id, WorkOrderStatus::Queued).await[0].priority, Priority::High);
    assert_eq!(app.program.engine.queue.depth().await.unwrap(), [1, 0, 0]);

    let page_to_read = format!("http://127.0.0.1:{port}/fire");
    let added = [("objective", "Find what the police said"), ("addresses", page_to_read.as_str())];
    assert_eq!(ada.post(&format!("{plan}/add"), &added).await.location(), plan);
    let again = ada.post(&format!("{plan}/add"), &added).await;
    assert_eq!(again.location(), format!("{plan}?error=task_known&kept=1"));
    assert!(ada.get(again.location()).await.text().contains(">Find what the police said</textarea>"), "input is given back");
    for (fields, code) in [
        ([("objective", " "), ("addresses", "")], "task_empty"),
        ([("objective", "Read it"), ("addresses", "ftp://one.example/")], "bad_address"),
    ] {
        let answer = ada.post(&format!("{plan}/add"), &fields).await;
        assert!(answer.location().starts_with(&format!("{plan}?error={code}")), "{}", answer.location());
    }
    let shown = ada.get(&plan).await.text();
    assert!(shown.contains("Find what the police said") && shown.contains("Removed"), "{shown}");

    gate.send(true).unwrap();
    ada.get(&format!("/api/v1{address}/events")).await;
    let line = ada.get(&format!("/api/v1{address}")).await.json();
    assert_eq!(line["status"], "completed", "{line}");
    let cancelled = orders(&app, id, WorkOrderStatus::Cancelled).await;
    assert!(cancelled.len() == 1 && cancelled[0].id == removed.id && cancelled[0].attempt == 0, "{cancelled:#?}");
    assert_eq!(orders(&app, id, WorkOrderStatus::Failed).await, []);
    let report = line["assessment_id"].as_str().unwrap().to_owned();
    let assessment = ada.get(&format!("/api/v1/assessments/{report}")).await.json();
    assert!(assessment.to_string().contains(&page_to_read) || assessment.to_string().contains("inspector"), "{assessment:#}");
    let work = ada.get(&format!("/assessments/{report}/work")).await.text();
    assert!(work.contains("Plan changed"), "{work}");
    let objective = &removed.objective;
    for sentence in [format!("ada removed: {objective}"), "ada added: Find what the police said".to_owned()] {
        assert!(work.contains(&sentence), "{sentence}: {work}");
    }
    let markdown = ada.get(&format!("/assessments/{report}/export.md")).await.text();
    assert!(markdown.contains("Changes of the plan while it ran"), "{markdown}");
    let acts = app.acts().await;
    for act in ["remove_work_order", "raise_work_order", "add_work_order"] {
        assert!(acts.iter().any(|known| known == act), "{act}: {acts:?}");
    }
    let late = ada.post(&format!("{plan}/add"), &[("objective", "Find more")]).await;
    assert!(late.location().starts_with(&format!("{plan}?error=plan_closed")), "{}", late.location());
    assert!(ada.get(&plan).await.text().contains("has ended"));
}

#[tokio::test]
async fn an_investigation_off_the_web_takes_no_page() {
    let (app, gate) = app(1).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let (address, _) = ask(&app, &mut ada, "off").await;
    let plan = format!("{address}/plan");
    assert!(!ada.get(&plan).await.text().contains("name=\"addresses\""));
    for fields in [
        [("objective", "Read it"), ("addresses", "https://one.example/")],
        [("objective", "Read https://one.example/"), ("addresses", "")],
    ] {
        let answer = ada.post(&format!("{plan}/add"), &fields).await;
        assert!(answer.location().starts_with(&format!("{plan}?error=off_the_web")), "{}", answer.location());
    }
    gate.send(true).unwrap();
    ada.get(&format!("/api/v1{address}/events")).await;
}
