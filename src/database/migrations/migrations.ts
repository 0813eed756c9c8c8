/** All migrations, in order. A released one is never edited. */
import { Schema1700000000001 } from './1-schema.js';
import { Rules1700000000002 } from './2-rules.js';
import { Stock1700000000003 } from './3-stock.js';
import { History1700000000004 } from './4-history.js';
import { Totals1700000000005 } from './5-totals.js';
import { Writing1700000000006 } from './6-writing.js';
import { Configuration1700000000007 } from './7-configuration.js';
import { Speed1700000000008 } from './8-speed.js';
import { Callers1700000000009 } from './9-callers.js';
import { Restoring1700000000010 } from './10-restoring.js';
import { PastValues1700000000011 } from './11-past-values.js';
import { Skipping1700000000012 } from './12-skipping.js';
import { BoundedValues1700000000013 } from './13-bounded-values.js';
import { MeasuredAnswers1700000000014 } from './14-measured-answers.js';
import { HiddenWork1700000000015 } from './15-hidden-work.js';
import { Clients1700000000017 } from './17-clients.js';
import { FurtherResources1700000000018 } from './18-further-resources.js';
import { StatesAndEfforts1700000000019 } from './19-states-and-efforts.js';
import { AppendedTotals1700000000020 } from './20-totals.js';
import { TakenAlong1700000000021 } from './21-taken-along.js';
import { PlanLinks1700000000022 } from './22-plan-links.js';
import { Memberships1700000000023 } from './23-memberships.js';
import { ChangeRecord1700000000024 } from './24-change-record.js';
import { HiddenPlaces1700000000025 } from './25-hidden-places.js';
import { LongIds1700000000026, longIdTables } from './26-long-ids.js';
import { Storage1700000000027 } from './27-storage.js';
import { FollowingTotals1700000000028 } from './28-following-totals.js';
import { Compatibility1700000000029 } from './29-compatibility.js';
import { Search1700000000031 } from './31-search.js';
import { SharedRateLimits1700000000032 } from './32-shared-rate-limits.js';
import { LongTexts1700000000033 } from './33-long-texts.js';
import { Checksums1700000000034 } from './34-checksums.js';

export const migrations = [
  Schema1700000000001,
  Rules1700000000002,
  Stock1700000000003,
  History1700000000004,
  Totals1700000000005,
  Writing1700000000006,
  Configuration1700000000007,
  Speed1700000000008,
  Callers1700000000009,
  Restoring1700000000010,
  PastValues1700000000011,
  Skipping1700000000012,
  BoundedValues1700000000013,
  MeasuredAnswers1700000000014,
  HiddenWork1700000000015,
  Clients1700000000017,
  FurtherResources1700000000018,
  StatesAndEfforts1700000000019,
  AppendedTotals1700000000020,
  TakenAlong1700000000021,
  PlanLinks1700000000022,
  Memberships1700000000023,
  ChangeRecord1700000000024,
  HiddenPlaces1700000000025,
  LongIds1700000000026,
  Storage1700000000027,
  FollowingTotals1700000000028,
  Compatibility1700000000029,
  Search1700000000031,
  SharedRateLimits1700000000032,
  LongTexts1700000000033,
  Checksums1700000000034,
];

/** The tables that a migration writes anew, by its name. */
export const rewrittenBy: ReadonlyMap<string, string> = new Map([[LongIds1700000000026.name, longIdTables]]);
