/** Which lists look for the newest items of each state, and which walk over the items of all. */
import { expect, it } from 'vitest';
import { compiledList } from '../support/compiled-list.js';

const inProject = '(Project.Id eq 7)';
const open = "(EntityState.Name eq 'Open')";

it.each([
  [`where=${open} and ${inProject}`, true],
  [`where=${inProject} and (EntityState.Id in (1,2))`, true],
  [`where=(EntityState.Name in ('Open','Done')) and ${inProject}`, true],
  [`where=${open} and (EntityState.IsFinal eq 'false') and ${inProject}`, true],
  [`where=${open} and ${inProject} and (Id lt 500)`, true],
  [`where=${open} and ${inProject}&orderBy=Id`, true],
  [`where=${open} and ${inProject}&skip=25`, true],
  // Far behind and on long pages, the rows themselves take more than what is passed over.
  [`where=${open} and ${inProject}&skip=250`, false],
  [`where=${open} and ${inProject}&take=1000`, false],
  // One state is a place in the index itself.
  [`where=(EntityState.Id eq 1) and ${inProject}`, false],
  // Flags hold for many states.
  [`where=(EntityState.IsFinal eq 'false') and ${inProject}`, false],
  [`where=(EntityState.Name ne 'Open') and ${inProject}`, false],
  [`where=((EntityState.Name eq 'Open') or (Effort gt 3)) and ${inProject}`, false],
  // What else is asked may have an index of its own.
  [`where=${open} and ${inProject} and (Feature.Id eq 5)`, false],
  [`where=${open} and ${inProject} and (Name contains 'x')`, false],
  [`where=${open} and ${inProject}&orderBy=Name`, false],
  [`where=${open}`, false],
])('%s: %s', (query, isProbed) => {
  for (const shape of ['administrator', 'member', 'member in context'] as const) {
    expect(compiledList('UserStory', query, shape).text.includes('from unnest(array(')).toBe(isProbed);
  }
  expect(compiledList('Assignable', query).text).not.toContain('from unnest(array(');
});
