//! Parsing of extract fields: dates, fractions and identifiers. Errors are worded for the model.

use crate::{evidence, names::PrintedNames};
use domain::{Confidence, DateRange, PartialDate, document::Credits};
use protocol::tools::{CreditsExtract, EntityExtract, PeriodExtract};

/// Maximum length of an agency and a byline, in characters.
const CREDIT_CHARS: usize = 200;

pub(super) fn date(text: Option<&str>) -> Result<Option<PartialDate>, String> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let refused = || format!("'{text}' is not a day, month or year: write 2016-12-14, 2016-12 or 2016");
    PartialDate::parse(text).map(Some).ok_or_else(refused)
}

pub(in crate::agents::tools) fn period(period: Option<&PeriodExtract>) -> Result<Option<DateRange>, String> {
    let Some(PeriodExtract { from, to }) = period else { return Ok(None) };
    match (date(Some(from))?, date(to.as_deref())?) {
        (None, None) => Ok(None),
        // An end without a start ("until June 2019") is no period; the claim is kept without a date.
        (None, Some(_)) => Ok(None),
        (Some(from), to) => match DateRange::new(from, to) {
            Some(occurred) => Ok(Some(occurred)),
            None => Err("`to` lies before `from`".into()),
        },
    }
}

/// A number from 0 to 1.
pub(super) fn share(number: Option<f64>) -> Result<Option<f64>, String> {
    match number {
        Some(number) if !(0.0..=1.0).contains(&number) => Err(format!("{number} is not between 0 and 1")),
        share => Ok(share),
    }
}

pub(super) fn confidence(number: Option<f64>) -> Result<Option<Confidence>, String> {
    Ok(share(number)?.and_then(|share| Confidence::try_from(share).ok()))
}

/// Checks that a relationship does not end before it begins.
pub(super) fn check_order(since: Option<PartialDate>, until: Option<PartialDate>) -> Result<(), String> {
    match (since, until) {
        (Some(since), Some(until)) if until.last_moment() < since.first_moment() => Err("`until` lies before `since`".into()),
        _ => Ok(()),
    }
}

/// Returns the external ids of an entity, in order. Resolution trusts them, so each must appear in the text.
pub(super) fn external_ids(entity: &EntityExtract, text: &str) -> Result<Vec<(String, String)>, String> {
    let mut ids: Vec<(String, String)> = vec![];
    for external in &entity.external_ids {
        let (system, id) = (external.system.trim().to_lowercase(), external.id.trim().to_owned());
        if system.is_empty() || id.is_empty() {
            return Err("an external id needs a system and an id".into());
        }
        if evidence::locate(text, &id).is_none() {
            return Err(format!("'{id}' does not stand in the document: give an id only as the document prints it"));
        }
        if ids.iter().any(|(known, _)| *known == system) {
            return Err(format!("it has two ids in '{system}': give one"));
        }
        ids.push((system, id));
    }
    Ok(ids)
}

/// Returns the credits of the extract that the document prints; none without content. Origins are grouped by the agency.
pub(super) fn credits(credits: Option<&CreditsExtract>, printed: &PrintedNames<'_>) -> Option<Credits> {
    let credits = credits?;
    let credit = |text: &Option<String>| {
        let line = text.as_deref()?.split_whitespace().collect::<Vec<_>>().join(" ");
        (!line.is_empty() && printed.has_described(&line)).then(|| line.chars().take(CREDIT_CHARS).collect())
    };
    let credits = Credits { agency: credit(&credits.agency), byline: credit(&credits.byline) };
    (credits != Credits::default()).then_some(credits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(from: &str, to: Option<&str>) -> Result<String, String> {
        let given = PeriodExtract { from: from.into(), to: to.map(str::to_owned) };
        period(Some(&given)).map(|occurred| occurred.map_or_else(String::new, |occurred| occurred.to_string()))
    }

    #[test]
    fn periods_are_read_as_exactly_as_they_are_given() {
        assert_eq!(parse("2016-12", None), Ok("2016-12".into()));
        assert_eq!(parse("2016-12-14", Some("2016-12-16")), Ok("2016-12-14 to 2016-12-16".into()));
        assert_eq!(parse(" ", Some("")), Ok(String::new()));
        assert!(parse("December", None).unwrap_err().contains("'December'"));
        assert_eq!(parse("", Some("2016")), Ok(String::new()));
        assert!(parse("2017", Some("2016")).unwrap_err().contains("before"));
        assert!(check_order(date(Some("2017")).unwrap(), date(Some("2016-05")).unwrap()).is_err());
        assert!(check_order(date(Some("2016-05")).unwrap(), date(Some("2016")).unwrap()).is_ok());
    }

    #[test]
    fn a_share_lies_between_0_and_1() {
        assert_eq!(share(Some(0.8)), Ok(Some(0.8)));
        assert!(share(Some(1.2)).is_err() && share(Some(f64::NAN)).is_err());
        assert_eq!(confidence(None), Ok(None));
    }

    #[test]
    fn credits_are_one_line_each_or_none() {
        let printed = PrintedNames::new(["By Ana Lind in Brae"]);
        let given = CreditsExtract { agency: Some(" ".into()), byline: Some("Ana\nLind".into()) };
        let expected = Some(Credits { agency: None, byline: Some("Ana Lind".into()) });
        assert_eq!(credits(Some(&given), &printed), expected);
        assert_eq!(credits(Some(&CreditsExtract::default()), &printed), None);
        let invented = CreditsExtract { agency: Some("Reuters".into()), byline: Some("Ana Lind".into()) };
        assert_eq!(credits(Some(&invented), &printed), expected, "what is not printed is left out");
    }
}
