//! End of the wait of a suspended investigation, by a person: now, or with another model.

use crate::{Engine, StoreError, reliability::dependency};
use domain::{
    agent::AgentRole,
    event::EventKind,
    investigation::{Investigation, Status},
    model_choice::ModelChoices,
};

/// Resumes a suspended investigation at once, with the model named or, if none is, with those of its roles as they are chosen now.
/// A session begun with other models is abandoned, and failures are counted anew. Returns false when nothing waits.
pub async fn resume(engine: &Engine, investigation: &Investigation, model: Option<&str>) -> Result<bool, StoreError> {
    let id = investigation.id;
    if investigation.progress.status != Status::Suspended {
        return Ok(false);
    }
    // Read before the change: these circuits hold up the wait.
    let waits_for = engine.investigations.suspension(id).await?.obstacles.waits_for;
    let model = model.or(investigation.model.as_deref());
    // A named model plays every role.
    let models = if model.is_some() { ModelChoices::default() } else { engine.model_choices().await? };
    if model != investigation.model.as_deref() || models != investigation.models {
        if !engine.investigations.change_models(id, model, &models).await? {
            return Ok(false);
        }
        engine.sessions.abandon(id, AgentRole::Analyst, engine.clock.now()).await?;
    }
    // Without names it waits for any of its models.
    let waits_for = match waits_for.is_empty() {
        true => engine.models_for(investigation).all().map(|model| dependency(&**model)).collect(),
        false => waits_for,
    };
    for circuit in engine.circuits.circuits().await? {
        let is_meant = waits_for.contains(&circuit.dependency);
        if let Some(closed) = circuit.reset().filter(|_| is_meant) {
            // On a concurrent change it is being retried already.
            engine.circuits.put_circuit(&closed).await?;
        }
    }
    engine.events.append(id, engine.clock.now(), EventKind::ResumeRequested).await?;
    Ok(true)
}
