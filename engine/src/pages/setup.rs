//! Steps of the first start.

use crate::{Engine, StoreResult, fetch::sources};
use domain::user::User;
use views::{AssessmentCard, SetupSteps};

impl Engine {
    /// Returns which steps of the first start are done; `documents` is the number beside the
    /// sample's, `newest` are the assessments of the home page.
    pub(super) async fn setup_steps(
        &self,
        viewer: &User,
        documents: u64,
        newest: &[AssessmentCard],
    ) -> StoreResult<SetupSteps> {
        Ok(SetupSteps {
            has_model: self.has_model(),
            has_sources: sources::is_any_on(self).await?,
            has_documents: documents > 0,
            has_sample_assessment: viewer.preferences.hides_sample || newest.iter().any(|card| card.is_sample),
        })
    }

    /// Returns whether a language model writes assessments, rather than the built-in rules.
    pub fn has_model(&self) -> bool {
        self.models_seen().analyst.iter().any(|model| model.provider() != Self::BUILT_IN)
    }

    /// Provider of the built-in rules.
    const BUILT_IN: &str = "extractive";
}
