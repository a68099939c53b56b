//! Language detection.

use whatlang::Lang;

/// Letters needed for a detection.
const MIN_CHARS: usize = 40;
/// Characters examined; more would not change the result.
const LOOK_CHARS: usize = 3_000;
/// Length from which the detected language takes precedence over the stated one.
const TRUST_CHARS: usize = 400;

/// ISO 639-1 code where one exists, otherwise ISO 639-3.
pub(crate) fn detect_language(text: &str, stated: Option<&str>) -> Option<String> {
    let sample: String = text.chars().filter(|c| !c.is_ascii_digit()).take(LOOK_CHARS).collect();
    let length = sample.chars().filter(|c| c.is_alphabetic()).count();
    let stated = stated.and_then(primary_tag);
    let found = whatlang::detect(&sample).filter(|found| length >= MIN_CHARS && found.is_reliable());
    match (found, stated) {
        (Some(found), Some(stated)) if length < TRUST_CHARS || found.confidence() < 0.9 => Some(stated),
        (Some(found), _) => Some(short_code(found.lang()).to_owned()),
        (None, stated) => stated,
    }
}

/// `en` of `en-GB`; `None` if it is no language tag.
fn primary_tag(tag: &str) -> Option<String> {
    let primary = tag.split(['-', '_', ',', ' ']).next()?.to_ascii_lowercase();
    let is_tag = (2..=3).contains(&primary.len()) && primary.bytes().all(|byte| byte.is_ascii_lowercase());
    is_tag.then_some(primary)
}

/// ISO 639-1 code, by position in the list of three-letter codes.
fn short_code(language: Lang) -> &'static str {
    const LONG: &str = "epo eng rus cmn spa por ita ben fra deu ukr kat ara hin jpn heb yid pol amh jav kor nob dan swe \
        fin tur nld hun ces ell bul bel mar kan ron slv hrv srp mkd lit lav est tam vie urd tha guj uzb pan aze ind \
        tel pes mal ori mya nep sin khm tuk aka zul sna afr lat slk cat tgl hye cym";
    const SHORT: &str = "eo en ru zh es pt it bn fr de uk ka ar hi ja he yi pl am jv ko nb da sv \
        fi tr nl hu cs el bg be mr kn ro sl hr sr mk lt lv et ta vi ur th gu uz pa az id \
        te fa ml or my ne si km tk ak zu sn af la sk ca tl hy cy";
    let code = language.code();
    let at = LONG.split_whitespace().position(|long| long == code);
    at.and_then(|at| SHORT.split_whitespace().nth(at)).unwrap_or(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_recognised_in_capitals_too() {
        let table = [
            ("THE ARMED FORCES SAID THAT THE PEASANTS HAVE BEEN RELEASED AND RETURNED TO THEIR HOMES IN THE NORTH", "en"),
            (
                "La junta del puerto anunció ayer que los barcos no podrán salir hasta que termine la tormenta, y que nadie sabe cuándo será",
                "es",
            ),
            ("Die Hafenbehörde teilte gestern mit, dass kein Schiff auslaufen darf, bis der Sturm vorüber ist", "de"),
        ];
        for (text, language) in table {
            assert_eq!(detect_language(text, None).as_deref(), Some(language));
        }
    }

    #[test]
    fn every_known_language_has_a_short_code_of_two_letters() {
        for language in Lang::all() {
            assert_eq!(short_code(*language).len(), 2, "{language:?}");
        }
    }

    #[test]
    fn a_short_text_believes_what_is_stated() {
        assert_eq!(detect_language("Nein.", Some("de-AT")).as_deref(), Some("de"));
        assert_eq!(detect_language("Nein.", Some("[language]")), None);
    }
}
