/** Names of files in forms, as clients write them that go by other rules than browsers. */
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

describe('files', () => {
  const upload = async (disposition: string, path = '/UploadFile.ashx', id?: number) => {
    const parts = id === undefined ? [] : [`--b\r\nContent-Disposition: form-data; name="generalId"\r\n\r\n${id}`];
    parts.push(`--b\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\n\r\ntext`, '--b--\r\n');
    return app.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: Buffer.from(parts.join('\r\n'), 'utf8'),
    });
  };
  const story = async (): Promise<number> =>
    (await app.write('UserStories', { Name: 'files', Project: { Id: project } })).Id;

  it.each([
    ['filename="=?utf-8?B?bsOkbWUuYmlu?="', 'näme.bin'],
    ['filename="=?UTF-8?b?bsOkbWUuYmlu?="', 'näme.bin'],
    ['filename="=?utf-8?Q?n=C3=A4me_1.bin?="', 'näme 1.bin'],
    ['filename="=?utf-8?B?5A==?="', '=?utf-8?B?5A==?='],
    ['filename="=?x?B?bsOkbWUuYmlu?="', '=?x?B?bsOkbWUuYmlu?='],
    ['filename="a =?utf-8?B?bsOkbWUuYmlu?="', 'a =?utf-8?B?bsOkbWUuYmlu?='],
    ['filename="=?utf-8?B?Li4vLi4vZXRjL3Bhc3N3ZA==?="', 'passwd'],
    ['filename=a b.txt', 'a b.txt'],
    ['filename=a.txt', 'a.txt'],
    ['filename="a b.txt"', 'a b.txt'],
    ['filename="a; filename=c d.txt"', 'a; filename=c d.txt'],
    ['filename=C:\\tmp\\a b.txt', 'a b.txt'],
    [`filename=a${' '.repeat(2000)}`, 'a'],
  ])('are named as it was meant: %s', async (disposition, name) => {
    const answer = await upload(disposition, undefined, await story());
    expect([answer.status, answer.json.items?.[0].name]).toEqual([200, name]);
  });

  it('keep the name of their field behind one that ends with a backslash', async () => {
    const disposition = 'Content-Disposition: form-data';
    const item = `--b\r\n${disposition}; name="generalId"\r\n\r\n${await story()}\r\n`;
    const body = `${item}--b\r\n${disposition}; filename=a\\; name="file"\r\n\r\ntext\r\n--b--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await app.ask('/UploadFile.ashx', { method: 'POST', headers, body: Buffer.from(body) });
    expect([answer.status, answer.json.items?.length]).toEqual([200, 1]);
  });

  it('without their item are told that it is a field of the form', async () => {
    const answer = await upload('filename="a.txt"', `/UploadFile.ashx?generalId=${await story()}`);
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(/field of the form/)]);
  });
});
