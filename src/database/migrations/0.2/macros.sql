-- PostgreSQL has no macros: text that several functions share stands once in this table. "define" creates a function
-- after it has replaced each name by its text, in the order of the rows; \1 and \2 are the arguments. The end of
-- history.sql drops both.

create table macro (
  id int generated always as identity,
  name text not null,
  text text not null
);

create procedure define(definition text) language plpgsql as $$
  declare
    one macro;
  begin
    for one in select * from macro order by id loop
      definition := regexp_replace(
        definition, '\m' || one.name || '\M(?:\(([^(),]*)(?:, ([^(),]*))?\))?', one.text, 'g');
    end loop;
    execute definition;
  end $$;
