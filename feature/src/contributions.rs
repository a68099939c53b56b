//! Additions of features to the pages of the kernel.

use crate::{Feature, nav_tables::nav_tables};
use app::Contributions;
use std::sync::Arc;

/// Returns what features add to the pages of the kernel, without the sources of the search and of the explorer.
pub fn contributions(features: &[Feature]) -> Contributions {
    Contributions {
        nav: features.iter().flat_map(|feature| feature.nav).copied().collect(),
        notices: features.iter().flat_map(|feature| feature.notices).copied().collect(),
        filters: features.iter().flat_map(|feature| feature.filters).copied().collect(),
        pieces: features.iter().flat_map(|feature| feature.pieces).copied().collect(),
        sources: Arc::default(),
        nodes: Arc::default(),
        nav_tables: Some(nav_tables()),
    }
}
