//! Catalogue of all metrics except `process_*`, which are in `process`.

use metrics::Unit;

/// Declaration of one metric or metric family.
#[derive(Debug, Clone, Copy)]
pub struct MetricSpec {
    pub name: &'static str,
    pub kind: MetricKind,
    pub unit: Option<Unit>,
    pub help: &'static str,
    pub(super) initial: InitialValue,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MetricKind {
    /// Grows from the start of the process.
    Counter,
    Gauge,
    /// Histogram with the upper bounds of its buckets.
    Histogram(&'static [f64]),
}

/// Initial value of a metric.
#[derive(Debug, Clone, Copy)]
pub(super) enum InitialValue {
    OnFirstUse,
    /// Zero from the start, without labels.
    Zero,
    /// Zero from the start, for each value of one label.
    ZeroPerLabel(&'static str, &'static [&'static str]),
}

/// Bucket bounds in seconds for latencies that people notice.
const QUICK: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
/// Bucket bounds in seconds for model calls, tool calls and parsing.
const CALL: &[f64] = &[0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0];
/// Bucket bounds in seconds for whole investigations and work orders.
const LONG: &[f64] = &[0.5, 1.0, 5.0, 15.0, 60.0, 180.0, 600.0, 1_800.0, 3_600.0, 14_400.0, 86_400.0];
const TURNS: &[f64] = &[1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0, 55.0];

const ENDS: InitialValue = InitialValue::ZeroPerLabel("status", &["completed", "failed"]);
const ORDER_ENDS: InitialValue = InitialValue::ZeroPerLabel("status", &["completed", "failed", "queued"]);
const FETCH_FAILURES: InitialValue = InitialValue::ZeroPerLabel(
    "reason",
    &[
        "bad_address",
        "refused",
        "robots",
        "unreachable",
        "timed_out",
        "too_large",
        "malformed",
        "status",
        "busy",
        "unreadable",
        "not_named",
    ],
);

const fn counter(name: &'static str, initial: InitialValue, help: &'static str) -> MetricSpec {
    MetricSpec { name, kind: MetricKind::Counter, unit: Some(Unit::Count), help, initial }
}

const fn gauge(name: &'static str, help: &'static str) -> MetricSpec {
    MetricSpec { name, kind: MetricKind::Gauge, unit: Some(Unit::Count), help, initial: InitialValue::OnFirstUse }
}

const fn bytes(name: &'static str, help: &'static str) -> MetricSpec {
    MetricSpec { unit: Some(Unit::Bytes), ..gauge(name, help) }
}

const fn from_zero(name: &'static str, help: &'static str) -> MetricSpec {
    MetricSpec { initial: InitialValue::Zero, ..gauge(name, help) }
}

const fn seconds(name: &'static str, bounds: &'static [f64], help: &'static str) -> MetricSpec {
    MetricSpec { name, kind: MetricKind::Histogram(bounds), unit: Some(Unit::Seconds), help, initial: InitialValue::OnFirstUse }
}

/// All metrics. Metrics of the store are equal in every process that shares it: use the maximum, not the sum. They are NaN while
/// the store does not answer.
pub const CATALOGUE: &[MetricSpec] = &[
    // Investigations and work orders.
    gauge("autosint_investigations", "Investigations in the store, by status."),
    gauge("autosint_work_orders", "Work orders in the store, by status."),
    gauge("autosint_queue_depth", "Work orders waiting for a worker, by priority."),
    from_zero("autosint_investigations_active", "Investigations driven by this process."),
    from_zero("autosint_workers", "Workers of this process."),
    from_zero("autosint_workers_busy", "Workers of this process that hold a work order."),
    counter("autosint_investigations_launched_total", InitialValue::Zero, "Investigations launched by this process."),
    counter("autosint_investigations_ended_total", ENDS, "Investigations ended by this process, by status."),
    seconds("autosint_investigation_seconds", LONG, "Duration of an investigation, by status."),
    counter(
        "autosint_work_orders_ended_total",
        ORDER_ENDS,
        "Work orders released by a worker, by new status; 'queued' is retried.",
    ),
    seconds("autosint_work_order_seconds", LONG, "Time that a worker held a work order."),
    counter("autosint_sessions_ended_total", InitialValue::OnFirstUse, "Agent sessions ended, by role and status."),
    MetricSpec { kind: MetricKind::Histogram(TURNS), ..gauge("autosint_session_turns", "Turns per agent session, by role.") },
    // Models and money.
    counter("autosint_model_calls_total", InitialValue::OnFirstUse, "Model calls, by role, provider, model and outcome."),
    seconds("autosint_model_call_seconds", CALL, "Duration of model calls, successful or not."),
    counter(
        "autosint_model_tokens_total",
        InitialValue::OnFirstUse,
        "Tokens by direction: 'in' and 'out'; 'cache_read' and 'cache_written' are part of 'in'.",
    ),
    counter(
        "autosint_model_cost_micros_total",
        InitialValue::OnFirstUse,
        "Cost of model calls, in millionths of budget.currency.",
    ),
    gauge("autosint_circuit_open", "Circuit state of a dependency: 0 closed, 0.5 half-open, 1 open."),
    counter("autosint_circuit_opened_total", InitialValue::OnFirstUse, "Circuits opened because a dependency failed."),
    gauge("autosint_budget_day_used_tokens", "Tokens used or reserved today (UTC) by all users."),
    gauge("autosint_budget_day_cap_tokens", "Daily cap in tokens; absent if none is set."),
    gauge(
        "autosint_budget_day_used_micros",
        "Money used or reserved today (UTC) by all users, in millionths of budget.currency.",
    ),
    gauge("autosint_budget_day_cap_micros", "Daily cap in millionths of budget.currency; absent if none is set."),
    counter(
        "autosint_budget_refusals_total",
        InitialValue::ZeroPerLabel("level", &["day", "user", "investigation", "session"]),
        "Model calls refused by a budget cap, by level.",
    ),
    // Tools, documents, graph.
    counter("autosint_tool_calls_total", InitialValue::OnFirstUse, "Tool calls, by tool, outcome and cache use."),
    counter(
        "autosint_tool_results_total",
        InitialValue::OnFirstUse,
        "Scored results of external tools, by tool, quality and reliability of the score.",
    ),
    counter(
        "autosint_injections_total",
        InitialValue::OnFirstUse,
        "Tool calls blocked as instructed by outside text, by tool.",
    ),
    seconds("autosint_tool_call_seconds", CALL, "Duration of tool calls, by tool."),
    counter("autosint_documents_stored_total", InitialValue::Zero, "New documents stored."),
    counter("autosint_documents_known_total", InitialValue::Zero, "Documents that were already stored."),
    counter("autosint_files_rejected_total", InitialValue::Zero, "Files that failed to be read or stored."),
    counter("autosint_documents_extracted_total", InitialValue::Zero, "Documents with their claims extracted."),
    counter("autosint_documents_refused_total", InitialValue::Zero, "Documents without a valid extraction by any model."),
    counter(
        "autosint_extract_items_refused_total",
        InitialValue::Zero,
        "Items that features ask of an extraction, refused because of their quotes or their type.",
    ),
    counter(
        "autosint_graph_written_total",
        InitialValue::ZeroPerLabel("kind", &["claim", "entity", "relationship"]),
        "New graph records, by kind.",
    ),
    gauge("autosint_vectors", "Texts with ('done') and without ('pending') a vector of the active embedder."),
    counter("autosint_parser_files_total", InitialValue::OnFirstUse, "Files sent to parser children, by outcome."),
    seconds("autosint_parser_seconds", CALL, "Duration of parsing a file, including the wait for a child."),
    counter("autosint_parser_children_started_total", InitialValue::Zero, "Parser children started."),
    counter(
        "autosint_parser_children_killed_total",
        InitialValue::ZeroPerLabel("reason", &["crashed", "timed_out"]),
        "Parser children that ended before finishing a file, by reason.",
    ),
    // The web outside.
    counter(
        "autosint_fetch_pages_total",
        InitialValue::ZeroPerLabel("cache", &["none", "fresh", "revalidated"]),
        "Pages fetched, by cache use.",
    ),
    counter("autosint_fetch_dials_total", InitialValue::Zero, "Connections opened to external hosts."),
    from_zero("autosint_fetch_hosts_down", "Web servers that this process does not ask because they did not answer."),
    counter(
        "autosint_fetch_failures_total",
        FETCH_FAILURES,
        "Pages not fetched, by reason; 'not_named' are pages that an agent may not open.",
    ),
    counter(
        "autosint_citations_watched_total",
        InitialValue::ZeroPerLabel("finding", &["none", "changed", "gone", "retracted"]),
        "Cited pages checked again, by finding.",
    ),
    counter("autosint_browser_pages_total", InitialValue::OnFirstUse, "Pages rendered by the browser, by outcome."),
    seconds("autosint_browser_wait_seconds", CALL, "Time that a page waited for the browser."),
    counter("autosint_browser_launches_total", InitialValue::Zero, "Browser starts."),
    counter("autosint_browser_refusals_total", InitialValue::OnFirstUse, "Browser requests blocked, by reason."),
    bytes("autosint_browser_memory_bytes", "Memory of the browser and its child processes."),
    from_zero("autosint_browser_sessions", "Open browser pages."),
    // The web server and the store.
    counter("autosint_http_requests_total", InitialValue::OnFirstUse, "HTTP requests, by method, route and status."),
    seconds("autosint_http_request_seconds", QUICK, "Time to the response headers, by route."),
    from_zero("autosint_http_requests_open", "HTTP requests in flight."),
    from_zero("autosint_event_streams", "Open live event streams."),
    gauge("autosint_dependency_up", "Whether the state store, graph and queue answer this process (1) or not (0)."),
    seconds("autosint_database_probe_seconds", QUICK, "Response time of the state store."),
    seconds(
        "autosint_store_seconds",
        QUICK,
        "Duration of calls to the state store (by module) and to the graph (by method), with retries and waits for a connection.",
    ),
    gauge("autosint_database_connections", "Open database connections, by pool and state."),
    gauge("autosint_database_connections_max", "Maximum connections of a pool."),
    counter(
        "autosint_log_lines_total",
        InitialValue::ZeroPerLabel("level", &["warn", "error"]),
        "Warnings and errors logged, by level.",
    ),
    gauge("autosint_build_info", "Always 1; the label holds the running version."),
];
