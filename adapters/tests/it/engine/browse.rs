//! Permissions of a Processor in the browser: the same as without it.

use super::{material, prelude::*};
use domain::fetch::{BrowseCommand, BrowseRequest, BrowsedPage, Control, ControlKind, FetchFailure, RetrievalMethod};
use engine::{
    browse::{Browse, RenderedPage},
    evidence::sha256_hex,
    fetch::{self, Fetch, keep, watch_once},
    investigations::stop,
};

const REPORT: &str = "PORT HALEN, March 4, 2031 (Coast Gazette) -- Police said that the Red Tide group was behind the fire at the Tolm \
                      depot in Port Halen. Two people were injured.";

/// Pages that lead on by a click on `#next`; it notes what it is asked for.
#[derive(Default)]
struct Site {
    /// Where a click leads from an address.
    next: BTreeMap<&'static str, &'static str>,
    at: Mutex<String>,
    /// Owner of the open page.
    owner: Mutex<Option<SessionId>>,
    /// Whether a step never ends.
    hangs: bool,
    /// Status of its pages, where it is not 200.
    status: Option<u16>,
    noted: Mutex<Vec<String>>,
}

impl Site {
    fn note(&self, what: String) {
        self.noted.lock().unwrap().push(what);
    }

    /// From where to where a step leads.
    fn walked(&self, session: &str, command: &BrowseCommand) -> Result<(String, String), FetchError> {
        let mut at = self.at.lock().unwrap();
        if session != "7" || at.is_empty() {
            return Err(FetchError::new(FetchFailure::NotPossible, "there is no such session any more"));
        }
        self.note(format!("{} at {at}", serde_json::to_value(command).unwrap()["command"]));
        let from = at.clone();
        if let BrowseCommand::Click { .. } = command {
            *at = self.next[from.as_str()].into();
        }
        Ok((from, at.clone()))
    }

    fn page(from: &str, to: &str) -> RenderedPage {
        let (page, bytes) = material::page(from, to, &format!("{REPORT} It stands at {to}."), &[]);
        let controls = vec![Control { selector: "#next".into(), kind: ControlKind::Link, label: "Onwards".into() }];
        RenderedPage { page: BrowsedPage { page, is_complete: true, asks_login: false, controls }, bytes: vec![bytes] }
    }
}

#[async_trait]
impl Browse for Site {
    async fn render(&self, request: &BrowseRequest) -> Result<RenderedPage, FetchError> {
        self.note(format!("render {}", request.url));
        Ok(Self::page(&request.url, &request.url))
    }

    async fn open(&self, owner: SessionId, url: &str, sites: &[String]) -> Result<(String, RenderedPage), FetchError> {
        self.note(format!("open {url} for {}", sites.join(" ")));
        *self.owner.lock().unwrap() = Some(owner);
        *self.at.lock().unwrap() = url.into();
        Ok(("7".into(), Self::page(url, url)))
    }

    async fn step(&self, _: SessionId, session: &str, command: &BrowseCommand) -> Result<RenderedPage, FetchError> {
        let (from, to) = self.walked(session, command)?;
        if self.hangs {
            std::future::pending::<()>().await;
        }
        let mut stepped = Self::page(&from, &to);
        stepped.page.page.status = self.status.unwrap_or(200);
        Ok(stepped)
    }

    async fn close(&self, _: SessionId, _: &str) -> Result<(), FetchError> {
        self.at.lock().unwrap().clear();
        self.note("close".into());
        Ok(())
    }

    async fn close_all(&self, owner: SessionId) {
        if *self.owner.lock().unwrap() == Some(owner) {
            self.note("close all".into());
        }
    }

    async fn stop(&self) {
        self.note("stop".into());
    }
}

fn does(tool: &'static str, arguments: Value) -> Line {
    calls(vec![(tool, arguments)])
}

#[tokio::test]
async fn a_processor_in_the_browser_keeps_to_the_link_distance_limit() {
    let next = [
        ("https://a.example/start", "https://b.example/1"),
        ("https://b.example/1", "https://b.example/2"),
        ("https://b.example/2", "https://b.example/3"),
    ];
    let site = Arc::new(Site { next: next.into(), ..Site::default() });
    let order = json!({"objective": "Look at https://a.example/start and fill in what https://forms.example/x asks", "source_guidance": []});
    let analyst = Script::new(vec![calls(vec![("create_work_order", order)]), says("ordered")], After::Extractive);
    let click = || does("browser_click", json!({"session_id": "7", "selector": "#next"}));
    let processor = Script::new(
        vec![
            unplanned(),
            does("browse_url", json!({"url": "https://elsewhere.example/"})),
            does("browser_open", json!({"url": "https://a.example/start?leak=secret"})),
            does("browse_url", json!({"url": "https://a.example/start"})),
            does("browser_open", json!({"url": "https://a.example/start"})),
            does("browser_fill", json!({"session_id": "7", "selector": "#q", "value": "halen"})),
            does("browser_scroll", json!({"session_id": "7"})),
            click(),
            click(),
            click(),
            click(),
            says("done"),
        ],
        After::Extractive,
    );
    let mut world = World::open(&folder(), 8, |parts| {
        parts.role_models.analyst = analyst.clone().into();
        parts.role_models.processor = processor.clone().into();
        parts.browse = Some(site.clone());
    })
    .await;
    world.addresses = vec!["https://a.example/start".into(), "https://forms.example/x".into()];
    let (investigation, _) = world.investigate(&[], FIRE_QUESTION).await;
    assert_eq!(investigation.progress.status, Status::Completed);
    let (ends, noted): (Vec<String>, Vec<String>) = site.noted.lock().unwrap().drain(..).partition(|what| what == "close all");
    let walked = [
        "render https://a.example/start",
        "open https://a.example/start for a.example forms.example",
        "\"fill\" at https://a.example/start",
        "\"scroll\" at https://a.example/start",
        "\"click\" at https://a.example/start",
        "\"click\" at https://b.example/1",
        "\"click\" at https://b.example/2",
        "close",
    ];
    assert_eq!(noted, walked);
    assert!(!ends.is_empty(), "a session that ends leaves nothing open");
    let results = processor.results();
    let refused = results.iter().filter(|(text, is_error)| *is_error && text.contains("was not opened")).count();
    assert_eq!(refused, 3, "{results:#?}");
    assert!(results.iter().any(|(text, is_error)| *is_error && text.contains("no such session")), "{results:#?}");
    let opened = results.iter().find(|(text, _)| text.contains("\"session_id\":\"7\"")).unwrap();
    assert!(opened.0.contains("Onwards") && opened.0.contains("outside-text"), "{opened:?}");

    // What was seen is a document with its history, and is read like any other.
    let stored = world.assessment(&investigation).await.assessment;
    assert!(stored.citations.iter().any(|citation| citation.document_path.starts_with("https://")), "{stored:#?}");
    world.close().await;
}

/// An order to open a page in the browser and scroll on it.
fn scrolls() -> (Arc<Script>, Arc<Script>) {
    let order = json!({"objective": "Look at https://a.example/start", "source_guidance": []});
    let analyst = Script::new(vec![calls(vec![("create_work_order", order)]), says("ordered")], After::Extractive);
    let processor = vec![
        unplanned(),
        does("browser_open", json!({"url": "https://a.example/start"})),
        does("browser_scroll", json!({"session_id": "7"})),
        says("done"),
    ];
    (analyst, Script::new(processor, After::Extractive))
}

#[tokio::test]
async fn a_cancelled_order_leaves_no_page_open() {
    let site = Arc::new(Site { hangs: true, ..Site::default() });
    let (analyst, processor) = scrolls();
    let mut world = World::open(&folder(), 10, |parts| {
        parts.role_models.analyst = analyst.into();
        parts.role_models.processor = processor.into();
        parts.browse = Some(site.clone());
    })
    .await;
    let has = |what: &str| site.noted.lock().unwrap().iter().any(|noted| noted == what);
    let until = async |what: &str| assert!(eventually(async || has(what)).await, "never: {what}");
    world.addresses = vec!["https://a.example/start".into()];
    let investigation = world.ask_about(&[], FIRE_QUESTION).await;
    world.start(1);
    until("\"scroll\" at https://a.example/start").await;
    site.noted.lock().unwrap().retain(|noted| noted != "close all");
    stop(&world.engine, &investigation).await.unwrap();
    until("close all").await;
    world.close().await;
}

#[tokio::test]
async fn an_error_response_is_shown_to_the_model_and_not_stored() {
    let site = Arc::new(Site { status: Some(403), ..Site::default() });
    let (analyst, processor) = scrolls();
    let mut world = World::open(&folder(), 11, |parts| {
        parts.role_models.analyst = analyst.into();
        parts.role_models.processor = processor.clone().into();
        parts.browse = Some(site.clone());
    })
    .await;
    world.addresses = vec!["https://a.example/start".into()];
    let investigation = world.ask_about(&[], FIRE_QUESTION).await;
    world.start(1);
    world.end_of(investigation.id).await;
    let shown = processor.results().into_iter().map(|(text, _)| text);
    let pages: Vec<String> = shown.filter(|text| text.contains("\"session_id\":\"7\"")).collect();
    let documents: Vec<usize> = pages.iter().map(|page| page.matches("\"ref\":\"d").count()).collect();
    assert_eq!(documents, [1, 0], "{pages:#?}");
    world.close().await;
}

/// A server that no longer has what only scripts show.
struct Scriptless;

#[async_trait]
impl Fetch for Scriptless {
    async fn page(&self, _: &FetchRequest) -> Result<WebPage, FetchError> {
        Err(FetchError { status: Some(404), ..FetchError::new(FetchFailure::Status, "There is no such page.") })
    }
}

#[tokio::test]
async fn a_cited_page_is_checked_again_by_the_same_retrieval_method() {
    let url = "https://a.example/start";
    for (reached, looks) in [(RetrievalMethod::Rendered, 1), (RetrievalMethod::Walked, 0)] {
        let site = Arc::new(Site::default());
        let mut world = World::open(&folder(), 12, |parts| {
            parts.fetch = Some(Arc::new(Scriptless));
            parts.browse = Some(site.clone());
            parts.config.web.watch.every_ms = 1;
        })
        .await;
        let person = world.person("ada").await;
        let collection = world.collection(&person).await;
        let RenderedPage { page, bytes } = Site::page(url, url);
        keep(&world.engine, collection, None, WebPage { page: page.page, bytes }, reached).await.unwrap();
        let investigation = world.ask(&person, collection, FIRE_QUESTION).await;
        world.start(1);
        let (investigation, _) = world.end_of(investigation.id).await;
        let id = world.assessment(&investigation).await.assessment.id;
        // Longer than one look is good for.
        world.clock.forward_ms(5);
        assert_eq!(watch_once(&world.engine).await.unwrap(), 1);
        let view = world.engine.assessment_view(&person, id).await.unwrap().unwrap();
        assert_eq!(view.findings, [], "{reached:?}");
        let rendered = site.noted.lock().unwrap().iter().filter(|what| what.starts_with("render")).count();
        assert_eq!(rendered, looks, "{reached:?}");
        world.close().await;
    }
}

/// A server whose pages show nothing, or next to nothing, before their scripts have run.
struct Blank;

#[async_trait]
impl Fetch for Blank {
    async fn page(&self, request: &FetchRequest) -> Result<WebPage, FetchError> {
        if request.url.ends_with("/empty") {
            return Err(FetchError::new(FetchFailure::Scripted, "No text was found in this page before its scripts have run."));
        }
        let (mut page, _) = material::page(&request.url, &request.url, "Loading, please wait.", &[]);
        let bytes = Bytes::from_static(b"<p>Loading, please wait.</p><SCRIPT src=app.js></SCRIPT>");
        page.documents[0].sha256 = sha256_hex(&bytes);
        Ok(WebPage { page, bytes: vec![bytes] })
    }
}

#[tokio::test]
async fn a_page_that_a_person_names_is_rendered_where_it_shows_nothing_without_its_scripts() {
    let urls = ["https://a.example/empty".to_owned(), "https://a.example/loading".to_owned()];
    let site = Arc::new(Site::default());
    for browser in [Some(site.clone()), None] {
        let has_browser = browser.is_some();
        let world = World::open(&folder(), 10, |parts| {
            parts.fetch = Some(Arc::new(Blank));
            parts.browse = browser.map(|site| site as Arc<dyn Browse>);
        })
        .await;
        let investigation = world.ask_about(&[], FIRE_QUESTION).await;
        let id = InvestigationId(world.engine.ids.next());
        let report = fetch::ingest(&world.engine, investigation.collection_id, id, &urls, |_| {}).await.unwrap();
        assert_eq!((report.stored, report.rejected.len()), if has_browser { (2, 0) } else { (1, 1) }, "{report:?}");
        world.close().await;
    }
    let mut noted: Vec<String> = site.noted.lock().unwrap().drain(..).filter(|what| what != "close all").collect();
    noted.sort();
    assert_eq!(noted, ["render https://a.example/empty", "render https://a.example/loading"]);
}
