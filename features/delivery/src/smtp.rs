//! Mail over SMTP.

use crate::{
    mail::MailProblem,
    mail_server::{Encryption, MailServer},
    render::MailText,
};
use domain::Timestamp;
use engine::models::Secret;
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{
        Mailbox, MultiPart,
        header::{HeaderName, HeaderValue},
    },
    transport::smtp::{
        Error,
        authentication::Credentials,
        client::{Certificate, Tls, TlsParameters},
        extension::ClientId,
    },
};
use secrecy::ExposeSecret;
use std::time::{Duration, SystemTime};
use tokio::time::timeout;

/// Replies about authentication (RFC 4954).
const AUTHENTICATION_CODES: [&str; 4] = ["530", "534", "535", "538"];

/// Mail that is ready to go.
pub struct OutgoingMail<'a> {
    /// The same for each attempt.
    pub message_id: String,
    pub to: &'a str,
    pub text: MailText,
    pub date: Timestamp,
    /// Link that ends the subscription by one POST (RFC 8058).
    pub unsubscribe: Option<String>,
}

/// Failed attempt, with the cause for the log.
#[derive(Debug)]
pub struct SendFailure {
    pub problem: MailProblem,
    /// Whether another attempt cannot help.
    pub is_permanent: bool,
    pub cause: String,
}

impl SendFailure {
    /// A failure before anything was sent.
    pub fn unreachable(cause: impl ToString) -> Self {
        Self { problem: MailProblem::Unreachable, is_permanent: false, cause: cause.to_string() }
    }
}

/// Client of the mail server.
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    sender: Mailbox,
    step_timeout: Duration,
}

impl Mailer {
    /// A client with a password, and the PEM certificates of further authorities. The timeout is that of each step.
    pub fn new(
        server: &MailServer,
        password: Option<&Secret>,
        authorities: Option<&[u8]>,
        step_timeout: Duration,
    ) -> Result<Self, SendFailure> {
        let tls = || -> Result<TlsParameters, Error> {
            let mut parameters = TlsParameters::builder(server.host.clone());
            if let Some(pem) = authorities {
                parameters = parameters.add_root_certificate(Certificate::from_pem(pem)?);
            }
            parameters.build()
        };
        let tls = match server.encryption {
            Encryption::Tls => tls().map(Tls::Wrapper),
            Encryption::StartTls => tls().map(Tls::Required),
            Encryption::Plain => Ok(Tls::None),
        };
        let mut transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(server.host.clone())
            .port(server.port)
            .tls(tls.map_err(SendFailure::unreachable)?)
            .timeout(Some(step_timeout))
            .hello_name(ClientId::Domain(server.domain().to_owned()));
        if !server.username.is_empty() {
            let password = password.map(|password| password.expose_secret().to_owned()).unwrap_or_default();
            transport = transport.credentials(Credentials::new(server.username.clone(), password));
        }
        let address = server.sender.parse::<Address>().map_err(SendFailure::unreachable)?;
        let name = Some(server.sender_name.clone()).filter(|name| !name.is_empty());
        Ok(Self { transport: transport.build(), sender: Mailbox::new(name, address), step_timeout })
    }

    /// Sends a mail. The connection is tried first, so that a failure there is known to have sent nothing.
    pub async fn send(&self, mail: OutgoingMail<'_>) -> Result<(), SendFailure> {
        let message = self.message(mail).map_err(SendFailure::unreachable)?;
        match timeout(self.step_timeout, self.transport.test_connection()).await {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => return Err(SendFailure::unreachable("the connection was closed")),
            Ok(Err(error)) => return Err(SendFailure::unreachable(error)),
            Err(_) => return Err(SendFailure::unreachable("timeout")),
        }
        match timeout(self.step_timeout, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(refusal(&error)),
            Err(_) => Err(SendFailure { problem: MailProblem::Unanswered, is_permanent: false, cause: "timeout".to_owned() }),
        }
    }

    fn message(&self, mail: OutgoingMail<'_>) -> Result<Message, String> {
        let to = mail.to.parse::<Address>().map_err(|error| error.to_string())?;
        let micros = u64::try_from(mail.date.as_micros()).unwrap_or_default();
        let MailText { subject, text, html } = mail.text;
        let mut message = Message::builder()
            .from(self.sender.clone())
            .to(Mailbox::new(None, to))
            .subject(subject)
            .message_id(Some(mail.message_id))
            .date(SystemTime::UNIX_EPOCH + Duration::from_micros(micros))
            .raw_header(header("Auto-Submitted", "auto-generated".to_owned()));
        if let Some(link) = mail.unsubscribe {
            message = message
                .raw_header(header("List-Unsubscribe", format!("<{link}>")))
                .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
        }
        message.multipart(MultiPart::alternative_plain_html(text, html)).map_err(|error| error.to_string())
    }
}

/// Returns a header whose value is printable ASCII of our own: a link must not be folded or encoded.
fn header(name: &'static str, value: String) -> HeaderValue {
    let value: String = value.chars().filter(char::is_ascii_graphic).collect();
    HeaderValue::dangerous_new_pre_encoded(HeaderName::new_from_ascii_str(name), value.clone(), value)
}

/// Returns the failure of an attempt on a working connection: a reply of the server, or an outcome that is not known.
fn refusal(error: &Error) -> SendFailure {
    let cause = error.to_string();
    match error.status().map(|code| code.to_string()) {
        // The server wants other credentials, which no recipient can help.
        Some(code) if AUTHENTICATION_CODES.contains(&code.as_str()) => SendFailure::unreachable(cause),
        Some(code) => {
            let is_permanent = error.is_permanent() && is_about_mailbox(&cause);
            SendFailure { problem: MailProblem::Refused(code), is_permanent, cause }
        }
        None => SendFailure { problem: MailProblem::Unanswered, is_permanent: false, cause },
    }
}

/// Returns whether a refusal is about the mailbox of the person: its enhanced code (RFC 3463) says so, or it has none. Others, such as
/// those of a policy on senders, are for the operator to mend, and must not pause the mail of everybody.
fn is_about_mailbox(reply: &str) -> bool {
    let words = reply.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_ascii_digit()));
    let mut codes = words.filter_map(|word| {
        let (subject, detail) = word.strip_prefix("5.")?.split_once('.')?;
        Some((subject.parse::<u16>().ok()?, detail.parse::<u16>().ok()?))
    });
    // 5.1.7 and 5.1.8 are about the address of the sender.
    codes.next().is_none_or(|code| matches!(code, (1, 0..=6 | 9..) | (2, _)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_of_the_sender_is_not_about_the_mailbox() {
        for reply in
            ["no such person", "(550): 5.1.1 no such user", "(550): mailbox unavailable (#5.2.1)", "(550): 5.9.1.2 is listed"]
        {
            assert!(is_about_mailbox(reply), "{reply}");
        }
        for reply in ["(554): 5.7.1 not authorised to send", "(550): 5.1.8 sender domain not found", "(552): 5.3.4 too big"] {
            assert!(!is_about_mailbox(reply), "{reply}");
        }
    }
}
