/** Reads the command line of `npm run siege`. */
import { parseArgs } from 'node:util';

export const usage = `npm run siege -- [kind …] [options]

  --seconds 7          length of each kind
  --generals 20000     size of the database
  --report FILE        where the report goes (siege/report.md when all kinds run)
  --no-build           attacks what was built before
  --list               prints the kinds
  --help               prints this

Kinds are attacks by name, 'all' is all of them at once. Ends with 1 where a goal is missed.`;

export class UsageError extends Error {}

const options = {
  seconds: { type: 'string', default: '7' },
  generals: { type: 'string', default: '20000' },
  report: { type: 'string' },
  'no-build': { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

export function readOptions(args, names) {
  const { values, positionals } = parsed(args);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown) throw new UsageError(`There is no kind '${unknown}'; there are ${names.join(', ')}.`);
  return {
    kinds: positionals.length > 0 ? positionals : names,
    seconds: number('seconds', values.seconds, 1, 120),
    generals: number('generals', values.generals, 1000, 1_000_000),
    // A run of some kinds does not replace the report of all.
    report: values.report ?? (positionals.length > 0 ? undefined : new URL('report.md', import.meta.url)),
    isToBuild: !values['no-build'],
    isList: values.list,
    isHelp: values.help,
  };
}

function parsed(args) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function number(name, text, min, max) {
  const value = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`--${name} takes a whole number from ${min} to ${max}, not '${text}'.`);
}
