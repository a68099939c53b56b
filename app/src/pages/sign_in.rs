//! The pages before sign-in: sign in, and the first account.

use super::{query, render_page};
use crate::{
    AppError, Notice,
    atoms::TextField,
    parts::{AuthLayout, NoticeBanner},
};
use leptos::prelude::*;
use leptos_meta::Title;

/// Returns whether an account exists. Redirects a signed-in user to `next`.
#[server]
async fn load_sign_in_state(next: Option<String>) -> Result<bool, AppError> {
    let engine = crate::session::engine()?;
    if crate::session::visitor(&engine).await?.is_some() {
        let inside = next.filter(|next| next.starts_with('/') && !next.starts_with("//") && !next.contains('\\'));
        crate::session::see_other(inside.as_deref().unwrap_or("/"));
        return Ok(true);
    }
    Ok(engine.accounts.has_people().await?)
}

/// Whether a form error concerns the password field.
pub(super) fn concerns_password(error: Option<&str>) -> bool {
    error.and_then(Notice::parse).is_some_and(Notice::concerns_password)
}

#[component]
pub fn SignInPage() -> impl IntoView {
    let (next, name, error) = (query("next"), query("username"), query("error"));
    let again = concerns_password(error.as_deref());
    render_page(load_sign_in_state(next.clone()), move |has_people| {
        if !has_people {
            #[cfg(feature = "ssr")]
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
    let (name, error) = (query("username"), query("error"));
    let again = concerns_password(error.as_deref());
    render_page(load_sign_in_state(None), move |has_people| {
        if has_people {
            #[cfg(feature = "ssr")]
            crate::session::see_other("/sign-in");
        }
        view! {
            <Title text="First account" />
            <AuthLayout>
                <h1>"Create the first account"</h1>
                <p>"The first account is an administrator: it adds people, connects models and turns on sources."</p>
                <NoticeBanner code=error />
                <form method="post" action="/first-account" class="form">
                    <TextField name="username" label="User name" autocomplete="username" value=name.unwrap_or_default() autofocus=!again />
                    <TextField name="password" label="Password" kind="password" autocomplete="new-password" hint="At least 10 characters; several words are fine." autofocus=again />
                    <TextField name="password_again" label="Password again" kind="password" autocomplete="new-password" />
                    <button type="submit">"Create account"</button>
                </form>
            </AuthLayout>
        }
        .into_any()
    })
}
