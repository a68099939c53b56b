//! Form posts for sign-in, sign-out and the first account.

use super::{auth::AccountUser, cookies, device_label::device_label, prelude::*, sessions, sign_in_limits};
use app::session::{encode, local_path};
use engine::accounts::{self, AccountError, FirstAccount, SignIn, hash_token};

/// Known devices of one account.
const MAX_DEVICES: u32 = 50;
/// Attempts at the first account per minute and network.
const FIRST_ACCOUNT_PER_MINUTE: u32 = 10;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SignInForm {
    username: String,
    password: String,
    next: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct FirstAccountForm {
    username: String,
    password: String,
    password_again: String,
    code: String,
}

pub(super) async fn sign_in(
    State(web): State<WebState>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    session: Session,
    Form(form): Form<SignInForm>,
) -> Response<Body> {
    let next = local_path(&form.next);
    let refused = |notice| {
        let next = if next == "/" { "" } else { next };
        with_typed_name(redirect_back("/sign-in", notice, &[("next", next)]), &form.username)
    };
    let program = &web.program;
    let device = cookies::value(&headers, cookies::DEVICE);
    let attempt = match sign_in_limits::begin(program, &form.username, address, device).await {
        Ok(Some(attempt)) => attempt,
        Ok(None) => return refused(Notice::TooManyAttempts),
        Err(error) => return refused(store_notice(&error)),
    };
    match try_sign_in(&web, &form, address).await {
        Ok(user) => {
            attempt.succeeded(program).await;
            signed_in(&web, &session, &headers, &user, next).await.unwrap_or_else(refused)
        }
        Err(error) => refused(notice_of(&error)),
    }
}

async fn try_sign_in(web: &WebState, form: &SignInForm, address: std::net::IpAddr) -> Result<User, AccountError> {
    let program = &web.program;
    let is_known = program.engine.accounts.user_by_name(form.username.trim()).await?.is_some();
    let unknown_name = if is_known { None } else { sign_in_limits::describe_unknown_name(program, &form.username).await? };
    let attempt = SignIn {
        name: &form.username,
        password: &form.password,
        address: Some(address),
        unknown_name: unknown_name.as_deref(),
    };
    accounts::sign_in(&program.engine, &program.passwords, attempt).await
}

pub(super) async fn sign_out(
    State(web): State<WebState>,
    ClientAddress(address): ClientAddress,
    user: Result<AccountUser, Response<Body>>,
    session: Session,
) -> Response<Body> {
    if let Err(error) = session.flush().await {
        tracing::error!(%error, "sign-out failed");
        return redirect_back("/", Notice::Unavailable, &[]);
    }
    if let Ok(AccountUser(user)) = user {
        let by = Actor { user: Some(user.id), address: Some(address) };
        if let Err(error) = accounts::audit(&web.program.engine, by, "sign_out", &user.name).await {
            tracing::error!(%error, "audit entry not written");
        }
    }
    redirect("/sign-in")
}

pub(super) async fn first_account(
    State(web): State<WebState>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    session: Session,
    Form(form): Form<FirstAccountForm>,
) -> Response<Body> {
    let refused = |notice| match notice {
        Notice::AlreadySetUp => redirect_back("/sign-in", notice, &[]),
        notice => with_typed_name(redirect_back("/first-account", notice, &[("code", form.code.trim())]), &form.username),
    };
    let program = &web.program;
    let bucket = format!("first-account:{}", ClientAddress(address).network());
    match program.limits.take(&bucket, FIRST_ACCOUNT_PER_MINUTE).await {
        Ok(true) => {}
        Ok(false) => return refused(Notice::TooManyAttempts),
        Err(error) => return refused(store_notice(&error)),
    }
    if form.password != form.password_again {
        return refused(Notice::PasswordsDiffer);
    }
    let first = FirstAccount { name: &form.username, password: &form.password, code: &form.code, address: Some(address) };
    match accounts::create_first(&program.engine, &program.passwords, first).await {
        Ok(user) => signed_in(&web, &session, &headers, &user, "/").await.unwrap_or_else(refused),
        Err(error) => refused(notice_of(&error)),
    }
}

/// Starts a session and remembers the device; returns the redirect.
async fn signed_in(
    web: &WebState,
    session: &Session,
    headers: &HeaderMap,
    user: &User,
    next: &str,
) -> Result<Response<Body>, Notice> {
    let program = &web.program;
    let now = program.engine.clock.now();
    sessions::start(session, user.id, device_label(headers), now).await.map_err(|error| {
        tracing::error!(%error, "session not stored");
        Notice::Unavailable
    })?;
    let token = sessions::random_token();
    let remembered = program.web_sessions.remember_device(&hash_token(&token), user.id, now, MAX_DEVICES).await;
    if let Err(error) = remembered {
        tracing::warn!(%error, "device not remembered");
        return Ok(redirect(next));
    }
    Ok(cookies::set(redirect(next), cookies::DEVICE, &token, cookies::DEVICE_SECONDS))
}

/// Keeps the typed user name for the form that is shown again.
pub(super) fn with_typed_name(response: Response<Body>, name: &str) -> Response<Body> {
    let name: String = name.trim().chars().take(64).collect();
    if name.is_empty() {
        return response;
    }
    cookies::set(response, cookies::TYPED_NAME, &encode(&name), cookies::TYPED_NAME_SECONDS)
}

pub(super) fn notice_of(error: &AccountError) -> Notice {
    match error {
        AccountError::BadName => Notice::BadName,
        AccountError::NameTaken => Notice::NameTaken,
        AccountError::PasswordShort { .. } => Notice::PasswordShort,
        AccountError::PasswordLong { .. } => Notice::PasswordLong,
        AccountError::PasswordCommon => Notice::PasswordCommon,
        AccountError::PasswordSame => Notice::PasswordSame,
        AccountError::BadSetupCode => Notice::BadSetupCode,
        AccountError::NotTheFirst => Notice::AlreadySetUp,
        AccountError::Missing => Notice::NotFound,
        AccountError::LastAdmin => Notice::LastAdmin,
        AccountError::Refused => Notice::WrongPassword,
        AccountError::Hashing => Notice::Internal,
        AccountError::Store(error) => store_notice(error),
    }
}
