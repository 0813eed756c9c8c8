/** Whether the actor may make this change. Seeing an entity was asked before; this is about writing. */
import { badMember, forbidden } from '../errors.js';
import type { Change } from './change.js';
import { referenced } from './change.js';

export async function permit(change: Change): Promise<void> {
  const { actor, resource } = change;
  if (actor.isAdministrator) return;
  if (actor.isObserver && resource.name !== 'Comment') throw forbidden('Observers may read and comment only.');
  if (resource.settings.isConfiguration || administered.has(resource.root.name)) {
    throw forbidden(`Only administrators may change ${resource.collection}.`);
  }
  if (resource.root.name !== 'General') return;
  const project = referenced(change, 'project');
  if (project !== undefined && !actor.projectIds.includes(project)) {
    throw badMember('Project.Id', `there is no Project with Id ${project}, or access to it is forbidden.`);
  }
  if (change.isNew && apart.has(resource.name)) {
    throw forbidden(`Only administrators may create ${resource.collection}.`);
  }
}

const administered = new Set(['GeneralUser', 'Company', 'GeneralConversion', 'EntityPermission']);

/** Kinds that lie in no project, so that membership of one gives no right to them. */
const apart = new Set(['Project', 'Program', 'Team', 'TeamIteration', 'PortfolioEpic', 'Milestone']);
