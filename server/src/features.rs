//! The features of this build, one line each.

use app::{AddedFilter, Contributions};
use feature::{Feature, Schema, Web};
use std::sync::{Arc, LazyLock};

/// All features, in the order of their entries in the menu.
pub static FEATURES: [Feature; 2] = [tensions::feature(), watching::feature()];

/// Returns the tables of all features.
pub fn schemas() -> &'static [&'static Schema] {
    static SCHEMAS: LazyLock<Vec<&'static Schema>> = LazyLock::new(|| FEATURES.iter().map(|feature| feature.schema).collect());
    &SCHEMAS
}

/// Returns what the features add to the pages of the kernel.
pub fn contributions() -> Contributions {
    let filters = FEATURES.iter().flat_map(|feature| feature.filters).map(|filter| AddedFilter {
        field: filter.field,
        label: filter.label,
        choice: filter.choice,
        select: Arc::new(|user| match Web::of_page() {
            Some(web) => (filter.select)(web, user),
            None => Box::pin(async { Ok(vec![]) }),
        }),
    });
    Contributions {
        nav: FEATURES.iter().flat_map(|feature| feature.nav).copied().collect(),
        notices: FEATURES.iter().flat_map(|feature| feature.notices).copied().collect(),
        filters: filters.collect(),
        pieces: FEATURES.iter().flat_map(|feature| feature.pieces).copied().collect(),
    }
}

/// Returns the routes of all features.
pub fn routes() -> axum::Router<Web> {
    FEATURES.iter().fold(axum::Router::new(), |router, feature| router.merge((feature.routes)()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_codes_fields_and_addresses_are_unique() {
        let names = FEATURES.iter().map(|feature| feature.name);
        let codes = FEATURES.iter().flat_map(|feature| feature.notices).map(|notice| notice.code);
        let fields = FEATURES.iter().flat_map(|feature| feature.filters).map(|filter| filter.field);
        let entries = FEATURES.iter().flat_map(|feature| feature.nav).map(|entry| entry.href);
        for list in [Vec::from_iter(names), Vec::from_iter(codes.clone()), Vec::from_iter(fields), Vec::from_iter(entries)] {
            assert_eq!(list.iter().collect::<BTreeSet<_>>().len(), list.len(), "{list:?}");
        }
        for code in codes {
            assert!(app::Notice::parse(code).is_none(), "{code} is a notice of the kernel");
        }
    }
}
