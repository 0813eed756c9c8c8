/**
 * A task lies where its story lies, so the histories of a story keep what its tasks bring or take along, also where a
 * statement finds the story in another project: it moves by the same change, or went there without a deleted task.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeFunctions } from './kind-migration.js';

export class EffortsOfTasks1700000000204 implements MigrationInterface {
  name = 'EffortsOfTasks1700000000204';

  async up(runner: QueryRunner): Promise<void> {
    await changeFunctions(runner, noting, (definition) => definition.replace(beside, besideOrTask));
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeFunctions(runner, noting, (definition) => definition.replace(besideOrTask, beside));
  }
}

const noting = `proname = 'note_general_update'`;
const beside = 'and p.project_id = c.project_id;';
/** What stories, and the like, are summed up from is tasks alone. */
const besideOrTask = 'and (p.project_id = c.project_id or kind_level(p.entity_type_id) = 1);';
