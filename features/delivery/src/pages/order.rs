//! Page of a person: the mail that they order, what was sent, their answers, and their feed.

use super::{feeds::FeedSection, mail_facts::MailFacts, order_form::OrderForm, preview, server, webhooks};
use crate::{
    digest::list,
    feed::{NamedFeed, load_feeds},
    links::LinkSigner,
    mail::{Mail, MailId, MailKind, MailState, TopicAnswer},
    outbox::DAY_MS,
    settings::DeliverySettings,
    store::{DeliveryStore, Outlet},
    subscription::{MailChoice, Subscription, SubscriptionForm},
};
use app::{
    NoticeAction,
    atoms::ActionButton,
    format,
    parts::{EmptyState, Frame, NavItem, NoticeBanner},
};
use axum::{body::Body, http::Response};
use domain::{
    Timestamp,
    user::{Action, User},
};
use engine::StoreResult;
use feature::{AnyFields, FormPost, NoticeText, PageVisit, Web, redirect};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::Deserialize;
use std::collections::HashMap;

pub const PAGE: &str = "/delivery";

/// Refusal of mail without a mail server.
pub const NO_SERVER: NoticeText = NoticeText {
    code: "no_mail_server",
    message: "This installation has no mail server yet.",
    action: NoticeAction { text: "See what is delivered", href: PAGE },
};

/// Refusal of one confirmation link more than the limit.
pub const TOO_MANY_LINKS: NoticeText = NoticeText {
    code: "too_many_mail_links",
    message: "Too many confirmation links were sent today. Look for one in your mailbox, or try again tomorrow.",
    action: NoticeAction { text: "See what was sent", href: "#mails" },
};

/// Loaded page.
pub struct DeliveryView {
    /// Public address of the site; none until it is set.
    site: Option<String>,
    sends_mail: bool,
    subscription: Option<Subscription>,
    mails: Vec<Mail>,
    /// Answers, with a title where the person still reads news on the topic.
    answers: Vec<(TopicAnswer, Option<String>)>,
    feeds: Vec<NamedFeed>,
    /// Why the key of links cannot be used, if so.
    key_problem: Option<String>,
    now: Timestamp,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct TopicForm {
    topic: String,
}

/// Handler of `GET /delivery`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let loaded = load(&visit.web, &visit.viewer).await;
    visit.show(loaded, |viewer, page| view! { <PageBody viewer page error /> }.into_any()).await
}

async fn load(web: &Web, viewer: &User) -> StoreResult<DeliveryView> {
    let store = DeliveryStore::new(web);
    let (server, key_problem) = (store.server().await?, LinkSigner::find_problem(web).await?);
    Ok(DeliveryView {
        sends_mail: server.as_ref().is_some_and(|server| server.sends_mail()),
        site: server.map(|server| server.site),
        subscription: store.subscription(viewer.id).await?,
        mails: store.mails(viewer.id, Outlet::Mail, web.settings.get::<DeliverySettings>().mails).await?,
        answers: named_answers(web, viewer, store.answers(viewer.id).await?).await?,
        feeds: if key_problem.is_none() { load_feeds(web, viewer).await? } else { vec![] },
        key_problem,
        now: web.engine.clock.now(),
    })
}

/// Adds the titles of topics from the news that the person reads now. Titles are not stored: they may outlive the right to read them.
async fn named_answers(web: &Web, viewer: &User, answers: Vec<TopicAnswer>) -> StoreResult<Vec<(TopicAnswer, Option<String>)>> {
    let mut titles: HashMap<String, String> = HashMap::new();
    if !answers.is_empty() {
        let limit = web.settings.get::<DeliverySettings>().news;
        let news = list(web, viewer, Timestamp::from_micros(0), limit).await?;
        titles.extend(news.into_iter().map(|item| (item.topic, item.title)));
    }
    let named = |answer: TopicAnswer| {
        let title = titles.get(&answer.topic).cloned();
        (answer, title)
    };
    Ok(answers.into_iter().map(named).collect())
}

/// Handler of `POST /delivery`: stores what the person chose. Another address gets a confirmation link.
pub async fn save(post: FormPost<SubscriptionForm>) -> Response<Body> {
    let choice = match post.form.choice() {
        Ok(choice) => choice,
        Err(code) => return post.refuse(PAGE, code).await,
    };
    match store_choice(&post.web, &post.user, &choice).await {
        Ok(None) => redirect(PAGE),
        Ok(Some(code)) => post.refuse(PAGE, code).await,
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Stores a choice, with a mail that has a confirmation link while the address is not confirmed. Returns the code of a refusal.
async fn store_choice(web: &Web, user: &User, choice: &MailChoice) -> StoreResult<Option<&'static str>> {
    let (store, now) = (DeliveryStore::new(web), web.engine.clock.now());
    let sends_mail = store.server().await?.is_some_and(|server| server.sends_mail());
    if !sends_mail {
        return Ok(Some(NO_SERVER.code));
    }
    let known = store.subscription(user.id).await?;
    let is_confirmed = known.is_some_and(|known| known.choice.address == choice.address && known.confirmed_at.is_some());
    if is_confirmed {
        store.put_choice(user.id, choice, now, None).await?;
        return Ok(None);
    }
    let sent = store.count_mails(user.id, MailKind::Confirmation, now.plus_ms(-DAY_MS)).await?;
    if sent >= u64::from(web.settings.get::<DeliverySettings>().confirmations_per_day) {
        return Ok(Some(TOO_MANY_LINKS.code));
    }
    let (id, address) = (MailId(web.engine.ids.next()), choice.address.clone());
    let mail = Mail::new(id, user.id, MailKind::Confirmation, address, now, now, now);
    store.put_choice(user.id, choice, now, Some(&mail)).await?;
    web.store.notify_jobs();
    Ok(None)
}

/// Handler of `POST /delivery/link`: sends the confirmation link again.
pub async fn send_link(post: FormPost<AnyFields>) -> Response<Body> {
    let sent = match DeliveryStore::new(&post.web).subscription(post.user.id).await {
        Ok(Some(subscription)) => store_choice(&post.web, &post.user, &subscription.choice).await,
        Ok(None) => Ok(None),
        Err(error) => Err(error),
    };
    match sent {
        Ok(None) => redirect(PAGE),
        Ok(Some(code)) => post.lead_to(PAGE, code),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Handler of `POST /delivery/resume`.
pub async fn resume(post: FormPost<AnyFields>) -> Response<Body> {
    match DeliveryStore::new(&post.web).resume(post.user.id).await {
        Ok(_) => redirect(PAGE),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

/// Handler of `POST /delivery/answers/remove`.
pub async fn remove_answer(post: FormPost<TopicForm>) -> Response<Body> {
    match DeliveryStore::new(&post.web).remove_answer(post.user.id, &post.form.topic).await {
        Ok(_) => redirect("/delivery#answers"),
        Err(error) => post.fail(PAGE, &error).await,
    }
}

#[component]
fn PageBody(viewer: User, page: DeliveryView, error: Option<String>) -> impl IntoView {
    let DeliveryView { site, sends_mail, subscription, mails, answers, feeds, key_problem, now } = page;
    let may_configure = viewer.role.may(Action::Configure);
    let id = viewer.id;
    let mail = match sends_mail {
        true => {
            let state = subscription.clone().map(|one| view! { <MailStatus one /> });
            let choice = subscription.map(|one| one.choice).unwrap_or_default();
            view! {
                {state}
                <OrderForm viewer=id choice />
                <p><a href=preview::PAGE>"Preview your mail"</a></p>
            }
            .into_any()
        }
        false if may_configure => view! { <EmptyState text="No mail server." href=server::PAGE button="Set up" /> }.into_any(),
        false => {
            let text = "Ask an administrator to set up a mail server, or get your news another way.";
            let (href, button) = match site.is_some() {
                true => ("#feed", "Go to feeds"),
                false => (webhooks::PAGE, "Go to webhooks"),
            };
            view! { <EmptyState text href button /> }.into_any()
        }
    };
    view! {
        <Title text="Delivery" />
        <Frame viewer nav=NavItem::Page(PAGE)>
            <h1>"Delivery"</h1>
            <NoticeBanner code=error />
            <p class="lead">"Your news by mail or in a feed reader: finished questions, shared reports, and changes of what you watch."</p>
            {key_problem.map(|problem| view! { <div class="notice"><p>{problem}</p></div> })}
            <section aria-labelledby="mail">
                <h2 id="mail">"Mail"</h2>
                {mail}
            </section>
            {(!mails.is_empty()).then(|| view! { <MailList mails now /> })}
            {(!answers.is_empty()).then(|| view! { <AnswerList answers /> })}
            <FeedSection site feeds />
            <section aria-labelledby="webhooks">
                <h2 id="webhooks">"Webhooks"</h2>
                <p>"Your news as messages to a program, or to a channel of Slack, Teams or Matrix: " <a href=webhooks::PAGE>"Webhooks"</a></p>
            </section>
            {(may_configure && sends_mail).then(|| view! { <p><a href=server::PAGE>"Mail server"</a></p> })}
        </Frame>
    }
    .into_any()
}

/// State of the subscription, with the way on where the person has to do something.
#[component]
fn MailStatus(one: Subscription) -> impl IntoView {
    let address = one.choice.address.clone();
    if one.is_paused {
        return view! {
            <div class="notice">
                <p>"Your mail is paused. News go on in the bell and in your feed."</p>
                <form method="post" action="/delivery/resume"><button type="submit">"Resume"</button></form>
            </div>
        }
        .into_any();
    }
    if one.confirmed_at.is_none() {
        return view! {
            <div class="notice">
                <p>"Open the link that was sent to " <strong>{address}</strong> ". No news are mailed before."</p>
                <form method="post" action="/delivery/link"><button type="submit" class="outline">"Send the link again"</button></form>
            </div>
        }
        .into_any();
    }
    view! { <p>"Mail goes to " <strong>{address}</strong> ", " {one.choice.schedule.describe()} "."</p> }.into_any()
}

/// Newest mails to the person, with their states and problems.
#[component]
fn MailList(mails: Vec<Mail>, now: Timestamp) -> impl IntoView {
    let row = |mail: Mail| {
        let what = match mail.kind {
            MailKind::Confirmation => "Confirmation link".to_owned(),
            MailKind::Digest if mail.state == MailState::Sent => format::count(u64::from(mail.items), "change", "changes"),
            MailKind::Digest | MailKind::Webhook => "News".to_owned(),
        };
        view! {
            <li class="row">
                <p class="row-title">{what} " to " {mail.address.clone()}</p>
                <MailFacts mail now />
            </li>
        }
    };
    view! {
        <section aria-labelledby="mails">
            <h2 id="mails">"Sent lately"</h2>
            <ul class="rows">{mails.into_iter().map(row).collect_view()}</ul>
        </section>
    }
    .into_any()
}

/// Answers of the person to news, which they can take back.
#[component]
fn AnswerList(answers: Vec<(TopicAnswer, Option<String>)>) -> impl IntoView {
    let row = |(answer, title): (TopicAnswer, Option<String>)| {
        let title = title.map_or_else(|| "A subject without news".to_owned(), |title| format::abridged(&title, 160));
        let until = answer.until.map(|until| format!(" until {}", format::day(until)));
        let label = format!("Take back: {title}");
        let fields = vec![("topic", answer.topic)];
        view! {
            <li class="row">
                <p class="row-title">{title}</p>
                <p class="card-facts">{answer.answer.label()} {until}</p>
                <ActionButton action="/delivery/answers/remove" fields text="Take back" label />
            </li>
        }
    };
    view! {
        <section aria-labelledby="answers">
            <h2 id="answers">"Your answers"</h2>
            <p class="muted">"Answers to matches are not listed: they teach the interest, and cannot be taken back here."</p>
            <ul class="rows">{answers.into_iter().map(row).collect_view()}</ul>
        </section>
    }
    .into_any()
}
