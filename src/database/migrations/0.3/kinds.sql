-- What the database does with kinds of Generals. These functions alone name kinds that others may be like, and a
-- migration that adds a kind replaces these alone (kind-migration.ts): so what a later migration makes of the functions
-- that call them concerns all kinds. PostgreSQL puts them into the statements that call them.

-- Stories, tasks, bugs, features, impediments, requests, epics, portfolio epics.
create function kind_is_historic(entity_type_id int) returns boolean language sql immutable parallel safe as
  $$select entity_type_id in (4, 5, 8, 9, 16, 17, 27, 31)$$;

-- Levels are those of 0.2/totals.sql.
create function kind_level(entity_type_id int) returns int language sql immutable parallel safe as
  $$select case entity_type_id when 5 then 0 when 4 then 1 when 8 then 1 when 13 then 1 when 14 then 1
    when 17 then 1 when 9 then 2 when 27 then 3 when 31 then 4 when 3 then 5 when 24 then 5 when 2 then 6
    when 1 then 7 end$$;

-- What an item is summed up in.
create function kind_parent(
  entity_type_id int, user_story_id bigint, feature_id bigint, epic_id bigint, portfolio_epic_id bigint
) returns bigint language sql immutable parallel safe as
  $$select case entity_type_id when 5 then user_story_id when 4 then feature_id
    when 8 then feature_id when 9 then coalesce(epic_id, portfolio_epic_id)
    when 27 then portfolio_epic_id end$$;

-- Whether an item of a kind is summed up in one of the other.
create function kind_is_part(entity_type_id int, above_entity_type_id int, epic_id bigint) returns boolean
  language sql immutable parallel safe as
  $$select case entity_type_id when 5 then above_entity_type_id in (4, 8, 13, 14, 17)
    when 4 then above_entity_type_id = 9 when 8 then above_entity_type_id = 9 when 27 then above_entity_type_id = 31
    when 9 then above_entity_type_id = case when epic_id is null then 31 else 27 end end$$;

create function kind_is_work(entity_type_id int) returns boolean language sql immutable parallel safe as
  $$select entity_type_id in (4, 8, 13, 14, 17)$$;

create function kind_is_in_features(entity_type_id int) returns boolean language sql immutable parallel safe as
  $$select entity_type_id in (4, 8)$$;

create function kind_is_in_spans(entity_type_id int) returns boolean language sql immutable parallel safe as
  $$select entity_type_id in (4, 8, 17)$$;
