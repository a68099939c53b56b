//! Printing as PDF: what a report holds from outside runs nothing and loads nothing.

use super::{browser_fixture, config, escape::Canary};
use crate::support::read_one;
use fetch::PrintRequest;
use pdf_extract::{Document, MediaBox, OutputDev, OutputError, Transform, output_doc};
use std::sync::atomic::Ordering;

/// Smallest size of printed text, in points; a pixel is three quarters of one.
const LEAST_POINTS: f64 = 8.0;

/// Sizes of the text of a PDF, in points.
#[derive(Default)]
struct TextSizes(Vec<f64>);

impl OutputDev for TextSizes {
    fn begin_page(&mut self, _: u32, _: &MediaBox, _: Option<(f64, f64, f64, f64)>) -> Result<(), OutputError> {
        Ok(())
    }
    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
    fn output_character(&mut self, at: &Transform, _: f64, _: f64, size: f64, _: &str) -> Result<(), OutputError> {
        self.0.push(size * (at.m11 * at.m22 - at.m12 * at.m21).abs().sqrt());
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

#[tokio::test(flavor = "multi_thread")]
async fn the_edges_of_a_printed_page_are_not_below_eight_points() {
    let Some(fixture) = browser_fixture(config(&[])) else { return };
    let pdf = fixture.browser.print(&request("<main>The gate log names no one.</main>".into())).await.unwrap();
    let mut sizes = TextSizes::default();
    output_doc(&Document::load_mem(&pdf).unwrap(), &mut sizes).unwrap();
    let characters = ["Who opened the <lock>?", "6 May 2031", "AutOSINT", "names no one"].concat().len();
    assert!(sizes.0.len() > characters, "the edges are text, too: {:?}", sizes.0);
    assert!(sizes.0.iter().all(|size| *size >= LEAST_POINTS), "{:?}", sizes.0);
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
