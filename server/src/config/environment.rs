//! The only reader of the environment.

use figment::providers::Env;
use std::{ffi::OsString, path::PathBuf};

/// What a variable of the configuration begins with; `AUTOSINT__SERVER__LISTEN` is `server.listen`.
pub const PREFIX: &str = "AUTOSINT__";

/// The environment as a layer of the configuration.
pub(super) fn layer() -> Env {
    Env::prefixed(PREFIX).split("__")
}

/// Where set-up keeps what it fetched once for every checkout: the cache folder of this person.
pub fn cache_folder() -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache"))).map(|cache| cache.join("autosint"))
}

#[expect(clippy::disallowed_methods, reason = "the one module that reads the environment")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}
