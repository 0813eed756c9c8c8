/** Requests of clients that read and of clients that write at the same time. */
import { loadCases } from './cases.mjs';
import { inTurn } from './fixture.mjs';
import { get, projectInTurn, referenceList } from './requests.mjs';

const written = ['create-one', 'field', 'state', 'time', 'comment'];

/** Writes of all kinds in turn, in the projects in turn. */
export async function writesIn(projects, fixture) {
  const all = await loadCases();
  const cases = written.map((kind) => all.find(({ name }) => name === kind));
  return counting((i) => {
    const turn = Math.floor(i / cases.length);
    const own = { ...fixture, projects: [inTurn(projects, turn)] };
    return inTurn(cases, i).service(Math.floor(turn / projects.length), own);
  });
}

export const referenceListsOf = (projects, { headers }) =>
  counting((i) => get(referenceList(projectInTurn(i, { projects })), headers));

/** The reference list, one story, the newest stories, and the comments of one story. */
export function readsIn(projects, { headers, stories }) {
  const kinds = [
    (i) => referenceList(projectInTurn(i, { projects })),
    (i) => `/api/v1/UserStories/${inTurn(stories, i * 7)}?format=json`,
    () => '/api/v1/UserStories?format=json',
    (i) => encodeURI(`/api/v1/Comments?where=(General.Id eq ${inTurn(stories, i * 7)})&format=json`),
  ];
  return counting((i) => get(inTurn(kinds, i)(Math.floor(i / kinds.length)), headers));
}

function counting(request) {
  let i = 0;
  return () => request(i++);
}
