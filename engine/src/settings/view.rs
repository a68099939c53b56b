//! View model of the settings page: all settings for administrators, personal ones for others.

use super::Settings;
use crate::{StoreResult, investigations};
use domain::user::{Action, User};
use views::RunPreview;
use views::settings::{ModelLine, ModelTest, ProviderLine, SettingsView, Setup};

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
        let over_budget = investigations::over_budget(engine, viewer, None).await?.map(|cap| cap.to_string());
        let estimate = crate::budget::estimate(engine).await?;
        Ok(RunPreview { roles: self.parts.setup.roles.clone(), estimate, over_budget })
    }

    async fn setup(&self) -> StoreResult<Setup> {
        let stored = self.parts.keys.stored.names().await?;
        let mut providers = vec![];
        for card in &self.parts.setup.providers {
            let key = self.parts.keys.state(&card.name, card.key_variable.is_some(), &stored).await?;
            providers.push(ProviderLine { card: card.clone(), key, is_stored: stored.contains(&card.name) });
        }
        let (circuits, people) = (self.circuits().await?, self.people().await?);
        Ok(Setup { roles: self.parts.setup.roles.clone(), providers, models: self.models(), circuits, people })
    }

    /// Returns every model named by a role, once.
    fn models(&self) -> Vec<ModelLine> {
        let mut names: Vec<&String> = self.parts.setup.roles.iter().flat_map(|role| &role.models).collect();
        names.sort_unstable();
        names.dedup();
        let trials = self.trials();
        let trial = |name: &String| match trials.get(name) {
            None => ModelTest::None,
            Some(None) => ModelTest::Running,
            Some(Some((at, probed))) => ModelTest::Done { at: *at, is_usable: probed.is_usable, line: probed.line.clone() },
        };
        names.into_iter().map(|name| ModelLine { name: name.clone(), trial: trial(name) }).collect()
    }
}
