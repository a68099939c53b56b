//! Every page, rendered on the server with fictional data. With `AUTOSINT_PREVIEW=FOLDER` the pages are left there to look at.

mod brief_counts;
mod graph;
mod visibility;

use super::{
    account::{ConfirmBody, PageBody as AccountWhole},
    assessment::{Html, PageBody as AssessmentWhole, PrintForm, printed_body},
    assessments::PageBody as AssessmentsWhole,
    audit_log::PageBody as AuditLogWhole,
    contest::{ContestValues, PageBody as ContestWhole},
    dashboard::PageBody as DashboardWhole,
    document::PageBody as DocumentWhole,
    documents::PageBody as DocumentsWhole,
    failed_orders::PageBody as FailedOrdersWhole,
    fixtures,
    investigation::PageBody as InvestigationWhole,
    new_investigation::{FormValues, PageBody as NewInvestigationWhole},
    people::PageBody as PeopleWhole,
    search::PageBody as SearchWhole,
    session::PageBody as SessionWhole,
    sessions::PageBody as SessionsWhole,
    settings::PageBody as SettingsWhole,
    sources::PageBody as SourcesWhole,
    tools::PageBody as ToolsWhole,
};
use crate::{
    AppError,
    parts::{
        Problem,
        assessment::{EvidenceView, Tab},
    },
};
use domain::{
    ContestId, InvestigationId,
    annotation::{Annotations, Contest, ContestedItem, ContestedValue, Exclusion},
    assessment::{EvidenceBrief, Producer},
    claim::Span,
    investigation::{Status, WebAccess},
    live::PartState,
    user::{Role, User},
};
use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use views::{
    AddedGroup, AssessmentList, DocumentsView, FacetKind, FacetValue, InvestigationView, LibraryTab, ListFilter,
    NewInvestigationView, SearchFacet, SearchGroup, SearchHit, SearchKind, SearchQuery, SearchView, SessionView, SessionsView,
    Snippet, SourceChoice,
};

/// The HTML of a page, held to the rules that all keep.
#[expect(clippy::disallowed_methods, reason = "a test may be told where to leave its pages")]
/// Renders a page without the marks that Leptos puts between nodes.
fn rendered<V: IntoView + 'static>(name: &str, view: impl FnOnce() -> V) -> String {
    let html = Owner::new().with(|| {
        provide_meta_context();
        provide_context(LeptosOptions::builder().output_name("autosint").build());
        view().to_html()
    });
    let html = html.replace("<!>", "").replace("<!--<() />-->", "");
    if let Ok(folder) = std::env::var("AUTOSINT_PREVIEW") {
        let page = format!(
            "<!DOCTYPE html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\
             <link rel=stylesheet href=autosint.css><body>{html}"
        );
        std::fs::write(format!("{folder}/{name}.html"), page).expect("the folder takes files");
    }
    assert!(html.contains("<main id=\"main\""), "{name} has no main landmark");
    assert_eq!(html.matches("<h1").count(), 1, "{name} has one first heading");
    assert!(!html.contains(" style=") && !html.contains(" onclick="), "{name} has what the content policy refuses");
    assert_eq!(html.contains("<leptos-island"), html.contains(".wasm"), "{name}: WebAssembly where there are islands");
    html
}

#[test]
fn failed_work_orders_can_be_requeued_while_their_investigation_goes_on() {
    let (viewer, page) = (fixtures::viewer(), fixtures::failed_orders());
    let [open, ended] = [page.lines[0].id, page.lines[1].id];
    let html = rendered("failed-orders", || view! { <FailedOrdersWhole viewer page error=None /> });
    for text in ["Find the gate log of 4 May", "more than 4 tool calls", "Private to its owner", "Its investigation has ended."]
    {
        assert!(html.contains(text), "{text}");
    }
    assert!(html.contains(&format!("/work-orders/{open}/requeue")) && html.contains(&format!("/work-orders/{ended}/discard")));
    assert!(!html.contains(&format!("/work-orders/{ended}/requeue")));
}

#[test]
fn a_rating_is_contested_and_a_citation_excluded_on_one_page() {
    let viewer = fixtures::viewer();
    let mut page = fixtures::assessment();
    let at = fixtures::now();
    let exclusion = Exclusion { marker: 1, reason: "a forgery".into(), by: viewer.id, name: "m.okafor".into(), at };
    let item = ContestedItem::Likelihood("J1".into());
    let contest = Contest {
        id: fixtures::uuid::<ContestId>(70),
        item: item.clone(),
        value: ContestedValue::Percent(35),
        reason: "the log".into(),
        by: viewer.id,
        name: "m.okafor".into(),
        at,
    };
    page.annotations = Annotations { exclusions: vec![exclusion], contests: vec![contest], ..Annotations::default() };
    let whole = |name: &str, item: ContestedItem| {
        let (viewer, page) = (viewer.clone(), page.clone());
        rendered(name, || view! { <ContestWhole viewer page item values=ContestValues::default() /> })
    };
    let html = whole("contest", item);
    assert!(html.contains("35\u{a0}%") && html.contains("the log"), "{html}");
    assert!(html.contains("Withdraw") && html.contains("Your likelihood"), "{html}");
    let html = whole("contest-citation", ContestedItem::Credibility(1));
    assert!(html.contains("Include again") && html.contains("a forgery"), "{html}");
    let html = whole("contest-exclude", ContestedItem::Credibility(2));
    assert!(html.contains("Exclude it") && html.contains("If you exclude it"), "{html}");
    let html = tab("assessment-annotated", viewer, page, Tab::Evidence);
    assert!(html.contains("id=\"recount\"") && html.contains("Include again") && html.contains("Copy citation"), "{html}");
}

#[test]
fn a_printed_report_has_its_sources_and_nothing_to_press() {
    for (view, form) in [
        (fixtures::assessment(), PrintForm::Brief),
        (fixtures::assessment(), PrintForm::Full),
        (fixtures::brief(), PrintForm::Brief),
        (fixtures::brief(), PrintForm::Full),
    ] {
        let citation = view.assessment.citations[0].clone();
        let html = printed_body(view, form);
        assert!(html.contains("Source list") && html.contains(&citation.document_path), "{html}");
        for refused in ["<form", "<button", "<script", "<input", "Collect this", ">Contest<"] {
            assert!(!html.contains(refused), "{refused} in {}", form.as_str());
        }
        assert_eq!(html.contains("How this was made"), form == PrintForm::Full);
    }
}

fn tab(name: &str, viewer: User, view: views::AssessmentView, tab: Tab) -> String {
    let page = Html::new(&view.assessment);
    rendered(name, || view! { <AssessmentWhole viewer view html=page tab /> })
}

/// The tabs of an assessment, one after another.
fn tabs(name: &str, view: &views::AssessmentView) -> [String; 3] {
    [(Tab::Brief, "brief"), (Tab::Evidence, "evidence"), (Tab::Work, "work")]
        .map(|(one, suffix)| tab(&format!("{name}-{suffix}"), fixtures::viewer(), view.clone(), one))
}

#[test]
fn an_assessment_shows_all_its_parts_and_its_quotes_open() {
    let mut view = fixtures::assessment();
    view.assessment.body.analysis = "It was done by hand [1][2].".into();
    let quotes: Vec<_> = view.assessment.citations.iter().map(|citation| citation.quote.clone()).collect();
    let [brief, evidence, work] = tabs("assessment", &view);
    let views = [EvidenceView::Matrix, EvidenceView::Timeline, EvidenceView::Origins, EvidenceView::Unused].map(|shown| {
        let (viewer, page, view) = (fixtures::viewer(), Html::new(&view.assessment), view.clone());
        rendered("assessment-view", || view! { <AssessmentWhole viewer view html=page tab=Tab::Evidence shown /> })
    });
    assert!(views[0].contains("class=\"matrix-hypothesis") && views[0].contains("cite-panel"), "{}", views[0]);
    assert!(views[1].contains("timeline-day") && views[2].contains("class=\"origin\""), "{}", views[2]);
    assert!(views[3].contains("Every document that was read and that you may open is cited."), "{}", views[3]);
    let html = [&*brief, &*evidence, &*work, &views.concat()].concat();
    assert!(brief.contains("Compiled by rules, no language model") && brief.contains(" min read"), "{brief}");
    for text in quotes.iter().map(String::as_str).chain([
        "very likely",
        "86\u{a0}%",
        "USD\u{a0}0.0753",
        "rating-ii",
        "export.json",
        "1 cited page no longer fits its citation",
        "The page has changed",
        "Sample",
        "Evidence: ",
        "13 of 15 checks passed",
        "When do the ferries run again?",
        "What would change it",
        "leads to",
        "The cold store at the quay",
        "The tender has no date yet.",
        "Depends on",
        "Fruitless searches",
        "Halden line",
        "A judgement on one second-hand origin says so",
        "cannot be told",
        "The gate log of 3 May names no one.",
        "Ilse Varn",
        "origin ",
        "The terminal stays dark for a second night.",
    ]) {
        assert!(html.contains(text), "{text}");
    }
    assert!(brief.contains("Run again") && brief.contains("Collect this"), "an analyst goes on from here");
    let change = brief.split_once("class=\"change\"").unwrap().1.split_once("</aside>").unwrap().0;
    assert!(change.contains("The storm of 3 May caused it") && !change.contains("[7]") && !change.contains("#c13"), "{change}");
    let matters = brief.split_once("id=\"matters\"").unwrap().1.split_once("</section>").unwrap().0;
    for condition in ["Milk is poured away.", "likely (70\u{a0}%), if “", "” holds", "9 May 2031"] {
        assert!(matters.contains(condition), "{condition} of {matters}");
    }
    assert!(brief.contains("<i>[</i>1<i>]</i></a>"), "a pasted number does not run into a word");
    assert!(work.contains("Consulted documents published"), "{work}");
    for tab in [&brief, &evidence] {
        assert!(tab.contains("?quote=") && tab.contains("#quote\"") && tab.contains("id=\"c1\""), "quotes open their document");
    }
    let bottom = brief.find("class=\"bottom-line").unwrap();
    assert!(bottom < brief.find("id=\"why\"").unwrap(), "bottom line first");
    let line = &brief[bottom..brief[bottom..].find("</p>").unwrap() + bottom];
    assert!(line.contains("href=\"#c1\"") && !line.contains("[1]"), "a marker is a link: {line}");
    let judgement = brief.split_once("id=\"j1\"").unwrap().1.split_once("</p>").unwrap().0;
    assert_eq!(judgement.matches("href=\"#c1\"").count(), 1, "a citation stands once: {judgement}");
}

#[test]
fn an_assessment_of_an_earlier_program_is_shown() {
    let stored = include_str!("../../../domain/src/assessment/tests/stored_before.json");
    let mut view = fixtures::assessment();
    view.assessment = serde_json::from_str(stored).unwrap();
    let html = tabs("assessment-earlier", &view).concat();
    for text in ["The Red Anchor group set the fire", "84\u{a0}%", "no deadline", "no tokens, no cost", "Evidence: "] {
        assert!(html.contains(text), "{text}");
    }
    for missing in ["id=\"sources\"", "id=\"checks\"", "id=\"causes\""] {
        assert!(!html.contains(missing), "{missing}");
    }
}

#[test]
fn an_evidence_brief_shows_what_sources_say_and_judges_nothing() {
    let view = fixtures::brief();
    let disclosure = view.assessment.disclosure.clone().unwrap();
    let [html, evidence, work] = tabs("evidence-brief", &view);
    let whole = [&*html, &*evidence, &*work].concat();
    let titles = [
        "Further quotations",
        "Reported answers",
        "Contradicting reports",
        "Announced",
        "Not known, according to the sources",
        "Effects, according to the sources",
        "In detail",
        "Citations",
        "How this was made",
    ];
    let mut from = whole.find("</nav></header>").or_else(|| whole.find("product-head")).unwrap();
    for title in titles {
        let heading = format!("</span>{title}</h2>");
        from += whole[from..].find(&heading).unwrap_or_else(|| panic!("{title}"));
    }
    for word in ["likel", "onfidence", "robab", "ypothes", "Key judgements", "Evidence matrix", "Checks", "None were"] {
        assert!(!whole.contains(word), "{word}");
    }
    let bottom = html.find("class=\"bottom-line\"").unwrap();
    let disclosed = html.find(&disclosure).unwrap();
    assert!(bottom < disclosed && disclosed < html.find("id=\"evidence\"").unwrap(), "how it was made stands below it");
    let line = &html[bottom..disclosed];
    assert!(line.contains("<em>Tessin Courier</em>") && line.contains("href=\"#c1\"") && !line.contains("[1]"), "{line}");
    let disclosed = html[disclosed..].split_once("</p>").unwrap().0;
    assert!(disclosed.contains("<a href=\"/settings\">Open the settings</a>"), "{disclosed}");
    let answer = html.split_once("id=\"h2\"").unwrap().1.split_once("</ol>").unwrap().0;
    let (reported, denied) = answer.split_once("Denial reported by").unwrap();
    assert!(reported.contains("Harbour Gazette") && reported.contains("?quote=0-63#quote"), "{reported}");
    assert!(denied.contains("East Bank Radio") && denied.contains("denied that it had asked"), "{denied}");
}

#[test]
fn an_evidence_brief_of_nothing_has_no_empty_section_and_tells_a_reader_of_the_guide() {
    let mut view = fixtures::brief();
    let bottom_line = "No passage of the documents is about the question.".into();
    let title = view.assessment.question.clone();
    view.assessment.body = EvidenceBrief { title, bottom_line, ..EvidenceBrief::default() }.into();
    view.assessment.citations.clear();
    view.assessment.sources = None;
    let reader = User { role: Role::Reader, ..fixtures::viewer() };
    let html = tab("evidence-brief-empty", reader, view, Tab::Brief);
    assert!(!html.contains("/investigations/new"), "a reader may not ask");
    let article = html.split_once("<article").unwrap().1.split_once("</article>").unwrap().0;
    assert_eq!(article.matches("<section").count(), 0, "{article}");
    assert_eq!(article.matches("<h2").count(), 0, "{article}");
    assert!(html.contains("An administrator can add one") && !html.contains("href=\"/settings\">Open"));
}

#[test]
fn a_document_marks_the_quote() {
    let page = fixtures::document_view();
    let quote = page.claims[0].span;
    let html = rendered("document", || view! { <DocumentWhole viewer=fixtures::viewer() page quote=Some(quote) /> });
    let mark = html.split_once("<mark id=\"quote\"").unwrap().1.split_once("</mark>").unwrap().0;
    assert!(mark.ends_with("class=\"claimed\">Somebody opened the yard gate with a key</a>"), "{mark}");
}

#[test]
fn a_document_shows_its_byline_its_change_its_tables_and_how_it_came() {
    let page = fixtures::document_view();
    let html = rendered("document-details", || view! { <DocumentWhole viewer=fixtures::viewer() page quote=None /> });
    for shown in [
        "<dt>By</dt><dd>Ruth Amsel</dd>",
        "<dt>Changed</dt>",
        "5 May 2031",
        "<caption>Ferries that ran</caption>",
        "<td>0 &lt;of&gt; 9</td>",
        "2 more tables are in the text only.",
        "Captures",
        "https://courier.example/2031/dark",
        "(301)",
        "<dd>203</dd>",
        "rendered in the browser",
        "https://courier.example/dark-terminal",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    assert!(!html.contains("href=\"http"), "following an address would tell its site");
}

#[test]
fn a_quote_outside_the_text_marks_nothing() {
    let quote = Some(Span { start: 3, end: 1_000_000 });
    let html = rendered("document-unmarked", || {
        view! { <DocumentWhole viewer=fixtures::viewer() page=fixtures::document_view() quote /> }
    });
    assert!(!html.contains("<mark"));
}

#[test]
fn an_investigation_shows_what_is_going_on() {
    let html = rendered("investigation", || {
        view! { <InvestigationWhole viewer=fixtures::viewer() page=fixtures::investigation() /> }
    });
    for text in
        ["Reading now", "Terminal dark", "412", "/stop", "scans/gate.pdf", "http-equiv=\"refresh\"", "1:12", "documents read"]
    {
        assert!(html.contains(text), "{text}");
    }
}

#[test]
fn what_a_run_added_and_cost_is_said_of_this_run_alone() {
    let mut page = fixtures::investigation();
    let shown = |page: &views::InvestigationView| {
        rendered("investigation-counts", || view! { <InvestigationWhole viewer=fixtures::viewer() page=page.clone() /> })
    };
    let html = shown(&page);
    for text in ["new claims</dt>", "412", "3 duplicates", "wire/gate-copy.txt", "2 more", "Recorded 412 new claims"] {
        assert!(html.contains(text), "{text}: {html}");
    }
    page.live.graph = None;
    assert!(!shown(&page).contains("new claims</dt>"), "what an older program stored are no figures of the run");
    page.live.spent = domain::budget::Spend { tokens_in: 18_204, tokens_out: 1_377, cost_micros: 0 };
    page.live.has_free_calls = true;
    assert!(shown(&page).contains("18,204 tokens in, 1,377 out, not priced"), "as the report says it");
    page.prices_known = true;
    assert!(shown(&page).contains("1,377 out, no cost"));
}

#[test]
fn a_suspended_investigation_has_the_ways_that_end_the_wait() {
    let mut page = fixtures::investigation();
    let shown = |page: &views::InvestigationView| {
        rendered("investigation-waits", || view! { <InvestigationWhole viewer=fixtures::viewer() page=page.clone() /> })
    };
    assert!(!shown(&page).contains("/resume"), "it runs");
    (page.live.status, page.live.reason) = (Status::Suspended, Some("connection refused".into()));
    let html = shown(&page);
    for text in
        ["Waiting: connection refused.", "Try now", "value=\"extractive\"", "Use the built-in engine", "Choose another model"]
    {
        assert!(html.contains(text), "{text}: {html}");
    }
    assert!(html.contains("<option>ollama:qwen3:8b</option>"), "{html}");
    page.may_stop = false;
    assert!(!shown(&page).contains("/resume"), "another's");
}

#[test]
fn steps_of_the_first_start_stay_until_they_are_done() {
    let sample = fixtures::assessment().assessment.id;
    let steps = views::SetupSteps { has_model: true, sample: Some(sample), ..views::SetupSteps::default() };
    let shown = |setup| {
        let page = views::Dashboard { setup: Some(setup), ..fixtures::dashboard() };
        rendered("dashboard-steps", || view! { <DashboardWhole viewer=fixtures::viewer() page error=None /> })
    };
    let html = shown(steps);
    assert_eq!(html.matches("class=\"done\"").count(), 1, "{html}");
    assert!(
        html.contains(&format!("href=\"/assessments/{sample}\" class=\"button outline\">Read it"))
            && html.contains("Hide these steps"),
        "{html}"
    );
    let done = views::SetupSteps { has_sources: true, has_documents: true, has_read_sample: true, ..steps };
    assert!(!shown(done).contains("Set up in four steps"));
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
    let whole = rendered("investigation-parts", || {
        view! { <InvestigationWhole viewer=fixtures::viewer() page /> }
    });
    let link = format!("href=\"/investigations/{id}\"");
    assert!(whole.contains(&link) && whole.contains("Who had a key?") && whole.contains("no model answered"));
    assert!(!whole.contains("Part of: "));
    let page = InvestigationView { parent: Some((id, "Who did it, and why?".into())), ..fixtures::investigation() };
    let part = rendered("investigation-part", || {
        view! { <InvestigationWhole viewer=fixtures::viewer() page /> }
    });
    assert!(part.contains("Part of: ") && part.contains(&link) && part.contains("Who did it, and why?"));
    assert!(!part.contains("Parts of the question"));
}

#[test]
fn the_dashboard_leads_to_everything() {
    let page = fixtures::dashboard();
    let html = rendered("dashboard", || view! { <DashboardWhole viewer=fixtures::viewer() page error=None /> });
    let texts = [
        "Ask a question about the world",
        "/assessments/",
        "/investigations/",
        "/sample/remove",
        "All 25 assessments",
        "Answered",
        "Quotations only",
        "action=\"/#assessments\"",
        "/?owner=me#assessments",
        "/documents?sample=hidden",
    ];
    for text in texts {
        assert!(html.contains(text), "{text}");
    }
    let row = html.split("class=\"assessment-row\"").nth(2).unwrap();
    assert!(row.contains("— Tessin Courier, 6 May 2031 On the other side"), "Markdown is text here: {row}");
}

#[test]
fn home_filters_its_list_by_its_address() {
    let filter = ListFilter { tag: "harbour".into(), ..ListFilter::default() };
    let page = views::Dashboard { filter, ..fixtures::dashboard() };
    let html = rendered("dashboard-filtered", || view! { <DashboardWhole viewer=fixtures::viewer() page error=None /> });
    assert!(html.contains("/assessments?tag=harbour") && html.contains("<details open class=\"more-filters\""), "{html}");
    let filter = ListFilter { is_mine: true, ..ListFilter::default() };
    let page = views::Dashboard { filter, assessments: vec![], total: 0, ..fixtures::dashboard() };
    let html = rendered("dashboard-mine", || view! { <DashboardWhole viewer=fixtures::viewer() page error=None /> });
    assert!(html.contains("href=\"/?owner=me#assessments\" aria-current=\"true\""), "{html}");
    assert!(html.contains("Clear filters") && !html.contains("No assessments yet"), "{html}");
}

#[test]
fn the_filters_of_home_wait_for_the_first_assessment() {
    let filters = |page: views::Dashboard| {
        let html = rendered("dashboard-first", || view! { <DashboardWhole viewer=fixtures::viewer() page error=None /> });
        let tag = html.split('<').find(|tag| tag.contains("id=\"assessment-filters\"")).expect("the filters").to_owned();
        assert!(tag.contains(" data-live-hidden"), "{tag}");
        tag.contains(" hidden")
    };
    let empty = views::Dashboard { assessments: vec![], total: 0, ..fixtures::dashboard() };
    let mine = ListFilter { is_mine: true, ..ListFilter::default() };
    assert!(filters(empty.clone()));
    assert!(!filters(views::Dashboard { filter: mine, ..empty }) && !filters(fixtures::dashboard()));
}

#[test]
fn the_list_of_assessments_keeps_its_filter_from_page_to_page() {
    let contested = Some(domain::assessment::AssessmentState::Contested);
    let filter = ListFilter { query: "terminal".into(), is_mine: true, state: contested, ..ListFilter::default() };
    let page = fixtures::assessment_list(filter);
    let html = rendered("assessments", || view! { <AssessmentsWhole viewer=fixtures::viewer() page undo=vec![] error=None /> });
    for text in [
        "25 assessments with “terminal”",
        "type=\"hidden\" name=\"q\" value=\"terminal\"",
        "type=\"hidden\" name=\"owner\" value=\"me\"",
        "type=\"hidden\" name=\"state\" value=\"contested\"",
        "<details open class=\"more-filters\"",
        "datetime=\"2031-06-30\"",
        "name=\"page\" value=\"2\"",
        "Clear filters",
    ] {
        assert!(html.contains(text), "{text}: {html}");
    }
    let nothing = AssessmentList { assessments: vec![], total: 0, ..fixtures::assessment_list(ListFilter::default()) };
    let html = rendered(
        "assessments-none",
        || view! { <AssessmentsWhole viewer=fixtures::viewer() page=nothing undo=vec![] error=None /> },
    );
    assert!(html.contains("No assessments") && !html.contains("Clear filters"));
    let archived = |query: &str| {
        let page = fixtures::assessment_list(ListFilter { is_archived: true, query: query.into(), ..ListFilter::default() });
        rendered(
            "assessments-archived",
            || view! { <AssessmentsWhole viewer=fixtures::viewer() page undo=vec![] error=None /> },
        )
    };
    assert!(archived("terminal").contains("href=\"/assessments?view=archived\">Clear filters"));
    assert!(!archived("").contains("Clear filters"), "the tab is no filter");
}

#[test]
fn a_search_marks_its_words_and_leads_to_its_hits() {
    let snippet = Snippet(vec![("The ".into(), false), ("gate".into(), true), (" <log>".into(), false)]);
    let hit = SearchHit { title: "Gate log".into(), href: "/documents/1".into(), snippet, ..Default::default() };
    let group = SearchGroup { kind: SearchKind::Documents, hits: vec![hit], total: 9, is_at_least: false, related: vec![] };
    let query = |words: &str| SearchQuery { words: words.into(), ..Default::default() };
    let value = FacetValue { value: "denied".into(), label: "denied".into(), count: 3 };
    let facets = vec![SearchFacet { kind: FacetKind::Mode, values: vec![value] }];
    let tension = SearchHit { title: "Gate keepers strike".into(), href: "/tensions/1".into(), ..Default::default() };
    let added = AddedGroup { key: "tensions".into(), title: "Tensions".into(), hits: vec![tension], is_at_least: true };
    let page = SearchView { query: query("gate"), groups: vec![group], added: vec![added], facets };
    let html = rendered("search", || view! { <SearchWhole viewer=fixtures::viewer() page /> });
    for text in [
        "href=\"/documents/1\"",
        "<mark class=\"match\">gate</mark>",
        "&lt;log",
        "Show all 9",
        "value=\"gate\"",
        "mode=denied\">Denied",
        "href=\"/search?q=gate&amp;kind=tensions\">Tensions</a>",
        "href=\"/tensions/1\"",
        ">Gate keepers strike</a>",
        "The first 1.",
    ] {
        assert!(html.contains(text), "{text}: {html}");
    }
    let page = SearchView { query: query("owl"), ..SearchView::default() };
    let html = rendered("search-none", || view! { <SearchWhole viewer=fixtures::viewer() page /> });
    assert!(html.contains("Nothing contains “owl”"));
}

#[test]
fn home_shows_what_changed_and_how_investigations_move_on() {
    let html = |page| rendered("home", || view! { <DashboardWhole viewer=fixtures::viewer() page error=None /> });
    let mut page = fixtures::dashboard();
    let whole = html(page.clone());
    for text in [
        "Cited page changed: ",
        "data-running=\"yes\"",
        "data-live=\"running\"><section",
        "Reading ",
        "/stop\"",
        "data-shortcuts=\"on\"",
    ] {
        assert!(whole.contains(text), "{text}: {whole}");
    }
    page.running.clear();
    page.since_visit.as_mut().unwrap().changes.clear();
    let quiet = html(page);
    assert!(quiet.contains("Nothing changed since Monday.") && !quiet.contains("data-running"), "{quiet}");
}

#[test]
fn the_menu_leads_only_where_its_viewer_may_go() {
    let html = |role| {
        let viewer = User { role, ..fixtures::viewer() };
        rendered("menu", || view! { <DashboardWhole viewer page=fixtures::dashboard() error=None /> })
    };
    for path in ["/people", "/people/log", "/work-orders/failed", "/tools", "/settings", "/investigations/new"] {
        let link = format!("href=\"{path}\"");
        assert!(html(Role::Admin).contains(&link), "{path}");
        assert!(!html(Role::Reader).contains(&link), "{path}");
    }
}

#[test]
fn recorded_replies_are_marked_on_the_card_and_on_the_page() {
    let label = Producer::RECORDED;
    let mut page = fixtures::dashboard();
    page.assessments.truncate(1);
    page.assessments[0].is_recorded = true;
    let html = rendered("dashboard-recorded", || view! { <DashboardWhole viewer=fixtures::viewer() page error=None /> });
    assert!(html.contains(label), "{html}");
    let mut view = fixtures::assessment();
    view.assessment.producer =
        Producer { provider: Producer::REPLAY.into(), model: "Owl, by hand".into(), ..view.assessment.producer };
    let html = tab("assessment-recorded", fixtures::viewer(), view.clone(), Tab::Brief);
    assert!(html.contains(label) && html.contains("Owl, by hand"), "{html}");
    let html = tab("assessment-recorded-work", fixtures::viewer(), view, Tab::Work);
    assert!(html.contains(&format!("{label} (Owl, by hand)")), "{html}");
}

#[test]
fn an_empty_dashboard_offers_the_sample() {
    let full = fixtures::dashboard();
    let page = views::Dashboard { assessments: vec![], total: 0, running: vec![], has_sample: false, ..full };
    let html = rendered("dashboard-empty", || view! { <DashboardWhole viewer=fixtures::viewer() page error=None /> });
    assert!(html.contains("Try the sample investigation"));
}

#[test]
fn a_refused_question_is_kept_with_its_reason() {
    let values = FormValues {
        draft: "Who & why </textarea><script>?".to_owned(),
        error: Some("no_documents".to_owned()),
        ..FormValues::default()
    };
    let page = NewInvestigationView::default();
    let html = rendered(
        "new",
        || view! { <NewInvestigationWhole viewer=fixtures::viewer() page preview=fixtures::preview() values /> },
    );
    assert!(html.contains("Who &amp; why &lt;/textarea>&lt;script>?") && html.contains("Add at least one file or page"));
    assert!(!html.contains("Rejected files") && html.contains("Your library is empty"));
    assert!(html.contains("Half of the last 12 questions") && html.contains("ollama:qwen3:8b"), "{html}");
    assert!(html.contains("does not answer: connection refused") && !html.contains("No language model is set up"), "{html}");
}

#[test]
fn a_question_names_the_sources_that_it_searches_and_administrators_switch_them() {
    let source = |id: &str, name: &str, is_on| SourceChoice { id: id.into(), name: name.into(), is_on };
    let form = |role, sources: Vec<SourceChoice>| {
        let (viewer, values) = (User { role, ..fixtures::viewer() }, FormValues { draft: "Who?".into(), ..Default::default() });
        let page = NewInvestigationView { sources, ..NewInvestigationView::default() };
        rendered("new-sources", || view! { <NewInvestigationWhole viewer page preview=fixtures::preview() values /> })
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
fn an_upload_of_which_nothing_could_be_read_says_why_of_each_file() {
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
    let html = rendered(
        "new-unread",
        || view! { <NewInvestigationWhole viewer=fixtures::viewer() page preview=fixtures::preview() values /> },
    );
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
fn the_library_lists_documents_with_a_filter_and_leads_to_rejected_files() {
    let page = fixtures::documents_view();
    let html = rendered("documents", || view! { <DocumentsWhole viewer=fixtures::viewer() page /> });
    assert!(html.contains("Terminal dark") && html.contains("Next page") && html.contains(">Harbour reports<"));
    assert!(html.contains("?tab=rejected") && !html.contains("It is encrypted"), "{html}");
    assert!(html.contains(">Shared<") && html.contains(">Sample<"), "whose each is: {html}");
    assert_eq!(html.matches("name=\"id\"").count(), 1, "only what one may delete is selected: {html}");
}

#[test]
fn documents_are_archived_tagged_and_noted() {
    let document = |viewer: User, is_archived, may_edit| {
        let page = views::DocumentView { is_archived, may_edit, ..fixtures::document_view() };
        rendered("document-archived", || view! { <DocumentWhole viewer page quote=None error=Some("bad_tag".to_owned()) /> })
    };
    let html = document(fixtures::viewer(), true, true);
    for text in
        ["not read for new questions", "action=\"/documents/unarchive\"", "/documents?tag=night%20shift", "ask the harbour"]
    {
        assert!(html.contains(text), "{text}: {html}");
    }
    assert!(html.contains("/notes/remove\"") && html.contains("A tag has 1 to 40 characters"), "{html}");
    let reader = User { role: Role::Reader, id: domain::UserId(fixtures::uuid(5)), ..fixtures::viewer() };
    let html = document(reader, false, false);
    assert!(!html.contains("action=\"/documents/archive\"") && !html.contains("not read for new questions"), "{html}");
    assert!(html.contains("/notes\"") && !html.contains("/notes/remove\""), "others' notes stay: {html}");

    let list = |is_archived| {
        let filter = views::DocumentFilter { is_archived, tag: "night shift".into(), ..Default::default() };
        let page = DocumentsView { filter, ..fixtures::documents_view() };
        let undo = vec!["1".to_owned()];
        rendered("documents-archived", || view! { <DocumentsWhole viewer=fixtures::viewer() page undo /> })
    };
    let (current, archived) = (list(false), list(true));
    for text in ["Archive selected", "formaction=\"/documents/delete\"", "Archived.", "action=\"/documents/unarchive\""] {
        assert!(current.contains(text), "{text}: {current}");
    }
    assert!(current.contains("href=\"/documents\">Clear filters") && current.contains("data-select=\"id\""), "{current}");
    assert!(archived.contains("href=\"/documents?view=archived\">Clear filters"), "its tab stays: {archived}");
    assert!(current.contains("name=\"tag\" value=\"night shift\"") && !current.contains("name=\"view\""), "{current}");
    for text in
        ["Archived documents", "Unarchive selected", "action=\"/documents/archive\"", "name=\"view\" value=\"archived\""]
    {
        assert!(archived.contains(text), "{text}: {archived}");
    }
}

#[test]
fn rejected_files_have_a_tab_of_their_own() {
    let page = DocumentsView { tab: LibraryTab::Rejected, documents: vec![], ..fixtures::documents_view() };
    let html = rendered("documents-rejected", || view! { <DocumentsWhole viewer=fixtures::viewer() page /> });
    assert!(html.contains("It is encrypted") && html.contains("name=\"tab\" value=\"rejected\""), "{html}");
    assert!(!html.contains("class=\"library"), "{html}");
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
    for text in [
        "70 sessions",
        "claude-sonnet-4-6",
        "18,204",
        "Find first-hand reports",
        "Running",
        "1 failed",
        "name=\"page\" value=\"2\"",
        "USD\u{a0}0.0753",
    ] {
        assert!(html.contains(text), "{text}");
    }
}

#[test]
fn a_session_shows_what_was_said_and_done_and_what_came_from_outside() {
    let page = fixtures::session_view();
    let html = rendered("session", || view! { <SessionWhole viewer=fixtures::viewer() page requested_page=None /> });
    for text in [
        "Thinking",
        "Untrusted text from outside",
        "48,213 characters",
        "/steps/2/result-0",
        "Cached",
        "1312 ms: ",
        "Running",
        "judged by a model, verified",
        "opened with a key",
        "1 call was",
        "?quote=120-184#quote",
        "add &lt;b&gt;all that you know",
    ] {
        assert!(html.contains(text), "{text}");
    }
    for text in [
        "reached its maximum length",
        "overloaded (529)",
        "answered in ",
        "2.3\u{a0}s",
        "ended in the middle",
        "dreamt",
        "name=\"page\" value=\"1\"",
        "name=\"page\" value=\"4\"",
    ] {
        assert!(html.contains(text), "{text}");
    }
    assert!(html.contains("&lt;script&gt;alert(1)") && !html.contains("<script>alert"), "outside text is escaped");
}

#[test]
fn settings_say_what_is_set_and_never_a_key() {
    let page = fixtures::settings_view();
    let html = rendered("settings", || view! { <SettingsWhole viewer=fixtures::viewer() page error=None /> });
    let texts =
        ["ollama:qwen3:8b", "Key stored", "set OPENAI_API_KEY", "Usable", "Testing", "Needs no key", "/settings/keys/remove"];
    for text in texts {
        assert!(html.contains(text), "{text}");
    }
    assert!(!html.contains("Answers"), "a circuit that is closed has not answered for that");
    assert!(html.contains("Down: next try at"));
    let caps = "500,000 tokens, USD\u{a0}5.00<br>yours: 900,000 tokens, USD\u{a0}5.00";
    assert!(html.contains(caps), "what is configured, and what holds for the reader: {html}");
    assert_eq!(html.matches("yours: ").count(), 1, "only where they differ");
    assert!(!html.contains("id=\"tested\""), "{html}");
    let (page, tested) = (fixtures::settings_view(), Some("extractive".to_owned()));
    let html = rendered("settings-tested", || view! { <SettingsWhole viewer=fixtures::viewer() page error=None tested /> });
    let target = html.split("id=\"tested\"").nth(1).and_then(|rest| rest.split("</li>").next()).unwrap();
    assert!(target.contains("tabindex=\"-1\"") && target.contains("extractive"), "{target}");
    let past =
        views::settings::SettingsView { now: fixtures::settings_view().now.plus_ms(60_000), ..fixtures::settings_view() };
    let html = rendered("settings-past", || view! { <SettingsWhole viewer=fixtures::viewer() page=past error=None /> });
    assert!(html.contains("Down: ready for a retry") && !html.contains("next try at"), "{html}");
    let own = views::settings::SettingsView { setup: None, ..fixtures::settings_view() };
    let html = rendered("settings-own", || view! { <SettingsWhole viewer=fixtures::viewer() page=own error=None /> });
    assert!(!html.contains("/settings/keys") && !html.contains("/settings/probe"));
}

#[test]
fn a_plan_is_changed_only_where_a_task_has_not_begun() {
    use domain::work_order::WorkOrderStatus::{self, Assigned, Cancelled, Queued};
    let task = |objective: &str, status: WorkOrderStatus| views::PlanTask {
        id: fixtures::uuid(7),
        objective: objective.into(),
        status,
        is_first: false,
        may_change: status == Queued,
    };
    let page = views::PlanView {
        id: fixtures::uuid(8),
        question: "Who set the fire?".into(),
        tasks: vec![
            task("Read the gate log", Assigned),
            task("Read the tide table", Queued),
            task("Read the ledger", Cancelled),
        ],
        is_reading: true,
        is_open: true,
        has_web: true,
    };
    let render = |name: &str, page: views::PlanView| {
        let error = Some("bad_address".to_owned());
        rendered(name, || view! { <super::plan::PageBody viewer=fixtures::viewer() page error /> })
    };
    let html = render("plan", page.clone());
    assert!(html.contains("aria-label=\"Remove: Read the tide table\"") && html.contains("name=\"addresses\""), "{html}");
    assert!(!html.contains("Remove: Read the gate log") && !html.contains("Remove: Read the ledger"));
    assert!(html.contains("href=\"#addresses\""), "the notice leads to its field");
    let ended = views::PlanView { is_open: false, is_reading: false, ..page };
    assert!(render("plan-ended", ended).contains("has ended"));
}

#[test]
fn what_is_not_there_says_so() {
    let html = rendered("not-found", || view! { <Problem error=AppError::not_found("page") viewer=None /> });
    assert!(html.contains("This page does not exist") && !html.contains("/sign-out"));
    let viewer = Some(fixtures::viewer());
    let html = rendered("not-found-inside", || view! { <Problem error=AppError::not_found("page") viewer /> });
    assert!(html.contains("This page does not exist") && html.contains("/sign-out") && html.contains("href=\"/documents\""));
}

#[test]
fn people_can_be_added_changed_and_disabled_without_javascript() {
    let html = rendered("people", || {
        let (page, error) = (fixtures::people(), Some("last_admin".to_owned()));
        view! { <PeopleWhole viewer=fixtures::viewer() page name=String::new() error /> }
    });
    for text in ["action=\"/people\"", "/role\"", "/disable\"", "/enable\"", "Disabled", "(you)", "At least one administrator"]
    {
        assert!(html.contains(text), "{text}: {html}");
    }
    assert!(!html.contains("autofocus"));
    let html = rendered("people-short", || {
        let (page, error) = (fixtures::people(), Some("password_short".to_owned()));
        view! { <PeopleWhole viewer=fixtures::viewer() page name="bea".to_owned() error /> }
    });
    let field = html.split_once("id=\"password\"").unwrap().1.split_once('>').unwrap().0;
    assert!(field.contains("autofocus"), "{field}");
    assert_eq!(html.matches("selected").count(), 4, "the role of each of three, and that of a new one");
}

#[test]
fn an_account_page_changes_the_password_and_lists_devices_without_javascript() {
    let page = |viewer: User, error: Option<&str>, is_changed| {
        let (page, error) = (fixtures::account(), error.map(str::to_owned));
        rendered("account", || view! { <AccountWhole viewer page error is_changed /> })
    };
    let html = page(fixtures::viewer(), None, true);
    for text in [
        "action=\"/account/password\"",
        "name=\"old_password\"",
        "action=\"/account/sign-out-everywhere\"",
        "Firefox on Linux",
        "This device",
        "Password changed.",
        "href=\"/account\"",
    ] {
        assert!(html.contains(text), "{text}: {html}");
    }
    let viewer = User { must_change_password: true, ..fixtures::viewer() };
    let html = page(viewer, Some("must_change_password"), false);
    assert!(html.contains("Choose your own to continue") && !html.contains("Sign out everywhere"), "{html}");
    let html = rendered("confirm", || {
        view! { <ConfirmBody viewer=fixtures::viewer() error=Some("wrong_old_password".to_owned()) next="/people".to_owned() /> }
    });
    assert!(html.contains("value=\"/people\"") && html.contains("Incorrect password."), "{html}");
}

#[test]
fn the_audit_log_says_who_did_what_when_and_from_where() {
    let html = rendered("audit-log", || view! { <AuditLogWhole viewer=fixtures::viewer() page=fixtures::audit_log() /> });
    for text in
        ["Sign in locked", "No account", "Command line", "203.0.113.9", "250 entries", "Next page", "action=\"/people/log\""]
    {
        assert!(html.contains(text), "{text}: {html}");
    }
}

#[test]
fn tool_statistics_are_shown_in_words_as_well_as_colours() {
    let html = rendered("tools", || view! { <ToolsWhole viewer=fixtures::viewer() page=fixtures::tools_view() /> });
    for text in [
        "fetch_url",
        " on ",
        "gdelt",
        "62\u{a0}%",
        "12 excellent, 40 good",
        "not judged",
        "judging 640\u{a0}ms",
        "aria-current=\"page\"",
        "qwen3",
    ] {
        assert!(html.contains(text), "{text}: {html}");
    }
    assert!(html.contains("class=\"stacked\"") && html.contains("data-label=\"Verified\""), "a phone gets cards");
    let html = rendered("tools-empty", || {
        let page = views::ToolsView { lines: vec![], reflector: None, ..fixtures::tools_view() };
        view! { <ToolsWhole viewer=fixtures::viewer() page /> }
    });
    assert!(html.contains("No tool calls in this period") && html.contains("models.reflector") && !html.contains("<table"));
}

#[test]
fn sources_say_how_they_fare_and_only_administrators_change_them() {
    let render = |name: &str, page, found: Vec<String>| {
        let typed = domain::fetch::FeedEntry { address: "https://klaxon.example/".into(), ..Default::default() };
        let notice = |part: &str, words: &str, feed| views::sources::SourceNotice {
            part: part.into(),
            words: words.into(),
            is_failure: true,
            feed,
        };
        let notice = match name {
            "sources" => notice("gdelt", "It answered with 3 hits.", None),
            _ => notice("new-feed", "klaxon.example does not answer", Some(typed)),
        };
        rendered(name, || view! { <SourcesWhole viewer=fixtures::viewer() page error=None found notice=Some(notice) /> })
    };
    let html = render("sources", fixtures::sources_view(), vec!["https://post.example/comments".into()]);
    let texts = [
        "On, failing",
        "api.example does not answer",
        "Found 7 documents with 96 claims.",
        "Needs a key",
        "set AUTOSINT_SOURCE_KEY_BRAVE",
        "A key is stored",
        "It answered with 3 hits.",
        "1 feed comes with AutOSINT",
        "https://tin.example/rss",
        "Norlin Post",
        "https://post.example/comments",
        "Turn on all available",
    ];
    for text in texts {
        assert!(html.contains(text), "{text}");
    }
    let own = views::sources::SourcesView { may_change: false, ..fixtures::sources_view() };
    assert!(!render("sources-own", own, vec![]).contains("action=\"/sources"));
    let none = views::sources::SourcesView { sources: vec![], feeds: vec![], ..fixtures::sources_view() };
    let html = render("sources-none", none, vec![]);
    assert!(html.contains("All sources are off") && html.contains("No feeds added yet."));
    assert!(html.contains("klaxon.example does not answer") && html.contains("https://klaxon.example/"), "{html}");
}
