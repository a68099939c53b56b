//! The mail server of the installation, and its public address.

use app::NoticeAction;
use axum::http::uri::Authority;
use feature::NoticeText;
use lettre::Address;
use serde::Deserialize;
use std::net::IpAddr;

/// Name of the secret with the password of the mail server.
pub const PASSWORD: &str = "delivery:smtp";

/// Refusal of a wrong address of the site, host, port or sender.
pub const BAD_SERVER: NoticeText = NoticeText {
    code: "bad_mail_server",
    message: "Check the fields: the site begins with https:// or http:// and has no path, the host is a name or an IP address, and the sender is an e-mail address.",
    action: NoticeAction { text: "Correct the fields", href: "#site" },
};

/// Refusal of a password over an unencrypted connection.
pub const PLAIN_PASSWORD: NoticeText = NoticeText {
    code: "plain_mail_password",
    message: "Without encryption a user name and password are sent to this machine only. Choose TLS or STARTTLS.",
    action: NoticeAction { text: "Choose an encryption", href: "#encryption" },
};

domain::words! {
    /// Encryption of the connection to the mail server.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Encryption {
        /// TLS from the first byte, usually port 465.
        Tls = "tls",
        /// Required STARTTLS, usually port 587.
        StartTls = "starttls",
        Plain = "plain",
    }
}

impl Encryption {
    /// Returns the words of a form.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Tls => "TLS (port 465)",
            Self::StartTls => "STARTTLS (port 587)",
            Self::Plain => "None",
        }
    }
}

/// Mail server and public address of the installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailServer {
    /// Address of the site in links, without a slash at the end.
    pub site: String,
    /// Empty: no mail.
    pub host: String,
    pub port: u16,
    pub encryption: Encryption,
    /// Empty: no authentication.
    pub username: String,
    /// Address of the sender.
    pub sender: String,
    pub sender_name: String,
}

impl MailServer {
    /// Returns whether it can send mail.
    pub fn sends_mail(&self) -> bool {
        !self.host.is_empty()
    }

    /// Returns the domain of the sender, for ids of mails.
    pub fn domain(&self) -> &str {
        self.sender.rsplit_once('@').map_or("localhost", |(_, domain)| domain)
    }

    /// Returns host and port in words.
    pub fn describe(&self) -> String {
        format!("{}:{} ({})", self.host, self.port, self.encryption.as_str())
    }
}

/// Form of the mail server, as it was typed. The password is read apart.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ServerForm {
    pub site: String,
    pub host: String,
    pub port: String,
    pub encryption: String,
    pub username: String,
    /// Empty: as before.
    pub password: String,
    pub sender: String,
    pub sender_name: String,
}

impl ServerForm {
    /// Reads the mail server; the error is the code of a notice. Without a host there is no mail, and feeds alone.
    pub fn server(&self) -> Result<MailServer, &'static str> {
        let (site, host) = (self.site.trim().trim_end_matches('/'), self.host.trim());
        let authority = site.strip_prefix("https://").or_else(|| site.strip_prefix("http://"));
        let is_site = authority
            .is_some_and(|text| text.parse::<Authority>().is_ok_and(|one| one.as_str() == text && !text.contains('@')));
        let is_host = !host.contains(|c: char| c.is_whitespace() || c.is_control() || "/@:".contains(c)) || is_address(host);
        let sender = self.sender.trim();
        let has_sender = host.is_empty() || sender.parse::<Address>().is_ok();
        let encryption = Encryption::parse(&self.encryption);
        let port = if host.is_empty() { Some(0) } else { self.port.trim().parse::<u16>().ok().filter(|port| *port > 0) };
        let is_name = !self.sender_name.contains(char::is_control);
        let (Some(encryption), Some(port), true, true, true, true) = (encryption, port, is_site, is_host, has_sender, is_name)
        else {
            return Err(BAD_SERVER.code);
        };
        let username = self.username.trim();
        if encryption == Encryption::Plain && !username.is_empty() && !is_this_machine(host) {
            return Err(PLAIN_PASSWORD.code);
        }
        Ok(MailServer {
            site: site.to_owned(),
            host: host.to_owned(),
            port,
            encryption,
            username: username.to_owned(),
            sender: sender.to_owned(),
            sender_name: self.sender_name.trim().to_owned(),
        })
    }
}

fn is_address(host: &str) -> bool {
    host.parse::<IpAddr>().is_ok()
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_read_and_a_password_stays_on_encrypted_connections() {
        let form = || ServerForm {
            site: "https://osint.example/".into(),
            host: "mail.example".into(),
            port: "587".into(),
            encryption: "starttls".into(),
            username: "robot".into(),
            password: String::new(),
            sender: "osint@mail.example".into(),
            sender_name: "AutOSINT".into(),
        };
        let server = form().server().unwrap();
        assert_eq!((server.site.as_str(), server.port, server.domain()), ("https://osint.example", 587, "mail.example"));
        let plain = |host: &str| ServerForm { encryption: "plain".into(), host: host.into(), ..form() }.server();
        assert_eq!(plain("mail.example"), Err("plain_mail_password"));
        assert!(plain("127.0.0.1").is_ok() && plain("::1").is_ok());
        for site in
            ["osint.example", "https://osint.example/path", "https://ada@osint.example", "ftp://osint.example", "https://"]
        {
            assert_eq!(ServerForm { site: site.into(), ..form() }.server(), Err("bad_mail_server"), "{site}");
        }
        let feeds_alone = ServerForm { host: String::new(), sender: String::new(), port: String::new(), ..form() };
        assert!(!feeds_alone.server().unwrap().sends_mail());
    }
}
