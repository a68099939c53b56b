//! Draft of an assessment as a session sends it: whole, or as a patch of the last one.

use crate::agents::{
    context::ToolError,
    lenient,
    machine::{AMEND_TOOL, DRAFT_TOOL},
    schema::{MAX_PROBLEMS, schema_of, unfit_arguments, without_id_formats},
};
use domain::{ClaimId, EntityId, assessment::Problem};
use protocol::{
    model::Message,
    refs::{SessionRefs, UnknownRef},
    tools::{AmendAssessment, ProduceAssessment},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::{collections::BTreeMap, sync::LazyLock};

/// Arguments of a draft; paths that begin with none of them lead into the first.
const ARGUMENTS: [&str; 3] = ["content", "claim_refs", "entity_refs"];

static DRAFT_SCHEMA: LazyLock<Value> = LazyLock::new(schema_without_formats::<DraftArguments>);
static PATCH_SCHEMA: LazyLock<Value> = LazyLock::new(schema_without_formats::<AmendAssessment>);

fn schema_without_formats<T: JsonSchema>() -> Value {
    let mut schema = schema_of::<T>();
    without_id_formats(&mut schema);
    schema
}

/// Arguments of `produce_assessment` as they were sent. The tool reads them, so that references and rules are checked together.
#[derive(Debug, Deserialize)]
pub struct DraftArguments(pub Value);

impl JsonSchema for DraftArguments {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        ProduceAssessment::<ClaimId, EntityId>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        ProduceAssessment::<ClaimId, EntityId>::json_schema(generator)
    }
}

/// Draft that was read, with its unknown references. They stand in it as the nil id, so that the rest can be checked.
pub(super) struct ReadDraft {
    pub assessment: ProduceAssessment,
    pub unknown: Vec<Problem>,
}

impl ReadDraft {
    /// Reads a draft; one of another shape is a malformed call.
    pub fn read(refs: &SessionRefs, mut arguments: Value) -> Result<Self, ToolError> {
        lenient::coerce(&DRAFT_SCHEMA, &mut arguments);
        let unknown = refs.expand(&mut arguments);
        let mut problems: Vec<String> = unfit_arguments(&DRAFT_SCHEMA, &arguments).collect();
        if problems.is_empty() {
            match serde_path_to_error::deserialize(arguments) {
                Ok(assessment) => return Ok(Self { assessment, unknown: unknown.into_iter().map(problem).collect() }),
                Err(error) => problems.push(format!("'{}': {}", error.path(), error.inner())),
            }
        }
        problems.extend(unknown.iter().map(ToString::to_string));
        problems.truncate(MAX_PROBLEMS);
        let listed = problems.join("\n- ");
        Err(ToolError::Malformed(format!("arguments do not fit; correct these with `{AMEND_TOOL}`:\n- {listed}")))
    }
}

/// Returns the problem at `claim_refs[1].claim_id` for an unknown reference at `/claim_refs/1/claim_id`.
fn problem(UnknownRef { pointer, rule }: UnknownRef) -> Problem {
    let parts = pointer.trim_start_matches("/content").split('/').filter(|part| !part.is_empty());
    let at = parts.fold(String::new(), |path, part| match part.parse::<usize>() {
        Ok(_) => format!("{path}[{part}]"),
        Err(_) if path.is_empty() => part.to_owned(),
        Err(_) => format!("{path}.{part}"),
    });
    Problem { at, rule }
}

/// Returns the last draft of a conversation with a patch.
pub(super) fn amended(conversation: &[Message], patch: &BTreeMap<String, Value>) -> Result<Value, ToolError> {
    let missing = || ToolError::ForModel(format!("there is no draft to correct: send it whole with `{DRAFT_TOOL}`"));
    let draft = last_draft(conversation).ok_or_else(missing)?;
    patched(&draft, patch).map_err(ToolError::ForModel)
}

/// Returns the last whole draft with the patches after it; none before the first.
fn last_draft(conversation: &[Message]) -> Option<Value> {
    // The last message holds the call that is carried out.
    let earlier = conversation.split_last().map_or(&[][..], |(_, earlier)| earlier);
    let calls = earlier.iter().filter_map(|message| match message {
        Message::Assistant { tool_calls, .. } => Some(tool_calls),
        _ => None,
    });
    calls.flatten().fold(None, |draft: Option<Value>, call| {
        let mut arguments = call.arguments.clone();
        match (call.name.as_str(), draft) {
            (DRAFT_TOOL, _) => {
                lenient::coerce(&DRAFT_SCHEMA, &mut arguments);
                Some(arguments)
            }
            (AMEND_TOOL, Some(draft)) => {
                lenient::coerce(&PATCH_SCHEMA, &mut arguments);
                let amend = serde_json::from_value::<AmendAssessment>(arguments).ok();
                // A patch that could not be applied changed nothing.
                Some(amend.and_then(|amend| patched(&draft, &amend.patch).ok()).unwrap_or(draft))
            }
            (_, draft) => draft,
        }
    })
}

/// Step of a path: the name of a field, or a place in a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Place(usize),
    Name(String),
}

/// Returns the steps of `hypotheses[1].probability` or `/content/hypotheses/1/probability`.
fn steps(path: &str) -> Vec<Step> {
    let parts = path.split(['.', '/', '[', ']']).map(str::trim).filter(|part| !part.is_empty());
    let step = |part: &str| part.parse::<usize>().map_or_else(|_| Step::Name(part.to_owned()), Step::Place);
    let steps: Vec<Step> = parts.map(step).collect();
    let names_argument = matches!(steps.first(), Some(Step::Name(name)) if ARGUMENTS.contains(&name.as_str()));
    let content = (!names_argument).then(|| Step::Name("content".to_owned()));
    content.into_iter().chain(steps).collect()
}

/// Returns a draft with the values of a patch, or the places that it does not have. In the order of the places, so that a list can grow
/// by several items.
fn patched(draft: &Value, patch: &BTreeMap<String, Value>) -> Result<Value, String> {
    let mut draft = draft.clone();
    let mut changes: Vec<(Vec<Step>, &str, &Value)> =
        patch.iter().map(|(path, value)| (steps(path), path.as_str(), value)).collect();
    changes.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    let mut missing = vec![];
    for (steps, path, value) in changes {
        if !put(&mut draft, &steps, value) {
            missing.push(format!("'{path}' is no place of the draft"));
        }
    }
    if missing.is_empty() { Ok(draft) } else { Err(missing.join("; ")) }
}

/// Puts a value at a place; the place after the last of a list is a new one. Returns whether there is such a place.
fn put(draft: &mut Value, steps: &[Step], value: &Value) -> bool {
    let Some((last, parents)) = steps.split_last() else { return false };
    let mut parent = draft;
    for step in parents {
        let child = match step {
            Step::Name(name) => parent.get_mut(name.as_str()),
            Step::Place(place) => parent.get_mut(*place),
        };
        let Some(child) = child else { return false };
        parent = child;
    }
    match (parent, last) {
        (Value::Object(fields), Step::Name(name)) => {
            fields.insert(name.clone(), value.clone());
            true
        }
        (Value::Array(items), Step::Place(place)) => {
            if *place == items.len() {
                items.push(Value::Null);
            }
            let item = items.get_mut(*place);
            item.map(|item| *item = value.clone()).is_some()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::model::ToolRequest;
    use serde_json::json;

    fn call(name: &str, arguments: Value) -> Message {
        let call = ToolRequest { id: "1".into(), name: name.into(), arguments };
        Message::Assistant { text: "".into(), tool_calls: vec![call], thinking: vec![] }
    }

    fn patch(value: Value) -> BTreeMap<String, Value> {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn patches_change_the_last_draft_one_after_the_other() {
        let draft =
            json!({"content": {"title": "A", "gaps": [{"text": "x"}]}, "claim_refs": [{"marker": 1, "claim_id": "c1"}]});
        let conversation = [
            call(DRAFT_TOOL, json!({"content": {"title": "older"}})),
            call(DRAFT_TOOL, draft),
            call(
                AMEND_TOOL,
                json!({"patch": {"gaps[2]": {"text": "z"}, "/content/gaps/1": {"text": "y"}, "gaps[0].impact": "w"}}),
            ),
            call(AMEND_TOOL, json!({"patch": {"title": "lost", "gaps[9].text": "no such place"}})),
            call(AMEND_TOOL, json!({})),
        ];
        let now = amended(&conversation, &patch(json!({"title": "B", "claim_refs[0].claim_id": "c2"}))).unwrap();
        let expected = json!({
            "content": {"title": "B", "gaps": [{"text": "x", "impact": "w"}, {"text": "y"}, {"text": "z"}]},
            "claim_refs": [{"marker": 1, "claim_id": "c2"}]
        });
        assert_eq!(now, expected);
        let refused = amended(&conversation, &patch(json!({"gaps[7]": {}, "titles.first": 1}))).unwrap_err().to_string();
        assert_eq!(refused, "'gaps[7]' is no place of the draft; 'titles.first' is no place of the draft");
        assert!(amended(&conversation[4..], &patch(json!({}))).is_err(), "there is no draft yet");
    }
}
