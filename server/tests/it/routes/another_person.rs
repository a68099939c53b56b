//! Tests of every route that takes an id, with the ids of another person's private work.

use crate::prelude::*;
use engine::graph::{ClaimQuery, RelationshipQuery};

/// Addresses that show private work.
const READ: [&str; 26] = [
    "/investigations/INVESTIGATION",
    "/investigations/INVESTIGATION/plan",
    "/investigations/INVESTIGATION/sessions",
    "/sessions/SESSION",
    "/sessions/SESSION/steps/0/log",
    "/assessments/ASSESSMENT",
    "/assessments/ASSESSMENT/analysis",
    "/assessments/ASSESSMENT/evidence",
    "/assessments/ASSESSMENT/evidence?view=unused",
    "/assessments/ASSESSMENT/work",
    "/assessments/ASSESSMENT/compare?with=ASSESSMENT",
    "/assessments/ASSESSMENT/history",
    "/assessments/ASSESSMENT/contest?item=c1",
    "/assessments/ASSESSMENT/export.json",
    "/assessments/ASSESSMENT/export.md",
    "/documents/DOCUMENT",
    "/documents/DOCUMENT/text",
    "/documents/DOCUMENT/original",
    "/entities/ENTITY",
    "/entities/ENTITY/claims",
    "/claims/CLAIM",
    "/relationships/RELATIONSHIP",
    "/api/v1/investigations/INVESTIGATION",
    "/api/v1/investigations/INVESTIGATION/events",
    "/api/v1/assessments/ASSESSMENT",
    "/api/v1/documents/DOCUMENT",
];
/// Addresses that print private work, where the server has a browser.
const PRINT: [&str; 2] = ["/assessments/ASSESSMENT/brief.pdf", "/assessments/ASSESSMENT/full.pdf"];
/// Form posts that annotate private work; the first part of each leads to its list.
const ANNOTATE: [&str; 14] = [
    "/assessments/ASSESSMENT/contest",
    "/assessments/ASSESSMENT/contest/withdraw",
    "/assessments/ASSESSMENT/exclude",
    "/assessments/ASSESSMENT/include",
    "/assessments/ASSESSMENT/tag",
    "/assessments/ASSESSMENT/untag",
    "/assessments/ASSESSMENT/notes",
    "/assessments/ASSESSMENT/notes/remove",
    "/assessments/ASSESSMENT/notes/remove-all",
    "/documents/DOCUMENT/tag",
    "/documents/DOCUMENT/untag",
    "/documents/DOCUMENT/notes",
    "/documents/DOCUMENT/notes/remove",
    "/documents/DOCUMENT/notes/remove-all",
];
/// Form posts that change the plan of a running investigation.
const PLAN: [&str; 3] = [
    "/investigations/INVESTIGATION/plan/add",
    "/investigations/INVESTIGATION/plan/remove",
    "/investigations/INVESTIGATION/plan/first",
];
const STOP: &str = "/investigations/INVESTIGATION/stop";
const RESUME: &str = "/investigations/INVESTIGATION/resume";
const VISIBILITY: &str = "/investigations/INVESTIGATION/visibility";
const READERS: &str = "/collections/COLLECTION/team";
/// Form posts on a team, with a field that would do for any of them.
const TEAM: [&str; 6] = [
    "/teams/TEAM/rename",
    "/teams/TEAM/add",
    "/teams/TEAM/accept",
    "/teams/TEAM/decline",
    "/teams/TEAM/remove",
    "/teams/TEAM/delete",
];
/// Form posts on entities; `reviews` tries what they do.
const DECIDE: [&str; 3] = ["/reviews/REVIEW/decide", "/reviews/merges/MERGE/undo", "/entities/ENTITY/split"];

/// Returns a path with a star for each part that varies.
fn shape(path: &str) -> String {
    let varies = |part: &str| part.starts_with([':', '{']) || part.chars().all(|c| c.is_ascii_uppercase());
    let parts = path.split('/').map(|part| if !part.is_empty() && varies(part) { "*" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// Returns the addresses in a source that contain one of these marks of an id.
fn addresses(source: &str, marks: &[&str]) -> Vec<String> {
    let texts = source.split('"').filter(|text| text.starts_with('/') && marks.iter().any(|mark| text.contains(mark)));
    texts.map(str::to_owned).collect()
}

/// Returns the routes of the kernel that take the id of private work.
fn routes() -> BTreeSet<String> {
    let sources = [include_str!("../../../../app/src/app.rs"), include_str!("../../../src/http.rs")];
    let routes = sources.into_iter().flat_map(|source| addresses(source, &["/:id", "/{id}"]));
    // Accounts and failed work orders are the business of administrators.
    let others = ["/people/", "/work-orders/"];
    routes.filter(|path| !others.iter().any(|other| path.starts_with(other))).map(|path| shape(&path)).collect()
}

/// Returns the lines of code of a folder of a feature, without its tests and without comments.
pub fn feature_source(folder: &Path) -> String {
    let mut source = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("tests") {
            continue;
        }
        if path.is_dir() {
            source.push_str(&feature_source(&path));
        } else if name.ends_with(".rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                source.push_str(line);
                source.push('\n');
            }
        }
    }
    source
}

#[test]
fn every_feature_tries_its_routes_with_an_id() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../features");
    let mut routes = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let folder = entry.unwrap().path().join("src");
        let shapes = |source: &str, marks: &[&str]| -> BTreeSet<String> {
            addresses(source, marks).iter().map(|path| shape(path)).collect()
        };
        let tried = std::fs::read_to_string(folder.join("tests/routes.rs")).unwrap_or_default();
        let source = feature_source(&folder);
        // A formatted address is a link.
        let routes_of: Vec<&str> = source.lines().filter(|line| !line.contains("format!(")).collect();
        let (declared, tried) = (shapes(&routes_of.join("\n"), &["/{id}"]), shapes(&tried, &["/{"]));
        assert!(declared.is_subset(&tried), "{}: {declared:?}, tried in tests/routes.rs: {tried:?}", folder.display());
        routes += declared.len();
    }
    assert!(routes > 0, "no feature was read");
}

#[test]
fn every_route_with_an_id_is_tried_here() {
    let paths = READ
        .into_iter()
        .chain(PRINT)
        .chain(ANNOTATE)
        .chain(PLAN)
        .chain([STOP, RESUME, VISIBILITY, READERS])
        .chain(TEAM)
        .chain(DECIDE)
        .map(|path| path.split('?').next().unwrap_or_default());
    let tried = paths.map(|path| shape(&path.replace("/0/log", "/N/PART")));
    assert_eq!(tried.collect::<BTreeSet<_>>(), routes());
}

#[tokio::test]
async fn the_work_of_another_person_is_not_found() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let address = ada.ask(QUESTION, &[POLICE_REPORT]).await.location().to_owned();
    ada.get(&format!("/api/v1{address}/events")).await;
    let investigation: InvestigationId = address.trim_start_matches("/investigations/").parse().unwrap();
    let assessment = ada.get(&format!("/api/v1{address}")).await.json()["assessment_id"].as_str().unwrap().to_owned();
    let cited = ada.get(&format!("/api/v1/assessments/{assessment}")).await.json();
    let document = cited["citations"][0]["document_id"].as_str().unwrap().to_owned();
    let sessions = app.program.engine.sessions.sessions(investigation).await.unwrap();
    let session = sessions.iter().find(|session| session.role == AgentRole::Processor).unwrap().id;
    let engine = &app.program.engine;
    let owner = engine.accounts.user_by_name("ada").await.unwrap().unwrap().0;
    let scope = engine.accounts.scope_of(owner.id).await.unwrap();
    let every = ClaimQuery { candidates: 100, ..ClaimQuery::default() };
    let claims = engine.graph.find_claims(&scope, &every).await.unwrap().into_iter().map(|found| found.item);
    let claim = claims.into_iter().find(|claim| !claim.entity_ids.is_empty()).expect("a claim about an entity");
    let entity = claim.entity_ids[0];
    let every = RelationshipQuery { candidates: 100, ..RelationshipQuery::default() };
    let relationship = engine.graph.find_relationships(&scope, &every).await.unwrap().pop().expect("a relationship").item.id;
    let filled = |path: &str| {
        let path = path.replace("RELATIONSHIP", &relationship.to_string());
        let path = path.replace("INVESTIGATION", &investigation.to_string()).replace("ASSESSMENT", &assessment);
        let path = path.replace("ENTITY", &entity.to_string()).replace("CLAIM", &claim.id.to_string());
        path.replace("DOCUMENT", &document).replace("SESSION", &session.to_string())
    };
    for path in READ {
        assert_eq!(ada.get(&filled(path)).await.status, 200, "{path}");
    }
    for path in READ.into_iter().filter(|path| path.contains("/sessions")) {
        assert!(app.browser().get(&filled(path)).await.location().starts_with("/sign-in"), "{path} of a stranger");
    }
    assert_eq!(ada.get("/sessions/not-an-id").await.status, 404);
    assert_eq!(ada.post("/teams", &[("name", "North")]).await.location(), "/teams");
    let team = engine.teams.teams(Some(owner.id)).await.unwrap().remove(0).0.id.to_string();
    for role in Role::ALL {
        let mut other: Browser = app.signed_in(role.as_str(), role).await;
        for path in READ {
            assert_eq!(other.get(&filled(path)).await.status, 404, "{path} as {}", role.as_str());
        }
        for path in PRINT {
            assert_eq!(other.get(&filled(path)).await.status, 404, "{path} as {}", role.as_str());
        }
        for path in ANNOTATE {
            let form = [
                ("item", "c1"),
                ("marker", "1"),
                ("value", "low"),
                ("reason", "why"),
                ("contest", assessment.as_str()),
                ("tag", "ours"),
                ("note", assessment.as_str()),
            ];
            let location = other.post(&filled(path), &form).await.location().to_owned();
            let list = path.split('/').nth(1).unwrap_or_default();
            assert_eq!(location, format!("/{list}?error=not_found"), "{path} as {}", role.as_str());
        }
        for path in PLAN {
            let form = [("objective", "find more"), ("task", assessment.as_str())];
            assert_eq!(other.post(&filled(path), &form).await.location(), "/?error=not_found", "{path} as {}", role.as_str());
        }
        for act in [STOP, RESUME] {
            assert_eq!(other.post(&filled(act), &[]).await.location(), "/?error=not_found", "{act} {}", role.as_str());
        }
        let choice = [("visibility", "workspace"), ("quotes", "agreed")];
        assert_eq!(other.post(&filled(VISIBILITY), &choice).await.location(), "/?error=not_found", "{}", role.as_str());
        let readers = READERS.replace("COLLECTION", &claim.collection_id.to_string());
        assert_eq!(other.post(&readers, &[("team", "")]).await.location(), "/documents?error=not_found", "{}", role.as_str());
        if role != Role::Admin {
            for path in TEAM {
                let fields = [("name", "South"), ("person", role.as_str()), ("member", &*owner.id.to_string())];
                let answer = other.post(&path.replace("TEAM", &team), &fields).await;
                assert_eq!(answer.location(), "/teams?error=not_found", "{path} as {}", role.as_str());
            }
            assert!(!other.get("/teams").await.text().contains("North"));
        }
        for path in DECIDE {
            let path = filled(&path.replace("REVIEW", &assessment).replace("MERGE", &assessment));
            let posted = other.post(&path, &[("decision", "apart"), ("claim", &claim.id.to_string())]).await;
            assert!(posted.location().contains("?error=not_"), "{path} as {}", role.as_str());
        }
        assert_eq!(other.get("/api/v1/investigations").await.json(), serde_json::json!([]));
        assert!(!other.get("/").await.text().contains("Port Halen"));
    }
}
