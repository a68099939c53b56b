//! Locale normalisation of result values: times.
//!
//! A locale profile (`config/locale/profiles`) defines the formats; each tool's file names the fields.
//!
//! Invariant: only named fields change, never running text, so quotes stay verbatim.

use crate::config_files::ConfigFiles;
use domain::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Normaliser of one kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Normaliser {
    /// `2026-05-04T06:00:00Z`, converted to the zone of the profile. A day without a time stays that day.
    Time,
}

/// Locale profile: target formats of values. Values without a rule stay unchanged.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    zone: Option<Zone>,
}

/// Time zone with a fixed offset.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Zone {
    name: String,
    /// Minutes east of Greenwich.
    offset_minutes: i32,
}

/// Errors of loading a locale profile.
#[derive(Debug, thiserror::Error)]
pub enum BadProfile {
    #[error("engine.locale is '{0}': there is no config/locale/profiles/{0}.toml")]
    Missing(String),
    #[error("config/locale/profiles/{name}.toml: {problem}")]
    Unusable { name: String, problem: String },
}

impl Profile {
    /// Loads the profile with this name.
    pub fn load(files: &ConfigFiles, name: &str) -> Result<Self, BadProfile> {
        let text = files.get(&format!("locale/profiles/{name}.toml")).ok_or_else(|| BadProfile::Missing(name.into()))?;
        let unusable = |problem: String| BadProfile::Unusable { name: name.into(), problem };
        let profile: Self = toml::from_str(text).map_err(|error| unusable(error.to_string()))?;
        match profile.problem() {
            Some(problem) => Err(unusable(problem)),
            None => Ok(profile),
        }
    }

    fn problem(&self) -> Option<String> {
        let zone = self.zone.as_ref().filter(|zone| zone.offset_minutes.abs() > 14 * 60);
        zone.map(|zone| format!("zone.offset_minutes of {} is more than 14 hours", zone.name))
    }

    /// Returns the normalised value; none when it stays unchanged.
    fn write(&self, normaliser: Normaliser, value: &Value) -> Option<String> {
        match normaliser {
            Normaliser::Time => self.zone.as_ref()?.write(value.as_str()?),
        }
    }
}

impl Zone {
    fn write(&self, text: &str) -> Option<String> {
        let text = text.trim();
        if !text.contains('T') {
            return None;
        }
        let at: Timestamp = serde_json::from_value(Value::String(text.to_owned())).ok()?;
        let local = at.plus_ms(i64::from(self.offset_minutes) * 60_000).to_string();
        let (day, time) = local.split_once('T')?;
        Some(format!("{day} {} {}", time.get(..5)?, self.name))
    }
}

/// Normalises the named fields at any depth; text that is not JSON stays unchanged.
pub(super) fn apply(profile: &Profile, fields: &BTreeMap<String, Normaliser>, content: String) -> String {
    if fields.is_empty() || *profile == Profile::default() {
        return content;
    }
    let Ok(mut value) = serde_json::from_str::<Value>(&content) else { return content };
    match write_fields(profile, fields, &mut value) {
        0 => content,
        _ => value.to_string(),
    }
}

/// Normalises fields in place and returns how many changed.
fn write_fields(profile: &Profile, fields: &BTreeMap<String, Normaliser>, value: &mut Value) -> usize {
    match value {
        Value::Array(items) => items.iter_mut().map(|item| write_fields(profile, fields, item)).sum(),
        Value::Object(map) => {
            let mut changed = 0;
            for (name, value) in map {
                match fields.get(name).and_then(|normaliser| profile.write(*normaliser, value)) {
                    Some(written) => {
                        *value = Value::String(written);
                        changed += 1;
                    }
                    None => changed += write_fields(profile, fields, value),
                }
            }
            changed
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn profile(name: &str) -> Profile {
        Profile::load(&ConfigFiles::shipped(), name).unwrap()
    }

    fn fields() -> BTreeMap<String, Normaliser> {
        [("at".to_owned(), Normaliser::Time)].into()
    }

    #[test]
    fn a_profile_writes_times_in_its_zone_and_leaves_days() {
        let raw = json!({"hits": [
            {"at": "2026-05-04T06:00:00Z", "text": "2026-05-04T06:00:00Z"},
            {"at": "2026-05-04"}, {"at": "2026-05"}, {"at": "yesterday"}, {"at": "Tomorrow"},
        ]});
        let written: Value = serde_json::from_str(&apply(&profile("in"), &fields(), raw.to_string())).unwrap();
        let expected = json!({"hits": [
            {"at": "2026-05-04 11:30 IST", "text": "2026-05-04T06:00:00Z"},
            {"at": "2026-05-04"}, {"at": "2026-05"}, {"at": "yesterday"}, {"at": "Tomorrow"},
        ]});
        assert_eq!(written, expected);
        let west = Profile { zone: Some(Zone { name: "EST".into(), offset_minutes: -300 }) };
        assert_eq!(apply(&west, &fields(), r#"{"at":"2026-05-04"}"#.into()), r#"{"at":"2026-05-04"}"#);
    }

    #[test]
    fn a_profile_without_a_zone_changes_no_byte() {
        let raw = r#"{"at": "2026-05-04T06:00:00Z",  "other": 1}"#;
        assert_eq!(apply(&profile("none"), &fields(), raw.into()), raw);
    }

    #[test]
    fn profiles_that_cannot_be_used_are_named() {
        let files = ConfigFiles::shipped();
        assert!(Profile::load(&files, "nowhere").unwrap_err().to_string().contains("engine.locale"));
        let wrong = Profile { zone: Some(Zone { name: "X".into(), offset_minutes: 2_000 }) };
        assert!(wrong.problem().is_some());
    }
}
