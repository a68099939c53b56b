//! Fields of the question form that say what is read, how deep, and by which model.

use domain::{
    CollectionId, PartialDate,
    investigation::{Depth, Investigation, Period, Reading, Terms},
};

/// Fields as typed, so that a refused form can show them again.
#[derive(Debug, Clone, Default)]
pub(in crate::http) struct ScopeFields {
    reading: String,
    collections: Vec<CollectionId>,
    from: String,
    until: String,
    depth: String,
    /// Model for every role; empty: as configured.
    pub model: String,
    /// Whether the person has answered questions about a vague question, or does not want to.
    pub is_clear: bool,
    /// Their answer on the time.
    since: String,
    /// Their answer on the subject: a suggested subject, or their own words, which win.
    subject: String,
    subject_other: String,
    /// Whether the question is asked without the answers.
    is_as_is: bool,
}

impl ScopeFields {
    const NAMES: [&str; 11] =
        ["since", "reading", "collection", "from", "until", "depth", "model", "clear", "subject", "subject_other", "as_is"];

    /// Returns the choices of an earlier question.
    pub fn as_before(earlier: &Investigation) -> Self {
        let Terms { reading, period, depth } = earlier.terms;
        let day = |date: Option<PartialDate>| date.map(|date| date.to_string()).unwrap_or_default();
        Self {
            reading: reading.as_str().to_owned(),
            collections: earlier.scope.collections().to_vec(),
            from: day(period.from),
            until: day(period.until),
            depth: depth.as_str().to_owned(),
            model: earlier.model.clone().unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Returns whether a field of that name belongs here.
    pub fn has(name: &str) -> bool {
        Self::NAMES.contains(&name)
    }

    /// Sets a field; returns false where it names more than `max_collections`. Unknown ids are left out.
    pub fn set(&mut self, name: &str, value: String, max_collections: usize) -> bool {
        match name {
            "reading" => self.reading = value,
            "collection" => self.collections.extend(value.parse::<CollectionId>()),
            "from" => self.from = value,
            "until" => self.until = value,
            "depth" => self.depth = value,
            "model" => self.model = value.trim().to_owned(),
            "clear" => self.is_clear = !value.is_empty(),
            "since" => self.since = value,
            "subject" => self.subject = value,
            "subject_other" => self.subject_other = value,
            "as_is" => self.is_as_is = !value.is_empty(),
            _ => {}
        }
        self.collections.len() <= max_collections
    }

    /// Returns the chosen terms; `None` if the period is invalid. Unknown words count as the default.
    pub fn terms(&self) -> Option<Terms> {
        Some(Terms {
            reading: Reading::parse(&self.reading).unwrap_or_default(),
            period: Period::parse(self.from(), &self.until)?,
            depth: Depth::parse(&self.depth).unwrap_or_default(),
        })
    }

    /// Returns the first day of the period: as typed, or as answered.
    fn from(&self) -> &str {
        if self.from.is_empty() && !self.is_as_is { &self.since } else { &self.from }
    }

    /// Returns the answer to what the question is about.
    pub fn subject(&self) -> &str {
        match (self.is_as_is, self.subject_other.trim()) {
            (true, _) => "",
            (false, "") => &self.subject,
            (false, own) => own,
        }
    }

    /// Returns the chosen collections.
    pub fn collections(&self) -> &[CollectionId] {
        &self.collections
    }

    /// Returns the fields for the address of the form. Defaults are left out unless `is_explicit`: the form may begin with others.
    pub fn typed(&self, is_explicit: bool) -> Vec<(&'static str, String)> {
        let unless = |value: &String, default: &str| {
            if !is_explicit && value == default { String::new() } else { value.clone() }
        };
        vec![
            ("reading", unless(&self.reading, Reading::default().as_str())),
            ("from", self.from().to_owned()),
            ("until", self.until.clone()),
            ("depth", unless(&self.depth, Depth::default().as_str())),
            ("model", self.model.clone()),
        ]
    }
}
