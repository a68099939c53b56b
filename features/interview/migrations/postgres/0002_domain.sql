-- Layer of the taxonomy that has the construct; null without one, and in signals of an older version.
alter table interview_signals add column domain text;
