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
mod opening;
mod origins;
mod postgres_only;
mod postgres_vectors;
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
            a_name_is_taken_whatever_its_case
            somebody_always_administers
            each_change_of_a_person_leaves_the_others_as_they_are_and_is_noted_with_it
            only_one_of_many_first_visitors_becomes_the_first_user
            an_account_without_a_password_is_nobody_who_can_sign_in
            a_collection_is_made_once_per_owner_kind_and_name
            a_scope_holds_what_is_open_and_what_is_ones_own
            uploads_are_counted_up_to_a_limit_a_day
            the_audit_log_is_newest_first
            a_browser_session_lives_until_it_expires
            a_new_password_ends_the_other_sessions_of_its_account_only
            of_the_devices_of_an_account_those_used_last_are_known
            a_set_up_code_is_good_until_the_first_account
            preferences_and_visits_are_stored_per_person;
        annotations:
            annotations_stand_beside_an_assessment_and_are_taken_back_by_their_authors
            tags_and_notes_stand_beside_an_assessment_or_a_document
            annotations_added_at_once_stay_within_the_limits;
        library:
            adding_again_gives_the_stored_documents
            bytes_and_texts_are_kept_once
            what_is_credited_first_stays
            archived_documents_are_listed_apart
            a_document_keeps_its_byline_its_change_and_its_tables
            what_does_not_have_its_hash_is_refused_as_a_whole
            texts_come_in_the_order_asked_for
            two_people_see_nothing_of_each_others_documents
            pages_are_in_the_stable_order_and_say_how_many_match
            what_arrives_later_shifts_no_page
            newest_first_puts_undated_last
            relevance_puts_what_is_most_about_the_words_first
            full_text_folds_case_and_diacritics_and_takes_any_input
            a_list_keeps_to_its_period
            only_unextracted_leaves_out_what_is_done
            a_rejected_file_is_told_once
            each_investigation_keeps_what_it_could_not_read
            removing_a_collection_leaves_what_others_need
            removed_documents_leave_what_others_need
            four_hundred_documents_are_one_call;
        origins:
            a_report_with_small_edits_has_one_origin
            what_links_two_texts_in_secret_links_them_for_nobody_else
            one_agency_makes_one_origin_of_what_is_retold
            what_others_credit_in_secret_joins_nothing;
        captures:
            a_capture_is_kept_for_those_who_see_its_document_and_the_last_word_counts
            an_address_is_open_to_its_session_by_the_shortest_way
            a_cited_page_is_due_by_its_last_look_and_its_finding_is_told_to_those_who_see_it;
        sources:
            a_source_is_switched_and_its_answers_and_failures_are_counted
            a_source_has_to_its_credit_what_the_addresses_that_it_named_led_to
            a_feed_is_added_once_and_removed;
        investigations:
            what_was_added_comes_back
            a_list_shows_ones_own_and_what_a_scope_sees_in_full
            an_owner_has_so_many_unfinished_ones_and_no_more
            archived_ones_are_listed_apart
            a_list_keeps_to_its_words_and_period
            a_thread_holds_what_continues_a_question
            a_deleted_one_takes_all_that_is_its_own
            only_one_of_many_takers_gets_the_lease
            an_expired_lease_is_taken_with_a_new_attempt
            a_lost_lease_writes_nothing
            a_transition_from_another_progress_is_stale
            a_transition_commits_the_orders_of_its_session_alone
            a_transition_discards_what_a_dead_session_staged
            a_transition_keeps_what_a_waiting_session_staged
            finishing_cancels_open_orders
            suspension_and_the_end_are_dated
            obstacles_are_kept_through_a_suspension_and_it_lasts_until_something_was_done
            a_wish_to_finish_is_remembered_until_it_is_too_late
            the_models_of_a_suspended_investigation_are_changed
            parts_are_added_with_the_transition_once_and_the_whole_is_left_alone_until_they_have_ended
            holders_live_by_registration_or_lease
            a_list_says_how_far_each_has_come
            forgetting_holders_frees_everything
            a_new_investigation_wakes_the_orchestrator_of_another_process;
        teams:
            a_team_has_a_name_of_its_own_and_members
            a_collection_opened_to_a_team_is_read_by_its_members
            a_report_is_read_by_those_whom_its_visibility_includes
            a_visible_report_opens_nothing_that_it_draws_on
            agents_do_not_read_what_others_made_visible
            a_part_is_as_visible_as_its_question
            an_administrator_manages_what_is_visible_to_them;
        work_orders:
            an_objective_is_staged_once_per_cycle
            orders_and_investigations_are_counted_by_status
            an_ended_session_stages_nothing
            an_order_is_assigned_with_a_new_attempt
            who_comes_late_is_not_assigned_what_another_was
            an_old_attempt_resolves_nothing
            an_order_fails_for_good_after_its_attempts
            a_failed_order_is_listed_until_it_is_queued_again_or_discarded
            a_failed_order_of_an_ended_investigation_can_only_be_discarded
            a_cancelled_order_is_not_listed_as_failed
            a_person_removes_and_raises_what_has_not_begun
            a_person_adds_to_a_cycle_that_is_being_read
            the_death_of_a_worker_is_no_failure_of_its_order
            resolving_twice_is_harmless
            giving_back_costs_no_attempt
            documents_of_an_order_are_noted_once
            the_documents_read_for_an_investigation_are_those_in_sight;
        sessions:
            a_session_runs_and_ends_once
            steps_are_kept_in_order_and_never_changed
            abandoning_ends_running_sessions_of_one_role
            an_unfinished_session_is_found_by_its_owner
            two_roles_of_one_investigation_do_not_resume_each_other
            the_session_of_an_object_of_a_feature_belongs_to_no_investigation
            calls_are_recorded_once
            what_results_were_worth_is_summed_by_tool_and_source
            a_text_that_leads_astray_is_found_by_session_and_by_document
            the_sessions_of_an_object_are_removed_with_contents_used_nowhere_else
            a_session_is_read_in_parts_and_counted;
        secrets:
            a_secret_is_kept_replaced_and_removed_and_each_is_noted
            another_master_key_opens_nothing;
        assessments:
            an_investigation_has_one_assessment
            a_partial_one_stands_beside_a_complete_one
            a_reader_must_see_everything_it_was_drawn_from
            a_list_goes_by_pages_and_by_every_word
            a_list_keeps_to_states_a_collection_and_named_assessments
            a_list_goes_by_relevance_and_keeps_to_its_period
            search_finds_any_word_and_takes_any_input
            removing_a_collection_removes_what_was_drawn_from_it
            the_nearest_are_found_by_vector_as_far_as_a_reader_may_see;
        circuits:
            an_unknown_circuit_is_closed_and_a_stored_one_comes_back
            what_waits_for_a_person_is_tried_again_when_one_has_acted
            a_state_made_from_an_old_one_is_refused
            one_of_many_processes_sends_the_probe
            a_dependency_that_works_costs_no_circuit_and_one_that_is_down_no_call
            a_queue_that_does_not_answer_is_left_alone_until_a_short_call_probes_it
            a_change_wakes_those_who_wait_in_other_processes
            forgetting_the_dead_frees_the_probe;
        ledger:
            a_call_counts_on_every_level_first_reserved_then_as_used
            each_level_has_its_own_cap_and_a_refusal_reserves_nothing
            what_a_dead_process_reserved_is_released_and_its_late_word_still_counts
            each_session_has_what_it_used_and_how_often_it_was_answered
            no_level_falls_below_what_was_used_whatever_comes_late_or_twice
            a_call_for_an_object_of_a_feature_counts_without_an_investigation
            a_call_that_is_recorded_elsewhere_counts_on_every_level_and_meets_every_cap
            what_a_dead_trial_reserved_is_released_and_its_late_word_still_counts
            a_person_s_own_cap_stands_in_the_place_of_the_configured_one
            a_part_uses_the_budget_of_the_whole_and_is_spent_with_it
            ten_thousand_at_once_do_not_pass_a_cap
            past_investigations_are_those_of_the_same_models_that_came_to_an_end;
        tenants:
            what_another_stored_refuses_and_changes_no_text
            what_another_stores_changes_no_order_of_documents
            what_another_asks_changes_no_order_of_assessments;
        opening:
            what_is_stored_is_there_after_opening_again;
        archive:
            every_table_and_column_is_carried_or_left_out_by_name
            what_is_imported_is_exported_to_the_last_column
            what_was_carried_is_found_and_goes_on
            a_picture_does_not_change
            a_page_has_no_more_bytes_than_were_asked_for
            an_arrival_is_remembered
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
            a_beaten_order_is_not_given_away
            ten_minutes_of_work_are_never_taken_from_a_live_worker
            a_waiting_taker_wakes_for_another_process
            a_dropped_take_has_taken_nothing
            only_what_nobody_holds_can_be_removed
            forgetting_workers_gives_out_what_they_held;
        events:
            numbers_start_at_one_and_have_no_hole
            an_event_needs_its_investigation
            the_newest_come_first_on_the_way_back
            followers_see_every_event_once_under_concurrent_appends
            a_follower_ends_with_the_terminal_status
            following_what_has_ended_ends_at_once
            a_follower_sees_what_another_process_appends
            followers_that_nobody_asks_any_more_keep_nothing_from_others;
        tool_cache:
            a_result_lives_until_it_expires
            the_newest_word_counts_for_every_process;
        limits:
            a_bucket_holds_a_minutes_worth_and_refills_evenly
            buckets_know_nothing_of_each_other
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
