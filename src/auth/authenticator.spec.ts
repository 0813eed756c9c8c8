import { expect, it } from 'vitest';
import type { Actor } from '../actor.js';
import { unavailable } from '../errors.js';
import type { ApiRequest } from '../http/request.js';
import { Authenticator } from './authenticator.js';
import { answer, BaseStrategy, type CredentialStrategy } from './credential-strategy.js';

const actor = (userId: number): Actor => ({
  userId,
  isAdministrator: false,
  isObserver: false,
  isReadOnly: false,
  projectIds: [],
  teamIds: [],
});
const ada = actor(1);
const bob = actor(2);

/** A strategy whose request carries the credential of this actor, a bad one, or none. */
class Carried extends BaseStrategy {
  constructor(
    readonly name: string,
    private readonly carried: Actor | 'bad' | 'none',
  ) {
    super();
  }
  mayApply(): boolean {
    return true;
  }

  override authenticate(): void {
    if (this.carried === 'none') this.pass();
    else answer(this, Promise.resolve(this.carried === 'bad' ? undefined : this.carried));
  }
}

class Broken extends BaseStrategy {
  readonly name = 'broken';
  mayApply(): boolean {
    return true;
  }

  override authenticate(): void {
    answer(this, Promise.reject(unavailable('Too many logins at once.')));
  }
}

const authenticate = (...strategies: CredentialStrategy[]): Promise<Actor> =>
  new Authenticator(strategies).authenticate({ headers: {}, raw: {} } as ApiRequest);
const actorOf = (...carried: (Actor | 'bad' | 'none')[]): Promise<Actor> =>
  authenticate(...carried.map((what, index) => new Carried(`s${index}`, what)));

it.each<[string, (Actor | 'bad' | 'none')[], Actor]>([
  ['the first kind', [ada, 'none'], ada],
  ['the last kind', ['none', bob], bob],
  ['several kinds of one user', [bob, bob, 'none'], bob],
])('takes a credential of %s', async (_, carried, caller) => expect(await actorOf(...carried)).toBe(caller));

it.each<[string, (Actor | 'bad' | 'none')[]]>([
  ['no credential', ['none', 'none']],
  ['a bad one', ['bad', 'none']],
  ['a bad one beside a good one', [ada, 'bad']],
  ['a good one beside a bad one', ['bad', ada]],
])('answers %s with 401', (_, carried) =>
  expect(actorOf(...carried)).rejects.toMatchObject({
    httpStatus: 401,
    headers: { 'WWW-Authenticate': 'Basic realm="Worktrack", charset="UTF-8"' },
  }));

it('answers credentials of different users with 400', () =>
  expect(actorOf(ada, bob)).rejects.toMatchObject({
    httpStatus: 400,
    message: 'More than one credential is given and they belong to different users; give one.',
  }));

it('passes on what is no fault of the credential', () =>
  expect(authenticate(new Broken())).rejects.toMatchObject({ httpStatus: 503 }));

it('keeps the strategies of two apps in one process apart', async () => {
  const first = new Authenticator([new Carried('same', ada)]);
  const second = new Authenticator([new Carried('same', bob)]);
  const request = (): ApiRequest => ({ headers: {}, raw: {} }) as ApiRequest;
  expect(await first.authenticate(request())).toBe(ada);
  expect(await second.authenticate(request())).toBe(bob);
});
