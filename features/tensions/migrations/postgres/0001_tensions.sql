-- Tensions: strains with their evidence, heat of each day, and the responses that ease them. Claims are in the graph, which may have
-- another store. Days count from 1970-01-01; shares are in thousandths (heat) or percent (confidence, strength).

create table tensions (
    id                uuid primary key,
    -- Title and statement rest on a document of this collection.
    collection_id     uuid not null references collections (id) on delete cascade,
    -- extraction, curiosity or scout
    origin            text not null,
    theme             text not null,
    kind              text not null,
    title             text not null,
    statement         text not null,
    -- UN M49 area or ISO 3166-1 numeric code, three digits; 000: no place named.
    region            text not null,
    -- 1 minor, 2 serious, 3 severe
    severity          bigint not null,
    confidence        bigint not null,
    -- active or dismissed, with the reason
    state             text not null,
    reason            text not null,
    -- Of the evidence in its collection, as the last snapshot found it.
    cause_heat        bigint not null,
    first_day         bigint not null,
    last_day          bigint not null,
    response_scouted_at timestamptz,
    -- Last day with a snapshot; null when evidence was added since.
    snapshot_day      bigint,
    changed_at        timestamptz not null,
    -- Document that the statement rests on; null when a statement has to be chosen.
    statement_document_id uuid references documents (id) on delete set null,
    -- Pieces of evidence from which the tension was last derived.
    evidence_rows     bigint not null default 0,
    created_at        timestamptz not null
);
create index tensions_by_collection on tensions (collection_id, theme);
create index tensions_by_snapshot on tensions (snapshot_day);
create index tensions_by_statement on tensions (statement_document_id);

-- What the word lists group statements by: kind and place. A merged tension leaves its subjects to the survivor.
create table tension_subjects (
    tension_id uuid not null references tensions (id) on delete cascade,
    subject    text not null,
    primary key (tension_id, subject)
);
create index tension_subjects_by_subject on tension_subjects (subject);

create table tension_evidence (
    tension_id  uuid not null references tensions (id) on delete cascade,
    claim_id    uuid not null,
    document_id uuid not null references documents (id) on delete cascade,
    -- Hash that leads the texts that repeat this one.
    origin      text not null,
    -- Denials are evidence against.
    is_against  boolean not null,
    severity    bigint not null,
    -- Day for which it counts.
    day         bigint not null,
    primary key (tension_id, claim_id)
);
create index tension_evidence_by_document on tension_evidence (document_id);
create index tension_evidence_by_day on tension_evidence (day);

-- Heat of each day, from the evidence in the tension's own collection. A day without heat has no row.
create table heat_snapshots (
    tension_id uuid not null references tensions (id) on delete cascade,
    day        bigint not null,
    heat       bigint not null,
    origins    bigint not null,
    primary key (tension_id, day)
);
create index heat_snapshots_by_day on heat_snapshots (day);

-- Ids of merged tensions, which lead to the survivor for ever.
create table tension_merges (
    merged_id   uuid primary key,
    survivor_id uuid not null references tensions (id) on delete cascade,
    merged_at   timestamptz not null
);
create index tension_merges_by_survivor on tension_merges (survivor_id);

-- Tensions that the work on another one brought up.
create table spawned_from (
    tension_id uuid not null references tensions (id) on delete cascade,
    parent_id  uuid not null references tensions (id) on delete cascade,
    spawned_at timestamptz not null,
    primary key (tension_id, parent_id)
);
create index spawned_from_by_parent on spawned_from (parent_id);

create table responses (
    id               uuid primary key,
    collection_id    uuid not null references collections (id) on delete cascade,
    -- give, event or ask
    kind             text not null,
    title            text not null,
    summary          text not null,
    url              text not null,
    -- The page as it was read; null where a person entered the address.
    document_id      uuid references documents (id) on delete cascade,
    starts_at        timestamptz,
    ends_at          timestamptz,
    region           text not null,
    confidence       bigint not null,
    created_at       timestamptz not null
);
create index responses_by_collection on responses (collection_id);
create index responses_by_document on responses (document_id);

create table responds_to (
    response_id uuid not null references responses (id) on delete cascade,
    tension_id  uuid not null references tensions (id) on delete cascade,
    strength    bigint not null,
    explanation text not null,
    -- How it eases the tension, in free words.
    mechanism   text not null,
    first_seen  timestamptz not null,
    last_seen   timestamptz not null,
    primary key (response_id, tension_id)
);
create index responds_to_by_tension on responds_to (tension_id);

-- Vectors of title and statement: 32-bit floats, little endian.
create table tension_vectors (
    tension_id uuid not null references tensions (id) on delete cascade,
    model      text not null,
    vector     bytea not null,
    primary key (tension_id, model)
);

-- Documents whose claims were searched for stated strain.
create table strain_searches (
    document_id uuid primary key references documents (id) on delete cascade,
    searched_at timestamptz not null
);
