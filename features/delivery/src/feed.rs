//! A person's news as Atom, RSS and JSON Feed, at a secret address; all of them, or those of one interest.

use crate::{digest::find_news, links::LinkSigner, mail::FeedId, outbox::DAY_MS, store::DeliveryStore};
use app::format::{escape_html, percent_encoded};
use domain::{ObjectId, Timestamp, user::User};
use engine::{StoreResult, accounts::active_user};
use feature::{NamedInterest, NotificationItem, Web};
use serde_json::json;

/// Purpose of the signature in the address of a feed.
const PURPOSE: &str = "feed";
/// Digits of each id at the beginning of a token.
const ID_DIGITS: usize = 32;
/// Digits of the signature at its end.
const SIGNATURE_DIGITS: usize = 64;
/// Days of news in a feed.
const FEED_DAYS: i64 = 30;

/// Format of a feed, by the end of its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedFormat {
    Atom,
    Rss,
    Json,
}

impl FeedFormat {
    pub const ALL: [Self; 3] = [Self::Atom, Self::Rss, Self::Json];

    /// Returns the last part of the address.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Atom => "atom.xml",
            Self::Rss => "rss.xml",
            Self::Json => "feed.json",
        }
    }

    pub const fn label(self) -> &'static str {
        match self {
            Self::Atom => "Atom",
            Self::Rss => "RSS",
            Self::Json => "JSON Feed",
        }
    }

    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Atom => "application/atom+xml; charset=utf-8",
            Self::Rss => "application/rss+xml; charset=utf-8",
            Self::Json => "application/feed+json; charset=utf-8",
        }
    }

    pub fn parse(file: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.file() == file)
    }
}

/// Returns the secret part of a feed's address: its id, that of an interest to which it is narrowed, and the signature of both.
fn feed_token(signer: &LinkSigner, feed: FeedId, interest: Option<ObjectId>) -> String {
    let interest = interest.map(|id| id.0.simple().to_string()).unwrap_or_default();
    let ids = format!("{}{interest}", feed.0.simple());
    let signature = signer.sign(PURPOSE, &[&ids]);
    format!("{ids}{signature}")
}

/// Ids of a token whose signature holds.
struct FeedIds {
    feed: FeedId,
    interest: Option<ObjectId>,
}

/// Reads a token; none for a wrong one.
fn read_token(signer: &LinkSigner, token: &str) -> Option<FeedIds> {
    let (ids, signature) = token.split_at_checked(token.len().checked_sub(SIGNATURE_DIGITS)?)?;
    if !signer.verify(PURPOSE, &[ids], signature) {
        return None;
    }
    let (feed, interest) = ids.split_at_checked(ID_DIGITS)?;
    let interest = if interest.is_empty() { None } else { Some(interest.parse::<ObjectId>().ok()?) };
    Some(FeedIds { feed: feed.parse().ok()?, interest })
}

/// Returns the interests of a person, from the feature that keeps them.
async fn interests(web: &Web, user: &User) -> StoreResult<Vec<NamedInterest>> {
    match web.interests {
        Some(port) => (port.list)(web.clone(), user.clone()).await,
        None => Ok(vec![]),
    }
}

/// Returns path and query of a feed. The token is in the query, which is not logged.
pub fn feed_path(token: &str, format: FeedFormat) -> String {
    format!("/feeds/{}?key={token}", format.file())
}

/// Feed of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFeed {
    /// Sentence of its interest; none for all news.
    pub interest: Option<String>,
    pub token: String,
}

/// Loads the feeds of a person: that of all news, and one per interest; none until they create them.
pub async fn load_feeds(web: &Web, user: &User) -> StoreResult<Vec<NamedFeed>> {
    let Some(feed) = DeliveryStore::new(web).feed(user.id).await? else { return Ok(vec![]) };
    let signer = LinkSigner::load(web).await?;
    let mut feeds = vec![NamedFeed { interest: None, token: feed_token(&signer, feed, None) }];
    feeds.extend(
        interests(web, user)
            .await?
            .into_iter()
            .map(|one| NamedFeed { token: feed_token(&signer, feed, Some(one.id)), interest: Some(one.sentence) }),
    );
    Ok(feeds)
}

/// Content of a feed.
pub struct FeedContent {
    site: String,
    /// Path of the feed itself.
    path: String,
    id: ObjectId,
    title: String,
    news: Vec<NotificationItem>,
}

/// Loads the feed of a token; none for a wrong or ended one.
pub async fn load_feed(web: &Web, token: &str, format: FeedFormat) -> StoreResult<Option<FeedContent>> {
    let Some(signer) = LinkSigner::find(web).await? else { return Ok(None) };
    let Some(FeedIds { feed, interest }) = read_token(&signer, token) else { return Ok(None) };
    let store = DeliveryStore::new(web);
    let (Some(server), Some(person)) = (store.server().await?, store.person_of_feed(feed).await?) else { return Ok(None) };
    let Some(user) = active_user(&web.engine, person).await? else { return Ok(None) };
    let now = web.engine.clock.now();
    let subject = match interest {
        None => format!("news of {}", user.name),
        Some(id) => match interests(web, &user).await?.into_iter().find(|one| one.id == id) {
            Some(one) => one.sentence,
            None => return Ok(None),
        },
    };
    let mut news = find_news(web, &user, now.plus_ms(-FEED_DAYS * DAY_MS), now).await?.news;
    news.retain(|item| interest.is_none() || item.interest == interest);
    let (path, title) = (feed_path(token, format), format!("AutOSINT: {subject}"));
    let id = interest.unwrap_or(ObjectId(feed.0));
    Ok(Some(FeedContent { site: server.site, path, id, title, news }))
}

impl FeedContent {
    /// Writes the feed in a format.
    pub fn write(&self, format: FeedFormat) -> String {
        match format {
            FeedFormat::Atom => self.atom(),
            FeedFormat::Rss => self.rss(),
            FeedFormat::Json => self.json(),
        }
    }

    /// Returns the id of an item, the same in every format (RFC 4151).
    fn item_id(&self, item: &NotificationItem) -> String {
        let host = self.site.split("://").nth(1).unwrap_or_default();
        let host = host.split(':').next().unwrap_or_default();
        format!("tag:{host},2026:{}/{}", percent_encoded(&item.topic), item.at.as_micros())
    }

    fn atom(&self) -> String {
        let updated = self.news.first().map_or(Timestamp::from_micros(0), |item| item.at);
        let mut feed = format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<id>urn:uuid:{}</id>\n\
             <title>{}</title>\n<updated>{updated}</updated>\n<author><name>AutOSINT</name></author>\n\
             <link rel=\"self\" href=\"{}\"/>\n<link href=\"{}\"/>\n",
            self.id,
            xml_text(&self.title),
            xml_text(&format!("{}{}", self.site, self.path)),
            xml_text(&self.site),
        );
        for item in &self.news {
            feed.push_str(&format!(
                "<entry>\n<id>{}</id>\n<title>{}</title>\n<updated>{}</updated>\n<link href=\"{}\"/>\n<summary>{}</summary>\n</entry>\n",
                xml_text(&self.item_id(item)),
                xml_text(&item.title),
                item.at,
                xml_text(&format!("{}{}", self.site, item.href)),
                xml_text(&item.text),
            ));
        }
        feed + "</feed>\n"
    }

    fn rss(&self) -> String {
        let mut feed = format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\">\n<channel>\n\
             <title>{0}</title>\n<link>{1}</link>\n<description>{0}</description>\n\
             <atom:link rel=\"self\" type=\"application/rss+xml\" href=\"{2}\"/>\n",
            xml_text(&self.title),
            xml_text(&self.site),
            xml_text(&format!("{}{}", self.site, self.path)),
        );
        for item in &self.news {
            feed.push_str(&format!(
                "<item>\n<guid isPermaLink=\"false\">{}</guid>\n<title>{}</title>\n<pubDate>{}</pubDate>\n<link>{}</link>\n\
                 <description>{}</description>\n</item>\n",
                xml_text(&self.item_id(item)),
                xml_text(&item.title),
                item.at.to_datetime().to_rfc2822(),
                xml_text(&format!("{}{}", self.site, item.href)),
                xml_text(&item.text),
            ));
        }
        feed + "</channel>\n</rss>\n"
    }

    fn json(&self) -> String {
        let item = |item: &NotificationItem| {
            json!({
                "id": self.item_id(item),
                "url": format!("{}{}", self.site, item.href),
                "title": item.title,
                "content_text": item.text,
                "date_published": item.at,
            })
        };
        let items: Vec<_> = self.news.iter().map(item).collect();
        json!({
            "version": "https://jsonfeed.org/version/1.1",
            "title": self.title,
            "home_page_url": self.site,
            "feed_url": format!("{}{}", self.site, self.path),
            "items": items,
        })
        .to_string()
    }
}

/// Returns a text for XML, without characters that XML cannot hold.
fn xml_text(text: &str) -> String {
    let is_allowed =
        |c: &char| matches!(*c, '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}');
    let text: String = text.chars().filter(is_allowed).collect();
    escape_html(&text)
}
