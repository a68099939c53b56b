//! Tests of the claims about an entity: their pages and filters.

use crate::prelude::*;
use views::graph::ClaimsFilter;

/// Reports of two months about one name.
const REPORTS: [(&str, &str); 2] = [
    ("one.txt", "PORT HALEN, March 3, 2031 -- Halvek Rail owns the grain store, the mayor Orrin Vale said on Monday."),
    ("two.txt", "PORT HALEN, April 4, 2031 -- Halvek Rail sued Linden Fund over the grain store, a court said on Tuesday."),
];

/// Returns an entity with two claims of two months.
async fn of_two_months(app: &App, name: &str) -> Option<EntityId> {
    let engine = &app.program.engine;
    let user = engine.accounts.user_by_name(name).await.unwrap().unwrap().0;
    for entity in engine.entities_view(&user, "", "").await.unwrap().entities {
        let view = engine.entity_claims_view(&user, entity.id, ClaimsFilter::default()).await.unwrap().unwrap();
        if view.total == 2 && view.months.len() == 2 {
            return Some(entity.id);
        }
    }
    None
}

fn claim(page: &str) -> &str {
    page.split("href=\"/claims/").nth(1).and_then(|rest| rest.get(..36)).expect("a claim is linked")
}

#[tokio::test]
async fn the_claims_of_an_entity_have_pages_and_are_filtered_by_the_address() {
    let app = spawn_with(|config| config.engine.pages.entity_claims = 1).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    ada.ask("Who owns the grain store?", &REPORTS).await;
    let found = async || of_two_months(&app, "ada").await.is_some();
    assert!(crate::eventually::eventually(found).await, "an entity has claims of two months");
    let address = format!("/entities/{}/claims", of_two_months(&app, "ada").await.unwrap());

    let first = ada.get(&address).await.text();
    let second = ada.get(&format!("{address}?page=2")).await.text();
    assert!(first.contains(">2 claims<") && second.contains(">2 claims<"), "{first}");
    assert!(first.contains("name=\"page\" value=\"2\"") && second.contains("start=\"2\""), "{first}");
    assert_ne!(claim(&first), claim(&second));
    assert_eq!(claim(&ada.get(&format!("{address}?page=9")).await.text()), claim(&second), "the last page");

    let link = format!("{address}?month=2031-03");
    assert!(first.contains(&format!("href=\"{link}\"")), "{first}");
    let march = ada.get(&link).await.text();
    assert!(march.contains(">1 of 2 claims<") && march.contains("Published 2031-03"), "{march}");
    assert!(march.contains("Remove this filter") && march.contains(&format!("href=\"{address}\" class=\"button outline\"")));
    assert_eq!(claim(&march), claim(&second), "the older one");
    let elsewhere = ada.get(&format!("{address}?outlet={}", EntityId(app.program.engine.ids.next()))).await.text();
    assert!(elsewhere.contains(">0 of 2 claims<") && elsewhere.contains("Unknown outlet"), "{elsewhere}");
    assert!(elsewhere.contains("No claims pass the filters.") && !elsewhere.contains("href=\"/claims/"), "{elsewhere}");
    let unnamed = ada.get(&format!("{address}?outlet=none&mode=asserted")).await.text();
    assert!(unnamed.contains("No outlet named") && unnamed.contains(">Asserted"), "{unnamed}");
}
