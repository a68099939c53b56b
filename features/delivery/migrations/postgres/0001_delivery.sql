-- Delivery: the mail server, mail and feeds that people order, the outbox, and answers to the news in mails.

-- Mail server and public address; one row. The password is an encrypted secret.
create table delivery_server (
    -- Always main.
    name        text primary key,
    -- Address of this site in links, such as https://osint.example
    site        text not null,
    -- Empty: no mail.
    host        text not null,
    port        bigint not null,
    -- tls, starttls or plain
    encryption  text not null,
    username    text not null,
    sender      text not null,
    sender_name text not null
);

-- Key with which links are signed; one row. Its bytes are the encrypted secret of its id.
create table delivery_link_key (
    -- Always main.
    name   text primary key,
    key_id uuid not null
);

-- Mail that a person orders.
create table delivery_subscriptions (
    user_id          uuid primary key references users (id) on delete cascade,
    address          text not null,
    -- Time of the confirmation of the address; none before.
    confirmed_at     timestamptz,
    -- off, immediate, daily or weekly
    frequency        text not null,
    -- 0 is Monday.
    weekday          bigint not null,
    -- Minute of the day in the time zone.
    minute           bigint not null,
    zone             text not null,
    -- Quiet hours; equal ones: none.
    quiet_from       bigint not null,
    quiet_to         bigint not null,
    -- News per mail.
    budget           bigint not null,
    names_in_subject boolean not null,
    is_paused        boolean not null,
    -- News up to this time are in a mail, or there were none.
    covered_at       timestamptz not null
);

-- The outbox. A mail is composed when it is sent, as its person reads the news then.
create table delivery_mails (
    id         uuid primary key,
    user_id    uuid not null references users (id) on delete cascade,
    -- digest, confirmation or webhook
    kind       text not null,
    address    text not null,
    -- Period of the news.
    since_at   timestamptz not null,
    until_at   timestamptz not null,
    -- waiting, sent, dropped (nothing to send any more) or failed
    state      text not null,
    attempts   bigint not null,
    -- Attempts whose outcome is not known.
    uncertain  bigint not null,
    next_at    timestamptz not null,
    -- Problem of the last attempt; empty: none.
    problem    text not null,
    items      bigint not null,
    created_at timestamptz not null,
    ended_at   timestamptz,
    unique (user_id, kind, address, until_at)
);
create index delivery_mails_waiting on delivery_mails (next_at) where state = 'waiting';
create index delivery_mails_ended on delivery_mails (ended_at);
create index delivery_mails_of_person on delivery_mails (user_id, created_at);

-- Webhooks of a person. The secret of each is derived from its id.
create table delivery_webhooks (
    user_id    uuid not null references users (id) on delete cascade,
    address    text not null,
    webhook_id uuid not null,
    -- json, slack, teams or matrix
    format     text not null,
    -- By its person, or because the address ended or is forbidden.
    is_paused  boolean not null,
    -- News up to this time are in a message, or there were none.
    covered_at timestamptz not null,
    created_at timestamptz not null,
    primary key (user_id, address)
);

-- Answers of a person to news: useful, hide or mute.
create table delivery_answers (
    user_id     uuid not null references users (id) on delete cascade,
    topic       text not null,
    answer      text not null,
    answered_at timestamptz not null,
    -- End of a mute.
    until_at    timestamptz,
    primary key (user_id, topic)
);

-- Feed of a person. Its secret address is the signed id.
create table delivery_feeds (
    user_id    uuid primary key references users (id) on delete cascade,
    feed_id    uuid not null unique,
    created_at timestamptz not null
);
