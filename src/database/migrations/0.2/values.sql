-- Functions that compiled requests call.

-- Arithmetic and conversions that give null where PostgreSQL would fail. The database may evaluate an expression of a
-- client on rows that the client may not see, so an expression must not be able to fail: the failure would tell about
-- the row. A factor is zero, or neither so large nor so small that a product of two leaves the range of doubles.

create function bounded_double(x numeric) returns float8 language plpgsql immutable strict parallel safe as $$
  begin
    -- What is smaller than a double can be is zero.
    if (abs(x) <= 1e300) then return case when abs(x) >= 1e-300 then x::float8 else 0 end; end if;
    return null;
  end $$;

-- Sums and averages of these stay in the range of doubles.
create function bounded_double(x float8) returns float8 language plpgsql immutable strict parallel safe as $$
  begin
    if (abs(x) <= 1e140) then return x; end if;
    return null;
  end $$;

create function bounded_sum(x float8, y float8) returns float8 language plpgsql immutable strict parallel safe as $$
  begin
    if (abs(x) <= 1e300 and abs(y) <= 1e300) then return x + y; end if;
    return null;
  end $$;

create function bounded_difference(x float8, y float8) returns float8
  language plpgsql immutable strict parallel safe as $$
  begin
    if (abs(x) <= 1e300 and abs(y) <= 1e300) then return x - y; end if;
    return null;
  end $$;

create function bounded_product(x float8, y float8) returns float8 language plpgsql immutable strict parallel safe as $$
  begin
    if ((x = 0 or abs(x) between 1e-140 and 1e140) and (y = 0 or abs(y) between 1e-140 and 1e140)) then
      return x * y;
    end if;
    return null;
  end $$;

create function bounded_quotient(x float8, y float8) returns float8
  language plpgsql immutable strict parallel safe as $$
  begin
    if ((x = 0 or abs(x) between 1e-140 and 1e140) and (y = 0 or abs(y) between 1e-140 and 1e140) and y <> 0) then
      return x / y;
    end if;
    return null;
  end $$;

-- e to the power of 650 is some 1e282. A negative number has powers with whole exponents only.
create function bounded_power(x float8, y float8) returns float8 language plpgsql immutable strict parallel safe as $$
  begin
    if ((x = 0 or abs(x) between 1e-140 and 1e140) and (y = 0 or abs(y) between 1e-140 and 1e140)
      and case when x = 0 then y >= 0 else (x > 0 or y = trunc(y)) and abs(y * ln(abs(x))) <= 650 end) then
      return power(x, y);
    end if;
    return null;
  end $$;

create function bounded_exponential(x float8) returns float8 language plpgsql immutable strict parallel safe as $$
  begin
    if (x <= 650) then return case when x >= -650 then exp(x) else 0 end; end if;
    return null;
  end $$;

-- Dates have years of four digits.
create function bounded_moment(x timestamptz) returns timestamptz language plpgsql stable strict parallel safe as $$
  begin
    if (extract(year from x) between 1 and 9999) then return x; end if;
    return null;
  end $$;

-- Results may first lie some centuries outside the calendar, because months and years are not all of one length.
create function bounded_sum(x timestamptz, y interval) returns timestamptz
  language plpgsql stable strict parallel safe as $$
  begin
    if (extract(epoch from x) + extract(epoch from y) between -75e9 and 266e9) then
      return bounded_moment(x + y);
    end if;
    return null;
  end $$;

create function bounded_difference(x timestamptz, y interval) returns timestamptz
  language plpgsql stable strict parallel safe as $$
  begin
    if (extract(epoch from x) + -extract(epoch from y) between -75e9 and 266e9) then
      return bounded_moment(x - y);
    end if;
    return null;
  end $$;

create function bounded_difference(x timestamptz, y timestamptz) returns interval
  language plpgsql stable strict parallel safe as $$
  begin
    if (extract(year from x) between 1 and 9999 and extract(year from y) between 1 and 9999) then
      return x - y;
    end if;
    return null;
  end $$;

-- No span is longer than the first and the last date are apart: 315537897600 seconds.
create function bounded_sum(x interval, y interval) returns interval
  language plpgsql immutable strict parallel safe as $$
  begin
    if (abs(extract(epoch from x)) <= 315537897600 and abs(extract(epoch from y)) <= 315537897600) then
      return x + y;
    end if;
    return null;
  end $$;

create function bounded_difference(x interval, y interval) returns interval
  language plpgsql immutable strict parallel safe as $$
  begin
    if (abs(extract(epoch from x)) <= 315537897600 and abs(extract(epoch from y)) <= 315537897600) then
      return x - y;
    end if;
    return null;
  end $$;

-- Local times follow the rule of local-times.ts: one that occurs twice means its first occurrence, one that clocks
-- skip is moved on. PostgreSQL itself takes the second occurrence. What clocks would show had they not changed since
-- the day before tells by how much they did. In the zone of the session.
create function local_instant(local timestamp) returns timestamptz language plpgsql stable strict parallel safe as $$
  declare
    last timestamptz := local;
    first timestamptz;
  begin
    if not isfinite(local) then return last; end if;
    first := last - ((last - interval '24 hours')::timestamp + interval '24 hours' - local);
    return case when first < last and first::timestamp = local then first else last end;
  end $$;

-- Days, months and years are counted on the calendar, from the start of a day to the start of a day; hours are not.
create function shifted_moment(x timestamptz, by interval) returns timestamptz
  language plpgsql stable strict parallel safe as $$
  declare
    calendar interval := date_trunc('day', by);
    day timestamp;
  begin
    if calendar = interval '0' then return x + by; end if;
    day := date_trunc('day', x::timestamp);
    return local_instant(case when x = local_instant(day) then day else x::timestamp end + calendar) + (by - calendar);
  end $$;

create function bounded_shift(x timestamptz, count float8, unit interval) returns timestamptz
  language plpgsql stable strict parallel safe as $$
  begin
    if (abs(count) <= 1e12
      and extract(epoch from x) + count::numeric * extract(epoch from unit) between -75e9 and 266e9) then
      return bounded_moment(shifted_moment(x, count::float8 * unit));
    end if;
    return null;
  end $$;

create function bounded_shift(x timestamptz, count numeric, unit interval) returns timestamptz
  language plpgsql stable strict parallel safe as $$
  begin
    if (abs(count) <= 1e12
      and extract(epoch from x) + count::numeric * extract(epoch from unit) between -75e9 and 266e9) then
      return bounded_moment(shifted_moment(x, count::float8 * unit));
    end if;
    return null;
  end $$;

-- The texts that ISO 8601 writes dates and moments as; without a zone in that of the session. A Unicode collation has
-- other digits, too.
create function moment_of(written text) returns timestamptz language plpgsql stable strict parallel safe as $$
  declare
    parts int[] := regexp_match(written,
      '^[ \t]*([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.][0-9]{1,9})?)?[ ]?(?:[Zz]|[+-]([0-9]{2})(?::?([0-9]{2}))?)?)?[ \t]*$');
  begin
    if parts is null or parts[1] = 0 or parts[2] not between 1 and 12 or parts[3] = 0 then return null; end if;
    if parts[3] > extract(day from make_date(parts[1], parts[2], 1) + interval '1 month - 1 day') then
      return null;
    end if;
    if parts[4] > 23 or parts[5] > 59 or parts[6] > 59 or parts[7] > 14 or parts[8] > 59 then return null; end if;
    return case
      when written ~ '[Zz][ \t]*$' or parts[7] is not null then written::timestamptz
      else local_instant(written::timestamp) end;
  end $$;

-- What ends a statement whose answer becomes too long; the code is that of database-error.ts.
create function answer_too_long() returns text language plpgsql volatile parallel safe as $$
  begin
    raise exception 'the answer is too long' using errcode = 'WT001';
  end $$;

create function measured_text(of text, most int) returns text language plpgsql volatile strict parallel safe as $$
  begin
    return case when octet_length(of) <= most then of else answer_too_long() end;
  end $$;
