//! The description of the service, with the schemas of the types that it speaks in.

use domain::fetch::{
    BrowseMessage, BrowseReply, DiscoverRequest, FeedEntry, FetchError, FoundFeed, PageAnswer, PageRequest, RenderAnswer,
    RenderRequest, SOURCE_KEY_HEADER, SourceAsk, SourceEntry, SourceFailure, SourcePage,
};
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Value, json};

/// Where the schemas stand in the document.
const SCHEMAS: &str = "/components/schemas";

/// OpenAPI 3.1.
pub(super) fn document() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = SCHEMAS.into();
    let mut about = About(settings.into_generator());
    let parameters = json!([
        { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
        { "name": SOURCE_KEY_HEADER, "in": "header", "required": false, "schema": { "type": "string" },
          "description": "The key of the source, where the service has none of its own." }
    ]);
    let paths = json!({
        "/health": { "get": about.gives::<Value>("Whether the service works, and why no page can be rendered, where none can") },
        "/sources": { "get": about.gives::<Vec<SourceEntry>>("Every source, with what it needs") },
        "/sources/{id}/query": {
            "parameters": parameters,
            "post": about.takes::<SourceAsk, SourcePage, SourceFailure>("Asks a source for a page of hits")
        },
        "/feeds": { "get": about.gives::<Vec<FeedEntry>>("The feeds that are followed") },
        "/feeds/discover": {
            "post": about.takes::<DiscoverRequest, Vec<FoundFeed>, SourceFailure>("Finds the feeds of an address")
        },
        "/fetch": { "post": about.takes::<PageRequest, PageAnswer, FetchError>("Fetches an address and reads what it gives") },
        "/browse": { "post": about.takes::<RenderRequest, RenderAnswer, FetchError>("Renders a page and reads it") },
        "/browse/session": { "get": about.session() },
    });
    json!({
        "openapi": "3.1.0",
        "info": { "title": "AutOSINT Fetch", "version": env!("CARGO_PKG_VERSION") },
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "schemas": about.0.take_definitions(true),
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } }
        }
    })
}

/// Collects the schemas that operations name.
struct About(SchemaGenerator);

impl About {
    fn content<T: JsonSchema>(&mut self) -> Value {
        json!({ "application/json": { "schema": self.0.subschema_for::<T>() } })
    }

    fn gives<A: JsonSchema>(&mut self, summary: &str) -> Value {
        json!({ "summary": summary, "responses": { "200": { "description": "The answer", "content": self.content::<A>() } } })
    }

    fn takes<Q: JsonSchema, A: JsonSchema, E: JsonSchema>(&mut self, summary: &str) -> Value {
        let failure = json!({ "description": "Why not, in words", "content": self.content::<E>() });
        json!({
            "summary": summary,
            "requestBody": { "required": true, "content": self.content::<Q>() },
            "responses": {
                "200": { "description": "The answer", "content": self.content::<A>() },
                "default": failure
            }
        })
    }

    /// A WebSocket: what is sent and what comes back are named, as the standard has no words for it.
    fn session(&mut self) -> Value {
        json!({
            "summary": "A session in the browser, over a WebSocket; it lives as long as its connection",
            "responses": { "101": { "description": "Messages as text, one answer to each; {\"command\":\"close\"} ends it" } },
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
