/**
 * A change of a few items writes its histories in smaller and fewer statements: PostgreSQL starts all parts of a
 * statement, whether they run or not. Where nothing has moved to another place, no statement asks about places; a
 * record is looked for before a statement continues it.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeFunctions } from './kind-migration.js';

export class LeanRecords1700000000210 implements MigrationInterface {
  name = 'LeanRecords1700000000210';

  async up(runner: QueryRunner): Promise<void> {
    await changeFunctions(runner, changed, (definition) =>
      ofFew(definition, (text) =>
        text
          .replaceAll(anyPlace, 'n.id = any(moved)')
          .replaceAll(spans, 'n.id = any(planned)')
          .replace(
            continuing,
            `$1if exists (${open} $3) then\n$1  $2\n$1  ${counted}\n$1else\n$1  continued := 0;\n$1end if;`,
          ),
      )
        .replace(declared, `${declared}\n${variables}`)
        .replace(unchanged, `${unchanged}\n${look}`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeFunctions(runner, changed, (definition) =>
      ofFew(definition.replace(`\n${look}`, '').replace(`\n${variables}`, ''), (text) =>
        text
          .replace(looked, `$1$2\n$1${counted}`)
          .replaceAll('n.id = any(moved)', anyPlace)
          .replaceAll('n.id = any(planned)', spans),
      ),
    );
  }
}

const changed = `proname = 'record_changed'`;
const declared = '    is_large boolean;';
const unchanged = '    if changed = 0 then return null; end if;';

/** Statements for many rows stand in `$q$` and are planned for their rows; the others are kept by the session. */
const ofFew = (definition: string, change: (text: string) => string): string =>
  definition
    .split('$q$')
    .map((text, at) => (at % 2 === 0 ? change(text) : text))
    .join('$q$');

const isSeen = (column: string): string =>
  `(o.${column} is distinct from n.${column}
    and (is_place_of(o.${column}, o.project_id) or is_place_of(n.${column}, n.project_id)))`;

const columns = ['portfolio_epic_id', 'epic_id', 'feature_id', 'user_story_id', 'build_id'].map(isSeen);
const spans = `${isSeen('release_id')} or ${isSeen('iteration_id')}`;
const anyPlace = `${spans} or ${columns.slice(0, 2).join(' or ')}
    or ${columns.slice(2).join(' or ')}`;

const variables = `    -- Items whose moves are seen: between any places, and between releases or iterations.
    moved bigint[] := '{}';
    planned bigint[] := '{}';`;

const look = `    if is_placed and not is_large then
      select coalesce(array_agg(n.id), '{}'), coalesce(array_agg(n.id) filter (where n.is_planned), '{}')
        into moved, planned
        from (
          select n.id, ${spans.replaceAll('\n   ', '')} as is_planned
          from stale o join fresh n on n.id = o.id
          where ${anyPlace.replaceAll('\n   ', '')}) n;
    end if;`;

const counted = 'get diagnostics continued = row_count;';
const open = `select from stale o join fresh n on n.id = o.id join full_history h on h.general_id = n.id where`;
/** The statement that continues records, with the condition on these. */
const continuing = new RegExp(
  `^( +)(update full_history h set entity_type_id = [^;]+ and h\\.general_id = n\\.id and ([^;]+);)\\n +${counted}`,
  'gm',
);
const looked = new RegExp(
  `^( +)if exists \\(${open}[^;]+\\) then\\n +(update full_history h [^;]+;)\\n +${counted}\\n +else\\n[^;]+;\\n +end if;`,
  'gm',
);
