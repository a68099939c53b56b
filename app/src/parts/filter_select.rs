//! A list to choose from in a filter form.

use crate::prelude::*;

/// Field `name` of a filter. Its first choice, `every`, sends an empty value and filters nothing.
#[component]
pub fn FilterSelect<V, T>(
    name: &'static str,
    label: &'static str,
    every: &'static str,
    #[prop(into)] chosen: String,
    /// Value and text of the other choices.
    options: Vec<(V, T)>,
) -> impl IntoView
where
    V: Into<String> + 'static,
    T: Into<String> + 'static,
{
    let options = options.into_iter().map(|(value, text)| {
        let (value, text): (String, String) = (value.into(), text.into());
        let selected = value == chosen;
        view! { <option value=value selected=selected>{text}</option> }
    });
    let options = options.collect_view();
    view! {
        <label class="filter">
            <span>{label}</span>
            <select name=name>
                <option value="">{every}</option>
                {options}
            </select>
        </label>
    }
}
