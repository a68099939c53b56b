//! Tests of `/tools`.

use crate::prelude::*;

#[tokio::test]
async fn analysts_see_tool_quality() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let page = ada.get("/tools").await.text();
    assert!(page.contains("No tool calls in this period") && page.contains("Last 7 days"), "{page}");
    assert!(ada.get("/tools?days=30").await.text().contains("/tools?days=1"));
    assert_eq!(ada.get("/tools?days=soon").await.status, 200);
    assert!(ada.get("/settings").await.text().contains("href=\"/tools\""));
    let mut reader = app.signed_in("rea", Role::Reader).await;
    assert_eq!(reader.get("/tools").await.status, 403);
    assert!(!reader.get("/settings").await.text().contains("href=\"/tools\""));
    assert!(app.browser().get("/tools").await.location().starts_with("/sign-in"));
}
