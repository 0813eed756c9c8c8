/** Whoever changes an entity is its last editor, at that moment; what is sent back unchanged is no change. */
import { Injectable } from '@nestjs/common';
import { type Change, isEmpty } from '../../command/change.js';
import { NoRules } from '../../command/no-rules.js';

@Injectable()
export class TouchRules extends NoRules {
  override async beforeSave(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      const { resource, values, command, isNew, now, actor } = change;
      if (!isNew && isEmpty(change) && command.tags === undefined) continue;
      if (resource.isGeneral) {
        values.modifyDate = now;
        values.lastEditor = { id: actor.userId };
      } else if (resource.root.name === 'GeneralUser' && writesWhatAllSee(change)) values.modifyDate = now;
    }
  }
}

/** A login, an address or a password that changes must not move the date that everybody is shown. */
const writesWhatAllSee = ({ resource, values }: Change): boolean =>
  Object.keys(values).some((property) => {
    if (property === 'customValues') return true;
    const field = resource.ofProperty(property);
    return field?.kind === 'reference' || (field?.kind === 'scalar' && !field.isPrivate && !field.isWriteOnly);
  });
