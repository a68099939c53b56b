//! Arguments and results of tools, and the shapes of answers in JSON. Schemas are derived from these types; the built-in provider
//! reads and writes the same ones.
//!
//! Ids in arguments are type parameters with our ids as defaults. A provider that knows only references (`c17`) puts `String` there.

mod analyst;
mod browser;
mod decompose;
mod earlier_assessment;
mod explore;
mod extract;
mod lenient;
mod processor;
mod reflection;
mod views;
mod web;

use analyst::partial_date;
pub use analyst::*;
pub use browser::*;
pub use decompose::*;
pub use earlier_assessment::*;
pub use explore::*;
pub use extract::*;
pub use processor::*;
pub use reflection::*;
pub use views::*;
pub use web::*;

/// The value of an answer in JSON, also where a model put it between code marks; none: it is of another shape.
pub fn parse_json_answer<T: serde::de::DeserializeOwned>(answer: &str) -> Option<T> {
    let text = answer.trim();
    let inner = text.strip_prefix("```").and_then(|rest| rest.split_once('\n')).map_or(text, |(_, inner)| inner);
    let value = crate::json::read(inner.trim_end().trim_end_matches("```")).ok()?;
    serde_json::from_value(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_carry_references_as_well_as_ids() {
        let search = SearchClaims::<String, String> { document_ids: vec!["d3".into()], ..SearchClaims::default() };
        let arguments = serde_json::to_value(&search).unwrap();
        assert_eq!(arguments, json!({"document_ids": ["d3"], "sort_by": "relevance", "offset": 0}));
        assert!(serde_json::from_value::<SearchClaims>(arguments).is_err(), "a reference is no id");
        let cited = ClaimRef { marker: serde_json::from_value(json!(1)).unwrap(), claim_id: "c17".to_owned() };
        assert_eq!(serde_json::to_value(cited).unwrap(), json!({"marker": 1, "claim_id": "c17"}));
    }

    #[test]
    fn an_answer_in_json_is_read_with_and_without_code_marks() {
        let plan = |text: &str| parse_json_answer::<ResearchPlan>(text).map(|plan| plan.plan);
        assert_eq!(plan(r#"{"plan": "Read.", "queries": []}"#).as_deref(), Some("Read."));
        assert_eq!(plan("```json\n{\"plan\": \"Read.\", \"queries\": []}\n```\n").as_deref(), Some("Read."));
        assert_eq!(plan("{\"plan\": \"Read.\", \"queries\": [],}").as_deref(), Some("Read."));
        assert_eq!(plan("Read."), None);
    }
}
