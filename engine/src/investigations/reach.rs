//! Reach of a question: the collection that it writes to, and the collections that it reads.

use crate::{Engine, StoreResult, accounts};
use domain::{
    Collection, CollectionId, CollectionKind, InvestigationId, Scope,
    assessment::QuestionScope,
    investigation::{Investigation, Reading, Terms, WebAccess},
    user::User,
};

/// Characters of a question in the name of its own collection.
const NAME_CHARS: usize = 60;
/// Name of private collections in a report.
const PRIVATE: &str = "private files";
/// Hexadecimal digits of its id beside them, which keep equal questions apart.
const ID_DIGITS: usize = 6;

/// Collections of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    pub collection: CollectionId,
    pub scope: Scope,
    /// The collection, where it is to be made: by the start, once nothing speaks against the question.
    pub new: Option<Collection>,
}

/// Question whose reach is wanted.
#[derive(Debug, Clone, Copy)]
pub struct ReachRequest<'a> {
    pub id: InvestigationId,
    pub owner: &'a User,
    pub question: &'a str,
    pub reading: Reading,
    /// Collections chosen by their ids; those that the owner does not see are left out.
    pub chosen: &'a [CollectionId],
    /// Question that it continues.
    pub follows: Option<InvestigationId>,
    /// Name of the collection that questions with the same added documents share; none: one of its own.
    pub shared_name: Option<&'a str>,
}

/// Returns the reach of a question. Where not the whole library is read, the question gets a collection of its own for files and pages,
/// so that the owner's other documents stay outside; a question that continues one of these shares its collection, and so do those that
/// name one. Others see the new collection as they see the owner's uploads.
pub async fn reach(engine: &Engine, request: ReachRequest<'_>) -> StoreResult<Reach> {
    let ReachRequest { owner, reading, chosen, follows, .. } = request;
    let visible = accounts::collections_without_sample(engine, owner).await?;
    if reading == Reading::Library {
        let uploads = accounts::upload_collection(engine, owner).await?.id;
        // Private collections of others, which are open to a team, are read only where they are chosen.
        let unlent = visible.iter().filter(|one| one.kind != CollectionKind::Private || one.owner == owner.id);
        let scope = Scope::new(unlent.map(|one| one.id).collect());
        return Ok(Reach { collection: uploads, scope, new: None });
    }
    let (kind, name) = accounts::upload_kind_and_name(owner);
    // Uploads are only looked for: an empty collection would cost each read of the graph a statement.
    let own =
        |name: &str| visible.iter().find(|one| one.owner == owner.id && one.kind == kind && one.name == name).map(|one| one.id);
    let wanted = request.shared_name.map_or_else(|| own_name(request.id, request.question), str::to_owned);
    // A start that was killed may have made it.
    let (uploads, made) = (own(name), own(&wanted));
    let visible = Scope::new(visible.iter().map(|one| one.id).collect());
    let chosen = Scope::new(chosen.to_vec()).intersect(&visible);
    if let Some(uploads) = uploads.filter(|id| reading == Reading::Chosen && chosen.sees(*id)) {
        return Ok(Reach { collection: uploads, scope: chosen, new: None });
    }
    let continued = match follows {
        Some(id) if engine.may_watch(owner, id).await? => engine.investigations.investigation(id).await?,
        _ => None,
    };
    let continued = continued.filter(|one| one.terms.reading != Reading::Library);
    let shared = continued.as_ref().filter(|one| one.owner == owner.id && Some(one.collection_id) != uploads);
    let (collection, new) = match shared.map(|one| one.collection_id).or(made) {
        Some(id) => (id, None),
        None => {
            let new = accounts::new_collection(engine, owner, kind, &wanted);
            (new.id, Some(new))
        }
    };
    let scope = match reading {
        Reading::Added => continued.map(|one| one.scope.intersect(&visible)).unwrap_or_default(),
        Reading::Chosen | Reading::Library => chosen,
    };
    Ok(Reach { collection, scope, new })
}

/// Returns the name of the collection of a question that has one of its own.
fn own_name(id: InvestigationId, question: &str) -> String {
    let question: String = question.split_whitespace().collect::<Vec<_>>().join(" ");
    let question: String = question.chars().take(NAME_CHARS).collect();
    let id = id.0.simple().to_string();
    format!("{} ({})", question.trim(), &id[id.len() - ID_DIGITS..])
}

/// Returns the scope of an investigation in words for people and models; none for the whole library and the web, at any time and
/// standard depth.
pub async fn question_scope(engine: &Engine, investigation: &Investigation) -> StoreResult<Option<QuestionScope>> {
    let (terms, web) = (investigation.terms, engine.web_access(investigation));
    if terms == Terms::default() && web == WebAccess::On {
        return Ok(None);
    }
    let mut collections = vec![];
    if terms.reading == Reading::Chosen {
        let all = engine.accounts.collections().await?.into_iter();
        // Names of private collections are their owner's; a report may have other readers.
        let name = |one: Collection| if one.kind == CollectionKind::Private { PRIVATE.to_owned() } else { one.name };
        collections.extend(all.filter(|one| investigation.scope.sees(one.id)).map(name));
        collections.sort_unstable();
        collections.dedup();
    }
    Ok(Some(QuestionScope { terms, collections, web }))
}
