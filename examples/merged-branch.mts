/** A CI job behind a merge: moves the story that the branch is named after, logs time and comments. */
const { WORKTRACK_URL: url, WORKTRACK_TOKEN: token, BRANCH = '', COMMIT, HOURS = '1', STATE = 'Done' } = process.env;

/** The key makes a job that runs again for the same commit change nothing. */
async function post(step: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/api/v1/${path}?format=json&include=[Id]`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': `merged-${COMMIT}-${step}`,
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  process.stdout.write(`${text}\n`);
}

/** The first number that is a word of its own, as in fix-2fa-1263; else the last one, as in us1263. */
const named = /(?<![a-z\d])\d+(?![a-z\d])/i.exec(BRANCH) ?? /\d+(?=\D*$)/.exec(BRANCH);
const story = Number(named?.[0]);
if (story) {
  const Description = `Merged as ${COMMIT}`;
  await post('story', `UserStories/${story}`, { EntityState: { Name: STATE }, Comments: [{ Description }] });
  await post('time', 'Times', { Assignable: { Id: story }, Spent: Number(HOURS), Description });
} else process.stderr.write(`No story is named in ${BRANCH}.\n`);

export {};
