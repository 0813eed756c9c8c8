-- Whom a record of a history names: who writes in this transaction, else the last editor of the item that is written.
-- Nobody knows who moved totals where no author is named. PostgreSQL puts the body into the statements that call it.
create function history_author(last_editor bigint) returns bigint language sql stable as $$
  select coalesce(nullif(current_setting('worktrack.author', true), '')::bigint,
    case when current_setting('worktrack.totals', true) is distinct from 'settling' then last_editor end)
$$;
