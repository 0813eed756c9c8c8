/** Stays for the databases that list it: what it made is made by `FullerHistories1700000000110`. */
import type { MigrationInterface } from 'typeorm';

export class LeanHistories1700000000102 implements MigrationInterface {
  name = 'LeanHistories1700000000102';

  async up(): Promise<void> {}

  async down(): Promise<void> {}
}
