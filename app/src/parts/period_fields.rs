//! Two fields of a filter form: the days, months or years that bound a period.

use crate::prelude::*;

/// Fields `from` and `until`. `label` names the first; an open bound is empty.
#[component]
pub fn PeriodFields(label: &'static str, from: Option<PartialDate>, until: Option<PartialDate>) -> impl IntoView {
    let field = |label, name, placeholder, date: Option<PartialDate>| {
        view! {
            <label class="filter">
                <span>{label}</span>
                <input
                    name=name
                    type="text"
                    value=date.map(|date| date.to_string())
                    placeholder=placeholder
                    pattern="[0-9]{4}(-[0-9]{2}){0,2}"
                    size="10"
                    maxlength="10"
                />
            </label>
        }
    };
    (field(label, "from", "2031-03", from), field("To", "until", "2031-04-02", until))
}
