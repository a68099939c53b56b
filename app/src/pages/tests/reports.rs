//! Tests of assessments and evidence briefs: their tabs, their printed forms, and the forms that annotate them.

use super::{assert_shows, rendered, tab, tabs};
use crate::{
    pages::{
        assessment::{Extras, Html, PageBody as AssessmentWhole, PrintForm, printed_body},
        compare::PageBody as CompareWhole,
        contest::{ContestValues, PageBody as ContestWhole},
        fixtures,
        history::PageBody as HistoryWhole,
    },
    prelude::*,
};
use domain::{
    ContestId,
    annotation::{Annotations, Contest, ContestedItem, ContestedValue, Exclusion},
    assessment::{
        BeliefChange, Comparison, ConditionalProbability, DeceptionNote, Disagreement, Dissent, EvidenceBrief, Impact, Rating,
        Statement, StatementChange, answer_lines,
    },
    investigation::Status,
};
use views::{ComparedSide, ComparisonView, FollowedReport, HistoryVersion, HistoryView, ThreadLine};

#[test]
fn an_assessment_shows_all_its_parts_and_its_quotes_open() {
    let mut view = fixtures::assessment();
    view.assessment.body.analysis = "It was done by hand [1][2].".into();
    let quotes: Vec<_> = view.assessment.citations.iter().map(|citation| citation.quote.clone()).collect();
    let [brief, analysis, evidence, work] = tabs("assessment", &view);
    let views = [EvidenceView::List, EvidenceView::Timeline, EvidenceView::Origins, EvidenceView::Unused].map(|shown| {
        let (viewer, page, view) = (fixtures::viewer(), Html::new(&view.assessment), view.clone());
        rendered("assessment-view", || view! { <AssessmentWhole viewer view html=page tab=Tab::Evidence shown /> })
    });
    assert!(
        evidence.contains("class=\"matrix-hypothesis") && evidence.contains("cite-panel"),
        "it opens as a matrix: {evidence}"
    );
    assert!(views[0].contains("class=\"citation-line\"") && views[0].contains("for H1"), "{}", views[0]);
    assert!(views[1].contains("timeline-day") && views[2].contains("class=\"origin\""), "{}", views[2]);
    assert!(views[3].contains("Every document that was read and that you may open is cited."), "{}", views[3]);
    let html = [&*brief, &*analysis, &*evidence, &*work, &views.concat()].concat();
    assert!(brief.contains("Compiled by rules, no language model") && brief.contains(" min read"), "{brief}");
    assert_shows(&html, &quotes.join("|"));
    assert_shows(
        &html,
        "very likely|86\u{a0}%|USD\u{a0}0.0753|rating-ii|export.json|\
             1 cited page no longer fits its citation|The page has changed|Sample|Evidence: |\
             20 of 22 checks passed|When do the ferries run again?|What would change it|leads to|\
             The cold store at the quay|The tender has no date yet.|Depends on|Fruitless searches|\
             Halden line|A judgement on one origin or one document says so|cannot be told|\
             The gate log of 3 May names no one.|Ilse Varn|origin |\
             The terminal stays dark for a second night.",
    );
    for part in view.assessment.parts() {
        for tab in [&brief, &analysis, &evidence, &work] {
            assert!(tab.contains(&part.words()), "{}: {tab}", part.words());
        }
    }
    assert!(brief.contains("Run again") && brief.contains("Collect this"), "an analyst goes on from here");
    assert_shows(
        &brief,
        "1 of 3 citations is from one page of Harbour Gazette|the only one cited for “By Friday”|/evidence#basis",
    );
    let basis = evidence.split_once("id=\"basis\"").unwrap().1.split_once("</section>").unwrap().0;
    assert_shows(basis, "Find and read the source that Tessin Courier cites, Ilse Varn: |action=\"/investigations/draft\"");
    let change = brief.split_once("class=\"change\"").unwrap().1.split_once("</aside>").unwrap().0;
    assert!(change.contains("The storm of 3 May caused it") && !change.contains("[7]") && !change.contains("#c13"), "{change}");
    let hit = brief.split_once("id=\"hit\"").unwrap().1.split_once("</section>").unwrap().0;
    assert_shows(hit, "Milk is poured away.|likely (70\u{a0}%), depends on J3 (“|”)|9 May 2031");
    assert_shows(&brief, "(Tessin Courier, 4 May 2031)|Weak point: |To close it: |for “The ferries run again by Friday”");
    assert!(brief.contains("<i>[</i>1<i>]</i></a>"), "a pasted number does not run into a word");
    assert!(work.contains("Consulted documents published"), "{work}");
    for tab in [&brief, &analysis, &evidence] {
        assert!(tab.contains("?quote=") && tab.contains("#quote\"") && tab.contains("id=\"c1\""), "quotes open their document");
    }
    let bottom = brief.find("class=\"bottom-line").unwrap();
    assert!(bottom < brief.find("id=\"why\"").unwrap(), "bottom line first");
    let line = &brief[bottom..brief[bottom..].find("</p>").unwrap() + bottom];
    assert!(line.contains("href=\"#c1\"") && !line.contains("[1]"), "a marker is a link: {line}");
    let reason = brief.split_once("id=\"why\"").unwrap().1.split_once("</li>").unwrap().0;
    assert_eq!(reason.matches("href=\"#c1\"").count(), 1, "a citation stands once: {reason}");
}

#[test]
fn a_brief_holds_the_panels_of_its_open_parts_and_its_folds_lead_to_the_others() {
    let mut view = fixtures::assessment();
    let folded = Citation { marker: 9, ..view.assessment.citations[0].clone() };
    view.assessment.citations.push(folded);
    view.assessment.body.hypotheses.last_mut().unwrap().reasoning = "Only a key opens the gate [9].".into();
    let [brief, analysis, evidence, _] = tabs("assessment-folded", &view);
    let elsewhere = format!("href=\"{}#c9\"", Tab::Evidence.address(view.assessment.id));
    assert!(brief.contains(&elsewhere) && !brief.contains("id=\"c9\"") && brief.contains("id=\"c1\""), "{brief}");
    assert!(analysis.contains("href=\"#c9\"") && analysis.contains("id=\"c9\""), "{analysis}");
    assert!(evidence.contains("id=\"c9\""), "{evidence}");
}

#[test]
fn the_analysis_shows_the_argument_and_its_causes_as_a_chain() {
    let mut view = fixtures::assessment();
    let body = &mut view.assessment.body;
    body.argument.as_of = Some("2031-05-06".into());
    body.questions[0].answer = Some("Somebody with a key, because the gate was unlocked [1].".into());
    body.gaps.clear();
    let side = |text: &str, marker| Statement { text: text.into(), citations: vec![marker] };
    body.argument.disagreements = vec![Disagreement {
        what: "Whether the log names anyone".into(),
        sides: vec![side("The Courier says yes.", 1), side("The radio says no.", 2)],
        weighing: "The Courier, because it saw the log [1].".into(),
    }];
    let [brief, analysis, evidence, work] = tabs("assessment-argued", &view);
    assert_shows(&brief, "As of <time datetime=\"2031-05-06\">6 May 2031</time>|/analysis\"");
    assert!(work.contains("20 of 22 checks passed") && !brief.contains("checks passed"), "the score is about the work");
    for moved in ["judgements", "hypotheses", "analysis", "indicators", "gaps"] {
        let anchor = format!("id=\"{moved}\"");
        assert!(analysis.contains(&anchor) && !evidence.contains(&anchor), "{moved}");
    }
    let section = |id: &str| analysis.split_once(&format!("id=\"{id}\"")).unwrap().1.split_once("</section>").unwrap().0;
    assert_shows(section("hypotheses"), "because the gate was unlocked <a");
    assert_shows(section("actors"), "Halden line|data-label=\"Can\">It holds a key|can withdraw its licence|#c2");
    let chronology = section("chronology");
    assert!(chronology.find(">April 2031<").unwrap() < chronology.find(">4 May 2031<").unwrap(), "{chronology}");
    assert_shows(section("disagreements"), "Whether the log names anyone|The radio says no.|#c2|because it saw the log <a");
    assert_shows(section("figures"), "2 of 3 blackouts of the terminal since 2020: cut by hand|4000 to 12,500\u{a0}litres");
    let causes = section("causes");
    assert_eq!(causes.matches("cause-end").count(), 3, "an effect that is a cause stands once: {causes}");
    assert!(causes.find("A freight tender").unwrap() < causes.find("Milk is poured away").unwrap(), "{causes}");
    assert_shows(causes, "very likely (90\u{a0}%)");
    assert_shows(section("impacts"), "major, worse");
    assert_shows(section("indicators"), "If it does</dt><dd>H1\u{a0}55\u{a0}→\u{a0}70\u{a0}%");
    assert_shows(section("scenarios"), "If the log is published (40\u{a0}%): H2\u{a0}35\u{a0}→\u{a0}20\u{a0}%.");
    assert_shows(section("gaps"), "The author named none.");
    assert_shows(
        &printed_body(view, PrintForm::Full),
        "As of |id=\"actors\"|id=\"chronology\"|id=\"disagreements\"|id=\"scenarios\"",
    );
}

#[test]
fn lists_of_the_analysis_open_their_first_entries_and_paper_opens_all() {
    let mut view = fixtures::assessment();
    let body = &mut view.assessment.body;
    let impact = body.impacts[0].clone();
    let effects = ["First effect", "Second effect", "Third effect"];
    body.impacts = effects.map(|effect| Impact { effect: effect.into(), ..impact.clone() }).to_vec();
    body.hypotheses[0].supporting = vec![1, 2, 3, 1];
    let [_, analysis, ..] = tabs("assessment-folded", &view);
    let impacts = analysis.split_once("id=\"impacts\"").unwrap().1.split_once("</section>").unwrap().0;
    let (open, folded) = impacts.split_once("<details class=\"more-items\"><summary>2 more impacts</summary>").unwrap();
    assert!(open.contains("First effect") && !open.contains("Second effect"), "{open}");
    assert_shows(folded, "Second effect|Third effect");
    assert_shows(&analysis, "<details class=\"cites-fold\"><summary>4 citations</summary>|Confidence </span>");
    let hypotheses = analysis.split_once("id=\"hypotheses\"").unwrap().1.split_once("</section>").unwrap().0;
    assert_eq!(hypotheses.matches("<details open class=\"entry\"").count(), 2, "one of each question: {hypotheses}");
    let paper = printed_body(view, PrintForm::Full);
    assert_shows(&paper, "First effect|Second effect|Third effect");
    for fold in ["more impacts", "cites-fold", "class=\"entry\""] {
        assert!(!paper.contains(fold), "{fold} on paper");
    }
}

#[test]
fn an_assessment_of_an_earlier_program_is_shown() {
    let stored = include_str!("../../../../domain/src/assessment/tests/stored_before.json");
    let mut view = fixtures::assessment();
    view.assessment = serde_json::from_str(stored).unwrap();
    let html = tabs("assessment-earlier", &view).concat();
    assert_shows(&html, "The Red Anchor group set the fire|84\u{a0}%|no deadline|no tokens, no cost|Evidence: ");
    for missing in ["sources", "checks", "actors", "chronology", "figures", "causes", "scenarios"] {
        let missing = format!("id=\"{missing}\"");
        assert!(!html.contains(&missing), "{missing}");
    }
}

#[test]
fn an_evidence_brief_shows_reported_statements_without_judgements() {
    let view = fixtures::brief();
    let disclosure = view.assessment.disclosure.clone().unwrap();
    let [html, _, evidence, work] = tabs("evidence-brief", &view);
    let whole = [&*html, &*evidence, &*work].concat();
    let titles = [
        "Further quotations",
        "Reported answers",
        "Numbers that differ",
        "Announced",
        "Not known, according to the sources",
        "Effects, according to the sources",
        "Citations",
        "In detail",
        "How this was made",
    ];
    let mut from = whole.find("</nav></header>").or_else(|| whole.find("product-head")).unwrap();
    for title in titles {
        let heading = format!("</span>{title}</h2>");
        from += whole[from..].find(&heading).unwrap_or_else(|| panic!("{title}"));
    }
    for word in ["likel", "onfidence", "robab", "ypothes", "Key judgements", "Evidence matrix", "Checks", "None were"] {
        assert!(!whole.contains(word), "{word}");
    }
    let bottom = html.find("class=\"bottom-line\"").unwrap();
    let disclosed = html.find(&disclosure).unwrap();
    assert!(bottom < disclosed && disclosed < html.find("id=\"evidence\"").unwrap(), "how it was made stands below it");
    let line = &html[bottom..disclosed];
    assert!(line.contains("<em>Tessin Courier</em>") && line.contains("href=\"#c1\"") && !line.contains("[1]"), "{line}");
    let disclosed = html[disclosed..].split_once("</p>").unwrap().0;
    assert!(disclosed.contains("<a href=\"/settings\">Open the settings</a>"), "{disclosed}");
    let answer = html.split_once("id=\"h2\"").unwrap().1.split_once("</ol>").unwrap().0;
    let (reported, denied) = answer.split_once("Denial reported by").unwrap();
    assert!(reported.contains("Harbour Gazette") && reported.contains("?quote=0-63#quote"), "{reported}");
    assert!(denied.contains("East Bank Radio") && denied.contains("denied that it had asked"), "{denied}");
}

#[test]
fn a_dissent_shows_both_figures_and_who_might_deceive() {
    let mut view = fixtures::assessment();
    let figure = |(id, probability): (&str, f64)| ConditionalProbability { hypothesis: id.into(), probability };
    view.assessment.dissent = Some(Dissent {
        paragraph: "The gate log fits another answer [2].".into(),
        is_refuted: false,
        probabilities: [("H1", 0.7), ("H2", 0.2), ("H3", 0.1)].map(figure).to_vec(),
        deception: vec![DeceptionNote {
            outlet: "East Bank Radio".into(),
            motive: "Its owner gains.".into(),
            opportunity: "It was first.".into(),
            means: "None seen.".into(),
            record: "One correction.".into(),
        }],
        citations: vec![2],
    });
    let [_, analysis, ..] = tabs("assessment-dissent", &view);
    for html in [analysis, printed_body(view, PrintForm::Full)] {
        assert_shows(
            &html,
            "id=\"dissent\"|The dissent did not refute the leading answer.|· dissent 70\u{a0}%|The gate log fits another answer|It was first.",
        );
    }
}

#[test]
fn an_evidence_brief_without_findings_has_no_empty_section_and_links_the_guide() {
    let mut view = fixtures::brief();
    let bottom_line = "No passage of the documents is about the question.".into();
    let title = view.assessment.question.clone();
    view.assessment.body = EvidenceBrief { title, bottom_line, ..EvidenceBrief::default() }.into();
    view.assessment.citations.clear();
    view.assessment.sources = None;
    let reader = User { role: Role::Reader, ..fixtures::viewer() };
    let html = tab("evidence-brief-empty", reader, view, Tab::Brief);
    assert!(!html.contains("/investigations/new"), "a reader may not ask");
    let article = html.split_once("<article").unwrap().1.split_once("</article>").unwrap().0;
    assert_eq!(article.matches("<section").count(), 0, "{article}");
    assert_eq!(article.matches("<h2").count(), 0, "{article}");
    assert!(html.contains("An administrator can add one") && !html.contains("href=\"/settings\">Open"));
}

#[test]
fn a_rating_is_contested_and_a_citation_excluded_on_one_page() {
    let viewer = fixtures::viewer();
    let mut page = fixtures::assessment();
    let at = fixtures::now();
    let exclusion = Exclusion { marker: 1, reason: "a forgery".into(), by: viewer.id, name: "m.okafor".into(), at };
    let item = ContestedItem::Likelihood("J1".into());
    let contest = Contest {
        id: fixtures::uuid::<ContestId>(70),
        item: item.clone(),
        value: ContestedValue::Percent(35),
        reason: "the log".into(),
        by: viewer.id,
        name: "m.okafor".into(),
        at,
    };
    page.annotations = Annotations { exclusions: vec![exclusion], contests: vec![contest], ..Annotations::default() };
    let whole = |name: &str, item: ContestedItem| {
        let (viewer, page) = (viewer.clone(), page.clone());
        rendered(name, || view! { <ContestWhole viewer page item values=ContestValues::default() /> })
    };
    let html = whole("contest", item);
    assert!(html.contains("35\u{a0}%") && html.contains("the log"), "{html}");
    assert!(html.contains("Withdraw") && html.contains("Your likelihood"), "{html}");
    let html = whole("contest-citation", ContestedItem::Credibility(1));
    assert!(html.contains("Include again") && html.contains("a forgery"), "{html}");
    let html = whole("contest-exclude", ContestedItem::Credibility(2));
    assert!(html.contains("Exclude it") && html.contains("If you exclude it"), "{html}");
    let html = tab("assessment-annotated", viewer, page, Tab::Evidence);
    assert!(html.contains("id=\"recount\"") && html.contains("Include again") && html.contains("Copy citation"), "{html}");
}

#[test]
fn a_printed_report_has_its_sources_and_nothing_to_press() {
    for (view, form) in [
        (fixtures::assessment(), PrintForm::Brief),
        (fixtures::assessment(), PrintForm::Full),
        (fixtures::brief(), PrintForm::Brief),
        (fixtures::brief(), PrintForm::Full),
    ] {
        let citation = view.assessment.citations[0].clone();
        let html = printed_body(view, form);
        assert!(html.contains("Source list") && html.contains(&citation.document_path), "{html}");
        for refused in ["<form", "<button", "<script", "<input", "Collect this", ">Contest<"] {
            assert!(!html.contains(refused), "{refused} in {}", form.as_str());
        }
        assert_eq!(html.contains("How this was made"), form == PrintForm::Full);
    }
}

#[test]
fn a_report_on_paper_has_every_column_and_row_of_the_matrix() {
    let mut view = fixtures::assessment();
    let body = &mut view.assessment.body;
    // More rows than stand open on a page, none of which tells the answers apart.
    let mut flat = body.evidence_matrix[0].clone();
    flat.ratings.values_mut().for_each(|rating| *rating = Rating::C);
    body.evidence_matrix.extend(std::iter::repeat_n(flat, 40));
    let (columns, rows) = (body.hypotheses.len(), body.evidence_matrix.len());
    let html = printed_body(view, PrintForm::Full);
    let matrix = html.split_once("id=\"matrix\"").unwrap().1.split_once("</section>").unwrap().0;
    assert_eq!(matrix.matches("class=\"matrix-hypothesis\"").count(), columns);
    assert_eq!(matrix.matches("scope=\"row\"").count(), rows);
    assert!(!matrix.contains("<details"), "paper has no folds");
}

#[test]
fn the_question_is_written_once_above_the_answer_and_keeps_its_mark() {
    let mut view = fixtures::assessment();
    view.assessment.body.title = fixtures::QUESTION.trim_end_matches('?').into();
    let line = |version, id| ThreadLine {
        investigation_id: view.assessment.investigation_id,
        question: fixtures::QUESTION.into(),
        assessment: Some(id),
        follows: None,
        status: Status::Completed,
        version,
        versions: 2,
        is_current: version == 2,
        created_at: fixtures::now(),
    };
    view.thread = vec![line(1, fixtures::uuid(9)), line(2, view.assessment.id)];
    let html = tab("assessment-versions", fixtures::viewer(), view, Tab::Brief);
    let main = html.split_once("<main").unwrap().1;
    let above = main.split_once("class=\"bottom-line").unwrap().0;
    // Hidden fields of the bar are not read.
    let read = above.split('<').filter(|tag| !tag.starts_with("input ")).collect::<String>();
    assert_eq!(read.matches("Who cut the power").count(), 2, "once in the state of its part: {above}");
    assert_shows(above, &format!("<h1>{}</h1>|v2 of 2|what changed|/compare?with=", fixtures::QUESTION));
    assert_eq!(above.matches("class=\"badge").count(), 2, "one for each part: {above}");
}

#[test]
fn a_follow_up_names_what_it_follows_and_whether_the_two_can_be_compared() {
    let change = BeliefChange { largest_points: -20, common_hypotheses: Some(2), ..BeliefChange::default() };
    let expected = ["2 hypotheses in common, largest move −20 points", "not comparable, no hypothesis in common"];
    for (change, words) in [Some(change), None].into_iter().zip(expected) {
        let view = fixtures::assessment();
        let (viewer, page) = (fixtures::viewer(), Html::new(&view.assessment));
        let followed = FollowedReport { id: fixtures::uuid(9), question: "Who planned it?".into(), change };
        let extras = Extras { followed: Some(followed), ..Extras::default() };
        let html =
            rendered("assessment-follow-up", || view! { <AssessmentWhole viewer view html=page tab=Tab::Brief extras /> });
        let crumbs = html.split_once("class=\"crumbs\"").unwrap().1.split_once("</nav>").unwrap().0;
        assert_shows(crumbs, &format!("Who planned it?|{words}"));
    }
}

#[test]
fn a_comparison_begins_with_a_sentence_and_marks_the_words_that_differ() {
    let side = |number: u32, bottom_line: &str| ComparedSide {
        id: fixtures::uuid(number),
        created_at: fixtures::now(),
        model: "house".into(),
        bottom_line: bottom_line.into(),
        confidence: None,
    };
    let page = ComparisonView {
        question: fixtures::QUESTION.into(),
        sentence: "“The night crew did it” still leads: it rose by 20 points to 70 %.".into(),
        earlier: side(1, "One guard cut the power [1]."),
        later: side(2, "Two guards cut the power [3]."),
        answers: vec![StatementChange {
            earlier: Some("The crew did it".into()),
            later: Some("The night crew did it".into()),
            probability: (Some(0.5), Some(0.7)),
        }],
        judgements: vec![],
        kept: 1,
        added: vec![],
        removed: vec![],
        is_open: false,
    };
    let (viewer, sentence) = (fixtures::viewer(), page.sentence.clone());
    let html = rendered("comparison", || view! { <CompareWhole viewer page /> });
    let (above, below) = html.split_once(&sentence).unwrap();
    assert!(!above.contains("cut the power.") && !above.contains("crew did it"), "the sentence is first: {above}");
    assert_shows(
        below,
        "<mark class=\"match\">One guard</mark> cut the power.|<mark class=\"match\">Two guards</mark> cut the power.|\
         The <mark class=\"match\">night</mark> crew did it|+20 points",
    );
}

#[test]
fn only_versions_of_one_question_are_compared() {
    let mut view = fixtures::assessment();
    let id = view.assessment.id;
    let line = |number: u32, question: &str, version, is_current| ThreadLine {
        investigation_id: fixtures::uuid(number),
        question: question.into(),
        assessment: Some(if is_current { id } else { fixtures::uuid(number + 100) }),
        follows: None,
        status: Status::Completed,
        version,
        versions: 2,
        is_current,
        created_at: fixtures::now(),
    };
    view.thread = vec![
        line(1, "Who planned it?", 1, false),
        line(2, "Who planned it?", 2, false),
        line(3, fixtures::QUESTION, 1, false),
        line(4, fixtures::QUESTION, 2, true),
    ];
    let html = tab("assessment-thread", fixtures::viewer(), view, Tab::Work);
    let thread = html.split_once("aria-label=\"Thread\"").unwrap().1.split_once("</nav>").unwrap().0;
    assert_eq!(thread.matches("/compare?with=").count(), 1, "{thread}");
    assert!(thread.contains(&format!("compare?with={}", fixtures::uuid::<AssessmentId>(103))), "{thread}");
}

fn terms(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

#[test]
fn a_history_shows_answers_over_time_and_names_a_dropped_hypothesis() {
    let first = fixtures::assessment().assessment;
    let mut second = first.clone();
    let lost = second.body.hypotheses.remove(1);
    second.body.change = None;
    let mut history = HistoryView {
        question: first.question.clone(),
        first: first.investigation_id,
        answers: answer_lines(&[&first.body, &second.body], terms),
        scores: vec!["All models: Brier score 0.11 over 9 settled forecasts.".into()],
        versions: vec![],
    };
    let version = |number: u32, change: Option<Comparison>| HistoryVersion {
        id: fixtures::uuid(number + 20),
        number,
        created_at: fixtures::now(),
        model: "house".into(),
        account: None,
        change,
    };
    history.versions = vec![version(1, None), version(2, Some(Comparison::new(&first, &second, terms)))];
    let page = |name: &str, id: AssessmentId, history: HistoryView| {
        let viewer = fixtures::viewer();
        rendered(name, || view! { <HistoryWhole viewer id history /> })
    };
    let html = page("history", first.id, history.clone());
    let (picture, steps) = html.split_once("</figure>").unwrap();
    assert!(picture.contains("<svg") && picture.contains("<circle") && steps.contains("<table"), "{html}");
    let dropped = steps.split_once("Dropped without mention</p>").unwrap().1.split_once("</div>").unwrap().0;
    assert_shows(dropped, &format!("Hypothesis: {}", lost.statement));
    assert_shows(steps, &format!("compare?with={}|The first version.", history.versions[0].id));

    assert_shows(steps, "Earlier forecasts|Brier score 0.11 over 9 settled forecasts.");

    history.versions.truncate(1);
    history.answers.clear();
    history.scores.clear();
    let single = page("history-single", first.id, history);
    assert_shows(&single, "This question has one version.|kind=rerun");
    assert!(!single.contains("Earlier forecasts"), "{single}");
}
