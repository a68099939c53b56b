//! Tests of what pages say about owner and readers, and of the page of teams.

use super::{fixtures, rendered};
use crate::{
    pages::{
        assessment::{Html, PageBody as AssessmentWhole},
        assessments::PageBody as AssessmentsWhole,
        teams::PageBody as TeamsWhole,
    },
    prelude::*,
};
use domain::{
    TeamId,
    team::{Team, TeamMember},
    visibility::Visibility,
};
use views::teams::{Access, TeamLine, TeamsView, VisibilityForm};

fn person(n: u32) -> UserId {
    format!("01890000-0000-7000-8000-{n:012}").parse().expect("a well-formed id")
}

fn team() -> Team {
    let viewer = fixtures::viewer();
    Team { id: TeamId(person(5).0), name: "North desk".into(), created_by: viewer.id, created_at: viewer.created_at }
}

fn access(visibility: Visibility, is_mine: bool) -> Access {
    let owner = person(9);
    let team = matches!(visibility, Visibility::Team(_)).then(|| team().name);
    Access { owner, owner_name: "k.lind".into(), is_mine, visibility, team }
}

#[test]
fn the_owner_of_a_report_changes_who_can_read_it_without_javascript() {
    let report = |answer| {
        let mut view = fixtures::assessment();
        (view.is_sample, view.access) = (false, Some(access(Visibility::Private, true)));
        let id = view.assessment.investigation_id;
        view.visibility_form =
            Some(VisibilityForm { id, chosen: Visibility::Private, by_collection: None, is_mine: true, teams: vec![team()] });
        let html = Html::new(&view.assessment);
        rendered("report-readers", || view! { <AssessmentWhole viewer=fixtures::viewer() view html tab=Tab::Brief answer /> })
    };
    let html = report(VisibilityAnswer::default());
    for text in ["Only you", "/visibility\"", "Everyone with an account", "Team North desk", "name=\"quotes\"", "stay closed"] {
        assert!(html.contains(text), "{text}: {html}");
    }
    assert!(!html.contains("<details open name=\"actions\" class=\"readers\""), "closed until it is opened");
    let chosen = Some(Visibility::Team(team().id).to_string());
    let html = report(VisibilityAnswer::new(Some("quotes_not_agreed".into()), chosen, false));
    assert!(html.contains("Tick the box") && html.contains("<details open name=\"actions\" class=\"readers\""), "{html}");
    let option = html.split("<option").find(|option| option.contains("North desk")).unwrap();
    assert!(option.contains("selected"), "the refused choice is kept: {option}");
}

#[test]
fn a_report_of_another_person_links_to_no_private_page() {
    for tab in [Tab::Brief, Tab::Analysis, Tab::Evidence, Tab::Work] {
        let mut view = fixtures::assessment();
        view.closed = view.assessment.cited().into_iter().collect();
        (view.is_sample, view.sees_records, view.access) = (false, false, Some(access(Visibility::Workspace, false)));
        let html = Html::new(&view.assessment);
        let html = rendered("report-lent", || view! { <AssessmentWhole viewer=fixtures::viewer() view html tab /> });
        assert!(html.contains("Owner: k.lind") && html.contains("Everyone") && !html.contains("/visibility\""), "{html}");
        assert!(!html.contains("href=\"/documents/") && !html.contains("/sessions\""), "{html}");
    }
}

#[test]
fn the_list_names_owners_and_readers_and_filters_by_them() {
    let home = fixtures::dashboard();
    let mut assessments = home.assessments;
    assessments.iter_mut().for_each(|card| card.is_sample = false);
    assessments[0].access = Some(access(Visibility::Team(team().id), false));
    let filter = views::ListFilter { visibility: Some(domain::visibility::VisibilityKind::Team), ..Default::default() };
    let total = assessments.len() as u64;
    let page = views::AssessmentList {
        assessments,
        total,
        page: 1,
        per_page: 1,
        filter,
        collections: vec![],
        has_sample: true,
        now: home.now,
    };
    let html = rendered("readers", || view! { <AssessmentsWhole viewer=fixtures::viewer() page undo=vec![] error=None /> });
    assert!(html.contains("k.lind") && html.contains("Team North desk"), "{html}");
    assert!(html.contains("name=\"visibility\" value=\"team\""), "the pages of the list keep the filter: {html}");
}

#[test]
fn a_team_is_changed_without_javascript_by_those_who_manage_it() {
    let viewer = fixtures::viewer();
    let member = |n, name: &str| TeamMember { id: person(n), name: name.into(), is_disabled: n == 9 };
    let members = vec![TeamMember { id: viewer.id, name: viewer.name.clone(), is_disabled: false }, member(9, "k.lind")];
    let page = |may_manage| {
        let line = TeamLine { team: team(), members: members.clone(), invited: vec![], may_manage, collections: vec![] };
        let page = TeamsView { teams: vec![line], invitations: vec![], may_create: true };
        rendered(
            if may_manage { "teams" } else { "teams-member" },
            || view! { <TeamsWhole viewer=fixtures::viewer() page error=Some("team_name_taken".to_owned()) /> },
        )
    };
    let html = page(true);
    for text in
        ["North desk", "2 members", "/add\"", "/rename\"", "/delete\"", "/remove\"", "Leave", "Disabled", "Another team"]
    {
        assert!(html.contains(text), "{text}: {html}");
    }
    let html = page(false);
    assert!(html.contains("Leave") && !html.contains("/rename\"") && !html.contains(">Remove"), "{html}");
}
