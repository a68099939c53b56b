//! The features of this build, one line each.

use app::{AddedNodes, AddedNodesFuture, AddedSource, Contributions, SourceHits};
use domain::{EntityId, user::User};
use engine::agents::spec::AgentSpec;
use feature::{
    Command, Feature, Metric, OfflineCommand, Probe, Schema, ShareableKind, WatchedKind, Web, shareable::KERNEL_KINDS,
};
use std::sync::{Arc, LazyLock};

/// All features, in the order of their entries in the menu.
pub static FEATURES: &[Feature] = &[
    monitor::feature(),
    tensions::feature(),
    watching::feature(),
    share::feature(),
    interview::feature(),
    delivery::feature(),
    bundle::feature(),
];

/// Returns the tables of all features.
pub fn schemas() -> &'static [&'static Schema] {
    static SCHEMAS: LazyLock<Vec<&'static Schema>> = LazyLock::new(|| FEATURES.iter().map(|feature| feature.schema).collect());
    &SCHEMAS
}

/// Returns what the features add to the pages of the kernel.
pub fn contributions() -> Contributions {
    static CONTRIBUTIONS: LazyLock<Contributions> = LazyLock::new(|| {
        let sources = search_sources(Web::of_page).into();
        let nodes = added_nodes(Web::of_page).into();
        Contributions { sources, nodes, ..feature::contributions(FEATURES) }
    });
    CONTRIBUTIONS.clone()
}

/// Returns the sources that features add to the search; they find nothing where there is no state.
pub fn search_sources(state: impl Fn() -> Option<Web> + Clone + Send + Sync + 'static) -> Vec<AddedSource> {
    let added = |source: feature::SearchSource| {
        let state = state.clone();
        let find = move |viewer: User, words: String, limit: usize| -> SourceHits {
            let Some(web) = state() else { return Box::pin(async { Ok(vec![]) }) };
            Box::pin(async move {
                let hits = (source.find)(web.clone(), viewer, words.clone(), limit).await?;
                let excerpt =
                    |text: &str| if text.is_empty() { views::Snippet::default() } else { web.engine.excerpt(&words, text) };
                let hit = |hit: feature::SearchHit| views::SearchHit {
                    snippet: excerpt(&hit.text),
                    title: hit.title,
                    href: hit.href,
                    note: hit.note,
                    ..views::SearchHit::default()
                };
                Ok(hits.into_iter().map(hit).collect())
            })
        };
        AddedSource { key: source.key, title: source.title, find: Arc::new(find) }
    };
    FEATURES.iter().filter_map(|feature| feature.search).map(added).collect()
}

/// Returns the sources of objects that features lay over the graph; they find nothing where there is no state.
pub fn added_nodes(state: impl Fn() -> Option<Web> + Clone + Send + Sync + 'static) -> Vec<AddedNodes> {
    let added = |source: feature::NodeSource| {
        let state = state.clone();
        let find = move |viewer: User, entities: Vec<EntityId>| -> AddedNodesFuture {
            match state() {
                Some(web) => (source.find)(web, viewer, entities),
                None => Box::pin(async { Ok(vec![]) }),
            }
        };
        AddedNodes(Arc::new(find))
    };
    FEATURES.iter().filter_map(|feature| feature.nodes).map(added).collect()
}

/// Returns the kinds of objects that people watch: those of all features, and questions.
pub fn watched_kinds() -> impl Iterator<Item = WatchedKind> {
    FEATURES.iter().flat_map(|feature| feature.watched).copied().chain([feature::QUESTIONS])
}

/// Returns the kinds of objects of the kernel and of all features that people share by links.
pub fn shareable_kinds() -> impl Iterator<Item = ShareableKind> {
    KERNEL_KINDS.iter().chain(FEATURES.iter().flat_map(|feature| feature.shareable)).copied()
}

/// Returns the checks of all features by the doctor.
pub fn probes() -> impl Iterator<Item = Probe> {
    FEATURES.iter().filter_map(|feature| feature.probe)
}

/// Returns the commands of all features.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    FEATURES.iter().flat_map(|feature| feature.commands)
}

/// Returns the commands of all features that need no data.
pub fn offline_commands() -> impl Iterator<Item = &'static OfflineCommand> {
    FEATURES.iter().flat_map(|feature| feature.offline_commands)
}

/// Returns the commands of all features below `autosint export`.
pub fn exports() -> impl Iterator<Item = &'static Command> {
    FEATURES.iter().flat_map(|feature| feature.exports)
}

/// Returns the metrics of all features.
pub fn metrics() -> impl Iterator<Item = &'static Metric> {
    FEATURES.iter().flat_map(|feature| feature.metrics)
}

/// Returns the roles of all features.
pub fn roles() -> impl Iterator<Item = &'static AgentSpec> {
    FEATURES.iter().flat_map(|feature| feature.agents.roles).copied()
}

/// Returns whether the form posts to a path ask for the password again.
pub fn asks_for_password(path: &str) -> bool {
    FEATURES.iter().any(|feature| feature.confirmed.contains(&path))
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
        let sources = FEATURES.iter().filter_map(|feature| feature.search).map(|source| source.key);
        let commands = commands().map(|command| command.name).chain(offline_commands().map(|command| command.name));
        let exports = exports().map(|command| command.name);
        let metrics = metrics().map(|metric| metric.name);
        let watched = watched_kinds().map(|kind| kind.key);
        let shareable = shareable_kinds().map(|kind| kind.key);
        let products = FEATURES.iter().flat_map(|feature| feature.products).map(|source| source.key);
        for list in [
            Vec::from_iter(names),
            Vec::from_iter(codes.clone()),
            Vec::from_iter(fields),
            Vec::from_iter(entries),
            Vec::from_iter(sources),
            Vec::from_iter(commands),
            Vec::from_iter(exports),
            Vec::from_iter(metrics),
            Vec::from_iter(watched),
            Vec::from_iter(shareable),
            Vec::from_iter(products),
        ] {
            assert_eq!(list.iter().collect::<BTreeSet<_>>().len(), list.len(), "{list:?}");
        }
        for metric in super::metrics() {
            let is_counter = matches!(metric.kind, feature::MetricKind::Counter);
            assert_eq!(
                metric.name.ends_with("_total"),
                is_counter,
                "{}: counters, and they alone, end with _total",
                metric.name
            );
            let is_known = crate::metrics::CATALOGUE.iter().any(|known| known.name == metric.name);
            assert!(!is_known, "{} is a metric of the kernel", metric.name);
        }
        for code in codes {
            assert!(app::Notice::parse(code).is_none(), "{code} is a notice of the kernel");
        }
    }

    #[test]
    fn entries_of_the_navigation_name_tables_of_features() {
        let schemas = FEATURES.iter().flat_map(|feature| feature.schema.tables);
        let tables: BTreeSet<&str> = schemas.map(|table| table.name).collect();
        for entry in FEATURES.iter().flat_map(|feature| feature.nav) {
            assert!(entry.rows.is_none_or(|name| tables.contains(name)), "{}", entry.href);
        }
    }

    #[test]
    fn keys_of_search_sources_are_no_kinds_of_the_kernel() {
        for source in FEATURES.iter().filter_map(|feature| feature.search) {
            let is_taken = views::SearchKind::ALL.iter().any(|kind| serde_json::to_value(kind).unwrap() == source.key);
            assert!(!is_taken, "{} is a kind of the kernel", source.key);
        }
    }

    #[test]
    fn prompts_and_tool_descriptions_replace_no_other_file() {
        let mut known: BTreeSet<String> = crate::built_in::kernel_files().into_iter().map(|(path, _)| path).collect();
        for (path, _) in feature::config_files(FEATURES) {
            assert!(known.insert(path.clone()), "{path}");
        }
    }
}
