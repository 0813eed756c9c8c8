/**
 * Makes entities of every kind that can be made, through the service itself: bodies are derived from the model, so that
 * a kind that is added later needs a line here only where the model does not say what is needed.
 */
import { buildModel } from '../../src/model/build-model.js';
import type { ReferenceField, ResourceType, ScalarField } from '../../src/model/model.js';
import { resourceEntities } from '../../src/modules/entities.js';
import { type Ask, chosenPassword, type TestApp } from './app.js';

export const model = buildModel(resourceEntities);

/** Ids by the name of a kind: what references of new entities point at. */
export type Ids = Record<string, number>;

export interface Place {
  /** Begins every text. */
  mark: string;
  ids: Ids;
}

let made = 0;
/** Specs that share this module stay within a few years. */
const mostDates = 200;

/** A body that the service takes, with what the kind needs and nothing else. */
export function bodyOf(kind: string, { mark, ids }: Place): Record<string, unknown> {
  made += 1;
  const resource = model.resource(kind);
  const body: Record<string, unknown> = {};
  for (const field of resource.fields) {
    const isNeeded =
      (field.kind !== 'collection' && field.isRequired) || resource.settings.requires.includes(field.property);
    if (!isNeeded || field.kind === 'collection' || !field.isSettable || field.name === 'Id') continue;
    body[field.name] = field.kind === 'scalar' ? valueFor(field, mark) : { Id: idFor(field.target, ids) };
  }
  return { ...body, ...special[kind]?.(ids, mark) };
}

function valueFor({ name, scalar, choices }: ScalarField, mark: string): unknown {
  if (choices) return choices[0];
  if (/mail/i.test(name)) return `${mark.toLowerCase()}${made}@example.com`;
  if (scalar === 'moment') return day((made % mostDates) * 20 + (name === 'EndDate' ? 10 : 0));
  return scalar === 'text' || scalar === 'richText' ? `${mark}${made}` : made;
}

// Iterations of one project may not overlap, so every entity gets days of its own.
const day = (n: number): string => new Date(Date.UTC(2040, 0, 1 + n)).toISOString().slice(0, 10);

/** The kind itself, or one that stands for its base. */
function idFor(target: ResourceType, ids: Ids): number {
  const id =
    ids[target.name] ?? { General: ids.UserStory, Assignable: ids.UserStory, GeneralUser: ids.User }[target.name];
  if (id === undefined) throw new Error(`no ${target.name} to refer to`);
  return id;
}

/** What the model does not say of a kind. */
const special: Record<string, (ids: Ids, mark: string) => Record<string, unknown>> = {
  Time: ({ UserStory }) => ({ Assignable: { Id: UserStory }, Spent: 1, Description: 'worked' }),
  Relation: ({ UserStory }) => ({ Slave: { Id: UserStory } }),
  CustomField: ({ Process }) => ({ EntityType: { Id: 4 }, FieldType: 'Text', Process: { Id: Process } }),
  EntityPermission: ({ UserStory }) => ({ General: { Id: UserStory }, EntityType: { Id: 4 } }),
  Workflow: ({ Workflow }) => ({ ParentWorkflow: { Id: Workflow } }),
  Priority: () => ({ EntityType: { Id: 4 } }),
  User: (_, mark) => ({ Password: chosenPassword, FirstName: mark, LastName: `${mark}${made}` }),
  Requester: (_, mark) => ({ FirstName: mark }),
  TestStep: (_, mark) => ({ Description: `${mark} step` }),
  RoleEffort: () => ({ Effort: 1 }),
  Attachment: () => ({ Content: 'dGV4dA==' }),
};

/** Makes one and tells its id; fails where the service refuses. */
export async function make(
  app: TestApp,
  kind: string,
  place: Place,
  more: object = {},
  ask: Ask = {},
): Promise<number> {
  const resource = model.resource(kind);
  const answer = await app.post(
    `/api/v1/${resource.collection}?format=json&include=[Id]`,
    { ...bodyOf(kind, place), ...more },
    ask,
  );
  if (answer.status > 201) throw new Error(`${kind}: ${answer.status} ${answer.text}`);
  return answer.json.Id;
}

/** In an order in which each kind finds what it refers to. */
const listed = [
  ...['Company', 'Program', 'Project', 'Milestone', 'MilestoneProject', 'Team', 'TeamProject', 'TeamIteration'],
  ...['User', 'Requester', 'ProjectMember', 'TeamMember', 'Release', 'ReleaseProject', 'Iteration', 'Build'],
  ...['PortfolioEpic', 'Epic', 'Feature', 'UserStory', 'Task', 'Bug', 'Request', 'Impediment'],
  ...['TestCase', 'TestStep', 'TestPlan', 'TestPlanRun', 'CustomActivity', 'Tag'],
  ...[
    'Comment',
    'Time',
    'Assignment',
    'TeamAssignment',
    'RoleEffort',
    'Relation',
    'GeneralFollower',
    'Revision',
    'RevisionFile',
    'MessageUid',
    'Message',
    'EntityPermission',
  ],
];

/** They come along with others (`followed`), or are made as somebody's own. */
const madeOtherwise = ['AccessToken', 'Attachment', 'TestCaseRun', 'TestStepRun'];

/** Kinds that nobody has listed come last, each behind those that it needs. */
const unlisted = model.resources.filter(
  ({ name, isAbstract, settings: { operations, isConfiguration } }) =>
    operations.create && !isAbstract && !isConfiguration && ![...listed, ...madeOtherwise].includes(name),
);

const neededBy = (resource: ResourceType): ResourceType[] =>
  resource.fields
    .filter((field) => field.kind === 'reference' && field.isRequired)
    .flatMap((field) => unlisted.filter((one) => one !== resource && one === (field as ReferenceField).target))
    .flatMap((one) => [...neededBy(one), one]);

const inOrder = [...listed, ...new Set(unlisted.flatMap((one) => [...neededBy(one), one]).map(({ name }) => name))];

/** The workflow of stories in the process of `makeEverything`, for what refers to a workflow. */
export async function storyWorkflow(app: TestApp): Promise<{ Workflow: number }> {
  const [{ id }] = await app.rows(
    'select id from workflow where process_id = 3 and entity_type_id = 4 and parent_workflow_id is null',
  );
  return { Workflow: id };
}

/**
 * Two of each kind, each in a project of its own, and a state among the first that is neither the initial nor a final
 * one.
 */
export async function twoOfEverything(app: TestApp, mark: string): Promise<{ ids: Ids; others: Ids }> {
  const workflow = await storyWorkflow(app);
  const { ids } = await makeEverything(app, mark, workflow);
  const [state] = await app.rows(
    'select id from entity_state where workflow_id = $1 and not is_initial and not is_final limit 1',
    [workflow.Workflow],
  );
  const others = await makeEverything(app, 'other', workflow);
  return { ids: { ...ids, EntityState: state.id }, others: others.ids };
}

/** One of each kind in a new project; those of `given` are there already. */
export async function makeEverything(app: TestApp, mark: string, given: Ids): Promise<Place> {
  const place: Place = { mark, ids: { Process: 3, Role: 1, RelationType: 1, EntityType: 4, ...given } };
  for (const kind of inOrder) {
    if (given[kind] !== undefined) continue;
    place.ids[kind] = await make(app, kind, place, await together(app, kind, place));
  }
  return { ...place, ids: { ...place.ids, ...(await followed(app, place.ids)) } };
}

async function together(app: TestApp, kind: string, place: Place): Promise<object> {
  if (kind === 'Project') return { Process: { Id: place.ids.Process } };
  if (kind === 'TestPlan') return { TestCases: [{ Id: place.ids.TestCase }] };
  if (kind === 'Revision') return { Assignables: [{ Id: place.ids.UserStory }] };
  if (kind === 'Message')
    return { Generals: [{ Id: place.ids.UserStory }], MessageUid: { Id: place.ids.MessageUid }, Subject: place.mark };
  if (kind === 'Relation') return { Master: { Id: await make(app, 'UserStory', place) } };
  return {};
}

/** What came along: runs of cases and steps; and what only other ways make: files, histories, allocations. */
async function followed(
  app: TestApp,
  { TestPlanRun, UserStory, TeamProject, Project, ProjectMember, Relation }: Ids,
): Promise<Ids> {
  const [row] = await app.rows(
    `with file as (insert into attachment (name, unique_file_name, date, mime_type, size, content, owner_id, general_id)
       values ('file.txt', 'file.txt', now(), 'text/plain', 4, 'text', 1, $2) returning id),
     allocation as (insert into team_project_allocation (team_project_id) values ($3) returning id),
     conversion as (insert into general_conversion (from_general_id, from_general_type_id, actual_general_id) values ($2, 4, $2) returning id)
     select r.id as "TestCaseRun", s.id as "TestStepRun", (select id from file) as "Attachment",
       (select id * 2 + 1 from allocation) as "TeamProjectAllocation",
       $4::bigint * 2 as "UserProjectAllocation", $4::bigint * 2 as "ProjectAllocation",
       (select slave_id from relation where id = $5) as "OutboundAssignable", (select master_id from relation where id = $5) as "InboundAssignable",
       (select l.id from test_run_item_hierarchy_link l where l.test_case_run_id = r.id) as "TestRunItemHierarchyLink", (select id from conversion) as "GeneralConversion",
       (select id from assigned_effort where assignable_id = $2 limit 1) as "AssignedEffort"
     from test_case_run r left join test_step_run s on s.test_case_run_id = r.id where r.test_plan_run_id = $1`,
    [TestPlanRun, UserStory, TeamProject, ProjectMember, Relation],
  );
  if (Project === undefined) throw new Error('a project is needed');
  return Object.fromEntries(Object.entries(row).filter(([, id]) => id !== null)) as Ids;
}
