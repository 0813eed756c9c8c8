/** The CI job of `examples/`: it moves the story, logs time and comments, once for each commit. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestApp } from '../support/app.js';
import { Example, languages, tokenOf } from './example.js';

vi.setConfig({ testTimeout: 120_000 });

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await TestApp.start();
  token = await tokenOf(app, 'alice');
});
afterAll(() => app.stop());

/** An open story of a project of Alice's; another one for each language. */
const story = async (): Promise<number> =>
  (
    await app.rows(
      `select g.id from general g join project_member m on m.project_id = g.project_id
       join general_user u on u.id = m.user_id join entity_state s on s.id = g.entity_state_id
       join general p on p.id = g.project_id
       where u.login = 'alice' and g.entity_type_id = 4 and g.delete_date is null and s.name = 'Open' and p.process_id = 3
       order by g.id limit 1`,
    )
  )[0].id;

const stored = async (id: number) => ({
  state: (
    await app.rows('select s.name from general g join entity_state s on s.id = g.entity_state_id where g.id = $1', [id])
  )[0].name,
  times: await app.rows(
    `select t.spent::float, t.description, u.login from time t join general_user u on u.id = t.user_id
     where t.assignable_id = $1 and t.description like 'Merged%' order by t.id`,
    [id],
  ),
  comments: (
    await app.rows("select description from comment where general_id = $1 and description like 'Merged%'", [id])
  ).map(({ description }) => description),
});

describe.each(languages)('$name', (language) => {
  const commit = `5e1f${language.suffix}`;
  let example: Example;
  beforeAll(() => {
    example = new Example('merged-branch', language, token);
  });
  afterAll(() => example.remove());

  it.skipIf(!language.isThere)(
    `moves the story, logs time and comments, once for a commit, in ${language.name}`,
    async () => {
      const id = await story();
      const env = { BRANCH: `feature-2fa/${id}-print-a-receipt`, COMMIT: commit, HOURS: '2.5', STATE: 'In Progress' };
      const merged = {
        state: 'In Progress',
        times: [{ spent: 2.5, description: `Merged as ${commit}`, login: 'alice' }],
        comments: [`Merged as ${commit}`],
      };
      const first = await example.run(app.base, [], env);
      expect(first, first.errors).toMatchObject({ status: 0 });
      expect(await stored(id)).toEqual(merged);
      const second = await example.run(app.base, [], env);
      expect(second).toEqual(first);
      expect(await stored(id)).toEqual(merged);
    },
  );

  it.skipIf(!language.isThere)(`does nothing for a branch without a number, in ${language.name}`, async () => {
    const ran = await example.run(app.base, [], { BRANCH: 'cleaning-up', COMMIT: commit });
    expect(ran).toMatchObject({ status: 0, lines: [], errors: 'No story is named in cleaning-up.\n' });
  });

  it.skipIf(!language.isThere)(`fails with what the service says, in ${language.name}`, async () => {
    const id = await story();
    const ran = await example.run(app.base, [], { BRANCH: `fix/${id}`, COMMIT: `${commit}2`, STATE: 'Nowhere' });
    expect(ran.status).not.toBe(0);
    expect(ran.lines.join() + ran.errors).toContain("the state 'Nowhere' is not one of the workflow");
    expect((await stored(id)).times).toEqual([]);
  });
});
