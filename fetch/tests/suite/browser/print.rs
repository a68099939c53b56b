//! Printing as PDF: what a report holds from outside runs nothing and loads nothing.

use super::{browser_fixture, config, escape::Canary};
use crate::{prelude::*, support::read_one};
use fetch::PrintRequest;
use pdf_extract::{Document, MediaBox, OutputDev, OutputError, Transform, output_doc_page};

fn request(body: String) -> PrintRequest {
    PrintRequest {
        title: "Who opened the <lock>?".into(),
        date: "6 May 2031".into(),
        footer: "AutOSINT".into(),
        style: "p { color: #123 }".into(),
        body,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_printed_page_runs_no_script_and_loads_nothing() {
    let Some(fixture) = browser_fixture(config(&[])) else { return };
    let canary = Canary::listen().await;
    let there = format!("http://127.0.0.1:{}", canary.port);
    let body = format!(
        "<main><h1>Report</h1><p>The gate log names no one.</p></main>
         <img src={there}/a.png><iframe src={there}/b></iframe><object data={there}/c></object>
         <link rel=stylesheet href={there}/d.css><style>@import url({there}/e.css); body {{ background: url({there}/f.png) }}</style>
         <video src={there}/g poster={there}/h></video><svg><image href={there}/i /></svg>
         <meta http-equiv=refresh content='0;url={there}/j'>
         <script>fetch('{there}/k'); document.querySelector('p').textContent = 'A script ran.'</script>
         <img src=x onerror=\"document.querySelector('p').textContent = 'A handler ran.'\">"
    );
    let pdf = fixture.browser.print(&request(body)).await.unwrap();
    assert!(pdf.starts_with(b"%PDF-"), "{} bytes", pdf.len());
    let text = read_one("report.pdf", &pdf).await.text;
    assert!(text.contains("The gate log names no one.") && !text.contains(" ran."), "{text}");
    assert!(text.contains("Who opened the <lock>?") && text.contains("1 / 1"), "header and page number: {text}");
    assert_eq!(canary.heard.load(Ordering::SeqCst), 0, "nothing was asked for");
    fixture.browser.stop().await;
}

#[tokio::test]
async fn without_chromium_nothing_is_printed() {
    let mut config = config(&[]);
    config.browser.program = "/nowhere/chromium".into();
    let fixture = super::fixture_on(crate::web::local_web::web_fixture(config.clone()), config).unwrap();
    let error = fixture.browser.print(&request(String::new())).await.unwrap_err();
    assert_eq!(error.reason, domain::fetch::FetchFailure::Unavailable, "{error}");
}

/// The size of the smallest character on a page, in points.
#[derive(Default)]
struct SmallestCharacter {
    points: Option<f64>,
}

impl OutputDev for SmallestCharacter {
    fn begin_page(&mut self, _: u32, _: &MediaBox, _: Option<(f64, f64, f64, f64)>) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn output_character(&mut self, at: &Transform, _: f64, _: f64, font_size: f64, _: &str) -> Result<(), OutputError> {
        let size = at.m22.abs() * font_size;
        self.points = Some(self.points.map_or(size, |smallest| smallest.min(size)));
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_edges_of_a_printed_page_have_eight_points() {
    let Some(fixture) = browser_fixture(config(&[])) else { return };
    let pdf = fixture.browser.print(&request("<main><p>The gate log names no one.</p></main>".into())).await.unwrap();
    let document = Document::load_mem(&pdf).unwrap();
    let mut smallest = SmallestCharacter::default();
    output_doc_page(&document, &mut smallest, 1).unwrap();
    let points = smallest.points.expect("there is text");
    // The paragraph has twelve.
    assert!((7.9..9.0).contains(&points), "{points}");
    fixture.browser.stop().await;
}
