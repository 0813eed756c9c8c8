/** What ends a statement whose answer becomes too long; the code is that of `database-error.ts`. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MeasuredAnswers1700000000014 implements MigrationInterface {
  name = 'MeasuredAnswers1700000000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create function answer_too_long() returns text language plpgsql volatile parallel safe as
       $$ begin raise exception 'the answer is too long' using errcode = 'WT001'; end $$`,
    );
    await runner.query(
      `create function measured_text(of text, most int) returns text language plpgsql volatile strict parallel safe as
       $$ begin return case when octet_length(of) <= most then of else answer_too_long() end; end $$`,
    );
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}
