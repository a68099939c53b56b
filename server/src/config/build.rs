//! Settings that need an optional part of the program, which a build can leave out (cargo features of `server`).

use super::Config;
use adapters::embed::Provider;

fn is_built(feature: &str) -> bool {
    let parts = [
        ("browser", cfg!(feature = "browser")),
        ("embed", cfg!(feature = "embed")),
        ("otel", cfg!(feature = "otel")),
        ("scale", cfg!(feature = "scale")),
    ];
    parts.contains(&(feature, true))
}

/// Returns the problem with a setting that needs a part which this build lacks.
pub(super) fn problem(config: &Config) -> Option<String> {
    find_missing_part(config, is_built)
}

fn find_missing_part(config: &Config, is_built: impl Fn(&str) -> bool) -> Option<String> {
    let needs_model = config.embed.provider == Provider::Minilm && !config.embed.model_dir.as_os_str().is_empty();
    let settings = [
        ("fetch.browser.program", !config.fetch.browser.program.as_os_str().is_empty(), "browser", "browser"),
        ("embed.model_dir", needs_model, "embedding model", "embed"),
        ("traces.endpoint", config.traces.endpoint.is_some(), "export of traces", "otel"),
        ("sql.url", config.sql.url.is_some(), "scaled-out size", "scale"),
        ("graph.neo4j.url", config.graph.neo4j.url.is_some(), "scaled-out size", "scale"),
        ("redis.url", config.redis.url.is_some(), "scaled-out size", "scale"),
    ];
    let (setting, _, part, feature) = settings.into_iter().find(|(_, is_set, _, feature)| *is_set && !is_built(feature))?;
    Some(format!(
        "{setting} is set, and this build has no {part}: leave it out, or build with `cargo build -p server --features {feature}`"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_needs_a_part_left_out_of_the_build_is_refused() {
        let only = |built: &'static str| move |feature: &str| feature == built;
        let mut config = Config::default();
        assert_eq!(find_missing_part(&config, only("none")), None, "the defaults need no optional part");
        config.traces.endpoint = Some("http://127.0.0.1:4318".to_owned());
        assert_eq!(
            find_missing_part(&config, only("scale")).as_deref(),
            Some(
                "traces.endpoint is set, and this build has no export of traces: leave it out, or build with `cargo build -p server \
                 --features otel`"
            )
        );
        assert_eq!(find_missing_part(&config, only("otel")), None);
        config.fetch.browser.program = "/usr/bin/chromium".into();
        assert!(find_missing_part(&config, only("otel")).is_some_and(|problem| problem.contains("--features browser")));
        config.fetch.browser.program = "".into();
        config.embed.model_dir = "models".into();
        assert!(find_missing_part(&config, only("otel")).is_some_and(|problem| problem.contains("--features embed")));
        config.embed.provider = Provider::Hashing;
        assert_eq!(find_missing_part(&config, only("otel")), None, "another provider reads no weights");
    }
}
