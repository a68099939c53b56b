//! Minimal model for benchmarks: answers each phase of a session with almost no work. Searches five times, extracts some claims
//! of each document and cites the first ones.

use crate::ModelAnswer;
use domain::{
    ConfidenceLevel,
    agent::AgentRole,
    assessment::{AnalyticConfidence, Assumption, Body, Hypothesis, Marker},
    claim::{Attribution, Information, Mode},
    entity::IdentityVerdict,
};
use protocol::{
    fence::unfenced,
    model::{Message, ModelRequest, ToolRequest},
    pack::{Pack, PackedDocument},
    tools::{
        BatchExtract, ClaimExtract, ClaimsFound, CreateWorkOrder, DocumentExtract, EntityExtract, EntityVerdict,
        EntityVerdicts, FetchSourceQuery, RelationshipExtract, ResearchPlan, SearchClaims, SourceQuery,
    },
};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const PRODUCE: &str = "produce_assessment";
const SEARCHES: usize = 5;
const CLAIMS_OF_A_DOCUMENT: usize = 2;
const CITATIONS: u32 = 10;
/// Minimum lengths: shorter lines are headings or lists, and short words are no search terms.
const SENTENCE_CHARS: usize = 30;
const WORD_CHARS: usize = 5;

pub(super) fn answer(request: &ModelRequest) -> ModelAnswer {
    let Some(Message::User { text: opening }) = request.messages.first() else { return says("There is nothing to do.") };
    match request.output_schema.as_deref().map(|shape| shape.name.as_str()) {
        Some("research_plan") => shaped(&plan(opening)),
        Some("batch_extract") => {
            shaped(&BatchExtract { documents: Pack::read(opening).iter().map(|document| extract(document)).collect() })
        }
        Some("entity_verdicts") => shaped(&verdicts(opening)),
        _ if request.role == AgentRole::Processor => says("What was asked for is listed."),
        _ => analyse(opening, &request.messages),
    }
}

/// Plans a search for everything, then for words of the work order.
fn plan(opening: &str) -> ResearchPlan {
    let objective = field(opening, "Work order").unwrap_or_default();
    let words = domain::text::words(objective).filter(|word| word.chars().count() >= WORD_CHARS);
    let queries = std::iter::once(None).chain(words.map(|word| Some(word.to_owned()))).take(SEARCHES).map(|query| {
        FetchSourceQuery { source_id: "documents".into(), query_params: SourceQuery { query, ..SourceQuery::default() } }
    });
    ResearchPlan { plan: "Read everything.".into(), queries: queries.collect() }
}

fn extract(document: &PackedDocument<'_>) -> DocumentExtract {
    let sentences = document.text.lines().flat_map(|line| line.split_inclusive(". ")).map(str::trim);
    let quotes: Vec<&str> =
        sentences.filter(|sentence| sentence.chars().count() >= SENTENCE_CHARS).take(CLAIMS_OF_A_DOCUMENT).collect();
    let mut entities: Vec<EntityExtract> = vec![];
    let mut claims = vec![];
    for (n, quote) in quotes.into_iter().enumerate() {
        let mut about = vec![];
        for name in names(quote) {
            let known = entities.iter().find(|entity| entity.name == name).map(|entity| entity.reference.clone());
            about.push(known.unwrap_or_else(|| {
                let reference = format!("e{}", entities.len());
                entities.push(entity(&reference, &name));
                reference
            }));
        }
        claims.push(ClaimExtract {
            reference: format!("c{n}"),
            quote: quote.to_owned(),
            content: quote.to_owned(),
            entities: about,
            attribution: Attribution::Unattributed,
            information: Information::Assertion,
            mode: Mode::Asserted,
            speaker: None,
            occurred: None,
        });
    }
    let linked = claims.iter().find(|claim| claim.entities.len() > 1).map(|claim| RelationshipExtract {
        source: claim.entities[0].clone(),
        target: claim.entities[1].clone(),
        description: "is named with".into(),
        claims: vec![claim.reference.clone()],
        bidirectional: true,
        ..RelationshipExtract::default()
    });
    DocumentExtract {
        document_id: document.document_id,
        in_view_only: None,
        outlet: None,
        credits: None,
        entities,
        claims,
        relationships: linked.into_iter().collect(),
        added: BTreeMap::new(),
    }
}

fn entity(reference: &str, name: &str) -> EntityExtract {
    EntityExtract {
        reference: reference.to_owned(),
        name: name.to_owned(),
        kind: "organisation".into(),
        ..EntityExtract::default()
    }
}

/// Returns sequences of capitalised words, except at the start of a sentence.
fn names(sentence: &str) -> Vec<String> {
    let mut names: Vec<Vec<&str>> = vec![vec![]];
    for word in sentence.split_whitespace().skip(1) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        match (names.last_mut(), bare.starts_with(char::is_uppercase)) {
            (Some(name), true) => name.push(bare),
            (Some(name), false) if !name.is_empty() => names.push(vec![]),
            _ => {}
        }
    }
    names.into_iter().filter(|name| name.len() > 1).map(|name| name.join(" ")).take(2).collect()
}

fn verdicts(opening: &str) -> EntityVerdicts {
    let pairs = (1..).zip(opening.lines().filter(|line| line.starts_with('{')));
    let verdict =
        |(pair, _)| EntityVerdict { pair, verdict: IdentityVerdict::Different, reason: "they are named differently".into() };
    EntityVerdicts { verdicts: pairs.map(verdict).collect() }
}

/// Creates a work order in the first cycle; later searches claims and writes.
fn analyse(opening: &str, messages: &[Message]) -> ModelAnswer {
    let is_first = field(opening, "Cycle") == Some("1");
    match (is_first, messages.last()) {
        (true, Some(Message::Tools { .. })) => says("The order is given."),
        (true, _) => {
            let objective = format!("Find out: {}", field(opening, "Question").unwrap_or_default());
            calls("create_work_order", &CreateWorkOrder { objective, ..CreateWorkOrder::default() })
        }
        (false, Some(Message::Tools { .. })) if let Some(again) = sent(messages) => again,
        (false, Some(Message::Tools { results })) => {
            let found = results.iter().find_map(|result| serde_json::from_str::<ClaimsFound>(unfenced(&result.content)).ok());
            let claims: Vec<String> = found.into_iter().flat_map(|found| found.claims).map(|claim| claim.reference).collect();
            calls(PRODUCE, &assessment(&claims))
        }
        (false, _) => calls("search_claims", &SearchClaims { limit: Some(CITATIONS), ..<SearchClaims>::default() }),
    }
}

/// Repeats the assessment unchanged after review findings.
fn sent(messages: &[Message]) -> Option<ModelAnswer> {
    let calls = messages.iter().rev().find_map(|message| match message {
        Message::Assistant { tool_calls, .. } => Some(tool_calls),
        _ => None,
    });
    let written = calls?.iter().find(|call| call.name == PRODUCE)?;
    Some(calls_with(PRODUCE, written.arguments.clone()))
}

fn assessment(claims: &[String]) -> Value {
    let markers: Vec<Marker> = (1..).zip(claims).map(|(marker, _)| marker).collect();
    let claim_refs: Vec<Value> =
        (1..).zip(claims).map(|(marker, claim): (Marker, _)| json!({"marker": marker, "claim_id": claim})).collect();
    let hypothesis = |id: &str, statement: &str, probability, supporting| Hypothesis {
        id: id.into(),
        statement: statement.into(),
        probability: Some(probability),
        reasoning: "It is what was read.".into(),
        supporting,
        weaknesses: "Nobody has thought about it.".into(),
        ..Hypothesis::default()
    };
    let content = Body {
        title: "What was read".into(),
        bottom_line: "There are reports; nobody has weighed them.".into(),
        analysis: markers.iter().map(|marker| format!("A report [{marker}].\n")).collect(),
        hypotheses: vec![
            hypothesis("H1", "It is as the reports say.", 0.5, markers),
            hypothesis("H2", "It is otherwise.", 0.3, vec![]),
            Hypothesis { is_none: true, ..hypothesis("H3", "None of these.", 0.2, vec![]) },
        ],
        assumptions: vec![Assumption { text: "The reports are true.".into(), if_wrong: "Nothing is known.".into() }],
        overall_confidence: Some(AnalyticConfidence { level: ConfidenceLevel::Low, basis: "It was not thought about.".into() }),
        ..Body::default()
    };
    json!({"content": content, "claim_refs": claim_refs})
}

/// Returns the value of the line `Key: value`.
fn field<'a>(opening: &'a str, key: &str) -> Option<&'a str> {
    opening.lines().find_map(|line| Some(line.strip_prefix(key)?.strip_prefix(':')?.trim()))
}

fn says(text: &str) -> ModelAnswer {
    ModelAnswer { text: text.to_owned(), ..ModelAnswer::default() }
}

/// Returns an answer in JSON. Our types always serialise.
fn shaped(answer: &impl Serialize) -> ModelAnswer {
    says(&serde_json::to_string(answer).unwrap_or_default())
}

fn calls(tool: &str, arguments: &impl Serialize) -> ModelAnswer {
    calls_with(tool, serde_json::to_value(arguments).unwrap_or_default())
}

fn calls_with(tool: &str, arguments: Value) -> ModelAnswer {
    ModelAnswer { calls: vec![ToolRequest { id: String::new(), name: tool.into(), arguments }], ..ModelAnswer::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_searches_five_times_and_quotes_verbatim() {
        let plan = plan("Work order: Find out: Who was behind the fire at the grain terminal in Varrow?\nSource guidance: all");
        let words: Vec<_> = plan.queries.iter().map(|query| query.query_params.query.clone().unwrap_or_default()).collect();
        assert_eq!(words, ["", "behind", "grain", "terminal", "Varrow"]);
        let text = "Two disagree\n\nThe police of Karo Town blamed the Miten Bank for the fire. The Karo Town council denied it at once.";
        let header = protocol::pack::DocumentHeader::default();
        let found =
            extract(&PackedDocument { document_id: "00000000-0000-7000-8000-000000000000".parse().unwrap(), header, text });
        assert!(found.claims.iter().all(|claim| text.contains(&claim.quote)) && found.claims.len() == 2, "{found:?}");
        let names: Vec<_> = found.entities.iter().map(|entity| entity.name.as_str()).collect();
        assert_eq!(names, ["Karo Town", "Miten Bank"]);
        assert_eq!((found.claims[1].entities.clone(), found.relationships.len()), (vec!["e0".to_owned()], 1));
    }
}
