import { expect, it } from 'vitest';
import { type Observed, readinessOf } from './readiness.js';

const fine = { isReadOnly: false, lagSeconds: 0 };
const calm: Observed = { isDraining: false, isCrowded: false, primary: fine, replica: fine };

it.each([
  ['all is well', {}, true, true, []],
  ['it ends', { isDraining: true, primary: undefined, replica: undefined }, false, false, ['draining']],
  ['the database is away', { primary: undefined, replica: undefined }, false, false, ['database away']],
  ['only the primary is away', { primary: undefined }, false, false, ['database away']],
  ['the replica is away', { replica: undefined }, false, false, ['replica away']],
  ['the primary is read-only', { primary: { ...fine, isReadOnly: true } }, true, false, ['database read-only']],
  ['the replica is read-only', { replica: { ...fine, isReadOnly: true } }, true, true, []],
  ['the replica is late', { replica: { isReadOnly: true, lagSeconds: 31 } }, true, true, ['replica late']],
  ['all places to wait are taken', { isCrowded: true }, true, true, ['too many requests wait']],
] as const)('when %s', (_, observed, reads, writes, reasons) =>
  expect(readinessOf({ ...calm, ...observed })).toEqual({ reads, writes, reasons }));
