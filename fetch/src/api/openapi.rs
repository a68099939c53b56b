//! OpenAPI description of the service, with the schemas of its types.

use domain::fetch::{
    BrowseMessage, BrowseReply, DiscoverRequest, FeedEntry, FetchError, FoundFeed, PageRequest, PageResponse, RenderRequest,
    RenderResponse, SOURCE_KEY_HEADER, SourceEntry, SourceFailure, SourcePage, SourceRequest,
};
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Value, json};

/// Path of the schemas in the document.
const SCHEMAS: &str = "/components/schemas";

/// OpenAPI 3.1 document.
pub(super) fn document() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = SCHEMAS.into();
    let mut builder = OpenApiBuilder(settings.into_generator());
    let parameters = json!([
        { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
        { "name": SOURCE_KEY_HEADER, "in": "header", "required": false, "schema": { "type": "string" },
          "description": "Key of the source, if the service has none of its own" }
    ]);
    let paths = json!({
        "/health": { "get": builder.get::<Value>("Status of the service, and the reason if pages cannot be rendered") },
        "/sources": { "get": builder.get::<Vec<SourceEntry>>("All sources, with their requirements") },
        "/sources/{id}/query": {
            "parameters": parameters,
            "post": builder.post::<SourceRequest, SourcePage, SourceFailure>("Queries a source for a page of hits")
        },
        "/feeds": { "get": builder.get::<Vec<FeedEntry>>("Followed feeds") },
        "/feeds/discover": {
            "post": builder.post::<DiscoverRequest, Vec<FoundFeed>, SourceFailure>("Finds the feeds at an address")
        },
        "/fetch": { "post": builder.post::<PageRequest, PageResponse, FetchError>("Fetches and parses an address") },
        "/browse": { "post": builder.post::<RenderRequest, RenderResponse, FetchError>("Renders and parses a page") },
        "/browse/session": { "get": builder.session() },
        "/metrics": { "get": {
            "summary": "Metrics of the process in the Prometheus text format",
            "responses": { "200": { "description": "Success", "content": { "text/plain": {} } } }
        } },
    });
    json!({
        "openapi": "3.1.0",
        "info": { "title": "AutOSINT Fetch", "version": env!("CARGO_PKG_VERSION") },
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "schemas": builder.0.take_definitions(true),
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } }
        }
    })
}

/// Generator that collects the schemas named by operations.
struct OpenApiBuilder(SchemaGenerator);

impl OpenApiBuilder {
    fn content<T: JsonSchema>(&mut self) -> Value {
        json!({ "application/json": { "schema": self.0.subschema_for::<T>() } })
    }

    fn get<A: JsonSchema>(&mut self, summary: &str) -> Value {
        json!({ "summary": summary, "responses": { "200": { "description": "Success", "content": self.content::<A>() } } })
    }

    fn post<Q: JsonSchema, A: JsonSchema, E: JsonSchema>(&mut self, summary: &str) -> Value {
        let failure = json!({ "description": "Error", "content": self.content::<E>() });
        json!({
            "summary": summary,
            "requestBody": { "required": true, "content": self.content::<Q>() },
            "responses": {
                "200": { "description": "Success", "content": self.content::<A>() },
                "default": failure
            }
        })
    }

    /// WebSocket operation. OpenAPI cannot express messages, so both types go into `x-messages`.
    fn session(&mut self) -> Value {
        json!({
            "summary": "Browser session over a WebSocket; it lives as long as its connection",
            "responses": { "101": { "description": "Text messages, one reply to each; {\"command\":\"close\"} ends it" } },
            "x-messages": { "sent": self.0.subschema_for::<BrowseMessage>(), "received": self.0.subschema_for::<BrowseReply>() }
        })
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_schema_that_is_named_is_there() {
        let document = super::document().to_string();
        let names = document.split("\"$ref\":\"#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
        let described: serde_json::Value = serde_json::from_str(&document).unwrap();
        let mut seen = 0;
        for name in names {
            assert!(described["components"]["schemas"][name].is_object(), "{name}");
            seen += 1;
        }
        assert!(seen >= 12, "{seen}: {document}");
    }
}
