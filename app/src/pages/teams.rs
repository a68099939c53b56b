//! Teams: people to whom reports are made visible and collections opened together.

use super::{Visit, query, render_page};
use crate::prelude::*;
use domain::team::{Team, TeamInvitation, TeamMember};
use views::teams::{TeamLine, TeamsView};

/// Loads the teams, with the values of a refused form of `team`.
async fn load_teams(team: Option<String>) -> Result<Visit<(TeamsView, TypedValues)>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.teams_view(&viewer).await?;
    let kept = KeptForm::take_of_page(viewer.id).await;
    let typed = TypedValues { team, name: kept.get("name"), person: kept.get("person") };
    Ok(Visit { viewer, page: (page, typed) })
}

/// Values of a refused form.
#[derive(Debug, Clone, Default)]
pub(super) struct TypedValues {
    /// Id of the team of the form; none: a new team.
    team: Option<String>,
    name: Option<String>,
    person: Option<String>,
}

impl TypedValues {
    fn for_team(&self, team: &Team) -> Self {
        if self.team.as_deref() == Some(&team.id.to_string()) { self.clone() } else { Self::default() }
    }
}

#[component]
pub fn TeamsPage() -> impl IntoView {
    let error = query("error");
    let has_declined = query("invitation").as_deref() == Some("declined");
    render_page(load_teams(query("team")), move |Visit { viewer, page: (page, typed) }| {
        view! { <PageBody viewer page error typed has_declined /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(
    viewer: User,
    page: TeamsView,
    error: Option<String>,
    #[prop(optional)] typed: TypedValues,
    /// The viewer declined an invitation just now.
    #[prop(optional)]
    has_declined: bool,
) -> impl IntoView {
    let TeamsView { teams, invitations, may_create } = page;
    let invitations = invitations.into_iter().map(|one| view! { <Invitation one /> }).collect_view();
    let (myself, is_empty) = (viewer.id, teams.is_empty());
    let new_name = typed.name.clone().filter(|_| typed.team.is_none()).unwrap_or_default();
    let items = teams.into_iter().map(|line| {
        let typed = typed.for_team(&line.team);
        view! { <TeamSection line myself typed /> }
    });
    let items = items.collect_view();
    view! {
        <Title text="Teams" />
        <Frame viewer nav=NavItem::Other>
            <h1>"Teams"</h1>
            <p class="muted">"A report that you make visible to a team can be read by its members. They read documents only of collections that you open to the team, in the library."</p>
            <NoticeBanner code=error />
            {has_declined.then(|| view! { <p class="notice" role="status">"Invitation declined."</p> })}
            <div class="with-margin">
                <div class="teams">
                    {invitations}
                    {is_empty.then(|| match may_create {
                        true => view! {
                            <EmptyState text="No teams yet: the people whom you invite to one read what you open to it." href="#name" button="Name a team" />
                        }
                        .into_any(),
                        false => view! {
                            <EmptyState text="You are not in a team: others invite you by your user name." href="/account" button="See your user name" />
                        }
                        .into_any(),
                    })}
                    {items}
                </div>
                {may_create.then(|| view! { <Create name=new_name /> })}
            </div>
        </Frame>
    }
    .into_any()
}

#[component]
fn Create(name: String) -> impl IntoView {
    view! {
        <aside aria-labelledby="create-title">
            <h2 id="create-title">"New team"</h2>
            <form method="post" action="/teams" class="form">
                <div class="field">
                    <label for="name">"Name"</label>
                    <input id="name" name="name" type="text" maxlength=Team::MAX_NAME_CHARS autocomplete="off" required value=name />
                </div>
                <button type="submit">"Create team"</button>
            </form>
        </aside>
    }
}

/// One team: its members, and for those who manage it the forms that change it.
#[component]
fn TeamSection(line: TeamLine, myself: UserId, typed: TypedValues) -> impl IntoView {
    let TeamLine { team, members, invited, may_manage, collections } = line;
    let invited = invited.into_iter().map(|one| view! { <Invited one /> }).collect_view();
    let title = format!("team-{}", team.id);
    let count = format::count(members.len() as u64, "member", "members");
    let rows = members.into_iter().map(|member| view! { <Member team=team.clone() member myself may_manage /> }).collect_view();
    let shared = collections.into_iter().enumerate().map(|(n, (id, name))| {
        view! { {(n > 0).then_some(", ")} <a href=format!("/documents?collection={id}")>{name}</a> }
    });
    let shared: Vec<_> = shared.collect();
    view! {
        <section class="team" aria-labelledby=title.clone()>
            <h2 id=title.clone()>{team.name.clone()}</h2>
            <p class="hint">{count} ", since " <time datetime=team.created_at.to_string()>{format::day(team.created_at)}</time></p>
            <ul class="people">{rows} {invited}</ul>
            {(!shared.is_empty()).then(|| view! { <p>"Documents of the team: " {shared}</p> })}
            {may_manage.then(|| view! { <Change team typed /> })}
        </section>
    }
}

#[component]
fn Member(team: Team, member: TeamMember, myself: UserId, may_manage: bool) -> impl IntoView {
    let is_me = member.id == myself;
    let (text, button, warning) = if is_me {
        ("Leave…", "Leave", "You can no longer read what is open to the team. Only its manager can invite you again.")
    } else {
        ("Remove…", "Remove", "They can no longer read what is open to the team.")
    };
    let whom = if is_me { format!(" team {}", team.name) } else { format!(" {} from {}", member.name, team.name) };
    view! {
        <li class="person">
            <p class="person-name">
                {member.name.clone()}
                {is_me.then_some(" (you)")}
                {member.is_disabled.then(|| view! { " " <Badge tone=Tone::Warning text="Disabled" /> })}
            </p>
            {(may_manage || is_me).then(|| view! {
                <Confirm text=text about=whom.clone() warning=warning>
                    <form method="post" action=format!("/teams/{}/remove", team.id)>
                        <input type="hidden" name="member" value=member.id.to_string() />
                        <button type="submit" class="outline">{button} <span class="hidden">{whom}</span></button>
                    </form>
                </Confirm>
            })}
        </li>
    }
}

/// An invited person, whose invitation can be taken back.
#[component]
fn Invited(one: TeamInvitation) -> impl IntoView {
    let TeamInvitation { team, team_name, person, person_name, .. } = one;
    let whole = format!(" the invitation of {person_name} to {team_name}");
    view! {
        <li class="person">
            <p class="person-name">{person_name} " " <Badge tone=Tone::Warning text="Invited" /></p>
            <form method="post" action=format!("/teams/{team}/remove")>
                <input type="hidden" name="member" value=person.to_string() />
                <button type="submit" class="outline">
                    "Take back" <span class="hidden">{whole}</span>
                </button>
            </form>
        </li>
    }
}

/// An invitation of the viewer, with its answers.
#[component]
fn Invitation(one: TeamInvitation) -> impl IntoView {
    let TeamInvitation { team, team_name, by_name, at, .. } = one;
    let title = format!("invitation-{team}");
    let labelled = title.clone();
    let [accepted, declined] = [(); 2].map(|()| format!(" the invitation to {team_name}"));
    view! {
        <section class="team" aria-labelledby=labelled>
            <h2 id=title>{format!("Invitation to {team_name}")}</h2>
            <p>
                {by_name} " invites you, " <time datetime=at.to_string()>{format::day(at)}</time>
                ". Members read the reports and documents that are opened to the team. Your questions read the documents of a team only where you choose them."
            </p>
            <div class="team-answer">
                <form method="post" action=format!("/teams/{team}/accept")>
                    <button type="submit">"Accept" <span class="hidden">{accepted}</span></button>
                </form>
                <form method="post" action=format!("/teams/{team}/decline")>
                    <button type="submit" class="outline">"Decline" <span class="hidden">{declined}</span></button>
                </form>
            </div>
        </section>
    }
}

/// Forms that invite people, rename and delete.
#[component]
fn Change(team: Team, typed: TypedValues) -> impl IntoView {
    let id = team.id.to_string();
    let (person, name) = (format!("person-{id}"), format!("name-{id}"));
    let is_renaming = typed.name.is_some();
    view! {
        <form method="post" action=format!("/teams/{id}/add") class="team-form">
            <label for=person.clone()>"User name"</label>
            <input id=person name="person" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" required value=typed.person.unwrap_or_default() />
            <button type="submit" class="outline">"Invite" <span class="hidden">{format!(" to {}", team.name)}</span></button>
        </form>
        <details open=is_renaming>
            <summary>"Rename or delete" <span class="hidden">{format!(" {}", team.name)}</span></summary>
            <form method="post" action=format!("/teams/{id}/rename") class="team-form">
                <label for=name.clone()>"New name"</label>
                <input id=name name="name" type="text" maxlength=Team::MAX_NAME_CHARS autocomplete="off" required value=typed.name.unwrap_or_else(|| team.name.clone()) />
                <button type="submit" class="outline">"Rename"</button>
            </form>
            <form method="post" action=format!("/teams/{id}/delete")>
                <p class="hint">"Reports and collections that are open to this team become private to their owners. Nothing else is deleted."</p>
                <button type="submit" class="outline">"Delete " {team.name}</button>
            </form>
        </details>
    }
}
