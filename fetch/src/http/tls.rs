//! TLS settings and trusted certificate authorities.

use super::HttpConfig;
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};
use std::{
    path::Path,
    sync::{Arc, LazyLock},
};

/// Built-in and system authorities, loaded once.
static ROOTS: LazyLock<RootCertStore> = LazyLock::new(|| {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
});

/// TLS configuration of the client, or the reason why it is invalid.
pub(super) fn client_config(config: &HttpConfig) -> Result<ClientConfig, String> {
    let mut roots = ROOTS.clone();
    for file in &config.trusted_certificates {
        add(&mut roots, file).map_err(|why| format!("`fetch.http.trusted_certificates`: {}: {why}", file.display()))?;
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(|_| "no usable TLS version".to_owned())?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

fn add(roots: &mut RootCertStore, file: &Path) -> Result<(), String> {
    let certificates = CertificateDer::pem_file_iter(file).map_err(|error| error.to_string())?;
    let mut added = 0;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| error.to_string())?;
        roots.add(certificate).map_err(|error| error.to_string())?;
        added += 1;
    }
    if added == 0 { Err("it contains no certificate".to_owned()) } else { Ok(()) }
}
