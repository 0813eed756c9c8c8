/**
 * Roles and severities may be named instead of numbered: they are called alike everywhere. States and priorities depend
 * on the kind.
 */
import { Injectable } from '@nestjs/common';
import { type Change, refuse, type Work } from '../../command/change.js';
import { NoRules } from '../../command/no-rules.js';
import type { ReferenceField } from '../../model/model.js';
import { ProcessCatalogue } from './process-catalogue.js';
import type { Named, ProcessSetup } from './process-setup.js';

@Injectable()
export class NameRules extends NoRules {
  constructor(private readonly processes: ProcessCatalogue) {
    super();
  }

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    const named = changes.flatMap((change) =>
      change.command.references.flatMap(({ field, to }) =>
        to.kind === 'name' && namedAlike[field.target.name] ? [{ change, field, name: to.name }] : [],
      ),
    );
    if (named.length === 0) return;
    const setup = await this.processes.within(work);
    for (const { change, field, name } of named) {
      const id = idOf(change, field, name, setup);
      if (change.before?.[field.column] === id) delete change.values[field.writesTo];
      else change.values[field.writesTo] = { id };
    }
  }
}

const namedAlike: Record<string, ((setup: ProcessSetup) => readonly Named[]) | undefined> = {
  Role: (setup) => setup.roles,
  Severity: (setup) => setup.severities,
};

function idOf(change: Change, field: ReferenceField, name: string, setup: ProcessSetup): number {
  const all = namedAlike[field.target.name]!(setup);
  const matches = all.filter((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  if (matches.length === 1) return matches[0]!.id;
  throw refuse(change, field.name, notSingle(field.target.name, name));
}

export const notSingle = (kind: string, name: string): string =>
  `there is no single ${kind} named '${name}'; use its Id.`;
