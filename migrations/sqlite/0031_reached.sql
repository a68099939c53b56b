-- How a page was reached: fetched; rendered in the browser; or walked to there, by clicks and forms, so that its address alone does not lead to it; null: of before that was noted, fetched.
alter table web_captures add column reached text;
