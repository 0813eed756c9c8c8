-- As in 0.2/totals.sql, but for the triggers, which are there: another function that notes whose totals have moved.
create procedure define_note(noted_table text, operation text, variables text[], statements text) language plpgsql as $$
  begin
    call define(format($function$
      create or replace function note_%1$s_%2$s() returns trigger language plpgsql PLANNED_ONCE as $body$
        declare
          setting text;
          %3$s bigint[];
        begin
          if current_setting('worktrack.totals', true) <> '' then return null; end if;
          %4$s
          if current_setting('worktrack.immediate', true) = 'on' then perform settle_totals(); end if;
          return null;
        end $body$ $function$,
      noted_table, operation, array_to_string(variables, ' bigint[]; '), statements));
  end $$;
