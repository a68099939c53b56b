//! Spending of today against caps, and circuit states.

use super::Settings;
use crate::{
    StoreResult,
    budget::{Cap, LevelUsage, day_keys},
    reliability::{Circuit, CircuitState},
};
use domain::{
    budget::{BudgetLevel, OwnCap},
    user::{Action, User},
};
use views::settings::{CapLine, CircuitLine, Outage, PersonSpend, SpendToday, Spending};

impl Settings {
    /// Returns the caps with today's usage of `viewer` and, for administrators, of all users.
    pub(super) async fn spending(&self, viewer: &User, is_admin: bool) -> StoreResult<Spending> {
        let budget = &self.parts.engine.budget;
        let day = if is_admin { Some(self.spent(BudgetLevel::Day, viewer).await?) } else { None };
        let own = Some(self.spent(BudgetLevel::User, viewer).await?);
        let line = |level, cap: &Cap, used| {
            let own = if level == BudgetLevel::User { viewer.cap } else { OwnCap::default() };
            CapLine { level, tokens: cap.tokens, money: cap.money, own, used }
        };
        Ok(Spending {
            currency: budget.currency.clone(),
            caps: vec![
                line(BudgetLevel::Day, &budget.day, day),
                line(BudgetLevel::User, &budget.user, own),
                line(BudgetLevel::Investigation, &budget.investigation, None),
                line(BudgetLevel::Session, &budget.session, None),
            ],
        })
    }

    /// Returns users who may start investigations, highest usage first.
    pub(super) async fn people(&self) -> StoreResult<Vec<PersonSpend>> {
        let (engine, mut people) = (&self.parts.engine, vec![]);
        let (users, now) = (engine.accounts.users().await?, engine.clock.now());
        let keys: Vec<String> = users.iter().map(|user| day_keys(now, user.id)[1].clone()).collect();
        let of_all: Vec<&str> = keys.iter().map(String::as_str).collect();
        let used = engine.ledger.used_by_key(BudgetLevel::User, &of_all).await?;
        for (user, key) in users.into_iter().zip(&keys) {
            let used = used.get(key).copied().map(today).unwrap_or_default();
            if used != SpendToday::default() || (user.role.may(Action::Investigate) && !user.is_disabled) {
                people.push(PersonSpend { id: user.id, name: user.name, used, cap: user.cap });
            }
        }
        people.sort_by(|a, b| (b.used.cost_micros, b.used.tokens, &a.name).cmp(&(a.used.cost_micros, a.used.tokens, &b.name)));
        Ok(people)
    }

    /// Returns every dependency that has ever failed.
    pub(super) async fn circuits(&self) -> StoreResult<Vec<CircuitLine>> {
        Ok(self.parts.engine.circuits.circuits().await?.into_iter().map(line).collect())
    }

    /// Returns usage of a level; running calls count with their reservation.
    async fn spent(&self, level: BudgetLevel, user: &User) -> StoreResult<SpendToday> {
        let [day, person] = day_keys(self.parts.engine.clock.now(), user.id);
        let key = if level == BudgetLevel::Day { day } else { person };
        Ok(today(self.parts.engine.ledger.used(level, &key).await?))
    }
}

fn today(used: LevelUsage) -> SpendToday {
    SpendToday { tokens: used.tokens, cost_micros: used.micros }
}

fn line(circuit: Circuit) -> CircuitLine {
    let Circuit { dependency, state, failures, reason, retry_at, .. } = circuit;
    let outage = match state {
        CircuitState::Closed => Outage::None { failures },
        CircuitState::Open => Outage::Down { retry_at },
        CircuitState::HalfOpen => Outage::Probing,
    };
    CircuitLine { dependency, outage, reason }
}
