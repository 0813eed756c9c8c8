/** What the role of a user does not allow with entities of a type is refused. Administrators may do everything. */
import { Injectable } from '@nestjs/common';
import { type Change, current, isEmpty, type Removal, type Work } from '../../command/change.js';
import { NoRules } from '../../command/no-rules.js';
import { forbidden } from '../../errors.js';
import type { ResourceType } from '../../model/model.js';
import { ProcessCatalogue } from '../process/process-catalogue.js';
import type { Denial, Right } from '../process/process-setup.js';

@Injectable()
export class RoleRightRules extends NoRules {
  constructor(private readonly processes: ProcessCatalogue) {
    super();
  }

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    const written = changes.filter(
      (change) => !change.command.isOwn && (change.isNew || !isEmpty(change) || change.command.tags !== undefined),
    );
    await this.refuseDenied(written.map(useOf), work);
  }

  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    const uses = removals.map(({ resource, before }) => ({
      resource,
      project: before.project_id,
      right: 'delete' as const,
    }));
    await this.refuseDenied(uses, work);
  }

  private async refuseDenied(uses: readonly Use[], work: Work): Promise<void> {
    if (work.actor.isAdministrator) return;
    const { denials } = await this.processes.setup();
    const inQuestion = uses.filter((use) => denials.some((denial) => concerns(denial, use)));
    if (inQuestion.length === 0) return;
    const roles = await rolesIn(inQuestion, work);
    inQuestion.forEach((use, index) => {
      if (denials.some((denial) => denial.role === roles[index] && concerns(denial, use))) throw denied(use);
    });
  }
}

/** What the user is about to do, and in which project. */
interface Use {
  resource: ResourceType;
  project: unknown;
  right: Right;
}

const useOf = (change: Change): Use => ({
  resource: change.resource,
  project: change.resource.field('Project') && current(change, 'project'),
  right: change.isNew ? 'add' : 'edit',
});

const concerns = (denial: Denial, { resource, right }: Use): boolean =>
  denial.kind === resource.settings.entityTypeId && denial.rights.includes(right);

const denied = ({ resource, right }: Use) =>
  forbidden(`Your role does not allow you to ${right} ${resource.collection}.`);

/** The role of the user in the project, else the user's own. */
async function rolesIn(uses: readonly Use[], { rows, actor }: Work): Promise<(number | null)[]> {
  const found = await rows<{ role: number | null }>(
    `select coalesce((select m.role_id from project_member m where m.project_id = u.project and m.user_id = $1),
       (select p.role_id from general_user p where p.id = $1)) as role
     from unnest($2::int[]) with ordinality as u(project, n) order by u.n`,
    [actor.userId, uses.map(({ project }) => project ?? null)],
  );
  return found.map(({ role }) => role);
}
