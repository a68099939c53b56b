//! The sample on both sizes.

use super::{Services, ended};
use crate::{app::spawn_app, client::Browser, same::without_ids};
use domain::user::Role;
use serde_json::Value;

#[tokio::test(flavor = "multi_thread")]
async fn the_sample_is_assessed_alike_on_both_sizes() {
    let Some(services) = Services::new().await else { return };
    services.add_user("ada");
    let (one, _first, _second) = (services.serve("web"), services.worker("work1"), services.worker("work2"));
    let scaled = sample(&mut one.signed_in("ada").await).await;
    let app = spawn_app().await;
    let embedded = sample(&mut app.signed_in("ada", Role::Analyst).await).await;
    assert!(embedded["citations"].as_array().is_some_and(|citations| citations.len() > 10), "{embedded:#}");
    assert!(scaled == embedded, "scaled out: {scaled:#}\nin one folder: {embedded:#}");
}

/// The assessment that somebody gets who tries the sample, with a word for every id and for the moment of writing.
async fn sample(browser: &mut Browser) -> Value {
    let address = browser.post("/sample", &[]).await.location().to_owned();
    let line = ended(browser, &address).await;
    assert_eq!(line["status"], "completed", "{line}");
    let assessment = line["assessment_id"].as_str().unwrap_or_else(|| panic!("{line}"));
    let assessment = browser.get(&format!("/assessments/{assessment}/export.json")).await.json();
    let mut assessment = without_ids(assessment);
    assessment["created_at"] = "now".into();
    assessment
}
