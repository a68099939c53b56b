//! Subgraphs and the paths through them.

use super::prelude::*;
use domain::{QueryText, subgraph::Subgraph};
use engine::graph::paths::{FoundPath, PathQuery, find_paths};

async fn subgraph(fixture: &GraphFixture, scope: &Scope, seeds: &[EntityId], max_edges: u32) -> Subgraph {
    let query = SubgraphQuery { counts_claims: true, ..SubgraphQuery::new(seeds.to_vec(), max_edges) };
    fixture.graph.subgraph(scope, &query).await.unwrap()
}

fn names(graph: &Subgraph) -> Vec<&str> {
    graph.nodes.iter().map(|node| node.name.as_str()).collect()
}

fn descriptions(graph: &Subgraph) -> Vec<&str> {
    graph.edges.iter().map(|edge| edge.description.as_str()).collect()
}

pub async fn a_subgraph_holds_its_seeds_and_the_strongest_links(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = mention(home, "a", "Halvek Front", "They met.");
    let denied = sheet.claim("They did not pay.", &[0]);
    sheet.write.claims[denied].mode = Mode::Denied;
    sheet.write.claims[denied].published = Some(day("2031-03-12"));
    let wire = sheet.entity("Orrin Wire", "outlet");
    let owner = sheet.entity("Boll Holding", "company");
    let far = sheet.entity("Kestra League", "group");
    let pays = sheet.link(0, wire, "pays", &[denied]);
    sheet.write.relationships[pays].weight = Some(0.9);
    let owns = sheet.link(owner, 0, "owns", &[0, denied]);
    sheet.write.relationships[owns].weight = Some(0.4);
    sheet.link(owner, far, "funds", &[0]);
    let written = fixture.write(&sheet).await;
    let (front, holding) = (written.entities[0].id, written.entities[owner].id);

    let around = subgraph(fixture, &scope, &[front], 50).await;
    assert_eq!(names(&around), ["Halvek Front", "Boll Holding", "Orrin Wire"]);
    assert_eq!(descriptions(&around), ["pays", "owns"]);
    assert_eq!(
        (around.nodes[0].kind.as_str(), around.nodes[0].claims, around.nodes[1].claims),
        ("organisation", Some(2), None)
    );
    let support: Vec<_> = around.edges.iter().map(|edge| (edge.claims, edge.asserted, edge.is_unasserted())).collect();
    assert_eq!(support, [(1, 0, true), (2, 1, false)]);
    let times: Vec<_> = around.edges.iter().map(|edge| (edge.first_published, edge.last_published)).collect();
    let denied_on = Timestamp::parse("2031-03-12");
    assert_eq!(times, [(denied_on, denied_on); 2], "a claim without a date leaves the period as it is");
    assert_eq!((around.edges[1].source, around.edges[1].target, around.edges[1].weight), (holding, front, Some(0.4)));

    let both = subgraph(fixture, &scope, &[front, holding], 50).await;
    assert_eq!(names(&both), ["Boll Holding", "Halvek Front", "Kestra League", "Orrin Wire"]);
    assert_eq!(descriptions(&both), ["pays", "owns", "funds"]);
    assert_eq!(descriptions(&subgraph(fixture, &scope, &[front], 1).await), ["pays"]);
    let alone = subgraph(fixture, &scope, &[front], 0).await;
    assert_eq!((names(&alone), alone.edges.len()), (vec!["Halvek Front"], 0));
    assert_eq!(subgraph(fixture, &scope, &[EntityId(id())], 50).await, Subgraph::default());
}

pub async fn a_subgraph_of_merged_entities_is_that_of_the_survivor(fixture: &GraphFixture) {
    let (home, scope) = home();
    let write = |path: &str, name: &str| {
        let mut sheet = mention(home, path, name, "They met.");
        let other = sheet.entity("Orrin Wire", "outlet");
        sheet.link(0, other, "pays", &[0]);
        sheet
    };
    let (one, other) = (write("a", "Halvek Front"), write("b", "Night Brigade"));
    let front = fixture.write(&one).await.entities[0].id;
    let brigade = fixture.write(&other).await.entities[0].id;
    fixture.graph.merge(MergeId(id()), front, brigade, None, one.write.at).await.unwrap();
    for seed in [front, brigade] {
        let around = subgraph(fixture, &scope, &[seed], 50).await;
        assert_eq!((around.nodes[0].id, around.edges.len(), around.edges[0].claims), (front, 1, 2));
    }
}

pub async fn a_subgraph_shows_nothing_out_of_sight(fixture: &GraphFixture) {
    let (ada, shared) = (collection(), collection());
    let hidden = fixture.write(&mention(ada, "a", "Boll Holding", "It exists.")).await.entities[0].id;
    let mut sheet = mention(shared, "b", "Halvek Front", "They met.");
    let link = sheet.link(0, 0, "is owned by it", &[0]);
    sheet.write.relationships[link].target = EntityRef::Existing(hidden);
    let front = fixture.write(&sheet).await.entities[0].id;
    let seen = subgraph(fixture, &Scope::from(shared), &[front, hidden], 50).await;
    assert_eq!((names(&seen), seen.edges.len()), (vec!["Halvek Front"], 0));
    assert_eq!(subgraph(fixture, &Scope::new(vec![ada, shared]), &[front], 50).await.edges.len(), 1);
    assert_eq!(subgraph(fixture, &Scope::from(collection()), &[front], 50).await, Subgraph::default());
}

fn steps(paths: &[FoundPath]) -> Vec<String> {
    let path = |path: &FoundPath| path.nodes.iter().map(|node| node.name.as_str()).collect::<Vec<_>>().join(" - ");
    paths.iter().map(path).collect()
}

/// A chain of ownership, as in a conflict of interest: a family fund holds the company that the minister regulates.
pub async fn a_chain_of_interests_is_found(fixture: &GraphFixture) {
    let (home, scope) = home();
    let mut sheet = mention(home, "a", "Minister Grale", "She signed the rule.");
    let spouse = sheet.entity("Tomas Grale", "person");
    let fund = sheet.entity("Linden Fund", "company");
    let barge = sheet.entity("Halvek Barges", "company");
    let trade = sheet.entity("River freight", "industry");
    let party = sheet.entity("Harbour Party", "party");
    sheet.link(0, spouse, "is married to", &[0]);
    sheet.link(spouse, fund, "owns a stake in", &[0]);
    sheet.link(fund, barge, "owns a stake in", &[0]);
    sheet.link(barge, trade, "operates in", &[0]);
    sheet.link(0, party, "belongs to", &[0]);
    sheet.link(party, trade, "campaigns on", &[0]);
    let written = fixture.write(&sheet).await;
    let of = |place: usize| written.entities[place].id;
    let query =
        PathQuery { from: of(0), to: of(trade), max_hops: 4, max_paths: 5, words: QueryText::default(), max_edges: 100 };
    let found = find_paths(&*fixture.graph, &scope, &query).await.unwrap();
    let long = "Minister Grale - Tomas Grale - Linden Fund - Halvek Barges - River freight";
    assert_eq!(steps(&found), ["Minister Grale - Harbour Party - River freight", long]);
    assert_eq!(found[1].edges.len(), 4);

    let owned = PathQuery { from: of(spouse), to: of(barge), words: "owning".into(), ..query.clone() };
    assert_eq!(
        steps(&find_paths(&*fixture.graph, &scope, &owned).await.unwrap()),
        ["Tomas Grale - Linden Fund - Halvek Barges"]
    );
    let by_owners = PathQuery { words: "owning".into(), ..query.clone() };
    assert_eq!(find_paths(&*fixture.graph, &scope, &by_owners).await.unwrap(), []);
    let near = PathQuery { max_hops: 1, ..query.clone() };
    assert_eq!(find_paths(&*fixture.graph, &scope, &near).await.unwrap(), []);
    let others = find_paths(&*fixture.graph, &Scope::from(collection()), &query).await.unwrap();
    assert_eq!(others, []);
}
