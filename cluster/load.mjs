/**
 * A steady mixed load with a ledger: what each write was answered, what its writer read behind it, and when anything
 * succeeded.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

const writers = 6;
const readers = 4;
const patienceMs = 12_000;

export class Load {
  constructor(base, headers, projectId) {
    Object.assign(this, { base, headers, projectId });
    /** One line for each story: how often it was sent, what was acknowledged. */
    this.stories = [];
    this.reads = [];
    this.writes = [];
    this.stale = [];
    this.latest = '0';
    /** Of the load itself: while it stands still, nothing is sent. */
    this.delay = monitorEventLoopDelay({ resolution: 20 });
    this.isOver = false;
  }

  start() {
    this.delay.enable();
    const lanes = [...Array(writers).keys()].map((lane) => this.write(lane));
    this.lanes = Promise.all([...lanes, ...Array.from({ length: readers }, () => this.read())]);
  }

  async end() {
    this.isOver = true;
    await this.lanes;
  }

  async write(lane) {
    for (let at = 0; !this.isOver; at += 1) {
      const story = { name: `story ${lane}-${at}`, sent: 0, acknowledged: -1 };
      this.stories.push(story);
      const body = { Project: { Id: this.projectId }, Tasks: { Items: [{ Name: 'one' }, { Name: 'two' }] } };
      await this.store(story, 'UserStories', body);
      if (story.id !== undefined && at % 3 === 0) await this.store(story, `UserStories/${story.id}`, {});
      await pause(200);
    }
  }

  async store(story, path, body) {
    const version = story.sent;
    story.sent += 1;
    const answer = await this.ask(this.writes, path, { Name: `${story.name} v${version}`, ...body });
    if (answer.status !== 200 && answer.status !== 201) return;
    story.acknowledged = version;
    story.id ??= answer.json.Id;
    this.latest = answer.position;
    await this.readBack(story, version, answer.position);
  }

  async readBack(story, version, position) {
    const path = `UserStories/${story.id}?include=[Name,Tasks[Name]]`;
    const { status, json } = await this.ask(this.reads, path, undefined, position);
    if (status === 200 && json.Name === `${story.name} v${version}` && json.Tasks.Items.length === 2) return;
    if (status === 200 || status === 404) this.stale.push({ story: story.name, version, status, name: json?.Name });
  }

  async read() {
    while (!this.isOver) {
      await this.ask(this.reads, 'UserStories?take=5&include=[Name,Tasks[Name]]', undefined, this.latest);
      await pause(60);
    }
  }

  async ask(record, path, body, position) {
    const since = performance.now();
    const send = { method: body ? 'POST' : 'GET', body: body && JSON.stringify(body) };
    const headers = { ...this.headers, ...(position && { 'x-read-after': position }) };
    const answer = await fetch(`${this.base}/api/v1/${path}`, {
      ...send,
      headers,
      signal: AbortSignal.timeout(patienceMs),
    })
      .then(async (got) => ({ status: got.status, position: got.headers.get('x-read-after'), text: await got.text() }))
      .catch((error) => ({ status: 0, text: error.message }));
    const isAnswer = answer.status >= 200 && answer.status < 300;
    const failure = isAnswer ? undefined : `${answer.status} ${answer.text.slice(0, 200)}`;
    record.push({ since, at: performance.now(), status: answer.status, failure });
    return { ...answer, json: isAnswer ? JSON.parse(answer.text) : undefined };
  }

  /** Compared with what is stored. */
  async verdict(rowsOf) {
    const stored = await rowsOf(`select g.id::int, g.name, (select count(*)::int from general t
      where t.user_story_id = g.id and t.delete_date is null) as tasks from general g where g.name ~ '^story \\d+-\\d+ v\\d+$'`);
    const byName = Map.groupBy ? Map.groupBy(stored, nameOf) : grouped(stored);
    const count = (isSo) => this.stories.filter((story) => isSo(story, byName.get(story.name) ?? [])).length;
    return {
      stories: this.stories.length,
      acknowledged: count(({ acknowledged }) => acknowledged >= 0),
      lost: count(
        ({ acknowledged }, rows) => acknowledged >= 0 && !rows.some(({ name }) => versionOf(name) >= acknowledged),
      ),
      doubled: count((_, rows) => rows.length > 1),
      halfDone: stored.filter(({ tasks }) => tasks !== 2).length,
      stale: this.stale.length,
    };
  }
}

const nameOf = ({ name }) => name.replace(/ v\d+$/, '');
const versionOf = (name) => Number(/ v(\d+)$/.exec(name)[1]);

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(nameOf(row), [...(groups.get(nameOf(row)) ?? []), row]);
  return groups;
}
