/** What an access token starts with, and who may make how many. */
import type { Actor } from '../../actor.js';
import type { NewToken } from '../../auth/access-tokens.js';
import { accountBehind } from '../../auth/account.js';
import { type Change, referenced, refuse, type Work } from '../../command/change.js';
import { conflict, endsByItself, forbidden, unauthorized } from '../../errors.js';

/** The token that a request makes, how many its owner may have, and whether its hash is stored. */
export type Making = NewToken & { readonly limit: number; isStored: boolean };

export async function accessTokenRules(
  changes: readonly Change[],
  making: Making | undefined,
  work: Work,
): Promise<void> {
  const [change, ...others] = changes;
  if (!change?.isNew || others.length > 0 || !making) throw forbidden('Access tokens are created one at a time.');
  const { values, actor, now } = change;
  if ((referenced(change, 'user') ?? actor.userId) !== actor.userId)
    throw forbidden('Access tokens are created by their owner only.');
  if (values.expireDate instanceof Date && values.expireDate <= now)
    throw refuse(change, 'ExpireDate', 'a date to come is needed.');
  await permitOwner(actor, making.limit, work);
  values.issueDate = now;
  values.user = { id: actor.userId };
  values.secretHash = making.secretHash;
  // An attempt that is rolled back leaves no hash; the next one may find another request's answer to the same key.
  work.afterCommit(() => {
    making.isStored = true;
  });
}

interface Owner {
  kind: string;
  password_hash: string | null;
  token_version: number;
  may: boolean | null;
  is_token_there: boolean;
}

/** Counted once the owner's row is locked, so that two at the same moment count each other. */
async function permitOwner(actor: Actor, limit: number, { rows }: Work): Promise<void> {
  if (actor.isTemporary) throw endsByItself();
  const { userId } = actor;
  const [owner] = await rows<Owner>(
    `select u.kind, u.password_hash, u.token_version, (select r.can_use_personal_access_tokens from role r where r.id = u.role_id) as may,
       $2::bigint is null or exists (select from access_token t where t.id = $2::bigint) as is_token_there
     from general_user u where u.id = $1::bigint for no key update`,
    [userId, accountBehind(actor)?.accessTokenId ?? null],
  );
  // A credential that has died within this second must not make one that outlives it.
  const now = { passwordHash: owner?.password_hash ?? null, tokenVersion: owner?.token_version ?? -1 };
  if (!accountBehind(actor)?.hasStayed(now) || !owner?.is_token_there) throw unauthorized();
  if (owner?.kind !== 'User') throw forbidden('The System user has a service token only.');
  if (owner.may === false) throw forbidden('The role of this user does not allow access tokens.');
  const count = async (): Promise<number> =>
    (await rows('select from access_token where user_id = $1::bigint limit $2::int', [userId, limit])).length;
  if ((await count()) < limit) return;
  // Those that have ended open nothing any more, and make room.
  await rows('delete from access_token where user_id = $1::bigint and expire_date <= now() returning id', [userId]);
  if ((await count()) >= limit)
    throw conflict(`A user may have ${limit} access tokens at most; delete one that is not used.`);
}
