-- Delivery: the mail server, mail and feeds that people order, the outbox, and answers to the news in mails.

-- Mail server and public address; one row. The password is an encrypted secret.
create table delivery_server (
    -- Always main.
    name        text primary key not null,
    -- Address of this site in links, such as https://osint.example
    site        text not null,
    -- Empty: no mail.
    host        text not null,
    port        integer not null,
    -- tls, starttls or plain
    encryption  text not null,
    username    text not null,
    sender      text not null,
    sender_name text not null
) strict, without rowid;

-- Key with which links are signed; one row. Its bytes are the encrypted secret of its id.
create table delivery_link_key (
    -- Always main.
    name   text primary key not null,
    key_id blob not null
) strict, without rowid;

-- Mail that a person orders.
create table delivery_subscriptions (
    user_id          blob primary key not null references users (id) on delete cascade,
    address          text not null,
    -- Time of the confirmation of the address; none before.
    confirmed_at     integer,
    -- off, immediate, daily or weekly
    frequency        text not null,
    -- 0 is Monday.
    weekday          integer not null,
    -- Minute of the day in the time zone.
    minute           integer not null,
    zone             text not null,
    -- Quiet hours; equal ones: none.
    quiet_from       integer not null,
    quiet_to         integer not null,
    -- News per mail.
    budget           integer not null,
    names_in_subject integer not null,
    is_paused        integer not null,
    -- News up to this time are in a mail, or there were none.
    covered_at       integer not null
) strict, without rowid;

-- The outbox. A mail is composed when it is sent, as its person reads the news then.
create table delivery_mails (
    id         blob primary key not null,
    user_id    blob not null references users (id) on delete cascade,
    -- digest, confirmation or webhook
    kind       text not null,
    address    text not null,
    -- Period of the news.
    since_at   integer not null,
    until_at   integer not null,
    -- waiting, sent, dropped (nothing to send any more) or failed
    state      text not null,
    attempts   integer not null,
    -- Attempts whose outcome is not known.
    uncertain  integer not null,
    next_at    integer not null,
    -- Problem of the last attempt; empty: none.
    problem    text not null,
    items      integer not null,
    created_at integer not null,
    ended_at   integer,
    unique (user_id, kind, address, until_at)
) strict, without rowid;
create index delivery_mails_waiting on delivery_mails (next_at) where state = 'waiting';
create index delivery_mails_ended on delivery_mails (ended_at);
create index delivery_mails_of_person on delivery_mails (user_id, created_at);

-- Webhooks of a person. The secret of each is derived from its id.
create table delivery_webhooks (
    user_id    blob not null references users (id) on delete cascade,
    address    text not null,
    webhook_id blob not null,
    -- json, slack, teams or matrix
    format     text not null,
    -- By its person, or because the address ended or is forbidden.
    is_paused  integer not null,
    -- News up to this time are in a message, or there were none.
    covered_at integer not null,
    created_at integer not null,
    primary key (user_id, address)
) strict, without rowid;

-- Answers of a person to news: useful, hide or mute.
create table delivery_answers (
    user_id     blob not null references users (id) on delete cascade,
    topic       text not null,
    answer      text not null,
    answered_at integer not null,
    -- End of a mute.
    until_at    integer,
    primary key (user_id, topic)
) strict, without rowid;

-- Feed of a person. Its secret address is the signed id.
create table delivery_feeds (
    user_id    blob primary key not null references users (id) on delete cascade,
    feed_id    blob not null unique,
    created_at integer not null
) strict, without rowid;
