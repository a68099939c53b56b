//! First messages of the sessions on one tension: its evidence by numbers, and the responses that are known. All of it is fenced,
//! because it is made of text from outside.

use crate::{
    agents::{TaskOpening, fenced},
    findings::GivenClaim,
    pages::detail::{EvidenceLine, evidence_lines},
    response::TensionResponse,
    settings::TensionSettings,
    store::TensionStore,
    taxonomy::Taxonomy,
    tension::{EvidenceDay, Tension, TensionId, iso_day},
};
use domain::Scope;
use engine::{Engine, StoreResult};
use feature::Web;

/// Claims that an opening lists by numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClaimList {
    pub given: Vec<GivenClaim>,
    /// One line per claim.
    pub lines: Vec<String>,
}

impl ClaimList {
    /// The newest evidence of a tension.
    pub async fn of_tension(web: &Web, scope: &Scope, tension: TensionId) -> StoreResult<Self> {
        let most = web.settings.get::<TensionSettings>().opening_claims;
        let (evidence, _) = TensionStore::new(web).evidence(scope, tension, 0, most).await?;
        let mut list = Self::default();
        for EvidenceLine { evidence, claim, source } in evidence_lines(&web.engine, scope, evidence).await? {
            let denied = if evidence.is_against { ", a denial" } else { "" };
            list.add(GivenClaim::from(evidence), &claim.content, &source, denied);
        }
        Ok(list)
    }

    /// Adds a claim with its source and a remark.
    pub fn add(&mut self, given: GivenClaim, content: &str, source: &str, remark: &str) {
        let number = self.given.len() + 1;
        let EvidenceDay { day, is_undated } = given.day;
        let day = if is_undated { "date unknown".to_owned() } else { iso_day(day) };
        self.lines.push(format!("{number}. {content} ({source}, {day}{remark})"));
        self.given.push(given);
    }
}

/// Returns the list of themes for an answer.
pub fn theme_codes() -> String {
    let codes: Vec<&str> = Taxonomy::shared().themes.iter().map(|theme| theme.code.as_str()).collect();
    codes.join(", ")
}

/// Returns the opening of a session on a tension.
pub fn tension_opening(
    engine: &Engine,
    tension: &Tension,
    claims: &ClaimList,
    known: &[TensionResponse],
    queries: &[String],
    max_tool_calls: u32,
) -> TaskOpening {
    let response = |(number, one): (usize, &TensionResponse)| {
        let TensionResponse { response, link, .. } = one;
        let mechanism = if link.mechanism.is_empty() { "unknown" } else { link.mechanism.as_str() };
        let kind = response.kind.as_str();
        format!("{}. {kind}: {} (mechanism: {mechanism}; {})", number + 1, response.title, response.url)
    };
    let known: Vec<String> = known.iter().enumerate().map(response).collect();
    let tension_text = format!(
        "{}\n{}\nTheme: {}. Place: {}. Severity: {}. Since {}.",
        tension.title,
        tension.statement,
        tension.theme,
        tension.region.label(),
        tension.severity.word(),
        iso_day(tension.first_day),
    );
    let mut text = format!("Tension:\n{}\n", fenced(engine, &tension_text));
    let lists = [
        ("Statements", claims.lines.as_slice()),
        ("Known responses", known.as_slice()),
        ("Queries noted at the last scouting", queries),
    ];
    for (heading, lines) in lists {
        match lines.is_empty() {
            true => text.push_str(&format!("\n{heading}: none\n")),
            false => text.push_str(&format!("\n{heading}:\n{}\n", fenced(engine, &lines.join("\n")))),
        }
    }
    text.push_str(&format!("\nCodes of themes: {}", theme_codes()));
    TaskOpening { question: format!("What eases this: {}", tension.title), text, max_tool_calls }
}
