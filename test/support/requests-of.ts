/** The requests of each operation on a resource, with bodies that the service takes from whoever may send them. */
import type { ResourceType } from '../../src/model/model.js';
import { bodyOf, type Ids, model } from './builder.js';
import type { Operation } from './permission-table.js';

export interface Sent {
  method: string;
  path: string;
  body?: string;
}

/** Ids of what stands for each kind, and of what new links join. */
export interface Fixtures {
  ids: Ids;
  /** In place of `ids` where something new is made: a link of two that are not joined yet. */
  fresh: Ids;
  /** The same for what is changed. */
  other: Ids;
}

/** Undefined: the kind has nothing of the sort. */
export function requestOf(
  operation: Operation,
  kind: string,
  fixtures: Fixtures,
  id = fixtures.ids[kind] ?? 0,
): Sent | undefined {
  const resource = model.resource(kind);
  const path = `/api/v1/${resource.collection}`;
  const list = resource.fields.find((field) => field.kind === 'collection');
  const { ids, fresh, other } = fixtures;
  const joined = joinable(resource, ids);
  switch (operation) {
    case 'list':
      return { method: 'GET', path };
    case 'meta':
      return { method: 'GET', path: `${path}/meta` };
    case 'one':
      return { method: 'GET', path: `${path}/${id}` };
    case 'inner':
      return list && { method: 'GET', path: `${path}/${id}/${list.name}` };
    case 'create':
      return post(
        path,
        resource.isAbstract
          ? {}
          : bodyOf(kind, {
              mark: 'made',
              ids: { ...ids, ...fresh, General: (kind === 'Relation' ? fresh.General : ids.UserStory)! },
            }),
      );
    case 'update':
      return post(`${path}/${id}`, changeOf(resource, other));
    case 'bulk':
      return post(`${path}/bulk`, [{ Id: id, ...changeOf(resource, other) }]);
    case 'add':
      return joined && post(`${path}/${id}/${joined.collection}`, { Id: joined.item });
    case 'take':
      return joined && { method: 'DELETE', path: `${path}/${id}/${joined.collection}/${joined.item}` };
    case 'takeAll':
      return joined && { method: 'DELETE', path: `${path}/${id}/${joined.collection}?childrenIds=${joined.item}` };
    case 'delete':
      return { method: 'DELETE', path: `${path}/${id}` };
    case 'deleteAll':
      return { method: 'DELETE', path: `${path}/bulk`, body: JSON.stringify([{ Id: id }]) };
  }
}

const post = (path: string, body: unknown): Sent => ({ method: 'POST', path, body: JSON.stringify(body) });

/** A collection that two entities are joined by. */
function joinable({ name, root }: ResourceType, ids: Ids): { collection: string; item: number } | undefined {
  if (root.name === 'General') return { collection: 'TagObjects', item: ids.Tag! };
  const item = {
    Process: ['Practices', ids.Practice!],
    EntityState: ['NextStates', ids.otherState!],
    TestCaseRun: ['Bugs', ids.Bug!],
  }[name];
  return item && { collection: String(item[0]), item: Number(item[1]) };
}

let changes = 0;

/** Something else than what is there, by a value where the kind has one. */
function changeOf(resource: ResourceType, other: Ids): Record<string, unknown> {
  changes += 1;
  const body = special[resource.name]?.(other);
  if (body) return body;
  for (const field of resource.fields) {
    if (field.kind !== 'scalar' || !field.isSettable || field.choices || field.name === 'Id') continue;
    if (field.scalar === 'text' && (field.maxLength ?? 255) >= 20) return { [field.name]: `changed ${changes}` };
    // No row is made with a part of an hour.
    if (field.scalar === 'decimal') return { [field.name]: 0.25 + (changes % 50) };
    if (field.scalar === 'integer') return { [field.name]: 1 + (changes % 50) };
  }
  return {};
}

const special: Record<string, (other: Ids) => Record<string, unknown>> = {
  Comment: () => ({ Description: `changed ${changes}` }),
  TeamAssignment: () => ({ StartDate: `2030-01-0${1 + (changes % 9)}` }),
  Assignment: ({ User }) => ({ GeneralUser: { Id: User } }),
  GeneralFollower: ({ User }) => ({ User: { Id: User } }),
  Relation: () => ({ RelationType: { Id: 2 + (changes % 3) } }),
  ReleaseProject: ({ Release }) => ({ Release: { Id: Release } }),
  MilestoneProject: ({ Milestone }) => ({ Milestone: { Id: Milestone } }),
  TeamMember: ({ User }) => ({ User: { Id: User } }),
  TeamProject: ({ Team }) => ({ Team: { Id: Team } }),
  EntityPermission: ({ User }) => ({ User: { Id: User } }),
  TestStepRun: () => ({ Result: `changed ${changes}` }),
};
