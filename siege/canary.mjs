/** The well-behaved caller: mixed requests at a steady rate, whether earlier ones are answered or not. */
import { Agent, request as send } from 'node:http';

const everyMs = 50;

/** Each gives a request; `at` counts all requests so far. */
const mix = [
  ({ project }) => get(`UserStories?${list}&where=(EntityState.Name eq 'Open') and (Project.Id eq ${project})`),
  ({ stories }, at) => get(`UserStories/${inTurn(stories, at)}?format=json`),
  ({ project }) => get(`v2/UserStory?select={id,name,tasks:tasks.count()}&where=project.id==${project}&take=25`),
  ({ project }, at) => post('UserStories', { Name: `Canary ${at}`, Project: { Id: project } }, 201),
  ({ project }, at) => get(`UserStories?where=(Name contains 'story ${at % 100}') and (Project.Id eq ${project})`),
  ({ stories }, at) => post(`UserStories/${inTurn(stories, at)}`, { Name: `Canary story ${at}` }, 200),
  () => get('Users/LoggedUser?format=json'),
  ({ stories }, at) => post('Comments', { General: { Id: inTurn(stories, at) }, Description: `Comment ${at}` }, 201),
  ({ project }) => get(`v2/UserStory?where=project.id==${project}&result={count,sum(effort)}`),
  () => ({ path: '/health/ready', expects: 200 }),
];

const list =
  'include=[Id,Name,Effort,Project[Id,Name],EntityState[Name],Tasks[Id,Name]]&append=[Tasks-Count]&take=25&format=json';
const inTurn = (all, at) => all[at % all.length];
const address = (path) => encodeURI(path.startsWith('v2/') ? `/api/${path}` : `/api/v1/${path}`);
const get = (path) => ({ path: address(path), expects: 200 });
const post = (path, body, expects) => ({
  method: 'POST',
  path: `${address(path)}?format=json`,
  body: JSON.stringify(body),
  expects,
});

export class Canary {
  #base;
  #fixture;
  #timeoutMs;
  #sent = 0;
  #pending = new Set();
  #timer;
  // Sockets without use are closed before the service would close them.
  #agent = new Agent({ keepAlive: true, timeout: 3000 });

  constructor(base, fixture, timeoutMs) {
    this.#base = base;
    this.#fixture = fixture;
    this.#timeoutMs = timeoutMs;
  }

  start() {
    this.latencies = [];
    this.failures = [];
    const first = performance.now();
    const started = this.#sent;
    const next = () => {
      const due = first + (this.#sent - started) * everyMs;
      this.#ask(due);
      this.#timer = setTimeout(next, due + everyMs - performance.now());
    };
    next();
  }

  /** Waits for the requests under way. */
  async stop() {
    clearTimeout(this.#timer);
    await Promise.all(this.#pending);
    return { latencies: this.latencies.sort((a, b) => a - b), failures: this.failures };
  }

  close() {
    this.#agent.destroy();
  }

  /** Time counts from when the request was due. */
  #ask(due) {
    const at = this.#sent++;
    const { callers } = this.#fixture;
    const request = inTurn(mix, at)(this.#fixture, at);
    const caller = inTurn(callers, at + Math.floor(at / mix.length));
    const asked = this.#answer(request, caller).then((failure) => {
      this.latencies.push(performance.now() - due);
      if (failure) this.failures.push(`${request.method ?? 'GET'} ${request.path}: ${failure}`);
      this.#pending.delete(asked);
    });
    this.#pending.add(asked);
  }

  /** Gives what is wrong with the answer, if anything. */
  async #answer({ method = 'GET', path, body, expects }, headers) {
    try {
      const { status, text } = await this.#exchange({ method, path, body }, headers);
      return status === expects ? undefined : `${status} ${text.slice(0, 200)}`;
    } catch (error) {
      return error.name === 'AbortError' ? `no answer within ${this.#timeoutMs} ms` : (error.code ?? error.message);
    }
  }

  #exchange({ method, path, body }, headers) {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const more = body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const options = { method, headers: { ...headers, ...more }, agent: this.#agent, signal };
      const sent = send(new URL(path, this.#base), options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode, text })).on('error', reject);
      });
      sent.on('error', reject).end(body);
    });
  }
}
