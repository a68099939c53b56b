//! Signed bundles of shared objects: the port between the crate that keeps public links and the one that writes bundles.

use crate::Web;
use domain::user::User;
use engine::StoreResult;
use futures::future::BoxFuture;

/// Port of the feature that writes signed bundles for strangers.
#[derive(Clone, Copy)]
pub struct BundlePort {
    /// Key of the kind of objects that it bundles.
    pub kind: &'static str,
    /// Writes the file as the person reads the object now; none unless they may open every document that it cites. It has no id of
    /// this installation, no title of a private document and no name of a file.
    pub write: fn(Web, BundleRequest) -> BoxFuture<'static, StoreResult<Option<String>>>,
}

/// Request for the bundle of a shared object.
#[derive(Debug, Clone)]
pub struct BundleRequest {
    /// Person who shares the object.
    pub person: User,
    /// Reference of the object within its kind.
    pub object: String,
    /// Secret of the link, from which the ids in the file are derived.
    pub salt: String,
}
