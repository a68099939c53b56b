//! Ports between features: what one declares and another uses, by values of the kernel.

use crate::{Feature, InterestPort, NotificationSource, ProductSource, WatchedKind};
use std::sync::Arc;

/// Ports of all features. A cheap clone.
#[derive(Clone, Default)]
pub struct Ports {
    pub watched: Arc<[WatchedKind]>,
    pub products: Arc<[ProductSource]>,
    pub notifications: Arc<[NotificationSource]>,
    /// None where no feature keeps interests.
    pub interests: Option<InterestPort>,
}

impl Ports {
    /// Returns what some features declare.
    pub fn of_features(features: &[Feature]) -> Self {
        Self {
            watched: features.iter().flat_map(|feature| feature.watched).copied().collect(),
            products: features.iter().flat_map(|feature| feature.products).copied().collect(),
            notifications: features.iter().filter_map(|feature| feature.notifications).collect(),
            interests: features.iter().find_map(|feature| feature.interests),
        }
    }
}
