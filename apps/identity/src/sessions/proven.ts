// The proofs that a session rests on: the sign-in, and the second factor.

import type { Identity } from '@practice/core';
import { networkOf } from '@practice/limits';
import { type EntityManager, IsNull } from 'typeorm';
import { problems, refuse } from '../calls/problems.js';
import type { ProvenRow } from '../store/raw-sql.js';
import { Session } from '../store/session.entities.js';

/** Signed in with a password, a token sent by mail, or a passkey. */
export type SignInMethod = Session['method'];

/** When and how a session began. */
export interface SignedIn {
  readonly at: Date;
  readonly method: SignInMethod;
}

/** A second factor: the code of an authenticator app, a recovery code in its place, or the passkey that signed in. */
export type SecondFactorMethod = NonNullable<Session['secondFactor']>;

/** The proofs that a session rests on. */
export interface Proven {
  readonly signedIn: SignedIn;
  readonly secondFactor?: { readonly at: Date; readonly method: SecondFactorMethod };
}

export interface SessionKey {
  readonly userId: string;
  readonly sessionId: string;
}

/** A caller and the caller's session. A token of another issuer has none here. */
export type CallersSession = Pick<Identity, 'userId' | 'sessionId'>;

export const provenBy = ({ createdAt, method, secondFactorAt, secondFactor }: ProvenRow): Proven => ({
  signedIn: { at: createdAt, method },
  ...(secondFactorAt !== null &&
    secondFactor !== null && { secondFactor: { at: secondFactorAt, method: secondFactor } }),
});

/**
 * The proofs of a session, if it is open.
 * @param options.isKept keeps it open until the transaction ends
 */
export async function openSession(
  tables: EntityManager,
  { userId, sessionId }: SessionKey,
  { isKept = false } = {},
): Promise<Proven | undefined> {
  const found = await tables.findOne(Session, {
    where: { userId, id: sessionId, endedAt: IsNull() },
    ...(isKept && { lock: { mode: 'pessimistic_read' } }),
  });
  return found === null ? undefined : provenBy(found);
}

/**
 * As `openSession`, for a caller.
 * @throws {Rejection} 403 `session_not_found` when the session has ended, or the caller has none
 */
export async function requireSession(
  tables: EntityManager,
  { userId, sessionId }: CallersSession,
  options: { readonly isKept?: boolean } = {},
): Promise<Proven> {
  const session = sessionId && (await openSession(tables, { userId, sessionId }, options));
  return session || refuse(problems.sessionGone);
}

/** Whether the user has signed in from the network of this address within the last month. IPv6 addresses of a device change daily. */
export async function isKnownAddress(
  tables: EntityManager,
  userId: string,
  address: string,
): Promise<boolean> {
  const known = await tables
    .createQueryBuilder(Session, 's')
    .select('s.address', 'address')
    .distinct()
    .where(`s.user_id = :userId AND s.address IS NOT NULL AND s.created_at > now() - interval '30 days'`, {
      userId,
    })
    .getRawMany<{ address: string }>();
  return known.some((session) => networkOf(session.address) === networkOf(address));
}
