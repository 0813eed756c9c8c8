/**
 * What the role of the actor allows with entities of a type. A write adds, edits or deletes an entity; one of a kind
 * that has no type of its own (assignments, efforts, relations …) is an edit of the entity that it hangs on; and who
 * joins or separates two entities edits the one whose collection is written and the one that the link belongs to.
 * Administrators may do everything.
 */
import { forbidden } from '../errors.js';
import type { ReferenceField, ResourceType } from '../model/model.js';
import { type Change, current, type Removal, type Row } from './change.js';
import type { Circumstances, Denial, Locked, Right } from './circumstances.js';
import { kindOf } from './lock.js';
import { isApart } from './permit.js';
import { isOpen } from './permit-places.js';

/** What can be done with entities of a type. */

/** What the actor is about to do with an entity, and in which project. */
interface Use {
  resource: ResourceType;
  project: unknown;
  right: Right;
}

/** One of these must be allowed. */
type Uses = readonly Use[];

type Within = Pick<Circumstances, 'actor' | 'common' | 'model' | 'rows' | 'setUpVersion'>;

export async function permitSaved(changes: readonly Change[], work: Within): Promise<void> {
  const denials = await denialsFor(work);
  if (denials.length === 0 || changes.length === 0) return;
  const parts = changes.filter((change) => !isTyped(change.resource) && !change.command.hasNewOwner);
  const uses = changes.filter(({ resource }) => isTyped(resource)).flatMap(usesOf);
  await refuseDenied([...uses, ...(await usesOfOwners(parts.map(partOf), work))], denials, work);
}

export async function permitRemoved(removals: readonly Removal[], work: Within): Promise<void> {
  const denials = await denialsFor(work);
  if (denials.length === 0) return;
  const parts = removals.filter(({ resource }) => !isTyped(resource));
  const uses = removals
    .filter(({ resource }) => isTyped(resource))
    .map(({ resource, before }): Uses => [{ resource, project: before.project_id, right: 'delete' }]);
  const owners = await usesOfOwners(
    parts.map(({ resource, before }) => ({ resource, rows: [before] })),
    work,
  );
  await refuseDenied([...uses, ...owners], denials, work);
}

/** Entities that were joined or separated: those whose collections are written, and those that the links belong to. */
export async function permitJoined(joined: readonly Locked[], work: Within): Promise<void> {
  const denials = await denialsFor(work);
  if (denials.length === 0) return;
  const uses = joined.filter(({ resource }) => isTyped(resource)).map((one): Uses => [edit(one)]);
  await refuseDenied(uses, denials, work);
}

const edit = ({ resource, row }: Locked): Use => ({
  resource,
  project: row.project_id,
  right: 'edit',
});

async function denialsFor(work: Within): Promise<readonly Denial[]> {
  return work.actor.isAdministrator ? [] : work.common.denials(work);
}

const isTyped = ({ settings }: ResourceType): boolean => settings.entityTypeId !== undefined;

/** Who moves an entity edits it where it was and where it is to be. */
function usesOf(change: Change): Uses[] {
  const { resource, isNew, before } = change;
  const project = resource.ofProperty('project') && current(change, 'project');
  if (isNew) return [[{ resource, project, right: 'add' }]];
  const projects = new Set([before?.project_id ?? undefined, project]);
  return [...projects].map((one): Uses => [{ resource, project: one, right: 'edit' }]);
}

// --- what has no type of its own -------------------------------------------------------------------------------------

/** A row that hangs on others, before and after the write. */
interface Part {
  resource: ResourceType;
  rows: readonly Row[];
  change?: Change;
}

function partOf(change: Change): Part {
  const { resource, before } = change;
  const after = ownerFields(resource).map(({ column, property }) => [column, current(change, property)] as const);
  return { resource, rows: [...(before ? [before] : []), Object.fromEntries(after)], change };
}

/** What a row hangs on, and what it is known by. */
function ownerFields({ settings, fields }: ResourceType): ReferenceField[] {
  const { visible, key } = settings;
  const properties = new Set(visible.kind === 'through' ? [...visible.references, ...key] : key);
  return fields.filter(
    (field): field is ReferenceField =>
      field.kind === 'reference' && properties.has(field.property) && field.target.isGeneral,
  );
}

async function usesOfOwners(parts: readonly Part[], work: Within): Promise<Uses[]> {
  const hanging = parts.filter(
    ({ resource, rows, change }) => !isOpen({ resource, row: rows[0]!, change }, work.actor.userId),
  );
  const groups = hanging.flatMap(({ resource, rows }) => {
    const fields = ownerFields(resource);
    return rows.map((row) => fields.flatMap(({ column }) => (typeof row[column] === 'number' ? [row[column]] : [])));
  });
  const owners = await generals(groups.flat(), work);
  return groups.map((ids) => ids.flatMap((id) => owners.get(id) ?? []));
}

/** Generals that are edited, by their ids; but those that only administrators edit, whom nothing is denied. */
async function generals(ids: readonly number[], { rows, model }: Within): Promise<Map<number, Use>> {
  if (ids.length === 0) return new Map();
  const entities = await rows<{ id: number; entity_type_id: number; project_id: number | null }>(
    'select id, entity_type_id, project_id from general where id = any($1::bigint[])',
    [[...new Set(ids)]],
  );
  const root = model.general;
  return new Map(
    entities
      .map((row) => [row.id, edit({ resource: kindOf(root, row, model), row: { ...row } })] as const)
      .filter(([, { resource }]) => !isApart(resource)),
  );
}

// --- the role --------------------------------------------------------------------------------------------------------

async function refuseDenied(asked: readonly Uses[], denials: readonly Denial[], work: Within): Promise<void> {
  const inQuestion = asked.filter((uses) => uses.length > 0 && uses.every((use) => denials.some(concerning(use))));
  if (inQuestion.length === 0) return;
  const roles = await rolesIn(inQuestion.flat(), work);
  for (const uses of inQuestion) {
    const isDenied = (use: Use): boolean => denials.some((one) => one.role === roles.get(use) && concerning(use)(one));
    if (uses.every(isDenied)) throw denied(uses[0]!);
  }
}

const concerning =
  ({ resource, right }: Use) =>
  ({ kind, rights }: Denial): boolean =>
    kind === resource.settings.entityTypeId && rights.includes(right);

const denied = ({ resource, right }: Use) =>
  forbidden(`Your role does not allow you to ${right} ${resource.collection}.`, 'NotPermitted');

/** The role of the actor in the project, else the actor's own. */
async function rolesIn(uses: readonly Use[], { rows, actor }: Within): Promise<Map<Use, number | null>> {
  const roles = await rows<{ role: number | null }>(
    `select coalesce((select m.role_id from project_member m where m.project_id = u.project and m.user_id = $1),
       (select p.role_id from general_user p where p.id = $1)) as role
     from unnest($2::bigint[]) with ordinality as u(project, n) order by u.n`,
    [actor.userId, uses.map(({ project }) => project ?? null)],
  );
  return new Map(uses.map((use, at) => [use, roles[at]!.role]));
}
