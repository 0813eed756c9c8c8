-- A span is the time that passes between two dates, in hours: of the days that PostgreSQL makes of them, each would be
-- one of the calendar where it is added to a date, and that may have 23 or 25 hours.
create or replace function bounded_difference(x timestamptz, y timestamptz) returns interval
  language plpgsql stable strict parallel safe as $$
  declare
    span interval;
    days int;
  begin
    if (extract(year from x) between 1 and 9999 and extract(year from y) between 1 and 9999) then
      span := x - y;
      days := extract(day from span);
      return span + make_interval(days => -days, hours => 24 * days);
    end if;
    return null;
  end $$;
