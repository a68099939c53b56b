//! Writes the assessment from the competing answers: what is said, by whom, with which quotes.

mod citations;
mod outlets;
mod prose;
mod signs;

use super::{
    super::{
        Settings,
        answer::{self, Answer, Question},
        conversation::Conversation,
        stand_in,
    },
    ASK_SOURCES, ASSESSMENTS, HISTORY, SOURCES,
    evidence::{Evidence, FoundClaim},
};
use citations::Citations;
use domain::{
    AssessmentId, ConfidenceLevel,
    assessment::{Assumption, Body, Change, Gap, Grounded, Hypothesis, Judgement, MatrixRow, Rating, without_markers},
    claim::{Attribution, Mode},
    likelihood::{Likelihood, percent},
};
use engine::agents::tools::wire::{AssessmentsFound, InvestigationHistory, ProduceAssessment, SourceSeen, SourcesListed};
use std::collections::{BTreeMap, BTreeSet};

/// What the provider says of itself wherever it is asked what it is.
const WHAT_IT_IS: &str = "This assessment was put together by fixed rules from quotations, without a language model: it weighs who \
                          says what and how independently, and does not understand the events.";

/// Answers that are less likely than this are no rivals of the leading one.
const RIVAL_FROM: f64 = 0.1;

/// Everything that the parts of the report draw on.
struct Draft<'a> {
    settings: &'a Settings,
    evidence: &'a Evidence,
    asked: &'a Question,
    answer: &'a Answer,
    /// Claims that try to instruct their reader.
    instructions: &'a BTreeSet<usize>,
}

/// The assessment of everything that was found.
pub(super) fn assessment(settings: &Settings, conversation: &Conversation<'_>, asked: &Question) -> ProduceAssessment {
    let evidence = Evidence::found(conversation);
    let instructions = outlets::instructions(settings, &evidence);
    let passages = evidence.passages(&instructions);
    let answer = answer::hypotheses(asked, &passages, &settings.answers);
    let draft = Draft { settings, evidence: &evidence, asked, answer: &answer, instructions: &instructions };
    let mut citations = Citations::new(&evidence);
    let hypotheses = draft.hypotheses(&mut citations);
    let bottom_line = prose::bottom_line(&draft);
    let mut body = Body {
        title: prose::title(asked),
        questions: vec![],
        key_judgements: draft.judgements(&mut citations),
        analysis: prose::analysis(&draft, &hypotheses, &mut citations),
        evidence_matrix: vec![],
        assumptions: assumptions(),
        indicators: signs::indicators(&draft, &hypotheses),
        gaps: draft.gaps(),
        causes: vec![],
        impacts: signs::impacts(&draft, &mut citations),
        contradictions: vec![],
        outlets: outlets::notes(&draft, conversation, &citations),
        change: change(conversation, asked, &bottom_line),
        bottom_line,
        overall_confidence: Some(draft.overall_confidence()),
        hypotheses,
    };
    body.evidence_matrix = draft.matrix(&citations);
    body.gaps.extend(taken_back(&evidence));
    body.gaps.extend(unheard(conversation));
    body.gaps.extend(unread(conversation));
    quote_plainly(&mut body);
    let entity_refs = body.outlets.iter().map(|outlet| outlet.entity_id).collect();
    ProduceAssessment { content: body, claim_refs: citations.into_refs(), entity_refs }
}

impl Draft<'_> {
    fn leading(&self) -> Option<&answer::Hypothesis> {
        self.answer.hypotheses.iter().find(|hypothesis| !hypothesis.none && !hypothesis.supporting.is_empty())
    }

    fn hypotheses(&self, citations: &mut Citations<'_>) -> Vec<Hypothesis> {
        let side = self.settings.report.citations_per_side;
        let numbered = (1..).zip(&self.answer.hypotheses);
        let mut hypotheses: Vec<Hypothesis> = numbered
            .map(|(n, hypothesis)| Hypothesis {
                id: format!("H{n}"),
                question: None,
                is_none: hypothesis.none,
                statement: hypothesis.statement.clone(),
                probability: Some((hypothesis.probability * 1_000.0).round() / 1_000.0),
                reasoning: hypothesis.reasoning.clone(),
                supporting: citations.cite_all(hypothesis.supporting.iter().take(side)),
                against: citations.cite_all(hypothesis.against.iter().take(side)),
                weaknesses: hypothesis.weaknesses.clone(),
            })
            .collect();
        // Rounding must not break the sum.
        if let Some(last) = hypotheses.last_mut() {
            let others: f64 =
                self.answer.hypotheses.iter().rev().skip(1).map(|other| (other.probability * 1_000.0).round() / 1_000.0).sum();
            last.probability = Some(((1.0 - others).clamp(0.0, 1.0) * 1_000.0).round() / 1_000.0);
        }
        hypotheses
    }

    fn judgements(&self, citations: &mut Citations<'_>) -> Vec<Judgement> {
        let limits = &self.settings.report;
        let founded =
            (1..).zip(&self.answer.hypotheses).filter(|(_, hypothesis)| !hypothesis.none && !hypothesis.supporting.is_empty());
        (1..)
            .zip(founded.take(limits.judgements))
            .map(|(n, (number, hypothesis))| Judgement {
                id: format!("J{n}"),
                statement: hypothesis.statement.clone(),
                likelihood: Some(Likelihood::from_point(hypothesis.probability)),
                confidence: Some(self.confidence_in(hypothesis)),
                horizon: None,
                would_change: None,
                hypotheses: vec![format!("H{number}")],
                citations: citations.cite_all(hypothesis.supporting.iter().take(limits.citations_per_side)),
            })
            .collect()
    }

    /// From how many independent voices speak for it and against it, and how near they were.
    fn confidence_in(&self, hypothesis: &answer::Hypothesis) -> Grounded {
        let (voices, primary) = (self.voices_of(&hypothesis.supporting), self.primary_voices_of(&hypothesis.supporting));
        let against = self.voices_of(&hypothesis.against);
        let level = match (voices, primary) {
            (0, _) => ConfidenceLevel::Low,
            // As many contradict it as half of those that say it: that is not settled by counting.
            _ if against * 2 >= voices => ConfidenceLevel::Low,
            (5.., 2..) if against == 0 => ConfidenceLevel::High,
            (2.., 1..) | (3.., _) => ConfidenceLevel::Moderate,
            _ => ConfidenceLevel::Low,
        };
        Grounded { level, basis: prose::basis(voices, primary, against) }
    }

    /// That of the leading answer; an answer with a close rival is not held with high confidence.
    fn overall_confidence(&self) -> Grounded {
        let Some(leading) = self.leading() else {
            return Grounded { level: ConfidenceLevel::Low, basis: prose::basis(0, 0, 0) };
        };
        let Grounded { level, basis } = self.confidence_in(leading);
        match self.rival() {
            Some(rival) if level == ConfidenceLevel::High => Grounded {
                level: ConfidenceLevel::Moderate,
                basis: format!("{basis} Another answer stays possible ({}).", percent(rival.probability)),
            },
            _ => Grounded { level, basis },
        }
    }

    /// The next answer, where it is worth a thought.
    fn rival(&self) -> Option<&answer::Hypothesis> {
        let leading = self.leading()?;
        self.answer
            .hypotheses
            .iter()
            .find(|other| !other.none && other.statement != leading.statement)
            .filter(|other| other.probability >= RIVAL_FROM)
    }

    fn voices_of(&self, keys: &[u32]) -> usize {
        keys.iter().filter_map(|key| self.evidence.voices.get(*key as usize)).collect::<BTreeSet<_>>().len()
    }

    fn primary_voices_of(&self, keys: &[u32]) -> usize {
        let is_primary = |key: &&u32| self.claim(**key).is_some_and(|claim| claim.attribution == Attribution::Primary);
        keys.iter().filter(is_primary).filter_map(|key| self.evidence.voices.get(*key as usize)).collect::<BTreeSet<_>>().len()
    }

    fn claim(&self, key: u32) -> Option<&FoundClaim> {
        self.evidence.claims.get(key as usize)
    }

    /// One row for each cited claim that bears on a hypothesis, the most telling first.
    fn matrix(&self, citations: &Citations<'_>) -> Vec<MatrixRow> {
        let relevance: BTreeMap<u32, usize> = self.answer.relevant.iter().enumerate().map(|(rank, key)| (*key, rank)).collect();
        let third = self.answer.relevant.len().div_ceil(3).max(1);
        let bearing = citations.keys().filter(|(key, _)| {
            self.answer
                .hypotheses
                .iter()
                .any(|hypothesis| hypothesis.supporting.contains(key) || hypothesis.against.contains(key))
        });
        let mut rows = vec![];
        for (key, marker) in bearing.take(self.settings.report.matrix_rows) {
            let Some(claim) = self.claim(key) else { continue };
            let rating = |hypothesis: &answer::Hypothesis| {
                let plain = claim.attribution == Attribution::Primary && claim.mode == Mode::Asserted;
                match (hypothesis.supporting.contains(&key), hypothesis.against.contains(&key)) {
                    (true, false) if plain => Rating::CC,
                    (true, false) => Rating::C,
                    (false, true) if claim.mode == Mode::Denied => Rating::II,
                    (false, true) => Rating::I,
                    _ => Rating::N,
                }
            };
            rows.push(MatrixRow {
                citation: marker,
                credibility: match claim.attribution {
                    Attribution::Primary if claim.mode == Mode::Asserted => ConfidenceLevel::High,
                    Attribution::Primary | Attribution::Secondhand | Attribution::Unattributed => ConfidenceLevel::Moderate,
                    Attribution::Indirect => ConfidenceLevel::Low,
                },
                relevance: match relevance.get(&key).map(|rank| rank / third) {
                    Some(0) => ConfidenceLevel::High,
                    Some(1) => ConfidenceLevel::Moderate,
                    _ => ConfidenceLevel::Low,
                },
                ratings: (1..)
                    .zip(&self.answer.hypotheses)
                    .map(|(n, hypothesis)| (format!("H{n}"), rating(hypothesis)))
                    .collect(),
            });
        }
        rows
    }

    fn gaps(&self) -> Vec<Gap> {
        let mut gaps: Vec<Gap> = self
            .answer
            .gaps
            .iter()
            .map(|gap| Gap {
                text: gap.text.clone(),
                impact: Some("This part of the question stays open.".into()),
                how_to_close: Some(format!("Find documents on: {}.", gap.query)),
            })
            .collect();
        if self.evidence.claims.is_empty() {
            gaps.push(Gap {
                text: "No document that could be read bears on the question.".into(),
                impact: Some("Nothing can be said about any answer.".into()),
                how_to_close: Some("Add documents that speak of it and ask again.".into()),
            });
        }
        if let Some(leading) = self.leading() {
            if let Some(rival) = self.rival() {
                gaps.push(Gap {
                    text: format!(
                        "What separates the leading answers is not settled: {} Or: {}",
                        prose::sentence(&leading.statement),
                        prose::sentence(&rival.statement)
                    ),
                    impact: Some("A single good account may put the second answer before the first.".into()),
                    how_to_close: Some(
                        "Find an account at first hand whose author depends on neither side, or a record.".into(),
                    ),
                });
            }
            if self.voices_of(&leading.supporting) == 1 {
                gaps.push(Gap {
                    text: "The leading answer rests on one independent voice.".into(),
                    impact: Some("If that voice is wrong or has an interest, so is the answer.".into()),
                    how_to_close: Some("Find a second account that does not draw on the first.".into()),
                });
            }
        }
        gaps
    }
}

/// Pages that were found and say by now that they have been taken back.
fn taken_back(evidence: &Evidence) -> Option<Gap> {
    let titles: Vec<&str> = evidence.taken_back.iter().map(String::as_str).collect();
    (!titles.is_empty()).then(|| Gap {
        text: format!("Taken back by who published it, and left out here: {}.", titles.join("; ")),
        impact: Some("What it said may still stand in documents that repeat it.".into()),
        how_to_close: Some("Find what is said in its place, and by whom.".into()),
    })
}

/// Sources that were asked and gave nothing.
fn unheard(conversation: &Conversation<'_>) -> Vec<Gap> {
    let history: Option<InvestigationHistory> = conversation.with(HISTORY).last().and_then(|exchange| exchange.json());
    let orders = history.into_iter().flat_map(|history| history.cycles).flat_map(|cycle| cycle.work_orders);
    let asked = orders.into_iter().any(|order| order.objective.starts_with(ASK_SOURCES));
    let listed: Option<SourcesListed> = conversation.with(SOURCES).last().and_then(|exchange| exchange.json());
    let listed = listed.filter(|_| asked).into_iter().flat_map(|listed| listed.sources);
    let gap = |source: SourceSeen| {
        Some(Gap {
            text: format!("{} gave nothing: {}.", source.name, source.trouble?.trim_end_matches('.')),
            impact: Some("What it knows of the question is missing here.".into()),
            how_to_close: Some("See on the page of sources what it needs, and ask again.".into()),
        })
    };
    listed.filter_map(gap).collect()
}

/// What was given with the question and could not be read, the first of it by name.
fn unread(conversation: &Conversation<'_>) -> Option<Gap> {
    const NAMED: usize = 5;
    let history: InvestigationHistory = conversation.with(HISTORY).last()?.json()?;
    let named: Vec<String> =
        history.unread.iter().take(NAMED).map(|file| format!("{} ({})", file.path, short(&file.reason))).collect();
    let others = history.unread_total.saturating_sub(named.len() as u64);
    let named = named.join("; ");
    let text = match (history.unread_total, others) {
        (0, _) => return None,
        (1, _) => format!("What was given with the question could not be read: {named}."),
        (all, 0) => format!("{all} of the files and pages that were given could not be read: {named}."),
        (all, others) => {
            format!("{all} of the files and pages that were given could not be read: {named}; and {others} others.")
        }
    };
    Some(Gap {
        text,
        impact: Some("What stands in them is missing here.".into()),
        how_to_close: Some("See at the investigation why each was not read, and give them again.".into()),
    })
}

/// A reason as it stands in a sentence.
fn short(reason: &str) -> &str {
    reason.trim_end_matches('.')
}

fn assumptions() -> Vec<Assumption> {
    vec![
        Assumption {
            text: "Documents that repeat one text are one voice, and different texts are written independently of each other."
                .into(),
            if_wrong: "Support that looks independent may go back to one source, and the likelihoods are too far apart.".into(),
        },
        Assumption {
            text: "The documents that were read are a fair part of what is known.".into(),
            if_wrong: "An answer that none of them names is likelier than 'none of these' says.".into(),
        },
    ]
}

/// Words of documents stand in these texts: a number in brackets there is no citation of ours.
fn quote_plainly(body: &mut Body) {
    let mut texts: Vec<&mut String> = vec![&mut body.bottom_line];
    texts.extend(body.overall_confidence.iter_mut().map(|confidence| &mut confidence.basis));
    for judgement in &mut body.key_judgements {
        texts.push(&mut judgement.statement);
        texts.extend(judgement.confidence.iter_mut().map(|confidence| &mut confidence.basis));
    }
    texts.extend(body.hypotheses.iter_mut().flat_map(|one| [&mut one.reasoning, &mut one.weaknesses]));
    texts.extend(body.gaps.iter_mut().map(|gap| &mut gap.text));
    texts.extend(body.impacts.iter_mut().map(|impact| &mut impact.effect));
    texts.extend(body.outlets.iter_mut().map(|outlet| &mut outlet.notes));
    texts.extend(body.change.iter_mut().map(|change| &mut change.summary));
    for text in texts {
        *text = without_markers(text);
    }
}

/// What an earlier assessment of the same question said, beside what this one does.
fn change(conversation: &Conversation<'_>, asked: &Question, bottom_line: &str) -> Option<Change> {
    let found: AssessmentsFound = conversation.with(ASSESSMENTS).last()?.json()?;
    let previous = found.assessments.into_iter().find(|earlier| earlier.question == asked.text)?;
    Some(Change {
        previous_id: AssessmentId(stand_in::id(&previous.reference)?),
        summary: prose::change(&previous.summary, bottom_line),
        settled: vec![],
    })
}
