//! Products of the kernel: reports, and documents of outlets that people follow.

use crate::store::{DocumentRow, MonitorStore, ReportRow};
use domain::{CollectionId, DocumentId, ObjectId, Scope, claim::Claim, user::User};
use engine::{
    Engine, StoreResult,
    graph::{ClaimOrder, ClaimQuery},
};
use feature::{Product, ProductQuery, ProductSource, ReadableProduct, Web};
use std::collections::{BTreeMap, HashMap};

/// Words of the Brief of a report, which is what a reader reads first.
const BRIEF_WORDS: u32 = 450;
/// Most words of a document that a reader is expected to read.
const DOCUMENT_WORDS: u32 = 1_000;
/// Bytes of a word with its space.
const WORD_BYTES: u64 = 6;
/// Claims that are read for each document, taken together for those of a collection, and characters of the text that they give.
const CLAIMS: u32 = 100;
const TEXT_CHARS: usize = 3_000;

pub const REPORTS: ProductSource = ProductSource {
    key: "report",
    title: "Report",
    list: |web, query| Box::pin(list_reports(web, query)),
    find: |web, reader, ids| Box::pin(find_reports(web, reader, ids)),
    read_pairs: |web, pairs| Box::pin(async move { MonitorStore::new(&web).read_reports(&pairs).await }),
};

pub const DOCUMENTS: ProductSource = ProductSource {
    key: "document",
    title: "Document of a followed outlet",
    list: |web, query| Box::pin(list_documents(web, query)),
    find: |web, reader, ids| Box::pin(find_documents(web, reader, ids)),
    read_pairs: |web, pairs| Box::pin(async move { MonitorStore::new(&web).read_documents(&pairs).await }),
};

async fn list_reports(web: Web, query: ProductQuery) -> StoreResult<Vec<Product>> {
    let store = MonitorStore::new(&web);
    let rows = match query {
        ProductQuery::Arrived { after, limit } => store.arrived_reports(after, limit).await?,
        ProductQuery::Newest { reader, since, limit } => store.newest_reports(reader.id, since, limit).await?,
    };
    Ok(rows.into_iter().map(report_product).collect())
}

/// Returns a report with what it is matched by.
pub fn report_product(row: ReportRow) -> Product {
    Product {
        id: row.id,
        at: row.at,
        text: format!("{}\n{}\n{}", row.summary.question, row.summary.title, row.summary.bottom_line),
        entities: row.entities,
        regions: vec![],
        tags: vec![],
        outlet: None,
    }
}

async fn find_reports(web: Web, reader: User, ids: Vec<ObjectId>) -> StoreResult<Vec<ReadableProduct>> {
    let rows = MonitorStore::new(&web).readable_reports(reader.id, &ids).await?;
    let readable = |row: ReportRow| ReadableProduct {
        id: row.id,
        title: row.summary.question,
        href: format!("/assessments/{}", row.id),
        summary: row.summary.bottom_line,
        words: BRIEF_WORDS,
    };
    Ok(rows.into_iter().map(readable).collect())
}

async fn list_documents(web: Web, query: ProductQuery) -> StoreResult<Vec<Product>> {
    let store = MonitorStore::new(&web);
    let rows = match query {
        ProductQuery::Arrived { after, limit } => store.arrived_documents(after, limit).await?,
        ProductQuery::Newest { reader, since, limit } => store.newest_documents(reader.id, since, limit).await?,
    };
    let claims = claims_of(&web.engine, &rows).await?;
    let product = |row: DocumentRow| {
        let claims = claims.get(&row.id).map(Vec::as_slice).unwrap_or_default();
        document_product(row, claims)
    };
    Ok(rows.into_iter().map(product).collect())
}

/// Returns the claims of documents, each within its own collection.
async fn claims_of(engine: &Engine, rows: &[DocumentRow]) -> StoreResult<HashMap<DocumentId, Vec<Claim>>> {
    let mut by_collection: BTreeMap<CollectionId, Vec<DocumentId>> = BTreeMap::new();
    for row in rows {
        by_collection.entry(row.collection).or_default().push(row.id);
    }
    let mut claims: HashMap<DocumentId, Vec<Claim>> = HashMap::new();
    for (collection, document_ids) in by_collection {
        let candidates = CLAIMS.saturating_mul(u32::try_from(document_ids.len()).unwrap_or(u32::MAX));
        let query = ClaimQuery { document_ids, order: ClaimOrder::DocumentOrder, candidates, ..ClaimQuery::default() };
        for candidate in engine.graph.find_claims(&Scope::from(collection), &query).await? {
            claims.entry(candidate.item.document_id).or_default().push(candidate.item);
        }
    }
    Ok(claims)
}

/// Returns a document as a product. One without an outlet has its own id in the place of one, and so no followers.
fn document_product(row: DocumentRow, claims: &[Claim]) -> Product {
    let mut text = row.title.clone();
    let mut entities = vec![];
    for claim in claims {
        if text.len() < TEXT_CHARS {
            text.push('\n');
            text.push_str(&claim.content);
        }
        entities.extend(&claim.entity_ids);
    }
    let outlet = claims.iter().find_map(|claim| claim.outlet_id).or(Some(domain::EntityId(row.id.0)));
    Product { id: ObjectId(row.id.0), at: row.at, text, entities, regions: vec![], tags: vec![], outlet }
}

async fn find_documents(web: Web, reader: User, ids: Vec<ObjectId>) -> StoreResult<Vec<ReadableProduct>> {
    let scope = web.engine.read_scope(&reader).await?;
    let ids: Vec<DocumentId> = ids.into_iter().map(|id| DocumentId(id.0)).collect();
    let documents = web.engine.documents.documents(&scope, &ids).await?;
    let readable = |document: domain::document::Document| ReadableProduct {
        id: ObjectId(document.id.0),
        href: format!("/documents/{}", document.id),
        summary: document.source_name(),
        words: u32::try_from(document.text_bytes / WORD_BYTES).unwrap_or(DOCUMENT_WORDS).min(DOCUMENT_WORDS),
        title: document.title,
    };
    Ok(documents.into_iter().map(readable).collect())
}
