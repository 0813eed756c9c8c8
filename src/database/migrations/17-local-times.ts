/**
 * Local times in the database, by the rule of `local-times.ts`: one that occurs twice means its first occurrence, one that clocks
 * skip is moved on. PostgreSQL itself takes the second occurrence.
 */

/** In the zone of the session. What clocks would show had they not changed since the day before tells by how much they did. */
const localInstant = `create function local_instant(local timestamp) returns timestamptz language plpgsql stable strict parallel safe as $$
declare
  last timestamptz := local;
  first timestamptz;
begin
  if not isfinite(local) then return last; end if;
  first := last - ((last - interval '24 hours')::timestamp + interval '24 hours' - local);
  return case when first < last and first::timestamp = local then first else last end;
end $$`;

/** As in migration 13, but for texts without a zone. */
const momentOf = `create or replace function moment_of(written text) returns timestamptz language plpgsql stable strict parallel safe as $$
declare
  parts int[] := regexp_match(written,
    '^[ \\t]*([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.][0-9]{1,9})?)?[ ]?(?:[Zz]|[+-]([0-9]{2})(?::?([0-9]{2}))?)?)?[ \\t]*$');
begin
  if parts is null or parts[1] = 0 or parts[2] not between 1 and 12 or parts[3] = 0 then return null; end if;
  if parts[3] > extract(day from make_date(parts[1], parts[2], 1) + interval '1 month - 1 day') then return null; end if;
  if parts[4] > 23 or parts[5] > 59 or parts[6] > 59 or parts[7] > 14 or parts[8] > 59 then return null; end if;
  return case when written ~ '[Zz][ \\t]*$' or parts[7] is not null then written::timestamptz else local_instant(written::timestamp) end;
end $$`;

/** Days, months and years are counted on the calendar, from the start of a day to the start of a day; hours are not. */
const shiftedMoment = `create function shifted_moment(x timestamptz, by interval) returns timestamptz language plpgsql stable strict parallel safe as $$
declare
  calendar interval := date_trunc('day', by);
  day timestamp;
begin
  if calendar = interval '0' then return x + by; end if;
  day := date_trunc('day', x::timestamp);
  return local_instant(case when x = local_instant(day) then day else x::timestamp end + calendar) + (by - calendar);
end $$`;

const isNearCalendar = 'extract(epoch from x) + count::numeric * extract(epoch from unit) between -75e9 and 266e9';

const boundedShifts = ['float8', 'numeric'].map(
  (type) => `create or replace function bounded_shift(x timestamptz, count ${type}, unit interval) returns timestamptz
  language plpgsql stable strict parallel safe as
  $$ begin if (abs(count) <= 1e12 and ${isNearCalendar}) then return bounded_moment(shifted_moment(x, count::float8 * unit)); end if; return null; end $$`,
);

export const localTimes = [localInstant, momentOf, shiftedMoment, ...boundedShifts];
