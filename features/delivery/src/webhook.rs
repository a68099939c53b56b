//! Webhooks of people: their payloads, and the signature of Standard Webhooks.

use crate::{
    digest::Digest,
    links::LinkSigner,
    mail::WebhookId,
    render::{MAX_TEXT_CHARS, MAX_TITLE_CHARS, one_line},
};
use app::{NoticeAction, format::escape_html};
use axum::http::Uri;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{Timestamp, UserId};
use feature::NoticeText;
use ring::hmac;
use serde::Deserialize;
use serde_json::{Value, json};

/// Purpose of the signature that is the secret of a webhook.
const PURPOSE: &str = "webhook";
/// Maximum length of an address in bytes.
const MAX_ADDRESS: usize = 2_000;

/// Refusal of an address that is not on the web.
pub const BAD_WEBHOOK: NoticeText = NoticeText {
    code: "bad_webhook",
    message: "This is not a web address. It begins with https:// or http://.",
    action: NoticeAction { text: "Correct the address", href: "#address" },
};

domain::words! {
    /// Format of the messages.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum WebhookFormat {
        Json = "json",
        Slack = "slack",
        Teams = "teams",
        Matrix = "matrix",
    }
}

impl WebhookFormat {
    /// Returns the words of a form.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Json => "JSON (Standard Webhooks)",
            Self::Slack => "Slack",
            Self::Teams => "Microsoft Teams",
            Self::Matrix => "Matrix (through hookshot)",
        }
    }

    /// Writes the news of a message.
    pub fn payload(self, digest: &Digest, site: &str, now: Timestamp) -> Value {
        // Chats limit messages, and a title of two lines would break its link.
        let lines = |line: fn(&str, &str, &str) -> String| -> Vec<String> {
            let items = digest.items.iter().map(|item| {
                let (title, text) = (one_line(&item.title, MAX_TITLE_CHARS), one_line(&item.text, MAX_TEXT_CHARS));
                line(&title, &text, &format!("{site}{}", item.href))
            });
            let more = (digest.folded > 0).then(|| format!("{} more: {site}/notifications", digest.folded));
            items.chain(more).collect()
        };
        match self {
            Self::Json => {
                let items = digest.items.iter().map(|item| {
                    json!({
                        "topic": item.topic,
                        "title": item.title,
                        "text": item.text,
                        "url": format!("{site}{}", item.href),
                        "at": item.at,
                    })
                });
                let data = json!({ "items": items.collect::<Vec<_>>(), "more": digest.folded });
                json!({ "type": "news", "timestamp": now, "data": data })
            }
            Self::Slack => json!({
                "text": lines(|title, text, url| format!("<{url}|{}>\n{}", slack_text(title), slack_text(text))).join("\n\n"),
            }),
            Self::Teams => {
                let block = |text: String| json!({ "type": "TextBlock", "text": text, "wrap": true });
                let blocks = lines(|title, text, url| format!("[{}]({url})\n\n{}", markdown_text(title), markdown_text(text)));
                let body: Vec<Value> = blocks.into_iter().map(block).collect();
                json!({
                    "type": "message",
                    "attachments": [{
                        "contentType": "application/vnd.microsoft.card.adaptive",
                        "content": {
                            "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                            "type": "AdaptiveCard",
                            "version": "1.4",
                            "body": body,
                        },
                    }],
                })
            }
            // Hookshot reads the text as Markdown unless it is given HTML.
            Self::Matrix => json!({
                "text": lines(|title, text, url| format!("{title}\n{text}\n{url}")).join("\n\n"),
                "html": lines(|title, text, url| {
                    format!("<a href=\"{}\">{}</a><br>{}", escape_html(url), escape_html(title), escape_html(text))
                })
                .join("<br><br>"),
            }),
        }
    }
}

/// Returns a text for Slack, in which it is no markup or mention.
fn slack_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns a text for Markdown, in which it is no markup.
fn markdown_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Webhook of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    pub id: WebhookId,
    pub user: UserId,
    pub address: String,
    pub format: WebhookFormat,
    pub is_paused: bool,
    /// News up to this time are in a message, or there were none.
    pub covered_at: Timestamp,
}

/// Secret of a webhook, with which its messages are signed. It is derived, so that it is stored nowhere.
pub struct WebhookSecret(Vec<u8>);

impl WebhookSecret {
    pub fn new(signer: &LinkSigner, id: WebhookId) -> Self {
        Self(hex::decode(signer.sign(PURPOSE, &[&id.to_string()])).unwrap_or_default())
    }

    /// Returns the secret as receivers are given it.
    pub fn text(&self) -> String {
        format!("whsec_{}", STANDARD.encode(&self.0))
    }

    /// Returns the headers of a message: its id, the time of the attempt, and the signature of both and the body.
    pub fn headers(&self, id: &str, now: Timestamp, body: &str) -> Vec<(&'static str, String)> {
        let seconds = now.as_micros().div_euclid(1_000_000).to_string();
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &self.0), format!("{id}.{seconds}.{body}").as_bytes());
        vec![
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", seconds),
            ("webhook-signature", format!("v1,{}", STANDARD.encode(tag))),
        ]
    }
}

/// Form of a new webhook, as it was typed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct WebhookForm {
    pub address: String,
    pub format: String,
}

impl WebhookForm {
    /// Reads address and format; the error is the code of a notice. The rules for addresses are applied when a message is sent.
    pub fn choice(&self) -> Result<(String, WebhookFormat), &'static str> {
        let address = self.address.trim();
        let uri = Some(address).filter(|address| address.len() <= MAX_ADDRESS).and_then(|address| address.parse::<Uri>().ok());
        let is_web = uri.is_some_and(|uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some());
        match WebhookFormat::parse(&self.format).filter(|_| is_web) {
            Some(format) => Ok((address.to_owned(), format)),
            None => Err(BAD_WEBHOOK.code),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use feature::NotificationItem;

    fn digest() -> Digest {
        let item = NotificationItem {
            topic: "lock".into(),
            interest: None,
            title: "The <lock> is *open*".into(),
            text: "A log & a paper.".into(),
            href: "/watching#lock".into(),
            at: Timestamp::from_micros(0),
            actions: vec![],
        };
        Digest { items: vec![item], folded: 2 }
    }

    #[test]
    fn each_format_carries_the_news_and_no_foreign_markup() {
        let payload = |format: WebhookFormat| format.payload(&digest(), "https://osint.example", Timestamp::from_micros(0));
        let json = payload(WebhookFormat::Json);
        assert_eq!(json["data"]["items"][0]["url"].as_str(), Some("https://osint.example/watching#lock"));
        assert_eq!((json["type"].as_str(), json["data"]["more"].as_u64()), (Some("news"), Some(2)));
        let slack = payload(WebhookFormat::Slack)["text"].as_str().unwrap().to_owned();
        assert!(slack.starts_with("<https://osint.example/watching#lock|The &lt;lock&gt; is *open*>"), "{slack}");
        assert!(slack.ends_with("2 more: https://osint.example/notifications"), "{slack}");
        let teams = payload(WebhookFormat::Teams);
        let text = teams["attachments"][0]["content"]["body"][0]["text"].as_str().unwrap();
        assert!(text.starts_with(r"[The \<lock\> is \*open\*](https://osint.example/watching#lock)"), "{text}");
        let matrix = payload(WebhookFormat::Matrix);
        assert!(matrix["text"].as_str().unwrap().starts_with("The <lock> is *open*\n"));
        let html = matrix["html"].as_str().unwrap();
        assert!(html.starts_with("<a href=\"https://osint.example/watching#lock\">The &lt;lock&gt; is *open*</a>"), "{html}");
    }

    #[test]
    fn a_long_text_of_many_lines_fits_into_a_chat() {
        let mut long = digest();
        (long.items[0].title, long.items[0].text) = ("two\nlines".into(), "word ".repeat(9_000));
        for format in [WebhookFormat::Slack, WebhookFormat::Teams, WebhookFormat::Matrix] {
            let payload = format.payload(&long, "https://osint.example", Timestamp::from_micros(0)).to_string();
            assert!(payload.contains("two lines") && payload.len() < 3_000, "{payload}");
        }
    }

    /// The example of the specification of Standard Webhooks.
    #[test]
    fn the_signature_is_that_of_the_specification() {
        let secret = WebhookSecret(STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap());
        let headers = secret.headers(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            Timestamp::from_micros(1_614_265_330_000_000),
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(headers[2].1, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert_eq!(secret.text(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    }

    #[test]
    fn an_address_on_the_web_is_asked_for() {
        let form = |address: &str| WebhookForm { address: address.into(), format: "slack".into() };
        assert_eq!(
            form(" https://hooks.example/x ").choice(),
            Ok(("https://hooks.example/x".to_owned(), WebhookFormat::Slack))
        );
        for wrong in ["hooks.example", "ftp://hooks.example", "https://", "/x", ""] {
            assert_eq!(form(wrong).choice(), Err("bad_webhook"), "{wrong}");
        }
        assert_eq!(WebhookForm { format: "x".into(), ..form("https://hooks.example") }.choice(), Err("bad_webhook"));
    }
}
