//! The `Graph` port of both backends: each method is a function of the same name in the same module of the backend.

/// Implements `Graph` for a backend: each method is timed, and `$run`, a method of the backend, calls its function. Methods in braces are
/// taken as they are.
macro_rules! implement_graph {
    (@methods $backend:ty, $run:ident, { $($own:tt)* } {
        $($access:ident $name:ident($($arg:ident: $type:ty),*) -> $out:ty = $($function:ident)::+ ($($given:expr),*);)*
    }) => {
        #[async_trait::async_trait]
        impl engine::graph::Graph for $backend {
            $(async fn $name(&self, $($arg: $type),*) -> engine::StoreResult<$out> {
                let _timer = crate::store_timer::StoreTimer::graph(stringify!($name), stringify!($access));
                self.$run(|| $($function)::+(self, $($given),*)).await
            })*
            $($own)*
        }
    };
    ($backend:ty, $run:ident, { $($own:tt)* }) => {
        implement_graph!(@methods $backend, $run, { $($own)* } {
            write write(writes: &[engine::graph::GraphWrite], resolve: &dyn engine::graph::Resolve)
                -> Vec<engine::graph::WriteOutcome> = write::write(writes, resolve);
            read match_candidates(
                within: &domain::Scope, proposals: &[engine::graph::EntityProposal], resolve: &dyn engine::graph::Resolve
            ) -> Vec<Vec<engine::graph::KnownEntity>> = write::match_candidates(within, proposals, resolve);

            read entities(scope: &domain::Scope, ids: &[domain::EntityId]) -> Vec<domain::entity::Entity>
                = read::entities(scope, ids);
            read claims(scope: &domain::Scope, ids: &[domain::ClaimId]) -> Vec<domain::claim::Claim> = read::claims(scope, ids);
            read relationships(scope: &domain::Scope, ids: &[domain::RelationshipId])
                -> Vec<domain::relationship::Relationship> = read::relationships(scope, ids);

            read find_entities(scope: &domain::Scope, query: &engine::graph::EntityQuery)
                -> Vec<engine::graph::Candidate<domain::entity::Entity>> = find::entities(scope, query);
            read find_claims(scope: &domain::Scope, query: &engine::graph::ClaimQuery)
                -> Vec<engine::graph::Candidate<domain::claim::Claim>> = find::claims(scope, query);
            read find_relationships(scope: &domain::Scope, query: &engine::graph::RelationshipQuery)
                -> Vec<engine::graph::Candidate<domain::relationship::Relationship>> = find::relationships(scope, query);
            read find_all(scope: &domain::Scope, query: &engine::graph::GraphQuery) -> engine::graph::GraphCandidates
                = find::all(scope, query);
            read newest_claims(scope: &domain::Scope, entities: &[domain::EntityId], each: u32)
                -> Vec<(domain::EntityId, domain::claim::Claim)> = find::newest_claims(scope, entities, each);
            read traverse(scope: &domain::Scope, traversal: &engine::graph::Traversal) -> Vec<engine::graph::Neighbour>
                = find::traverse(scope, traversal);
            read subgraph(scope: &domain::Scope, query: &engine::graph::SubgraphQuery) -> domain::subgraph::Subgraph
                = find::subgraph(scope, query);
            read counts(scope: &domain::Scope) -> (u64, u64, u64) = read::counts(scope);
            read claim_counts(scope: &domain::Scope, documents: &[domain::DocumentId]) -> Vec<u64>
                = read::claim_counts(scope, documents);
            read claim_numbers(scope: &domain::Scope, entity: domain::EntityId, is_outlet: bool)
                -> Vec<engine::graph::ClaimNumber> = read::claim_numbers(scope, entity, is_outlet);
            read claim_uses(scope: &domain::Scope, claim: domain::ClaimId, limit: u32) -> engine::graph::ClaimUses
                = read::claim_uses(scope, claim, limit);
            read stating_documents(scope: &domain::Scope, claims: &[domain::ClaimId]) -> Vec<Vec<domain::DocumentId>>
                = read::stating_documents(scope, claims);
            read sole_evidence(documents: &[domain::DocumentId]) -> engine::graph::SoleEvidence
                = document_removal::sole_evidence(documents);

            write merge(
                id: domain::MergeId, survivor: domain::EntityId, merged: domain::EntityId, by: Option<domain::UserId>,
                at: domain::Timestamp
            ) -> () = merge::merge(id, (survivor, merged), by, at);
            write undo_merge(id: domain::MergeId) -> () = merge::undo(id);
            write split(scope: &domain::Scope, split: &engine::graph::Split) -> engine::graph::SplitOutcome
                = split::split(scope, split);
            read merges(scope: &domain::Scope, listed: engine::graph::ListedMerges, limit: u32) -> Vec<domain::entity::Merge>
                = merge::standing(scope, listed, limit);
            read named_in(entity: domain::EntityId) -> engine::graph::NamedIn = merge::named_in(entity);
            read reviews(scope: &domain::Scope, skip: u64, limit: u32) -> Vec<domain::entity::Review>
                = reviews::open(scope, skip, limit);
            read open_reviews(scope: &domain::Scope) -> u64 = reviews::count_open(scope);
            read kept_apart(scope: &domain::Scope, limit: u32) -> Vec<domain::entity::Review> = reviews::kept_apart(scope, limit);
            write decide_review(
                scope: &domain::Scope, id: domain::ReviewId, decision: domain::entity::ReviewDecision,
                by: Option<domain::UserId>, at: domain::Timestamp
            ) -> bool = reviews::decide(scope, id, decision, (by, at));

            read without_vector(model: &str, kind: engine::embeddings::VectorKind, limit: u32)
                -> Vec<engine::embeddings::VectorText> = vectors::missing(model, kind, limit);
            write put_vectors(model: &str, kind: engine::embeddings::VectorKind, vectors: &[(uuid::Uuid, Vec<f32>)]) -> ()
                = vectors::put(model, kind, vectors);
            read vector_progress(model: &str) -> (u64, u64) = vectors::progress(model);

            read describe() -> String = read::describe();
            write remove_documents(documents: &[domain::DocumentId]) -> () = document_removal::remove_documents(documents);
        });
    };
}

pub(super) use implement_graph;
