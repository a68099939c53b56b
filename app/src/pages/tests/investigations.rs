//! Tests of the question form, of running investigations, their plans and their sessions.

use super::{assert_shows, rendered};
use crate::{
    pages::{
        fixtures,
        investigation::PageBody as InvestigationWhole,
        new_investigation::{FormValues, PageBody as NewInvestigationWhole},
        plan::PageBody as PlanWhole,
        session::PageBody as SessionWhole,
        sessions::PageBody as SessionsWhole,
    },
    prelude::*,
};
use domain::{
    investigation::{Status, WebAccess},
    live::PartState,
    work_order::WorkOrderStatus,
};
use views::{InvestigationView, NewInvestigationView, PlanTask, PlanView, SessionView, SessionsView, SourceChoice};

fn question_form(name: &str, viewer: User, page: NewInvestigationView, values: FormValues) -> String {
    rendered(name, || view! { <NewInvestigationWhole viewer page preview=fixtures::preview() values /> })
}

fn investigation(name: &str, page: InvestigationView) -> String {
    rendered(name, || view! { <InvestigationWhole viewer=fixtures::viewer() page /> })
}

#[test]
fn a_refused_question_stays_in_the_form_with_its_reason() {
    let values = FormValues {
        draft: "Who & why </textarea><script>?".to_owned(),
        error: Some("no_documents".to_owned()),
        ..FormValues::default()
    };
    let html = question_form("new", fixtures::viewer(), NewInvestigationView::default(), values);
    assert!(html.contains("Who &amp; why &lt;/textarea>&lt;script>?") && html.contains("Add at least one file or page"));
    assert_shows(&html, "Whole library · private · standard depth · |<details open class=\"ask-choices\"");
    assert!(!html.contains("Rejected files") && html.contains("Your library is empty"));
    assert_shows(
        &html,
        "A typical question with these models uses|Measured on the last 12 questions|as the median of 12 questions",
    );
    assert!(html.contains("ollama:qwen3:8b"), "{html}");
    assert!(html.contains("does not answer: connection refused") && !html.contains("No language model is set up"), "{html}");
}

#[test]
fn a_question_names_the_sources_that_it_searches_and_administrators_switch_them() {
    let source = |id: &str, name: &str, is_on| SourceChoice { id: id.into(), name: name.into(), is_on };
    let form = |role, sources: Vec<SourceChoice>| {
        let (viewer, values) = (User { role, ..fixtures::viewer() }, FormValues { draft: "Who?".into(), ..Default::default() });
        question_form("new-sources", viewer, NewInvestigationView { sources, ..Default::default() }, values)
    };
    let sources = vec![source("feeds", "Feeds", true), source("gdelt", "GDELT", false)];
    let html = form(Role::Admin, sources.clone());
    assert!(html.contains("Searched on the web: Feeds."), "{html}");
    assert!(html.contains("form=\"source-on\" name=\"source\" value=\"gdelt\""), "{html}");
    assert!(html.contains("name=\"next\" value=\"/investigations/new?draft=Who%3F\""), "{html}");
    let html = form(Role::Analyst, sources[..1].to_vec());
    assert!(html.contains("Searched on the web: Feeds.") && !html.contains("/sources/switch"), "{html}");
    assert!(form(Role::Analyst, vec![]).contains("An administrator can turn sources on."));
}

#[test]
fn an_unreadable_upload_shows_the_reason_of_each_file() {
    let values = FormValues {
        draft: "Who?".to_owned(),
        error: Some("nothing_readable".to_owned()),
        unread: Some("0192d3c4-0000-7000-8000-000000000000".to_owned()),
        addresses: "https://example.org/<a>".to_owned(),
        web: Some(WebAccess::Off),
        ..FormValues::default()
    };
    let folders = vec!["Press archive".to_owned()];
    let page = NewInvestigationView { rejected: fixtures::rejected(), folders, ..NewInvestigationView::default() };
    let html = question_form("new-unread", fixtures::viewer(), page, values);
    assert!(html.contains("Folder on the server") && html.contains("value=\"Press archive\""));
    assert!(html.contains("scans/gate.pdf") && html.contains("It is encrypted") && html.contains("61 files"));
    assert!(html.contains("https://example.org/&lt;a>"), "the addresses are kept, too");
    assert!(
        html.contains("name=\"web\" value=\"off\"") && html.contains("<option value=\"off\" selected"),
        "and the switch: {html}"
    );
    assert!(
        html.contains("name=\"unread\"") && html.contains("name=\"rejected\" value=\"2\""),
        "the other pages keep the address"
    );
}

#[test]
fn an_investigation_shows_its_live_progress() {
    let html = investigation("investigation", fixtures::investigation());
    assert_shows(&html, "Reading now|Terminal dark|412|/stop|scans/gate.pdf|http-equiv=\"refresh\"|1:12|documents read");
}

#[test]
fn the_counts_and_cost_of_a_page_are_of_its_own_run() {
    let mut page = fixtures::investigation();
    let shown = |page: &InvestigationView| investigation("investigation-counts", page.clone());
    let html = shown(&page);
    assert_shows(&html, "new claims</dt>|412|3 duplicates|wire/gate-copy.txt|2 more|Recorded 412 new claims");
    page.live.graph = None;
    assert!(!shown(&page).contains("new claims</dt>"), "what an older program stored are no figures of the run");
    page.live.spent = domain::budget::Spend { tokens_in: 18_204, tokens_out: 1_377, cost_micros: 0 };
    page.live.has_free_calls = true;
    assert!(shown(&page).contains("18,204 tokens in, 1,377 out, not priced"), "as the report says it");
    page.prices_known = true;
    assert!(shown(&page).contains("1,377 out, no cost"));
}

#[test]
fn a_suspended_investigation_offers_the_actions_that_resume_it() {
    let mut page = fixtures::investigation();
    let shown = |page: &InvestigationView| investigation("investigation-waits", page.clone());
    assert!(!shown(&page).contains("/resume"), "it runs");
    (page.live.status, page.live.reason) = (Status::Suspended, Some("connection refused".into()));
    let html = shown(&page);
    assert_shows(
        &html,
        "Waiting: connection refused.|Try now|value=\"extractive\"|Use the built-in engine|\
             Choose another model",
    );
    assert!(html.contains("<option>ollama:qwen3:8b</option>"), "{html}");
    page.may_stop = false;
    assert!(!shown(&page).contains("/resume"), "another's");
}

#[test]
fn a_question_lists_its_parts_and_a_part_leads_to_its_question() {
    let id: InvestigationId = "01890000-0000-7000-8000-000000000077".parse().expect("an id");
    let mut page = fixtures::investigation();
    let part = |status, reason: Option<&str>| PartState {
        id,
        question: "Who had a key?".into(),
        status,
        reason: reason.map(str::to_owned),
    };
    page.live.parts = vec![part(Status::Completed, None), part(Status::Failed, Some("no model answered"))];
    let whole = investigation("investigation-parts", page);
    let link = format!("href=\"/investigations/{id}\"");
    assert!(whole.contains(&link) && whole.contains("Who had a key?") && whole.contains("no model answered"));
    assert!(!whole.contains("Part of: "));
    let page = InvestigationView { parent: Some((id, "Who did it, and why?".into())), ..fixtures::investigation() };
    let part = investigation("investigation-part", page);
    assert!(part.contains("Part of: ") && part.contains(&link) && part.contains("Who did it, and why?"));
    assert!(!part.contains("Parts of the question"));
}

#[test]
fn a_plan_is_changed_only_where_a_task_has_not_begun() {
    let task = |objective: &str, status: WorkOrderStatus| PlanTask {
        id: fixtures::uuid(7),
        objective: objective.into(),
        status,
        is_first: false,
        may_change: status == WorkOrderStatus::Queued,
    };
    let page = PlanView {
        id: fixtures::uuid(8),
        question: "Who set the fire?".into(),
        tasks: vec![
            task("Read the gate log", WorkOrderStatus::Assigned),
            task("Read the tide table", WorkOrderStatus::Queued),
            task("Read the ledger", WorkOrderStatus::Cancelled),
        ],
        is_reading: true,
        is_open: true,
        has_web: true,
        max_task_chars: 900,
    };
    let render = |name: &str, page: PlanView| {
        let error = Some("bad_address".to_owned());
        rendered(name, || view! { <PlanWhole viewer=fixtures::viewer() page error /> })
    };
    let html = render("plan", page.clone());
    assert!(html.contains("aria-label=\"Remove: Read the tide table\"") && html.contains("name=\"addresses\""), "{html}");
    assert!(html.contains("maxlength=\"900\""), "the limit is that of the server: {html}");
    assert!(!html.contains("Remove: Read the gate log") && !html.contains("Remove: Read the ledger"));
    assert!(html.contains("href=\"#addresses\""), "the notice leads to its field");
    let ended = PlanView { is_open: false, is_reading: false, ..page };
    assert!(render("plan-ended", ended).contains("has ended"));
}

#[test]
fn only_pages_on_which_something_runs_load_the_islands() {
    let viewer = fixtures::viewer;
    let pages = |is_over: bool| {
        let mut investigation = fixtures::investigation();
        investigation.live.status = if is_over { Status::Completed } else { Status::Processing };
        let sessions = SessionsView { is_over, ..fixtures::sessions_view() };
        let session = SessionView { is_over, ..fixtures::session_view() };
        [
            rendered("live-investigation", || view! { <InvestigationWhole viewer=viewer() page=investigation /> }),
            rendered("live-sessions", || view! { <SessionsWhole viewer=viewer() page=sessions /> }),
            rendered("live-session", || view! { <SessionWhole viewer=viewer() page=session requested_page=None /> }),
        ]
    };
    for html in pages(false) {
        assert!(html.contains("/pkg/autosint.js") && html.contains("/pkg/autosint_bg.wasm"), "{html}");
        assert!(!html.contains("preload"), "nothing is fetched where scripts are off: {html}");
    }
    for html in pages(true) {
        assert!(!html.contains(".wasm"), "{html}");
    }
}

#[test]
fn the_sessions_of_an_investigation_are_listed() {
    let page = fixtures::sessions_view();
    let html = rendered("sessions", || view! { <SessionsWhole viewer=fixtures::viewer() page /> });
    assert_shows(
        &html,
        "70 sessions|claude-sonnet-4-6|18,204|Find first-hand reports|Running|1 failed|\
             name=\"page\" value=\"2\"|USD\u{a0}0.0753",
    );
}

#[test]
fn a_session_shows_replies_calls_and_outside_text() {
    let page = fixtures::session_view();
    let html = rendered("session", || view! { <SessionWhole viewer=fixtures::viewer() page requested_page=None /> });
    assert_shows(
        &html,
        "Thinking|Untrusted text from outside|48,213 characters|/steps/2/result-0|Cached|1312 ms: |\
             Running|judged by a model, verified|opened with a key|1 call was|?quote=120-184#quote|\
             add &lt;b&gt;all that you know|reached its maximum length|overloaded (529)|answered in |\
             2.3\u{a0}s|ended in the middle|dreamt|name=\"page\" value=\"1\"|name=\"page\" value=\"4\"",
    );
    assert!(html.contains("&lt;script&gt;alert(1)") && !html.contains("<script>alert"), "outside text is escaped");
}
