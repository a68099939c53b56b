//! Fields of the question form that say how deep it goes and with which model, with what earlier questions took.

use crate::prelude::*;
use domain::{budget::Estimate, investigation::Depth};

/// Choice of depth, each with its estimate.
#[component]
pub(super) fn DepthChoice(chosen: Depth, estimates: Vec<Estimate>) -> impl IntoView {
    let choices = Depth::ALL.map(|depth| {
        let (name, does) = match depth {
            Depth::Quick => ("Quick", "Fewer searches and work orders."),
            Depth::Standard => ("Standard", "The usual searches, work orders and cycles."),
            Depth::Thorough => ("Thorough", "More searches, work orders and cycles."),
        };
        let hint = format!("depth-{}-hint", depth.as_str());
        let estimate = estimates.iter().find(|estimate| estimate.depth == depth).map_or_else(String::new, words);
        view! {
            <li>
                <label>
                    <input type="radio" name="depth" value=depth.as_str() checked={depth == chosen} aria-describedby=hint.clone() />
                    {name}
                </label>
                <span class="hint" id=hint>{does} " " {estimate}</span>
            </li>
        }
    });
    view! {
        <fieldset class="field">
            <legend>"Depth"</legend>
            <ul class="choices">{choices.collect_view()}</ul>
        </fieldset>
    }
}

/// Choice of a model for this question, where there is more than one.
#[component]
pub(super) fn ModelChoice(models: Vec<String>, chosen: Option<String>) -> impl IntoView {
    (models.len() > 1).then(|| {
        let options = models
            .into_iter()
            .map(|name| {
                let is_chosen = chosen.as_ref() == Some(&name);
                view! { <option value=name.clone() selected=is_chosen>{name.clone()}</option> }
            })
            .collect_view();
        view! {
            <div class="field">
                <label for="model">"Model"</label>
                <select id="model" name="model">
                    <option value="">"As set up for each role"</option>
                    {options}
                </select>
            </div>
        }
    })
}

fn words(estimate: &Estimate) -> String {
    let Estimate { past_investigations, median, median_ms, currency, .. } = estimate;
    if *past_investigations == 0 {
        return "No estimate yet.".to_owned();
    }
    let took = format::duration(*median_ms);
    let spent = if median.tokens() > 0 { format::spend(median, currency) } else { "free".to_owned() };
    let runs = match past_investigations {
        1 => "the last question".to_owned(),
        runs => format!("the median of {runs} questions"),
    };
    format!("About {took}, {spent}, as {runs}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::budget::Spend;

    #[test]
    fn an_estimate_says_how_many_questions_it_rests_on() {
        assert_eq!(words(&Estimate::default()), "No estimate yet.");
        let one = Estimate {
            past_investigations: 1,
            median: Spend::default(),
            median_ms: 125_000,
            currency: "USD".to_owned(),
            ..Estimate::default()
        };
        assert_eq!(words(&one), "About 2\u{a0}min 5\u{a0}s, free, as the last question.");
        let more = Estimate { past_investigations: 12, ..one };
        assert_eq!(words(&more), "About 2\u{a0}min 5\u{a0}s, free, as the median of 12 questions.");
    }
}
