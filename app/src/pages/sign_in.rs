//! The pages before sign-in: sign in, and the first account.

use super::{query, render_page};
use crate::{atoms::TextField, parts::AuthLayout, prelude::*};

/// State of the pages before sign-in.
#[derive(Debug, Clone)]
pub struct SignInState {
    /// Whether an account exists.
    has_people: bool,
    /// User name of the form that was refused.
    typed_name: Option<String>,
    /// Least characters of a password.
    min_password_chars: usize,
}

/// Returns the state of the pages before sign-in. Redirects a signed-in user to `next`.
async fn load_sign_in_state(next: Option<String>) -> Result<SignInState, AppError> {
    let engine = crate::session::engine()?;
    let typed_name = crate::session::typed_name();
    let min_password_chars = crate::session::min_password_chars();
    if crate::session::visitor(&engine).await?.is_some() {
        crate::session::see_other(crate::session::local_path(next.as_deref().unwrap_or("/")));
        return Ok(SignInState { has_people: true, typed_name, min_password_chars });
    }
    Ok(SignInState { has_people: engine.accounts.has_people().await?, typed_name, min_password_chars })
}

/// Returns the hint of a field for a new password.
pub(super) fn password_hint(min_chars: usize) -> String {
    format!("At least {min_chars} characters; several words are fine.")
}

/// Whether a form error concerns the password field.
pub(super) fn concerns_password(error: Option<&str>) -> bool {
    error.and_then(Notice::parse).is_some_and(Notice::concerns_password)
}

#[component]
pub fn SignInPage() -> impl IntoView {
    let (next, error) = (query("next"), query("error"));
    let again = concerns_password(error.as_deref());
    render_page(load_sign_in_state(next.clone()), move |SignInState { has_people, typed_name, .. }| {
        let name = typed_name.filter(|_| error.is_some());
        if !has_people {
            crate::session::see_other("/first-account");
        }
        view! {
            <Title text="Sign in" />
            <AuthLayout>
                <h1>"Sign in"</h1>
                <NoticeBanner code=error />
                <form method="post" action="/sign-in" class="form">
                    <input type="hidden" name="next" value=next.unwrap_or_default() />
                    <TextField name="username" label="User name" autocomplete="username" value=name.unwrap_or_default() autofocus=!again />
                    <TextField name="password" label="Password" kind="password" autocomplete="current-password" autofocus=again />
                    <button type="submit">"Sign in"</button>
                </form>
                <p class="hint">"No account? Ask an administrator for one."</p>
            </AuthLayout>
        }
        .into_any()
    })
}

#[component]
pub fn FirstAccountPage() -> impl IntoView {
    let (code, error) = (query("code"), query("error"));
    let again = concerns_password(error.as_deref());
    render_page(load_sign_in_state(None), move |SignInState { has_people, typed_name, min_password_chars }| {
        let name = typed_name.filter(|_| error.is_some());
        // The printed address holds the code; who came without it types it.
        let code = match code.filter(|_| error.as_deref() != Some(Notice::BadSetupCode.code())) {
            Some(code) => view! { <input type="hidden" name="code" value=code /> }.into_any(),
            None => view! {
                <TextField name="code" label="Set-up code" autocomplete="off" hint="Open the address that the server printed when it started, or copy the code from it." autofocus=true />
            }
            .into_any(),
        };
        if has_people {
            crate::session::see_other("/sign-in");
        }
        view! {
            <Title text="First account" />
            <AuthLayout>
                <h1>"Create the first account"</h1>
                <p>"The first account is an administrator: it adds people, connects models and turns on sources."</p>
                <NoticeBanner code=error />
                <form method="post" action="/first-account" class="form">
                    {code}
                    <TextField name="username" label="User name" autocomplete="username" value=name.unwrap_or_default() autofocus=!again />
                    <TextField name="password" label="Password" kind="password" autocomplete="new-password" hint=password_hint(min_password_chars) autofocus=again />
                    <TextField name="password_again" label="Password again" kind="password" autocomplete="new-password" />
                    <button type="submit">"Create account"</button>
                </form>
            </AuthLayout>
        }
        .into_any()
    })
}
