//! Conformance suite of the graph backends. Suites are plain functions over a `Field`; the macro below only lists them per backend.

mod archive;
mod counting;
mod evidence;
mod exploring;
mod finding;
pub mod fixture;
mod gold_names;
mod merging;
mod neo4j_only;
mod packs;
mod prelude;
mod removing;
mod resolving;
mod scopes;
mod splitting;
mod sqlite_only;
mod tenants;
mod traversing;
mod vectors;
mod writing;

macro_rules! graph_suite {
    ($($area:ident: $($name:ident)+;)+) => {
        graph_suite!(@on on_sqlite, sqlite; $($area: $($name)+;)+);
        graph_suite!(@on on_neo4j, neo4j; $($area: $($name)+;)+);
    };
    (@on $module:ident, $backend:ident; $($area:ident: $($name:ident)+;)+) => {
        mod $module {$(
            mod $area {$(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $name() {
                    if let Some(fixture) = super::super::fixture::$backend().await {
                        super::super::$area::$name(&fixture).await;
                    }
                }
            )+}
        )+}
    };
}

graph_suite! {
    writing:
        a_graph_names_its_backend_and_version
        written_records_are_read_back
        writing_again_changes_nothing
        a_claim_is_unique_by_document_and_content
        repeated_statements_add_evidence
        writers_at_once_make_an_entity_once
        many_writers_with_the_same_names_make_each_once
        completing_a_document_is_remembered
        the_canonical_name_does_not_depend_on_the_order_of_writes
        a_name_comes_before_an_alias_and_a_title_or_host_name_last
        the_name_with_the_older_evidence_is_kept
        times_of_claims_and_periods_of_links_are_read_back
        several_documents_state_the_period_of_a_link_together
        the_current_value_is_the_one_with_the_newest_evidence;
    tenants:
        a_reason_with_words_of_a_private_document_stays_with_its_readers
        a_reason_goes_with_its_document
        a_decision_counts_where_it_is_seen
        a_scope_has_any_number_of_collections
        a_merge_with_a_hidden_side_is_listed_for_administrators
        statements_of_others_change_no_split;
    packs:
        a_pack_is_written_as_its_documents_one_by_one
        a_pack_with_known_documents_is_written_as_its_documents_one_by_one
        a_pack_written_again_changes_nothing
        a_refused_document_refuses_its_pack;
    evidence:
        a_relationship_without_a_claim_is_refused
        a_property_or_summary_without_a_claim_is_refused
        a_sameness_without_a_claim_is_refused
        unknown_ids_are_refused
        a_refused_write_leaves_nothing
        a_document_belongs_to_one_collection;
    resolving:
        one_name_is_one_entity_within_and_between_documents
        an_external_id_decides
        a_short_form_is_only_proposed_until_a_person_merges_it
        known_entities_of_one_name_are_proposed
        a_probable_match_stays_two_and_waits_for_a_judge
        a_name_is_found_however_many_sound_like_it
        a_verdict_decides_before_the_write
        a_judge_who_is_not_sure_leaves_the_pair_and_the_reason
        a_pair_that_a_judge_separated_needs_no_review
        a_closed_review_stays_closed
        pairs_kept_apart_are_listed_with_who_decided
        an_external_id_rests_on_the_claims_that_state_it
        a_stated_sameness_waits_for_a_person_and_merges_nothing
        a_stated_sameness_is_the_reason_where_names_are_alike_too
        a_private_sameness_is_hidden_from_others;
    scopes:
        two_people_see_nothing_of_each_other
        a_shared_entity_shows_each_reader_only_readable_claims
        a_private_name_finds_nothing_for_others
        a_private_name_makes_no_review_for_others
        a_private_alias_joins_nothing_of_others
        a_private_external_id_joins_nothing_of_others
        a_crowd_of_private_namesakes_hides_nothing_from_others
        records_of_others_change_no_ranking_of_candidates
        an_empty_scope_sees_nothing;
    finding:
        claims_are_found_by_their_words
        filters_narrow_claims
        the_newest_claims_of_several_entities_come_at_once
        times_sort_with_undated_last
        times_sort_across_collections_and_filters
        claims_are_found_by_the_period_of_their_event
        claims_sort_by_when_it_happened_with_the_others_last
        claims_stand_in_document_order
        pages_of_claims_of_one_time_do_not_overlap
        entities_are_found_by_any_name_and_by_kind
        relationships_are_found_by_words_and_by_claim
        all_kinds_at_once_are_found_as_each_alone
        any_text_is_a_query
        common_words_alone_are_ranked_among_the_last_written_claims
        the_engine_orders_what_was_found;
    traversing:
        edges_are_found_in_their_direction
        an_edge_has_a_direction
        weights_and_words_narrow
        an_entity_out_of_sight_is_not_reached;
    counting:
        claims_are_counted_by_month_outlet_and_mode
        claims_of_merged_entities_are_counted_once
        the_claims_of_an_entity_come_in_pages
        a_claim_lists_its_dependent_records
        the_documents_of_a_relationship_are_listed_by_scope;
    exploring:
        a_subgraph_holds_its_seeds_and_the_strongest_links
        a_subgraph_of_merged_entities_is_that_of_the_survivor
        a_subgraph_shows_nothing_out_of_sight
        a_chain_of_interests_is_found;
    splitting:
        a_split_moves_claims_with_their_dependent_records
        a_merge_takes_a_split_back
        a_split_needs_claims_on_both_sides_that_are_in_sight
        names_kept_by_a_split_go_with_the_last_document;
    merging:
        a_merge_with_later_claims_is_undone
        a_merge_names_who_decided
        a_merged_id_resolves_for_ever
        merges_in_a_chain_come_apart_in_any_order
        edges_that_meet_are_one_and_part_again
        a_repeated_merge_is_harmless_and_an_invalid_merge_is_refused;
    vectors:
        the_backfill_embeds_new_texts
        similarity_finds_claims_without_common_words
        a_changed_text_waits_again
        a_change_of_model_starts_anew
        a_wrong_number_of_dimensions_is_refused
        a_late_vector_of_an_old_text_is_dropped
        a_large_graph_returns_the_nearest_records;
    removing:
        a_removed_collection_removes_its_own_records
        a_removed_collection_refuses_writes
        a_removed_document_removes_its_own_records
        an_entity_linked_by_another_document_keeps_its_name
        the_values_of_a_relationship_are_those_of_the_evidence_that_is_left
        a_removed_document_refuses_writes
        tombstones_outlive_a_removal;
    archive:
        a_graph_from_another_backend_is_imported_unchanged
        a_graph_is_exported_to_another_backend_unchanged;
}
