/**
 * Words are made anew where the texts that they are made of have changed, as these are searched: first in the triggers,
 * then in the words of what may have been passed over.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PartedTextsOfRows1700000000221 } from './parted-texts.js';
import { RenamedTags1700000000201 } from './renamed-tags.js';
import { changeWords } from './rows-migration.js';
import { creationIn } from './sql-files.js';

export class ComparedTexts1700000000230 implements MigrationInterface {
  name = 'ComparedTexts1700000000230';

  async up(runner: QueryRunner): Promise<void> {
    await changeWords(runner, '0.3/compared-texts.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    const before = creationIn('0.3/search.sql', 'function search_renew_general(');
    await runner.query(before.replace(/^create /, 'create or replace '));
    await new RenamedTags1700000000201().up(runner);
    await runner.query('drop trigger search_other_tag on general_tag');
    await runner.query('drop trigger search_retyped_field on custom_field');
    await runner.query('drop function search_other_tag(), search_retyped_field()');
  }
}

/**
 * Texts that are cut, or that are searched otherwise than they are stored. Fewer tags have less than the 10,000
 * characters that are searched, whatever their names were.
 */
export class ComparedTextsOfRows1700000000231 extends PartedTextsOfRows1700000000221 {
  override name = 'ComparedTextsOfRows1700000000231';

  protected override get statements(): string[] {
    return [
      `select id from general where custom_values <> '{}'
         and (length(custom_values::text) > 20000 or custom_values::text ~ '[<&]')
       union
       select general_id from general_tag group by general_id having count(*) >= 40
       order by id`,
      ...super.statements.slice(1),
    ];
  }
}
