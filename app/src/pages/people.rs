//! Accounts: roles and disabled people. For administrators.

use super::{Visit, query, render_page, sign_in::concerns_password};
use crate::{atoms::TextField, prelude::*};
use views::PeopleView;

async fn load_people() -> Result<(Visit<PeopleView>, Option<String>), AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let refused = || AppError::not_allowed("Accounts are visible to administrators.");
    let page = engine.people_view(&viewer, crate::session::min_password_chars()).await?.ok_or_else(refused)?;
    Ok((Visit { viewer, page }, crate::session::typed_name()))
}

/// Answer in the address to a reset of a password, with the id of the person.
#[derive(Debug, Clone, Default)]
pub(super) struct ResetAnswer {
    done: Option<String>,
    refused: Option<String>,
}

#[component]
pub fn PeoplePage() -> impl IntoView {
    let error = query("error");
    let role = query("role").and_then(|role| Role::parse(&role)).unwrap_or(Role::Analyst);
    let reset = ResetAnswer { done: query("reset"), refused: query("person") };
    render_page(load_people(), move |(Visit { viewer, page }, typed_name)| {
        let name = typed_name.unwrap_or_default();
        view! { <PageBody viewer page name role error reset /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(
    viewer: User,
    page: PeopleView,
    name: String,
    /// Role that was chosen before a refusal.
    #[prop(default = Role::Analyst)]
    role: Role,
    error: Option<String>,
    #[prop(optional)] reset: ResetAnswer,
) -> impl IntoView {
    let myself = viewer.id;
    let hint = format!("At least {} characters. The person chooses another at the first sign-in.", page.min_password_chars);
    let ResetAnswer { done, refused } = reset;
    let again = refused.is_none() && concerns_password(error.as_deref());
    let is_same = |person: &User, id: &Option<String>| id.as_deref() == Some(&person.id.to_string());
    let done = page.people.iter().find(|person| is_same(person, &done)).map(|person| person.name.clone());
    let count = format::count(page.people.len() as u64, "person", "people");
    let rows = page
        .people
        .into_iter()
        .map(|person| view! { <Row is_me=person.id == myself is_resetting=is_same(&person, &refused) person /> })
        .collect_view();
    view! {
        <Title text="People" />
        <Frame viewer nav=NavItem::People>
            <h1>"People"</h1>
            <p><a href="/people/log">"Audit log"</a></p>
            <NoticeBanner code=error />
            {done.map(|name| view! {
                <p class="notice" role="status">"Password of " {name} " reset. They choose another at the next sign-in."</p>
            })}
            <div class="with-margin">
                <section aria-labelledby="people-title">
                    <h2 id="people-title">{count}</h2>
                    <ul class="people">{rows}</ul>
                </section>
                <aside aria-labelledby="add-title">
                    <h2 id="add-title">"Add person"</h2>
                    <form method="post" action="/people" class="form">
                        <TextField name="username" label="User name" autocomplete="off" value=name />
                        <div class="field">
                            <label for="role">"Role"</label>
                            <Roles id="role" chosen=role />
                        </div>
                        <TextField name="password" label="Temporary password" kind="password" autocomplete="new-password" hint=hint autofocus=again />
                        <button type="submit">"Add"</button>
                    </form>
                </aside>
            </div>
        </Frame>
    }
    .into_any()
}

/// One person with the two forms that change something.
#[component]
fn Row(person: User, is_me: bool, is_resetting: bool) -> impl IntoView {
    let id = person.id.to_string();
    let reset = (!is_me).then(|| view! { <ResetPassword id=id.clone() name=person.name.clone() is_open=is_resetting /> });
    let select = format!("role-{id}");
    view! {
        <li class="person">
            <div>
                <p class="person-name">
                    {person.name.clone()}
                    {is_me.then_some(" (you)")}
                    {person.is_disabled.then(|| view! { " " <Badge tone=Tone::Warning text="Disabled" /> })}
                    {person.must_change_password.then(|| view! { " " <Badge tone=Tone::Quiet text="Must change password" /> })}
                </p>
                <p class="hint">"Since " <time datetime=person.created_at.to_string()>{format::day(person.created_at)}</time></p>
            </div>
            <form method="post" action=format!("/people/{id}/role") class="person-role">
                <label for=select.clone() class="hidden">"Role of " {person.name.clone()}</label>
                <Roles id=select chosen=person.role />
                <button type="submit" class="quiet">"Change" <span class="hidden">" the role of " {person.name.clone()}</span></button>
            </form>
            {if person.is_disabled {
                view! {
                    <form method="post" action=format!("/people/{id}/enable")>
                        <button type="submit" class="quiet">"Enable" <span class="hidden">": " {person.name.clone()}</span></button>
                    </form>
                }
                .into_any()
            } else {
                view! {
                    <Confirm text="Disable…" about=person.name.clone() warning="They are signed out at once and cannot sign in. What they made stays.">
                        <form method="post" action=format!("/people/{id}/disable")>
                            <button type="submit" class="outline">"Disable " {person.name.clone()}</button>
                        </form>
                    </Confirm>
                }
                .into_any()
            }}
            {reset}
        </li>
    }
    .into_any()
}

/// Form that sets a temporary password.
#[component]
fn ResetPassword(id: String, name: String, is_open: bool) -> impl IntoView {
    let field = format!("password-{id}");
    view! {
        <details class="confirm person-password" open=is_open>
            <summary>"Reset password…" <span class="hidden">{name.clone()}</span></summary>
            <form method="post" action=format!("/people/{id}/password") class="confirm-body">
                <p class="hint">"Signs them out everywhere. Tell them the password; they choose another at the next sign-in."</p>
                <label for=field.clone()>"Temporary password"</label>
                <input id=field name="password" type="password" autocomplete="new-password" required />
                <button type="submit" class="outline">"Reset the password of " {name}</button>
            </form>
        </details>
    }
}

#[component]
fn Roles(#[prop(into)] id: String, chosen: Role) -> impl IntoView {
    let options = Role::ALL
        .into_iter()
        .map(|role| view! { <option value=role.as_str() selected=role == chosen>{format::sentence_case(role.as_str())}</option> })
        .collect_view();
    view! { <select id=id name="role">{options}</select> }
}
