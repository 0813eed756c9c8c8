import { EventEmitter } from 'node:events';
import { parse } from 'pg-protocol';
import { describe, expect, it } from 'vitest';
import { textOf } from '../bytes/text-bytes.js';
import { type RowTaker, splitRows, splitterOf, type Value } from './row-splitter.js';

const message = (letter: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number): Buffer => Buffer.concat([int16((value >> 16) & 65535), int16(value & 65535)]);

const row = (...values: (string | null)[]): Buffer =>
  message(
    'D',
    int16(values.length),
    ...values.flatMap((value) =>
      value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)],
    ),
  );

const long = 'ä€😀'.repeat(4000);
const rows: (string | null)[][] = [
  ['a', 't'],
  [long, null],
  ['', '', ''],
  [null],
  [],
  [`${long}${long}`, 'f'],
  ['é'.repeat(8191), null],
];
const commandComplete = message('C', Buffer.from('SELECT 7\0'));
const ready = message('Z', Buffer.from('I'));
const parameter = message('S', Buffer.from('TimeZone\0UTC\0'));
const answer = Buffer.concat([
  message('1'),
  message('2'),
  parameter,
  ...rows.map((one) => row(...one)),
  commandComplete,
  ready,
]);

/** Sends the bytes in chunks to the driver's parser, through a splitter. Gives what either received, in order. */
function received(bytes: Buffer, chunks: (left: number) => number, isAnswered = (): boolean => true) {
  const events: { by: 'driver' | 'taker'; name: string; fields?: (string | null)[] }[] = [];
  const stream = new EventEmitter();
  splitRows(stream);
  void parse(stream as never, (one) => {
    const { name, fields } = one as { name: string; fields?: (string | null)[] };
    events.push({ by: 'driver', name, fields });
  });
  const taker: RowTaker = {
    get isAnswered() {
      return isAnswered();
    },
    isRefused: false,
    expect: () => undefined,
    handleDataRow: ({ fields }: { fields: Value[] }) => {
      const texts = fields.map((field) => (field === null ? null : textOf(field)));
      events.push({ by: 'taker', name: 'dataRow', fields: texts });
    },
  };
  splitterOf(stream)!.taker = taker;
  for (let at = 0; at < bytes.length; ) {
    const count = Math.max(1, chunks(bytes.length - at));
    // The next chunk is read into the same memory.
    const chunk = Buffer.from(bytes.subarray(at, at + count));
    stream.emit('data', chunk);
    chunk.fill(0xff);
    at += count;
  }
  return events;
}

const names = ['parseComplete', 'bindComplete', 'parameterStatus', ...rows.map(() => 'dataRow'), 'commandComplete'];

describe.each<[string, (left: number) => number]>([
  ['one chunk', (left: number) => left],
  ...[1, 2, 3, 5, 7, 100, 16_384, 65_536].map((size) => [`chunks of ${size}`, () => size] as [string, () => number]),
  ['chunks of all sizes', (left: number) => 1 + ((left * 7919) % 9973)],
])('an answer that comes in %s', (_, chunks) => {
  const events = received(answer, chunks);

  it('is complete and in order', () => {
    expect(events.map(({ name }) => name)).toEqual([...names, 'readyForQuery']);
    expect(events.filter(({ name }) => name === 'dataRow').map(({ fields }) => fields)).toEqual(rows);
  });

  it('has only rows taken out of it', () => {
    expect(events.filter(({ by, name }) => by === 'taker' && name !== 'dataRow')).toEqual([]);
  });
});

it('all rows are taken where their heads are not cut', () => {
  const events = received(answer, (left) => left);
  expect(events.filter(({ by }) => by === 'taker')).toHaveLength(rows.length);
});

it('rows that answer another question go to the driver', () => {
  const events = received(
    answer,
    () => 1000,
    () => false,
  );
  expect(events.filter(({ by }) => by === 'taker')).toEqual([]);
  expect(events.map(({ name }) => name)).toEqual([...names, 'readyForQuery']);
});

it('whether a row is taken is asked when all before it has been handled', () => {
  let ended = 0;
  const both = Buffer.concat([row('a'), commandComplete, ready, row('b'), commandComplete, ready]);
  const stream = new EventEmitter();
  splitRows(stream);
  const driver: unknown[] = [];
  void parse(stream as never, (one) => {
    if ((one as { name: string }).name === 'readyForQuery') ended += 1;
    driver.push((one as { name: string }).name);
  });
  const taken: Value[][] = [];
  splitterOf(stream)!.taker = {
    get isAnswered() {
      return ended === 1;
    },
    isRefused: false,
    expect: () => undefined,
    handleDataRow: ({ fields }) => taken.push(fields),
  };
  stream.emit('data', both);
  expect(taken).toEqual([['b']]);
  expect(driver).toEqual(['dataRow', 'commandComplete', 'readyForQuery', 'commandComplete', 'readyForQuery']);
});
