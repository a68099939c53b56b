//! Pages of the graph: the claims about an entity, and probable duplicates.

use super::rendered;
use crate::{
    pages::{
        fixtures,
        graph::{EntityClaimsWhole, PairsWhole},
    },
    prelude::*,
};
use domain::{
    ReviewId,
    claim::Mode,
    entity::{Entity, Review},
    subgraph::GraphNode,
};
use std::collections::BTreeMap;
use views::graph::{ClaimsFilter, EntityClaimsView, MonthLine, OutletFilter, OutletLine, PairView, ReviewsView};

fn id() -> EntityId {
    fixtures::uuid(80)
}

fn outlet() -> OutletFilter {
    OutletFilter::Entity(fixtures::uuid(81))
}

fn claims_view(filter: ClaimsFilter) -> EntityClaimsView {
    let month = |month: &str, claims| MonthLine { month: month.into(), claims };
    EntityClaimsView {
        entity: GraphNode { id: id(), name: "Halvek Rail".into(), kind: "company".into(), claims: None },
        filter,
        claims: vec![],
        total: 450,
        per_page: 200,
        all: 612,
        outlet: Some("Orrin Wire".into()),
        modes: vec![(Mode::Asserted, 449), (Mode::Denied, 1), (Mode::Alleged, 0), (Mode::Promised, 0), (Mode::Forecast, 0)],
        outlets: vec![
            OutletLine {
                outlet: outlet(),
                name: Some("Orrin Wire".into()),
                modes: vec![(Mode::Asserted, 400), (Mode::Denied, 1)],
            },
            OutletLine { outlet: OutletFilter::Unnamed, name: None, modes: vec![(Mode::Asserted, 49)] },
        ],
        months: vec![month("2031-03", 300), month("2031-04", 140)],
        undated: 10,
    }
}

fn claims_page(name: &str, filter: ClaimsFilter) -> String {
    rendered(name, || view! { <EntityClaimsWhole viewer=fixtures::viewer() page=claims_view(filter) /> })
}

#[test]
fn claims_are_narrowed_by_mode_outlet_and_month_in_one_click() {
    let html = claims_page("claims", ClaimsFilter { page: 1, ..ClaimsFilter::default() });
    let address = format!("/entities/{}/claims", id());
    for query in
        ["mode=denied", "month=2031-03", "outlet=none", &format!("mode=denied&amp;outlet={}", fixtures::uuid::<EntityId>(81))]
    {
        assert!(html.contains(&format!("href=\"{address}?{query}\"")), "{query}: {html}");
    }
    for text in ["450 claims", "denied 1", "alleged 0", "By month of publication", "10 claims without a date", "1 of 3"] {
        assert!(html.replace("<!>", "").contains(text), "{text}: {html}");
    }
    assert!(!html.contains("mode=alleged") && !html.contains("promised") && !html.contains("Remove this filter"), "{html}");
}

#[test]
fn filters_of_claims_are_removed_one_by_one_and_kept_between_pages() {
    let filter = ClaimsFilter {
        mode: Some(Mode::Denied),
        outlet: Some(outlet()),
        month: PartialDate::parse("2031-03"),
        page: 2,
        ..ClaimsFilter::default()
    };
    let html = claims_page("claims-filtered", filter);
    let address = format!("/entities/{}/claims", id());
    let outlet = fixtures::uuid::<EntityId>(81);
    for query in [
        format!("outlet={outlet}&amp;month=2031-03"),
        "mode=denied&amp;month=2031-03".into(),
        format!("mode=denied&amp;outlet={outlet}"),
    ] {
        assert!(html.contains(&format!("href=\"{address}?{query}\" class=\"button outline\"")), "{query}: {html}");
    }
    assert!(html.contains("450 of 612 claims") && html.contains("start=\"201\""), "{html}");
    assert!(html.contains("name=\"month\" value=\"2031-03\"") && html.contains("name=\"page\" value=\"3\""), "{html}");
}

fn pair(n: u32, score: f64, why: &str, kinds: [&str; 2]) -> PairView {
    let entity = |id: u32, kind: &str| Entity {
        id: fixtures::uuid(id),
        kind: kind.into(),
        canonical_name: "Robert Castellan".into(),
        aliases: vec![],
        is_stub: false,
        external_ids: BTreeMap::new(),
        properties: BTreeMap::new(),
        history: BTreeMap::new(),
        summary: None,
        last_updated: fixtures::now(),
        embedding_pending: false,
    };
    let (left, right) = (entity(n + 1, kinds[0]), entity(n + 2, kinds[1]));
    let review = Review {
        id: fixtures::uuid::<ReviewId>(n),
        left: left.id,
        right: right.id,
        score,
        why: why.into(),
        created_at: fixtures::now(),
        postponed_at: None,
        decided_by: None,
        decided_at: None,
    };
    PairView { review, left, right, left_claims: vec![], right_claims: vec![] }
}

#[test]
fn a_pair_shows_the_reason_of_its_proposal() {
    let pairs = vec![
        pair(100, 1.0, "the same name", ["person", "Person"]),
        pair(110, 1.0, "the same name", ["person", "place"]),
        pair(120, 0.87, "some letters differ", ["person", "person"]),
        pair(130, 1.0, "the same name; judged unsure: two offices", ["person", "person"]),
    ];
    let texts = [
        "Same name, kinds agree.",
        "Same name, kinds differ.",
        "Names 87\u{a0}% alike: some letters differ.",
        "Same name, kinds agree. Judged by a model as unsure: two offices.",
    ];
    for (text, open) in texts.into_iter().zip(pairs.iter().map(|pair| pair.review.id)) {
        let page = ReviewsView { pairs: pairs.clone(), open: Some(open), total: 4, page: 1, per_page: 50 };
        let html = rendered(
            "reviews",
            || view! { <PairsWhole viewer=fixtures::viewer() page error=None decided=None decided_many=None /> },
        );
        assert!(html.contains(text) && !html.contains("likeness"), "{text}: {html}");
        assert_eq!((html.matches("class=\"pair\"").count(), html.matches("class=\"pair-link\"").count()), (1, 4), "{html}");
        assert!(html.contains(&format!("pair={open}\" aria-current=\"true\"")), "{html}");
    }
}

#[test]
fn pairs_of_one_reason_can_be_decided_at_once() {
    let pairs = vec![
        pair(100, 1.0, "the same name", ["person", "person"]),
        pair(110, 0.9, "initials agree", ["person", "person"]),
        pair(120, 0.8, "the same name", ["person", "person"]),
        pair(130, 0.7, "the same name; judged unsure: two offices", ["person", "person"]),
    ];
    let page = ReviewsView { pairs, open: None, total: 4, page: 1, per_page: 50 };
    let decided_many = Some((2, crate::pages::graph::PastList::Merged));
    let html =
        rendered("reviews", || view! { <PairsWhole viewer=fixtures::viewer() page error=None decided=None decided_many /> });
    assert_eq!(html.matches("action=\"/reviews/decide\"").count(), 1, "one reason has several pairs: {html}");
    assert_eq!(html.matches(" form=\"group-1\"").count(), 2, "{html}");
    for (number, heading) in (1..).zip(["The same name <", "Initials agree <", "The same name; judged unsure <"]) {
        assert!(html.contains(&format!("id=\"reason-{number}\">{heading}")), "{heading}: {html}");
    }
    assert!(html.contains("2 pairs merged.") && html.contains("href=\"/reviews/merges\">past merges"), "{html}");
}
