//! View model of the settings page: all settings for administrators, personal ones for others.

use super::Settings;
use crate::{StoreResult, investigations, reliability::CircuitState};
use domain::{
    model_choice::{ModelChoices, ModelRole},
    user::{Action, User},
};
use views::RunPreview;
use views::settings::{ModelLine, ModelTest, ProviderLine, RoleModels, SettingsView, Setup, SilentModel};

impl Settings {
    pub async fn view(&self, viewer: &User) -> StoreResult<SettingsView> {
        let is_admin = viewer.role.may(Action::Configure);
        let setup = match is_admin {
            true => Some(self.setup().await?),
            false => None,
        };
        Ok(SettingsView { setup, spending: self.spending(viewer, is_admin).await?, now: self.parts.engine.clock.now() })
    }

    /// Returns the run preview for `viewer`: models, past usage, and blockers.
    pub async fn preview(&self, viewer: &User) -> StoreResult<RunPreview> {
        let engine = &self.parts.engine;
        let choices = engine.model_choices().await?;
        let models = engine.models_with(&choices);
        let over_budget = investigations::over_budget(engine, viewer, &models).await?.map(|cap| cap.to_string());
        let estimates = crate::budget::estimates(engine, &models).await?;
        let mut roles = self.parts.setup.roles.clone();
        for role in &mut roles {
            if let Some(chosen) = ModelRole::parse(&role.role).and_then(|role| choices.get(role)) {
                role.models = vec![chosen.to_owned()];
            }
        }
        let silent = self.silent(&roles).await?;
        Ok(RunPreview { roles, estimates, over_budget, silent })
    }

    /// Returns the models that no longer answer, or failed their last test, with the reason.
    async fn silent(&self, roles: &[RoleModels]) -> StoreResult<Vec<SilentModel>> {
        // The built-in engine has no provider before its name: it always answers.
        let mut names: Vec<&String> = roles.iter().flat_map(|role| &role.models).filter(|name| name.contains(':')).collect();
        names.sort_unstable();
        names.dedup();
        if names.is_empty() {
            return Ok(vec![]);
        }
        let circuits = self.parts.engine.circuits.circuits().await?;
        let trials = self.trials();
        let why = |name: &str| {
            let dependency = name.replacen(':', " ", 1);
            let circuit = circuits.iter().find(|one| one.dependency == dependency && one.state != CircuitState::Closed);
            let failed = match trials.get(name) {
                Some(Some((_, probed))) if !probed.is_usable => Some(probed.line.clone()),
                _ => None,
            };
            circuit.and_then(|circuit| circuit.reason.clone()).or(failed)
        };
        Ok(names.into_iter().filter_map(|name| Some(SilentModel { name: name.clone(), why: why(name)? })).collect())
    }

    async fn setup(&self) -> StoreResult<Setup> {
        let stored = self.parts.keys.stored.names().await?;
        let mut providers = vec![];
        for card in &self.parts.setup.providers {
            let key = self.parts.keys.state(&card.name, card.key_variable.is_some(), &stored).await?;
            let listed = self.lists().get(&card.name).cloned();
            providers.push(ProviderLine { card: card.clone(), key, is_stored: stored.contains(&card.name), listed });
        }
        let (circuits, people) = (self.circuits().await?, self.people().await?);
        let choices = self.parts.engine.model_choices().await?;
        let models = self.models(&choices);
        let (roles, features) = (self.parts.setup.roles.clone(), self.parts.setup.features.clone());
        Ok(Setup { roles, features, choices, providers, models, circuits, people })
    }

    /// Returns every model that a role names or that was tried, once.
    fn models(&self, choices: &ModelChoices) -> Vec<ModelLine> {
        let trials = self.trials();
        let added = self.parts.setup.features.iter().map(|role| &role.models);
        let configured = self.parts.setup.roles.iter().chain(added).flat_map(|role| &role.models).map(String::as_str);
        let chosen = choices.all().map(|(_, model)| model);
        let mut names: Vec<&str> = configured.chain(chosen).chain(trials.keys().map(String::as_str)).collect();
        names.sort_unstable();
        names.dedup();
        let trial = |name: &str| match trials.get(name) {
            None => ModelTest::None,
            Some(None) => ModelTest::Running,
            Some(Some((at, probed))) => ModelTest::Done { at: *at, is_usable: probed.is_usable, line: probed.line.clone() },
        };
        names.into_iter().map(|name| ModelLine { name: name.to_owned(), trial: trial(name) }).collect()
    }
}
