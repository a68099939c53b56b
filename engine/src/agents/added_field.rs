//! Fields that features add to the extraction of a document: lists of items with quotes.
//!
//! Invariant: a quote of a stored item is the document's own words. The kernel checks no more of an item than its quotes and its type.

use super::schema::schema_of;
use crate::{StoreResult, evidence::locate};
use async_trait::async_trait;
use domain::DocumentId;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;

/// Field of a document's entry in the answer of an extraction, under `added`.
#[derive(Clone)]
pub struct AddedField {
    /// Name of the field, unique among features.
    pub name: &'static str,
    /// Name of the prompt that describes it, which follows that of the extraction.
    pub prompt: &'static str,
    /// JSON schema of an item.
    pub(super) schema: fn() -> Value,
    is_valid: fn(&Value) -> bool,
    pub(super) store: Arc<dyn FieldStore>,
}

/// Port of the items of a field.
#[async_trait]
pub trait FieldStore: Send + Sync {
    /// Stores checked items of a document, before its claims are written and it counts as extracted. A repeated call stores nothing new;
    /// a document that is read in parts, or corrected, adds items.
    async fn add_items(&self, document: DocumentId, items: &[Value]) -> StoreResult<()>;
}

/// Items of a field that may be stored.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CheckedItems {
    pub items: Vec<Value>,
    /// Number of items, and of objects inside items, that were left out.
    pub refused: u64,
}

impl AddedField {
    /// Declares a field whose items are of a type. A string under the key `quote`, at any depth, is copied from the document.
    pub fn new<T: JsonSchema + DeserializeOwned>(name: &'static str, prompt: &'static str, store: Arc<dyn FieldStore>) -> Self {
        Self { name, prompt, schema: schema_of::<T>, is_valid: |item| serde_json::from_value::<T>(item.clone()).is_ok(), store }
    }

    /// Returns the items of an answer with the quotes as the text prints them. An object is left out if its quote is not in the text or is
    /// longer than `max_quote_chars`, and so is an item of another type.
    pub(super) fn check(&self, given: &Value, text: &str, max_quote_chars: usize) -> CheckedItems {
        let Value::Array(items) = given else { return CheckedItems::default() };
        let own_words = |quote: &str| {
            let is_short = quote.chars().nth(max_quote_chars).is_none();
            locate(text, quote).filter(|_| is_short)?.slice(text).map(str::to_owned)
        };
        let mut checked = CheckedItems { items: items.clone(), refused: 0 };
        retain_quoted(&mut checked.items, &own_words, &mut checked.refused);
        let quoted = checked.items.len();
        checked.items.retain(|item| (self.is_valid)(item));
        checked.refused += (quoted - checked.items.len()) as u64;
        checked
    }
}

fn retain_quoted(items: &mut Vec<Value>, own_words: &impl Fn(&str) -> Option<String>, refused: &mut u64) {
    items.retain_mut(|item| {
        let is_quoted = quote_text(item, own_words, refused);
        *refused += u64::from(!is_quoted);
        is_quoted
    });
}

/// Replaces the quotes of a value by the words of the text; returns whether they are all there. Lists lose the items whose quotes are not.
fn quote_text(value: &mut Value, own_words: &impl Fn(&str) -> Option<String>, refused: &mut u64) -> bool {
    match value {
        Value::Object(fields) => fields.iter_mut().all(|(key, field)| match field {
            Value::String(quote) if key == "quote" => match own_words(quote) {
                Some(own) => {
                    *quote = own;
                    true
                }
                None => false,
            },
            field => quote_text(field, own_words, refused),
        }),
        Value::Array(items) => {
            retain_quoted(items, own_words, refused);
            true
        }
        // PostgreSQL stores no NUL.
        Value::String(text) => {
            text.retain(|c| c != '\0');
            true
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read by the check")]
    struct Fault {
        name: String,
        quote: String,
        signs: Vec<Sign>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read by the check")]
    struct Sign {
        quote: String,
    }

    struct NoStore;

    #[async_trait]
    impl FieldStore for NoStore {
        async fn add_items(&self, _: DocumentId, _: &[Value]) -> StoreResult<()> {
            Ok(())
        }
    }

    #[test]
    fn an_item_keeps_the_quotes_of_the_text_alone() {
        let field = AddedField::new::<Fault>("faults", "faults", Arc::new(NoStore));
        let fault = |name: &str, quote: &str, signs: &[&str]| {
            let signs: Vec<Value> = signs.iter().map(|quote| json!({"quote": quote})).collect();
            json!({"name": name, "quote": quote, "signs": signs})
        };
        let text = "The dam\nleaks. Water stands in the cellar.";
        let given = json!([
            fault("a\u{0}", "The dam leaks.", &["Water stands in the cellar.", "The mayor resigned."]),
            fault("b", "The dam is sound.", &[]),
            fault("c", "Water stands in the cellar. It is cold.", &["The dam leaks."]),
            {"name": "d"},
            "e",
        ]);
        let checked = field.check(&given, text, 20);
        assert_eq!(checked.items, [fault("a", "The dam\nleaks.", &[])], "the other quotes are absent or too long");
        assert_eq!(checked.refused, 6);
        assert_eq!(field.check(&Value::Null, text, 20), CheckedItems::default());
    }
}
