//! Budgets: configured caps and the spend of today.

use crate::prelude::*;
use domain::budget::{BudgetLevel, OwnCap, decimal};
use views::settings::{CapLine, PersonSpend, SpendToday, Spending};

#[component]
pub fn Budgets(spending: Spending, people: Option<Vec<PersonSpend>>) -> impl IntoView {
    let Spending { currency, caps } = spending;
    let rows = caps.into_iter().map(|cap| view! { <Row cap currency=currency.clone() /> }).collect_view();
    view! {
        <section aria-labelledby="budgets-title" class="settings-part">
            <h2 id="budgets-title">"Budgets"</h2>
            <p class="hint">"Days are UTC. Running calls count with their reserved amount. A reached cap leads to a final session."</p>
            <div class="scroll" role="region" aria-label="Budgets, scrolls sideways" tabindex="0">
                <table class="budget-table">
                    <thead>
                        <tr><th scope="col">"For"</th><th scope="col">"Used today"</th><th scope="col">"Limit"</th></tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {people.map(|people| view! { <People people currency=currency.clone() /> })}
        </section>
    }
}

#[component]
fn Row(cap: CapLine, currency: String) -> impl IntoView {
    let name = match cap.level {
        BudgetLevel::Day => "all users, per day",
        BudgetLevel::User => "each user, per day",
        BudgetLevel::Investigation => "one investigation",
        BudgetLevel::Session => "one session",
    };
    let used = cap.used.map_or_else(|| "–".to_owned(), |used| words(used, &currency));
    let configured = cap.money.and_then(OwnCap::micros);
    let (tokens, money) = (cap.own.tokens.or(cap.tokens), cap.own.cost_micros.or(configured));
    let own = ((tokens, money) != (cap.tokens, configured))
        .then(|| view! { <br />{format!("yours: {}", words_of(tokens, money, &currency))} });
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td>{used}</td>
            <td>{words_of(cap.tokens, configured, &currency)}{own}</td>
        </tr>
    }
    .into_any()
}

#[component]
fn People(people: Vec<PersonSpend>, currency: String) -> impl IntoView {
    let is_empty = people.is_empty();
    let rows = people.into_iter().map(|person| view! { <Person person currency=currency.clone() /> }).collect_view();
    view! {
        <h3 id="people-title">"Per person and day"</h3>
        <p class="hint">"Empty = default limit. Changes apply from the next call."</p>
        {is_empty.then(|| view! { <p class="muted">"Nobody can ask questions yet."</p> })}
        <ul class="setting-list" aria-labelledby="people-title">{rows}</ul>
    }
}

/// One person: spend of today, and the form of the personal cap.
#[component]
fn Person(person: PersonSpend, currency: String) -> impl IntoView {
    let PersonSpend { id, name, used, cap } = person;
    let (tokens, money) = (format!("tokens-{id}"), format!("money-{id}"));
    let set = format!("Set the caps of {name}");
    view! {
        <li class="setting">
            <div>
                <p><strong>{name.clone()}</strong></p>
                <p class="hint">{format!("{} used today", format::capitalised(&words(used, &currency)))}</p>
            </div>
            <form method="post" action="/settings/caps" class="cap-form">
                <input type="hidden" name="user" value=id.to_string() />
                <div class="field">
                    <label for=tokens.clone()>"Tokens" <span class="hidden">" that " {name.clone()} " may use a day"</span></label>
                    <input id=tokens name="tokens" type="text" inputmode="numeric" autocomplete="off" size="9" value=cap.tokens.map(|tokens| tokens.to_string()) />
                </div>
                <div class="field">
                    <label for=money.clone()>{currency} <span class="hidden">" that " {name} " may use a day"</span></label>
                    <input id=money name="money" type="text" inputmode="decimal" autocomplete="off" size="6" value=cap.cost_micros.map(decimal) />
                </div>
                <button class="quiet" type="submit" aria-label=set>"Set"</button>
            </form>
        </li>
    }
}

fn words(used: SpendToday, currency: &str) -> String {
    let tokens = if used.tokens == 0 { "no tokens".to_owned() } else { format::count(used.tokens, "token", "tokens") };
    format!("{tokens}, {}", format::money(used.cost_micros, currency))
}

/// A cap, its money in millionths.
fn words_of(tokens: Option<u64>, money: Option<u64>, currency: &str) -> String {
    let tokens = tokens.map(|tokens| format::count(tokens, "token", "tokens"));
    let money = money.map(|micros| format!("{currency}\u{a0}{}", decimal(micros)));
    let parts: Vec<_> = tokens.into_iter().chain(money).collect();
    if parts.is_empty() { "no cap".to_owned() } else { parts.join(", ") }
}
