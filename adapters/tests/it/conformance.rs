//! One suite per port, run on every backend. A suite is plain functions, each named after what must hold; the macro below only
//! lists them.

mod accounts;
mod annotations;
mod archive;
mod assessments;
mod captures;
mod circuits;
mod events;
pub(crate) mod graph;
mod investigations;
mod ledger;
mod library;
mod limits;
mod origins;
mod postgres_only;
mod postgres_vectors;
mod prelude;
mod queue;
mod redis_only;
mod secrets;
mod sessions;
mod sources;
mod teams;
mod tenants;
mod tool_cache;
mod work_orders;

use testkit as backends;

/// `sqlite`; `postgres`; and `redis`, which is PostgreSQL with Redis beside it.
macro_rules! suite {
    (on $($backend:ident)+ { $($rest:tt)+ }) => {
        suite!(@each [$($backend)+] $($rest)+);
    };
    (@each [$first:ident $($more:ident)*] $($rest:tt)+) => {
        suite!(@on $first; $($rest)+);
        suite!(@each [$($more)*] $($rest)+);
    };
    (@each [] $($rest:tt)+) => {};
    (@on $backend:ident; $($area:ident: $($name:ident)+;)+) => {
        mod $backend {$(
            mod $area {$(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $name() {
                    if let Some(backend) = crate::conformance::backends::$backend().await {
                        crate::conformance::$area::$name(&backend).await;
                        backend.close().await;
                    }
                }
            )+}
        )+}
    };
}

/// Conformance suite of the state store, on every backend.
mod state {
    suite! { on sqlite postgres {
        accounts:
            a_name_is_unique_regardless_of_case
            one_administrator_remains
            each_change_of_a_person_is_isolated_and_audited
            one_of_many_first_visitors_becomes_the_first_user
            an_account_without_a_password_cannot_sign_in
            a_collection_is_made_once_per_owner_kind_and_name
            a_scope_holds_open_and_own_collections
            uploads_are_counted_up_to_a_limit_a_day
            the_audit_log_is_newest_first
            a_browser_session_lives_until_it_expires
            a_new_password_ends_the_other_sessions_of_its_account_only
            the_most_recent_devices_of_an_account_are_known
            a_set_up_code_is_good_until_the_first_account
            preferences_and_visits_are_stored_per_person;
        annotations:
            annotations_of_an_assessment_are_withdrawn_by_their_authors
            tags_and_notes_belong_to_an_assessment_or_a_document
            annotations_added_at_once_stay_within_the_limits;
        library:
            adding_again_gives_the_stored_documents
            bytes_and_texts_are_kept_once
            the_first_credit_of_a_document_is_kept
            archived_documents_are_listed_apart
            a_document_keeps_its_byline_its_change_and_its_tables
            a_wrong_hash_refuses_the_whole_batch
            texts_come_in_the_order_asked_for
            two_people_see_nothing_of_each_others_documents
            pages_are_in_the_stable_order_and_say_how_many_match
            later_documents_shift_no_page
            newest_first_puts_undated_last
            relevance_lists_the_best_match_first
            full_text_folds_case_and_diacritics_and_takes_any_input
            a_list_keeps_to_its_period
            the_unextracted_filter_leaves_out_extracted_documents
            a_rejected_file_is_listed_once
            each_investigation_keeps_its_rejected_files
            removing_a_collection_keeps_shared_documents
            removing_documents_keeps_shared_texts
            four_hundred_documents_are_one_call;
        origins:
            a_report_with_small_edits_has_one_origin
            a_private_text_links_two_texts_only_for_its_readers
            one_agency_makes_one_origin_of_reworded_reports
            a_private_credit_joins_no_texts_of_others;
        captures:
            the_latest_capture_is_visible_to_the_readers_of_its_document
            an_address_is_open_to_its_session_by_the_shortest_way
            a_cited_page_is_due_after_its_last_check_and_readers_see_the_finding;
        sources:
            a_source_is_switched_and_its_answers_and_failures_are_counted
            a_source_is_credited_with_the_documents_of_its_addresses
            a_feed_is_added_once_and_removed;
        investigations:
            an_added_investigation_is_read_back
            a_list_shows_own_and_fully_readable_investigations
            an_owner_has_a_limited_number_of_unfinished_investigations
            archived_ones_are_listed_apart
            a_list_keeps_to_its_words_and_period
            a_thread_holds_the_follow_ups_of_a_question
            a_deleted_investigation_removes_its_own_records
            only_one_of_many_takers_gets_the_lease
            an_expired_lease_is_taken_with_a_new_attempt
            a_lost_lease_writes_nothing
            a_transition_from_another_progress_is_stale
            a_transition_commits_the_orders_of_its_session_alone
            a_transition_discards_the_orders_of_a_dead_session
            a_transition_keeps_the_orders_of_a_waiting_session
            finishing_cancels_open_orders
            suspension_and_the_end_are_dated
            obstacles_survive_a_suspension_that_lasts_until_the_next_progress
            a_finish_request_is_stored_until_the_investigation_ends
            the_models_of_a_suspended_investigation_are_changed
            parts_are_added_with_the_transition_once_and_the_whole_is_left_alone_until_they_have_ended
            holders_live_by_registration_or_lease
            a_list_shows_the_progress_of_each_investigation
            forgetting_holders_frees_everything
            a_new_investigation_wakes_the_orchestrator_of_another_process;
        teams:
            a_team_has_a_name_of_its_own_and_members
            a_collection_opened_to_a_team_is_read_by_its_members
            a_report_is_read_by_those_whom_its_visibility_includes
            a_visible_report_does_not_open_its_documents
            agents_do_not_read_reports_made_visible_by_others
            a_part_is_as_visible_as_its_question
            an_administrator_manages_what_is_visible_to_them;
        work_orders:
            an_objective_is_staged_once_per_cycle
            orders_and_investigations_are_counted_by_status
            an_ended_session_stages_nothing
            an_order_is_assigned_with_a_new_attempt
            a_late_worker_does_not_get_an_assigned_order
            an_old_attempt_resolves_nothing
            an_order_fails_for_good_after_its_attempts
            a_failed_order_is_listed_until_it_is_queued_again_or_discarded
            a_failed_order_of_an_ended_investigation_can_only_be_discarded
            a_cancelled_order_is_not_listed_as_failed
            a_person_removes_and_raises_waiting_orders
            a_person_adds_to_a_cycle_that_is_being_read
            the_death_of_a_worker_is_no_failure_of_its_order
            resolving_twice_is_harmless
            giving_back_costs_no_attempt
            documents_of_an_order_are_noted_once
            documents_read_for_an_investigation_are_limited_to_its_scope;
        sessions:
            a_session_runs_and_ends_once
            steps_are_kept_in_order_and_never_changed
            abandoning_ends_running_sessions_of_one_role
            an_unfinished_session_is_found_by_its_owner
            two_roles_of_one_investigation_do_not_resume_each_other
            the_session_of_an_object_of_a_feature_belongs_to_no_investigation
            calls_are_recorded_once
            result_quality_is_summed_by_tool_and_source
            an_injection_finding_is_listed_by_session_and_by_document
            the_sessions_of_an_object_are_removed_with_contents_used_nowhere_else
            a_session_is_read_in_parts_and_counted;
        secrets:
            a_secret_is_kept_replaced_and_removed_and_each_is_noted
            another_master_key_opens_nothing;
        assessments:
            an_investigation_has_one_assessment
            an_update_replaces_the_text_of_an_assessment
            a_partial_assessment_coexists_with_a_complete_one
            an_assessment_needs_a_reader_of_all_its_collections
            a_list_goes_by_pages_and_by_every_word
            a_list_keeps_to_states_a_collection_and_named_assessments
            a_list_goes_by_relevance_and_keeps_to_its_period
            search_finds_any_word_and_takes_any_input
            removing_a_collection_removes_its_assessments
            the_nearest_are_found_by_vector_as_far_as_a_reader_may_see;
        circuits:
            an_unknown_circuit_is_closed_and_a_stored_one_comes_back
            a_circuit_that_needs_a_person_closes_after_the_repair
            a_circuit_of_a_stale_version_is_refused
            one_of_many_processes_sends_the_probe
            a_working_dependency_stores_no_circuit_and_a_failed_one_gets_no_call
            a_queue_that_does_not_answer_is_left_alone_until_a_short_call_probes_it
            a_change_wakes_those_who_wait_in_other_processes
            forgetting_the_dead_frees_the_probe;
        ledger:
            a_call_counts_on_every_level_first_reserved_then_as_used
            each_level_has_its_own_cap_and_a_refusal_reserves_nothing
            the_reservation_of_a_dead_process_is_released_and_its_late_usage_counts
            each_session_has_its_usage_and_number_of_replies
            late_and_repeated_reports_do_not_reduce_the_usage_of_a_level
            a_call_for_an_object_of_a_feature_counts_without_an_investigation
            a_call_that_is_recorded_elsewhere_counts_on_every_level_and_meets_every_cap
            the_reservation_of_a_dead_trial_is_released_and_its_late_usage_counts
            the_own_cap_of_a_person_replaces_the_configured_one
            a_part_uses_the_budget_of_the_whole_and_is_spent_with_it
            thousands_of_calls_do_not_pass_a_cap
            past_investigations_are_finished_ones_of_the_same_models;
        tenants:
            documents_of_others_change_no_stored_text
            documents_of_others_change_no_document_ranking
            questions_of_others_change_no_assessment_ranking;
        archive:
            every_table_and_column_is_archived_or_excluded_by_name
            imported_rows_are_exported_with_every_column
            restored_data_is_searchable_and_usable
            a_snapshot_does_not_change
            a_page_has_no_more_bytes_than_were_asked_for
            an_import_is_recorded
            a_store_goes_to_the_other_database_and_back;
    }}
}

/// Conformance suite of what processes share, which also runs on Redis.
mod shared {
    suite! { on sqlite postgres redis {
        queue:
            orders_come_by_priority_then_age
            pushing_twice_gives_one_delivery
            eight_takers_get_every_order_once
            an_expired_heartbeat_gives_the_order_to_another
            ten_minutes_of_work_are_never_taken_from_a_live_worker
            a_waiting_taker_wakes_for_another_process
            a_dropped_take_has_taken_nothing
            only_waiting_orders_can_be_removed
            removing_workers_returns_their_orders;
        events:
            numbers_start_at_one_and_have_no_hole
            an_event_needs_its_investigation
            the_newest_come_first_on_the_way_back
            followers_see_every_event_once_under_concurrent_appends
            a_follower_ends_with_the_terminal_status
            following_an_ended_investigation_ends_at_once
            a_follower_sees_what_another_process_appends
            idle_followers_do_not_block_others;
        tool_cache:
            a_result_lives_until_it_expires
            the_newest_result_counts_for_every_process;
        limits:
            a_bucket_holds_a_minutes_worth_and_refills_evenly
            buckets_are_independent
            failures_bring_growing_pauses_until_one_succeeds;
    }}
}

/// Suites of change notifications over Redis.
mod news {
    suite! { on redis {
        investigations:
            a_new_investigation_wakes_the_orchestrator_of_another_process;
        circuits:
            a_change_wakes_those_who_wait_in_other_processes;
    }}
}

mod sqlite_only;
