//! Form posts of one's own account: a new password, the end of all sessions, and the password typed again before changes of keys
//! and people.

use super::{auth::AccountUser, prelude::*, sessions, sign_in::notice_of, sign_in_limits};
use app::session::local_path;
use engine::accounts::{self, AccountError, PasswordChange};
use std::net::IpAddr;

const PAGE: &str = "/account";
const CONFIRM_PAGE: &str = "/account/confirm";

// No `Debug`, because they hold passwords.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct PasswordForm {
    old_password: String,
    password: String,
    password_again: String,
    /// Page to go to afterwards, where the change was demanded on the way there.
    next: String,
}

#[derive(Deserialize)]
pub(super) struct SessionForm {
    /// Key of the session.
    #[serde(default)]
    session: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ConfirmForm {
    password: String,
    next: String,
}

pub(super) async fn change_password(
    State(web): State<WebState>,
    AccountUser(user): AccountUser,
    ClientAddress(address): ClientAddress,
    session: Session,
    Form(form): Form<PasswordForm>,
) -> Response<Body> {
    if form.password != form.password_again {
        return redirect_back(PAGE, Notice::PasswordsDiffer, &[("next", &form.next)]);
    }
    let program = &web.program;
    let key = sessions::key(&session);
    let change =
        PasswordChange { old: &form.old_password, new: &form.password, keep_session: key.as_deref(), address: Some(address) };
    let changed = limited(&web, &user, address, async {
        accounts::change_password(&program.engine, &program.passwords, &user, change).await
    });
    match changed.await {
        Ok(()) => {
            if let Err(error) = sessions::confirm(&session, program.engine.clock.now()).await {
                tracing::warn!(%error, "session not updated");
            }
            redirect(if form.next.is_empty() { "/account?changed=1" } else { local_path(&form.next) })
        }
        Err(notice) => redirect_back(PAGE, notice, &[("next", &form.next)]),
    }
}

pub(super) async fn sign_out_everywhere(
    State(web): State<WebState>,
    AccountUser(user): AccountUser,
    ClientAddress(address): ClientAddress,
) -> Response<Body> {
    let program = &web.program;
    let by = Actor { user: Some(user.id), address: Some(address) };
    let entry = accounts::entry(&program.engine, by, "sign_out_everywhere", &user.name);
    match program.web_sessions.end_all(user.id, &entry).await {
        Ok(()) => redirect("/sign-in"),
        Err(error) => redirect_back(PAGE, store_notice(&error), &[]),
    }
}

/// Ends one session of one's own.
pub(super) async fn end_session(
    State(web): State<WebState>,
    AccountUser(user): AccountUser,
    ClientAddress(address): ClientAddress,
    Form(form): Form<SessionForm>,
) -> Response<Body> {
    let program = &web.program;
    let by = Actor { user: Some(user.id), address: Some(address) };
    let entry = accounts::entry(&program.engine, by, "end_session", &user.name);
    match program.web_sessions.end(user.id, &form.session, &entry).await {
        Ok(true) => redirect("/account?ended=1"),
        Ok(false) => redirect_back(PAGE, Notice::NotFound, &[]),
        Err(error) => redirect_back(PAGE, store_notice(&error), &[]),
    }
}

pub(super) async fn confirm(
    State(web): State<WebState>,
    AccountUser(user): AccountUser,
    ClientAddress(address): ClientAddress,
    session: Session,
    Form(form): Form<ConfirmForm>,
) -> Response<Body> {
    let (program, next) = (&web.program, local_path(&form.next));
    let confirmed = limited(&web, &user, address, async {
        accounts::confirm_password(&program.engine, &program.passwords, &user, &form.password, Some(address)).await
    });
    match confirmed.await {
        Ok(()) => match sessions::confirm(&session, program.engine.clock.now()).await {
            Ok(()) => redirect(next),
            Err(error) => {
                tracing::error!(%error, "session not stored");
                redirect_back(CONFIRM_PAGE, Notice::Unavailable, &[("next", next)])
            }
        },
        Err(notice) => redirect_back(CONFIRM_PAGE, notice, &[("next", next)]),
    }
}

/// Runs a check of the password under the limits of sign-in, for a browser that was found open.
async fn limited(
    web: &WebState,
    user: &User,
    address: IpAddr,
    check: impl Future<Output = Result<(), AccountError>>,
) -> Result<(), Notice> {
    let attempt = sign_in_limits::begin_again(&web.program, user, address).await.map_err(|error| store_notice(&error))?;
    let attempt = attempt.ok_or(Notice::TooManyAttempts)?;
    let done = check.await;
    if !matches!(done, Err(AccountError::Refused | AccountError::Store(_))) {
        attempt.succeeded(&web.program).await;
    }
    done.map_err(|error| match error {
        AccountError::Refused => Notice::WrongOldPassword,
        other => notice_of(&other),
    })
}
