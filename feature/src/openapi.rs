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
        let mut settings = SchemaSettings::draft2020_12();
        settings.definitions_path = SCHEMAS.into();
        Self { schemas: settings.into_generator(), paths: Map::new() }
    }
}

impl ApiDescription {
    /// Adds a GET operation that answers with a `T`. Parts of the path in braces are its parameters, `query` names those of the query.
    pub fn get<T: JsonSchema>(&mut self, path: &str, query: &[&str], summary: &str) {
        let schema = json!({ "schema": self.schemas.subschema_for::<T>() });
        self.add(path, query, summary, "application/json", schema);
    }

    /// Adds a GET operation that answers with a stream of server-sent events.
    pub fn stream(&mut self, path: &str, summary: &str) {
        self.add(path, &[], summary, "text/event-stream", json!({}));
    }

    fn add(&mut self, path: &str, query: &[&str], summary: &str, media_type: &str, content: Value) {
        let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let in_path = names.map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }));
        let in_query = query.iter().map(|name| json!({ "name": name, "in": "query", "schema": { "type": "string" } }));
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
