/** Rules of what joins people, teams and efforts to work items. */
import { Inject, Injectable } from '@nestjs/common';
import {
  byDefault,
  type Change,
  current,
  type Removal,
  referenced,
  refersTo,
  refuse,
  type Work,
} from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';
import { ProcessCatalogue } from '../process/process-catalogue.js';
import { ownEffort } from './role-effort-rules.js';
import { followTeams, teamStates } from './team-assignment-rules.js';

@Injectable()
export class AssignmentsService extends ResourceService {
  @Inject(ProcessCatalogue) private readonly processes!: ProcessCatalogue;

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    switch (changes[0]!.resource.name) {
      case 'Assignment':
        return rolesOfPeople(changes, work);
      case 'RoleEffort':
        return this.efforts(changes, work);
      case 'TeamAssignment':
        return teamStates(changes, work, { model: this.model, setup: await this.processes.within(work) });
    }
  }

  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    const { name } = changes[0]!.resource;
    if (name === 'Assignment') refuseInactive(changes, work);
    if (name !== 'TeamAssignment') return;
    await followTeams(
      changes.flatMap((change) => [
        current(change, 'assignable')!,
        ...(change.before ? [change.before.assignable_id as number] : []),
      ]),
      work,
    );
  }

  /** The item's responsible team must not be the one that goes. */
  override async beforeDelete(removals: readonly Removal[], { rows }: Work): Promise<void> {
    if (removals[0]!.resource.name !== 'TeamAssignment') return;
    await rows(
      'update general set responsible_team_id = null, team_id = null where responsible_team_id = any($1::bigint[])',
      [removals.map(({ id }) => id)],
    );
  }

  override async afterDelete(removals: readonly Removal[], work: Work): Promise<void> {
    if (removals[0]!.resource.name !== 'TeamAssignment') return;
    await followTeams(
      removals.map(({ before }) => before.assignable_id as number),
      work,
    );
  }

  private async efforts(changes: readonly Change[], work: Work): Promise<void> {
    let setup = await this.processes.setup(work);
    for (const change of changes) {
      const role = referenced(change, 'role');
      if (role !== undefined && !setup.hasEffort(role)) {
        setup = await this.processes.within(work);
        if (!setup.hasEffort(role)) throw refuse(change, 'Role', 'no effort is kept for this role.');
      }
      ownEffort(change);
    }
  }
}

/** Asked last, since only with their roles it is known which assignments are new. */
function refuseInactive(changes: readonly Change[], { facts }: Work): void {
  for (const change of changes.filter(({ sameAs }) => !sameAs)) {
    const user = referenced(change, 'generalUser');
    if (user !== undefined && facts.any(user, 'User')?.active === false) {
      throw refuse(change, 'GeneralUser.Id', 'the user is not active and cannot be assigned.');
    }
  }
}

/** Without a role people work in the one they have in the project, else in their own. */
async function rolesOfPeople(changes: readonly Change[], { rows }: Work): Promise<void> {
  const without = changes.filter(({ isNew, values }) => isNew && values.role === undefined);
  if (without.length === 0) return;
  const memberships = await rows<{ item: number; person: number; role: number | null }>(
    `select g.id as item, u.id as person, coalesce(m.role_id, u.role_id) as role
     from unnest($1::bigint[], $2::bigint[]) as w(item, person) join general g on g.id = w.item join general_user u on u.id = w.person
     left join project_member m on m.project_id = g.project_id and m.user_id = u.id`,
    [
      without.map((change) => referenced(change, 'assignable') ?? 0),
      without.map((change) => referenced(change, 'generalUser') ?? 0),
    ],
  );
  for (const change of without) {
    const own = memberships.find(
      ({ item, person }) => item === referenced(change, 'assignable') && person === referenced(change, 'generalUser'),
    );
    byDefault(change, 'role', refersTo(own?.role));
  }
}
