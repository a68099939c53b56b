//! Owner and visibility of a report, and the form that changes who may read it.

use super::NoticeBanner;
use crate::prelude::*;
use domain::{
    team::Team,
    visibility::{Visibility, VisibilityKind},
};
use views::teams::{Access, VisibilityForm};

/// Answer in the address to the last change of the visibility, or to another refused form of the page.
#[derive(Debug, Clone, Default)]
pub struct VisibilityAnswer {
    error: Option<String>,
    /// The choice of a refused form.
    chosen: Option<Visibility>,
    is_saved: bool,
}

impl VisibilityAnswer {
    pub fn new(error: Option<String>, chosen: Option<String>, is_saved: bool) -> Self {
        Self { error, chosen: chosen.as_deref().and_then(Visibility::parse), is_saved }
    }

    /// The form of the visibility was refused.
    fn concerns_visibility(&self) -> bool {
        self.error.as_deref().and_then(Notice::parse) == Some(Notice::QuotesNotAgreed)
    }
}

/// Returns the readers in words.
pub fn readers(access: &Access) -> String {
    match (access.visibility, &access.team) {
        (Visibility::Private, _) if access.is_mine => "Only you".to_owned(),
        (Visibility::Private, _) => format!("Only {}", access.owner_name),
        (Visibility::Workspace, _) => "Everyone".to_owned(),
        (Visibility::Team(_), team) => team.as_ref().map_or_else(|| "A team".to_owned(), |name| format!("Team {name}")),
    }
}

/// Owner and readers in a row of a list; your own private reports need no mark.
#[component]
pub fn AccessMark(access: Access) -> impl IntoView {
    let readers = (access.visibility != Visibility::Private).then(|| readers(&access));
    view! {
        {(!access.is_mine).then(|| view! { <span class="row-owner"><span class="hidden">"Owner: "</span>{access.owner_name}</span> })}
        {readers.map(|text| view! { <Badge tone=Tone::Quiet text /> })}
    }
}

/// Owner and readers of a report; for its owner with the form that changes them.
#[component]
pub fn Readers(
    access: Option<Access>,
    form: Option<VisibilityForm>,
    /// The report to come back to; none: the investigation.
    #[prop(optional)]
    report: Option<AssessmentId>,
    #[prop(optional)] answer: VisibilityAnswer,
) -> impl IntoView {
    let is_open = answer.concerns_visibility();
    access.map(|access| {
        let text = readers(&access);
        let owner = (!access.is_mine).then(|| format!("Owner: {}. ", access.owner_name));
        match form {
            Some(form) => view! {
                <details class="readers" open=is_open name="actions">
                    <summary>"Share" <span class="muted">{owner} <span class="hidden">"Who can read this: "</span> {text}</span></summary>
                    <ChangeForm form report chosen=answer.chosen />
                </details>
            }
            .into_any(),
            None => view! { <p class="readers muted">{owner} "Who can read this: " {text}</p> }.into_any(),
        }
    })
}

/// Answer to the last change of the readers, or to another refused form of the page.
#[component]
pub fn ReadersNotice(answer: VisibilityAnswer) -> impl IntoView {
    let VisibilityAnswer { error, is_saved, .. } = answer;
    view! {
        <NoticeBanner code=error />
        {is_saved.then(|| view! { <p class="notice" role="status">"Saved. Send the address of this page to those who should read it. They find it under Notifications, too."</p> })}
    }
}

#[component]
fn ChangeForm(form: VisibilityForm, report: Option<AssessmentId>, chosen: Option<Visibility>) -> impl IntoView {
    let VisibilityForm { id, chosen: current, by_collection, is_mine, teams } = form;
    let by_collection = by_collection.map(|team| {
        view! {
            <p class="hint">
                "Team " {team} " reads it whatever you choose here, because its collection is open to them. "
                <a href="/documents">"Change that in the library"</a> "."
            </p>
        }
    });
    view! {
        <form method="post" action=format!("/investigations/{id}/visibility") class="form">
            {report.map(|report| view! { <input type="hidden" name="report" value=report.to_string() /> })}
            <VisibilityFields teams chosen=chosen.unwrap_or(current) is_mine />
            {by_collection}
            <button type="submit" class="outline">"Share"</button>
        </form>
    }
}

/// Choice of the readers, and the agreement that they read the quotes.
#[component]
pub fn VisibilityFields(
    teams: Vec<Team>,
    chosen: Visibility,
    /// The report belongs to the viewer.
    #[prop(default = true)]
    is_mine: bool,
) -> impl IntoView {
    let nobody_else = if is_mine { "Only you" } else { "Only its owner" };
    let agreement = match is_mine {
        true => "Others may read its quotes, also from documents that only I can open",
        false => "The owner agrees that others read its quotes, also from documents that only the owner can open",
    };
    let has_teams = !teams.is_empty();
    let options = teams.into_iter().map(|team| {
        let visibility = Visibility::Team(team.id);
        view! { <option value=visibility.to_string() selected={visibility == chosen}>{format!("Team {}", team.name)}</option> }
    });
    let options = options.collect_view();
    view! {
        <div class="field">
            <label for="visibility">"Who can read the report"</label>
            <select id="visibility" name="visibility" aria-describedby="visibility-hint">
                <option value=VisibilityKind::Private.as_str()>{nobody_else}</option>
                <option value=VisibilityKind::Workspace.as_str() selected={chosen == Visibility::Workspace}>"Everyone with an account"</option>
                {options}
            </select>
            <label class="switch">
                <input type="checkbox" name="quotes" value="agreed" />
                {agreement}
            </label>
            <p class="hint" id="visibility-hint">
                "Others read the report; they cannot change it. Your documents, their claims and the agent log stay closed to them. "
                {match has_teams {
                    true => view! { <a href="/teams">"Manage teams"</a> "." }.into_any(),
                    false => view! { <a href="/teams">"Create a team"</a> " to choose a few people." }.into_any(),
                }}
            </p>
        </div>
    }
}
