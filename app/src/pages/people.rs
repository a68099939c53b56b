//! Accounts: roles and disabled people. For administrators.

use super::{Visit, query, render_page, sign_in::concerns_password};
use crate::{
    AppError,
    atoms::{Badge, TextField, Tone},
    format,
    parts::{Frame, NavItem, NoticeBanner},
};
use domain::user::{Role, User};
use leptos::prelude::*;
use leptos_meta::Title;
use views::PeopleView;

#[server]
async fn load_people() -> Result<(Visit<PeopleView>, Option<String>), AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let refused = || AppError::not_allowed("Accounts are visible to administrators.");
    let page = engine.people_view(&viewer).await?.ok_or_else(refused)?;
    Ok((Visit { viewer, page }, crate::session::typed_name()))
}

#[component]
pub fn PeoplePage() -> impl IntoView {
    let error = query("error");
    render_page(load_people(), move |(Visit { viewer, page }, typed_name)| {
        let name = typed_name.unwrap_or_default();
        view! { <PageBody viewer page name error /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(viewer: User, page: PeopleView, name: String, error: Option<String>) -> impl IntoView {
    let myself = viewer.id;
    let again = concerns_password(error.as_deref());
    let count = format::count(page.people.len() as u64, "person", "people");
    let rows = page.people.into_iter().map(|person| view! { <Row is_me=person.id == myself person /> }).collect_view();
    view! {
        <Title text="People" />
        <Frame viewer nav=NavItem::People>
            <h1>"People"</h1>
            <p><a href="/people/log">"Audit log"</a></p>
            <NoticeBanner code=error />
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
                            <Roles id="role" chosen=Role::Analyst />
                        </div>
                        <TextField name="password" label="Temporary password" kind="password" autocomplete="new-password" hint="At least 12 characters. The person chooses another at the first sign-in." autofocus=again />
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
fn Row(person: User, is_me: bool) -> impl IntoView {
    let id = person.id.to_string();
    let select = format!("role-{id}");
    let (act, button) = if person.is_disabled { ("enable", "Enable") } else { ("disable", "Disable") };
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
            <form method="post" action=format!("/people/{id}/{act}")>
                <button type="submit" class="quiet">{button} <span class="hidden">": " {person.name}</span></button>
            </form>
        </li>
    }
    .into_any()
}

#[component]
fn Roles(#[prop(into)] id: String, chosen: Role) -> impl IntoView {
    let options = Role::ALL
        .into_iter()
        .map(|role| view! { <option value=role.as_str() selected=role == chosen>{role.as_str()}</option> })
        .collect_view();
    view! { <select id=id name="role">{options}</select> }
}
