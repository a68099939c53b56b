//! The archived tables with their columns, in insertion order.

use super::{RowLabel, ScopeColumn};

/// The type of an archived column, in the database and in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// A UUID.
    Id,
    Text,
    /// A whole number.
    Number,
    /// True or false.
    Flag,
    /// Microseconds since 1970.
    Moment,
    Json,
    /// Short bytes, as hexadecimal digits.
    Hex,
    /// Bytes stored beside the record.
    Blob,
}

/// An archived table.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    pub name: &'static str,
    /// Number of leading columns that form the natural key.
    pub key: usize,
    pub columns: &'static [(&'static str, ColumnType)],
    /// Columns left out because they belong to a machine or process, or are rebuilt.
    pub excluded: &'static [&'static str],
    /// Columns that decide who reads the rows of a feature, and with what they go. The kernel has rules of its own.
    pub scope: &'static [ScopeColumn],
    /// Label in the previews of deleting; `None` where the rows are not mentioned.
    pub label: Option<RowLabel>,
    /// Condition for rows `r` that their feature removes after the documents of the id list `$2`, for the previews of deleting.
    pub lost_with_documents: Option<&'static str>,
}

/// Tables that are not archived, with the reason.
pub const EXCLUDED: [(&str, &str); 16] = [
    ("web_sessions", "browser sessions: people sign in again"),
    ("devices", "known browsers: a sign-in makes them again"),
    ("setup_codes", "of the processes that run"),
    ("upload_days", "counts of one day"),
    ("holders", "processes that are alive"),
    ("queue", "made again from open work orders when their investigation goes on"),
    ("tool_cache", "a cache"),
    ("assessment_vectors", "made again by the backfill"),
    ("assessment_summaries", "made again on import"),
    ("text_sketches", "made again by the backfill"),
    ("text_bands", "made again by the backfill"),
    ("circuit_states", "what could be reached from the old place"),
    ("model_trials", "what answered at the old place"),
    ("arrivals", "how this very store was filled"),
    ("library_version", "compared by the processes that run"),
    ("_sqlx_migrations", "the schema's own"),
];

impl Table {
    /// Declares a table all of whose columns are archived.
    pub const fn new(name: &'static str, key: usize, columns: &'static [(&'static str, ColumnType)]) -> Self {
        Self { name, key, columns, excluded: &[], scope: &[], label: None, lost_with_documents: None }
    }

    /// Declares the scope of a table of a feature.
    pub const fn scope(self, scope: &'static [ScopeColumn]) -> Self {
        Self { scope, ..self }
    }

    /// Declares the label of the rows for one and for many, such as `bookmark` and `bookmarks`.
    pub const fn label(self, one: &'static str, many: &'static str) -> Self {
        Self { label: Some((one, many)), ..self }
    }

    /// Declares the condition for rows `r` that the feature removes after the documents of the id list `$2`, such as those that lose their
    /// last evidence.
    pub const fn lost_with_documents(self, condition: &'static str) -> Self {
        Self { lost_with_documents: Some(condition), ..self }
    }

    /// Leaves out columns that are rebuilt, or belong to a machine or process.
    pub const fn without(self, excluded: &'static [&'static str]) -> Self {
        Self { excluded, ..self }
    }
}

/// Lists tables in the order of their insertion: `name keys: column Type, …;`, with methods of `Table` after the columns.
#[macro_export]
macro_rules! tables {
    ($($name:ident $key:literal: $($column:ident $type:ident),+ $(.$method:ident($($argument:expr),*))*;)+) => {
        &[$(
            $crate::sql::archive::Table::new(
                stringify!($name),
                $key,
                &[$((stringify!($column), $crate::sql::archive::ColumnType::$type)),+],
            )$(.$method($($argument),*))*
        ),+]
    };
}

pub const TABLES: &[Table] = tables! {
    users 1: id Id, name Text, name_key Text, role Text, password_hash Text, disabled Flag, created_at Moment,
        cap_tokens Number, cap_micros Number, must_change Flag, shortcuts_off Flag, sample_hidden Flag, sample_seen Flag,
        setup_dismissed Flag, seen_at Moment, seen_before Moment;
    collections 1: id Id, kind Text, name Text, owner Id, created_at Moment;
    audit_log 1: sequence Number, at Moment, user_id Id, act Text, object Text, address Text;
    model_choices 1: role Text, model Text;
    secrets 1: name Text, sealed Hex;
    blobs 1: sha256 Text, bytes Blob;
    texts 3: sha256 Text, extractor Text, text_sha256 Text, body Text;
    // `row_id` and `search` are of the full text, which is made again.
    documents 1: id Id, collection_id Id, path Text, title Text, outlet Text, published_value Moment, published_precision Text,
        published_basis Text, language Text, media_type Text, sha256 Text, size_bytes Number, text_sha256 Text,
        text_bytes Number, extractor Text, captured_at Moment
        .without(&["row_id", "search"]);
    document_credits 1: document_id Id, agency Text, agency_key Text, byline Text, day Number;
    document_details 1: document_id Id, byline Text, updated_value Moment, updated_precision Text, updated_basis Text,
        tables Json;
    archived_documents 1: document_id Id, archived_by Id, archived_at Moment;
    extractions 1: document_id Id, at Moment, in_view_of Text;
    web_captures 1: document_id Id, url Text, final_url Text, canonical_url Text, status Number, hops Json, headers Json,
        fetched_at Moment, reached Text;
    citation_watch 1: document_id Id, looked_at Moment, finding Text, found_at Moment, note Text;
    sources 1: id Text, is_on Flag, answers Number, failures Number, last_error Text, last_success_at Moment,
        last_failure_at Moment;
    source_finds 2: source_id Text, address Text;
    source_yields 2: source_id Text, document_id Id, claims Number;
    feeds 1: address Text, title Text, feed_group Text, region Text, language Text, added_at Moment;
    rejected_files 2: collection_id Id, path Text, reason Text;
    rejected_of_investigations 3: investigation_id Id, collection_id Id, path Text, reason Text;
    // The lease stays behind; the attempt, which refuses late writers, does not.
    investigations 1: id Id, owner Id, collection_id Id, parent_id Id, question Text, kind Text, started_by Text, scope Json,
        status Text, cycle Number, empty_sessions Number, failed_cycles Number, final_session Flag, resume_from Text,
        reason Text, suspended_at Moment, traceparent Text, created_at Moment, completed_at Moment, finish_requested_at Moment,
        attempt Number, event_count Number, model Text, addresses Json, web Text, terms Json, models Json, obstacles Json,
        stalled_since Moment
        .without(&["holder", "lease_until"]);
    investigation_scopes 2: investigation_id Id, collection_id Id;
    investigation_threads 1: investigation_id Id, follows_id Id, kind Text;
    teams 1: id Id, name Text, name_key Text, created_by Id, created_at Moment;
    team_members 2: team_id Id, user_id Id;
    team_invitations 2: team_id Id, user_id Id, invited_by Id, invited_at Moment;
    team_changes 3: team_id Id, user_id Id, changed_at Moment, change Text;
    collection_teams 1: collection_id Id, team_id Id;
    investigation_visibility 1: investigation_id Id, team_id Id, shared_at Moment;
    archived_investigations 1: investigation_id Id, archived_by Id, archived_at Moment;
    investigation_addresses 2: investigation_id Id, address Text;
    work_orders 1: id Id, investigation_id Id, session_id Id, cycle Number, objective Text, objective_key Text,
        referenced_entities Json, source_guidance Json, priority Number, status Text, attempt Number, failures Number,
        returned Number, failure Text, traceparent Text, created_at Moment, assigned_at Moment, completed_at Moment,
        discarded_at Moment
        .without(&["holder"]);
    plan_changes 2: work_order_id Id, change Text, investigation_id Id, changed_by Id, changed_at Moment;
    work_order_documents 2: work_order_id Id, document_id Id;
    events 2: investigation_id Id, sequence Number, at Moment, what Json;
    contents 1: sha256 Text, body Blob;
    agent_sessions 1: id Id, investigation_id Id, work_order_id Id, role Text, cycle Number, provider Text, model Text,
        prompt_hash Text, status Text, reason Text, turns Number, tokens_in Number, tokens_out Number, started_at Moment,
        ended_at Moment, setup Text, owner_kind Text, owner_id Id;
    session_addresses 2: session_id Id, address Text, steps Number;
    session_steps 2: session_id Id, number Number, at Moment, input Text;
    tool_calls 1: id Id, session_id Id, investigation_id Id, tool Text, arguments Json, result Text, is_error Flag,
        from_cache Flag, cache_ms Number, tool_ms Number, reflection_ms Number, total_ms Number, called_at Moment, source Text,
        quality Text, is_verified Flag, reflection Json, injection_document Id, injection Json, raw Text;
    model_calls 1: id Id, investigation_id Id, session_id Id, role Text, step Number, attempt Number, provider Text, model Text,
        outcome Text, message Text, tokens_in Number, tokens_out Number, cache_read Number, cache_written Number,
        cost_micros Number, latency_ms Number, called_at Moment, reserved_tokens Number, reserved_micros Number,
        reserved_until Moment, levels Json;
    trials 1: id Id, reserved_tokens Number, reserved_micros Number, reserved_until Moment, levels Json;
    budget_levels 2: level Text, key Text, tokens Number, micros Number;
    // `row_id` and `search` are of the full text, which is made again.
    assessments 1: id Id, investigation_id Id, is_partial Flag, body Json, collections Json, entity_ids Json, created_at Moment
        .without(&["row_id", "search"]);
    assessment_collections 2: assessment_id Id, collection_id Id;
    assessment_documents 2: assessment_id Id, document_id Id;
    exclusions 2: assessment_id Id, marker Number, reason Text, excluded_by Id, excluded_at Moment;
    contests 1: id Id, assessment_id Id, item Text, value Text, reason Text, contested_by Id, contested_at Moment;
    assessment_tags 2: assessment_id Id, tag Text, tagged_by Id, tagged_at Moment;
    assessment_notes 1: id Id, assessment_id Id, text Text, noted_by Id, noted_at Moment;
    document_tags 2: document_id Id, tag Text, tagged_by Id, tagged_at Moment;
    document_notes 1: id Id, document_id Id, text Text, noted_by Id, noted_at Moment;
};
