//! Sections of the argument: reasons, objection, actors, chronology, figures and scenarios. Each has content, or is left out.

use super::{
    MarkdownSource,
    brief::section,
    text::{MarkdownPage, markers, plain},
};
use std::fmt::Write;

impl MarkdownSource<'_> {
    /// Writes the reasons for the answer, and the strongest objection to it.
    pub(super) fn reasons(&self, out: &mut MarkdownPage) {
        let argument = &self.assessment.body.argument;
        section(out, "Reasons", argument.reasons.iter().map(|one| self.cited(&one.text, &one.citations)).collect());
        if let Some(objection) = &argument.objection {
            out.section("Strongest objection");
            out.line(self.cited(&objection.text, &objection.citations));
        }
    }

    pub(super) fn actors(&self, out: &mut MarkdownPage) {
        let actors = &self.assessment.body.argument.actors;
        if actors.is_empty() {
            return;
        }
        out.section("Actors");
        let mut table = String::from("| Who | Wants | Can | Is bound by | Evidence |\n| --- | --- | --- | --- | --- |");
        for actor in actors {
            let optional = |text: Option<&str>| text.map_or_else(|| "–".to_owned(), |text| self.marked(text));
            let (means, limits) = (optional(actor.means.as_deref()), optional(actor.limits.as_deref()));
            let (name, interests, evidence) = (plain(&actor.name), self.marked(&actor.interests), markers(&actor.citations));
            let _ = write!(table, "\n| {name} | {interests} | {means} | {limits} | {evidence} |");
        }
        out.line(table);
    }

    pub(super) fn chronology(&self, out: &mut MarkdownPage) {
        let events = self.assessment.body.argument.events().into_iter();
        let events = events.map(|one| format!("**{}**: {}", plain(&one.day()), self.cited(&one.event, &one.citations)));
        section(out, "Chronology", events.collect());
    }

    /// Writes where sources contradict each other: both sides, and which weighs more.
    pub(super) fn disagreements(&self, out: &mut MarkdownPage) {
        let disagreements = self.assessment.body.argument.disagreements.iter().map(|one| {
            let sides = one.sides.iter().map(|side| format!("\n  - {}", self.cited(&side.text, &side.citations)));
            format!("**{}**: {}{}", plain(&one.what), self.marked(&one.weighing), sides.collect::<String>())
        });
        section(out, "Where sources disagree", disagreements.collect());
    }

    /// Writes ranges of quantities and the base rate.
    pub(super) fn figures(&self, out: &mut MarkdownPage) {
        let argument = &self.assessment.body.argument;
        let rate = argument.base_rate.iter();
        let rate = rate.map(|rate| self.cited(&format!("Base rate: {}", rate.sentence()), &rate.citations));
        let ranges = argument.ranges.iter().map(|range| self.cited(&range.words(), &range.citations));
        section(out, "Figures", rate.chain(ranges).collect());
    }

    pub(super) fn scenarios(&self, out: &mut MarkdownPage) {
        let body = &self.assessment.body;
        let scenarios = body.argument.scenarios.iter().map(|one| format!("{}.", plain(&body.scenario_words(one))));
        section(out, "Scenarios", scenarios.collect());
    }
}
