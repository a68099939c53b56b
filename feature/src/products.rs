//! Products: what a feature or the kernel brings out, and what the interests of people are matched with.

use crate::Web;
use domain::{EntityId, ObjectId, Timestamp, UserId, user::User};
use engine::StoreResult;
use futures::future::BoxFuture;
use uuid::Uuid;

/// Source of products of one kind.
///
/// Invariant: `find`, `read_pairs`, and `list` for a reader, answer within what the person reads now.
#[derive(Clone, Copy)]
pub struct ProductSource {
    /// Word in the store, unlike those of other sources.
    pub key: &'static str,
    /// Name of one product, such as `Report`.
    pub title: &'static str,
    /// Returns products with what they are matched by.
    pub list: fn(Web, ProductQuery) -> ProductFuture<Product>,
    /// Returns those of some products that the person reads.
    pub find: fn(Web, User, Vec<ObjectId>) -> ProductFuture<ReadableProduct>,
    /// Returns those of some pairs whose person reads the product, for many people at once.
    pub read_pairs: fn(Web, Vec<ReadPair>) -> ProductFuture<ReadPair>,
}

/// A person and a product.
pub type ReadPair = (UserId, ObjectId);

/// Products on their way.
pub type ProductFuture<T> = BoxFuture<'static, StoreResult<Vec<T>>>;

/// Query of products.
#[derive(Debug, Clone)]
pub enum ProductQuery {
    /// Those of everybody that arrived after a mark, oldest first; fewer than `limit` only where there are no more.
    Arrived { after: ProductMark, limit: u32 },
    /// Those that arrived since a time and that the person reads, newest first.
    Newest { reader: Box<User>, since: Timestamp, limit: u32 },
}

/// Place in the order of arrival: products of one time follow each other by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProductMark {
    pub at: Timestamp,
    pub id: Uuid,
}

impl ProductMark {
    /// Returns the mark before all products of a time.
    pub const fn before(at: Timestamp) -> Self {
        Self { at, id: Uuid::nil() }
    }
}

/// A product with what it is matched by. Its text reaches no person: they see it as `find` answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    pub id: ObjectId,
    /// Time of arrival.
    pub at: Timestamp,
    /// Title and summary.
    pub text: String,
    /// Entities that it is about.
    pub entities: Vec<EntityId>,
    /// Names of its regions, the widest too.
    pub regions: Vec<String>,
    pub tags: Vec<String>,
    /// Outlet whose followers alone it is matched for; none: everybody.
    pub outlet: Option<EntityId>,
}

impl Product {
    /// Returns the mark of the product.
    pub const fn mark(&self) -> ProductMark {
        ProductMark { at: self.at, id: self.id.0 }
    }
}

/// A product as a person reads it now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadableProduct {
    pub id: ObjectId,
    pub title: String,
    pub href: String,
    /// One or two sentences; empty: none.
    pub summary: String,
    /// Words that it takes to read.
    pub words: u32,
}
