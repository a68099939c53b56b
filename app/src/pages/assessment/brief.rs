//! An evidence brief: its bottom line, how it was made, and the sections that have content.

use super::{ChangedPagesNotice, Dates, Exports, Html};
use crate::{
    atoms::{KnownMarkers, SampleBadge},
    parts::{
        Breadcrumbs, Frame, NavItem, QuestionLine,
        assessment::{
            Citations, Colophon, Contents, ContentsEntry, Disclosure, QuotedStatement, ReportedAnswers, Section, Sources,
            Statements,
        },
    },
};
use domain::{
    assessment::{Assessment, Body},
    user::User,
};
use leptos::prelude::*;
use leptos_meta::Title;
use views::AssessmentView;

/// The sections of statements, with their anchors.
struct Lists {
    evidence: Vec<QuotedStatement>,
    contradictions: Vec<QuotedStatement>,
    announced: Vec<QuotedStatement>,
    unknown: Vec<QuotedStatement>,
    effects: Vec<QuotedStatement>,
}

impl Lists {
    fn new(body: &Body) -> Self {
        let quoted = |text: &str, citations: &[u32]| QuotedStatement {
            text: text.to_owned(),
            citations: citations.to_vec(),
            ..QuotedStatement::default()
        };
        let evidence = body.key_judgements.iter();
        let announced = body.indicators.iter();
        Self {
            evidence: evidence
                .map(|one| QuotedStatement { id: Some(one.id.clone()), ..quoted(&one.statement, &one.citations) })
                .collect(),
            contradictions: body.contradictions.iter().map(|one| quoted(&one.text, &one.citations)).collect(),
            announced: announced
                .map(|one| QuotedStatement {
                    id: Some(one.id.clone()),
                    by: one.resolution.by.clone(),
                    ..quoted(&one.text, &[])
                })
                .collect(),
            unknown: body.gaps.iter().map(|one| quoted(&one.text, &[])).collect(),
            effects: body.impacts.iter().map(|one| quoted(&one.effect, &one.citations)).collect(),
        }
    }

    /// The sections of the page.
    fn contents(&self, assessment: &Assessment) -> Vec<ContentsEntry> {
        let has_detail = !assessment.body.analysis.trim().is_empty();
        let counted = [
            ("evidence", self.evidence.len()),
            ("answers", assessment.body.hypotheses.len()),
            ("detail", usize::from(has_detail)),
            ("contradictions", self.contradictions.len()),
            ("announced", self.announced.len()),
            ("unknown", self.unknown.len()),
            ("effects", self.effects.len()),
            ("sources", usize::from(assessment.sources.is_some())),
            ("citations", assessment.citations.len()),
        ];
        let present = counted.into_iter().filter(|(_, count)| *count > 0);
        let contents = present.map(|(id, count)| (id, (!matches!(id, "detail" | "sources")).then_some(count)));
        contents.chain([("colophon", None)]).collect()
    }
}

#[component]
pub fn Brief(viewer: User, view: AssessmentView, html: Html) -> impl IntoView {
    let whole = view.assessment.clone();
    let known = KnownMarkers::new(whole.markers());
    let lists = Lists::new(&whole.body);
    let contents = lists.contents(&whole);
    let Lists { evidence, contradictions, announced, unknown, effects } = lists;
    let Assessment { body, citations, information, sources, .. } = whole.clone();
    let (created_at, findings) = (view.created_at, view.findings.clone());
    let has_detail = !body.analysis.trim().is_empty();
    let is_cited = !citations.is_empty();
    view! {
        <Title text=format!("Report · {}", body.title) />
        <Frame viewer=viewer.clone() nav=NavItem::Assessments>
            <Breadcrumbs above=[("Assessments", "/assessments".to_owned())] here=body.title.clone() />
            <article class="product">
                <Head viewer view bottom_line=html.bottom_line />
                <Contents entries=contents />
                <Statements id="evidence" statements=evidence known=known.clone() />
                <ReportedAnswers answers=body.hypotheses citations=citations.clone() known=known.clone() />
                {has_detail.then(|| view! { <Section id="detail"><div class="prose" inner_html=html.analysis></div></Section> })}
                <Statements id="contradictions" statements=contradictions known=known.clone() />
                <Statements id="announced" statements=announced known=known.clone() />
                <Statements id="unknown" statements=unknown known=known.clone() />
                <Statements id="effects" statements=effects known />
                {sources.map(|sources| view! { <Sources sources information /> })}
                {is_cited.then(|| view! { <Citations citations findings /> })}
                <Colophon assessment=whole created_at />
            </article>
        </Frame>
    }
    .into_any()
}

/// The question, the quotes that answer it, and how they were chosen.
#[component]
fn Head(viewer: User, view: AssessmentView, bottom_line: String) -> impl IntoView {
    let Assessment { question, body, disclosure, .. } = view.assessment.clone();
    let is_title = question == body.title;
    view! {
        <header class="product-head">
            <p class="overline">"Evidence brief " <SampleBadge is_shown=view.is_sample /></p>
            <h1>{body.title}</h1>
            <Dates created_at=view.created_at information=view.assessment.information />
            {(!is_title).then(|| view! { <QuestionLine text=question /> })}
            <div class="bottom-line" inner_html=bottom_line></div>
            {disclosure.map(|text| view! { <Disclosure text viewer /> })}
            <ChangedPagesNotice findings=view.findings.clone() />
            <div class="product-facts"><Exports view /></div>
        </header>
    }
    .into_any()
}
