//! One's own account: the password, and the devices that are signed in; and the page that asks for the password again.

use super::{Visit, query, render_page, sign_in::password_hint};
use crate::{atoms::TextField, parts::ThemeSwitch, prelude::*};
use domain::user::Preferences;
use views::{AccountView, DeviceLine};

async fn load_account() -> Result<Visit<AccountView>, AppError> {
    let (engine, viewer) = crate::session::account_viewer().await?;
    let sessions = crate::session::web_sessions()?;
    let page = engine
        .account_view(&*sessions, &viewer, &crate::session::session_key().await, crate::session::min_password_chars())
        .await?;
    Ok(Visit { viewer, page })
}

async fn load_confirm_viewer() -> Result<User, AppError> {
    Ok(crate::session::viewer().await?.1)
}

#[component]
pub fn AccountPage() -> impl IntoView {
    let (error, is_changed, is_saved) = (query("error"), query("changed").is_some(), query("saved").is_some());
    let (is_ended, next) = (query("ended").is_some(), query("next").unwrap_or_default());
    render_page(load_account(), move |Visit { viewer, page }| {
        view! { <PageBody viewer page error is_changed is_saved is_ended next /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(
    viewer: User,
    page: AccountView,
    error: Option<String>,
    is_changed: bool,
    #[prop(optional)] is_saved: bool,
    #[prop(optional)] is_ended: bool,
    /// Page to go to once the password is changed.
    #[prop(optional)]
    next: String,
) -> impl IntoView {
    let hint = password_hint(page.min_password_chars);
    // The only thing to do until it is done.
    let devices = (!viewer.must_change_password).then(|| view! { <Devices sessions=page.sessions /> });
    let preferences = (!viewer.must_change_password).then(|| view! { <PreferenceForm chosen=viewer.preferences /> });
    let added = (!viewer.must_change_password).then(|| view! { <Pieces at=Slot::Account { viewer: viewer.clone() } /> });
    let (name, role) = (viewer.name.clone(), format::sentence_case(viewer.role.as_str()));
    view! {
        <Title text="Account" />
        <Frame viewer nav=NavItem::Account>
            <h1>"Account"</h1>
            <p class="muted">"You are signed in as " {name} ", with the role " {role} "."</p>
            <NoticeBanner code=error />
            {is_changed.then(|| view! { <p class="notice" role="status">"Password changed. Your other devices are signed out."</p> })}
            {is_ended.then(|| view! { <p class="notice" role="status">"That device is signed out."</p> })}
            {is_saved.then(|| view! { <p class="notice" role="status">"Preferences saved."</p> })}
            <div class="with-margin">
                <section aria-labelledby="password-title">
                    <h2 id="password-title">"Change password"</h2>
                    <form method="post" action="/account/password" class="form">
                        {(!next.is_empty()).then(|| view! { <input type="hidden" name="next" value=next /> })}
                        <TextField name="old_password" label="Current password" kind="password" autocomplete="current-password" />
                        <TextField name="password" label="New password" kind="password" autocomplete="new-password" hint=hint />
                        <TextField name="password_again" label="New password again" kind="password" autocomplete="new-password" />
                        <button type="submit">"Change password"</button>
                    </form>
                </section>
                {devices}
            </div>
            {preferences}
            {added}
        </Frame>
    }
    .into_any()
}

/// Single keys, colours, and the sample.
#[component]
fn PreferenceForm(chosen: Preferences) -> impl IntoView {
    view! {
        <section aria-labelledby="preferences-title">
            <h2 id="preferences-title">"Preferences"</h2>
            <form method="post" action="/account/preferences" class="form preferences">
                <label class="switch">
                    <input type="checkbox" name="shortcuts" value="on" checked=!chosen.shortcuts_off />
                    "Single keys as shortcuts (press ? for the list)"
                </label>
                <label class="switch">
                    <input type="checkbox" name="sample" value="on" checked=!chosen.hides_sample />
                    "Show the sample in home, lists and search"
                </label>
                <button type="submit">"Save preferences"</button>
            </form>
            <p class="needs-script">"Colours of this browser: " <ThemeSwitch /></p>
        </section>
    }
}

#[component]
fn Devices(sessions: Vec<DeviceLine>) -> impl IntoView {
    let lines = sessions
        .into_iter()
        .map(|session| {
            let device = session.device.clone();
            view! {
                <li>
                    <p class="device-name">
                        {session.device}
                        {session.is_current.then(|| view! { " " <Badge tone=Tone::Quiet text="This device" /> })}
                    </p>
                    <p class="hint">
                        "Last used " <time datetime=session.used_at.to_string()>{format::minute(session.used_at)}</time>
                        ", signed in " <time datetime=session.started_at.to_string()>{format::day(session.started_at)}</time>
                    </p>
                    {(!session.is_current).then(|| view! {
                        <form method="post" action="/account/sessions/end">
                            <input type="hidden" name="session" value=session.key />
                            <button type="submit" class="quiet">"Sign out" <span class="hidden">{format!(" {device}")}</span></button>
                        </form>
                    })}
                </li>
            }
        })
        .collect_view();
    view! {
        <aside aria-labelledby="devices-title">
            <h2 id="devices-title">"Signed-in devices"</h2>
            <ul class="devices">{lines}</ul>
            <form method="post" action="/account/sign-out-everywhere">
                <button type="submit" class="quiet">"Sign out everywhere"</button>
            </form>
        </aside>
    }
}

#[component]
pub fn ConfirmPage() -> impl IntoView {
    let (error, next) = (query("error"), query("next").unwrap_or_default());
    render_page(load_confirm_viewer(), move |viewer| view! { <ConfirmBody viewer error next /> }.into_any())
}

#[component]
pub(super) fn ConfirmBody(viewer: User, error: Option<String>, next: String) -> impl IntoView {
    view! {
        <Title text="Enter your password" />
        <Frame viewer nav=NavItem::Other>
            <h1>"Enter your password"</h1>
            <p>"Changes of people and keys need your password again. Then send the form once more."</p>
            <NoticeBanner code=error />
            <form method="post" action="/account/confirm" class="form">
                <input type="hidden" name="next" value=next />
                <TextField name="password" label="Password" kind="password" autocomplete="current-password" autofocus=true />
                <button type="submit">"Continue"</button>
            </form>
        </Frame>
    }
}
