import { expect, it } from 'vitest';
import { type Observed, readinessOf } from './readiness.js';

const fine = { isReadOnly: false };
const near = { isAway: false, isOfAnother: false, lagMs: 20 };
const gone = { ...near, isAway: true, lagMs: Number.POSITIVE_INFINITY };
const late = { ...near, lagMs: Number.POSITIVE_INFINITY };
const another = { ...late, isOfAnother: true };
const calm: Observed = { isDraining: false, isCrowded: false, primary: fine, replicas: [near, near] };

it.each([
  ['all is well', {}, true, true, []],
  ['there are no replicas', { replicas: [] }, true, true, []],
  ['it ends', { isDraining: true, primary: undefined }, false, false, ['draining']],
  ['all are away', { primary: undefined, replicas: [gone] }, false, false, ['database away', 'replica away']],
  [
    'there are no replicas and the database is away',
    { primary: undefined, replicas: [] },
    false,
    false,
    ['database away'],
  ],
  ['only the primary is away', { primary: undefined }, true, false, ['database away']],
  [
    'only a late replica is left',
    { primary: undefined, replicas: [late] },
    false,
    false,
    ['database away', 'replica late'],
  ],
  ['one replica is away', { replicas: [near, gone] }, true, true, ['replica away']],
  ['all replicas are away', { replicas: [gone, gone] }, true, true, ['replica away']],
  ['a replica is late', { replicas: [late, near] }, true, true, ['replica late']],
  ['one is none of this database', { replicas: [another, near] }, true, true, ['replica of another database']],
  ['the primary is read-only', { primary: { isReadOnly: true } }, true, false, ['database read-only']],
  ['all places to wait are taken', { isCrowded: true }, true, true, ['too many requests wait']],
] as const)('when %s', (_, observed, reads, writes, reasons) =>
  expect(readinessOf({ ...calm, ...observed })).toEqual({ reads, writes, reasons }));
