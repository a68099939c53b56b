//! Tests of `/work-orders/failed`.

use crate::prelude::*;
use uuid::Uuid;

#[tokio::test]
async fn only_administrators_see_and_change_failed_work_orders() {
    let (app, mut boss) = spawn_for("boss", Role::Admin).await;
    assert!(boss.get("/settings").await.text().contains("href=\"/work-orders/failed\""));
    let page = boss.get("/work-orders/failed").await.text();
    assert!(page.contains("0 work orders"), "{page}");
    let id = Uuid::nil();
    for (act, code) in [("requeue", "not_requeued"), ("discard", "not_found")] {
        let answer = boss.post(&format!("/work-orders/{id}/{act}"), &[]).await;
        assert_eq!(answer.location(), format!("/work-orders/failed?error={code}"));
        assert_eq!(boss.post(&format!("/work-orders/x/{act}"), &[]).await.location(), "/work-orders/failed?error=not_found");
    }
    assert!(boss.get("/work-orders/failed?error=not_requeued").await.text().contains("cannot be queued again"));
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    assert_eq!(ada.get("/work-orders/failed").await.status, 403);
    assert!(!ada.get("/settings").await.text().contains("/work-orders/failed"));
    let refused = ada.post(&format!("/work-orders/{id}/discard"), &[]).await;
    assert_eq!(refused.location(), "/?error=not_allowed");
}
