//! Webhooks of a person: the list with their secrets, a form for another, and what was sent.

use super::{mail_facts::MailFacts, order, order_form::Choice};
use crate::{
    links::LinkSigner,
    mail::{Mail, MailId, MailState, WebhookId},
    settings::DeliverySettings,
    store::{DeliveryStore, Outlet},
    webhook::{Webhook, WebhookForm, WebhookFormat, WebhookSecret},
};
use app::{
    Notice, NoticeAction,
    atoms::{ActionButton, Badge, TextField, Tone},
    parts::{Breadcrumbs, Frame, NavItem, NoticeBanner},
};
use axum::{body::Body, http::Response};
use domain::{Timestamp, UserId, user::User};
use engine::{StoreError, StoreResult};
use feature::{FormPost, KeptForm, NoticeText, PageVisit, Web, redirect};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::Deserialize;

pub const PAGE: &str = "/delivery/webhooks";

/// Refusal of one webhook more than the limit.
pub const TOO_MANY: NoticeText = NoticeText {
    code: "too_many_webhooks",
    message: "You have as many webhooks as this server allows. Remove one, then try again.",
    action: NoticeAction { text: "See your webhooks", href: PAGE },
};

/// Loaded page.
pub struct WebhooksView {
    /// Whether this installation has a public address and sends messages to the web.
    sends: bool,
    /// With the secret of each.
    webhooks: Vec<(Webhook, Option<String>)>,
    messages: Vec<Mail>,
    /// Why the key of links cannot be used, if so. There are no secrets then.
    key_problem: Option<String>,
    now: Timestamp,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ChangeForm {
    address: String,
    /// `remove`, `pause` or `resume`.
    change: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct MessageForm {
    id: String,
}

/// Handler of `GET /delivery/webhooks`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let loaded = load(&visit.web, &visit.viewer).await;
    visit.show(loaded, |viewer, page| view! { <PageBody viewer page error /> }.into_any()).await
}

async fn load(web: &Web, viewer: &User) -> StoreResult<WebhooksView> {
    let store = DeliveryStore::new(web);
    let (signer, key_problem) = match LinkSigner::load(web).await {
        Ok(signer) => (Some(signer), None),
        Err(StoreError::Invalid(problem)) => (None, Some(problem)),
        Err(error) => return Err(error),
    };
    let with_secret = |webhook: Webhook| {
        let secret = signer.as_ref().map(|signer| WebhookSecret::new(signer, webhook.id).text());
        (webhook, secret)
    };
    Ok(WebhooksView {
        sends: web.messages.is_some() && store.server().await?.is_some(),
        webhooks: store.webhooks(viewer.id).await?.into_iter().map(with_secret).collect(),
        messages: store.mails(viewer.id, Outlet::Webhook, web.settings.get::<DeliverySettings>().mails).await?,
        key_problem,
        now: web.engine.clock.now(),
    })
}

/// Handler of `POST /delivery/webhooks`: adds a webhook. An address that is known gets another secret.
pub async fn add(post: FormPost<WebhookForm>) -> Response<Body> {
    let (address, format) = match post.form.choice() {
        Ok(choice) => choice,
        Err(code) => return post.refuse(PAGE, code).await,
    };
    let (engine, limit) = (&post.web.engine, post.web.settings.get::<DeliverySettings>().webhooks_per_person);
    let (id, covered_at) = (WebhookId(engine.ids.next()), engine.clock.now());
    let webhook = Webhook { id, user: post.user.id, address, format, is_paused: false, covered_at };
    match DeliveryStore::new(&post.web).put_webhook(&webhook, limit).await {
        Ok(true) => redirect(PAGE),
        Ok(false) => post.refuse(PAGE, TOO_MANY.code).await,
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Handler of `POST /delivery/webhooks/change`.
pub async fn change(post: FormPost<ChangeForm>) -> Response<Body> {
    let (store, person, address) = (DeliveryStore::new(&post.web), post.user.id, &post.form.address);
    let changed = match post.form.change.as_str() {
        "remove" => store.remove_webhook(person, address).await,
        "pause" => store.pause_webhook(person, address, true).await,
        "resume" => store.pause_webhook(person, address, false).await,
        _ => Ok(false),
    };
    answer(post, changed).await
}

/// Handler of `POST /delivery/webhooks/again`: sends a message again, with the same id.
pub async fn send_again(post: FormPost<MessageForm>) -> Response<Body> {
    let repeated = match post.form.id.parse::<MailId>() {
        Ok(id) => DeliveryStore::new(&post.web).repeat_message(post.user.id, id, post.web.engine.clock.now()).await,
        Err(_) => Ok(false),
    };
    if matches!(repeated, Ok(true)) {
        post.web.store.notify_jobs();
    }
    answer(post, repeated).await
}

async fn answer<T>(post: FormPost<T>, done: StoreResult<bool>) -> Response<Body> {
    match done {
        Ok(true) => redirect(PAGE),
        Ok(false) => post.lead_to(PAGE, Notice::NotFound.code()),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

#[component]
fn PageBody(viewer: User, page: WebhooksView, error: Option<String>) -> impl IntoView {
    let WebhooksView { sends, webhooks, messages, key_problem, now } = page;
    let id = viewer.id;
    let form = match sends {
        true => view! { <NewWebhook viewer=id /> }.into_any(),
        false => view! { <p>"Webhooks need the public address of this site, which an administrator sets, and access to the web."</p> }
            .into_any(),
    };
    let has_webhooks = !webhooks.is_empty();
    let rows = webhooks.into_iter().map(|(webhook, secret)| view! { <WebhookRow webhook secret /> }).collect_view();
    let has_messages = !messages.is_empty();
    let sent = messages.into_iter().map(|message| view! { <MessageRow message now /> }).collect_view();
    view! {
        <Title text="Webhooks" />
        <Frame viewer nav=NavItem::Page(order::PAGE)>
            <Breadcrumbs above=[("Delivery", order::PAGE.to_owned())] here="Webhooks" />
            <h1>"Webhooks"</h1>
            <NoticeBanner code=error />
            <p class="lead">"Your news as messages to an address: a program of yours, or a channel of Slack, Teams or Matrix."</p>
            {key_problem.map(|problem| view! { <div class="notice"><p>{problem}</p></div> })}
            {has_webhooks.then(|| view! { <ul class="rows">{rows}</ul> })}
            {form}
            {has_messages.then(|| view! {
                <section aria-labelledby="messages">
                    <h2 id="messages">"Sent lately"</h2>
                    <ul class="rows">{sent}</ul>
                </section>
            })}
        </Frame>
    }
    .into_any()
}

#[component]
fn NewWebhook(viewer: UserId) -> impl IntoView {
    let formats = WebhookFormat::ALL.map(|one| (one.as_str().to_owned(), one.label().to_owned())).to_vec();
    Suspend::new(async move {
        let kept = KeptForm::take_of_page(viewer).await;
        let address = kept.get("address").unwrap_or_default();
        let chosen = kept.get("format").unwrap_or_else(|| WebhookFormat::Json.as_str().to_owned());
        view! {
            <form method="post" action=PAGE class="form">
                <TextField name="address" label="Address" autocomplete="url" value=address hint="Such as https://hooks.example/news" />
                <Choice name="format" label="Format" options=formats chosen />
                <button type="submit">"Add"</button>
            </form>
        }
        .into_any()
    })
}

#[component]
fn WebhookRow(webhook: Webhook, secret: Option<String>) -> impl IntoView {
    let Webhook { address, format, is_paused, .. } = webhook;
    let (change, words) = if is_paused { ("resume", "Resume") } else { ("pause", "Pause") };
    let button = |change: &'static str, words: &'static str| {
        let fields = vec![("address", address.clone()), ("change", change.to_owned())];
        let label = format!("{words}: {address}");
        view! { <ActionButton action="/delivery/webhooks/change" fields text=words label /> }
    };
    let (pause, remove) = (button(change, words), button("remove", "Remove"));
    let secret = secret.filter(|_| format == WebhookFormat::Json);
    view! {
        <li class="row">
            <p class="row-title delivery-addresses">{address.clone()}</p>
            <p class="card-facts">
                <span>{format.label()}</span>
                {is_paused.then(|| view! { <Badge tone=Tone::Warning text="Paused" /> })}
            </p>
            {secret.map(|secret| view! { <details><summary>"Secret"</summary><code class="delivery-addresses">{secret}</code></details> })}
            {pause}
            {remove}
        </li>
    }
    .into_any()
}

/// Message with its state, and a button to send an ended one again.
#[component]
fn MessageRow(message: Mail, now: Timestamp) -> impl IntoView {
    let id = message.id.to_string();
    let again = (message.state != MailState::Waiting).then(|| {
        let label = format!("Send again: {}", message.address);
        view! { <ActionButton action="/delivery/webhooks/again" fields=vec![("id", id)] text="Send again" label /> }
    });
    view! {
        <li class="row">
            <p class="row-title delivery-addresses">{message.address.clone()}</p>
            <MailFacts mail=message now />
            {again}
        </li>
    }
    .into_any()
}
