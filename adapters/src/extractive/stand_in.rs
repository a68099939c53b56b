//! Stand-in ids: the short references of a conversation (`c17`) where our types want an id, turned back before a call is made.

use serde_json::Value;
use uuid::Uuid;

/// No id that is drawn begins so: version and variant are not those of a UUIDv7.
const MARK: u128 = 0x0005_7a4d_0000_0000 << 64;

/// The id that stands for a reference: a letter and a number.
pub(super) fn id(reference: &str) -> Option<Uuid> {
    let letter = reference.chars().next().filter(char::is_ascii_lowercase)?;
    let number: u32 = reference[1..].parse().ok()?;
    Some(Uuid::from_u128(MARK | u128::from(u32::from(letter)) << 32 | u128::from(number)))
}

fn reference(id: Uuid) -> Option<String> {
    let bits = id.as_u128();
    let letter = char::from_u32(u32::try_from(bits >> 32 & 0xffff_ffff).ok()?)?;
    (bits >> 64 == MARK >> 64).then(|| format!("{letter}{}", bits & 0xffff_ffff))
}

/// Puts references where stand-in ids are.
pub(super) fn restore(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(reference) = Uuid::parse_str(text).ok().and_then(reference) {
                *text = reference;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(restore),
        Value::Object(fields) => fields.values_mut().for_each(restore),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stand_in_is_its_reference_again() {
        let mut value = serde_json::json!({"claim_id": id("c17").unwrap(), "other": "01890000-0000-7000-8000-000000000001"});
        restore(&mut value);
        assert_eq!(value, serde_json::json!({"claim_id": "c17", "other": "01890000-0000-7000-8000-000000000001"}));
        assert_eq!(id("Martin"), None);
    }
}
