/** Carries a Command out within a transaction: looks up what it refers to, asks whether the actor may, lets the family add what follows, stores. */
import type { EntityManager } from 'typeorm';
import type { Actor } from '../actor.js';
import { badMember, notFound } from '../errors.js';
import type { ReferenceField, ResourceType } from '../model/model.js';
import type { Change } from './change.js';
import type { Command, ReferenceTarget } from './command.js';
import { permit } from './permit.js';
import { validate } from './validate.js';

export interface Circumstances {
  manager: EntityManager;
  actor: Actor;
  timeZone: string;
  hooks: { beforeSave(change: Change): Promise<void>; afterSave(change: Change): Promise<void> };
  /** Whether an entity is there for the actor. */
  exists(resource: ResourceType, id: number): Promise<boolean>;
}

/** Returns the id of the entity that was created or updated. */
export async function apply(command: Command, circumstances: Circumstances): Promise<number> {
  const { manager, actor, hooks, timeZone } = circumstances;
  const { resource, id } = command;
  if (id !== undefined && !(await circumstances.exists(resource, id))) throw notFound(resource.name, id);
  const isNew = id === undefined;
  const change: Change = { resource, id, isNew, values: {}, actor, manager, now: new Date(), timeZone };
  for (const { field, value } of command.scalars) change.values[field.property] = value;
  for (const { field, to } of command.references) {
    change.values[field.writesTo] = await target(field, to, circumstances);
  }
  await permit(change);
  if (isNew) setInitialValues(change);
  await hooks.beforeSave(change);
  refuseNames(change);
  await validate(change);
  await store(change);
  await hooks.afterSave(change);
  return change.id!;
}

async function target(field: ReferenceField, to: ReferenceTarget, circumstances: Circumstances) {
  switch (to.kind) {
    case 'none':
      return null;
    case 'id':
      // What does not exist and what may not be seen are refused in the same words.
      if (await circumstances.exists(field.target, to.id)) return { id: to.id };
      throw badMember(
        `${field.name}.Id`,
        `there is no ${field.target.name} with Id ${to.id}, or access to it is forbidden.`,
      );
    case 'name':
      return named(field, to.name, circumstances.manager);
  }
}

/** Roles and severities are named alike everywhere; which state or priority a name means, the family's rules find out. */
const namedAlike = new Set(['Role', 'Severity']);

async function named(
  { name: member, target: { name: type, table } }: ReferenceField,
  name: string,
  manager: EntityManager,
) {
  if (!namedAlike.has(type)) return { name };
  const found = await manager.query(`select id from "${table}" where lower(name) = lower($1)`, [name]);
  if (found.length === 1) return { id: found[0].id as number };
  throw badMember(member, `there is no single ${type} named '${name}'; use its Id.`);
}

/** A name that no rule turned into an id. */
function refuseNames({ resource, values }: Change): void {
  for (const field of resource.fields) {
    const value = values[field.property];
    const isName = field.kind === 'reference' && typeof value === 'object' && value !== null && !('id' in value);
    if (isName) throw badMember(field.name, 'a reference needs the Id of an existing entity.');
  }
}

function setInitialValues({ resource, values }: Change): void {
  for (const field of resource.fields) {
    if (field.kind !== 'scalar' || field.initial === undefined || field.name === 'Id') continue;
    if (values[field.property] === undefined || values[field.property] === null) values[field.property] = field.initial;
  }
}

async function store(change: Change): Promise<void> {
  const { resource, manager, values } = change;
  if (Object.keys(values).length === 0) return;
  if (!change.isNew) {
    await manager.update(resource.entity, change.id!, values);
    return;
  }
  const result = await manager.insert(resource.entity, values);
  change.id = result.identifiers[0]!.id as number;
}
