/** Rules of custom-field definitions: what is compiled from them, and the values kept by their names, follow them. */
import { Inject, Injectable } from '@nestjs/common';
import { type Change, currentValue, type Removal, type Work } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';
import { Catalogue } from './catalogue.js';
import { before, definitionRules } from './definition-rules.js';
import { lockDefinitions } from './held-definitions.js';
import { areRespelled, optionsOf } from './option-rules.js';
import { renameValues, respellOptions } from './stored-value-rules.js';

async function lockOf(old: readonly Pick<Change, 'before'>[], work: Work): Promise<void> {
  if (old.length > 0)
    await lockDefinitions(
      old.map((one) => before(one).kind),
      work,
    );
}

@Injectable()
export class CustomFieldsService extends ResourceService {
  @Inject(Catalogue) private readonly catalogue!: Catalogue;

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    await lockOf(
      changes.filter(({ isNew }) => !isNew),
      work,
    );
    await definitionRules(changes, work);
  }

  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    const renamed = changes.filter(({ isNew, values }) => !isNew && typeof values.name === 'string');
    await renameValues(
      renamed.map((change) => ({ ...before(change), to: String(change.values.name) })),
      work,
    );
    const respelled = changes.filter(areRespelled);
    const listOf = (change: Change) => {
      const { from, ...place } = before(change);
      return { ...place, name: currentValue<string>(change, 'name') ?? from, options: optionsOf(change) };
    };
    await respellOptions(respelled.map(listOf), work.rows);
    work.afterCommit(() => this.catalogue.reload());
  }

  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    await lockOf(removals, work);
  }

  override async afterDelete(removals: readonly Removal[], work: Work): Promise<void> {
    await renameValues(
      removals.map((removal) => ({ ...before(removal), to: null })),
      work,
    );
    work.afterCommit(() => this.catalogue.reload());
  }
}
