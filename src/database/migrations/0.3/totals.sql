-- Where one item has other times, or is finished or reopened, and nothing else has happened in a transaction, its own
-- totals are summed up, and those above it follow by the difference: nothing of their other parts is read, and all
-- levels are stored by one statement a table. The macros are those of 0.2/totals.sql.
--
-- Notes that "noted" got for such reasons only are in "plain" as well. What both hold is the same text, then.

update macro set text = text || $$
    setting := set_config('worktrack.plain', '', true);$$ where name = 'FORGET';

insert into macro (name, text) values
  ('TOTALLED_BUT_FINAL', 'id, entity_type_id, units, delete_date, user_story_id, feature_id, epic_id, portfolio_epic_id,
    effort, effort_completed, effort_to_do, time_spent, time_remain, progress'),
  -- Whether an item is summed up in one of this kind.
  ('IS_PART_OF', '(case \1.entity_type_id when 5 then \2.entity_type_id in (4, 8, 13, 14, 17)
    when 4 then \2.entity_type_id = 9 when 8 then \2.entity_type_id = 9 when 27 then \2.entity_type_id = 31
    when 9 then \2.entity_type_id = case when \1.epic_id is null then 31 else 27 end end)');

-- Sums up the item, and lets those above it follow. "rest" is what has to be summed up from its parts all the same,
-- with all above it: where an effort differs, a role comes or goes, or the stored numbers do not tell whether the
-- effort of a role is that of the parts. What is locked is what would be locked otherwise, in the same order.
--
-- Of a role of an item above: its effort stays. If the completed effort of a part has changed, the parts have an
-- effort, so it is theirs, and what they have completed counts. Else, if its effort is its own, what is completed may
-- follow from the times.
call define($define$
create or replace function follow_totals(item bigint, out rest bigint[], out summed bigint[]) language plpgsql as $$
  declare
    part record;
    above record;
    level int;
    is_finished boolean;
    -- By role: what the part had, and then what it gains.
    roles bigint[];
    efforts numeric[];
    completed numeric[];
    spent numeric[];
    remain numeric[];
    is_other boolean;
    item_spent numeric;
    item_remain numeric;
    item_completed numeric;
    one record;
    -- What is stored in the end.
    rows bigint[] := '{}';
    rows_completed numeric[] := '{}';
    rows_spent numeric[] := '{}';
    rows_remain numeric[] := '{}';
    ids bigint[] := '{}';
    ids_completed numeric[] := '{}';
    ids_spent numeric[] := '{}';
    ids_remain numeric[] := '{}';
    ids_progress numeric[] := '{}';
  begin
    rest := '{}';
    select FACTS into part from general where id = item for no key update;
    if part.delete_date is not null then return; end if;
    select array_agg(r.role_id), array_agg(r.effort), array_agg(r.effort_completed), array_agg(r.time_spent),
        array_agg(r.time_remain)
      into roles, efforts, completed, spent, remain
      from (select * from role_effort where assignable_id = item) r;
    level := LEVEL_OF(part);
    case level
      when 0 then rest := total_tasks(array[item]);
      when 1 then
        rest := total_work(array[item]);
        summed := array[item];
      when 2 then rest := total_features(array[item]);
      when 3 then rest := total_epics(array[item]);
      else
        rest := array[item];
        return;
    end case;
    -- Nothing differs, or nothing is above.
    if rest is null then
      rest := '{}';
      return;
    end if;
    select count(*) filter (where n.effort is distinct from o.effort) > 0 or g.effort is distinct from part.effort,
        array_agg(n.role_id), array_agg(n.effort_completed - o.effort_completed),
        array_agg(n.time_spent - o.time_spent), array_agg(n.time_remain - o.time_remain),
        g.time_spent - part.time_spent, g.time_remain - part.time_remain
      into is_other, roles, completed, spent, remain, item_spent, item_remain
      from general g left join (
        (select * from role_effort where assignable_id = item) n
        full join unnest(roles, efforts, completed, spent, remain)
          o(role_id, effort, effort_completed, time_spent, time_remain) on o.role_id = n.role_id)
        on (n.effort, n.effort_completed, n.time_spent, n.time_remain)
          is distinct from (o.effort, o.effort_completed, o.time_spent, o.time_remain)
      where g.id = item group by g.id;
    if is_other then return; end if;

    while PARENT_OF(part) is not null loop
      rest := array[PARENT_OF(part)];
      select FACTS into above from general where id = rest[1] for no key update;
      exit when not IS_PART_OF(part, above);
      rest := '{}';
      exit when above.delete_date is not null;
      is_finished := IS_FINAL(above);
      select array_agg(r.id) as ids, array_agg(r.role_id) as roles, array_agg(r.completed) as completed,
          array_agg(r.time_spent + r.spent) as spent, array_agg(r.time_remain + r.remain) as remain,
          array_agg(r.completed - r.effort_completed) as more_completed, array_agg(r.spent) as more_spent,
          array_agg(r.remain) as more_remain, coalesce(sum(r.completed - r.effort_completed), 0) as item_completed,
          count(*) filter (where r.completed is null) > 0 as is_unclear
        into one
        from (
          select d.role_id, r.id, r.effort_completed, r.time_spent, r.time_remain, d.spent, d.remain,
            case
              when is_finished then r.effort_completed
              when d.completed <> 0 then r.effort_completed + d.completed
              when r.effort = 0 or r.effort <> r.own_effort or r.own_completed is not null then r.effort_completed
            end as completed
          from unnest(roles, completed, spent, remain) d(role_id, completed, spent, remain)
            left join role_effort r on r.assignable_id = above.id and r.role_id = d.role_id
          where d.completed <> 0 or d.spent <> 0 or d.remain <> 0) r;
      if one.is_unclear then
        rest := array[above.id];
        exit;
      end if;
      item_completed := one.item_completed;
      exit when one.ids is null and item_spent = 0 and item_remain = 0;
      rows := rows || one.ids;
      rows_completed := rows_completed || one.completed;
      rows_spent := rows_spent || one.spent;
      rows_remain := rows_remain || one.remain;
      above.effort_completed := above.effort_completed + item_completed;
      above.time_spent := above.time_spent + item_spent;
      above.time_remain := above.time_remain + item_remain;
      ids := ids || above.id;
      ids_completed := ids_completed || above.effort_completed;
      ids_spent := ids_spent || above.time_spent;
      ids_remain := ids_remain || above.time_remain;
      -- Without times all that is completed is that of parts, or what a client wrote.
      ids_progress := ids_progress || case
        when is_finished then 1
        when above.time_spent > 0 then round(above.time_spent / (above.time_spent + above.time_remain), 4)
        when above.effort > 0 then round(least(above.effort_completed / above.effort, 1), 4)
        else 0 end;
      if (LEVEL_OF(above)) = 1 then
        summed := summed || above.id;
        insert into span_delta (span_id, effort, effort_completed)
          select s.span, 0, item_completed from SPANS_OF(above)
          where item_completed <> 0 and above.entity_type_id in (4, 8, 17) and s.span is not null;
      end if;
      roles := one.roles;
      completed := one.more_completed;
      spent := one.more_spent;
      remain := one.more_remain;
      part := above;
    end loop;

    if rows <> '{}' then
      update role_effort r set effort_completed = n.completed, effort_to_do = r.effort - n.completed,
          time_spent = n.spent, time_remain = n.remain
        from unnest(rows, rows_completed, rows_spent, rows_remain) n(id, completed, spent, remain)
        where r.id = n.id;
    end if;
    if ids <> '{}' then
      update general g set effort_completed = n.completed, effort_to_do = g.effort - n.completed,
          time_spent = n.spent, time_remain = n.remain, progress = n.progress
        from unnest(ids, ids_completed, ids_spent, ids_remain, ids_progress)
          n(id, completed, spent, remain, progress)
        where g.id = n.id;
    end if;
  end $$ $define$);

call define($define$
create or replace function settle_totals() returns void language plpgsql PLANNED_ONCE as $$
  declare
    marked0 bigint[];
    marked1 bigint[];
    marked2 bigint[];
    marked3 bigint[];
    marked4 bigint[];
    spans bigint[];
    noted bigint[];
    wanted bigint[];
    above bigint[] := '{}';
    summed bigint[];
    mode text := coalesce(current_setting('worktrack.totals', true), '');
    setting text;
  begin
    if IS_SETTLED then return; end if;
    setting := set_config('worktrack.totals', 'settling', true);
    noted := IDS_OF(noted);
    if noted <> '{}' and noted[1] = all(noted) and NOTE(noted) = NOTE(plain) and NOTE(made) = NOTE(confirmed) then
      select f.rest, f.summed into wanted, summed from follow_totals(noted[1]) f;
    -- There is nothing to sum up where all new items were confirmed.
    elsif not (NOTE(noted) = '' and NOTE(made) = NOTE(confirmed)) then
      wanted := array(
        select unnest(noted) union (select unnest(IDS_OF(made)) except select unnest(IDS_OF(confirmed))));
    end if;
    if wanted <> '{}' then
      select array_agg(m.id) filter (where m.level = 0), array_agg(m.id) filter (where m.level = 1),
        array_agg(m.id) filter (where m.level = 2), array_agg(m.id) filter (where m.level = 3),
        array_agg(m.id) filter (where m.level = 4), array_agg(m.id) filter (where m.level >= 5)
        into marked0, marked1, marked2, marked3, marked4, spans
        from (select g.id, LEVEL_OF(g) as level from general g where g.id = any(wanted)) m;
      if marked0 is not null or above <> '{}' then
        wanted := coalesce(marked0, '{}') || above;
        perform 1 from general where id = any(wanted) and general.entity_type_id + 0 in (5) LOCKED;
        wanted := total_tasks(wanted);
        if marked0 is not null then wanted := wanted || PARENTS_OF(marked0); end if;
        above := coalesce(wanted, '{}');
      end if;
      if marked1 is not null or above <> '{}' then
        wanted := coalesce(marked1, '{}') || above;
        perform 1 from general where id = any(wanted) and general.entity_type_id + 0 in (4, 8, 13, 14, 17) LOCKED;
        summed := coalesce(summed, '{}') || wanted;
        wanted := total_work(wanted);
        if marked1 is not null then wanted := wanted || PARENTS_OF(marked1); end if;
        above := coalesce(wanted, '{}');
      end if;
      if marked2 is not null or above <> '{}' then
        wanted := coalesce(marked2, '{}') || above;
        perform 1 from general where id = any(wanted) and general.entity_type_id + 0 in (9) LOCKED;
        wanted := total_features(wanted);
        if marked2 is not null then wanted := wanted || PARENTS_OF(marked2); end if;
        above := coalesce(wanted, '{}');
      end if;
      if marked3 is not null or above <> '{}' then
        wanted := coalesce(marked3, '{}') || above;
        perform 1 from general where id = any(wanted) and general.entity_type_id + 0 in (27) LOCKED;
        wanted := total_epics(wanted);
        if marked3 is not null then wanted := wanted || PARENTS_OF(marked3); end if;
        -- A feature may lie in a portfolio epic without an epic between them.
        above := above || coalesce(wanted, '{}');
      end if;
      if marked4 is not null or above <> '{}' then
        wanted := coalesce(marked4, '{}') || above;
        perform 1 from general where id = any(wanted) and general.entity_type_id + 0 in (31) LOCKED;
        wanted := total_portfolio_epics(wanted);
        if marked4 is not null then wanted := wanted || PARENTS_OF(marked4); end if;
        above := coalesce(wanted, '{}');
      end if;
      if spans is not null then
        perform 1 from general where id = any(spans) LOCKED;
        perform recompute_spans(spans);
      end if;
    end if;
    if IS_FOLDING and summed is not null then
      perform fold_spans(array(
        select distinct s.span from general g cross join lateral SPANS_OF(g)
        where g.id = any(summed) and s.span is not null));
    end if;
    if NOTE(folded) <> '' then perform fold_spans(IDS_OF(folded)); end if;
    FORGET
    setting := set_config('worktrack.totals', mode, true);
  end $$ $define$);

-- It forgets what is plain, too.
call define($define$
create or replace function recompute_totals() returns void language plpgsql PLANNED_ONCE as $$
  declare
    setting text;
    settings text[] := array[NOTE(totals), NOTE(history), NOTE(versions)];
  begin
    lock table general, role_effort, "time", span_delta in share row exclusive mode;
    perform set_config('worktrack.totals', 'off', true), set_config('worktrack.history', 'off', true),
      set_config('worktrack.versions', 'off', true);
    perform total_tasks(array(select id from general where entity_type_id in (5) and delete_date is null));
    perform total_work(array(
      select id from general where entity_type_id in (4, 8, 13, 14, 17) and delete_date is null));
    perform total_features(array(select id from general where entity_type_id in (9) and delete_date is null));
    perform total_epics(array(select id from general where entity_type_id in (27) and delete_date is null));
    perform total_portfolio_epics(array(select id from general where entity_type_id in (31) and delete_date is null));
    perform recompute_spans(array(
      select id from general where entity_type_id in (1, 2, 3, 24) and delete_date is null));
    FORGET
    perform set_config('worktrack.totals', settings[1], true), set_config('worktrack.history', settings[2], true),
      set_config('worktrack.versions', settings[3], true);
  end $$ $define$);

-- Finality alone moves the totals of the item itself, and what follows from these. What parts in its own project bring
-- an item or take from it is its own change, and so is what it finds when it is restored: it has a record in the
-- histories.
call define_note('general', 'update', '{ids, owners, finished, spans}', $$
  if not exists (select FACTS from fresh except all select FACTS from stale) then return null; end if;
  select array_agg(n.id) into ids from fresh n
    where n.delete_date is not null and LEVEL_OF(n) >= 5
      and n.id in (select o.id from stale o where o.delete_date is null and LEVEL_OF(o) >= 5);
  if ids is not null then perform fold_spans(ids, true); end if;
  with changed as (
    select TOTALLED, count(*) over (partition by TOTALLED_BUT_FINAL) = 2 as is_same
    from (select v.*, IS_FINAL(v) as is_final from (CHANGED_ROWS) v) v
    group by TOTALLED having count(*) = 1)
  select array_agg(distinct c.id) filter (where LEVEL_OF(c) is not null),
    array_agg(distinct PARENT_OF(c)) filter (where PARENT_OF(c) is not null and not c.is_same),
    array_agg(distinct c.id) filter (where LEVEL_OF(c) is not null and c.is_same)
    into ids, owners, finished from changed c;
  ADD_TO(noted, ids)
  ADD_TO(noted, owners)
  ADD_TO(plain, finished)
  if owners is not null then
    select array_agg(distinct p.id) into owners
      from (
        select v.owner, min(v.project_id) as project_id
        from (select r.id, r.delete_date, r.project_id, PARENT_OF(r) as owner from (CHANGED_ROWS) r) v
        group by v.id, v.delete_date, v.owner having count(*) = 1 and v.delete_date is null) c
      join general p on p.id = c.owner and p.project_id = c.project_id;
    ADD_TO(own, owners)
  end if;
  if exists (select 1 from stale where delete_date is not null) then
    -- Grouped, since the plan of a session may be that for one row: a join of thousands would compare each with each.
    select array_agg(id) into owners from (
      select r.id from (CHANGED_ROWS) r
      group by r.id having bool_or(r.sign < 0 and r.delete_date is not null)
        and bool_or(r.sign > 0 and r.delete_date is null)) restored;
    ADD_TO(own, owners)
  end if;
  GAIN(CHANGED_ROWS)
$$);

call define_note('time', 'insert', '{ids}', $$
  select array_agg(distinct assignable_id) into ids
    from (select assignable_id from fresh) r where assignable_id is not null;
  ADD_TO(noted, ids)
  ADD_TO(own, ids)
  ADD_TO(plain, ids)
$$);

call define_note('time', 'update', '{ids}', $$
  select array_agg(distinct assignable_id) into ids from (
    select assignable_id from (select TIMES from stale union all select TIMES from fresh) v
    group by TIMES, assignable_id having count(*) = 1) r where assignable_id is not null;
  ADD_TO(noted, ids)
  ADD_TO(own, ids)
  ADD_TO(plain, ids)
$$);

call define_note('time', 'delete', '{ids}', $$
  select array_agg(distinct assignable_id) into ids
    from (select assignable_id from stale) r where assignable_id is not null;
  ADD_TO(noted, ids)
  ADD_TO(own, ids)
  ADD_TO(plain, ids)
$$);

-- Who is about to put an item into such a state has looked at its finality, and holds the state by its foreign key:
-- he ends first, so that the item is found here, or comes later and sees the new finality.
call define_note('entity_state', 'update', '{ids}', $$
  select array_agg(id order by id) into ids from (
    select id from (select id, is_final from stale union all select id, is_final from fresh) v
    group by id, is_final having count(*) = 1) s;
  if ids is null then return null; end if;
  perform 1 from entity_state where id = any(ids) order by id for update;
  select array_agg(g.id) into ids from general g
    where LEVEL_OF(g) is not null and g.entity_state_id = any(ids);
  ADD_TO(noted, ids)
$$);
