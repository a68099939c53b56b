//! Scope that a person set for a question, as reports and exports state it.

use crate::investigation::{Depth, Reading, Terms, WebAccess};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits that a person set for an investigation: documents, time of publication, web, depth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionScope {
    #[serde(flatten)]
    pub terms: Terms,
    /// Names of the chosen collections; empty where none were chosen by name.
    #[serde(default)]
    pub collections: Vec<String>,
    #[serde(default)]
    pub web: WebAccess,
}

impl QuestionScope {
    /// Returns the scope of a question that is kept off the web and has no other limit.
    pub fn off_web() -> Self {
        Self { terms: Terms::default(), collections: vec![], web: WebAccess::Off }
    }

    /// Returns the scope as one sentence.
    pub fn sentence(&self) -> String {
        let Terms { reading, period, depth } = self.terms;
        let documents = match reading {
            Reading::Library => "the whole library".to_owned(),
            Reading::Chosen => format!("the collections {}", self.collections.join(", ")),
            Reading::Added => "only files and pages given with the question".to_owned(),
        };
        let period = match (period.from, period.until) {
            (None, None) => None,
            (Some(from), None) => Some(format!("published from {from} on")),
            (None, Some(until)) => Some(format!("published until {until}")),
            (Some(from), Some(until)) => Some(format!("published from {from} to {until}")),
        };
        let web = match self.web {
            WebAccess::On => "with the web",
            WebAccess::Off => "without the web",
        };
        let depth = match depth {
            Depth::Quick => Some("quick"),
            Depth::Standard => None,
            Depth::Thorough => Some("thorough"),
        };
        let parts: Vec<String> =
            [documents].into_iter().chain(period).chain([web.to_owned()]).chain(depth.map(str::to_owned)).collect();
        format!("Scope: {}.", parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::investigation::Period;

    #[test]
    fn a_sentence_names_the_scope() {
        let scope = |reading, from, until, depth| QuestionScope {
            terms: Terms { reading, period: Period::parse(from, until).unwrap(), depth },
            collections: vec!["Press".into(), "Reports".into()],
            web: WebAccess::Off,
        };
        assert_eq!(
            scope(Reading::Chosen, "2031-03-04", "2031-04", Depth::Quick).sentence(),
            "Scope: the collections Press, Reports; published from 2031-03-04 to 2031-04; without the web; quick."
        );
        assert_eq!(QuestionScope::off_web().sentence(), "Scope: the whole library; without the web.");
        let added = QuestionScope { web: WebAccess::On, ..scope(Reading::Added, "", "2031", Depth::Standard) };
        assert_eq!(
            added.sentence(),
            "Scope: only files and pages given with the question; published until 2031; with the web."
        );
    }
}
