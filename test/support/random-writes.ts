/**
 * Random writes over the whole model: new entities and changes, single and in bulk, with items of collections and
 * without; what is put into collections and taken out of them; deletions. They name rows of several sets, and ids of
 * none.
 */
import type { CollectionField, ReferenceField, ResourceType } from '../../src/model/model.js';
import type { Ask } from './app.js';
import { bodyOf, type Ids, model } from './builder.js';
import type { diceOf } from './dice.js';
import { partState } from './hidden-places.js';

export interface Named {
  /** What ids are taken from: a set that stands here twice is chosen twice as often. */
  sets: readonly Ids[];
  /** Whose rows a new entity is given what it needs of. */
  places: readonly Ids[];
  /** Where a set has none of a kind. */
  ids: readonly number[];
}

type Body = Record<string, unknown>;
export type Request = [path: string, ask: Ask];

const written = [
  ...['UserStory', 'Bug', 'Task', 'Feature', 'Epic', 'Request', 'Impediment', 'Build', 'Iteration', 'Release'],
  ...[
    'Comment',
    'Time',
    'Assignment',
    'TeamAssignment',
    'TeamAssignment',
    'Relation',
    'RoleEffort',
    'CustomActivity',
    'GeneralFollower',
  ],
  ...['TestPlan', 'TestPlan', 'TestCase', 'TestCaseRun', 'TestPlanRun', 'TestPlanRun', 'TestStep', 'TestStepRun'],
  ...['Revision', 'RevisionFile', 'Message', 'RoleEntityType', 'EntityPermission', 'Attachment', 'Milestone'],
  ...['Project', 'ProjectMember', 'TeamIteration', 'Tag', 'User'],
];
const texts = ['Name', 'Description', 'SourceControlId', 'FileName', 'Subject'];
/** Whether their effort is that of one role follows from totals, which count hidden parts: a published fact. */
const kindsOfParts = new Set(['UserStory', 'Feature', 'Epic', 'PortfolioEpic']);
const standIns: Record<string, readonly string[] | undefined> = {
  General: ['UserStory', 'Bug', 'Release', 'TestPlan'],
  Assignable: ['UserStory', 'Bug', 'Feature', 'Request'],
  GeneralUser: ['User'],
};

export class RandomWrites {
  constructor(
    private readonly dice: ReturnType<typeof diceOf>,
    private readonly named: Named,
  ) {}

  private pick = <T>(items: readonly T[]): T => items[this.dice(items.length)]!;
  private chance = (sides: number): boolean => this.dice(sides) === 0;

  next(as: string): Request {
    const resource = model.resource(this.pick(written));
    const path = `/api/v1/${resource.collection}`;
    const one = `${path}/${this.idFor(resource.name)}`;
    const format = `?format=${this.pick(['json', 'xml'])}`;
    const send = (address: string, body: unknown, method = 'POST'): Request => [
      address + format,
      { as, method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    ];
    const inner = this.pick(collectionsOf(resource));
    switch (this.dice(9)) {
      case 0:
        return [one + format, { as, method: 'DELETE', headers: this.chance(2) ? {} : { 'if-match': '"0-x"' } }];
      case 1: {
        const Ids = [this.idFor(resource.name), this.idFor(resource.name)];
        return send(
          `${path}/bulk`,
          Ids.map((Id) => ({ Id })),
          'DELETE',
        );
      }
      case 2:
        return send(`${path}/bulk`, [{ Id: this.idFor(resource.name), ...this.body(resource) }, this.body(resource)]);
      case 3:
        if (inner) return [`${one}/${inner.name}/${this.idFor(inner.target.name)}${format}`, { as, method: 'DELETE' }];
        break;
      case 4:
        if (inner) return send(`${one}/${inner.name}`, this.item(inner.target));
        break;
      case 5:
      case 6:
        return send(one, this.body(resource));
    }
    return send(path, this.body(resource));
  }

  private idFor(kind: string): number {
    const own = standIns[kind] ? this.pick(standIns[kind]) : kind;
    return this.pick(this.named.sets)[own] ?? this.pick(this.named.ids);
  }

  private item = (target: ResourceType): Body =>
    this.chance(2) ? { Id: this.idFor(target.name) } : { Name: 'sent', ...this.body(target, false) };

  private body(resource: ResourceType, holdsItems = true): Body {
    const references = resource.fields.filter(
      (field): field is ReferenceField => field.kind === 'reference' && field.isSettable,
    );
    const addable = collectionsOf(resource).filter(({ canAdd }) => canAdd);
    const body: Body = this.chance(2) ? this.whole(resource.name) : {};
    for (const name of texts) if (resource.field(name)) body[name] ??= 'written';
    if (resource.field('Project')) body.Project = this.pick([undefined, body.Project, { Id: this.idFor('Project') }]);
    for (let count = this.dice(3); count > 0; count--) {
      const field = this.pick(references);
      if (field) body[field.name] = this.chance(3) ? null : { Id: this.idFor(field.target.name) };
    }
    Object.assign(body, this.values(resource));
    const field = holdsItems && this.chance(3) ? this.pick(addable) : undefined;
    if (field) body[field.name] = [this.item(field.target)];
    return body;
  }

  private whole(kind: string): Body {
    try {
      return bodyOf(kind, { mark: 'written', ids: this.pick(this.named.places) });
    } catch {
      // There is nothing of a kind that is needed.
      return {};
    }
  }

  /** What rules ask about: states, days, efforts, tags and custom fields. */
  private values({ name: kind, fields, settings }: ResourceType): Body {
    const has = (name: string): boolean => fields.some((one) => one.name === name);
    const end = this.pick(['2041-01-01', '2049-01-01', '2060-01-01']);
    const pointer = { Id: this.idFor('Bug'), Kind: 'Bug' };
    return {
      ...(has('EntityState') &&
        this.chance(kind === 'TeamAssignment' ? 2 : 5) && {
          EntityState: { Name: this.pick(['Done', 'Nowhere', partState]) },
        }),
      ...(has('StartDate') && this.chance(3) && { StartDate: '2040-01-01', EndDate: end }),
      ...(has('Effort') && this.chance(5) && !kindsOfParts.has(kind) && { Effort: 3 }),
      ...(has('Tags') && this.chance(6) && { Tags: 'a,b' }),
      ...(settings.customFields &&
        this.chance(5) && {
          CustomFields: [{ Name: this.pick(['Pointer', 'Due', 'None']), Value: this.pick([pointer, 'x', null]) }],
        }),
    };
  }
}

const collectionsOf = ({ fields }: ResourceType): CollectionField[] =>
  fields.filter((field): field is CollectionField => field.kind === 'collection');
