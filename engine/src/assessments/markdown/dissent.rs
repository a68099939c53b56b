//! The dissent, with its figures beside those of the assessment.

use super::{
    MarkdownSource,
    text::{MarkdownPage, markers, plain},
};
use domain::assessment::markers_beside;
use std::fmt::Write;

impl MarkdownSource<'_> {
    pub(super) fn dissent(&self, out: &mut MarkdownPage) {
        let Some(dissent) = &self.assessment.dissent else { return };
        out.section("Dissent");
        out.line(format!("**{}**", dissent.verdict()));
        let cited = markers(&markers_beside(&dissent.paragraph, &dissent.citations));
        out.line(format!("{} {cited}", self.marked(&dissent.paragraph)).trim_end());
        let figures = dissent.beside(&self.assessment.body).into_iter();
        let figures = figures.map(|(one, figures)| format!("{}: {}", plain(&figures), plain(&one.statement)));
        out.items(figures.collect());
        if dissent.deception.is_empty() {
            return;
        }
        let mut table = String::from("| Outlet | Motive | Opportunity | Means | Record |\n| --- | --- | --- | --- | --- |");
        for note in &dissent.deception {
            let texts = [&note.motive, &note.opportunity, &note.means, &note.record].map(|text| self.marked(text));
            let _ = write!(table, "\n| {} | {} |", plain(&note.outlet), texts.join(" | "));
        }
        out.line(table);
    }
}
