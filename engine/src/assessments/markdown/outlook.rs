//! Outlook sections: implications, gaps, and changes since the previous assessment.

use super::{
    MarkdownSource, join_ids, likely,
    text::{MarkdownPage, date, markers, plain},
};
use domain::{
    assessment::{Direction, Indicator, Resolution, markers_beside, unmarked},
    likelihood::percent,
};
use std::fmt::Write;

impl MarkdownSource<'_> {
    pub(super) fn causes(&self, out: &mut MarkdownPage) {
        let causes = &self.assessment.body.causes;
        if causes.is_empty() {
            return;
        }
        out.section("Causes and effects");
        let mut table = String::from("| Cause | Effect | How | Strength | Evidence |\n| --- | --- | --- | --- | --- |");
        for cause in causes {
            let (from, to, mechanism) = (plain(&cause.from), plain(&cause.to), self.marked(&cause.mechanism));
            let (strength, evidence) = (cause.strength.as_str(), markers(&cause.citations));
            let _ = write!(table, "\n| {from} | {to} | {mechanism} | {strength} | {evidence} |");
        }
        out.line(table);
    }

    pub(super) fn indicators(&self, out: &mut MarkdownPage) {
        let items = self.assessment.body.indicators.iter().map(indicator).collect();
        out.list("Indicators", "None were found.", items);
    }

    /// Writes gaps, assumptions and impacts.
    pub(super) fn notes(&self, out: &mut MarkdownPage) {
        let body = &self.assessment.body;
        let gaps = body.gaps.iter().map(|gap| {
            let facts = [("Impact", &gap.impact), ("How to close it", &gap.how_to_close)].into_iter();
            let facts = facts.filter_map(|(title, fact)| Some(format!(" {title}: {}", self.marked(fact.as_deref()?))));
            self.marked(&gap.text) + &facts.collect::<String>()
        });
        out.list("Gaps", "None are known.", gaps.collect());
        let assumptions = body.assumptions.iter();
        let assumptions = assumptions.map(|one| format!("{} If wrong: {}", self.marked(&one.text), self.marked(&one.if_wrong)));
        out.list("Assumptions", "None were made.", assumptions.collect());
        let impacts = body.impacts.iter().map(|impact| {
            let facts = [
                impact.likelihood.as_ref().map(likely),
                body.condition_of(impact).map(|condition| plain(&condition)),
                impact.when.as_deref().map(|when| format!("when: {}", date(when))),
            ];
            let facts: Vec<String> = facts.into_iter().flatten().collect();
            let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join("; ")) };
            let who = impact.who.as_deref().map(|who| format!("**{}**: ", plain(who))).unwrap_or_default();
            let effect = self.marked(&impact.effect);
            format!("{who}{effect}{facts} {}", markers(&markers_beside(&impact.effect, &impact.citations)))
                .trim_end()
                .to_owned()
        });
        out.list("Impacts", "None were found.", impacts.collect());
    }

    pub(super) fn outlets(&self, out: &mut MarkdownPage) {
        let body = &self.assessment.body;
        let outlets = body.outlets.iter().map(|one| format!("**{}**: {}", plain(&one.name), self.marked(&one.notes)));
        out.list("Outlets", "None were evaluated.", outlets.collect());
    }

    pub(super) fn change(&self, out: &mut MarkdownPage) {
        out.section("Change");
        let Some(change) = &self.assessment.body.change else {
            return out.line("This is the first assessment of the question.");
        };
        out.line(format!("Since assessment {}: {}", change.previous_id, self.marked(&change.summary)));
        let settled = change.settled.iter().map(|item| {
            let (id, text) = (plain(&item.previous_item), plain(&unmarked(item.text.as_deref().unwrap_or_default())));
            format!("**{id}.** {text} — {} {}", item.outcome.words(), markers(&item.citations)).trim_end().to_owned()
        });
        out.items(settled.collect());
    }
}

fn indicator(indicator: &Indicator) -> String {
    let ids: Vec<String> = indicator.hypotheses.iter().chain(&indicator.judgements).cloned().collect();
    let bearing = match (join_ids(&ids), indicator.direction) {
        (None, _) => "to watch".to_owned(),
        (Some(ids), Some(Direction::Supports)) => format!("supports {ids}"),
        (Some(ids), Some(Direction::Weakens)) => format!("weakens {ids}"),
        (Some(ids), None) => format!("bears on {ids}"),
    };
    let probability = indicator.probability.map(|probability| format!("; probability {}", percent(probability)));
    let Resolution { question, criteria, by, no_date_because } = &indicator.resolution;
    let by = match (by, no_date_because) {
        (Some(by), _) => format!("by {}", date(by)),
        (None, Some(reason)) => format!("no date: {}", plain(reason.trim_end_matches('.'))),
        (None, None) => "no deadline".to_owned(),
    };
    format!(
        "**{}.** {} ({bearing}{}). Resolved by: {} {} ({by}).",
        plain(&indicator.id),
        plain(&indicator.text),
        probability.unwrap_or_default(),
        plain(question.as_deref().unwrap_or_default()),
        plain(criteria.as_deref().unwrap_or_default()),
    )
}
