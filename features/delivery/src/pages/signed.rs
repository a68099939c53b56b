//! Pages behind the signed links of mails. They need no sign-in.
//!
//! Invariant: a GET changes nothing, because programs that check mail open its links; the button on the page does.

use crate::{
    links::{ANSWER, CHANGE, CONFIRM, LinkSigner},
    mail::TopicAnswer,
    outbox::DAY_MS,
    schedule::Frequency,
    store::DeliveryStore,
};
use app::{AppError, Fault, parts::AuthLayout};
use axum::{body::Body, http::Response};
use domain::{Timestamp, UserId, user::User};
use engine::{StoreResult, accounts::active_user};
use feature::{NotificationAnswer, OpenVisit, Web};
use leptos::prelude::*;
use leptos_meta::Title;

/// Action of a signed link.
#[derive(Debug, Clone, PartialEq, Eq)]
enum LinkAction {
    Confirm { address: String },
    SetFrequency { address: String, frequency: Frequency },
    Pause { address: String },
    Answer { topic: String, answer: NotificationAnswer },
}

impl LinkAction {
    /// Returns the heading, the effect, and the words of the button.
    fn words(&self) -> (&'static str, String, &'static str) {
        match self {
            Self::Confirm { address } => {
                ("Confirm your address", format!("Your news are mailed to {address} from now on."), "Confirm")
            }
            Self::SetFrequency { frequency: Frequency::Off, .. } => {
                ("Unsubscribe", "You get no more mail. News stay in the bell and in your feed.".to_owned(), "Unsubscribe")
            }
            Self::SetFrequency { frequency, .. } => {
                ("Change how often", format!("You get mail: {}.", frequency.label().to_lowercase()), "Change")
            }
            Self::Pause { .. } => {
                ("Pause your mail", "You get no mail until you resume it on the page Delivery.".to_owned(), "Pause")
            }
            Self::Answer { answer, .. } => (answer.label(), effect(*answer).to_owned(), answer.label()),
        }
    }
}

/// Handler of `GET` for each signed link: says what the button does.
pub async fn page(visit: OpenVisit) -> Response<Body> {
    let (loaded, address) = (read_link(&visit).await, visit.address());
    visit.show(loaded, move |(_, action)| view! { <Question action address /> }.into_any()).await
}

/// Handler of `POST` for each signed link, also for the one-click unsubscription of mail programs (RFC 8058).
pub async fn act(visit: OpenVisit) -> Response<Body> {
    let done = match read_link(&visit).await {
        Ok((person, action)) => apply(&visit.web, person, action).await,
        Err(error) => Err(error),
    };
    visit.show(done, |action| view! { <Done action /> }.into_any()).await
}

/// Answer to every link that does not work, with the same words for each reason.
fn broken_link() -> AppError {
    AppError {
        fault: Fault::NotFound,
        message: "This link does not work (any more). Sign in to change what you get.".to_owned(),
    }
}

/// Returns the person and action of a link whose signature and time hold.
async fn read_link(visit: &OpenVisit) -> Result<(UserId, LinkAction), AppError> {
    parse_link(visit, visit.web.engine.clock.now()).await?.ok_or_else(broken_link)
}

async fn parse_link(visit: &OpenVisit, now: Timestamp) -> StoreResult<Option<(UserId, LinkAction)>> {
    let value = |name: &str| visit.query(name).unwrap_or_default();
    let path = visit.address();
    let path = path.split('?').next().unwrap_or_default();
    let names: &[&str] = match path {
        CONFIRM => &["person", "address", "until"],
        CHANGE => &["person", "action", "until"],
        ANSWER => &["person", "topic", "answer", "until"],
        _ => return Ok(None),
    };
    let values: Vec<String> = names.iter().map(|name| value(name)).collect();
    let Some(key) = LinkSigner::find(&visit.web).await? else { return Ok(None) };
    let Ok(person) = value("person").parse::<UserId>() else { return Ok(None) };
    // A change is signed for the address that the mail went to: it does nothing to another one.
    let address = match path {
        CHANGE => match DeliveryStore::new(&visit.web).subscription(person).await? {
            Some(subscription) => Some(subscription.choice.address),
            None => return Ok(None),
        },
        _ => None,
    };
    let signed: Vec<&str> = values.iter().map(String::as_str).chain(address.as_deref()).collect();
    if !key.verify(path, &signed, &value("signature")) {
        return Ok(None);
    }
    let is_late = value("until").parse::<i64>().ok().is_none_or(|until| until <= now.as_micros());
    let address = address.unwrap_or_else(|| value("address"));
    let action = match path {
        CONFIRM => Some(LinkAction::Confirm { address }),
        CHANGE => match value("action").as_str() {
            "pause" => Some(LinkAction::Pause { address }),
            other => Frequency::parse(other).map(|frequency| LinkAction::SetFrequency { address, frequency }),
        },
        _ => NotificationAnswer::parse(&value("answer")).map(|answer| LinkAction::Answer { topic: value("topic"), answer }),
    };
    Ok(action.filter(|_| !is_late).map(|action| (person, action)))
}

/// Does what a link says. The link of a person or subscription that is gone does not work.
async fn apply(web: &Web, person: UserId, action: LinkAction) -> Result<LinkAction, AppError> {
    let (store, now) = (DeliveryStore::new(web), web.engine.clock.now());
    let Some(user) = active_user(&web.engine, person).await? else { return Err(broken_link()) };
    let is_done = match &action {
        LinkAction::Confirm { address } => store.confirm(person, address, now).await?,
        LinkAction::SetFrequency { address, frequency } => store.set_frequency(person, address, *frequency).await?,
        LinkAction::Pause { address } => store.pause_address(person, address).await?,
        LinkAction::Answer { topic, answer } => {
            if !is_taken_by_source(web, &user, topic, *answer).await? {
                let until = (*answer == NotificationAnswer::Mute).then(|| now.plus_ms(NotificationAnswer::MUTE_DAYS * DAY_MS));
                store.put_answer(person, &TopicAnswer { topic: topic.clone(), answer: *answer, at: now, until }).await?;
            }
            true
        }
    };
    if is_done { Ok(action) } else { Err(broken_link()) }
}

/// Offers an answer to the sources of notifications; one whose feature learns from it keeps it there, such as feedback on an interest.
async fn is_taken_by_source(web: &Web, user: &User, topic: &str, answer: NotificationAnswer) -> StoreResult<bool> {
    for source in web.notifications.iter() {
        if (source.answer)(web.clone(), user.clone(), topic.to_owned(), answer).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the effect of an answer as a sentence.
const fn effect(answer: NotificationAnswer) -> &'static str {
    match answer {
        NotificationAnswer::Useful => "News like this come first.",
        NotificationAnswer::Hide => "News on this subject are left out of your mail and feed.",
        NotificationAnswer::Mute => "News on this subject, or of the interest that it matches, are left out for 30 days.",
    }
}

#[component]
fn Question(action: LinkAction, address: String) -> impl IntoView {
    let (title, effect, button) = action.words();
    view! {
        <Title text=title />
        <AuthLayout>
            <h1>{title}</h1>
            <p>{effect}</p>
            <form method="post" action=address>
                <button type="submit">{button}</button>
            </form>
        </AuthLayout>
    }
    .into_any()
}

#[component]
fn Done(action: LinkAction) -> impl IntoView {
    let (_, effect, _) = action.words();
    view! {
        <Title text="Done" />
        <AuthLayout>
            <h1>"Done"</h1>
            <p role="status">{effect}</p>
            <p><a href="/delivery">"Change what you get"</a></p>
        </AuthLayout>
    }
    .into_any()
}
