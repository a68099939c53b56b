//! Checks of models: configuration without calls, and with `--probe` their abilities.

use super::Finding;
use crate::{Program, settings::ModelProber};
use adapters::llm::ModelRef;
use engine::{StoreResult, accounts, models::Keys, settings::ProbeResult};
use std::collections::BTreeMap;

/// Checks the models of each role.
pub(super) async fn roles(program: &Program) -> Vec<Finding> {
    let mut findings = vec![];
    for (role, chain) in program.config.models.roles() {
        let (mut ok, mut notes) = (true, vec![chain.to_string()]);
        for model in chain.iter() {
            let missing = missing_key(program, model).await;
            let unpriced = unpriced(program, model);
            // A cap in money fails for a model without a price.
            ok &= missing.is_none() && (unpriced.is_none() || !program.config.budget.is_in_money());
            notes.extend(missing.into_iter().chain(unpriced).chain(in_the_open(program, model)));
        }
        if chain.iter().eq([&ModelRef::Extractive]) {
            notes.push("built in, needs no key, not a language model".to_owned());
        }
        findings.push(Finding { what: role.to_owned(), ok, note: notes.join("; ") });
    }
    findings
}

async fn missing_key(program: &Program, model: &ModelRef) -> Option<String> {
    let ModelRef::Remote { provider, .. } = model else { return None };
    let config = program.providers.provider(provider).ok()?;
    let variable = config.key_variable()?;
    let has_key = program.keys.key(provider).await.is_some();
    (!has_key).then(|| {
        format!(
            "no key for {provider}: set {variable}, store one on the page /settings, or use \"extractive\", which needs none"
        )
    })
}

/// A model that needs a key usually costs money.
fn unpriced(program: &Program, model: &ModelRef) -> Option<String> {
    let ModelRef::Remote { provider, model: name } = model else { return None };
    let wants_key = program.providers.provider(provider).ok()?.key_variable().is_some();
    let is_free = program.providers.model(provider, name).ok()?.price().is_free();
    (wants_key && is_free).then(|| format!("no price for {model}, so budgets in money ignore it: set models.prices.\"{name}\""))
}

fn in_the_open(program: &Program, model: &ModelRef) -> Option<String> {
    let ModelRef::Remote { provider, .. } = model else { return None };
    let config = program.providers.provider(provider).ok()?;
    let address = config.address();
    let is_near = ["http://127.", "http://localhost", "http://[::1]"].iter().any(|near| address.starts_with(near));
    (address.starts_with("http://") && !is_near)
        .then(|| format!("key and documents are sent to {} unencrypted", config.shown_address()))
}

/// Probes every configured model once, billed to the command line.
pub(super) async fn probe(program: &Program) -> StoreResult<Vec<Finding>> {
    let models = &program.config.models;
    let mut by_model: BTreeMap<String, (&ModelRef, Vec<&str>)> = BTreeMap::new();
    for (role, chain) in models.roles() {
        for model in chain.iter() {
            by_model.entry(model.to_string()).or_insert_with(|| (model, vec![])).1.push(role);
        }
    }
    let trials = ModelProber::new(models, &program.engine, &program.agents, &program.providers);
    let system = accounts::system_user(&program.engine).await?;
    let mut findings = vec![];
    for (name, (model, roles)) in by_model {
        let what = format!("{name} ({})", roles.join(", "));
        let ProbeResult { is_usable, line } = trials.probe_model(system.id, model).await;
        findings.push(Finding { what, ok: is_usable, note: line });
    }
    program.drain().await;
    Ok(findings)
}
