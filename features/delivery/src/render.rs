//! Subject, text and HTML of mails. The HTML refers to nothing that a client would have to load.

use crate::{
    digest::Digest,
    links::{LinkEnds, PersonLinks},
    schedule::Frequency,
    subscription::MailChoice,
};
use app::format::{self, escape_html};
use domain::Timestamp;
use feature::{NotificationAnswer, NotificationItem};

/// Longest title and text of an item, in characters.
pub const MAX_TITLE_CHARS: usize = 160;
pub const MAX_TEXT_CHARS: usize = 400;

/// Words of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailText {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// Renders a digest. `until` is the end of its period.
pub fn render_digest(
    digest: &Digest,
    choice: &MailChoice,
    links: &PersonLinks<'_>,
    until: Timestamp,
    ends: LinkEnds,
) -> MailText {
    let number = (digest.items.len() + digest.folded) as u64;
    let changes = format::count(number, "change", "changes");
    let subject = match digest.items.first().filter(|_| choice.names_in_subject) {
        Some(first) => format!("{changes}: {}", one_line(&first.title, 80)),
        None => changes.clone(),
    };
    let minutes = format::count(digest.items.len() as u64, "minute", "minutes");
    let lead = format!("{}. {changes}, about {minutes}.", choice.schedule.day_of(until));
    let items: Vec<ItemText> = digest.items.iter().map(|item| ItemText::new(item, links, ends.answers)).collect();
    let folded = (digest.folded > 0).then(|| {
        let words = format::count(digest.folded as u64, "more change", "more changes");
        (words, format!("{}/notifications", links.site))
    });
    let footer = Footer::new(choice, links, ends.changes);
    MailText {
        text: digest_text(&lead, &items, folded.as_ref(), &footer),
        html: digest_html(&subject, &lead, &items, folded.as_ref(), &footer),
        subject,
    }
}

/// Renders the mail that asks for the confirmation of an address.
pub fn render_confirmation(user_name: &str, site: &str, link: &str) -> MailText {
    let subject = "Confirm your address".to_owned();
    let asks = format!("{user_name} asked AutOSINT at {site} to send news to this address.");
    let ends = "The link works for two days. If you did not ask for this, ignore this mail: nothing more is sent.";
    let text = format!("{asks}\n\nConfirm the address:\n{link}\n\n{ends}\n");
    let body = format!(
        "<p style=\"{P}\">{}</p><p style=\"{P}\">{}</p><p style=\"{P}\">{}</p>",
        escape_html(&asks),
        anchor(link, "Confirm the address"),
        escape_html(ends)
    );
    MailText { html: page(&subject, &body), subject, text }
}

/// Renders the test of the doctor.
pub fn render_test(site: &str) -> MailText {
    let subject = "Test of the mail server".to_owned();
    let text = format!("AutOSINT at {site} can send mail.\n");
    MailText { html: page(&subject, &format!("<p style=\"{P}\">{}</p>", escape_html(&text))), subject, text }
}

/// An item with its links.
struct ItemText {
    title: String,
    text: String,
    link: String,
    answers: [(&'static str, String); 3],
}

impl ItemText {
    fn new(item: &NotificationItem, links: &PersonLinks<'_>, until: Timestamp) -> Self {
        let answer = |one: NotificationAnswer| (one.label(), links.answer(&item.topic, one.as_str(), until.as_micros()));
        Self {
            title: one_line(&item.title, MAX_TITLE_CHARS),
            text: one_line(&item.text, MAX_TEXT_CHARS),
            link: format!("{}{}", links.site, item.href),
            answers: NotificationAnswer::ALL.map(answer),
        }
    }
}

/// Last lines of a digest: why it came, and how to change that.
struct Footer {
    why: String,
    links: Vec<(&'static str, String)>,
}

impl Footer {
    fn new(choice: &MailChoice, links: &PersonLinks<'_>, until: Timestamp) -> Self {
        let change = |action: &str| links.change(action, &choice.address, until.as_micros());
        let why = format!("You get this {}.", choice.schedule.describe());
        let mut all = vec![("Change", format!("{}/delivery", links.site))];
        if choice.schedule.frequency != Frequency::Weekly {
            all.push(("Weekly", change("weekly")));
        }
        all.extend([("Pause", change("pause")), ("Unsubscribe", change("off"))]);
        Self { why, links: all }
    }
}

/// Returns a text in one line of at most so many characters.
pub fn one_line(text: &str, most_chars: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    format::abridged(&words.join(" "), most_chars)
}

fn digest_text(lead: &str, items: &[ItemText], folded: Option<&(String, String)>, footer: &Footer) -> String {
    let mut text = format!("{lead}\n");
    for (number, item) in (1..).zip(items) {
        text.push_str(&format!("\n{number}  {}\n   {}\n   Read: {}\n", item.title, item.text, item.link));
        for (label, link) in &item.answers {
            text.push_str(&format!("   {label}: {link}\n"));
        }
    }
    if let Some((words, link)) = folded {
        text.push_str(&format!("\n{words}: {link}\n"));
    }
    text.push_str(&format!("\n-- \n{}\n", footer.why));
    for (label, link) in &footer.links {
        text.push_str(&format!("{label}: {link}\n"));
    }
    text
}

/// Inline styles: many clients read no others.
const P: &str = "margin:0 0 12px;font-size:16px;line-height:24px";
const SMALL: &str = "margin:0;font-size:14px;line-height:22px";
const TAP: &str = "display:inline-block;padding:11px 12px 11px 0;color:#1a56b0";

fn digest_html(subject: &str, lead: &str, items: &[ItemText], folded: Option<&(String, String)>, footer: &Footer) -> String {
    let mut body = format!("<p style=\"{P}\">{}</p>", escape_html(lead));
    for item in items {
        let answers: String = item.answers.iter().map(|(label, link)| anchor(link, label)).collect();
        body.push_str(&format!(
            "<h2 style=\"margin:20px 0 4px;font-size:18px;line-height:26px\">{}</h2><p style=\"{P}\">{}</p><p style=\"{SMALL}\">{}{answers}</p>",
            escape_html(&item.title),
            escape_html(&item.text),
            anchor(&item.link, "Read"),
        ));
    }
    if let Some((words, link)) = folded {
        body.push_str(&format!("<p style=\"{SMALL}\">{}</p>", anchor(link, words)));
    }
    let links: String = footer.links.iter().map(|(label, link)| anchor(link, label)).collect();
    body.push_str(&format!("<hr/><p style=\"{SMALL}\">{}</p><p style=\"{SMALL}\">{links}</p>", escape_html(&footer.why)));
    page(subject, &body)
}

/// Returns a link with a target of at least 44 pixels.
fn anchor(link: &str, text: &str) -> String {
    format!("<a href=\"{}\" style=\"{TAP}\">{}</a> ", escape_html(link), escape_html(text))
}

/// Returns a whole document with a column of at most 600 pixels.
fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"/><meta name=\"viewport\" content=\"width=device-width\"/>\
         <meta name=\"color-scheme\" content=\"light dark\"/><meta name=\"supported-color-schemes\" content=\"light dark\"/>\
         <title>{}</title><style>@media (prefers-color-scheme:dark){{body,td{{background:#16181c!important;color:#e8e6e1!important}}\
         a{{color:#8ab4f8!important}}}}</style></head><body style=\"margin:0;padding:0;background:#ffffff;color:#1d1f23\">\
         <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\"><tr><td align=\"center\">\
         <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" style=\"max-width:600px\"><tr>\
         <td align=\"left\" style=\"padding:20px 16px;font-family:system-ui,-apple-system,'Segoe UI',Arial,sans-serif\">{body}</td>\
         </tr></table></td></tr></table></body></html>",
        escape_html(title)
    )
}
