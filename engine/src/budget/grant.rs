//! Grant decision: whether a call may be made, and its maximum answer length. Pure; the store calls it inside the reserving
//! transaction.

use super::micros;
use domain::budget::{BudgetLevel, OwnCap, decimal};
use protocol::model::{Price, Usage};
use std::fmt;

/// Budget request of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetRequest {
    pub prompt_tokens: u64,
    /// Maximum answer length; a cap may reduce it down to `min_output_tokens`.
    pub max_output_tokens: u32,
    pub min_output_tokens: u32,
    pub price: Price,
    /// Whether tokens count; deterministic providers read none.
    pub is_metered: bool,
    /// Whether the call may use the share reserved for the final session.
    pub is_final: bool,
    /// Whether the call belongs to a part, which leaves the final share of the whole.
    pub is_part: bool,
    /// Whether the call belongs to an object of a feature, which has the cap of an investigation and no final session.
    pub is_of_object: bool,
    /// Share of the cap of an investigation that its depth allows, and its parts with it.
    pub depth_share: f64,
}

impl BudgetRequest {
    /// Returns the share of the cap of a level that the call must leave. Parts keep the same share of the rest for their own final
    /// sessions.
    fn kept_share(&self, level: BudgetLevel, final_share: f64) -> f64 {
        if level == BudgetLevel::Session || (level == BudgetLevel::Investigation && self.is_of_object) {
            return 0.0;
        }
        let open = 1.0 - final_share;
        match (self.is_part, self.is_final) {
            (false, true) => 0.0,
            (false, false) | (true, true) => final_share,
            (true, false) => 1.0 - open * open,
        }
    }
}

/// Limit of one level; none: unlimited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limit {
    pub tokens: Option<u64>,
    pub micros: Option<u64>,
}

/// Caps of all levels, in the order of `BudgetLevel::ALL`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Caps {
    pub levels: [Limit; 4],
    pub final_share: f64,
}

impl Caps {
    /// Applies the personal daily cap of a user.
    pub fn with_own(&self, own: OwnCap) -> Self {
        let mut caps = self.clone();
        for (limit, level) in caps.levels.iter_mut().zip(BudgetLevel::ALL) {
            if level == BudgetLevel::User {
                *limit = Limit { tokens: own.tokens.or(limit.tokens), micros: own.cost_micros.or(limit.micros) };
            }
        }
        caps
    }

    /// Limits a session to a share of the cap of its investigation.
    pub fn with_session_share(mut self, share: Option<f64>) -> Self {
        let Some(share) = share else { return self };
        let part = |cap: u64| (cap as f64 * share) as u64;
        let [_, _, investigation, session] = &mut self.levels;
        session.tokens = session.tokens.into_iter().chain(investigation.tokens.map(part)).min();
        session.micros = session.micros.into_iter().chain(investigation.micros.map(part)).min();
        self
    }
}

/// Usage and reservations of one level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LevelUsage {
    pub tokens: u64,
    pub micros: u64,
}

/// Grant of a call, with the reserved amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    pub max_output_tokens: u32,
    pub reserved: LevelUsage,
    /// Amount for the prompt, which counts if the call is never settled.
    pub prompt: LevelUsage,
}

/// Error of a reached cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapReached {
    pub level: BudgetLevel,
    /// Whether the call belongs to an object of a feature.
    pub is_of_object: bool,
    pub is_money: bool,
    pub cap: u64,
    /// Spend and reserved.
    pub used: u64,
    /// Amount reserved for the final session.
    pub kept: u64,
    /// Minimum needed by the call.
    pub needed: u64,
}

impl fmt::Display for CapReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = match self.level {
            BudgetLevel::Day => "the daily budget",
            BudgetLevel::User => "this user's daily budget",
            BudgetLevel::Investigation if self.is_of_object => "the budget of this work",
            BudgetLevel::Investigation => "the investigation budget",
            BudgetLevel::Session => "the session budget",
        };
        let level = self.level.as_str();
        let (amount, unit, key) = match self.is_money {
            true => (decimal as fn(u64) -> String, "", "money"),
            false => ((|tokens: u64| tokens.to_string()) as fn(u64) -> String, " tokens", "tokens"),
        };
        match self.used >= self.cap.saturating_sub(self.kept) {
            true => write!(f, "{whose} is used up")?,
            false => write!(f, "{whose} is too small for this call, which needs {}{unit}", amount(self.needed))?,
        }
        write!(f, ": {} of {}{unit} spent or reserved", amount(self.used), amount(self.cap))?;
        if self.kept > 0 {
            write!(f, ", {} reserved for the final session", amount(self.kept))?;
        }
        write!(f, "; raise budget.{level}.{key}")?;
        if self.level == BudgetLevel::User { f.write_str(" or the user's own cap (autosint user cap)") } else { Ok(()) }
    }
}

/// Decides on one call, given the usage of each level.
pub fn grant(ask: &BudgetRequest, caps: &Caps, used: &[LevelUsage; 4]) -> Result<Grant, CapReached> {
    let prompt_micros = cost(ask, 0);
    let mut output = u64::from(ask.max_output_tokens);
    let least = u64::from(ask.min_output_tokens.min(ask.max_output_tokens));
    let is_of_object = ask.is_of_object;
    for ((level, limit), used) in BudgetLevel::ALL.into_iter().zip(&caps.levels).zip(used) {
        let kept = ask.kept_share(level, caps.final_share);
        let kept = |cap: u64| (cap as f64 * kept) as u64;
        let share = if level == BudgetLevel::Investigation { ask.depth_share } else { 1.0 };
        let shared = |cap: u64| if share < 1.0 { (cap as f64 * share) as u64 } else { cap };
        if let Some(cap) = limit.tokens.map(shared) {
            let (kept, used) = (kept(cap), used.tokens);
            let left = (cap - kept).saturating_sub(used).saturating_sub(ask.prompt_tokens);
            output = output.min(left);
            if output < least || cap - kept <= used {
                let needed = ask.prompt_tokens.saturating_add(least);
                return Err(CapReached { level, is_of_object, is_money: false, cap, used, kept, needed });
            }
        }
        if let Some(cap) = limit.micros.map(shared)
            && !ask.price.is_free()
        {
            let (kept, used) = (kept(cap), used.micros);
            let left = (cap - kept).saturating_sub(used).saturating_sub(prompt_micros);
            output = output.min(affordable(left, ask.price.output));
            if output < least || cap - kept <= used {
                return Err(CapReached { level, is_of_object, is_money: true, cap, used, kept, needed: cost(ask, least) });
            }
        }
    }
    let reserved = LevelUsage { tokens: ask.prompt_tokens.saturating_add(output), micros: cost(ask, output) };
    let read = LevelUsage { tokens: ask.prompt_tokens, micros: prompt_micros };
    let prompt = if ask.is_metered { read } else { LevelUsage::default() };
    Ok(Grant { max_output_tokens: u32::try_from(output).unwrap_or(u32::MAX), reserved, prompt })
}

/// Returns affordable tokens: a millionth per token equals one currency unit per million tokens.
fn affordable(micros: u64, price_per_million: f64) -> u64 {
    if price_per_million > 0.0 { (micros as f64 / price_per_million) as u64 } else { u64::MAX }
}

/// Returns the cost, assuming a full prompt at the highest price the provider may charge for it.
fn cost(ask: &BudgetRequest, output: u64) -> u64 {
    let price = Price { input: ask.price.input.max(ask.price.cache_written), ..ask.price.clone() };
    micros(&price, &Usage { tokens_in: ask.prompt_tokens, tokens_out: output, ..Usage::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(is_final: bool) -> BudgetRequest {
        let price = Price { input: 2.0, output: 10.0, currency: "USD".into(), ..Price::default() };
        BudgetRequest {
            prompt_tokens: 1_000,
            max_output_tokens: 500,
            min_output_tokens: 100,
            price,
            is_metered: true,
            is_final,
            is_part: false,
            is_of_object: false,
            depth_share: 1.0,
        }
    }

    fn caps(level: usize, limit: Limit) -> Caps {
        let mut caps = Caps { final_share: 0.2, ..Caps::default() };
        caps.levels[level] = limit;
        caps
    }

    fn decide(is_final: bool, level: usize, limit: Limit, used: LevelUsage) -> Result<u32, CapReached> {
        let mut all = [LevelUsage::default(); 4];
        all[level] = used;
        grant(&ask(is_final), &caps(level, limit), &all).map(|grant| grant.max_output_tokens)
    }

    fn tokens(cap: u64) -> Limit {
        Limit { tokens: Some(cap), micros: None }
    }

    #[test]
    fn without_caps_everything_is_granted_and_reserved_in_full() {
        let granted = grant(&ask(false), &Caps::default(), &[LevelUsage::default(); 4]).unwrap();
        assert_eq!(
            granted,
            Grant {
                max_output_tokens: 500,
                reserved: LevelUsage { tokens: 1_500, micros: 7_000 },
                prompt: LevelUsage { tokens: 1_000, micros: 2_000 },
            }
        );
    }

    #[test]
    fn an_answer_is_shortened_to_fit_but_not_too_much() {
        let used = |tokens| LevelUsage { tokens, micros: 0 };
        assert_eq!(decide(true, 2, tokens(10_000), used(8_500)), Ok(500));
        assert_eq!(decide(true, 2, tokens(10_000), used(8_800)), Ok(200));
        let refused = decide(true, 2, tokens(10_000), used(8_950)).unwrap_err();
        assert_eq!((refused.level, refused.used), (BudgetLevel::Investigation, 8_950));
    }

    #[test]
    fn a_depth_may_use_its_share_of_the_investigation_and_all_of_the_rest() {
        let request = BudgetRequest { depth_share: 0.25, ..ask(true) };
        let granted = |level, used| {
            let mut all = [LevelUsage::default(); 4];
            all[level] = LevelUsage { tokens: used, micros: 0 };
            grant(&request, &caps(level, tokens(10_000)), &all).map(|grant| grant.max_output_tokens)
        };
        assert_eq!(granted(2, 1_000), Ok(500));
        assert_eq!(granted(2, 1_450).unwrap_err().cap, 2_500);
        assert_eq!(granted(1, 8_000), Ok(500));
    }

    #[test]
    fn the_final_share_is_granted_only_to_the_final_session() {
        let used = LevelUsage { tokens: 7_000, micros: 0 };
        assert!(decide(false, 2, tokens(10_000), used).is_err(), "8000 are open to all");
        assert_eq!(decide(true, 2, tokens(10_000), used), Ok(500));
        assert_eq!(decide(false, 3, tokens(10_000), used), Ok(500), "a session keeps nothing");
    }

    #[test]
    fn an_object_of_a_feature_keeps_nothing_of_its_own_cap_and_the_share_of_the_others() {
        let ask = BudgetRequest { is_of_object: true, ..ask(false) };
        let used = [LevelUsage { tokens: 8_000, micros: 0 }; 4];
        assert_eq!(grant(&ask, &caps(2, tokens(10_000)), &used).map(|grant| grant.max_output_tokens), Ok(500));
        assert!(grant(&ask, &caps(1, tokens(10_000)), &used).is_err());
        let refused = grant(&ask, &caps(2, tokens(8_000)), &used).unwrap_err();
        let text =
            "the budget of this work is used up: 8000 of 8000 tokens spent or reserved; raise budget.investigation.tokens";
        assert_eq!(refused.to_string(), text);
    }

    #[test]
    fn parts_leave_the_final_share_of_the_whole_and_keep_one_for_their_own_final_sessions() {
        let room = |is_final, used| {
            let used = [LevelUsage { tokens: used, micros: 0 }; 4];
            grant(&BudgetRequest { is_part: true, ..ask(is_final) }, &caps(2, tokens(10_000)), &used)
                .map(|grant| grant.max_output_tokens)
        };
        assert_eq!(room(false, 4_900), Ok(500), "6400 are open to all sessions of parts");
        assert!(room(false, 5_400).is_err());
        assert_eq!(room(true, 6_500), Ok(500), "8000 to their final sessions");
        assert!(room(true, 7_000).is_err());
    }

    #[test]
    fn money_is_limited_like_tokens_and_free_calls_are_not() {
        let cap = Limit { tokens: None, micros: Some(10_000) };
        assert_eq!(decide(true, 0, cap, LevelUsage { tokens: 0, micros: 5_000 }), Ok(300));
        let refused = decide(true, 0, cap, LevelUsage { tokens: 0, micros: 7_500 }).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the daily budget is too small for this call, which needs 0.003: 0.0075 of 0.01 spent or reserved; raise budget.day.money"
        );
        let kept = decide(false, 1, tokens(10_000), LevelUsage { tokens: 8_000, micros: 0 }).unwrap_err();
        assert_eq!(
            kept.to_string(),
            "this user's daily budget is used up: 8000 of 10000 tokens spent or reserved, 2000 reserved for the final session; \
             raise budget.user.tokens or the user's own cap (autosint user cap)"
        );
        let free = BudgetRequest { price: Price::default(), ..ask(false) };
        assert!(grant(&free, &caps(0, cap), &[LevelUsage { tokens: 0, micros: 9_999 }; 4]).is_ok());
    }

    #[test]
    fn the_own_cap_of_a_person_replaces_the_configured_one() {
        let configured = caps(1, Limit { tokens: Some(100), micros: Some(7) });
        let own = configured.with_own(OwnCap { tokens: Some(9), cost_micros: None });
        assert_eq!(own.levels[1], Limit { tokens: Some(9), micros: Some(7) });
        assert_eq!(own.levels[0], Limit::default());
        assert_eq!(configured.with_own(OwnCap::default()), configured);
    }

    #[test]
    fn a_cap_of_nothing_refuses_everything() {
        let ask = BudgetRequest { prompt_tokens: 0, max_output_tokens: 0, ..ask(true) };
        assert!(grant(&ask, &caps(1, tokens(0)), &[LevelUsage::default(); 4]).is_err());
    }
}
