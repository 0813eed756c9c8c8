/** Reads the command line of `npm run bench`, refusing what would not mean anything. */
import { parseArgs } from 'node:util';

export const usage = `npm run bench -- [case …] [options]

  --generals 200000    size of the database
  --clients 1,16       concurrent clients, instead of those of the case
  --rounds 3           turns that each server gets
  --seconds 3          length of a turn
  --warmup 3           seconds before the first turn, for each server, up to five times until its code is compiled
  --writing 60         seconds that clients write beside readers, for the case while-writing
  --soak 30m           instead of all cases: reads and writes for as long (s, m, h), told minute by minute
  --rate 50            of the soak: so many requests a second in all, instead of as many as are answered
  --node 24            instead of all cases: one, list, create and create-one on that version of Node, too, from npm
  --statements         instead of all cases: what each statement of a write takes in PostgreSQL
  --peers              instead of all cases: those that PostGraphile 4, installed for the run, and Nest with TypeORM answer, too
  --durable            the embedded PostgreSQL syncs to disk, as with npm start
  --report FILE        where the report goes (bench/report.md; soak.md, node.md, statements.md or peers.md with these)
  --no-build           measures what was built before
  --no-stock           leaves the stock server out
  --growth 1000000     compares with a database of this size, too
  --list               tells the cases`;

export class UsageError extends Error {}

const definitions = {
  generals: { type: 'string', default: '200000' },
  clients: { type: 'string' },
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '3' },
  warmup: { type: 'string', default: '3' },
  writing: { type: 'string', default: '60' },
  soak: { type: 'string' },
  rate: { type: 'string' },
  node: { type: 'string' },
  statements: { type: 'boolean', default: false },
  peers: { type: 'boolean', default: false },
  durable: { type: 'boolean', default: false },
  report: { type: 'string' },
  'no-build': { type: 'boolean', default: false },
  growth: { type: 'string' },
  'no-stock': { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

export function readOptions(args) {
  const { values, positionals } = parsed(args);
  return {
    cases: positionals,
    generals: number('generals', values.generals, 1000, 10_000_000),
    clients: values.clients?.split(',').map((text) => number('clients', text, 1, 256)),
    rounds: number('rounds', values.rounds, 1, 50),
    seconds: number('seconds', values.seconds, 1, 300),
    warmup: number('warmup', values.warmup, 0, 60),
    writing: number('writing', values.writing, 1, 3600),
    soak: values.soak === undefined ? 0 : seconds('soak', values.soak),
    rate: values.rate && number('rate', values.rate, 1, 100_000),
    node: values.node && version(values.node),
    isOfStatements: values.statements,
    isPeers: values.peers,
    durable: values.durable,
    report: values.report ?? new URL(`${kindOfReport(values)}.md`, import.meta.url),
    isToBuild: !values['no-build'],
    growth: values.growth && number('growth', values.growth, 1000, 10_000_000),
    isStock: !values['no-stock'],
    isList: values.list,
    isHelp: values.help,
  };
}

const kindOfReport = (values) => ['soak', 'node', 'statements', 'peers'].find((kind) => values[kind]) ?? 'report';

function parsed(args) {
  try {
    return parseArgs({ args, options: definitions, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function number(name, text, min, max) {
  const value = /^\d{1,8}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`--${name} takes a whole number from ${min} to ${max}, not '${text}'.`);
}

const units = { s: 1, m: 60, h: 3600 };

function seconds(name, text) {
  const [, value, unit] = /^(\d{1,5})([smh])$/.exec(text.trim()) ?? [];
  if (Number(value) > 0) return Number(value) * units[unit];
  throw new UsageError(`--${name} takes a time such as 90s, 30m or 2h, not '${text}'.`);
}

function version(text) {
  if (/^\d+(\.\d+){0,2}$/.test(text)) return text;
  throw new UsageError(`--node takes a version such as 24 or 24.11.0, not '${text}'.`);
}
