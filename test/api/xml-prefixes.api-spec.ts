/** Names of elements with a prefix, as serializers of .NET and Java write them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

describe('elements with a prefix', () => {
  const send = (body: string) =>
    app.ask('/api/v1/UserStories?format=json', {
      method: 'POST',
      headers: { 'content-type': 'application/xml' },
      body,
    });
  const a = 'xmlns:a="http://schemas.datacontract.org/2004/07/Other"';

  it.each([
    [
      'of a part',
      () => `<UserStory xmlns="urn:x" ${a}><Name>x</Name><Project><a:Id>${project}</a:Id></Project></UserStory>`,
    ],
    [
      'bound where it stands',
      () => `<UserStory Name="x"><a:Project ${a}><a:Id>${project}</a:Id></a:Project></UserStory>`,
    ],
    ['of all', () => `<a:UserStory ${a}><a:Name>x</a:Name><a:Project Id="${project}"></a:Project></a:UserStory>`],
    ['of empty ones', () => `<a:UserStory ${a} Name="x"><a:Project Id="${project}"/><a:Feature/></a:UserStory>`],
  ])('that is bound are named behind it: %s', async (_, body) => {
    const answer = await send(body());
    expect([answer.status, answer.json]).toEqual([201, expect.objectContaining({ Name: 'x' })]);
    expect(answer.json.Project.Id).toBe(project);
  });

  it.each([
    ['is bound nowhere', () => `<UserStory Name="x"><a:Project Id="${project}"/></UserStory>`],
    ['is bound no longer', () => `<UserStory><Name ${a}>x</Name><a:Project Id="${project}"/></UserStory>`],
    ['has no name', () => `<UserStory Name="x" ${a}><a:/></UserStory>`],
    ['is twice there', () => `<UserStory Name="x" ${a}><a:b:Project Id="${project}"/></UserStory>`],
    ['of an attribute', () => `<UserStory ${a} a:Name="x"><Project Id="${project}"/></UserStory>`],
  ])('are refused where it %s', async (_, body) => expect((await send(body())).status).toBe(400));

  it.each([
    [`<a:UserStory ${a} Name="q"><Project Id="64"/></UserStory>`, "'UserStory' ends where 'a:UserStory' has to"],
    [`<a:UserStory ${a} Name="q"><a:Project Id="64"/>`, "'a:UserStory' does not end"],
  ])('are told as they were sent: %s', async (body, words) => {
    const answer = await send(body);
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining(words)]);
  });

  it('are the members that they would be without it', async () => {
    const answer = await send(`<UserStory ${a} Name="x"><a:Name>y</a:Name></UserStory>`);
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining('given twice')]);
  });
});
