//! Test of every empty list: one sentence, and one button that its viewer may use.

use crate::prelude::*;

/// Pages with lists, as they are on a new server.
const PAGES: [&str; 26] = [
    "/",
    "/?view=archived",
    "/assessments",
    "/assessments?view=archived",
    "/graph",
    "/graph?search=owl",
    "/entities",
    "/reviews",
    "/reviews/apart",
    "/reviews/merges",
    "/documents",
    "/documents?view=archived",
    "/documents?tab=rejected",
    "/search?q=owl",
    "/teams",
    "/tools",
    "/work-orders/failed",
    "/tensions",
    "/tensions/responses",
    "/tensions/runs",
    "/monitor",
    "/monitor/interests",
    "/monitor/schedule",
    "/watching",
    "/delivery",
    "/shares",
];
/// Least number of lists that each role finds empty.
const LEAST: usize = 18;

/// Returns the insides of the empty lists of a page.
fn empty_lists(html: &str) -> Vec<String> {
    let lists = html.split("<div class=\"empty\"").skip(1).filter_map(|rest| rest.split("</div>").next());
    lists.map(str::to_owned).collect()
}

/// Returns what is wrong with an empty list: nothing where it has one sentence and one button.
fn problem(list: &str) -> Option<&'static str> {
    let sentence = list.split_once("<p>").and_then(|(_, rest)| rest.split_once("</p>")).map(|(text, _)| text.trim());
    let Some(sentence) = sentence.filter(|_| list.matches("<p>").count() == 1) else { return Some("has no single text") };
    let ends = sentence.matches(". ").count() + sentence.matches("? ").count();
    if ends > 0 || !sentence.ends_with('.') {
        return Some("says more or less than a sentence");
    }
    let buttons = list.matches("class=\"button").count() + list.matches("type=\"submit\"").count();
    (buttons != 1).then_some("has no single button")
}

/// Checks the empty lists of all pages that a person may open, and follows their links; returns how many there are.
async fn walk(browser: &mut Browser, who: &str) -> usize {
    let mut count = 0;
    for page in PAGES {
        let answer = browser.get(page).await;
        if answer.status == 403 {
            continue;
        }
        assert_eq!(answer.status, 200, "{who}: {page}");
        for list in empty_lists(&answer.text()) {
            count += 1;
            assert_eq!(problem(&list), None, "{who}: {page}: {list}");
            let Some((_, rest)) = list.split_once("href=\"") else { continue };
            let href = rest.split(['"', '#']).next().unwrap_or_default().replace("&amp;", "&");
            // A link within the page leads to a form of it.
            if !href.is_empty() {
                assert_eq!(browser.get(&href).await.status, 200, "{who}: {page} leads to {href}");
            }
        }
    }
    count
}

#[tokio::test]
async fn every_empty_list_is_a_sentence_and_a_button_that_its_viewer_may_use() {
    let app = spawn_app().await;
    for role in [Role::Reader, Role::Analyst, Role::Admin] {
        let mut browser = app.signed_in(role.as_str(), role).await;
        let count = walk(&mut browser, role.as_str()).await;
        assert!(count >= LEAST, "{} found {count} empty lists", role.as_str());
    }
}

#[test]
fn a_list_with_a_dead_end_is_a_problem() {
    let list = |inner: &str| problem(&format!(">{inner}"));
    assert_eq!(list("<p>Nothing.</p><a class=\"button outline\" href=\"/\">Go</a>"), None);
    assert_eq!(list("<p>Nothing.</p>"), Some("has no single button"));
    assert_eq!(list("<p>Nothing. Ask.</p><a class=\"button\" href=\"/\">Go</a>"), Some("says more or less than a sentence"));
    assert_eq!(list("<a class=\"button\" href=\"/\">Go</a>"), Some("has no single text"));
}
