/** The requests that cases for reading send to the service, spelled as clients spell them. */
import { inTurn } from './fixture.mjs';

const include =
  '[Id,Name,Effort,Project[Id,Name],EntityState[Id,Name],Tasks[Id,Name,Effort],Assignments[Role[Name],GeneralUser[FirstName,LastName]]]';

/** The list that everything here is compared by: nested items, counts, and a filter through a reference. */
export const referenceList = (project, { format = 'json', more = '' } = {}) =>
  encodeURI(
    `/api/v1/UserStories?include=${include}&append=[Tasks-Count,Bugs-Count]` +
      `&where=(EntityState.Name eq 'In Progress') and (Project.Id eq ${project})${more}&take=25&format=${format}`,
  );

export const get = (path, headers) => ({ path, headers, expects: 200 });

export const projectInTurn = (i, { projects }) => inTurn(projects, i).id;

/** A failure is told with 200, too. */
export const graphql = (query, variables) => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
  expects: 200,
  isWrong: (text) => text.startsWith('{"errors"'),
});
