/**
 * Writes for which rules look up more than they name, before it is asked whether the caller may write: workflows of
 * teams, memberships, comments, steps, processes of projects, runs and stories above.
 */
import { type HiddenPlaces, partState } from './hidden-places.js';
import type { Request } from './random-writes.js';
import type { Secrets } from './secrets.js';

const at = (Id?: number) => ({ Id });

export const rulesLookUp = (as: string, secrets: Secrets, places: HiddenPlaces): Request[] =>
  bodiesFor(secrets, places).map(([path, body]) => [
    `/api/v1/${path}?format=json`,
    { as, method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  ]);

function bodiesFor({ own, tied, secret }: Secrets, { across, farther }: HiddenPlaces): [path: string, body: object][] {
  const Team = at(secret.Team);
  const states = [{ Name: 'Nowhere' }, { Name: partState }, { Name: 'Done' }];
  return [
    ...[...states, at(across.EntityState)].flatMap((EntityState): [string, object][] => [
      ['TeamAssignments', { Assignable: at(across.UserStory), Team, EntityState }],
      [`TeamAssignments/${across.TeamAssignment}`, { EntityState }],
      [`UserStories/${across.UserStory}`, { AssignedTeams: [{ Team, EntityState }] }],
      [`UserStories/${across.UserStory}/AssignedTeams`, { Team, EntityState }],
      [`UserStories/${across.UserStory}`, { EntityState }],
    ]),
    ['Assignments', { Assignable: at(across.Bug), GeneralUser: at(secret.User) }],
    [`Bugs/${across.Bug}`, { Assignments: [{ GeneralUser: at(secret.User) }] }],
    [`Bugs/${across.Bug}`, { AssignedUser: [at(secret.User)] }],
    ['Times', { Assignable: at(across.Bug), Spent: 1, User: at(secret.User) }],
    ['Times', { Assignable: at(across.Bug), Spent: 1, Description: 'x' }],
    [`Times/${across.Time}`, { Assignable: at(across.UserStory) }],
    ...[secret.Comment, farther.Comment, across.Comment].map((ParentId): [string, object] => [
      'Comments',
      { General: at(across.Bug), Description: 'x', ParentId },
    ]),
    ['Comments', { General: at(own.Bug), Description: 'x', ParentId: secret.Comment }],
    [`Tasks/${across.Task}`, { Project: at(own.Project) }],
    [`Tasks/${tied.Task}`, { Project: at(own.Project), UserStory: at(across.UserStory) }],
    [`TestPlanRuns/${across.TestPlanRun}`, { Project: at(own.Project) }],
    [`TestPlanRuns/${tied.TestPlanRun}`, { ParentTestPlanRun: at(across.TestPlanRun) }],
    [`TestStepRuns/${tied.TestStepRun}`, { TestStep: at(secret.TestStep) }],
    ['TestSteps', { TestCase: at(tied.TestCase), Description: 'x' }],
    [`Releases/${across.Release}`, { CustomFields: [{ Name: 'Pointr', Value: 'x' }] }],
    [`UserStories/${across.UserStory}`, { CustomFields: [{ Name: 'Pointr', Value: 'x' }] }],
    [`UserStories/${across.UserStory}`, { Project: at(own.Project), EntityState: { Name: 'Nowhere' } }],
    [`UserStories/${across.UserStory}`, { Effort: 7, Team: at(own.Team), AssignedTeams: [{ Team }] }],
    ['Relations', { Master: at(across.UserStory), Slave: at(across.Bug), RelationType: at(1) }],
    ['EntityPermissions', { EntityId: secret.UserStory, EntityType: at(4) }],
    [`ReleaseProjects`, { Release: at(across.Release), Project: at(own.Project) }],
  ];
}
