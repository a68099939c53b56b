//! How often somebody may try to sign in: by user name, so that one account is not guessed, and by address.

use crate::config::AuthConfig;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::{net::IpAddr, num::NonZeroU32};

/// Forgets who has not tried for long once so many are remembered.
const MAX_REMEMBERED: usize = 10_000;

pub(super) struct SignInLimits {
    by_name: DefaultKeyedRateLimiter<String>,
    by_address: DefaultKeyedRateLimiter<IpAddr>,
}

impl SignInLimits {
    pub(super) fn new(config: &AuthConfig) -> Self {
        let quota = |per_minute| Quota::per_minute(NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN));
        Self {
            by_name: RateLimiter::keyed(quota(config.attempts_per_minute_per_name)),
            by_address: RateLimiter::keyed(quota(config.attempts_per_minute_per_address)),
        }
    }

    /// Counts an attempt; false when there were too many.
    pub(super) fn may_try(&self, name: &str, address: IpAddr) -> bool {
        if self.by_name.len() > MAX_REMEMBERED {
            self.by_name.retain_recent();
        }
        if self.by_address.len() > MAX_REMEMBERED {
            self.by_address.retain_recent();
        }
        let name: String = name.trim().to_lowercase().chars().take(64).collect();
        // Both count, whatever the first says.
        let by_address = self.by_address.check_key(&address).is_ok();
        self.by_name.check_key(&name).is_ok() && by_address
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_an_address_each_have_their_measure() {
        let config =
            AuthConfig { attempts_per_minute_per_name: 2, attempts_per_minute_per_address: 3, ..AuthConfig::default() };
        let limits = SignInLimits::new(&config);
        let (here, there) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2]));
        assert!(limits.may_try("ada", here));
        assert!(limits.may_try(" ADA", there));
        assert!(!limits.may_try("ada", there));
        assert!(limits.may_try("bob", here));
        assert!(limits.may_try("cleo", here));
        assert!(!limits.may_try("dora", here));
    }
}
