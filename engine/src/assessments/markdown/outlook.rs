//! Outlook sections: causes, impacts, indicators, gaps, and changes since the previous assessment.

use super::{
    MarkdownSource, join_ids,
    text::{MarkdownPage, date, markers, plain},
};
use domain::{
    assessment::{CauseChain, Direction, Indicator, Resolution, markers_beside, unmarked},
    likelihood::{Likelihood, percent},
};

/// Text of a section without an entry.
const NOTHING: &str = "The author named none.";

impl MarkdownSource<'_> {
    /// Writes the chains of causes as nested lists.
    pub(super) fn causes(&self, out: &mut MarkdownPage) {
        let mut lines = vec![];
        for chain in &self.assessment.body.cause_chains() {
            self.chain(chain, 0, &mut lines);
        }
        if !lines.is_empty() {
            out.section("Causes and effects");
            out.line(lines.join("\n"));
        }
    }

    /// Adds a cause and what follows. Only the first of a chain names where it begins.
    fn chain(&self, chain: &CauseChain, depth: usize, lines: &mut Vec<String>) {
        let cause = &chain.cause;
        let from = if depth == 0 { format!("{} ", plain(&cause.from)) } else { String::new() };
        let likelihood = cause.likelihood.as_ref().map(|one| format!("{}; ", one.words())).unwrap_or_default();
        let line = format!(
            "{}- {from}→ {}: {} ({likelihood}{} cause) {}",
            "  ".repeat(depth),
            plain(&cause.to),
            self.marked(&cause.mechanism),
            cause.strength.as_str(),
            markers(&markers_beside(&cause.mechanism, &cause.citations)),
        );
        lines.push(line.trim_end().to_owned());
        for next in &chain.next {
            self.chain(next, depth + 1, lines);
        }
    }

    pub(super) fn impacts(&self, out: &mut MarkdownPage) {
        let body = &self.assessment.body;
        let impacts = body.impacts.iter().map(|impact| {
            let facts = [
                impact.magnitude(),
                impact.likelihood.as_ref().map(Likelihood::words),
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
        out.list("Impacts", NOTHING, impacts.collect());
    }

    pub(super) fn indicators(&self, out: &mut MarkdownPage) {
        let body = &self.assessment.body;
        let items = body.indicators.iter().map(|one| indicator(one, &body.moves(&one.effects))).collect();
        out.list("Indicators", NOTHING, items);
    }

    /// Writes gaps and assumptions.
    pub(super) fn gaps(&self, out: &mut MarkdownPage) {
        let body = &self.assessment.body;
        let gaps = body.gaps.iter().map(|gap| {
            let facts = [("Impact", &gap.impact), ("How to close it", &gap.how_to_close)].into_iter();
            let facts = facts.filter_map(|(title, fact)| Some(format!(" {title}: {}", self.marked(fact.as_deref()?))));
            self.marked(&gap.text) + &facts.collect::<String>()
        });
        out.list("Gaps", NOTHING, gaps.collect());
        let assumptions = body.assumptions.iter();
        let assumptions = assumptions.map(|one| format!("{} If wrong: {}", self.marked(&one.text), self.marked(&one.if_wrong)));
        out.list("Assumptions", "None were made.", assumptions.collect());
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
            format!("**{id}.** {text} — {} {}", item.outcome_words(), markers(&item.citations)).trim_end().to_owned()
        });
        out.items(settled.collect());
        change.score().iter().for_each(|score| out.line(score));
    }
}

/// Formats an indicator; `moves` says how far it moves hypotheses.
fn indicator(indicator: &Indicator, moves: &str) -> String {
    let ids: Vec<String> = indicator.hypotheses.iter().chain(&indicator.judgements).cloned().collect();
    let bearing = match (join_ids(&ids), indicator.direction) {
        (None, _) => "to watch".to_owned(),
        (Some(ids), Some(Direction::Supports)) => format!("supports {ids}"),
        (Some(ids), Some(Direction::Weakens)) => format!("weakens {ids}"),
        (Some(ids), None) => format!("bears on {ids}"),
    };
    let probability = indicator.probability.map(|probability| format!("; probability {}", percent(probability)));
    let moves = if moves.is_empty() { String::new() } else { format!("; if it does, {}", plain(moves)) };
    let Resolution { question, criteria, by, no_date_because } = &indicator.resolution;
    let by = match (by, no_date_because) {
        (Some(by), _) => format!("by {}", date(by)),
        (None, Some(reason)) => format!("no date: {}", plain(reason.trim_end_matches('.'))),
        (None, None) => "no deadline".to_owned(),
    };
    format!(
        "**{}.** {} ({bearing}{}{moves}). Resolved by: {} {} ({by}).",
        plain(&indicator.id),
        plain(&indicator.text),
        probability.unwrap_or_default(),
        plain(question.as_deref().unwrap_or_default()),
        plain(criteria.as_deref().unwrap_or_default()),
    )
}
