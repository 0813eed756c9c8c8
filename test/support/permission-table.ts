/**
 * Who may do what, as a table. A kind of resource is in one group; a route that serves no resource has a line of its
 * own. Who is not in the columns is refused with 401 everywhere: without credentials, requesters, the inactive and the
 * deleted. The System user may what administrators may. `ok` is 200 or 201.
 */
import type { Model, ResourceType } from '../../src/model/model.js';

export const columns = ['observer', 'member', 'team', 'outsider', 'admin'] as const;
export type Column = (typeof columns)[number];

export const operations = [
  'list',
  'one',
  'inner',
  'create',
  'update',
  'bulk',
  'add',
  'take',
  'takeAll',
  'delete',
  'deleteAll',
  'meta',
] as const;
export type Operation = (typeof operations)[number];

/** Lines that hold for all groups unless they say otherwise. What is not offered is answered with 405 whoever asks. */
const always = `
  list       ok  ok  ok  ok  ok
  meta       ok  ok  ok  ok  ok`;

const groups: Record<string, { kinds: string; table: string }> = {
  // Observer and member are of the project, the team is assigned to the item and has nothing to do with the project.
  'work item of a project': {
    kinds: 'Assignable Bug Epic Feature Request TestPlan UserStory',
    table: `
  one        ok  ok  ok  404 ok
  inner      ok  ok  ok  404 ok
  create     403 ok  400 400 ok
  update     403 ok  403 404 ok
  bulk       403 ok  403 404 ok
  add        403 ok  403 404 ok
  take       403 ok  403 404 ok
  takeAll    403 ok  403 404 ok
  delete     403 ok  403 404 ok
  deleteAll  403 ok  403 404 ok`,
  },
  // The team sees what it is to lie beside, and not the project.
  'work item that lies where another one does': {
    kinds: 'Task TestPlanRun',
    table: `
  one        ok  ok  ok  404 ok
  inner      ok  ok  ok  404 ok
  create     403 ok  403 400 ok
  update     403 ok  403 404 ok
  bulk       403 ok  403 404 ok
  add        403 ok  403 404 ok
  take       403 ok  403 404 ok
  takeAll    403 ok  403 404 ok
  delete     403 ok  403 404 ok
  deleteAll  403 ok  403 404 ok`,
  },
  'what else lies in a project': {
    kinds: 'Build General Impediment Iteration Release TestCase',
    table: `
  one        ok  ok  404 404 ok
  inner      ok  ok  404 404 ok
  create     403 ok  400 400 ok
  update     403 ok  404 404 ok
  bulk       403 ok  404 404 ok
  add        403 ok  404 404 ok
  take       403 ok  404 404 ok
  takeAll    403 ok  404 404 ok
  delete     403 ok  404 404 ok
  deleteAll  403 ok  404 404 ok`,
  },
  'projects and what joins them': {
    kinds: 'Project Program Milestone',
    table: `
  one        ok  ok  404 404 ok
  inner      ok  ok  404 404 ok
  create     403 403 403 403 ok
  update     403 403 404 404 ok
  bulk       403 403 404 404 ok
  add        403 403 404 404 ok
  take       403 403 404 404 ok
  takeAll    403 403 404 404 ok
  delete     403 403 404 404 ok
  deleteAll  403 403 404 404 ok`,
  },
  'known to everyone, written by administrators': {
    kinds: `Team TeamIteration PortfolioEpic Company GeneralUser User Requester TeamMember
      PortfolioEpicHistory PortfolioEpicSimpleHistory
      CustomField CustomRule EntityState EntityType Practice Priority Process RelationType RequestType Role RoleEntityType Severity Term Workflow`,
    table: `
  one        ok  ok  ok  ok  ok
  inner      ok  ok  ok  ok  ok
  create     403 403 403 403 ok
  update     403 403 403 403 ok
  bulk       403 403 403 403 ok
  add        403 403 403 403 ok
  take       403 403 403 403 ok
  takeAll    403 403 403 403 ok
  delete     403 403 403 403 ok
  deleteAll  403 403 403 403 ok`,
  },
  'word for everyone': {
    kinds: 'Tag',
    table: `
  one        ok  ok  ok  ok  ok
  inner      ok  ok  ok  ok  ok
  create     403 ok  ok  ok  ok
  update     403 403 403 403 ok
  bulk       403 403 403 403 ok
  delete     403 403 403 403 ok
  deleteAll  403 403 403 403 ok`,
  },
  'membership of a project': {
    kinds: `ProjectMember TeamProject MilestoneProject ProjectAllocation TeamProjectAllocation UserProjectAllocation`,
    table: `
  one        ok  ok  404 404 ok
  inner      ok  ok  404 404 ok
  create     403 403 400 400 ok
  update     403 403 404 404 ok
  bulk       403 403 404 404 ok
  add        403 403 404 404 ok
  take       403 403 404 404 ok
  takeAll    403 403 404 404 ok
  delete     403 403 404 404 ok
  deleteAll  403 403 404 404 ok`,
  },
  'part of a work item': {
    kinds: `AssignedEffort Assignment Attachment GeneralConversion GeneralFollower RoleEffort TeamAssignment
      FullHistory SimpleHistory BugHistory BugSimpleHistory EpicHistory EpicSimpleHistory FeatureHistory FeatureSimpleHistory
      RequestHistory RequestSimpleHistory TaskHistory TaskSimpleHistory UserStoryHistory UserStorySimpleHistory`,
    table: `
  one        ok  ok  ok  404 ok
  create     403 ok  403 400 ok
  update     403 ok  403 404 ok
  bulk       403 ok  403 404 ok
  delete     403 ok  403 404 ok
  deleteAll  403 ok  403 404 ok`,
  },
  // The one end of the relation that is there is not assigned to the team.
  'part of what else lies in a project': {
    kinds: `CustomActivity ImpedimentHistory ImpedimentSimpleHistory InboundAssignable OutboundAssignable Relation ReleaseProject
      Revision RevisionFile TestRunItemHierarchyLink TestStep TestStepRun`,
    table: `
  one        ok  ok  404 404 ok
  inner      ok  ok  404 404 ok
  create     403 ok  400 400 ok
  update     403 ok  404 404 ok
  bulk       403 ok  404 404 ok
  delete     403 ok  404 404 ok
  deleteAll  403 ok  404 404 ok`,
  },
  'run of a test': {
    kinds: 'TestCaseRun',
    table: `
  one        ok  ok  404 404 ok
  inner      ok  ok  404 404 ok
  create     403 400 400 400 400
  update     403 ok  404 404 ok
  bulk       403 ok  404 404 ok
  add        403 ok  404 404 ok
  take       403 ok  404 404 ok
  takeAll    403 ok  404 404 ok
  delete     403 ok  404 404 ok
  deleteAll  403 ok  404 404 ok`,
  },
  // Whoever sees an item says something about it; what others said is theirs.
  comment: {
    kinds: 'Comment',
    table: `
  one        ok  ok  ok  404 ok
  create     ok  ok  ok  400 ok
  update     403 403 403 404 ok
  bulk       403 403 403 404 ok
  delete     403 403 403 404 ok
  deleteAll  403 403 403 404 ok`,
  },
  'time of another': {
    kinds: 'Time',
    table: `
  one        ok  ok  ok  404 ok
  create     403 ok  ok  400 ok
  update     403 403 403 404 ok
  bulk       403 403 403 404 ok
  delete     403 403 403 404 ok
  deleteAll  403 403 403 404 ok`,
  },
  // The one that is asked about is the administrator's.
  'credential of its owner': {
    kinds: 'AccessToken',
    table: `
  one        404 404 404 404 ok
  create     ok  ok  ok  ok  ok
  delete     404 404 404 404 ok
  deleteAll  404 404 404 404 ok`,
  },
  'what administrators look after': {
    kinds: 'LoginAttempt',
    table: `
  one        404 404 404 404 ok
  delete     404 404 404 404 ok
  deleteAll  404 404 404 404 ok`,
  },
  'mail about a work item': {
    kinds: 'Message',
    table: `
  one        ok  ok  ok  404 ok
  inner      ok  ok  ok  404 ok
  create     403 403 403 403 ok
  update     403 403 403 404 ok
  bulk       403 403 403 404 ok
  delete     403 403 403 404 ok
  deleteAll  403 403 403 404 ok`,
  },
  'mail on its server': {
    kinds: 'MessageUid',
    table: `
  one        404 404 404 404 ok
  create     403 403 403 403 ok
  update     404 404 404 404 ok
  bulk       404 404 404 404 ok
  delete     404 404 404 404 ok
  deleteAll  404 404 404 404 ok`,
  },
  'what administrators set': {
    kinds: 'GlobalSettings',
    table: `
  list       403 403 403 403 ok
  one        403 403 403 403 ok
  create     403 403 403 403 ok
  update     403 403 403 403 ok
  bulk       403 403 403 403 ok`,
  },
  'right on one entity': {
    kinds: 'EntityPermission',
    table: `
  one        ok  ok  ok  404 ok
  create     403 403 403 400 ok
  update     403 403 403 404 ok
  bulk       403 403 403 404 ok
  delete     403 403 403 404 ok
  deleteAll  403 403 403 404 ok`,
  },
};

/**
 * Routes besides those that every resource has. `anonymous` is refused like everybody without a right to call unless it
 * is said.
 */
const others = `
  GET /api/v1/authentication            ok  ok  ok  ok  ok
  GET /api/v1/authentication?login=alice 403 403 403 403 ok
  POST /api/v1/authentication?login=nobody 403 403 403 403 404
  GET /api/v1/users/loggeduser          ok  ok  ok  ok  ok
  POST /api/v1/users/loggeduser/password 400 400 400 400 400
  GET /api/deleteditems/v1/projects     403 403 403 403 ok
  GET /api/deleteditems/v1/users        403 403 403 403 ok
  POST /api/deleteditems/v1/projects/:id/restore 403 403 403 403 404
  POST /api/deleteditems/v1/users/:id/restore 403 403 403 403 404
  GET /api/deletedprojects/v1           403 403 403 403 ok
  POST /api/v1/undelete                 403 403 403 403 400
  POST /api/v1/undelete/bulk            403 403 403 403 400
  GET /api/v2/:entity                   ok  ok  ok  ok  ok
  GET /api/v2/:entity*                  ok  ok  ok  404 ok
  POST /api/v2/:entity                  ok  ok  ok  ok  ok
  POST /api/v2/:entity*                 ok  ok  ok  404 ok
  GET /api/history/v2/:entity           ok  ok  ok  ok  ok
  GET /api/history/v2/:entity*          ok  ok  ok  404 ok
  POST /api/history/v2/:entity          ok  ok  ok  ok  ok
  POST /api/history/v2/:entity*         ok  ok  ok  404 ok
  GET /query                            ok  ok  ok  ok  ok
  GET /query/conditions                 ok  ok  ok  ok  ok
  GET /profile                          ok  ok  ok  ok  ok
  GET /administration                   403 403 403 403 303
  GET /administration/users             403 403 403 403 ok
  GET /administration/users/new         403 403 403 403 ok
  GET /administration/users/:id         403 403 403 403 404
  GET /administration/deleted-users     403 403 403 403 ok
  GET /administration/deleted-projects  403 403 403 403 ok
  GET /administration/settings          403 403 403 403 ok
  GET /api/v1/search?q=login            ok  ok  ok  ok  ok
  GET /api/openapi.json                 ok  ok  ok  ok  ok
  GET /api/docs                         ok  ok  ok  ok  ok
  GET /api/docs/:tag                    404 404 404 404 404
  POST /mcp                             400 400 400 400 400
  GET /mcp                              405 405 405 405 405
  DELETE /mcp                           405 405 405 405 405
  PUT /mcp                              405 405 405 405 405
  PATCH /mcp                            405 405 405 405 405
  OPTIONS /mcp                          405 405 405 405 405
  GET /api/v1/context                   ok  ok  ok  ok  ok
  GET /api/v1/index/meta                ok  ok  ok  ok  ok
  GET /api/v1/meta                      ok  ok  ok  ok  ok
  GET /attachment.aspx                  ok  ok  ok  404 ok
  GET /attachmentthumbnail.aspx         404 404 404 404 404
  GET /avatar.ashx                      ok  ok  ok  ok  ok
  POST /avatar.ashx                     415 415 415 415 415
  DELETE /avatar.ashx                   ok  ok  ok  ok  ok
  POST /uploadfile.ashx                 415 415 415 415 415
  GET /uploadfile.ashx                  405 405 405 405 405
  POST /attachment.aspx                 405 405 405 405 405
  POST /attachmentthumbnail.aspx        405 405 405 405 405
  PUT /attachment.aspx                  405 405 405 405 405
  PUT /attachmentthumbnail.aspx         405 405 405 405 405
  PUT /uploadfile.ashx                  405 405 405 405 405
  PUT /avatar.ashx                      405 405 405 405 405
  PATCH /attachment.aspx                405 405 405 405 405
  PATCH /attachmentthumbnail.aspx       405 405 405 405 405
  PATCH /uploadfile.ashx                405 405 405 405 405
  PATCH /avatar.ashx                    405 405 405 405 405
  DELETE /attachment.aspx               405 405 405 405 405
  DELETE /attachmentthumbnail.aspx      405 405 405 405 405
  DELETE /uploadfile.ashx               405 405 405 405 405
  OPTIONS /attachment.aspx              405 405 405 405 405
  OPTIONS /attachmentthumbnail.aspx     405 405 405 405 405
  OPTIONS /uploadfile.ashx              405 405 405 405 405
  OPTIONS /avatar.ashx                  405 405 405 405 405
  GET /entity/:id                       ok  ok  ok  404 ok`;

/** Open to anybody. */
export const open = [
  'GET /',
  'GET /documentation',
  'GET /documentation/:name',
  'GET /documentation/pictures/:name',
  'GET /health/live',
  'GET /health/ready',
  'GET /assets/:hash/:name',
];

/** Where sessions begin and end: open too, with rules of their own, which have specs of their own. */
export const doors = [
  ...['GET /login', 'POST /login', 'POST /logout', 'GET /login/sso', 'GET /login/sso/callback'],
  'POST /api/login/validate',
];

/** There is one row, which is what is changed by a body without an Id. */
export const single = new Set(['GlobalSettings']);

/** Where the System user, who is no person, has less than administrators; a time of it has to name somebody. */
export const notForSystem = new Map([
  ['AccessToken create', '403'],
  ['Time create', '400'],
]);

/** What no other route takes: nothing is there, and only who may call is told so. */
export const nowhere = /^[A-Z-]+ \/api(\/?\*)?$/;

export type Row = Record<Column, string>;

const rowOf = (line: string): [string, Row] => {
  const words = line.trim().split(/\s+/);
  const statuses = words.slice(-columns.length);
  return [
    words.slice(0, -columns.length).join(' '),
    Object.fromEntries(columns.map((name, at) => [name, statuses[at]!])) as Row,
  ];
};
const rowsOf = (table: string): Map<string, Row> =>
  new Map(
    table
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(rowOf),
  );

export const otherRoutes = rowsOf(others);

const rights = new Map(
  Object.values(groups).flatMap(({ kinds, table }) => {
    const rows = new Map([...rowsOf(always), ...rowsOf(table)]);
    return kinds.split(/\s+/).map((kind) => [kind, rows]);
  }),
);

/** By kind; of one that nobody has put into a group those of a kind that the model declares alike. */
export const rightsOf = (kind: ResourceType, model: Model): Map<string, Row> | undefined =>
  rights.get(kind.name) ?? rights.get(alike(kind, model)?.name ?? '');

function alike(kind: ResourceType, model: Model): ResourceType | undefined {
  const narrowed = historyOf(kind);
  if (narrowed) return historyIn(kind, rights.has(narrowed.name) ? narrowed : alike(narrowed, model), model);
  const listed = [...rights.keys()].map((name) => model.resources.find((one) => one.name === name)!);
  return listed.find((one) => factsOf(one) === factsOf(kind));
}

/** Of what a history is. */
const historyOf = ({ table, fields }: ResourceType): ResourceType | undefined =>
  /_history$/.test(table)
    ? fields.filter((field) => field.kind === 'reference').find(({ isNarrowed }) => isNarrowed)?.target
    : undefined;

const historyIn = ({ table }: ResourceType, kind: ResourceType | undefined, { resources }: Model) =>
  resources.find((one) => one.table === table && kind !== undefined && historyOf(one) === kind);

/** What rights depend on. */
function factsOf({ base, settings, fields }: ResourceType): string {
  const { visible, lies, writers, isAdministered, isView, key } = settings;
  const isPart = fields.some((field) => field.kind === 'reference' && field.isPart);
  return JSON.stringify([base?.name, visible, lies, writers, isAdministered, isView, isPart, key.length > 0]);
}

export const groupedKinds = [...rights.keys()];
