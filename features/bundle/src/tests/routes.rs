//! Routes of the feature.

use super::fixture;
use crate::verify::verify;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_is_downloaded_by_its_readers_alone() {
    let fixture = fixture().await;
    let id = fixture.assessment;
    let (bundle, stix) = (format!("/assessments/{id}/bundle.html"), format!("/assessments/{id}/bundle.stix.json"));
    let ada = fixture.site.signed_in(fixture.owner.id).await;
    let bob = fixture.site.signed_in(fixture.backend.user("bob").await).await;
    let file = ada.get(&bundle).await;
    assert_eq!(file.status, 200);
    let verified = verify(file.text().as_bytes(), None, &[]).unwrap();
    assert_eq!((verified.assessment_id, verified.quotations, verified.without_passage), (id, 3, 0));
    assert_eq!(ada.get(&stix).await.json()["type"], "bundle");
    let audited: Vec<String> =
        fixture.site.web.engine.accounts.audit_log(10).await.unwrap().into_iter().map(|entry| entry.act).collect();
    assert!(["export_bundle", "export_stix"].iter().all(|act| audited.iter().any(|one| one == act)), "{audited:?}");
    for path in [&bundle, &stix] {
        assert_eq!(bob.get(path).await.status, 404, "{path}");
        assert_eq!(fixture.site.stranger().get(path).await.status, 303, "{path}");
    }
    fixture.backend.close().await;
}
