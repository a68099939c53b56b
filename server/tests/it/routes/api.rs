//! Tests of `/api/v1`.

use crate::app::spawn_app;
use domain::user::Role;

#[tokio::test]
async fn strangers_are_told_to_sign_in_as_json() {
    let app = spawn_app().await;
    for path in ["/api/v1/investigations", "/api/v1/assessments/x", "/api/v1/documents/x", "/api/v1/nothing"] {
        let answer = app.browser().get(path).await;
        assert_eq!(answer.status, 401, "{path}");
        assert_eq!(answer.json()["error"]["code"], "signed_out");
    }
}

#[tokio::test]
async fn what_is_not_there_is_404() {
    let app = spawn_app().await;
    let mut browser = app.signed_in("ada", Role::Reader).await;
    assert_eq!(browser.get("/api/v1/investigations").await.json(), serde_json::json!([]));
    for path in ["/api/v1/assessments/x", "/api/v1/documents/0192d3c4-0000-7000-8000-000000000000", "/api/v1/nothing"] {
        let answer = browser.get(path).await;
        assert_eq!((answer.status, answer.json()["error"]["code"].clone()), (404, "not_found".into()), "{path}");
    }
}
