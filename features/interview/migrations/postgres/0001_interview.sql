-- Interviews and what they found about a person. Apart from documents, products and the graph.

create table interviews (
    id         uuid primary key,
    user_id    uuid not null references users (id) on delete cascade,
    -- Key of the set of cards.
    card_set   text not null,
    -- person, interviewer, review, crisis or failed
    state      text not null,
    -- Number of the current card, from 0.
    card       bigint not null,
    is_stopped boolean not null,
    -- Profile as JSON; empty: none.
    profile    text not null,
    -- Why the model waits or gave up.
    note       text not null,
    started_at timestamptz not null,
    ended_at   timestamptz,
    -- End of the lease of the process that runs the interviewer, and of its pause.
    held_until timestamptz
);
create index interviews_by_person on interviews (user_id, started_at);
create index interviews_due on interviews (held_until) where state = 'interviewer';

create table interview_turns (
    interview_id uuid not null references interviews (id) on delete cascade,
    -- Number of the question in the session; 0 for the first card.
    number       bigint not null,
    card         bigint not null,
    is_card      boolean not null,
    remark       text not null,
    question     text not null,
    -- answer, skip or stop; empty while it waits for the person.
    action       text not null,
    reply        text not null,
    -- Reason of the transition after it; empty: none.
    reason       text not null,
    primary key (interview_id, number)
);

create table interview_signals (
    id           uuid primary key,
    interview_id uuid not null references interviews (id) on delete cascade,
    -- Step of the session that found it; below 0 for the choice of a card.
    step         bigint not null,
    card         bigint not null,
    kind         text not null,
    construct    text not null,
    state        text not null,
    content      text not null,
    source       text not null,
    -- In thousandths.
    confidence   bigint not null,
    unique (interview_id, step, content)
);

create table interview_proposals (
    interview_id uuid not null references interviews (id) on delete cascade,
    number       bigint not null,
    sentence     text not null,
    because      text not null,
    -- accepted or refused; empty: open.
    decision     text not null,
    decided_at   timestamptz,
    primary key (interview_id, number)
);
