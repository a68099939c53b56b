//! The body of an assessment: judgements, hypotheses, and the evidence for and against them.
//! A value that an evidence brief cannot state is null there (`lenient::asked_for`); `validate` demands it of an assessment.

use super::{Argument, Assumption, Cause, Change, Gap, Impact, Indicator, Marker, OutletNote, Statement, as_clause, lenient};
use crate::{ConfidenceLevel, likelihood::Likelihood};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The part of an assessment that its author writes; the rest is added and verified by code.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Body {
    pub title: String,
    /// The answer in two or three sentences.
    pub bottom_line: String,
    /// The parts of the question, each with hypotheses of its own; empty where there is one.
    #[serde(default)]
    pub questions: Vec<Question>,
    pub key_judgements: Vec<Judgement>,
    #[serde(default)]
    pub argument: Argument,
    /// Markdown with `[n]` markers.
    pub analysis: String,
    /// For each question at least two real answers and "none of these"; their probabilities sum to 0.95–1.05.
    pub hypotheses: Vec<Hypothesis>,
    pub evidence_matrix: Vec<MatrixRow>,
    pub assumptions: Vec<Assumption>,
    pub indicators: Vec<Indicator>,
    pub gaps: Vec<Gap>,
    /// What brings about what.
    #[serde(default)]
    pub causes: Vec<Cause>,
    pub impacts: Vec<Impact>,
    /// What sources say against each other, in an evidence brief; a model is not asked for it.
    #[serde(default)]
    #[schemars(skip_deserializing)]
    pub contradictions: Vec<Statement>,
    pub outlets: Vec<OutletNote>,
    /// Null for the first assessment of a question.
    pub change: Option<Change>,
    #[schemars(schema_with = "lenient::asked_for::<AnalyticConfidence>")]
    pub overall_confidence: Option<AnalyticConfidence>,
}

/// One part of the question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// `Q1`, `Q2` …
    pub id: String,
    pub text: String,
    /// Its answer in one sentence, with a *because*.
    #[serde(default)]
    pub answer: Option<String>,
}

/// Which way an answer answers a question that can be answered yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    Yes,
    No,
    /// Yes in part.
    Partly,
}

impl Position {
    pub const ALL: [Self; 3] = [Self::Yes, Self::No, Self::Partly];

    /// The words that readers see.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Yes => "Yes",
            Self::No => "No",
            Self::Partly => "In part",
        }
    }
}

/// A confidence level with its reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnalyticConfidence {
    pub level: ConfidenceLevel,
    pub basis: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// `J1`, `J2` …
    pub id: String,
    pub statement: String,
    #[schemars(schema_with = "lenient::asked_for::<Likelihood>")]
    pub likelihood: Option<Likelihood>,
    #[schemars(schema_with = "lenient::asked_for::<AnalyticConfidence>")]
    pub confidence: Option<AnalyticConfidence>,
    /// The last day of the time that it speaks of (`YYYY-MM-DD`); null where it has none.
    #[serde(default, deserialize_with = "lenient::last_day")]
    pub horizon: Option<String>,
    /// What would change it.
    #[serde(default)]
    pub would_change: Option<String>,
    /// Ids of the hypotheses that it rests on.
    #[serde(default)]
    pub hypotheses: Vec<String>,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hypothesis {
    /// `H1`, `H2` …
    pub id: String,
    /// Id of the question that it answers; null where there is one question.
    #[serde(default)]
    pub question: Option<String>,
    pub statement: String,
    /// True for "none of these", false for every answer.
    #[serde(default)]
    pub is_none: bool,
    /// Which way it answers a yes-or-no question; null for any other question.
    #[serde(default)]
    pub position: Option<Position>,
    /// 0 to 1.
    #[serde(deserialize_with = "lenient::optional_number")]
    #[schemars(schema_with = "lenient::asked_for_number")]
    pub probability: Option<f64>,
    pub reasoning: String,
    #[serde(rename = "for", deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub supporting: Vec<Marker>,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub against: Vec<Marker>,
    pub weaknesses: String,
}

/// How a piece of evidence bears on a hypothesis (analysis of competing hypotheses, after Heuer).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Rating {
    /// Very consistent.
    CC,
    /// Consistent.
    C,
    /// Neutral.
    N,
    /// Inconsistent.
    I,
    /// Very inconsistent.
    II,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatrixRow {
    #[serde(deserialize_with = "lenient::marker")]
    #[schemars(schema_with = "lenient::marker_schema")]
    pub citation: Marker,
    pub credibility: ConfidenceLevel,
    pub relevance: ConfidenceLevel,
    /// A rating for every hypothesis id of each question that it bears on.
    pub ratings: BTreeMap<String, Rating>,
}

impl Body {
    /// Returns the statement of a judgement or hypothesis.
    pub fn statement(&self, id: &str) -> Option<&str> {
        let judgement = self.key_judgements.iter().find(|one| one.id == id).map(|one| &one.statement);
        let found = judgement.or_else(|| self.hypotheses.iter().find(|one| one.id == id).map(|one| &one.statement));
        found.map(String::as_str)
    }

    /// Returns what an impact depends on, in words: `depends on J2 (“The lock reopens”)`; none where it names nothing.
    pub fn condition_of(&self, impact: &Impact) -> Option<String> {
        let name = |id: &String| {
            let words = self.statement(id).map(as_clause).unwrap_or_default();
            if words.is_empty() { id.clone() } else { format!("{id} (“{words}”)") }
        };
        let names: Vec<String> = impact.depends_on.iter().map(name).collect();
        (!names.is_empty()).then(|| format!("depends on {}", names.join(" and ")))
    }

    /// The hypotheses by question, in the order of the questions; one set without a question where there are none.
    pub fn hypothesis_sets(&self) -> Vec<(Option<&Question>, Vec<&Hypothesis>)> {
        let only = match self.questions.as_slice() {
            [] => return vec![(None, self.hypotheses.iter().collect())],
            [only] => Some(only),
            _ => None,
        };
        let answers = |question: &Question, hypothesis: &Hypothesis| match &hypothesis.question {
            Some(id) => *id == question.id,
            None => only.is_some(),
        };
        let set = |question| (Some(question), self.hypotheses.iter().filter(|one| answers(question, one)).collect());
        self.questions.iter().map(set).collect()
    }

    /// Every text in which `[n]` is a citation, with its place.
    pub fn prose(&self) -> Vec<(String, &str)> {
        let mut prose: Vec<(String, &str)> =
            vec![("bottom_line".into(), &self.bottom_line), ("analysis".into(), &self.analysis)];
        let answers = self.questions.iter().enumerate();
        prose.extend(answers.filter_map(|(n, one)| Some((format!("questions[{n}].answer"), one.answer.as_deref()?))));
        for (n, one) in self.argument.reasons.iter().enumerate() {
            prose.push((format!("argument.reasons[{n}].text"), &one.text));
        }
        prose.extend(self.argument.objection.iter().map(|one| ("argument.objection.text".into(), &*one.text)));
        for (n, one) in self.argument.actors.iter().enumerate() {
            let texts = [("interests", Some(&one.interests)), ("means", one.means.as_ref()), ("limits", one.limits.as_ref())];
            let texts = texts.into_iter().filter_map(|(key, text)| Some((key, text?)));
            prose.extend(texts.map(|(key, text)| (format!("argument.actors[{n}].{key}"), text.as_str())));
        }
        let events = self.argument.chronology.iter().enumerate();
        prose.extend(events.map(|(n, one)| (format!("argument.chronology[{n}].event"), &*one.event)));
        for (n, one) in self.argument.disagreements.iter().enumerate() {
            let at = format!("argument.disagreements[{n}]");
            prose.extend(one.sides.iter().enumerate().map(|(m, side)| (format!("{at}.sides[{m}].text"), &*side.text)));
            prose.push((format!("{at}.weighing"), &one.weighing));
        }
        for (n, judgement) in self.key_judgements.iter().enumerate() {
            prose.push((format!("key_judgements[{n}].statement"), &judgement.statement));
            let basis = judgement.confidence.iter().map(|confidence| &*confidence.basis);
            prose.extend(basis.map(|basis| (format!("key_judgements[{n}].confidence.basis"), basis)));
            prose.extend(judgement.would_change.iter().map(|text| (format!("key_judgements[{n}].would_change"), &**text)));
        }
        for (n, hypothesis) in self.hypotheses.iter().enumerate() {
            prose.push((format!("hypotheses[{n}].reasoning"), &hypothesis.reasoning));
            prose.push((format!("hypotheses[{n}].weaknesses"), &hypothesis.weaknesses));
        }
        for (n, Assumption { text, if_wrong }) in self.assumptions.iter().enumerate() {
            prose.push((format!("assumptions[{n}].text"), text));
            prose.push((format!("assumptions[{n}].if_wrong"), if_wrong));
        }
        // An indicator without a direction is one of a brief, whose citations stand in its text.
        for (n, indicator) in self.indicators.iter().enumerate().filter(|(_, indicator)| indicator.direction.is_none()) {
            prose.push((format!("indicators[{n}].text"), &indicator.text));
        }
        for (n, Gap { text, impact, how_to_close }) in self.gaps.iter().enumerate() {
            prose.push((format!("gaps[{n}].text"), text));
            prose.extend(impact.iter().map(|impact| (format!("gaps[{n}].impact"), &**impact)));
            prose.extend(how_to_close.iter().map(|how| (format!("gaps[{n}].how_to_close"), &**how)));
        }
        prose.extend(self.causes.iter().enumerate().map(|(n, one)| (format!("causes[{n}].mechanism"), &*one.mechanism)));
        prose.extend(self.impacts.iter().enumerate().map(|(n, one)| (format!("impacts[{n}].effect"), &*one.effect)));
        let contradictions = self.contradictions.iter().enumerate();
        prose.extend(contradictions.map(|(n, one)| (format!("contradictions[{n}].text"), &*one.text)));
        prose.extend(self.outlets.iter().enumerate().map(|(n, one)| (format!("outlets[{n}].notes"), &*one.notes)));
        prose.extend(self.change.iter().map(|change| ("change.summary".into(), &*change.summary)));
        prose.extend(self.overall_confidence.iter().map(|one| ("overall_confidence.basis".into(), &*one.basis)));
        prose
    }

    /// Every list of citations with its place, texts aside.
    pub fn citation_lists(&self) -> Vec<(String, &[Marker])> {
        let mut lists: Vec<(String, &[Marker])> = vec![];
        for (n, judgement) in self.key_judgements.iter().enumerate() {
            lists.push((format!("key_judgements[{n}].citations"), &judgement.citations));
        }
        let argument = &self.argument;
        let at = |list: &str, n: usize| format!("argument.{list}[{n}].citations");
        lists.extend(argument.reasons.iter().enumerate().map(|(n, one)| (at("reasons", n), &*one.citations)));
        lists.extend(argument.objection.iter().map(|one| ("argument.objection.citations".to_owned(), &*one.citations)));
        lists.extend(argument.actors.iter().enumerate().map(|(n, one)| (at("actors", n), &*one.citations)));
        lists.extend(argument.chronology.iter().enumerate().map(|(n, one)| (at("chronology", n), &*one.citations)));
        for (n, one) in argument.disagreements.iter().enumerate() {
            let at = |m: usize| format!("argument.disagreements[{n}].sides[{m}].citations");
            lists.extend(one.sides.iter().enumerate().map(|(m, side)| (at(m), &*side.citations)));
        }
        lists.extend(argument.ranges.iter().enumerate().map(|(n, one)| (at("ranges", n), &*one.citations)));
        lists.extend(argument.base_rate.iter().map(|one| ("argument.base_rate.citations".to_owned(), &*one.citations)));
        for (n, hypothesis) in self.hypotheses.iter().enumerate() {
            lists.push((format!("hypotheses[{n}].for"), &hypothesis.supporting));
            lists.push((format!("hypotheses[{n}].against"), &hypothesis.against));
        }
        for (n, row) in self.evidence_matrix.iter().enumerate() {
            lists.push((format!("evidence_matrix[{n}].citation"), std::slice::from_ref(&row.citation)));
        }
        lists.extend(self.causes.iter().enumerate().map(|(n, one)| (format!("causes[{n}].citations"), &*one.citations)));
        lists.extend(self.impacts.iter().enumerate().map(|(n, one)| (format!("impacts[{n}].citations"), &*one.citations)));
        let contradictions = self.contradictions.iter().enumerate();
        lists.extend(contradictions.map(|(n, one)| (format!("contradictions[{n}].citations"), &*one.citations)));
        let settled = self.change.iter().flat_map(|change| change.settled.iter().enumerate());
        lists.extend(settled.map(|(n, item)| (format!("change.settled[{n}].citations"), &*item.citations)));
        lists
    }
}
