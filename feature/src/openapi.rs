//! OpenAPI description of the JSON API.

use crate::api::ErrorBody;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// Path of the schemas in the document.
const SCHEMAS: &str = "/components/schemas";

/// Description of `/api/v1`, to which the kernel and the features add their operations.
pub struct ApiDescription {
    schemas: SchemaGenerator,
    paths: Map<String, Value>,
}

impl Default for ApiDescription {
    fn default() -> Self {
        // Answers are serialised values: every key is present.
        let mut settings = SchemaSettings::draft2020_12().for_serialize();
        settings.definitions_path = SCHEMAS.into();
        Self { schemas: settings.into_generator(), paths: Map::new() }
    }
}

impl ApiDescription {
    /// Adds a GET operation that answers with a `T`. Parts of the path in braces are its parameters, `query` names those of the query.
    pub fn get<T: JsonSchema>(&mut self, path: &str, query: &[&str], summary: &str) {
        let text = |name: &&str| ((*name).to_owned(), json!({ "type": "string" }));
        self.add_json::<T>(path, query.iter().map(text).collect(), summary);
    }

    /// Adds a GET operation that answers with a `T` and reads a `Q` from its query: each field of it is a parameter.
    pub fn get_with_query<Q: JsonSchema, T: JsonSchema>(&mut self, path: &str, summary: &str) {
        let mut query = SchemaGenerator::default().into_root_schema_for::<Q>().to_value();
        let fields = query.get_mut("properties").and_then(Value::as_object_mut).map(std::mem::take);
        self.add_json::<T>(path, fields.unwrap_or_default().into_iter().collect(), summary);
    }

    fn add_json<T: JsonSchema>(&mut self, path: &str, query: Vec<(String, Value)>, summary: &str) {
        let schema = json!({ "schema": self.schemas.subschema_for::<T>() });
        self.add(path, query, summary, "application/json", schema);
    }

    /// Adds a GET operation that answers with a stream of server-sent events.
    pub fn stream(&mut self, path: &str, summary: &str) {
        self.add(path, vec![], summary, "text/event-stream", json!({}));
    }

    fn add(&mut self, path: &str, query: Vec<(String, Value)>, summary: &str, media_type: &str, content: Value) {
        let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let in_path = names.map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }));
        let in_query = query.into_iter().map(|(name, schema)| json!({ "name": name, "in": "query", "schema": schema }));
        let parameters: Vec<Value> = in_path.chain(in_query).collect();
        let error = json!({ "schema": self.schemas.subschema_for::<ErrorBody>() });
        let operation = json!({
            "summary": summary,
            "parameters": parameters,
            "responses": {
                "200": { "description": "Success", "content": { media_type: content } },
                "default": { "description": "Error", "content": { "application/json": error } }
            }
        });
        self.paths.insert(path.to_owned(), json!({ "get": operation }));
    }

    /// Returns the OpenAPI 3.1 document.
    pub fn document(mut self) -> Value {
        json!({
            "openapi": "3.1.0",
            "info": { "title": "AutOSINT", "version": env!("CARGO_PKG_VERSION") },
            "security": [{ "session": [] }],
            "paths": self.paths,
            "components": {
                "schemas": self.schemas.take_definitions(true),
                "securitySchemes": { "session": { "type": "apiKey", "in": "cookie", "name": "autosint" } }
            }
        })
    }
}
