//! The mail server, for administrators.

use super::{order, order_form::Choice};
use crate::{
    links::LinkSigner,
    mail_server::{Encryption, MailServer, PASSWORD, ServerForm},
    store::DeliveryStore,
};
use app::{
    AppError, Notice,
    atoms::TextField,
    parts::{Breadcrumbs, Frame, NavItem, NoticeBanner},
};
use axum::{body::Body, http::Response};
use domain::user::{Action, User};
use engine::{
    StoreResult,
    accounts::{self, Actor},
    models::Secret,
};
use feature::{AnyFields, FormPost, PageVisit, Web, redirect};
use leptos::prelude::*;
use leptos_meta::Title;

pub const PAGE: &str = "/delivery/server";
/// Address of the form that replaces the key of links.
pub const NEW_KEY: &str = "/delivery/server/key";

/// Handler of `GET /delivery/server`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    if !visit.viewer.role.may(Action::Configure) {
        let refused = AppError::not_allowed("Only administrators set up the mail server.");
        return visit.show(Err::<(), _>(refused), |_, ()| ().into_any()).await;
    }
    let loaded = load(&visit.web).await;
    visit.show(loaded, |viewer, page| view! { <PageBody viewer page error /> }.into_any()).await
}

/// Loaded page.
pub struct ServerView {
    server: Option<MailServer>,
    has_password: bool,
    /// Why the key of links cannot be used, if so.
    key_problem: Option<String>,
}

async fn load(web: &Web) -> StoreResult<ServerView> {
    Ok(ServerView {
        server: DeliveryStore::new(web).server().await?,
        has_password: web.secrets.names().await?.contains(PASSWORD),
        key_problem: LinkSigner::find_problem(web).await?,
    })
}

/// Handler of `POST /delivery/server`. The form has a password, so that a refused one is not kept.
pub async fn save(post: FormPost<ServerForm>) -> Response<Body> {
    if !post.user.role.may(Action::Configure) {
        return post.lead_to(order::PAGE, Notice::NotAllowed.code());
    }
    let server = match post.form.server() {
        Ok(server) => server,
        Err(code) => return post.lead_to(PAGE, code),
    };
    match store_server(&post.web, post.by, &server, &post.form.password).await {
        Ok(()) => redirect(order::PAGE),
        Err(error) => post.lead_to(PAGE, app::store_notice(&error)),
    }
}

/// Handler of `POST /delivery/server/key`: replaces the key of links, which ends all addresses and secrets that it signed.
pub async fn make_link_key(post: FormPost<AnyFields>) -> Response<Body> {
    if !post.user.role.may(Action::Configure) {
        return post.lead_to(order::PAGE, Notice::NotAllowed.code());
    }
    match LinkSigner::replace(&post.web, post.by).await {
        Ok(()) => redirect(PAGE),
        Err(error) => post.lead_to(PAGE, app::store_notice(&error)),
    }
}

/// Stores the mail server, and its password where one was typed. Another host, or none without a user name, forgets the earlier password:
/// it is never sent to a server for which it was not typed. `mailer` relies on the
/// order: the earlier password goes first, and the new one comes last.
async fn store_server(web: &Web, by: Actor, server: &MailServer, password: &str) -> StoreResult<()> {
    let store = DeliveryStore::new(web);
    let is_same = store
        .server()
        .await?
        .is_some_and(|known| (known.host, known.username) == (server.host.clone(), server.username.clone()));
    if !is_same {
        web.secrets.remove(PASSWORD, &accounts::entry(&web.engine, by, "remove_key", PASSWORD)).await?;
    }
    store.put_server(server).await?;
    if !password.is_empty() && !server.username.is_empty() {
        let entry = accounts::entry(&web.engine, by, "store_key", PASSWORD);
        web.secrets.store(PASSWORD, &Secret::from(password.to_owned()), &entry).await?;
    }
    accounts::audit(&web.engine, by, "set_mail_server", &server.describe()).await
}

#[component]
fn PageBody(viewer: User, page: ServerView, error: Option<String>) -> impl IntoView {
    let ServerView { server, has_password, key_problem } = page;
    let server = server.unwrap_or_else(|| MailServer {
        site: String::new(),
        host: String::new(),
        port: 587,
        encryption: Encryption::StartTls,
        username: String::new(),
        sender: String::new(),
        sender_name: "AutOSINT".to_owned(),
    });
    let encryptions = Encryption::ALL.map(|one| (one.as_str().to_owned(), one.label().to_owned())).to_vec();
    let port = if server.port == 0 { String::new() } else { server.port.to_string() };
    let hint = match has_password {
        true => "Stored encrypted, never shown. Leave it empty to keep it; another host or user name needs it again.",
        false => "Stored encrypted, never shown.",
    };
    view! {
        <Title text="Mail server" />
        <Frame viewer nav=NavItem::Page(order::PAGE)>
            <Breadcrumbs above=[("Delivery", order::PAGE.to_owned())] here="Mail server" />
            <h1>"Mail server"</h1>
            <NoticeBanner code=error />
            <p class="lead">"Afterwards, "<code>"autosint doctor --probe"</code>" sends a test to the sender."</p>
            <form method="post" action=PAGE class="form">
                <TextField name="site" label="Public address of this site" autocomplete="url" value=server.site hint="Such as https://osint.example, for links in mails and feeds" />
                <TextField name="host" label="Host" autocomplete="off" required=false value=server.host hint="Empty: feeds alone, no mail" />
                <TextField name="port" label="Port" autocomplete="off" required=false value=port />
                <Choice name="encryption" label="Encryption" options=encryptions chosen=server.encryption.as_str().to_owned() />
                <TextField name="username" label="User name" autocomplete="off" required=false value=server.username hint="Empty: without authentication" />
                <TextField name="password" label="Password" kind="password" autocomplete="off" required=false hint=hint />
                <TextField name="sender" label="Address of the sender" autocomplete="off" required=false value=server.sender hint="Replies and returned mails go there" />
                <TextField name="sender_name" label="Name of the sender" autocomplete="off" required=false value=server.sender_name />
                <button type="submit">"Save"</button>
            </form>
            <LinkKeySection key_problem />
        </Frame>
    }
    .into_any()
}

/// Section with the button that replaces the key of links, and what ends by it.
#[component]
fn LinkKeySection(key_problem: Option<String>) -> impl IntoView {
    view! {
        <section aria-labelledby="link-key">
            <h2 id="link-key">"Link key"</h2>
            {key_problem.map(|problem| view! { <div class="notice"><p>{problem}</p></div> })}
            <p>"A new key ends every feed address, every link in mails, also to unsubscribe, and every webhook secret. People fetch new ones on Delivery."</p>
            <form method="post" action=NEW_KEY>
                <button type="submit" class="outline">"Make new link key"</button>
            </form>
        </section>
    }
    .into_any()
}
