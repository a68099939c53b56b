//! Mails and webhook messages of the outbox, and answers of people to the news in them.

use domain::{Timestamp, UserId};
use feature::NotificationAnswer;

domain::ids! {
    /// One mail of the outbox.
    MailId = "mail";
    /// One webhook of a person, from which its secret is derived.
    WebhookId = "webhook";
    /// One feed of a person.
    FeedId = "feed";
    /// One key of the signed links.
    LinkKeyId = "link key";
}

domain::words! {
    /// Content of a mail.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum MailKind {
        Digest = "digest",
        /// Link that confirms an address.
        Confirmation = "confirmation",
        /// News by webhook.
        Webhook = "webhook",
    }
}

domain::words! {
    /// State of a mail.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum MailState {
        Waiting = "waiting",
        Sent = "sent",
        /// There was nothing to send any more.
        Dropped = "dropped",
        Failed = "failed",
    }
}

/// Problem of an attempt to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailProblem {
    /// The server could not be reached or used. Nothing was sent.
    Unreachable,
    /// The server refused the mail with a reply code of SMTP, or a message with a status of HTTP.
    Refused(String),
    /// The address rules of the operator forbid the address of a webhook.
    Forbidden,
    /// The outcome of the attempt is not known.
    Unanswered,
    /// The news could not be read. Nothing was sent.
    Unreadable,
}

impl MailProblem {
    /// Returns the text of the store.
    pub fn to_text(&self) -> String {
        match self {
            Self::Unreachable => "unreachable".to_owned(),
            Self::Refused(code) => format!("refused {code}"),
            Self::Forbidden => "forbidden".to_owned(),
            Self::Unanswered => "unanswered".to_owned(),
            Self::Unreadable => "unreadable".to_owned(),
        }
    }

    /// Reads the text of the store; none for an empty one.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once(' ').unwrap_or((text, "")) {
            ("unreachable", _) => Some(Self::Unreachable),
            ("refused", code) => Some(Self::Refused(code.to_owned())),
            ("forbidden", _) => Some(Self::Forbidden),
            ("unanswered", _) => Some(Self::Unanswered),
            ("unreadable", _) => Some(Self::Unreadable),
            _ => None,
        }
    }

    /// Returns the sentence for the person.
    pub fn describe(&self) -> String {
        match self {
            Self::Unreachable => "The server could not be reached.".to_owned(),
            Self::Refused(code) => format!("The server refused this (code {code})."),
            Self::Forbidden => "This installation does not send to this address.".to_owned(),
            Self::Unanswered => "The server did not say whether it took this.".to_owned(),
            Self::Unreadable => "The news could not be read. Tell your administrator.".to_owned(),
        }
    }
}

/// Mail of the outbox, or message of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    pub id: MailId,
    pub user: UserId,
    pub kind: MailKind,
    /// Address of the mailbox or webhook.
    pub address: String,
    /// Period of the news.
    pub since: Timestamp,
    pub until: Timestamp,
    pub state: MailState,
    pub attempts: u32,
    /// Attempts whose outcome is not known.
    pub uncertain: u32,
    pub problem: Option<MailProblem>,
    /// News in it.
    pub items: u32,
    pub created_at: Timestamp,
}

impl Mail {
    /// A waiting mail with news of a period.
    pub fn new(
        id: MailId,
        user: UserId,
        kind: MailKind,
        address: String,
        since: Timestamp,
        until: Timestamp,
        now: Timestamp,
    ) -> Self {
        let (state, problem) = (MailState::Waiting, None);
        Self { id, user, kind, address, since, until, state, attempts: 0, uncertain: 0, problem, items: 0, created_at: now }
    }
}

/// Stored answer of a person to the news on a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicAnswer {
    pub topic: String,
    pub answer: NotificationAnswer,
    pub at: Timestamp,
    /// End of a mute.
    pub until: Option<Timestamp>,
}

impl TopicAnswer {
    /// Returns whether news on the topic are left out at a time.
    pub fn hides_at(&self, now: Timestamp) -> bool {
        match self.answer {
            NotificationAnswer::Useful => false,
            NotificationAnswer::Hide => true,
            NotificationAnswer::Mute => self.until.is_some_and(|until| until > now),
        }
    }
}
