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
        a_graph_says_what_it_is
        what_was_written_is_read
        writing_again_changes_nothing
        a_claim_is_unique_by_document_and_content
        seen_again_means_more_evidence
        writers_at_once_make_an_entity_once
        many_writers_with_the_same_names_make_each_once
        completing_a_document_is_remembered
        the_canonical_name_does_not_depend_on_the_order_of_writes
        a_name_comes_before_an_alias_and_a_title_or_host_name_last
        of_two_names_the_one_with_the_older_evidence_stays
        what_happened_when_and_how_long_a_link_held_is_read
        several_documents_say_together_how_long_a_link_held
        the_current_value_is_the_one_with_the_newest_evidence;
    tenants:
        a_reason_with_words_of_a_private_document_stays_with_its_readers
        a_reason_goes_with_its_document
        a_decision_counts_where_it_is_seen
        a_scope_has_any_number_of_collections
        a_merge_with_a_hidden_side_is_listed_for_administrators
        what_another_says_of_an_entity_changes_no_split;
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
        what_a_judge_tells_apart_waits_for_nobody
        a_closed_review_stays_closed
        pairs_kept_apart_are_listed_with_who_decided
        an_external_id_rests_on_the_claims_that_state_it
        a_stated_sameness_waits_for_a_person_and_merges_nothing
        a_stated_sameness_is_the_reason_where_names_are_alike_too
        a_private_sameness_is_nobody_elses;
    scopes:
        two_people_see_nothing_of_each_other
        a_shared_entity_shows_each_what_he_may_know
        a_private_name_finds_nothing_for_others
        a_private_name_makes_no_review_for_others
        a_private_alias_joins_nothing_of_others
        a_private_external_id_joins_nothing_of_others
        a_private_namesake_is_nobody_elses
        a_crowd_of_private_namesakes_hides_nothing_from_others
        what_others_hold_moves_no_candidate
        an_empty_scope_sees_nothing;
    finding:
        words_find_claims_and_say_so
        filters_narrow_claims
        the_newest_claims_of_several_entities_come_at_once
        times_sort_with_undated_last
        times_sort_across_collections_and_filters
        what_happened_in_a_period_is_found
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
        an_edge_says_which_way_it_points
        weights_and_words_narrow
        an_entity_out_of_sight_is_not_reached;
    counting:
        claims_are_counted_by_month_outlet_and_mode
        claims_of_merged_entities_are_counted_once
        the_claims_of_an_entity_come_in_pages
        a_claim_names_what_rests_on_it;
    exploring:
        a_subgraph_holds_its_seeds_and_the_strongest_links
        a_subgraph_of_merged_entities_is_that_of_the_survivor
        a_subgraph_shows_nothing_out_of_sight
        a_chain_of_interests_is_found;
    splitting:
        the_claims_of_a_split_take_along_what_rests_on_them
        a_merge_takes_a_split_back
        a_split_needs_claims_on_both_sides_that_are_in_sight
        names_kept_by_a_split_go_with_the_last_document;
    merging:
        merge_add_undo
        a_merge_names_who_decided
        a_merged_id_resolves_for_ever
        merges_in_a_chain_come_apart_in_any_order
        edges_that_meet_are_one_and_part_again
        merging_twice_and_merging_one_with_itself;
    vectors:
        the_backfill_follows
        likeness_finds_what_words_do_not
        a_changed_text_waits_again
        a_change_of_model_starts_anew
        a_wrong_number_of_dimensions_is_refused
        a_late_vector_of_an_old_text_is_dropped
        a_large_graph_gives_the_nearest_too;
    removing:
        a_removed_collection_takes_what_it_alone_had
        a_removed_collection_takes_nothing_any_more
        a_removed_document_takes_what_it_alone_had
        what_another_document_links_keeps_its_name
        the_values_of_a_relationship_are_those_of_the_evidence_that_is_left
        a_removed_document_takes_nothing_any_more
        tombstones_outlive_a_removal;
    archive:
        what_arrives_from_another_backend_says_the_same
        what_leaves_for_another_backend_says_the_same;
}
