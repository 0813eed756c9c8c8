-- The database keeps the totals of effort, time and progress right in the transaction that moves them, whoever
-- writes: triggers note what has moved, and before the transaction ends all that is noted is summed up, from the
-- bottom to the top.
--
-- Kinds have levels: 0 tasks (5); 1 stories (4), bugs (8), test plans (13), their runs (14) and requests (17); 2
-- features (9); 3 epics (27); 4 portfolio epics (31). Above these lie the spans: 5 iterations (3) and team iterations
-- (24), 6 releases (2), 7 projects (1). Rows are locked by level, and by id within a level, so that no two
-- transactions wait for each other.
--
-- The parent of a bug is its feature, not its story. A feature may lie in a portfolio epic without an epic between
-- them. Spans sum up stories, bugs and requests; tasks are in their stories already.
--
-- "entity_type_id + 0 in (...)" and "num_nulls(delete_date) = 1" are conditions that no index answers, on purpose:
-- without statistics PostgreSQL takes "all live tasks" for as few as "the tasks of this story", and would go through
-- all of them for each story.

-- What spans have gained since their own numbers were stored. Writers append and wait for nobody; a row counts as one
-- change of the span's version. Rows of a deleted span mean nothing.
create table span_delta (
  span_id bigint not null,
  effort numeric(18,4) not null,
  effort_completed numeric(18,4) not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000000);

create index ix_span_delta on span_delta (span_id);

insert into macro (name, text) values
  -- A session makes these plans once, maybe while the tables are empty, and keeps them: they must look rows up by
  -- key.
  ('PLANNED_ONCE', 'set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off'),

  -- What the spans of these rows gain, summed up by all places together before it is split by place. One transaction
  -- of 64 adds up what the spans that it moves have gained.
  ('GAIN', 'if IS_FOLDING then
      with gained as (GAINED_BY(\1) returning span_id) select array_agg(span_id) into spans from gained;
      ADD_TO(folded, spans)
    else
      GAINED_BY(\1);
    end if;'),
  ('GAINED_BY', 'insert into span_delta (span_id, effort, effort_completed)
    select s.span, sum(v.effort), sum(v.effort_completed)
    from (
      select project_id, release_id, iteration_id, team_iteration_id,
        sum(sign * coalesce(effort, 0)) as effort, sum(sign * coalesce(effort_completed, 0)) as effort_completed
      from (\1) r where r.delete_date is null and r.entity_type_id + 0 in (4, 8, 17)
      group by project_id, release_id, iteration_id, team_iteration_id) v
    cross join lateral SPANS_OF(v)
    where s.span is not null group by s.span having sum(v.effort) <> 0 or sum(v.effort_completed) <> 0'),
  ('ADDED_ROWS', 'select 1 as sign, v.* from fresh v'),
  ('REMOVED_ROWS', 'select -1 as sign, v.* from stale v'),
  -- Without joins the same plan is good for one row and for thousands.
  ('CHANGED_ROWS', 'select -1 as sign, FACTS_OF(v) from stale v union all select 1, FACTS_OF(v) from fresh v'),
  ('FACTS', 'id, entity_type_id, entity_state_id, units, delete_date, user_story_id, feature_id, epic_id,
    portfolio_epic_id, effort, effort_completed, effort_to_do, time_spent, time_remain, progress, project_id,
    release_id, iteration_id, team_iteration_id'),
  ('TOTALLED', 'id, entity_type_id, units, delete_date, is_final, user_story_id, feature_id, epic_id,
    portfolio_epic_id, effort, effort_completed, effort_to_do, time_spent, time_remain, progress'),
  ('EFFORTS', 'id, assignable_id, role_id, own_effort, own_completed, effort, effort_completed, effort_to_do,
    time_spent, time_remain'),
  ('TIMES', 'id, assignable_id, role_id, spent, remain, date'),
  ('FACTS_OF', '\1.id, \1.entity_type_id, \1.entity_state_id, \1.units, \1.delete_date, \1.user_story_id,
    \1.feature_id, \1.epic_id, \1.portfolio_epic_id, \1.effort, \1.effort_completed, \1.effort_to_do,
    \1.time_spent, \1.time_remain, \1.progress, \1.project_id, \1.release_id, \1.iteration_id,
    \1.team_iteration_id'),
  -- By a hash of the number of the transaction, so that no regular pattern of writes is left out.
  ('IS_FOLDING', 'hashint8(pg_current_xact_id()::text::bigint) & 63 = 0'),
  ('SPANS_OF', '(values (5, \1.iteration_id), (5, \1.team_iteration_id), (6, \1.release_id), (7, \1.project_id))
    s(level, span)'),

  -- Rows that this transaction has written are locked already.
  ('LOCKED', 'and xmin <> pg_current_xact_id()::xid order by LEVEL_OF(general), id for no key update'),
  ('LEVEL_OF', 'case \1.entity_type_id when 5 then 0 when 4 then 1 when 8 then 1 when 13 then 1 when 14 then 1
    when 17 then 1 when 9 then 2 when 27 then 3 when 31 then 4 when 3 then 5 when 24 then 5 when 2 then 6
    when 1 then 7 end'),
  ('PARENTS_OF', 'array(select PARENT_OF(g) from general g where g.id = any(\1) and PARENT_OF(g) is not null)'),
  ('PARENT_OF', 'case \1.entity_type_id when 5 then \1.user_story_id when 4 then \1.feature_id
    when 8 then \1.feature_id when 9 then coalesce(\1.epic_id, \1.portfolio_epic_id)
    when 27 then \1.portfolio_epic_id end'),
  -- A look-up by key: most statements write one row.
  ('IS_FINAL', 'coalesce((select e.is_final from entity_state e where e.id = \1.entity_state_id), false)'),
  ('PROGRESS_OF', 'case when g.entity_type_id = 1
      and coalesce(g.entity_state_id in (select e.id from entity_state e where e.is_final), false) then 1
    when \1.effort > 0 then round(least(\1.completed / \1.effort, 1), 4) else 0 end'),

  -- Notes of the transaction: ids, each behind a comma. An assignment is evaluated without a query.
  ('ADD_TO', $$if \2 is not null then
      setting := set_config('worktrack.\1', NOTE(\1) || ',' || array_to_string(\2, ','), true);
    end if;$$),
  ('IDS_OF', $$string_to_array(ltrim(NOTE(\1), ','), ',')::bigint[]$$),
  -- Ids in "confirmed" are in "made" as well, and those in "own" are in "noted".
  ('IS_SETTLED', $$NOTE(noted) || NOTE(made) || NOTE(folded) = ''$$),
  ('NOTE', $$coalesce(current_setting('worktrack.\1', true), '')$$),
  ('FORGET', $$setting := set_config('worktrack.noted', '', true);
    setting := set_config('worktrack.own', '', true);
    setting := set_config('worktrack.made', '', true);
    setting := set_config('worktrack.confirmed', '', true);
    setting := set_config('worktrack.folded', '', true);$$);

-- total_tasks, total_work, total_features, total_epics and total_portfolio_epics sum up the items of one level from
-- their efforts, their times and their parts ("c" is a part of "g"), and store what differs. Each takes ids of locked
-- rows and returns the parents of those that changed. Deleted items keep the numbers they had.
do $do$
  declare
    level record;
    times_below text;
    rows_below text;
    moved text;
  begin
    for level in select * from (values
      ('total_tasks', '5', null),
      ('total_work', '4, 8, 13, 14, 17', 'c.user_story_id = g.id and c.entity_type_id + 0 in (5)'),
      ('total_features', '9', 'c.feature_id = g.id and c.entity_type_id + 0 in (4, 8)'),
      ('total_epics', '27', 'c.epic_id = g.id and c.entity_type_id + 0 in (9)'),
      ('total_portfolio_epics', '31', 'c.portfolio_epic_id = g.id
        and (c.entity_type_id + 0 in (27) or c.entity_type_id + 0 in (9) and c.epic_id is null)')
    ) l(name, kinds, part)
    loop
      times_below := 'select 0 as spent, 0 as remain';
      rows_below := '';
      moved := '';
      if level.part is not null then
        times_below := format($$
          select coalesce(sum(c.time_spent), 0) as spent, coalesce(sum(c.time_remain), 0) as remain
          from general c where %s and num_nulls(c.delete_date) = 1 $$, level.part);
        rows_below := format($$
              union all
              select r.role_id, false, true, false, 0, r.effort, r.effort_completed, 0, 0, r.time_spent, r.time_remain,
                0, 0, 0, 0, 0, null::numeric
              from general c join role_effort r on r.assignable_id = c.id
              where %s and num_nulls(c.delete_date) = 1
                and (r.effort > 0 or r.time_spent > 0 or r.time_remain > 0) $$, level.part);
      end if;
      if level.name = 'total_work' then
        -- What the spans of an item gain or lose by its new numbers.
        moved := $$,
          moved as (
            insert into span_delta (span_id, effort, effort_completed)
            select s.span, sum(item_effort - coalesce(was_effort, 0)),
              sum(item_completed - coalesce(was_effort_completed, 0))
            from computed n cross join lateral SPANS_OF(n)
            where n.is_first and n.item_differs and n.entity_type_id + 0 in (4, 8, 17) and s.span is not null
            group by s.level, s.span
            having sum(item_effort - coalesce(was_effort, 0)) <> 0
              or sum(item_completed - coalesce(was_effort_completed, 0)) <> 0) $$;
      end if;
      call define(format($function$
create function %1$s(wanted bigint[]) returns bigint[] language plpgsql as $$
  declare above bigint[];
  begin
    with
      -- Look-ups by key for each item, here and below: the same plan is good for one item and for a large database.
      item as (
        select g.id, g.units,
          PARENT_OF(g) as parent,
          g.entity_type_id, g.project_id, g.release_id, g.iteration_id, g.team_iteration_id,
          coalesce(s.is_final, false) as is_final,
          g.effort as was_effort, g.effort_completed as was_effort_completed, g.effort_to_do as was_effort_to_do,
          g.time_spent as was_time_spent, g.time_remain as was_time_remain, g.progress as was_progress,
          below.spent as below_spent, below.remain as below_remain
        from general g left join entity_state s on s.id = g.entity_state_id
          cross join lateral (%3$s) below
        where g.id = any(wanted) and g.entity_type_id + 0 in (%2$s) and num_nulls(g.delete_date) = 1),
      -- A row for each role of an item, stored or not; null is the role of times without one. An item without roles
      -- has one row. The time that remains is that of the newest time record.
      role as (
        select g.*, p.role_id, coalesce(p.has_row, false) as has_row,
          coalesce(p.has_row or p.is_below, false) as is_kept, p.is_above, p.below_completed,
          p.row_effort, p.row_effort_completed, p.row_effort_to_do, p.row_time_spent, p.row_time_remain,
          p.own_completed,
          case when p.is_above then p.below_effort else p.own_effort end as effort,
          p.own_spent, p.own_spent + p.role_spent as role_spent, p.role_remain,
          case when p.has_time or p.is_above or g.is_final or g.units is distinct from 'h' then p.own_remain
            else p.own_effort end as own_remain
        from item g left join lateral (
            select role_id, bool_or(has_row) as has_row, bool_or(is_below) as is_below, bool_or(has_time) as has_time,
              sum(below_effort) > 0 as is_above, sum(own_effort) as own_effort, sum(below_effort) as below_effort,
              sum(below_completed) as below_completed, sum(own_spent) as own_spent, sum(own_remain) as own_remain,
              sum(role_spent) as role_spent, sum(role_remain) as role_remain, sum(row_effort) as row_effort,
              sum(row_effort_completed) as row_effort_completed, sum(row_effort_to_do) as row_effort_to_do,
              sum(row_time_spent) as row_time_spent, sum(row_time_remain) as row_time_remain,
              sum(own_completed) as own_completed
            from (
              select r.role_id, true as has_row, false as is_below, false as has_time, r.own_effort,
                0 as below_effort, 0 as below_completed, 0 as own_spent, 0 as own_remain, 0 as role_spent,
                0 as role_remain, r.effort as row_effort, r.effort_completed as row_effort_completed,
                r.effort_to_do as row_effort_to_do, r.time_spent as row_time_spent, r.time_remain as row_time_remain,
                r.own_completed
              from role_effort r where r.assignable_id = g.id %4$s
              union all
              select t.role_id, false, false, true, 0, 0, 0, sum(t.spent),
                (array_agg(t.remain order by t.date desc nulls last, t.id desc))[1], 0, 0, 0, 0, 0, 0, 0, null::numeric
              from time t where t.assignable_id = g.id group by t.role_id
            ) parts group by role_id) p on true),
      sums as (
        select *, row_number() over w = 1 as is_first,
          coalesce(sum(effort) filter (where is_kept) over w, 0) as item_effort,
          below_spent + coalesce(sum(own_spent) over w, 0) as item_spent,
          below_remain + coalesce(sum(own_remain) over w, 0) as item_remain,
          coalesce(sum(case when is_above then below_completed
            when own_completed is not null then least(effort, own_completed) end) over w, 0) as item_done
        from role window w as (partition by id)),
      progressed as (
        select *, case when is_final then 1
          when item_spent > 0 then round(item_spent / (item_spent + item_remain), 4)
          when item_effort > 0 then round(least(item_done / item_effort, 1), 4)
          else 0 end as progress
        from sums),
      -- The completed effort of a role is the one that a client wrote, else it follows from the times of the role.
      completed as (
        select *, case when is_final then effort
          when is_above then least(effort, round(below_completed, 4))
          else case when own_completed is not null then least(effort, own_completed)
            when role_spent > 0
              then least(effort, round(effort * round(role_spent / (role_spent + own_remain + role_remain), 4), 4))
            else 0 end end as completed
        from progressed),
      finished as (
        select *, coalesce(sum(completed) filter (where is_kept) over (partition by id), 0) as item_completed
        from completed),
      computed as materialized (
        select *,
          is_kept and (row_effort, row_effort_completed, row_effort_to_do, row_time_spent, row_time_remain)
            is distinct from (effort, completed, effort - completed, role_spent, own_remain + role_remain)
            as role_differs,
          (was_effort, was_effort_completed, was_effort_to_do, was_time_spent, was_time_remain, was_progress)
            is distinct from (item_effort, item_completed, item_effort - item_completed, item_spent, item_remain,
            progress) as item_differs
        from finished),
      -- Somebody may have added the same row, of zeros, since the statement began.
      added as (
        insert into role_effort (assignable_id, role_id, own_effort, effort, effort_completed, effort_to_do, time_spent,
          time_remain)
        select id, role_id, 0, effort, completed, effort - completed, role_spent, own_remain + role_remain
        from computed where is_kept and not has_row order by id, role_id
        on conflict (assignable_id, role_id) do update set effort = excluded.effort,
          effort_completed = excluded.effort_completed, effort_to_do = excluded.effort_to_do,
          time_spent = excluded.time_spent, time_remain = excluded.time_remain),
      corrected as (
        update role_effort r set effort = n.effort, effort_completed = n.completed,
          effort_to_do = n.effort - n.completed, time_spent = n.role_spent, time_remain = n.own_remain + n.role_remain
        from computed n
        where n.has_row and n.role_differs and r.assignable_id = n.id and r.role_id = n.role_id),
      stored as (
        update general g set effort = n.item_effort, effort_completed = n.item_completed,
          effort_to_do = n.item_effort - n.item_completed, time_spent = n.item_spent, time_remain = n.item_remain,
          progress = n.progress
        from computed n where n.is_first and n.item_differs and g.id = n.id) %5$s
    select array_agg(distinct parent) into above from computed
    where parent is not null and (role_differs or item_differs);
    return above;
  end $$ $function$, level.name, level.kinds, times_below, rows_below, moved));
    end loop;
  end $do$;

-- Adds what spans have gained to their own numbers. Spans that others have locked are left to a later transaction, so
-- nobody waits here. "closing": these spans are being deleted.
call define($define$
create function fold_spans(wanted bigint[], closing boolean default false) returns void language plpgsql
  PLANNED_ONCE as $$
  declare
    free bigint[] := array(
      select id from general where id = any(wanted) order by LEVEL_OF(general), id for no key update skip locked);
    mode text := coalesce(current_setting('worktrack.totals', true), '');
    counting text := coalesce(current_setting('worktrack.versions', true), '');
  begin
    perform set_config('worktrack.totals', 'settling', true), set_config('worktrack.versions', 'off', true);
    with
      gone as (delete from span_delta where span_id = any(free) returning *),
      gained as (
        select span_id, count(*) as changes, sum(effort) as effort, sum(effort_completed) as completed
        from gone group by span_id)
    update general t set effort = n.effort, effort_completed = n.completed, effort_to_do = n.effort - n.completed,
      progress = n.progress, entity_version = t.entity_version + n.changes
    from (
      select g.id, s.effort, s.completed, s.changes, PROGRESS_OF(s) as progress
      from (
        select i.id, d.changes, i.effort + d.effort as effort, i.effort_completed + d.completed as completed
        from gained d join general i on i.id = d.span_id) s join general g on g.id = s.id) n
    where t.id = n.id and (closing or num_nulls(t.delete_date) = 1);
    perform set_config('worktrack.totals', mode, true), set_config('worktrack.versions', counting, true);
  end $$ $define$);

-- Sums locked spans up from their items, and removes what was appended for them.
call define($define$
create function recompute_spans(wanted bigint[]) returns void language sql as $$
  with
    gone as (delete from span_delta where span_id = any(wanted) returning span_id),
    changes as (select span_id as id, count(*) as n from gone group by span_id)
  update general t set effort = n.effort, effort_completed = n.completed, effort_to_do = n.effort - n.completed,
    progress = n.progress,
    entity_version = t.entity_version + coalesce((select c.n from changes c where c.id = t.id), 0)
  from (
    select g.id, s.effort, s.completed, PROGRESS_OF(s) as progress
    from general g cross join lateral (
      select coalesce(sum(effort), 0) as effort, coalesce(sum(effort_completed), 0) as completed
      from (
        select i.effort, i.effort_completed from general i
        where g.entity_type_id = 3 and i.iteration_id = g.id and i.entity_type_id + 0 in (4, 8, 17)
          and num_nulls(i.delete_date) = 1
        union all
        select i.effort, i.effort_completed from general i
        where g.entity_type_id = 24 and i.team_iteration_id = g.id and i.entity_type_id + 0 in (4, 8, 17)
          and num_nulls(i.delete_date) = 1
        union all
        select i.effort, i.effort_completed from general i
        where g.entity_type_id = 2 and i.release_id = g.id and i.entity_type_id + 0 in (4, 8, 17)
          and num_nulls(i.delete_date) = 1
        union all
        select i.effort, i.effort_completed from general i
        where g.entity_type_id = 1 and i.project_id = g.id and i.entity_type_id in (4, 8, 17) and i.delete_date is null
      ) i) s
    where g.id = any(wanted)) n
  where t.id = n.id and num_nulls(t.delete_date) = 1
    and ((t.effort, t.effort_completed, t.effort_to_do, t.progress)
        is distinct from (n.effort, n.completed, n.effort - n.completed, n.progress)
      or t.id in (select c.id from changes c))
$$ $define$);

-- Brings the totals that a transaction has moved up to date: at its end, or when it asks by "set constraints all
-- immediate". Notes are held in settings of the transaction, so that nothing is written only to be deleted, and a
-- savepoint that is taken back takes its notes along: "noted" are Generals to sum up anew; "own" those of them whose
-- own efforts or times changed; "made" new items that claim that their numbers are right, and "confirmed" those of
-- them whose efforts have come and say the same; "folded" spans whose differences this transaction adds up.
--
-- The parent of a noted item is summed up in any case: its rows of efforts may be gone, or have come with the right
-- numbers.
call define($define$
create function settle_totals() returns void language plpgsql PLANNED_ONCE as $$
  declare
    marked0 bigint[];
    marked1 bigint[];
    marked2 bigint[];
    marked3 bigint[];
    marked4 bigint[];
    spans bigint[];
    wanted bigint[];
    above bigint[] := '{}';
    summed bigint[];
    mode text := coalesce(current_setting('worktrack.totals', true), '');
    setting text;
  begin
    if IS_SETTLED then return; end if;
    setting := set_config('worktrack.totals', 'settling', true);
    -- There is nothing to sum up where all new items were confirmed.
    if not (NOTE(noted) = '' and NOTE(made) = NOTE(confirmed)) then
      wanted := array(
        select unnest(IDS_OF(noted)) union (select unnest(IDS_OF(made)) except select unnest(IDS_OF(confirmed))));
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
        summed := wanted;
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

-- Triggers of rows come before those of statements, which note what has moved. So where there is nothing to settle
-- yet, constraints are immediate, or the transaction ends: triggers that note more settle it at once.
call define($define$
create function settle() returns trigger language plpgsql as $$
  declare
    setting text;
  begin
    if IS_SETTLED then
      setting := set_config('worktrack.immediate', 'on', true);
    else
      perform settle_totals();
    end if;
    return null;
  end $$ $define$);

-- For repair and for mass loading. Writers wait, versions are not counted, histories are not written.
call define($define$
create function recompute_totals() returns void language plpgsql PLANNED_ONCE as $$
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

-- Triggers that note, a statement at a time, whose totals a change may have moved. They sum up nothing themselves.
-- Loading large or past data sums up at its end; what is being settled needs no notes.
create procedure define_note(noted_table text, operation text, variables text[], statements text) language plpgsql as $$
  declare
    rows constant text := case operation when 'insert' then 'new table as fresh' when 'delete' then 'old table as stale'
      else 'old table as stale new table as fresh' end;
  begin
    call define(format($function$
      create function note_%1$s_%2$s() returns trigger language plpgsql PLANNED_ONCE as $body$
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
    -- Named to come behind the triggers of the history, which has to know of an item before it knows of its changes.
    execute format($trigger$
      create trigger %1$s_totals_%2$s after %2$s on %1$I referencing %3$s
        for each statement execute function note_%1$s_%2$s() $trigger$, noted_table, operation, rows);
    -- Once at the end of the transaction, whatever the number of rows: the first of these triggers settles for all.
    execute format($trigger$
      create constraint trigger %1$s_settle_%2$s after %2$s on %1$I deferrable initially deferred
        for each row when (coalesce(current_setting('worktrack.totals', true), '') = '')
        execute function settle() $trigger$, noted_table, operation);
  end $$;

call define_note('general', 'insert', '{ids, owners, spans}', $$
  select array_agg(v.id) filter (where LEVEL_OF(v) < 5),
    array_agg(PARENT_OF(v)) filter (where PARENT_OF(v) is not null)
      || array_agg(v.id) filter (where LEVEL_OF(v) >= 5)
    into ids, owners
    from fresh v
    where v.delete_date is null
      and not ((v.effort, v.effort_completed, v.effort_to_do, v.time_spent, v.time_remain, v.progress)
        is not distinct from (0, 0, 0, 0, 0, IS_FINAL(v)::int));
  ADD_TO(made, ids)
  ADD_TO(noted, owners)
  if ids is not null then
    GAIN(ADDED_ROWS)
  end if;
$$);

-- Finality, not the state itself: most changes of state move no totals. Facts that are the same before and after come
-- twice. What a span has gained before it is deleted is added to it; what it gains later is not.
call define_note('general', 'update', '{ids, spans}', $$
  if not exists (select FACTS from fresh except all select FACTS from stale) then return null; end if;
  select array_agg(n.id) into ids from fresh n
    where n.delete_date is not null and LEVEL_OF(n) >= 5
      and n.id in (select o.id from stale o where o.delete_date is null and LEVEL_OF(o) >= 5);
  if ids is not null then perform fold_spans(ids, true); end if;
  with changed as (
    select TOTALLED from (select v.*, IS_FINAL(v) as is_final from (CHANGED_ROWS) v) v
    group by TOTALLED having count(*) = 1)
  select array_agg(id) into ids from (
    select c.id from changed c where LEVEL_OF(c) is not null
    union
    select PARENT_OF(p) as id from (select * from changed) p where PARENT_OF(p) is not null) n;
  ADD_TO(noted, ids)
  GAIN(CHANGED_ROWS)
$$);

call define_note('general', 'delete', '{ids, spans}', $$
  select array_agg(id) into ids from (
    select PARENT_OF(p) as id from (select * from stale) p where PARENT_OF(p) is not null) n;
  ADD_TO(noted, ids)
  GAIN(REMOVED_ROWS)
$$);

-- A row of zeros changes nothing but where times of its role are waiting for it. Rows confirm a claim once: those
-- that come later are not in the numbers that were confirmed. A claim is right where a new item has just the sums of
-- its new rows, without parts and times.
call define_note('role_effort', 'insert', '{ids, owners, claims}', $$
  if NOTE(confirmed) = '' then
    claims := IDS_OF(made);
  else
    claims := array(select unnest(IDS_OF(made)) except select unnest(IDS_OF(confirmed)));
  end if;
  select array_agg(r.id) filter (where r.is_right), array_agg(r.id) filter (where not r.is_right)
    into ids, owners
    from (
      select r.id, coalesce(r.is_written and r.id in (select unnest(claims))
        and g.effort = r.effort and g.effort_completed = r.effort_completed
        and g.effort_to_do = r.effort - r.effort_completed and g.time_spent = 0
        and case when e.is_final is true
          then g.progress = 1 and r.is_done and g.time_remain = 0 and r.is_timeless
          else g.progress = 0 and r.is_open and case when g.units is not distinct from 'h'
            then g.time_remain = r.effort and r.is_whole
            else g.time_remain = 0 and r.is_timeless end end, false) as is_right
      from (
        select assignable_id as id, sum(effort) as effort, sum(effort_completed) as effort_completed,
          bool_and(own_effort = effort and own_completed is null and time_spent = 0
            and effort_to_do = effort - effort_completed) as is_written,
          bool_and(effort_completed = effort) as is_done, bool_and(effort_completed = 0) as is_open,
          bool_and(time_remain = effort) as is_whole, bool_and(time_remain = 0) as is_timeless
        from fresh v group by assignable_id
        having bool_or(
          not (v.own_effort, v.effort, v.effort_completed, v.effort_to_do, v.time_spent, v.time_remain)
            = (0, 0, 0, 0, 0, 0)
          or own_completed is not null
          or exists (select 1 from time t where t.assignable_id = v.assignable_id and t.role_id = v.role_id))) r
        join general g on g.id = r.id left join entity_state e on e.id = g.entity_state_id offset 0) r;
  ADD_TO(confirmed, ids)
  ADD_TO(noted, owners)
  ADD_TO(own, owners)
$$);

call define_note('role_effort', 'update', '{ids}', $$
  select array_agg(distinct assignable_id) into ids from (
    select assignable_id from (select EFFORTS from stale union all select EFFORTS from fresh) v
    group by EFFORTS, assignable_id having count(*) = 1) r where assignable_id is not null;
  ADD_TO(noted, ids)
  ADD_TO(own, ids)
$$);

call define_note('role_effort', 'delete', '{ids}', $$
  select array_agg(distinct assignable_id) into ids
    from (select assignable_id from stale) r where assignable_id is not null;
  ADD_TO(noted, ids)
  ADD_TO(own, ids)
$$);

-- A state of another finality moves the totals of all that is in it.
call define_note('entity_state', 'update', '{ids}', $$
  select array_agg(g.id) into ids from general g
    where LEVEL_OF(g) is not null and g.entity_state_id in (
      select id from (select id, is_final from stale union all select id, is_final from fresh) v
      group by id, is_final having count(*) = 1);
  ADD_TO(noted, ids)
$$);

call define_note('time', 'insert', '{ids}', $$
  select array_agg(distinct assignable_id) into ids
    from (select assignable_id from fresh) r where assignable_id is not null;
  ADD_TO(noted, ids)
  ADD_TO(own, ids)
$$);

call define_note('time', 'update', '{ids}', $$
  select array_agg(distinct assignable_id) into ids from (
    select assignable_id from (select TIMES from stale union all select TIMES from fresh) v
    group by TIMES, assignable_id having count(*) = 1) r where assignable_id is not null;
  ADD_TO(noted, ids)
  ADD_TO(own, ids)
$$);

call define_note('time', 'delete', '{ids}', $$
  select array_agg(distinct assignable_id) into ids
    from (select assignable_id from stale) r where assignable_id is not null;
  ADD_TO(noted, ids)
  ADD_TO(own, ids)
$$);

drop procedure define_note(text, text, text[], text);
