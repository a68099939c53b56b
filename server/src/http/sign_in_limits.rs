//! Limits of sign-in attempts: growing pauses per user name and network, and a rate per network. A device in which the person has
//! signed in before is counted by itself, so that no stranger can lock them out.

use super::prelude::*;
use crate::Program;
use engine::{
    accounts::{self, hash_token},
    limits::Attempt,
};
use feature::ClientAddress;
use std::net::IpAddr;

/// Entries that the audit log gets per minute about names without an account.
const UNKNOWN_NAMES_PER_MINUTE: u32 = 6;
/// Characters of a name that count.
const MAX_NAME_CHARS: usize = 64;

/// An attempt to sign in that may be tried, counted as failed until it succeeds.
pub(super) struct SignInAttempt {
    bucket: String,
}

impl SignInAttempt {
    /// Forgets the failures before a success.
    pub(super) async fn succeeded(&self, program: &Program) {
        if let Err(error) = program.limits.reset(&self.bucket).await {
            tracing::warn!(%error, "sign-in failures not forgotten");
        }
    }
}

/// Begins an attempt with a name from an address, and with the token of its device; none while there is a pause.
pub(super) async fn begin(
    program: &Program,
    name: &str,
    address: IpAddr,
    device: Option<&str>,
) -> StoreResult<Option<SignInAttempt>> {
    let name: String = name.trim().to_lowercase().chars().take(MAX_NAME_CHARS).collect();
    let device = device.map(hash_token);
    let known = match device {
        Some(device) => program.web_sessions.is_device_of(&device, &name).await?.then_some(device),
        None => None,
    };
    let (limits, auth) = (&program.limits, &program.config.auth);
    let bucket = match known {
        Some(device) => format!("sign-in:device:{device}"),
        None => {
            let network = ClientAddress(address).network();
            if !limits.take(&format!("sign-in:network:{network}"), auth.attempts_per_minute_per_network).await? {
                tracing::warn!(%address, "sign-in attempts of a network limited");
                return Ok(None);
            }
            format!("sign-in:name:{network}:{name}")
        }
    };
    attempt(program, bucket, &name, address).await
}

/// Begins an attempt of a signed-in user to type their password again.
pub(super) async fn begin_again(program: &Program, user: &User, address: IpAddr) -> StoreResult<Option<SignInAttempt>> {
    attempt(program, format!("password:{}", user.id), &user.name, address).await
}

async fn attempt(program: &Program, bucket: String, name: &str, address: IpAddr) -> StoreResult<Option<SignInAttempt>> {
    match program.limits.attempt(&bucket, &program.config.auth.pauses).await? {
        Attempt::Allowed => Ok(Some(SignInAttempt { bucket })),
        Attempt::Paused { left, is_first } => {
            tracing::warn!(%address, left_ms = left.as_millis() as u64, "sign-in attempts paused");
            if is_first {
                record_lock_out(program, name, address).await?;
            }
            Ok(None)
        }
    }
}

/// Writes one entry per pause.
async fn record_lock_out(program: &Program, name: &str, address: IpAddr) -> StoreResult<()> {
    let engine = &program.engine;
    let found = engine.accounts.user_by_name(name).await?;
    let by = Actor { user: found.as_ref().map(|(user, _)| user.id), address: Some(address) };
    let object = match found {
        Some((user, _)) => Some(user.name),
        None => describe_unknown_name(program, name).await?,
    };
    match object {
        Some(object) => accounts::audit(engine, by, "sign_in_locked", &object).await,
        None => Ok(()),
    }
}

/// Returns what the audit log says of a name without an account: a hash under a salt of this process, since people type passwords
/// into the wrong field. None when there were too many: unknown names must not fill the log.
pub(super) async fn describe_unknown_name(program: &Program, name: &str) -> StoreResult<Option<String>> {
    if !program.limits.take("audit:unknown-names", UNKNOWN_NAMES_PER_MINUTE).await? {
        return Ok(None);
    }
    let digest = hash_token(&format!("{}{}", program.name_salt, name.trim().to_lowercase()));
    Ok(Some(format!("unknown name #{}", &digest[..8])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_counted_by_its_network() {
        let network = |address: &str| ClientAddress(address.parse().unwrap()).network();
        assert_eq!(network("203.0.113.9"), "203.0.113.0/24");
        assert_eq!(network("::ffff:203.0.113.200"), "203.0.113.0/24");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
    }
}
