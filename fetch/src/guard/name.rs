//! Names that no public host has, refused before anybody is asked for their address.

/// Endings of names that are of local networks, or of none (RFC 2606, 6761, 6762, 7686, 8375, 9476, and the `internal` of ICANN).
const LOCAL: [&str; 16] = [
    "localhost",
    "local",
    "localdomain",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "home.arpa",
    "invalid",
    "test",
    "onion",
    "alt",
    "arpa",
    "example",
];

/// Whether the name may be asked for: `domain` as the URL standard leaves it, in lower case and punycode.
pub(super) fn check(domain: &str) -> Result<(), &'static str> {
    let name = domain.strip_suffix('.').unwrap_or(domain);
    if name.is_empty() || name.split('.').any(str::is_empty) {
        return Err("it names no host");
    }
    let is_under = |ending: &str| name.strip_suffix(ending).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if LOCAL.iter().any(|ending| is_under(ending)) {
        return Err("its name is of a local network, or of none; name the host in `fetch.http.exceptions` if it is yours");
    }
    if !name.contains('.') {
        return Err(
            "its name has no dot, so it is of a local network; name the host in `fetch.http.exceptions` if it is yours",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn local_names_are_told_from_those_that_only_look_alike() {
        for name in ["localhost", "a.localhost.", "metadata.google.internal", "printer.local", "router", "router.", "a..b", "."]
        {
            assert!(check(name).is_err(), "{name}");
        }
        for name in ["example.org", "example.org.", "notlocal.org", "mylocalhost.com", "internal.example.org"] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
    }
}
