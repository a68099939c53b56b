//! Test that the sample gives the same assessments on both sizes.

use super::{Services, ended};
use crate::prelude::*;

/// Number of assessments: recorded ones and the built-in one.
const INVESTIGATIONS: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn the_sample_is_assessed_alike_on_both_sizes() {
    let Some(services) = Services::new().await else { return };
    services.add_user("ada");
    let (one, _first, _second) = (services.serve("web"), services.worker("work1"), services.worker("work2"));
    let scaled = sample(&mut one.signed_in("ada").await).await;
    let app = spawn_app().await;
    let embedded = sample(&mut app.signed_in("ada", Role::Analyst).await).await;
    for (scaled, embedded) in scaled.iter().zip(&embedded) {
        assert!(embedded["citations"].as_array().is_some_and(|citations| citations.len() > 4), "{embedded:#}");
        assert!(scaled == embedded, "scaled out: {scaled:#}\nin one folder: {embedded:#}");
    }
}

/// Returns the sample's assessments in order, with ids and creation times replaced.
async fn sample(browser: &mut Browser) -> Vec<Value> {
    browser.post("/sample", &[]).await;
    let (mut known, mut assessments): (Vec<Value>, Vec<Value>) = (vec![], vec![]);
    while assessments.len() < INVESTIGATIONS {
        let listed = browser.get("/api/v1/investigations").await.json();
        let Some(new) = listed.as_array().unwrap().iter().map(|line| line["id"].clone()).find(|id| !known.contains(id)) else {
            tokio::task::yield_now().await;
            continue;
        };
        let line = ended(browser, &format!("/investigations/{}", new.as_str().unwrap())).await;
        assert_eq!(line["status"], "completed", "{line}");
        known.push(new);
        let assessment = line["assessment_id"].as_str().unwrap_or_else(|| panic!("{line}"));
        let assessment = browser.get(&format!("/assessments/{assessment}/export.json")).await.json();
        let mut assessment = without_ids(assessment);
        assessment["created_at"] = "now".into();
        assessments.push(assessment);
    }
    assessments
}
