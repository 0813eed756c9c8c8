/** What commands write: results on standard output, as a table or as JSON, and progress on standard error. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export const warn = (line: string): void => void process.stderr.write(`${line}\n`);

type Cells = Readonly<Record<string, unknown>>;

export interface Format {
  readonly json?: boolean;
}

/** One object, by line or as JSON. */
export function showOne(cells: Cells, { json }: Format): void {
  say(json ? JSON.stringify(cells) : pairs(cells));
}

export function showAll(rows: readonly Cells[], { json }: Format): void {
  say(json ? JSON.stringify(rows) : table(rows));
}

function pairs(cells: Cells): string {
  const width = Math.max(...Object.keys(cells).map((name) => name.length));
  return Object.entries(cells)
    .map(([name, value]) => `${name.padEnd(width)}  ${spelled(value)}`.trimEnd())
    .join('\n');
}

function table(rows: readonly Cells[]): string {
  const [first] = rows;
  if (!first) return 'There are none.';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => spelled(row[name])))];
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names that clients chose must not steer the terminal. */
const spelled = (value: unknown): string =>
  value === null || value === undefined ? '-' : String(value).replace(/\p{C}/gu, '\ufffd');

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
    this.stream.write(this.stream.isTTY ? `\r\u001b[K${text}\n` : `${text}\n`);
  }
}
