//! Test of every link: what a page leads its viewer to is there and allowed.

use crate::prelude::*;
use std::collections::VecDeque;

/// Addresses of one pattern that the analyst follows; the others follow one.
const EXAMPLES: usize = 3;
/// Bound on the pages of one viewer.
const MOST_PAGES: usize = 1_000;

/// Returns the insides of the tags with that name.
fn tags<'a>(html: &'a str, tag: &str) -> Vec<&'a str> {
    let open = format!("<{tag} ");
    html.split(&open).skip(1).filter_map(|rest| rest.split('>').next()).collect()
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = format!(" {tag}").split(&format!(" {name}=\"")).nth(1)?.split('"').next()?.replace("&amp;", "&");
    Some(value)
}

/// Returns the same-site addresses that a page links to, and those of its searches.
fn links(html: &str, here: &str) -> Vec<String> {
    let hrefs = tags(html, "a").into_iter().filter_map(|tag| attribute(tag, "href"));
    let forms = html.split("<form ").skip(1).filter_map(|rest| {
        let (tag, inside) = (rest.split('>').next()?, rest.split("</form>").next()?);
        let action = attribute(tag, "action").filter(|_| attribute(tag, "method").as_deref() == Some("get"))?;
        let hidden = tags(inside, "input").into_iter().filter(|tag| attribute(tag, "type").as_deref() == Some("hidden"));
        let fields = hidden.filter_map(|tag| Some(format!("{}={}", attribute(tag, "name")?, attribute(tag, "value")?)));
        let selects = inside.split("<select ").skip(1).filter_map(|rest| {
            let options = tags(rest.split("</select>").next()?, "option");
            Some(format!("{}={}", attribute(rest.split('>').next()?, "name")?, attribute(options.first()?, "value")?))
        });
        Some(format!("{action}?{}", fields.chain(selects).collect::<Vec<_>>().join("&")))
    });
    let path = here.split('?').next().unwrap_or_default();
    hrefs
        .chain(forms)
        .map(|href| href.split('#').next().unwrap_or_default().trim_end_matches('?').to_owned())
        .map(|href| if href.starts_with('?') { format!("{path}{href}") } else { href })
        .filter(|href| href.starts_with('/') && !href.starts_with("//"))
        .map(|href| href.replace(' ', "%20"))
        .collect()
}

/// Path with a star for each id and value, so that pages of one kind share it.
fn pattern(address: &str) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let part = |part: &str| {
        let is_id = part.len() > 30 || (!part.is_empty() && part.chars().all(|c| c.is_ascii_digit()));
        if is_id { "*".to_owned() } else { part.to_owned() }
    };
    let path: Vec<String> = path.split('/').map(part).collect();
    let names: BTreeSet<&str> = query.split('&').filter_map(|pair| pair.split('=').next()).collect();
    format!("{}?{}", path.join("/"), names.into_iter().collect::<Vec<_>>().join("&"))
}

fn problem(answer: &Answer) -> Option<String> {
    match answer.status {
        200 => {}
        303 => return None,
        status => return Some(format!("answers {status}")),
    }
    if !answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
        return None;
    }
    let html = answer.text();
    let headings = html.matches("<h1").count();
    let title = html.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).unwrap_or_default();
    match (headings, title.trim()) {
        (1, title) if !title.is_empty() => None,
        (count, title) => Some(format!("has {count} headings and the title “{title}”")),
    }
}

/// Follows the links of one viewer from home, at most so many of each pattern; returns the visited patterns and the problems.
async fn walk(browser: &mut Browser, most: usize) -> (BTreeSet<String>, Vec<String>) {
    let mut examples = BTreeMap::<String, usize>::new();
    let (mut seen, mut problems) = (BTreeSet::new(), vec![]);
    let mut queue = VecDeque::from([("/".to_owned(), "the start".to_owned())]);
    while let Some((address, from)) = queue.pop_front() {
        let count = examples.entry(pattern(&address)).or_default();
        if *count >= most || seen.len() >= MOST_PAGES || !seen.insert(address.clone()) {
            continue;
        }
        *count += 1;
        let answer = browser.get(&address).await;
        if let Some(why) = problem(&answer) {
            problems.push(format!("{address} (from {from}) {why}"));
        }
        let found = match answer.status {
            303 => vec![answer.location().split('#').next().unwrap_or_default().to_owned()],
            // Links of an original lead into the site that it was read from.
            _ if answer.header("content-disposition").is_some() => vec![],
            _ => links(&answer.text(), &address),
        };
        queue.extend(found.into_iter().map(|next| (next, address.clone())));
    }
    (examples.into_keys().collect(), problems)
}

/// Returns a server with the sample and a question of an analyst, and the analyst.
async fn filled() -> (App, Browser) {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let sample = ada.post("/sample", &[]).await.location().to_owned();
    ada.get(&format!("/api/v1{sample}/events")).await;
    let report =
        [("one.txt", "PORT HALEN, March 3, 2031 -- The Red Tide group set the fire at the grain store on Monday night.")];
    let own = ada.ask(QUESTION, &report).await.location().to_owned();
    ada.get(&format!("/api/v1{own}/events")).await;
    (app, ada)
}

#[tokio::test]
async fn no_link_leads_its_viewer_to_an_error() {
    let (app, mut ada) = filled().await;
    let mut problems = vec![];
    for (who, expected) in
        [("analyst", "/investigations/new?"), ("reader", "/assessments?"), ("admin", "/people/log?"), ("stranger", "/sign-in?")]
    {
        let (visited, found) = match who {
            "analyst" => walk(&mut ada, EXAMPLES).await,
            "reader" => walk(&mut app.signed_in("rea", Role::Reader).await, 1).await,
            "admin" => walk(&mut app.signed_in("boss", Role::Admin).await, 1).await,
            _ => walk(&mut app.browser(), 1).await,
        };
        assert!(visited.iter().any(|pattern| pattern.starts_with(expected)), "{who}: {visited:#?}");
        problems.extend(found.into_iter().map(|problem| format!("{who}: {problem}")));
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[tokio::test]
async fn errors_without_a_page_of_their_own_have_a_way_on() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let wrong = ada.get("/sign-out").await;
    assert_eq!(wrong.status, 405);
    assert!(wrong.text().contains("<a class=\"button\" href=\"/\">"), "{}", wrong.text());
    let address = app.address.to_string();
    ada.headers = vec![("Referer", format!("http://{address}/teams?x=1"))];
    let large = ada.post("/teams", &[("name", &"x".repeat(1_100_000))]).await;
    assert_eq!(large.status, 413);
    assert!(large.text().contains("href=\"/teams?x=1\">Back to the form"), "{}", large.text());
    let unread = ada.post("/sources/switch", &[("source", "gdelt")]).await;
    assert!(unread.status == 422 && unread.text().contains("could not be read"), "{}", unread.text());
    ada.headers =
        vec![("Origin", "https://elsewhere.example".to_owned()), ("Referer", "https://elsewhere.example/x".to_owned())];
    let blocked = ada.post("/teams", &[("name", "North")]).await;
    assert!(blocked.status == 403 && blocked.text().contains("href=\"/\">Open AutOSINT"), "{}", blocked.text());
    ada.headers.clear();
    let api = ada.get("/api/v1/nothing").await;
    assert!(api.status == 404 && !api.text().contains("<html"));
}
