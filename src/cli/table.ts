/** Rows as a table that fits the terminal: columns are as wide as letters are shown, and cut where there is no room. */
import { widthOf, widthwise } from './text-width.js';

export type Cells = Readonly<Record<string, unknown>>;

export interface Table {
  readonly text: string;
  /** Columns that found no room. */
  readonly left: number;
}

const between = 2;

/** A column that must be cut keeps so much that it still tells something, such as the day of a date. */
const least = 12;

/** `room`: columns of the terminal; undefined where lines have no end. */
export function table(rows: readonly Cells[], room?: number): Table {
  const [first] = rows;
  if (!first) return { text: 'There are none.', left: 0 };
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => spelled(row[name])))];
  const widest = names.map((_, at) => lines.reduce((most, line) => Math.max(most, widthOf(line[at]!)), 0));
  const widths = room === undefined ? widest : fitting(widest, room);
  const text = lines
    .map((line) =>
      widths
        .map((width, at) => widthwise(line[at]!, width))
        .join(' '.repeat(between))
        .trimEnd(),
    )
    .join('\n');
  return { text, left: names.length - widths.length };
}

/** As many columns as have room, of which the widest ones give way until the others are whole. */
function fitting(widest: readonly number[], room: number): number[] {
  const shown = widest.slice(0, 1);
  for (const width of widest.slice(1)) {
    if (sum([...shown, width].map((one) => Math.min(one, least))) + between * shown.length > room) break;
    shown.push(width);
  }
  const free = room - between * (shown.length - 1);
  let most = Math.max(...shown);
  while (most > least && sum(shown.map((one) => Math.min(one, most))) > free) most -= 1;
  const widths = shown.map((one) => Math.min(one, most));
  // What the last step took too much goes to the first columns that were cut.
  for (let at = 0; at < widths.length && sum(widths) < free; at += 1) if (widths[at]! < shown[at]!) widths[at]! += 1;
  return widths;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** One object, a line for each member. */
export function pairs(cells: Cells): string {
  const width = Math.max(...Object.keys(cells).map((name) => name.length));
  return Object.entries(cells)
    .map(([name, value]) => `${name.padEnd(width)}  ${spelled(value)}`.trimEnd())
    .join('\n');
}

/** Names that clients chose must not steer the terminal. */
const spelled = (value: unknown): string =>
  value === null || value === undefined ? '-' : String(value).replace(/\p{C}/gu, '\ufffd');
