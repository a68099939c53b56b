-- Whether nothing but a person can make it work again: a key, the name of a model.
alter table circuit_states add column needs_person boolean not null default false;
