//! Steps of the first start.

use crate::{Engine, StoreResult, fetch::sources};
use domain::user::User;
use std::collections::BTreeSet;
use views::{AssessmentCard, SetupSteps, settings::BUILT_IN_MODEL};

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
            has_model: self.has_answering_model().await?,
            has_sources: sources::is_any_on(self).await?,
            has_documents: documents > 0,
            has_read_sample: viewer.preferences.hides_sample || viewer.preferences.sample_seen,
            sample: newest.iter().filter(|card| card.is_sample).max_by_key(|card| card.is_recorded).map(|card| card.id),
        })
    }

    /// Returns the names of the language models of the roles: `provider:model`.
    pub(super) fn models_to_name(&self) -> Vec<String> {
        let models = self.models_seen();
        let names = models.all().filter(|model| model.provider() != BUILT_IN_MODEL);
        let names: BTreeSet<String> = names.map(|model| format!("{}:{}", model.provider(), model.model())).collect();
        names.into_iter().collect()
    }

    /// Returns whether a language model of the Analyst has answered: its last connection test was passed, or it finished a question.
    async fn has_answering_model(&self) -> StoreResult<bool> {
        let names: Vec<(String, String)> = self
            .models_seen()
            .analyst
            .iter()
            .filter(|model| model.provider() != BUILT_IN_MODEL)
            .map(|model| (model.provider().to_owned(), model.model().to_owned()))
            .collect();
        if names.is_empty() {
            return Ok(false);
        }
        let trials = self.chosen_models.trials().await?;
        let tried = names.iter().map(|(provider, model)| trials.get(&format!("{provider}:{model}")));
        if tried.flatten().any(|is_usable| *is_usable) {
            return Ok(true);
        }
        Ok(!self.ledger.past_investigations(&names, 1).await?.is_empty())
    }
}
