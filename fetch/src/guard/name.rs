//! Local host names, refused before they are resolved.

/// Suffixes of local or reserved names (RFC 2606, 6761, 6762, 7686, 8375, 9476, and ICANN's `internal`).
const LOCAL: &str = "localhost, local, localdomain, internal, intranet, private, corp, home, lan, home.arpa, invalid, test, onion, \
    alt, arpa, example";

/// Whether a name may be resolved. `domain` is normalised by the URL standard: lower case, punycode.
pub(super) fn check(domain: &str) -> Result<(), &'static str> {
    let name = domain.strip_suffix('.').unwrap_or(domain);
    if name.is_empty() || name.split('.').any(str::is_empty) {
        return Err("it names no host");
    }
    let is_under = |ending: &str| name.strip_suffix(ending).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if LOCAL.split(", ").any(is_under) {
        return Err("local or reserved name; add the host to `fetch.http.exceptions` if it is yours");
    }
    if !name.contains('.') {
        return Err("it is not a web address; a host of your own network is allowed in `fetch.http.exceptions`");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn local_names_are_distinguished_from_similar_public_ones() {
        for name in ["localhost", "a.localhost.", "metadata.google.internal", "printer.local", "router", "router.", "a..b", "."]
        {
            assert!(check(name).is_err(), "{name}");
        }
        for name in ["example.org", "example.org.", "notlocal.org", "mylocalhost.com", "internal.example.org"] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
    }
}
