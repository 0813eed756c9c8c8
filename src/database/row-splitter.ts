/**
 * Takes long values out of what PostgreSQL sends, as the bytes that they are. The driver would put each message
 * together, growing a buffer by copies, and make a text of it, which takes twice the memory and is made bytes again on
 * its way out. Nothing else is touched: what is not such a row goes on to the driver, in order. Nothing keeps a chunk:
 * a socket reads into the same memory again.
 *
 * Messages: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

import type { EventEmitter } from 'node:events';
import { PooledBytes } from '../bytes/pooled-bytes.js';
import type { Text } from '../bytes/text-bytes.js';

export type Value = Text | null;

export interface RowTaker {
  /** Whether rows that come now are answers to its question. */
  readonly isAnswered: boolean;
  /** What comes is dropped. */
  readonly isRefused: boolean;
  /** A value of so many bytes begins, which is long. */
  expect(bytes: number): void;
  handleDataRow(row: { fields: Value[] }): void;
}

const dataRow = 'D'.charCodeAt(0);
/** A letter, and how many bytes follow, these four included. */
const headBytes = 5;
/** So many values. */
const countBytes = 2;
const lengthBytes = 4;

/** Shorter values are texts. */
const long = 16 * 1024;

interface Row {
  readonly taker: RowTaker;
  readonly fields: Value[];
  readonly count: number;
  /** Bytes of the value under way that are still to come, and those that have come. */
  missing: number;
  value: PooledBytes | Buffer[];
}

const splitters = new WeakMap<EventEmitter, RowSplitter>();

/** From now on what the stream receives passes a splitter: before its first byte has come. */
export function splitRows(stream: EventEmitter): void {
  const emit = stream.emit.bind(stream);
  const splitter = new RowSplitter((bytes) => emit('data', bytes));
  splitters.set(stream, splitter);
  stream.emit = (event, ...values) => {
    if (event !== 'data') return emit(event, ...values);
    splitter.receive(values[0]);
    return true;
  };
}

/** None where a stream is not split. */
export const splitterOf = (stream: EventEmitter | undefined): RowSplitter | undefined =>
  stream && splitters.get(stream);

export class RowSplitter {
  /** Who asks for rows; nobody, most of the time. */
  taker: RowTaker | undefined;
  /** Bytes of the message under way that are still to come. */
  private left = 0;
  /** The beginning of a message, which the driver has already. */
  private readonly head = Buffer.alloc(headBytes);
  private headLength = 0;
  private row: Row | undefined;
  /** The beginning of the length of a value. */
  private rest: Buffer | undefined;

  constructor(private readonly pass: (bytes: Buffer) => void) {}

  receive(chunk: Buffer): void {
    const bytes = this.rest ? Buffer.concat([this.rest, chunk]) : chunk;
    this.rest = undefined;
    let from = 0;
    let at = 0;
    while (at < bytes.length) {
      if (this.row) from = at = this.fill(this.row, bytes, at);
      else if (this.left > 0 || this.headLength > 0 || bytes.length - at < headBytes) at = this.skip(bytes, at);
      else if (bytes[at] === dataRow && this.taker && bytes.length - at >= headBytes + countBytes) {
        // What stands before it tells whose row it is.
        this.passOn(bytes, from, at);
        from = at;
        at = this.begin(bytes, at);
      } else at = this.skip(bytes, at);
    }
    if (this.row) return;
    // The driver keeps the beginning of a message.
    const isCut = this.left > 0 || this.headLength > 0;
    this.passOn(isCut ? Buffer.from(bytes.subarray(from)) : bytes.subarray(from), 0, at - from);
  }

  private passOn(bytes: Buffer, from: number, to: number): void {
    if (to > from) this.pass(to - from === bytes.length ? bytes : bytes.subarray(from, to));
  }

  /** Over the message under way, or the head of one. Gives where it ends. */
  private skip(bytes: Buffer, at: number): number {
    if (this.left > 0) {
      const count = Math.min(this.left, bytes.length - at);
      this.left -= count;
      return at + count;
    }
    const count = Math.min(headBytes - this.headLength, bytes.length - at);
    bytes.copy(this.head, this.headLength, at, at + count);
    this.headLength += count;
    if (this.headLength === headBytes) {
      this.headLength = 0;
      this.left = this.head.readInt32BE(1) - lengthBytes;
    }
    return at + count;
  }

  /** A row, where it is for the taker. */
  private begin(bytes: Buffer, at: number): number {
    const { taker } = this;
    if (!taker?.isAnswered) return this.skip(bytes, at);
    const count = bytes.readInt16BE(at + headBytes);
    this.row = { taker, fields: [], count, missing: 0, value: [] };
    return at + headBytes + countBytes;
  }

  /** Takes as much of the row as there is. Gives where that ends. */
  private fill(row: Row, bytes: Buffer, start: number): number {
    let at = start;
    while (row.fields.length < row.count) {
      if (row.missing > 0) {
        if (at === bytes.length) return at;
        at = fillValue(row, bytes, at);
      } else if (bytes.length - at < lengthBytes) {
        this.rest = Buffer.from(bytes.subarray(at));
        return bytes.length;
      } else {
        const length = bytes.readInt32BE(at);
        at += lengthBytes;
        if (length > 0) beginValue(row, length);
        else row.fields.push(length === 0 ? '' : null);
      }
    }
    this.row = undefined;
    row.taker.handleDataRow({ fields: row.fields });
    return at;
  }
}

function beginValue(row: Row, length: number): void {
  row.missing = length;
  row.value = length < long ? [] : new PooledBytes();
  if (length >= long) row.taker.expect(length);
}

function fillValue(row: Row, bytes: Buffer, at: number): number {
  const end = Math.min(bytes.length, at + row.missing);
  const piece = bytes.subarray(at, end);
  row.missing -= piece.length;
  if (!(row.value instanceof PooledBytes)) row.value.push(row.missing > 0 ? Buffer.from(piece) : piece);
  else if (!row.taker.isRefused) row.value.append(piece);
  if (row.missing === 0) row.fields.push(textFrom(row.value));
  return end;
}

function textFrom(value: PooledBytes | Buffer[]): Text {
  if (value instanceof PooledBytes) return value;
  return value.length === 1 ? value[0]!.toString() : Buffer.concat(value).toString();
}
