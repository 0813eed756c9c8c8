/** Makes a story of each row of a CSV file; prints the Ids in the order of the rows. It may be run again after a failure. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const { WORKTRACK_URL: url, WORKTRACK_TOKEN: token } = process.env;
const [, , file = 'stories.csv'] = process.argv;
const [rowsAtOnce, attempts] = [100, 5];

type Items = { Items: { Id: number }[] };

/** Fields may stand in quotes, with commas, line breaks and doubled quotes. */
function* rowsOf(text: string): Generator<string[]> {
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    if (row.some((field) => field !== '')) yield row;
    row = [];
  }
}

function storiesIn(text: string): object[] {
  const [names = [], ...rows] = rowsOf(text);
  return rows.map((row) => {
    const story = Object.fromEntries(names.map((name, column) => [name, row[column]]));
    return { ...story, Project: { Id: Number(story.Project) } };
  });
}

async function send(body: string, key: string): Promise<Items | undefined> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key };
  const answer = await fetch(`${url}/api/v1/UserStories/bulk?format=json&include=[Id]`, {
    method: 'POST',
    headers,
    body,
  });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text);
  if (answer.status === 429 || answer.status === 503) return undefined;
  process.stderr.write(`${answer.status} ${text}\n`);
  process.exit(1);
}

/** With the same key the service does it once, however often it is asked. */
async function sendUntilAnswered(body: string, key: string): Promise<Items> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    // Where the connection breaks, it is not known whether the rows are stored.
    const answer = await send(body, key).catch(() => undefined);
    if (answer) return answer;
    await pause(1000 * attempt);
  }
  throw new Error('The service cannot be reached. Run this again.');
}

const stories = storiesIn(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
for (let start = 0; start < stories.length; start += rowsAtOnce) {
  const body = JSON.stringify(stories.slice(start, start + rowsAtOnce));
  const key = `import-${start}-${createHash('sha256').update(body).digest('hex')}`;
  const { Items } = await sendUntilAnswered(body, key);
  for (const { Id } of Items) process.stdout.write(`${Id}\n`);
}
