/**
 * The service token of a user is base64 of `userId:PROOF`. The proof is derived from what the user's row holds and a
 * secret of the installation, so nothing is stored and it dies when the password changes or the token version is
 * raised.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseId } from '../model/ids.js';
import { base64Text } from './base64.js';

export const serviceToken = (userId: number, proof: string): string =>
  Buffer.from(`${userId}:${proof}`).toString('base64');

export interface ProofSource {
  readonly userId: number;
  readonly passwordHash: string | null;
  readonly tokenVersion: number;
}

/** `secret` is the setting `token-secret`: 64 hex digits. */
export function tokenProof(secret: string, { userId, passwordHash, tokenVersion }: ProofSource): string {
  if (!/^[0-9a-f]{64}$/i.test(secret)) throw new Error('the setting token-secret must hold 64 hex digits');
  const mac = createHmac('sha256', Buffer.from(secret, 'hex'));
  const digest = mac.update(`${userId}:${passwordHash ?? ''}:${tokenVersion}`).digest();
  return digest.subarray(0, proofBytes).toString('hex').toUpperCase();
}

const proofBytes = 16;

export interface ParsedServiceToken {
  /** A number is an id, a text is a login. */
  readonly owner: number | string;
  readonly proof: string;
}

/** Undefined for whatever cannot be a token. A login may hold colons, a proof cannot. */
export function parseServiceToken(token: string): ParsedServiceToken | undefined {
  if (token.length > longest) return undefined;
  const match = /^(.+):([0-9A-F]{32})$/s.exec(base64Text(token) ?? '');
  if (!match) return undefined;
  const [, owner, proof] = match;
  const id = owner!.startsWith('0') ? undefined : parseId(owner!);
  return { owner: id ?? owner!, proof: proof! };
}

const longest = 512;

/** Compares in constant time; both are 32 hex digits. */
export const isProof = (candidate: string, proof: string): boolean =>
  candidate.length === proof.length && timingSafeEqual(Buffer.from(candidate), Buffer.from(proof));
