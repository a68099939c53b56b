//! Markdown export of an assessment, complete, with numbered citations at the end, and their places in an annex.
//!
//! Invariant: outside text is escaped; only `analysis` is Markdown already, and its links, images and HTML become text. `[n]` is a
//! citation where the author may cite.

mod argument;
mod brief;
mod dissent;
mod evidence;
mod outlook;
mod text;

use super::without_links;
use domain::{
    assessment::{
        AnalyticConfidence, Assessment, AssessmentKind, Hypothesis, InformationPeriod, Judgement, Marker, markers_beside,
        shares,
    },
    fetch::PageFinding,
    likelihood::Likelihood,
};
use std::{collections::BTreeSet, fmt::Write};
use text::{MarkdownPage, date, day, demoted, exact, markers, plain};

/// Inputs of the Markdown sections.
struct MarkdownSource<'a> {
    assessment: &'a Assessment,
    findings: &'a [PageFinding],
    known: BTreeSet<Marker>,
}

/// Renders the assessment with later findings of the citation watch. Deterministic.
pub fn markdown(assessment: &Assessment, findings: &[PageFinding]) -> String {
    let source = MarkdownSource { assessment, findings, known: assessment.markers() };
    let mut out = MarkdownPage::default();
    match assessment.kind {
        AssessmentKind::Assessment => source.whole(&mut out),
        AssessmentKind::EvidenceBrief => source.brief(&mut out),
    }
    out.finished()
}

impl MarkdownSource<'_> {
    fn whole(&self, out: &mut MarkdownPage) {
        self.head(out);
        self.reasons(out);
        self.judgements(out);
        out.section("Analysis");
        out.line(demoted(&without_links(self.assessment.body.analysis.trim())));
        self.hypotheses(out);
        self.dissent(out);
        self.actors(out);
        self.chronology(out);
        self.disagreements(out);
        self.figures(out);
        self.causes(out);
        self.impacts(out);
        self.indicators(out);
        self.scenarios(out);
        self.gaps(out);
        self.basis(out);
        self.matrix(out);
        self.sources(out);
        self.outlets(out);
        self.change(out);
        self.checks(out);
        self.citations(out);
        self.colophon(out);
        self.provenance(out);
    }

    /// Escapes the author's text and keeps citation markers.
    fn marked(&self, text: &str) -> String {
        text::marked(text, &self.known)
    }

    fn grounded(&self, confidence: &AnalyticConfidence) -> String {
        format!("**{}**: {}", confidence.level.as_str(), self.marked(&confidence.basis))
    }

    /// Writes the question and the date of the answer.
    fn title(&self, out: &mut MarkdownPage) {
        let (assessment, body) = (self.assessment, &self.assessment.body);
        out.line(format!("# {}", plain(&body.title)));
        let written = assessment.created_at.map(|moment| format!("Written on {}.", exact(moment)));
        let as_of = body.argument.as_of.as_deref().map(|day| format!("As of {}.", date(day)));
        let dates: Vec<String> = written.into_iter().chain(as_of).chain(evidence_days(&assessment.evidence_period())).collect();
        if !dates.is_empty() {
            out.line(format!("*{}*", dates.join(" ")));
        }
        out.line(format!("*Question:* {}", plain(&assessment.question)));
        if let Some(scope) = &assessment.scope {
            out.line(format!("*{}*", plain(&scope.sentence())));
        }
        if body.questions.len() > 1 {
            let parts = body.questions.iter().map(|question| format!("{}: {}", plain(&question.id), plain(&question.text)));
            out.items(parts.collect());
        }
    }

    fn head(&self, out: &mut MarkdownPage) {
        let (assessment, body) = (self.assessment, &self.assessment.body);
        self.title(out);
        out.line(format!("**{}**", self.marked(&body.bottom_line)));
        if let Some(note) = assessment.producer.recorded_note() {
            out.line(format!("*{}*", plain(&note)));
        }
        self.found_later(out);
        if let Some(confidence) = &body.overall_confidence {
            out.line(format!("Overall confidence: {}", self.grounded(confidence)));
        }
    }

    /// Writes the changes of cited pages.
    fn found_later(&self, out: &mut MarkdownPage) {
        let citations = &self.assessment.citations;
        let concerned = citations.iter().filter(|citation| citation.finding(self.findings).is_some());
        let concerned: Vec<Marker> = concerned.map(|citation| citation.marker).collect();
        if !concerned.is_empty() {
            let concerned = markers(&concerned);
            out.line(format!("**Since then:** pages are no longer as they were cited: {concerned}. See there."));
        }
    }

    fn judgements(&self, out: &mut MarkdownPage) {
        out.section("Key judgements");
        for judgement in &self.assessment.body.key_judgements {
            out.line(self.judgement(judgement));
        }
    }

    fn judgement(&self, judgement: &Judgement) -> String {
        // Citations inside the sentence are not repeated after it.
        let others = markers_beside(&judgement.statement, &judgement.citations);
        let likelihood = judgement.likelihood.as_ref().map(Likelihood::words);
        let confidence = judgement.confidence.as_ref().map(|one| format!("confidence {}", self.grounded(one)));
        let judged: Vec<String> = likelihood.into_iter().chain(confidence).collect();
        let (id, statement) = (plain(&judgement.id), self.marked(&judgement.statement));
        let mut text = format!("**{id}.** {statement} — {} {}", judged.join("; "), markers(&others));
        text.truncate(text.trim_end().len());
        let facts = [
            ("Until", judgement.horizon.as_deref().map(date)),
            ("Rests on", join_ids(&judgement.hypotheses)),
            ("What would change it", judgement.would_change.as_deref().map(|change| self.marked(change))),
        ];
        for (title, fact) in facts.into_iter().filter_map(|(title, fact)| Some((title, fact?))) {
            let _ = write!(text, "\n- {title}: {fact}");
        }
        text
    }

    fn hypotheses(&self, out: &mut MarkdownPage) {
        out.section("Hypotheses");
        for (question, hypotheses) in self.assessment.body.hypothesis_sets() {
            if let Some(question) = question {
                out.line(format!("### {}: {}", plain(&question.id), plain(&question.text)));
                if let Some(answer) = &question.answer {
                    out.line(self.marked(answer));
                }
            }
            for (hypothesis, share) in hypotheses.iter().zip(shares(&hypotheses)) {
                self.hypothesis(out, hypothesis, share, if question.is_some() { "####" } else { "###" });
            }
        }
    }

    fn hypothesis(&self, out: &mut MarkdownPage, hypothesis: &Hypothesis, share: u32, heading: &str) {
        let (id, statement) = (plain(&hypothesis.id), plain(&hypothesis.statement));
        let probability = hypothesis.probability.map(|_| format!(" — {share}\u{a0}%"));
        out.line(format!("{heading} {id}: {statement}{}", probability.unwrap_or_default()));
        out.line(self.marked(&hypothesis.reasoning));
        let facts = [
            ("For", markers(&hypothesis.supporting)),
            ("Against", markers(&hypothesis.against)),
            ("Weaknesses", self.marked(&hypothesis.weaknesses)),
        ];
        out.items(facts.iter().filter(|fact| !fact.1.is_empty()).map(|(title, fact)| format!("{title}: {fact}")).collect());
    }

    fn colophon(&self, out: &mut MarkdownPage) {
        let (producer, cost) = (&self.assessment.producer, &self.assessment.cost);
        out.section("How this was made");
        let amount =
            cost.amount.map_or_else(|| "not priced".to_owned(), |amount| format!("{} {amount:.2}", plain(&cost.currency)));
        let mut items = vec![
            format!(
                "{}: {}",
                if self.assessment.kind.is_assessment() { "Assessment" } else { "Evidence brief" },
                self.assessment.id
            ),
            format!("Investigation: {}", self.assessment.investigation_id),
            format!("Provider: {}, model {}", plain(&producer.provider), plain(&producer.model)),
            format!("Cost: {amount}; {} tokens in, {} tokens out", cost.tokens_in, cost.tokens_out),
        ];
        items.extend(producer.prompts.iter().map(|(role, hash)| format!("Prompt of {}: `{hash}`", plain(role))));
        out.items(items);
    }
}

/// `Evidence from 2 May 2031 to 5 May 2031.`
fn evidence_days(period: &InformationPeriod) -> Option<String> {
    let (from, until) = (day(period.from.as_ref()?), day(period.until.as_ref()?));
    Some(if from == until { format!("Evidence of {from}.") } else { format!("Evidence from {from} to {until}.") })
}

/// Formats ids as `H1, J2`; none without ids.
fn join_ids(ids: &[String]) -> Option<String> {
    (!ids.is_empty()).then(|| plain(&ids.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::assessment::{ConditionalProbability, DeceptionNote, Dissent, EvidenceBrief};

    const COMPLETE: &str = include_str!("../../../domain/src/assessment/tests/complete.json");
    const BRIEF: &str = include_str!("../../../domain/src/assessment/tests/brief.json");
    const STORED_BEFORE: &str = include_str!("../../../domain/src/assessment/tests/stored_before.json");

    fn written(json: &str) -> String {
        markdown(&serde_json::from_str(json).unwrap(), &[])
    }

    #[test]
    fn every_part_of_an_assessment_is_written() {
        insta::assert_snapshot!(written(COMPLETE));
    }

    #[test]
    fn the_argument_is_written_in_the_order_of_the_report() {
        let mut assessment: Assessment = serde_json::from_str(COMPLETE).unwrap();
        let body = &mut assessment.body;
        let then = body.argument.scenarios[0].then.clone();
        (body.indicators[0].effects, body.gaps) = (then, vec![]);
        let first = body.causes[0].clone();
        body.causes.push(domain::assessment::Cause {
            from: "milk is poured away".into(),
            to: "Farmers sell cows".into(),
            likelihood: Some(Likelihood::from_point(0.7)),
            ..first
        });
        let text = markdown(&assessment, &[]);
        let mut from = 0;
        for part in [
            "As of 6 May 2031.",
            "## Reasons\n\n- The gate was opened with a key, says the Courier [1].",
            "## Strongest objection\n\nThe log names no one [2].",
            "### Q1: Who cut the power?\n\nSomebody with a key, because the gate was unlocked [1].",
            "## Actors",
            "| Halden line | It bids for the freight tender. | It has a key to the yard. | – | [2] |",
            "## Chronology\n\n- **3 May 2031**: The gate was opened. [1]",
            "- Base rate: 2 of 3 blackouts of the terminal since 2020: cut by hand",
            "- Milk poured away: 4000 to 6500\u{a0}litres [3]",
            "- The power cut → Milk is poured away: The cold store has no supply of its own [3]. (strong cause)",
            "  - → Farmers sell cows: The cold store has no supply of its own [3]. (likely (70\u{a0}%); strong cause)",
            "(moderate, worse; likely (70\u{a0}%); ",
            "probability 40\u{a0}%; if it does, H1\u{a0}60\u{a0}→\u{a0}80\u{a0}%)",
            "## Scenarios\n\n- If the log is published (40\u{a0}%): H1\u{a0}60\u{a0}→\u{a0}80\u{a0}%.",
            "## Gaps\n\nThe author named none.",
            "## What it rests on",
            "## Citations",
        ] {
            from += text[from..].find(part).unwrap_or_else(|| panic!("{part}: {text}"));
        }
    }

    #[test]
    fn an_evidence_brief_has_only_filled_sections_and_no_judgement() {
        let text = written(BRIEF);
        for word in ["likel", "onfidence", "robab", "Hypothes", "Checks", "Assumptions"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
        insta::assert_snapshot!(text);
    }

    #[test]
    fn a_brief_of_its_bottom_line_alone_has_no_empty_section() {
        let mut brief: Assessment = serde_json::from_str(BRIEF).unwrap();
        let bottom_line = "No passage of the documents is about the question.".into();
        brief.body = EvidenceBrief { title: "Who?".into(), bottom_line, ..EvidenceBrief::default() }.into();
        brief.citations.clear();
        let text = markdown(&brief, &[]);
        let sections: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(sections, ["# Who?", "## Sources", "## How this was made"], "{text}");
    }

    #[test]
    fn a_citation_without_an_outlet_is_credited_to_its_host_or_file() {
        let mut brief: Assessment = serde_json::from_str(BRIEF).unwrap();
        brief.citations.iter_mut().for_each(|citation| citation.outlet = None);
        brief.citations[1].document_path = "https://www.tessin.example/opinion/line".into();
        let text = markdown(&brief, &[]);
        assert!(
            text.contains("Reported by: unknown outlet, arrest.md [1]")
                && text.contains("Denial reported by: tessin.example [2]"),
            "{text}"
        );
        assert!(text.contains("The line answers, tessin.example, opinion ("), "{text}");
    }

    #[test]
    fn a_settled_item_has_no_numbers_of_the_earlier_report() {
        let mut assessment: Assessment = serde_json::from_str(COMPLETE).unwrap();
        let change = assessment.body.change.as_mut().unwrap();
        change.settled[0].text = Some("It stays dark [7][13].".into());
        let text = markdown(&assessment, &[]);
        assert!(text.contains("**I1.** It stays dark. — happened [2]") && !text.contains("\\[7"), "{text}");
    }

    #[test]
    fn a_dissent_shows_its_figures_beside_those_of_the_assessment() {
        let mut assessment: Assessment = serde_json::from_str(COMPLETE).unwrap();
        let figure = |(id, probability): (&str, f64)| ConditionalProbability { hypothesis: id.into(), probability };
        let note = DeceptionNote {
            outlet: "Quay | Radio".into(),
            motive: "It gains [1].".into(),
            opportunity: "None seen.".into(),
            means: "None seen.".into(),
            record: "One correction.".into(),
        };
        assessment.dissent = Some(Dissent {
            paragraph: "The log fits another answer [1].".into(),
            is_refuted: false,
            probabilities: [("H1", 0.7), ("H2", 0.2), ("H3", 0.1)].map(figure).to_vec(),
            deception: vec![note],
            citations: vec![1, 2],
        });
        let text = markdown(&assessment, &[]);
        let part = text.split_once("## Dissent").unwrap().1.split_once("\n## ").unwrap().0;
        assert!(part.contains("**The dissent did not refute the leading answer.**"), "{part}");
        assert!(part.contains("The log fits another answer [1]. [2]") && part.contains("· dissent 70\u{a0}%: "), "{part}");
        assert!(part.contains("| Quay \\| Radio | It gains [1]. |"), "{part}");
    }

    #[test]
    fn a_brief_fits_the_schema_of_exports() {
        let schema = serde_json::from_str(include_str!("../../../config/schema/assessment.v1.json")).unwrap();
        for json in [COMPLETE, BRIEF] {
            let export = serde_json::from_str(json).unwrap();
            assert_eq!(jsonschema::validate(&schema, &export).map_err(|error| error.to_string()), Ok(()));
        }
    }

    #[test]
    fn an_export_leads_to_no_address_that_a_model_wrote() {
        use pulldown_cmark::{Event, Parser, Tag};
        let hostile =
            "![](https://evil.example/?d=1) [x](https://evil.example/) <https://evil.example/>\n\n<img src=\"//evil.example\">";
        for json in [COMPLETE, BRIEF] {
            let mut assessment: Assessment = serde_json::from_str(json).unwrap();
            (assessment.body.bottom_line, assessment.body.analysis) = (hostile.to_owned(), hostile.to_owned());
            let text = markdown(&assessment, &[]);
            assert!(text.matches("evil.example").count() >= 8, "{text}");
            for event in Parser::new(&text) {
                let address = match &event {
                    Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => dest_url,
                    Event::Html(html) | Event::InlineHtml(html) => html,
                    _ => continue,
                };
                assert!(!address.contains("evil.example"), "{event:?} of {text}");
            }
        }
    }

    #[test]
    fn an_assessment_of_an_earlier_program_is_written() {
        let text = written(STORED_BEFORE);
        assert!(
            text.starts_with(
                "# Who set the fire at the Tolm depot?\n\n*Evidence from 2 May 2031 to 4 May 2031.*\n\n*Question:*"
            ),
            "{text}"
        );
        assert!(text.contains("\n### H1 (84\u{a0}%)"), "headings of the analysis are demoted: {text}");
        assert!(!text.contains("## Checks") && !text.contains("## Sources"), "{text}");
    }
}
