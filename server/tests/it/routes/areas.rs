//! Test of the areas of the bar, by the right and by the data of the viewer.

use crate::prelude::*;

/// Returns the bar of the home page.
async fn bar(browser: &mut Browser) -> String {
    let html = browser.get("/").await.text();
    let (_, rest) = html.split_once("class=\"bar-nav\"").expect("the home page has a bar");
    rest.split_once("</nav>").expect("the bar ends").0.to_owned()
}

#[tokio::test]
async fn a_reader_sees_the_areas_in_which_they_read_something() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut rea = app.signed_in("rea", Role::Reader).await;
    let areas = ["Assessments</a>", "Tensions</a>", "Explore</a>", "Library</a>"];
    let (analyst, reader) = (bar(&mut ada).await, bar(&mut rea).await);
    for area in areas {
        assert!(analyst.contains(area), "an empty page says how to begin: {area} {analyst}");
        assert!(!reader.contains(area), "{area} {reader}");
    }
    assert!(reader.contains("Home</a>") && reader.contains("Monitor</a>"), "{reader}");
    assert_eq!(rea.get("/documents").await.status, 200, "the address stays open");

    let sample = ada.post("/sample", &[]).await.location().to_owned();
    ada.get(&format!("/api/v1{sample}/events")).await;
    let reader = bar(&mut rea).await;
    for area in ["Assessments</a>", "Explore</a>", "Library</a>"] {
        assert!(reader.contains(area), "shown with the first data: {area} {reader}");
    }
}
