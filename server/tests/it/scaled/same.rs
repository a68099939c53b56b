//! The sample on both sizes.

use super::{Services, ended};
use crate::{app::spawn_app, client::Browser};
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
    let (scaled, embedded) = (without_ids(scaled), without_ids(embedded));
    assert!(scaled == embedded, "scaled out: {scaled:#}\nin one folder: {embedded:#}");
}

/// The assessment that somebody gets who tries the sample.
async fn sample(browser: &mut Browser) -> Value {
    let address = browser.post("/sample", &[]).await.location().to_owned();
    let line = ended(browser, &address).await;
    assert_eq!(line["status"], "completed", "{line}");
    let assessment = line["assessment_id"].as_str().unwrap_or_else(|| panic!("{line}"));
    browser.get(&format!("/assessments/{assessment}/export.json")).await.json()
}

/// The assessment with a word for every id and for the moment of writing.
fn without_ids(mut assessment: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::String(text) if uuid::Uuid::parse_str(text).is_ok() => *text = "id".into(),
            Value::Array(items) => items.iter_mut().for_each(strip),
            Value::Object(fields) => fields.values_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut assessment);
    assessment["created_at"] = "now".into();
    assessment
}
