-- Words are made anew where what they are made of has changed: texts as they are searched, not as they are stored. Of
-- marks of HTML none are left, so that less is cut off.

create or replace function search_renew_general() returns trigger language plpgsql as $$
  declare
    changed bigint[];
    described bigint[];
    setting text;
  begin
    if current_setting('worktrack.words', true) is distinct from pg_trigger_depth()::text then return null; end if;
    setting := set_config('worktrack.words', '', true);
    select
      array_agg(n.id) filter (where o.description is not distinct from n.description
        and (o.name is distinct from n.name or o.custom_values is distinct from n.custom_values
          and search_texts(search_values(o.custom_values, o.entity_type_id, o.project_id, o.process_id))
            is distinct from search_texts(search_values(n.custom_values, n.entity_type_id, n.project_id, n.process_id)))),
      array_agg(n.id) filter (where o.description is distinct from n.description)
      into changed, described
      from stale o full join fresh n on n.id = o.id;
    if changed is not null then perform search_renew(changed, false); end if;
    if described is not null then perform search_renew(described, true); end if;
    return null;
  end $$;

-- A longer name of a tag moves others behind the end of what is searched.
create or replace trigger search_renamed_tag after update of name on tag for each row
  when (search_words(search_letters(old.name)) is distinct from search_words(search_letters(new.name))
    or length(old.name) <> length(new.name))
  execute function search_renamed_tag();

create function search_other_tag() returns trigger language plpgsql as $$
  begin
    perform search_renew(array[old.general_id, new.general_id]);
    return null;
  end $$;

create trigger search_other_tag after update of general_id, tag_id on general_tag
  for each row when (old.general_id is distinct from new.general_id or old.tag_id is distinct from new.tag_id)
  execute function search_other_tag();

-- The service refuses another type of a field that has values.
create function search_retyped_field() returns trigger language plpgsql as $$
  begin
    perform search_renew(array(
      select g.id from general g
      where g.entity_type_id = new.entity_type_id and g.custom_values ? new.name and (new.process_id is null
        or new.process_id = case when g.entity_type_id = 1 then g.process_id
          else (select p.process_id from general p where p.id = g.project_id) end)));
    return null;
  end $$;

create trigger search_retyped_field after update of field_type on custom_field
  for each row when ((old.field_type = 'RichText') <> (new.field_type = 'RichText'))
  execute function search_retyped_field();
