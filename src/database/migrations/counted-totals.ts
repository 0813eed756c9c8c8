/**
 * Totals that are computed anew count versions, and records of histories that still hold follow them. What projects,
 * releases and iterations have gained counts where they are summed up: their versions went back.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeFunctions } from './kind-migration.js';

export class CountedTotals1700000000122 implements MigrationInterface {
  name = 'CountedTotals1700000000122';

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, before, after] of changes)
      await changeFunctions(runner, `proname = '${name}'`, (definition) => definition.replace(before, after));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, before, after] of changes)
      await changeFunctions(runner, `proname = '${name}'`, (definition) => definition.replace(after, before));
  }
}

const changes: [name: string, before: string, after: string][] = [
  [
    'count_version',
    'new.entity_version := old.entity_version + 1;',
    'new.entity_version := greatest(new.entity_version, old.entity_version + 1);',
  ],
  [
    'recompute_totals',
    `perform set_config('worktrack.totals', 'off', true), set_config('worktrack.history', 'off', true),
      set_config('worktrack.versions', 'off', true);`,
    `perform set_config('worktrack.totals', 'settling', true);
    perform fold_spans(array(select id from general where entity_type_id in (1, 2, 3, 24)));`,
  ],
];
