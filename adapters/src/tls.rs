//! TLS configuration of all clients: rustls with ring, and the trusted certificates.

use rustls::{ClientConfig, RootCertStore, crypto::ring};
use std::sync::{Arc, LazyLock};

/// Trusted certificates: the bundled ones and those of the system. Read once.
static TLS: LazyLock<Option<ClientConfig>> = LazyLock::new(|| {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    Some(builder.with_safe_default_protocol_versions().ok()?.with_root_certificates(roots).with_no_client_auth())
});

/// Returns the TLS configuration; `None` when it cannot be set up.
pub fn client_config() -> Option<ClientConfig> {
    TLS.clone()
}
