//! Locale normalisation of result values: times, prices, airports and areas.
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
    /// `2026-05-04T06:00:00Z`, converted to the zone of the profile.
    Time,
    /// `12.50 USD` or `{"amount": 12.5, "currency": "USD"}`, converted to the currency of the profile.
    Price,
    /// `BOM`, replaced by the city.
    Airport,
    /// Name of an area, replaced by its preferred name.
    Area,
}

/// Locale profile: target formats of values. Values without a rule stay unchanged.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    zone: Option<Zone>,
    currency: Option<Currency>,
    /// City by IATA code.
    airports: BTreeMap<String, String>,
    /// Alternative names by preferred name.
    areas: BTreeMap<String, Vec<String>>,
}

/// Time zone with a fixed offset.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Zone {
    name: String,
    /// Minutes east of Greenwich.
    offset_minutes: i32,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Currency {
    code: String,
    symbol: String,
    /// Digit group sizes before the decimal point, from the right; the last one repeats.
    groups: Vec<usize>,
    /// Exchange rates: units of this currency per unit of another. Prices without a rate stay unchanged.
    #[serde(default)]
    rates: BTreeMap<String, f64>,
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
        let currency = self.currency.as_ref();
        if currency.is_some_and(|currency| currency.groups.is_empty() || currency.groups.contains(&0)) {
            return Some("currency.groups needs numbers above 0".into());
        }
        let rates = currency.into_iter().flat_map(|currency| &currency.rates);
        let wrong = rates.into_iter().find(|(_, rate)| !(rate.is_finite() && **rate > 0.0));
        if let Some((code, _)) = wrong {
            return Some(format!("currency.rates.{code} must be above 0"));
        }
        let zone = self.zone.as_ref().filter(|zone| zone.offset_minutes.abs() > 14 * 60);
        zone.map(|zone| format!("zone.offset_minutes of {} is more than 14 hours", zone.name))
    }

    /// Returns the normalised value; none when it stays unchanged.
    fn write(&self, normaliser: Normaliser, value: &Value) -> Option<String> {
        match normaliser {
            Normaliser::Time => self.zone.as_ref()?.write(value.as_str()?),
            Normaliser::Price => self.currency.as_ref()?.write(value),
            Normaliser::Airport => {
                let code = value.as_str()?.trim().to_uppercase();
                self.airports.get(&code).map(|city| format!("{city} ({code})"))
            }
            Normaliser::Area => {
                let given = value.as_str()?.trim().to_lowercase();
                let is_named = |others: &[String]| others.iter().any(|other| other.to_lowercase() == given);
                self.areas
                    .iter()
                    .find(|(name, others)| name.to_lowercase() == given || is_named(others))
                    .map(|(name, _)| name.clone())
            }
        }
    }
}

impl Zone {
    fn write(&self, text: &str) -> Option<String> {
        let at: Timestamp = serde_json::from_value(Value::String(text.trim().to_owned())).ok()?;
        let local = at.plus_ms(i64::from(self.offset_minutes) * 60_000).to_string();
        let (day, time) = local.split_once('T')?;
        Some(format!("{day} {} {}", time.get(..5)?, self.name))
    }
}

impl Currency {
    fn write(&self, value: &Value) -> Option<String> {
        let (amount, code) = match value {
            Value::Object(fields) => (fields.get("amount")?.as_f64()?, fields.get("currency")?.as_str()?.to_owned()),
            Value::String(text) => price(text)?,
            _ => return None,
        };
        let code = code.to_uppercase();
        let rate = if code == self.code { 1.0 } else { *self.rates.get(&code)? };
        let here = amount * rate;
        here.is_finite().then(|| format!("{}{}", self.symbol, self.grouped(here)))
    }

    fn grouped(&self, amount: f64) -> String {
        let written = format!("{:.2}", amount.abs());
        let (whole, cents) = written.split_once('.').unwrap_or((&written, "00"));
        let mut groups = self.groups.iter().copied();
        let (mut size, mut in_group, mut digits) = (groups.next().unwrap_or(3), 0, vec![]);
        for digit in whole.chars().rev() {
            if in_group == size {
                digits.push(',');
                size = groups.next().unwrap_or(size);
                in_group = 0;
            }
            digits.push(digit);
            in_group += 1;
        }
        let sign = if amount < 0.0 { "-" } else { "" };
        format!("{sign}{}.{cents}", digits.into_iter().rev().collect::<String>())
    }
}

/// `12,500.50 USD` or `USD 12500.5`.
fn price(text: &str) -> Option<(f64, String)> {
    let (first, second) = text.trim().split_once(char::is_whitespace)?;
    let is_code = |text: &str| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let (amount, code) = if is_code(first) { (second, first) } else { (first, second) };
    let amount = amount.trim().replace(',', "").parse().ok()?;
    is_code(code.trim()).then(|| (amount, code.trim().to_owned()))
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
        Profile::load(&ConfigFiles::embedded(), name).unwrap()
    }

    fn fields() -> BTreeMap<String, Normaliser> {
        let named =
            [("at", Normaliser::Time), ("price", Normaliser::Price), ("from", Normaliser::Airport), ("area", Normaliser::Area)];
        named.map(|(name, normaliser)| (name.to_owned(), normaliser)).into()
    }

    #[test]
    fn one_profile_writes_rupees_and_indian_time() {
        let india = profile("in");
        let raw = json!({"hits": [
            {"at": "2026-05-04T06:00:00Z", "price": {"amount": 1_234_567.5, "currency": "INR"}, "from": "bom", "area": "bombay", "text": "2026-05-04T06:00:00Z"},
            {"at": "yesterday", "price": "12 INR", "from": "XXX", "area": "Atlantis"},
        ]});
        let written: Value = serde_json::from_str(&apply(&india, &fields(), raw.to_string())).unwrap();
        assert_eq!(
            written["hits"][0],
            json!({"at": "2026-05-04 11:30 IST", "price": "₹12,34,567.50", "from": "Mumbai (BOM)", "area": "Mumbai", "text": "2026-05-04T06:00:00Z"})
        );
        assert_eq!(written["hits"][1], json!({"at": "yesterday", "price": "₹12.00", "from": "XXX", "area": "Atlantis"}));
    }

    #[test]
    fn a_price_without_a_known_rate_stays_as_it_is() {
        let raw = json!({"price": "12.50 USD"}).to_string();
        assert_eq!(apply(&profile("in"), &fields(), raw.clone()), raw);
        let mut india = profile("in");
        india.currency.as_mut().unwrap().rates.insert("USD".into(), 90.0);
        assert_eq!(apply(&india, &fields(), raw), r#"{"price":"₹1,125.00"}"#);
    }

    #[test]
    fn the_profile_of_nowhere_changes_no_byte() {
        let raw = r#"{"at": "2026-05-04T06:00:00Z",  "price": "1 INR"}"#;
        assert_eq!(apply(&profile("none"), &fields(), raw.into()), raw);
    }

    #[test]
    fn profiles_that_cannot_be_used_are_named() {
        let files = ConfigFiles::embedded();
        assert!(Profile::load(&files, "nowhere").unwrap_err().to_string().contains("engine.locale"));
        let wrong = Profile { zone: Some(Zone { name: "X".into(), offset_minutes: 2_000 }), ..Profile::default() };
        assert!(wrong.problem().is_some());
    }
}
