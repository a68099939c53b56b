-- Interviews and what they found about a person. Apart from documents, products and the graph.

create table interviews (
    id         blob primary key not null,
    user_id    blob not null references users (id) on delete cascade,
    -- Key of the set of cards.
    card_set   text not null,
    -- person, interviewer, review, crisis or failed
    state      text not null,
    -- Number of the current card, from 0.
    card       integer not null,
    is_stopped integer not null,
    -- Profile as JSON; empty: none.
    profile    text not null,
    -- Why the model waits or gave up.
    note       text not null,
    started_at integer not null,
    ended_at   integer,
    -- End of the lease of the process that runs the interviewer, and of its pause.
    held_until integer
) strict, without rowid;
create index interviews_by_person on interviews (user_id, started_at);
create index interviews_due on interviews (held_until) where state = 'interviewer';

create table interview_turns (
    interview_id blob not null references interviews (id) on delete cascade,
    -- Number of the question in the session; 0 for the first card.
    number       integer not null,
    card         integer not null,
    is_card      integer not null,
    remark       text not null,
    question     text not null,
    -- answer, skip or stop; empty while it waits for the person.
    action       text not null,
    reply        text not null,
    -- Reason of the transition after it; empty: none.
    reason       text not null,
    primary key (interview_id, number)
) strict, without rowid;

create table interview_signals (
    id           blob primary key not null,
    interview_id blob not null references interviews (id) on delete cascade,
    -- Step of the session that found it; below 0 for the choice of a card.
    step         integer not null,
    card         integer not null,
    kind         text not null,
    construct    text not null,
    state        text not null,
    content      text not null,
    source       text not null,
    -- In thousandths.
    confidence   integer not null,
    unique (interview_id, step, content)
) strict, without rowid;

create table interview_proposals (
    interview_id blob not null references interviews (id) on delete cascade,
    number       integer not null,
    sentence     text not null,
    because      text not null,
    -- accepted or refused; empty: open.
    decision     text not null,
    decided_at   integer,
    primary key (interview_id, number)
) strict, without rowid;
