/** Changes the password of the caller. */
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import type { Author } from '../database/transaction-connection.js';
import { badMember, conflict, forbidden, wrongPassword } from '../errors.js';
import type { ApiRequest } from '../http/request.js';
import { retrying } from '../http/retrying.js';
import { alreadyRead, inTransaction } from '../http/transaction.js';
import { makeHash } from '../passwords/password-hash.js';
import { passwordComplaint } from '../passwords/password-policy.js';
import { Actors } from './actors.js';
import { PasswordCheck } from './password-check.js';
import { Sessions } from './sessions.js';
import { SignIn } from './sign-in.js';

interface Hashes {
  readonly passwordHash: string;
  readonly present: string | null;
}

@Injectable()
export class OwnPassword {
  constructor(
    @Inject(PRIMARY_POOL) private readonly pool: DatabasePool,
    private readonly actors: Actors,
    private readonly passwords: PasswordCheck,
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Errors: 400 for a new password that may not be chosen, 403 for a wrong present one, 429 after too many of those.
   */
  async change(
    { CurrentPassword, NewPassword }: Record<'CurrentPassword' | 'NewPassword', string>,
    request: ApiRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { userId } = request.actor;
    const { rows } = await this.pool.query<{ login: string | null }>(loginOf, [userId]);
    const login = rows[0]?.login;
    if (!login) throw forbidden('The password of the System user is a setting.');
    const complaint = passwordComplaint(NewPassword, login);
    if (complaint) throw badMember('NewPassword', complaint);
    // Under the user's own key, so that the check does not wait behind those of other users.
    const account = await this.passwords.check({ login, password: CurrentPassword }, `user ${userId}`);
    if (account?.userId !== userId) throw wrongPassword();
    const passwordHash = await makeHash(NewPassword);
    const hashes = { passwordHash, present: account.passwordHash };
    const { secret } = await this.store({ userId, requestId: request.id }, hashes, request.isSession);
    this.actors.forget();
    if (secret !== undefined) this.signIn.hand(secret, request, reply);
  }

  /**
   * In a transaction: whether it was stored can then be asked when the connection breaks. It ends all sessions of the
   * user; gives the secret of a new one where he had one.
   */
  private store(author: Author, hashes: Hashes, hasSession: boolean | undefined): Promise<{ secret?: string }> {
    const { userId } = author;
    return retrying(() =>
      inTransaction(this.pool, author, async ({ writing }) => {
        const { rowCount } = await writing.query(change, [userId, hashes.passwordHash, hashes.present]);
        if (rowCount === 0) throw conflict('The password was changed by somebody else at the same moment.');
        if (!hasSession) return alreadyRead({});
        return alreadyRead({ secret: await this.sessions.begin(userId, hashes.passwordHash, writing) });
      }),
    );
  }
}

const loginOf = `select login from general_user where id = $1::bigint and kind = 'User'`;

const change = `update general_user set password_hash = $2::text
  where id = $1::bigint and password_hash = $3::text`;
