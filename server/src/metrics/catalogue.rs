//! Every figure by name. `process_*`, which Prometheus names for everybody, are in `process`.

use metrics::Unit;

/// One figure, or a family of them under one name.
#[derive(Debug, Clone, Copy)]
pub struct Figure {
    pub name: &'static str,
    pub kind: Kind,
    pub unit: Option<Unit>,
    pub help: &'static str,
    pub(super) start: Start,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Only grows, from the start of the process on.
    Counter,
    Gauge,
    /// With the upper bounds of its buckets.
    Histogram(&'static [f64]),
}

/// When a figure is there first.
#[derive(Debug, Clone, Copy)]
pub(super) enum Start {
    WhenSeen,
    /// From the start of the process on: without labels …
    AtZero,
    /// … or once for each value of one label.
    AtZeroEach(&'static str, &'static [&'static str]),
}

/// Seconds of what a person waits for.
const QUICK: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
/// Seconds of calls to models and tools, and of parsing.
const CALL: &[f64] = &[0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0];
/// Seconds of whole pieces of work.
const LONG: &[f64] = &[0.5, 1.0, 5.0, 15.0, 60.0, 180.0, 600.0, 1_800.0, 3_600.0, 14_400.0, 86_400.0];
const TURNS: &[f64] = &[1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0, 55.0];

const ENDS: Start = Start::AtZeroEach("status", &["completed", "failed"]);
const ORDER_ENDS: Start = Start::AtZeroEach("status", &["completed", "failed", "queued"]);
const FETCH_FAILURES: Start = Start::AtZeroEach(
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

const fn counter(name: &'static str, start: Start, help: &'static str) -> Figure {
    Figure { name, kind: Kind::Counter, unit: Some(Unit::Count), help, start }
}

const fn gauge(name: &'static str, help: &'static str) -> Figure {
    Figure { name, kind: Kind::Gauge, unit: Some(Unit::Count), help, start: Start::WhenSeen }
}

const fn bytes(name: &'static str, help: &'static str) -> Figure {
    Figure { unit: Some(Unit::Bytes), ..gauge(name, help) }
}

const fn from_zero(name: &'static str, help: &'static str) -> Figure {
    Figure { start: Start::AtZero, ..gauge(name, help) }
}

const fn seconds(name: &'static str, bounds: &'static [f64], help: &'static str) -> Figure {
    Figure { name, kind: Kind::Histogram(bounds), unit: Some(Unit::Seconds), help, start: Start::WhenSeen }
}

/// All of them. Figures of the store are the same in every process that shares it: take the maximum, not the sum. They are NaN where
/// the store does not tell.
pub const CATALOGUE: &[Figure] = &[
    // Investigations and work orders.
    gauge("autosint_investigations", "Investigations in the store, by status."),
    gauge("autosint_work_orders", "Work orders in the store, by status."),
    gauge("autosint_queue_depth", "Work orders that wait for a worker, by priority."),
    from_zero("autosint_investigations_active", "Investigations that this process drives now."),
    from_zero("autosint_workers", "Workers of this process."),
    from_zero("autosint_workers_busy", "Workers of this process that carry out an order now."),
    counter("autosint_investigations_launched_total", Start::AtZero, "Investigations that were launched here."),
    counter("autosint_investigations_ended_total", ENDS, "Investigations that ended here, by status."),
    seconds("autosint_investigation_seconds", LONG, "From the launch of an investigation to its end, by status."),
    counter(
        "autosint_work_orders_ended_total",
        ORDER_ENDS,
        "Work orders that a worker let go, by what became of them; 'queued' is tried again.",
    ),
    seconds("autosint_work_order_seconds", LONG, "How long a worker held a work order."),
    counter("autosint_sessions_ended_total", Start::WhenSeen, "Agent sessions that ended, by role and status."),
    Figure {
        kind: Kind::Histogram(TURNS),
        ..gauge("autosint_session_turns", "Turns of an agent session until it ended, by role.")
    },
    // Models and money.
    counter("autosint_model_calls_total", Start::WhenSeen, "Calls of models, by role, provider, model and outcome."),
    seconds("autosint_model_call_seconds", CALL, "How long a call of a model took, whatever came of it."),
    counter(
        "autosint_model_tokens_total",
        Start::WhenSeen,
        "Tokens by direction: 'in' and 'out'; 'cache_read' and 'cache_written' are part of 'in'.",
    ),
    counter("autosint_model_cost_micros_total", Start::WhenSeen, "Cost of calls, in millionths of budget.currency."),
    gauge("autosint_circuit_open", "Whether a dependency is down: 0 answers, 0.5 is tried out, 1 is down."),
    counter("autosint_circuit_opened_total", Start::WhenSeen, "How often a dependency was found to be down."),
    gauge("autosint_budget_day_used_tokens", "Tokens that everybody together has used or reserved today (UTC)."),
    gauge("autosint_budget_day_cap_tokens", "Cap of the day in tokens; missing where there is none."),
    gauge("autosint_budget_day_used_micros", "Money used or reserved today (UTC), in millionths of budget.currency."),
    gauge("autosint_budget_day_cap_micros", "Cap of the day in millionths of budget.currency; missing where there is none."),
    counter(
        "autosint_budget_refusals_total",
        Start::AtZeroEach("level", &["day", "user", "investigation", "session"]),
        "Calls of models that a cap did not allow, by level.",
    ),
    // Tools, documents, graph.
    counter("autosint_tool_calls_total", Start::WhenSeen, "Calls of tools, by tool, outcome and whether the cache knew."),
    counter(
        "autosint_tool_results_total",
        Start::WhenSeen,
        "Results from outside, by tool, quality and whether the verdict can be relied on.",
    ),
    counter("autosint_lures_total", Start::WhenSeen, "Refused calls to which a text from outside had led, by tool."),
    seconds("autosint_tool_call_seconds", CALL, "How long a call of a tool took, by tool."),
    counter("autosint_documents_stored_total", Start::AtZero, "Documents that were new."),
    counter("autosint_documents_known_total", Start::AtZero, "Documents that came again."),
    counter("autosint_files_rejected_total", Start::AtZero, "Files that could not be read or stored."),
    counter("autosint_documents_extracted_total", Start::AtZero, "Documents whose claims were written."),
    counter("autosint_documents_refused_total", Start::AtZero, "Documents that no answer of a model could be written of."),
    counter(
        "autosint_graph_written_total",
        Start::AtZeroEach("kind", &["claim", "entity", "relationship"]),
        "What was new in the graph, by kind.",
    ),
    gauge("autosint_vectors", "Texts with ('done') and without ('pending') a vector of the active embedder."),
    counter("autosint_parser_files_total", Start::WhenSeen, "Files that parser children were given, by outcome."),
    seconds("autosint_parser_seconds", CALL, "How long parsing a file took, waiting for a child included."),
    counter("autosint_parser_children_started_total", Start::AtZero, "Parser children that were started."),
    counter(
        "autosint_parser_children_killed_total",
        Start::AtZeroEach("reason", &["crashed", "timed_out"]),
        "Parser children that ended with a file unread, by reason.",
    ),
    // The web outside.
    counter(
        "autosint_fetch_pages_total",
        Start::AtZeroEach("cache", &["none", "fresh", "revalidated"]),
        "Pages that were had, by what the cache could do.",
    ),
    counter("autosint_fetch_dials_total", Start::AtZero, "Connections that were opened to hosts outside."),
    counter(
        "autosint_fetch_failures_total",
        FETCH_FAILURES,
        "Pages that could not be had, by reason; 'not_named' are those that an agent may not open.",
    ),
    counter(
        "autosint_citations_watched_total",
        Start::AtZeroEach("finding", &["none", "changed", "gone", "retracted"]),
        "Cited pages that were looked at again, by what was found.",
    ),
    counter("autosint_browser_pages_total", Start::WhenSeen, "Pages that a browser rendered, and whether that went well."),
    seconds("autosint_browser_wait_seconds", CALL, "How long a page waited for its turn in the browser."),
    counter("autosint_browser_launches_total", Start::AtZero, "How often the browser was started."),
    counter(
        "autosint_browser_refusals_total",
        Start::WhenSeen,
        "Requests of pages in the browser that were refused, by reason.",
    ),
    bytes("autosint_browser_memory_bytes", "Memory of the browser and its children."),
    from_zero("autosint_browser_sessions", "Pages that are open in the browser."),
    // The web server and the store.
    counter("autosint_http_requests_total", Start::WhenSeen, "Requests by method, route and status."),
    seconds("autosint_http_request_seconds", QUICK, "From a request to the head of its answer, by route."),
    from_zero("autosint_http_requests_open", "Requests whose answer has not begun yet."),
    from_zero("autosint_event_streams", "Live event streams that are open."),
    gauge("autosint_dependency_up", "Whether the state store, the graph and the queue answer this process."),
    seconds("autosint_database_probe_seconds", QUICK, "How long the state store took to answer."),
    gauge("autosint_database_connections", "Open connections, by pool and whether they are used."),
    gauge("autosint_database_connections_max", "Most connections that a pool may open."),
    counter(
        "autosint_log_lines_total",
        Start::AtZeroEach("level", &["warn", "error"]),
        "Warnings and errors that were logged, by level.",
    ),
    gauge("autosint_build_info", "Always 1; the label says which version runs."),
];
