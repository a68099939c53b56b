//! Tests of pages that a Processor opens on the web.

use super::{material::page, prelude::*};
use domain::fetch::{FetchFailure, PageState};
use engine::{
    assessments::markdown,
    fetch::{self, Fetch},
};

/// The text of a page and its links.
type Page = (&'static str, Vec<&'static str>);

/// Pages that a test may change; it notes what it is asked for.
#[derive(Default)]
struct Pages {
    pages: Mutex<BTreeMap<&'static str, Page>>,
    asked: Mutex<Vec<String>>,
}

#[async_trait]
impl Fetch for Pages {
    async fn page(&self, request: &FetchRequest) -> Result<WebPage, FetchError> {
        self.asked.lock().unwrap().push(request.url.clone());
        let Some((text, links)) = self.pages.lock().unwrap().get(request.url.as_str()).cloned() else {
            let error = FetchError::new(FetchFailure::Status, "there is no such page");
            return Err(FetchError { status: Some(404), ..error });
        };
        let (page, bytes) = page(&request.url, &request.url, text, &links);
        Ok(WebPage { page, bytes: vec![bytes] })
    }
}

const SAID: &str = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire at the Tolm \
                    depot in Port Halen. Two people were injured.";

fn opens(url: &str) -> Line {
    calls(vec![("fetch_url", json!({"url": url}))])
}

#[tokio::test]
async fn a_processor_opens_only_the_pages_of_its_order_and_their_links() {
    let pages = Arc::new(Pages {
        pages: Mutex::new(BTreeMap::from([
            (
                "https://a.example/start",
                ("The start of the trail. It names where the report can be read.", vec!["https://b.example/one"]),
            ),
            ("https://b.example/one", (SAID, vec!["https://c.example/two", "https://a.example/start"])),
            (
                "https://c.example/two",
                ("The second page of the trail leads on to a third one.", vec!["https://d.example/three"]),
            ),
            ("https://d.example/three", ("Too far away.", vec![])),
        ])),
        ..Pages::default()
    });
    let order = json!({"objective": "Read https://a.example/start and what it leads to", "source_guidance": ["the web"]});
    let analyst = Script::new(vec![calls(vec![("create_work_order", order)]), says("ordered")], After::Extractive);
    let processor = Script::new(
        vec![
            unplanned(),
            opens("https://a.example/start?leak=secret"),
            opens("https://b.example/one"),
            opens("https://a.example/start"),
            opens("https://b.example/one"),
            opens("https://b.example/one#changed"),
            opens("https://c.example/two"),
            opens("https://d.example/three"),
            says("done"),
        ],
        After::Extractive,
    );
    let mut world = World::open(&folder(), 5, |parts| {
        parts.role_models.analyst = analyst.clone().into();
        parts.role_models.processor = processor.clone().into();
        parts.fetch = Some(pages.clone());
    })
    .await;
    world.addresses = vec!["https://a.example/start".into()];
    let (investigation, _) = world.investigate(&[], FIRE_QUESTION).await;
    assert_eq!(investigation.progress.status, Status::Completed);
    let opened = ["https://a.example/start", "https://b.example/one", "https://c.example/two"];
    assert_eq!(*pages.asked.lock().unwrap(), opened);
    let refused = processor.results().iter().filter(|(text, is_error)| *is_error && text.contains("was not opened")).count();
    assert_eq!(refused, 4, "{:?}", processor.results());

    // What was opened is a document with its history, and its claims are cited.
    let stored = world.assessment(&investigation).await.assessment;
    let cited = stored.citations.iter().find(|citation| citation.document_path == "https://b.example/one").unwrap();
    let capture = world.engine.captures.provenance(&investigation.scope, cited.document_id).await.unwrap().capture.unwrap();
    assert_eq!((capture.status, capture.headers["etag"].as_str()), (200, "\"1\""));
    world.close().await;
}

#[tokio::test]
async fn the_provider_opens_the_pages_that_its_order_names() {
    let url = "https://b.example/one";
    let pages = Arc::new(Pages { pages: Mutex::new(BTreeMap::from([(url, (SAID, vec![]))])), ..Pages::default() });
    let order = json!({"objective": "Read https://b.example/one and https://b.example/none", "source_guidance": []});
    let analyst = Script::new(vec![calls(vec![("create_work_order", order)]), says("ordered")], After::Extractive);
    let mut world = World::open(&folder(), 5, |parts| {
        parts.role_models.analyst = analyst.clone().into();
        parts.fetch = Some(pages.clone());
    })
    .await;
    world.addresses = vec![url.into(), "https://b.example/none".into()];
    let (investigation, _) = world.investigate(&[], FIRE_QUESTION).await;
    assert_eq!(*pages.asked.lock().unwrap(), ["https://b.example/none", url]);
    assert_eq!(world.assessment(&investigation).await.assessment.citations[0].document_path, url);
    world.close().await;
}

#[tokio::test]
async fn a_changed_or_removed_cited_page_marks_the_reports_that_cite_it() {
    let url = "https://b.example/one";
    let pages = Arc::new(Pages { pages: Mutex::new(BTreeMap::from([(url, (SAID, vec![]))])), ..Pages::default() });
    let mut world = World::open(&folder(), 5, |parts| {
        parts.fetch = Some(pages.clone());
        parts.config.web.watch.every_ms = 1;
    })
    .await;
    let person = world.person("ada").await;
    let collection = world.collection(&person).await;
    let report =
        fetch::ingest(&world.engine, collection, InvestigationId(world.engine.ids.next()), &[url.into()], |_| {}).await;
    assert_eq!(report.unwrap().stored, 1);
    let investigation = world.ask(&person, collection, FIRE_QUESTION).await;
    world.start(1);
    let (investigation, _) = world.end_of(investigation.id).await;
    let Assessment { id, citations, .. } = world.assessment(&investigation).await.assessment;
    let cited = citations[0].document_id;
    let seen = async || {
        // Longer than one look is good for.
        world.clock.forward_ms(5);
        assert_eq!(fetch::watch_once(&world.engine).await.unwrap(), 1);
        let view = world.engine.assessment_view(&person, id).await.unwrap().unwrap();
        view.findings.first().map(|finding| (finding.state, finding.note.clone()))
    };
    assert_eq!(seen().await, None);
    let change = |text: &'static str| pages.pages.lock().unwrap().insert(url, (text, vec![]));
    change("RETRACTED. This report has been taken off the wire.");
    assert_eq!(seen().await.unwrap().0, PageState::Retracted);
    let later = world.ask(&person, collection, FIRE_QUESTION).await;
    let (later, _) = world.end_of(later.id).await;
    let later = world.assessment(&later).await.assessment;
    assert!(later.citations.iter().all(|citation| citation.document_id != cited), "{:#?}", later.citations);
    assert!(later.body.bottom_line.contains("its publisher took it back"), "{}", later.body.bottom_line);
    change("PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that nobody was behind the fire.");
    let (state, note) = seen().await.unwrap();
    assert_eq!(state, PageState::Changed);
    assert!(note.contains("no longer on the page"), "{note}");
    let view = world.engine.assessment_view(&person, id).await.unwrap().unwrap();
    let file = markdown(&view.assessment, &view.findings);
    assert!(file.contains("pages are no longer as they were cited: [1]") && file.contains(&note), "{file}");
    assert!(!markdown(&view.assessment, &[]).contains("no longer as they were"));
    change("A text that no database takes: \0");
    assert_eq!(seen().await, Some((PageState::Changed, note)), "nobody can tell this time, and the round goes on");
    let cards = world.engine.dashboard(&person, views::ListFilter::default(), None).await.unwrap().assessments;
    let later: Vec<_> = cards.iter().map(|card| (card.id == id, card.found_later)).collect();
    assert_eq!(later, [(false, 0), (true, 1)]);
    pages.pages.lock().unwrap().clear();
    assert_eq!(seen().await.unwrap().0, PageState::Gone);
    pages.pages.lock().unwrap().insert(url, (SAID, vec![]));
    assert_eq!(seen().await, None, "it is back as it was");
    world.close().await;
}
