//! Routes of the feature.

use super::fixture;
use crate::verify::verify;
use domain::ObjectId;
use feature::{GraphViewPort, SavedGraphView, testing::TestSite};
use uuid::Uuid;

/// View that Ada saved.
const VIEW: ObjectId = ObjectId(Uuid::from_u128(11));
/// Port to that view alone, which only Ada sees.
const PORT: GraphViewPort = GraphViewPort {
    find: |_, viewer, ids| {
        Box::pin(async move {
            let view = SavedGraphView {
                id: VIEW,
                name: "Gate".to_owned(),
                notes: String::new(),
                query: "search=gate".to_owned(),
                created_at: viewer.created_at,
            };
            Ok([view].into_iter().filter(|view| viewer.name == "ada" && ids.contains(&view.id)).collect())
        })
    },
    owner: |_, _| Box::pin(async { Ok(None) }),
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_saved_graph_view_is_downloaded_by_those_who_see_it() {
    let fixture = fixture().await;
    let site = TestSite::new(crate::feature().graph_views(PORT), &fixture.backend);
    let id = VIEW;
    let path = format!("/graph/views/{id}/stix.json");
    let ada = site.signed_in(fixture.owner.id).await;
    let bob = site.signed_in(fixture.backend.user("bob").await).await;
    let answer = ada.get(&path).await;
    assert_eq!(answer.status, 200);
    let bundle = answer.json();
    let grouping = bundle["objects"].as_array().unwrap().iter().find(|object| object["type"] == "grouping").unwrap();
    assert_eq!(grouping["name"], "Gate");
    let log = site.web.engine.accounts.audit_log(1).await.unwrap();
    assert_eq!((log[0].act.as_str(), log[0].object.as_str()), ("export_stix", id.to_string().as_str()));
    assert_eq!(bob.get(&path).await.status, 404);
    assert_eq!(ada.get("/graph/views/x/stix.json").await.status, 404);
    assert_eq!(site.stranger().get(&path).await.status, 303);
    fixture.backend.close().await;
}

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
