/** Rules that ask for nothing: a family says only what it has to say. */
import type { Change, Removal, Restoral, Rules, Work } from './change.js';

export class NoRules implements Rules {
  async beforeSave(_changes: readonly Change[], _work: Work): Promise<void> {}
  async afterSave(_changes: readonly Change[], _work: Work): Promise<void> {}
  async beforeDelete(_removals: readonly Removal[], _work: Work): Promise<void> {}
  async afterDelete(_removals: readonly Removal[], _work: Work): Promise<void> {}
  async beforeRestore(_restorals: readonly Restoral[], _work: Work): Promise<void> {}
  async afterRestore(_restorals: readonly Restoral[], _work: Work): Promise<void> {}
}
