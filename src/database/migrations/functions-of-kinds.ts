/**
 * What the database does with kinds stands in seven functions, which all others call: so a kind that somebody has added
 * has its totals and histories whatever later migrations make of the others. Until here each function named the kinds
 * itself, and one that was made anew forgot what had been added.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeFunctions, type NewKind, treatAlike, treatChecks, treatNoMore } from './kind-migration.js';
import { readSql } from './sql-files.js';

export class FunctionsOfKinds1700000000111 implements MigrationInterface {
  name = 'FunctionsOfKinds1700000000111';

  async up(runner: QueryRunner): Promise<void> {
    const added: Pick<NewKind, 'id' | 'like'>[] = await runner.query(addedKinds);
    await runner.query(readSql('0.3/kinds.sql'));
    const kinds = await functionsOfKinds(runner);
    await changeFunctions(runner, others, (definition) => {
      const own = added.reduce((text, { id }) => treatNoMore(text, id), definition);
      return kinds.reduce((text, kind) => text.replace(spelling(kind), callOf(kind)), own);
    });
    for (const { id, like } of added)
      await changeFunctions(runner, ofKinds, (definition) => treatAlike(definition, id, like));
    await treatChecks(runner, (check) =>
      added.reduce((text, { id, like }) => treatAlike(treatNoMore(text, id), id, like), check),
    );
  }

  /** Kinds that were added stay so. */
  async down(runner: QueryRunner): Promise<void> {
    const kinds = await functionsOfKinds(runner);
    await changeFunctions(runner, others, (definition) =>
      kinds.reduce((text, kind) => text.replaceAll(call(kind), (_, given) => spelledFor(kind, given)), definition),
    );
    for (const { name } of kinds) await runner.query(`drop function ${name}`);
  }
}

const ofKinds = `proname like 'kind\\_%'`;
const others = `proname not like 'kind\\_%' and prosrc ~ 'entity_type_id|kind_'`;

/** Kinds that KindMigration has added, and what they are like, as the functions of 0.2 that sum items up have it. */
const addedKinds = `select t.id, case
    when (select prosrc from pg_proc where oid = 'total_features'::regproc) ~ ('\\m' || t.id || '\\M') then 8
    when (select prosrc from pg_proc where oid = 'total_work'::regproc) ~ ('\\m' || t.id || '\\M') then 17
    else 16 end as like
  from entity_type t
  where t.id > 32 and exists (select from workflow w where w.entity_type_id = t.id) order by t.id`;

interface KindFunction {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: string;
}

/** Longer texts first, since they hold shorter ones. */
async function functionsOfKinds(runner: QueryRunner): Promise<KindFunction[]> {
  return runner.query(
    `select proname::text as name, proargnames as parameters, substr(prosrc, length('select ') + 1) as body from pg_proc
     where pronamespace = current_schema()::regnamespace and ${ofKinds} order by length(prosrc) desc`,
  );
}

const parametersIn = ({ parameters }: KindFunction): RegExp => new RegExp(`\\b(?:${parameters.join('|')})\\b`, 'g');

/** The body, for whatever stands in place of the parameters, with any line breaks: those of 0.1 are others. */
function spelling(kind: KindFunction): RegExp {
  const groups = new Set<string>();
  const literal = kind.body.replace(/[()+]/g, '\\$&').replace(/\s+/g, '\\s+');
  const pattern = literal.replace(parametersIn(kind), (parameter) => {
    if (groups.has(parameter)) return `\\k<${parameter}>`;
    groups.add(parameter);
    return `(?<${parameter}>[\\w.]*\\b${parameter.replace(/^above_/, '')}(?: \\+ 0)?)`;
  });
  return new RegExp(pattern, 'g');
}

const callOf = ({ name, parameters }: KindFunction): string =>
  `${name}(${parameters.map((parameter) => `$<${parameter}>`).join(', ')})`;

const call = ({ name }: KindFunction): RegExp => new RegExp(`\\b${name}\\(([^()]*)\\)`, 'g');

function spelledFor(kind: KindFunction, given: string): string {
  const values = given.split(', ');
  return kind.body.replace(parametersIn(kind), (parameter) => values[kind.parameters.indexOf(parameter)]!);
}
