//! Form of the mail that a person orders.

use super::order::PAGE;
use crate::{
    schedule::{Frequency, WEEKDAYS},
    subscription::MailChoice,
};
use app::atoms::TextField;
use domain::UserId;
use feature::KeptForm;
use leptos::prelude::*;

/// Values of the fields.
struct FieldValues {
    address: String,
    frequency: String,
    weekday: String,
    time: String,
    zone: String,
    quiet_from: String,
    quiet_to: String,
    budget: String,
    has_names: bool,
}

impl FieldValues {
    /// Returns what was typed into a refused form, else what is stored.
    fn new(choice: &MailChoice, kept: &KeptForm) -> Self {
        let schedule = &choice.schedule;
        let value = |name: &str, stored: String| kept.get(name).unwrap_or(stored);
        let is_refused = kept.get("address").is_some();
        Self {
            address: value("address", choice.address.clone()),
            frequency: value("frequency", schedule.frequency.as_str().to_owned()),
            weekday: value("weekday", schedule.weekday.to_string()),
            time: value("time", schedule.time()),
            zone: value("zone", schedule.zone.name().to_owned()),
            quiet_from: value("quiet_from", schedule.quiet.0.to_string()),
            quiet_to: value("quiet_to", schedule.quiet.1.to_string()),
            budget: value("budget", choice.budget.to_string()),
            has_names: if is_refused { kept.get("names").is_some() } else { choice.names_in_subject },
        }
    }
}

/// Form with the stored choice, or with what was refused.
#[component]
pub fn OrderForm(viewer: UserId, choice: MailChoice) -> impl IntoView {
    Suspend::new(async move {
        let kept = KeptForm::take_of_page(viewer).await;
        let values = FieldValues::new(&choice, &kept);
        view! { <Fields values /> }.into_any()
    })
}

#[component]
fn Fields(values: FieldValues) -> impl IntoView {
    let frequencies = Frequency::ALL.map(|one| (one.as_str().to_owned(), one.label().to_owned())).to_vec();
    let weekdays = WEEKDAYS.iter().enumerate().map(|(number, day)| (number.to_string(), (*day).to_owned())).collect();
    let hours = || (0..24).map(|hour| (hour.to_string(), format!("{hour:02}:00"))).collect::<Vec<_>>();
    view! {
        <form method="post" action=PAGE class="form">
            <TextField name="address" label="E-mail address" autocomplete="email" value=values.address />
            <Choice name="frequency" label="How often" options=frequencies chosen=values.frequency />
            <Choice name="weekday" label="Day of the weekly mail" options=weekdays chosen=values.weekday />
            <TextField name="time" label="Time of the daily or weekly mail" autocomplete="off" value=values.time hint="Such as 07:00" />
            <TextField name="zone" label="Time zone" autocomplete="off" value=values.zone hint="Such as Europe/Berlin" />
            <Choice name="quiet_from" label="No mail from" options=hours() chosen=values.quiet_from />
            <Choice name="quiet_to" label="until (the same hour: no quiet hours)" options=hours() chosen=values.quiet_to />
            <TextField name="budget" label="News per mail" autocomplete="off" value=values.budget hint="1 to 30, about a minute each; the rest is linked" />
            <label>
                <input type="checkbox" name="names" value="1" checked=values.has_names />
                " Name the first item in the subject, where others may see it"
            </label>
            <button type="submit">"Save"</button>
        </form>
    }
    .into_any()
}

/// Labelled list of options, each a value with its words.
#[component]
pub fn Choice(name: &'static str, label: &'static str, options: Vec<(String, String)>, chosen: String) -> impl IntoView {
    let option = |(value, words): (String, String)| {
        let is_chosen = value == chosen;
        view! { <option value=value selected=is_chosen>{words}</option> }
    };
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <select id=name name=name>{options.into_iter().map(option).collect_view()}</select>
        </div>
    }
    .into_any()
}
