//! Validation of a write before any lookup: every reference inside it resolves, and every statement has evidence.

use domain::ClaimId;
use engine::{
    StoreError, StoreResult,
    graph::{EntityRef, GraphWrite},
};

/// Validates each write, and that all belong to one collection and are resolved within one scope.
pub(in crate::graph) fn validate_pack(writes: &[GraphWrite]) -> StoreResult<()> {
    let target = |write: &GraphWrite| (write.collection_id, write.resolve_within.clone());
    if writes.windows(2).any(|pair| target(&pair[0]) != target(&pair[1])) {
        return invalid("the documents of a pack belong to different collections: write each collection alone".into());
    }
    writes.iter().try_for_each(validate)
}

fn validate(write: &GraphWrite) -> StoreResult<()> {
    let refs = RefBounds { claims: write.claims.len(), entities: write.entities.len() };
    refs.entity("the outlet", write.outlet.as_ref())?;
    for (i, claim) in write.claims.iter().enumerate() {
        let what = format!("claim {i}");
        refs.entity(&what, &claim.entities)?;
        if claim.content.trim().is_empty() || claim.quote.is_empty() {
            return invalid(format!("{what} has no content or no quote: give both"));
        }
    }
    for (i, entity) in write.entities.iter().enumerate() {
        let what = format!("entity {i} ('{}')", entity.name);
        refs.claims(&what, &entity.claims)?;
        if entity.name.trim().is_empty() {
            return invalid(format!("entity {i} has no name: give one"));
        }
        if !entity.external_ids.is_empty() && !is_named(write, i) {
            return invalid(format!("{what} has external ids without evidence: give it a claim"));
        }
    }
    for (i, relationship) in write.relationships.iter().enumerate() {
        let what = format!("relationship {i}");
        refs.entity(&what, [&relationship.source, &relationship.target])?;
        refs.require_evidence(&what, &relationship.claims, &relationship.existing_claims)?;
        if relationship.description.trim().is_empty() {
            return invalid(format!("{what} has no description: say how the two are related"));
        }
    }
    for (i, update) in write.updates.iter().enumerate() {
        let what = format!("update {i}");
        refs.entity(&what, Some(&update.entity))?;
        refs.claims(&what, &update.claims)?;
        if update.summary.is_some() || !update.properties.is_empty() || !update.external_ids.is_empty() {
            refs.require_evidence(&what, &update.claims, &update.existing_claims)?;
        }
    }
    for (i, same) in write.same_as.iter().enumerate() {
        let what = format!("sameness {i}");
        refs.entity(&what, [&same.one, &same.other])?;
        refs.require_evidence(&what, &same.claims, &[])?;
    }
    Ok(())
}

/// Whether a claim of the write supports the proposal.
fn is_named(write: &GraphWrite, index: usize) -> bool {
    let is_it = |entity: &EntityRef| *entity == EntityRef::New(index);
    !write.entities[index].claims.is_empty()
        || write.claims.iter().any(|claim| claim.entities.iter().any(is_it))
        || write.relationships.iter().any(|relationship| is_it(&relationship.source) || is_it(&relationship.target))
        || write.updates.iter().any(|update| is_it(&update.entity) && !update.claims.is_empty())
        || (write.outlet.as_ref().is_some_and(is_it) && !write.claims.is_empty())
}

struct RefBounds {
    claims: usize,
    entities: usize,
}

impl RefBounds {
    fn entity<'a>(&self, what: &str, refs: impl IntoIterator<Item = &'a EntityRef>) -> StoreResult<()> {
        match refs.into_iter().find(|entity| matches!(entity, EntityRef::New(index) if *index >= self.entities)) {
            Some(EntityRef::New(index)) => invalid(format!("{what} names entity {index}, which is not part of this write")),
            _ => Ok(()),
        }
    }

    fn claims(&self, what: &str, claims: &[usize]) -> StoreResult<()> {
        match claims.iter().find(|index| **index >= self.claims) {
            Some(index) => invalid(format!("{what} names claim {index}, which is not part of this write")),
            None => Ok(()),
        }
    }

    fn require_evidence(&self, what: &str, claims: &[usize], existing: &[ClaimId]) -> StoreResult<()> {
        self.claims(what, claims)?;
        if claims.is_empty() && existing.is_empty() {
            return invalid(format!("{what} has no evidence: name at least one claim"));
        }
        Ok(())
    }
}

pub(in crate::graph) fn invalid<T>(message: String) -> StoreResult<T> {
    Err(StoreError::Invalid(message))
}
