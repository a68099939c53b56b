//! Tests of the home page, the menu, the list of assessments and the search.

use super::{assert_shows, rendered, tab};
use crate::{
    pages::{
        assessments::PageBody as AssessmentsWhole, dashboard::PageBody as DashboardWhole, fixtures,
        search::PageBody as SearchWhole,
    },
    parts::Problem,
    prelude::*,
};
use domain::assessment::{AnsweredParts, AssessmentState, Producer};
use views::{
    AddedGroup, AssessmentList, Dashboard, FacetKind, FacetValue, ListFilter, SearchFacet, SearchGroup, SearchHit, SearchKind,
    SearchQuery, SearchView, SetupSteps, Snippet,
};

fn home(name: &str, page: Dashboard) -> String {
    rendered(name, || view! { <DashboardWhole viewer=fixtures::viewer() page error=None /> })
}

fn assessments(name: &str, page: AssessmentList) -> String {
    rendered(name, || view! { <AssessmentsWhole viewer=fixtures::viewer() page undo=vec![] error=None /> })
}

#[test]
fn the_dashboard_leads_to_everything() {
    let html = home("dashboard", fixtures::dashboard());
    assert_shows(
        &html,
        "Ask a question about the world|/assessments/|/investigations/|/sample/remove|All 25 assessments|\
             Answered|Quotations only|action=\"/#assessments\"|/?owner=me#assessments|\
             /documents?sample=hidden",
    );
    let row = html.split("class=\"assessment-row\"").nth(2).unwrap();
    assert!(row.contains("— Tessin Courier, 6 May 2031 On the other side"), "Markdown is text here: {row}");
    let empty = Dashboard { assessments: vec![], total: 0, running: vec![], has_sample: false, ..fixtures::dashboard() };
    assert!(home("dashboard-empty", empty).contains("Try the sample investigation"));
}

#[test]
fn a_row_names_how_many_parts_of_its_question_are_answered() {
    let mut page = fixtures::dashboard();
    page.assessments[0].state = AssessmentState::Contested;
    page.assessments[0].answered_parts = Some(AnsweredParts { answered: 1, total: 2 });
    let html = home("dashboard-parts", page);
    let row = html.split("class=\"assessment-row\"").nth(1).unwrap();
    assert!(row.contains("1 of 2 answered") && !row.contains(AssessmentState::Contested.words()), "{row}");
}

#[test]
fn home_filters_its_list_by_its_address() {
    let filter = ListFilter { tag: "harbour".into(), ..ListFilter::default() };
    let page = Dashboard { filter, ..fixtures::dashboard() };
    let html = home("dashboard-filtered", page);
    assert!(html.contains("/assessments?tag=harbour") && html.contains("<details open class=\"more-filters\""), "{html}");
    let filter = ListFilter { is_mine: true, ..ListFilter::default() };
    let page = Dashboard { filter, assessments: vec![], total: 0, ..fixtures::dashboard() };
    let html = home("dashboard-mine", page);
    assert!(html.contains("href=\"/?owner=me#assessments\" aria-current=\"true\""), "{html}");
    assert!(
        html.contains("No assessment matches this filter.")
            && html.contains("Clear filters")
            && !html.contains("No assessments yet"),
        "{html}"
    );
}

#[test]
fn the_filters_of_home_wait_for_the_first_assessment() {
    let filters = |page: Dashboard| {
        let html = home("dashboard-first", page);
        let tag = html.split('<').find(|tag| tag.contains("id=\"assessment-filters\"")).expect("the filters").to_owned();
        assert!(tag.contains(" data-live-hidden"), "{tag}");
        tag.contains(" hidden")
    };
    let empty = Dashboard { assessments: vec![], total: 0, ..fixtures::dashboard() };
    let mine = ListFilter { is_mine: true, ..ListFilter::default() };
    assert!(filters(empty.clone()));
    assert!(!filters(Dashboard { filter: mine, ..empty }) && !filters(fixtures::dashboard()));
}

#[test]
fn home_shows_changes_and_the_progress_of_investigations() {
    let html = |page| home("home", page);
    let mut page = fixtures::dashboard();
    let whole = html(page.clone());
    assert_shows(
        &whole,
        "Cited page changed: |data-running=\"yes\"|data-live=\"running\"><section|Reading |/stop\"|\
             data-shortcuts=\"on\"",
    );
    page.running.clear();
    page.since_visit.as_mut().unwrap().changes.clear();
    let quiet = html(page);
    assert!(quiet.contains("Nothing changed since Monday.") && !quiet.contains("data-running"), "{quiet}");
}

#[test]
fn home_with_twenty_of_everything_folds_all_but_the_first_lines() {
    let mut page = fixtures::dashboard();
    let (running, changes) = (page.running[0].clone(), page.since_visit.as_mut().unwrap());
    changes.changes = vec![changes.changes[0].clone(); 20];
    page.failed = vec![running.clone(); 20];
    page.failed_total = 20;
    page.running = vec![running; 20];
    page.running_total = 20;
    let html = home("home-many", page.clone());
    assert_shows(
        &html,
        "<summary>17 more</summary>|<summary>18 more</summary>|<summary>20 investigations have failed</summary>",
    );
    assert!(!html.contains("are listed."), "{html}");
    page.failed_total = 137;
    page.running_total = 31;
    let html = home("home-more-than-listed", page.clone());
    assert_shows(&html, "<summary>29 more</summary>|The newest 18 are listed.");
    assert_shows(&html, "<summary>137 investigations have failed</summary>|The newest 20 are listed.");
    page.failed.truncate(1);
    page.failed_total = 1;
    assert!(home("home-one-failed", page).contains("<h2>Failed</h2>"), "a single one stands open");
}

#[test]
fn steps_of_the_first_start_stay_until_they_are_done() {
    let sample = fixtures::assessment().assessment.id;
    let steps = SetupSteps { has_model: true, sample: Some(sample), ..SetupSteps::default() };
    let shown = |setup| home("dashboard-steps", Dashboard { setup: Some(setup), ..fixtures::dashboard() });
    let html = shown(steps);
    assert_eq!(html.matches("class=\"done\"").count(), 1, "{html}");
    assert!(
        html.contains(&format!("href=\"/assessments/{sample}\" class=\"button outline\">Read it"))
            && html.contains("Hide these steps"),
        "{html}"
    );
    let done = SetupSteps { has_sources: true, has_documents: true, has_read_sample: true, ..steps };
    assert!(!shown(done).contains("Set up in four steps"));
}

#[test]
fn recorded_replies_are_marked_on_the_card_and_on_the_page() {
    let label = Producer::RECORDED;
    let mut page = fixtures::dashboard();
    page.assessments.truncate(1);
    page.assessments[0].is_recorded = true;
    let html = home("dashboard-recorded", page);
    assert!(html.contains(label), "{html}");
    let mut view = fixtures::assessment();
    view.assessment.producer =
        Producer { provider: Producer::REPLAY.into(), model: "Owl, by hand".into(), ..view.assessment.producer };
    let html = tab("assessment-recorded", fixtures::viewer(), view.clone(), Tab::Brief);
    assert!(html.contains("Owl, by hand, played back"), "{html}");
    let html = tab("assessment-recorded-work", fixtures::viewer(), view, Tab::Work);
    assert!(html.contains(&format!("{label} (Owl, by hand)")), "{html}");
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
fn the_bar_has_six_areas_and_a_second_row_with_what_a_role_may_open() {
    use crate::{
        Area, NavEntry,
        parts::{Frame, NavItem},
    };
    let entry = |href, text, needs, area| NavEntry { needs, ..NavEntry::of_area(area, href, text) };
    let page = |role, nav| {
        let viewer = User { role, ..fixtures::viewer() };
        rendered("bar", || {
            let nav_entries = [
                entry("/ferries", "Ferries", None, Area::Monitor),
                entry("/locks", "Locks", Some(domain::user::Action::Configure), Area::Monitor),
                entry("/strikes", "Strikes", Some(domain::user::Action::Configure), Area::Tensions),
            ];
            provide_context(crate::Contributions { nav: nav_entries.into(), ..Default::default() });
            view! { <Frame viewer nav><h1>"Ferries"</h1></Frame> }
        })
    };
    let bar = |html: &str| html.split_once("class=\"bar-nav\"").unwrap().1.split_once("</nav>").unwrap().0.to_owned();
    let [admin, reader] = [Role::Admin, Role::Reader].map(|role| page(role, NavItem::Page("/ferries")));
    assert_shows(
        &bar(&admin),
        "Home</a>|Assessments</a>|Tensions</a>|href=\"/ferries\" aria-current=\"page\">Monitor</a>|Explore</a>|Library</a>",
    );
    assert_shows(&admin, "aria-label=\"Monitor\" class=\"subnav\"|Ferries</a>|Locks</a></nav>");
    assert!(!bar(&reader).contains("Tensions") && !reader.contains("Locks") && !reader.contains("subnav"), "{reader}");
    let graph = page(Role::Reader, NavItem::Entities);
    assert_shows(&graph, "aria-label=\"Explore\" class=\"subnav\"|Graph</a>|aria-current=\"page\">Entities</a>|Duplicates</a>");
}

#[test]
fn the_list_of_assessments_keeps_its_filter_from_page_to_page() {
    let contested = Some(AssessmentState::Contested);
    let filter = ListFilter { query: "terminal".into(), is_mine: true, state: contested, ..ListFilter::default() };
    let html = assessments("assessments", fixtures::assessment_list(filter));
    assert_shows(
        &html,
        "25 assessments with “terminal”|type=\"hidden\" name=\"q\" value=\"terminal\"|\
             type=\"hidden\" name=\"owner\" value=\"me\"|type=\"hidden\" name=\"state\" value=\"contested\"|\
             <details open class=\"more-filters\"|datetime=\"2031-06-30\"|name=\"page\" value=\"2\"|\
             Clear filters",
    );
    let nothing = AssessmentList { assessments: vec![], total: 0, ..fixtures::assessment_list(ListFilter::default()) };
    let html = assessments("assessments-none", nothing);
    assert!(html.contains("No assessments") && !html.contains("Clear filters"));
    let archived = |query: &str| {
        let page = fixtures::assessment_list(ListFilter { is_archived: true, query: query.into(), ..ListFilter::default() });
        assessments("assessments-archived", page)
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
    assert_shows(
        &html,
        "data-copy-link=\"query\"|href=\"/documents/1\"|<mark class=\"match\">gate</mark>|&lt;log|Show all 9|value=\"gate\"|\
             mode=denied\">Denied|href=\"/search?q=gate&amp;kind=tensions\">Tensions</a>|href=\"/tensions/1\"|\
             >Gate keepers strike</a>|The first 1.",
    );
    let page = SearchView { query: query("owl"), ..SearchView::default() };
    let html = rendered("search-none", || view! { <SearchWhole viewer=fixtures::viewer() page /> });
    assert!(html.contains("Nothing contains “owl”"));
}

#[test]
fn missing_and_forbidden_pages_say_so() {
    let html = rendered("not-found", || view! { <Problem error=AppError::not_found("page") viewer=None /> });
    assert!(html.contains("This page does not exist") && !html.contains("/sign-out"));
    let viewer = Some(fixtures::viewer());
    let html = rendered("not-found-inside", || view! { <Problem error=AppError::not_found("page") viewer /> });
    assert!(html.contains("This page does not exist") && html.contains("/sign-out") && html.contains("href=\"/documents\""));
}
