//! Service addresses from the configuration, which may hold a password that is never shown.

use serde::Deserialize;
use std::fmt;
use url::Url;

/// The URL of a service, displayed without its password.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Address(Url);

impl Address {
    /// Returns the full URL with its password, for connecting.
    pub fn exposed(&self) -> &str {
        self.0.as_str()
    }

    /// Whether it contains a user or a password.
    pub fn names_somebody(&self) -> bool {
        !self.0.username().is_empty() || self.0.password().is_some()
    }

    /// Returns its scheme, such as `postgres` or `redis`.
    pub fn scheme(&self) -> &str {
        self.0.scheme()
    }
}

impl TryFrom<String> for Address {
    type Error = String;

    // The text is not in the message: it may hold a password.
    fn try_from(text: String) -> Result<Self, String> {
        let url =
            Url::parse(&text).map_err(|problem| format!("it is no address ({problem}): write SCHEME://USER@HOST:PORT"))?;
        match url.host_str() {
            Some(host) if !host.is_empty() => Ok(Self(url)),
            _ => Err("it names no host: write SCHEME://USER@HOST:PORT".to_owned()),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let user = self.0.username();
        let at = if user.is_empty() { "" } else { "@" };
        write!(f, "{}://{user}{at}{}", self.0.scheme(), self.0.host_str().unwrap_or_default())?;
        if let Some(port) = self.0.port() {
            write!(f, ":{port}")?;
        }
        f.write_str(self.0.path())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let address = Address::try_from("postgres://ada:secret@db.example:5433/osint?password=secret".to_owned()).unwrap();
        assert_eq!(address.to_string(), "postgres://ada@db.example:5433/osint");
        assert_eq!(format!("{address:?}"), "postgres://ada@db.example:5433/osint");
        assert!(address.exposed().contains("secret"));
        assert!(address.names_somebody());
        for wrong in ["secret", "postgres://", "postgres:///secret"] {
            let problem = Address::try_from(wrong.to_owned()).unwrap_err();
            assert!(!problem.contains("secret"), "{problem}");
        }
    }
}
