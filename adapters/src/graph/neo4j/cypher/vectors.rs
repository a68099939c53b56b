//! Vector statements. Each model and kind has a slot: a property `vector_SLOT` of the texts, and the index of that name.

use engine::embeddings::VectorKind;

pub(in crate::graph::neo4j) const MODEL: &str =
    "MATCH (m:VectorModel {model: $model, kind: $kind}) RETURN m.slot AS slot, m.dimensions AS dimensions, m.filled AS filled";

/// Returns the slot of the last model used for a kind.
pub(in crate::graph::neo4j) const LAST_SLOT: &str =
    "MATCH (m:VectorModel {kind: $kind}) WHERE m.used IS NOT NULL RETURN m.slot AS slot ORDER BY m.used DESC LIMIT 1";

pub(in crate::graph::neo4j) const OPEN: &str = "
    OPTIONAL MATCH (known:VectorModel) WITH coalesce(max(known.slot), 0) + 1 AS slot
    MERGE (m:VectorModel {model: $model, kind: $kind}) ON CREATE SET m.slot = slot, m.dimensions = $dimensions, m.filled = 0
    RETURN m.slot AS slot, m.dimensions AS dimensions, m.filled AS filled";

/// Records the row up to which every text has its vector: texts never change, and new ones get higher rows.
pub(in crate::graph::neo4j) const FILLED: &str =
    "MATCH (m:VectorModel {slot: $slot}) SET m.filled = $filled, m.used = $version";

/// The statements about the texts of one kind.
pub(in crate::graph::neo4j) struct TextStatements {
    /// Returns the first texts after a row without a vector.
    pub missing: &'static str,
    pub put: &'static str,
    pub count: &'static str,
    pub count_missing: &'static str,
    pub last: &'static str,
    /// The pattern that the vector index is created for.
    pub indexed: &'static str,
}

pub(in crate::graph::neo4j) const fn text_statements(kind: VectorKind) -> TextStatements {
    match kind {
        VectorKind::Claim => CLAIMS,
        VectorKind::Entity => VIEWS,
        VectorKind::Relationship => RELATIONSHIPS,
    }
}

const CLAIMS: TextStatements = TextStatements {
    missing: "MATCH (t:Claim) WHERE t.n > $after AND t[$vector] IS NULL
        RETURN t.n AS n, t.id AS id, t.content AS text ORDER BY t.n LIMIT $limit",
    put: "UNWIND $rows AS row MATCH (t:Claim {id: row.id})
        CALL db.create.setNodeVectorProperty(t, $vector, row.numbers)",
    count: "MATCH (t:Claim) RETURN count(t) AS number",
    count_missing: "MATCH (t:Claim) WHERE t.n > $after AND t[$vector] IS NULL RETURN count(t) AS number",
    last: "MATCH (t:Claim) WHERE t.n > 0 RETURN t.n AS number ORDER BY t.n DESC LIMIT 1",
    indexed: "(t:Claim)",
};

const VIEWS: TextStatements = TextStatements {
    missing: "MATCH (t:EntityView) WHERE t.n > $after AND t[$vector] IS NULL
        RETURN t.n AS n, t.id AS id, t.label AS text ORDER BY t.n LIMIT $limit",
    put: "UNWIND $rows AS row MATCH (t:EntityView {id: row.id})
        CALL db.create.setNodeVectorProperty(t, $vector, row.numbers)",
    count: "MATCH (t:EntityView) RETURN count(t) AS number",
    count_missing: "MATCH (t:EntityView) WHERE t.n > $after AND t[$vector] IS NULL RETURN count(t) AS number",
    last: "MATCH (t:EntityView) WHERE t.n > 0 RETURN t.n AS number ORDER BY t.n DESC LIMIT 1",
    indexed: "(t:EntityView)",
};

const RELATIONSHIPS: TextStatements = TextStatements {
    missing: "MATCH ()-[t:RELATES_TO]->() WHERE t.n > $after AND t[$vector] IS NULL
        RETURN t.n AS n, t.id AS id, t.description AS text ORDER BY t.n LIMIT $limit",
    put: "UNWIND $rows AS row MATCH ()-[t:RELATES_TO {id: row.id}]->()
        CALL db.create.setRelationshipVectorProperty(t, $vector, row.numbers)",
    count: "MATCH ()-[t:RELATES_TO]->() RETURN count(t) AS number",
    count_missing: "MATCH ()-[t:RELATES_TO]->() WHERE t.n > $after AND t[$vector] IS NULL RETURN count(t) AS number",
    last: "MATCH ()-[t:RELATES_TO]->() WHERE t.n > 0 RETURN t.n AS number ORDER BY t.n DESC LIMIT 1",
    indexed: "()-[t:RELATES_TO]-()",
};

/// Builds the statement for a vector index. It is the only one built from a name, because parameters cannot name labels.
pub(in crate::graph::neo4j) fn create_index(kind: VectorKind, slot: i64, dimensions: i64) -> String {
    let indexed = text_statements(kind).indexed;
    format!(
        "CREATE VECTOR INDEX vector_{slot} IF NOT EXISTS FOR {indexed} ON (t.vector_{slot})
        OPTIONS {{indexConfig: {{`vector.dimensions`: {dimensions}, `vector.similarity_function`: 'cosine'}}}}"
    )
}

/// Returns the name of a slot's property and index.
pub(in crate::graph::neo4j) fn name(slot: i64) -> String {
    format!("vector_{slot}")
}
