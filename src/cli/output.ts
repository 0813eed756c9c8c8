/** What commands write: results on standard output, as a table or as JSON, and progress on standard error. */
import { endProcess } from '../server/end-process.js';
import { exitCodes } from './command-error.js';
import { type Cells, pairs, table } from './table.js';

export const say = (line: string): void => void process.stdout.write(`${harmless(line)}\n`);

export const warn = (line: string): void => void process.stderr.write(`${harmless(line)}\n`);

/** Whatever a service or a person named: nothing steers the terminal, or turns the direction of what follows. */
const harmless = (line: string): string => line.replace(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');

/** As they are, but for a terminal. */
export async function writeBytes(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  if (process.stdout.isTTY) return writeText(pieces);
  for await (const piece of pieces) await written(piece);
}

/** Ends with the end of a line. */
export async function writeText(pieces: AsyncIterable<Uint8Array>, spell = (text: string) => text): Promise<void> {
  const decoder = new TextDecoder();
  let last = '';
  for await (const piece of pieces) {
    const text = spell(decoder.decode(piece, { stream: true }));
    last = text.at(-1) ?? last;
    // Lines of CSV end with two characters, of which a terminal needs one.
    await written(process.stdout.isTTY ? harmless(text.replaceAll('\r', '')) : text);
  }
  if (last !== '\n') await written('\n');
}

/** Waits for whoever reads slowly. */
async function written(piece: Uint8Array | string): Promise<void> {
  if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}

/**
 * Who reads standard output may have enough, as `head` does: the command ends without a word, with the code that shells
 * tell of a program that SIGPIPE ends.
 */
export function endWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return void endProcess(exitCodes.unread);
    throw error;
  });
}

export interface Format {
  readonly json?: boolean;
}

/** Of commands that show people a table and programs JSON. */
export const isJsonWanted = ({ json }: Format): boolean => json === true || !process.stdout.isTTY;

/** JSON may be looked at on a terminal, which some characters steer: they are escaped. */
export const spelledJson = (value: unknown): string => steeringEscaped(JSON.stringify(value));

/** Of a text that is JSON already. */
export const steeringEscaped = (json: string): string =>
  json.replace(/[\u007f-\u009f]|\p{Cf}/gu, (steering) =>
    [...Array(steering.length).keys()].map((at) => escaped(steering.charCodeAt(at))).join(''),
  );

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** One object, by line or as JSON. */
export function showOne(cells: Cells, { json }: Format): void {
  say(json ? spelledJson(cells) : pairs(cells));
}

export function showAll(rows: readonly Cells[], { json }: Format): void {
  if (json) {
    say(spelledJson(rows));
    return;
  }
  const { columns } = process.stdout;
  // Where nobody knows the width of a terminal it is given as 0.
  const { text, left } = table(rows, columns || undefined);
  say(text);
  if (left > 0) warn(`Columns without room: ${left}. Ask for fewer, or for JSON by --json.`);
}

const barWidth = 24;

/** A bar that is drawn again on a terminal; elsewhere a line for each part that is done. */
export class Progress {
  private drawnAt = 0;
  private readonly stream = process.stderr;

  /** `total` may be an estimate. */
  update(part: string, done: number, total: number): void {
    const now = performance.now();
    if (!this.stream.isTTY || now - this.drawnAt < 100) return;
    this.drawnAt = now;
    const share = Math.min(1, total > 0 ? done / total : 1);
    const bar = '#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '.');
    this.stream.write(`\r\u001b[K[${bar}] ${String(Math.floor(share * 100)).padStart(3)} %  ${part}`);
  }

  line(text: string): void {
    this.clear();
    this.stream.write(`${harmless(text)}\n`);
  }

  /** Takes the bar away: the next line is somebody else's. */
  clear(): void {
    if (this.stream.isTTY) this.stream.write('\r\u001b[K');
  }

  get isDrawn(): boolean {
    return this.stream.isTTY;
  }
}
