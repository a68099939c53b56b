//! Tests of `/api/v1`.

use super::another_person::feature_source;
use crate::prelude::*;

#[tokio::test]
async fn strangers_get_401_as_json() {
    let app = spawn_app().await;
    for path in ["/api/v1/investigations", "/api/v1/assessments/x", "/api/v1/documents/x", "/api/v1/nothing"] {
        let answer = app.browser().get(path).await;
        assert_eq!(answer.status, 401, "{path}");
        assert_eq!(answer.json()["error"]["code"], "signed_out");
    }
}

#[tokio::test]
async fn a_missing_object_is_404() {
    let (_app, mut browser) = spawn_for("ada", Role::Reader).await;
    assert_eq!(browser.get("/api/v1/investigations").await.json(), serde_json::json!([]));
    for path in ["/api/v1/assessments/x", "/api/v1/documents/0192d3c4-0000-7000-8000-000000000000", "/api/v1/nothing"] {
        let answer = browser.get(path).await;
        assert_eq!((answer.status, answer.json()["error"]["code"].clone()), (404, "not_found".into()), "{path}");
    }
}

#[tokio::test]
async fn every_path_and_schema_is_described() {
    let app = spawn_app().await;
    let described = app.browser().get("/api/v1/openapi.json").await.json();
    let paths: BTreeSet<&str> = described["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    let texts = include_str!("../../../src/http.rs").split('"').skip(1).step_by(2);
    let not_described = ["/api/v1/{*rest}", "/api/v1/openapi.json"];
    let routes: BTreeSet<&str> = texts.filter(|text| text.starts_with("/api/v1/") && !not_described.contains(text)).collect();
    assert!(routes.len() >= 6 && routes.is_subset(&paths), "{routes:?} {paths:?}");
    let features = Path::new(env!("CARGO_MANIFEST_DIR")).join("../features");
    for entry in std::fs::read_dir(features).unwrap() {
        let source = feature_source(&entry.unwrap().path().join("src"));
        let of_feature = source.split('"').filter(|text| text.starts_with("/api/v1/"));
        let missing: Vec<&str> = of_feature.filter(|path| !paths.contains(path)).collect();
        assert_eq!(missing, [""; 0], "paths of features are described");
    }
    assert!(paths.len() > routes.len(), "features add theirs: {paths:?}");
    let query = described["paths"]["/api/v1/search"]["get"]["parameters"].as_array().unwrap();
    let types: Vec<_> =
        query.iter().map(|one| (one["name"].as_str().unwrap(), one["schema"]["type"].as_str().unwrap())).collect();
    assert_eq!(types, [("q", "string"), ("words_only", "boolean")]);
    let text = described.to_string();
    let mut names = text.split("\"$ref\":\"#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
    assert!(names.all(|name| described["components"]["schemas"][name].is_object()), "{text}");
}
