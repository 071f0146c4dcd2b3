// Sessions and their refresh tokens. A refresh token is used once and replaced by the next one; only hashes are stored.

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EndedSession } from '@practice/contracts';
import type { PracticeRole } from '@practice/core';
import type { Statement } from '@practice/log';
import { type EntityManager, type FindOptionsWhere, IsNull, Not, type UpdateQueryBuilder } from 'typeorm';
import { problems, refuse } from '../calls/problems.js';
import { IDENTITY_CONFIG, type IdentityConfig, type SessionConfig } from '../identity.config.js';
import { Credential } from '../store/account.entities.js';
import { rowsOf, statementOf, unbound, updating } from '../store/database.js';
import { continueSession, insertRefreshToken, PROVEN, type ProvenRow } from '../store/raw-sql.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { RefreshToken, Session } from '../store/session.entities.js';
import { accessOf, type Member } from '../users/access.js';
import { type User, userById } from '../users/users.js';
import { provenBy, type Proven, type SecondFactorMethod, type SessionKey, type SignedIn } from './proven.js';

/** A session with the one refresh token that continues it. The token is shown to its owner once. */
export interface OpenSession extends Proven {
  readonly id: string;
  /** The practice that it acts in. */
  readonly therapistId: string;
  readonly refreshToken: string;
}

/** A user who is signed in, with the session. */
export interface Granted {
  readonly user: User;
  readonly session: OpenSession;
  /** The user's role in the practice of the session; undefined when the user is not a member of any. */
  readonly role: PracticeRole | undefined;
  /** Whether that practice requires a second factor. */
  readonly requiresMfa?: boolean;
}

/** Which sessions of a user a sign-out ends, as seen from the session that asks. */
export type SignOutScope = 'global' | 'local' | 'others';

/** No session has this id. */
export const NO_SESSION = '00000000-0000-0000-0000-000000000000';

export const REFRESH_TOKEN_BYTES = 24;
/** Access tokens are signed after their session's transaction, and gateways tolerate clocks that are 30 s off. */
const MARGIN_SECONDS = 120;

const ENDED = 'id, (extract(epoch FROM tokens_expire_at) * 1000)::float8 AS until';

/** Sessions of the user that the transaction acts for. */
@Injectable()
export class Sessions {
  /** How long after a sign-in or refresh an access token of the session may still be valid. */
  private readonly tokenSeconds: number;
  private readonly limits: SessionConfig;

  constructor(@Inject(IDENTITY_CONFIG) config: IdentityConfig) {
    this.tokenSeconds = config.accessTokenTtlSeconds + MARGIN_SECONDS;
    this.limits = config.sessions;
  }

  /** Signs in the user that the transaction acts for. */
  async grant(
    tables: EntityManager,
    { userId, ...signIn }: Omit<SignedIn, 'at'> & { readonly userId: string; readonly address: string },
  ): Promise<Granted> {
    const at = new Date();
    await tables.update(Credential, { userId }, { lastSignInAt: at });
    const user = (await userById(tables, userId)) ?? refuse(problems.userGone);
    const access = await accessOf(tables, userId, user.practiceId);
    const { therapistId, ...standing } = access ?? { therapistId: userId, role: undefined };
    const session = await this.open(tables, { userId, therapistId }, { at, ...signIn });
    return { user, ...standing, session };
  }

  /**
   * Opens a session.
   * @param address the network address of the sign-in
   */
  async open(
    tables: EntityManager,
    { userId, therapistId }: Member,
    { address, ...signedIn }: SignedIn & { readonly address: string },
  ): Promise<OpenSession> {
    const id = randomUUID();
    const { at: createdAt, method } = signedIn;
    // The device has checked a PIN or a fingerprint before it signed: a passkey is two factors in one.
    const second = method === 'passkey' ? { secondFactor: method, secondFactorAt: createdAt } : {};
    const started = { userId, id, therapistId, createdAt, method, address, leftPractices: {}, ...second };
    await tables.insert(Session, { ...started, ...this.refreshed() });
    const refreshToken = randomToken(REFRESH_TOKEN_BYTES);
    await keepRefreshToken(tables, { userId, sessionId: id }, refreshToken);
    const proofs = { secondFactor: null, secondFactorAt: null, ...second };
    return { id, refreshToken, therapistId, ...provenBy({ therapistId, createdAt, method, ...proofs }) };
  }

  /**
   * Continues an open session, and renews the expiry of its access tokens.
   * @returns its practice and its proofs; a text if it has ended (`ended`) or is due to end (`idle`, `over`)
   */
  async continue(
    tables: EntityManager,
    { userId, sessionId }: SessionKey,
  ): Promise<Omit<OpenSession, 'id' | 'refreshToken'> | 'ended' | 'idle' | 'over'> {
    const open = { userId, id: sessionId, endedAt: IsNull() };
    const { idleSeconds, maxSeconds } = this.limits;
    const limits = [idleSeconds, maxSeconds, this.tokenSeconds] as const;
    const [found] = await continueSession(tables, userId, sessionId, ...limits);
    if (found !== undefined) return { therapistId: found.therapistId, ...provenBy(found) };
    const due = await tables.findOneBy(Session, open);
    if (due === null) return 'ended';
    return due.createdAt.getTime() < Date.now() - maxSeconds * 1000 ? 'over' : 'idle';
  }

  /**
   * Records that the session has passed a second factor. Its earlier refresh tokens no longer continue it.
   * @returns undefined when the session has ended
   */
  async strengthen(
    tables: EntityManager,
    key: SessionKey,
    method: SecondFactorMethod,
  ): Promise<OpenSession | undefined> {
    const { userId, sessionId } = key;
    const secondFactorAt = (): string => `date_trunc('milliseconds', now())`;
    const values = { secondFactor: method, secondFactorAt, ...this.refreshed() };
    const strengthened = updating(tables, Session, values)
      .where({ userId, id: sessionId, endedAt: IsNull() })
      .returning(PROVEN);
    const [found] = await rowsOf<ProvenRow>(strengthened);
    if (found === undefined) return undefined;
    // Also a token that was just used: within its grace, it would still continue the session.
    await updating(tables, RefreshToken, { usedAt: () => `now() - interval '1 hour'` })
      .where({ userId, sessionId })
      .andWhere(`(used_at IS NULL OR used_at > now() - interval '1 hour')`)
      .execute();
    const refreshToken = randomToken(REFRESH_TOKEN_BYTES);
    await keepRefreshToken(tables, key, refreshToken);
    return { id: sessionId, refreshToken, therapistId: found.therapistId, ...provenBy(found) };
  }

  /** Ends the sessions that have not passed a second factor. Returns the ended sessions. */
  endWithoutSecondFactor(tables: EntityManager, userId: string): Promise<EndedSession[]> {
    return rowsOf(ending(tables, { userId, secondFactorAt: IsNull() }));
  }

  /** Ends sessions. Returns the sessions that were open. */
  end(
    tables: EntityManager,
    { userId, sessionId }: SessionKey,
    scope: SignOutScope,
  ): Promise<EndedSession[]> {
    const id = { global: {}, local: { id: sessionId }, others: { id: Not(sessionId) } }[scope];
    return rowsOf(ending(tables, { userId, ...id }));
  }

  /** Ends the sessions in one practice, and the sessions that have left it. Returns the sessions that were open. */
  endIn(tables: EntityManager, member: Member): Promise<EndedSession[]> {
    return rowsOf(this.endingIn(member, tables));
  }

  /** The statement of `endIn`, as a part of a write. */
  endInStatement(member: Member): Statement {
    return statementOf(this.endingIn(member, unbound));
  }

  /** Includes sessions that have left the practice, because their access tokens for it may not have expired. */
  private endingIn({ userId, therapistId }: Member, tables: EntityManager): UpdateQueryBuilder<Session> {
    return ending(tables, { userId }).andWhere(
      `(therapist_id = :therapistId OR (left_practices ->> :practice)::timestamptz > now() - interval '${this.tokenSeconds} seconds')`,
      { therapistId, practice: therapistId },
    );
  }

  private refreshed(): { refreshedAt: () => string; tokensExpireAt: () => string } {
    return {
      refreshedAt: () => 'now()',
      tokensExpireAt: () => `now() + interval '${this.tokenSeconds} seconds'`,
    };
  }
}

const ending = (tables: EntityManager, which: FindOptionsWhere<Session>): UpdateQueryBuilder<Session> =>
  updating(tables, Session, { endedAt: () => 'now()' })
    .where({ ...which, endedAt: IsNull() })
    .returning(ENDED);

/** Sets the practice of an open session, and notes when it left the practice before. Returns whether the session is open. */
export async function moveSession(
  tables: EntityManager,
  { userId, sessionId }: SessionKey,
  therapistId: string,
): Promise<boolean> {
  const leftPractices = (): string => 'left_practices || jsonb_build_object(therapist_id, now())';
  const open = { userId, id: sessionId, endedAt: IsNull() };
  return (await tables.update(Session, open, { therapistId, leftPractices })).affected === 1;
}

/** Allows a session to be continued with this token. Does nothing when the token is stored already. */
export async function keepRefreshToken(tables: EntityManager, key: SessionKey, token: string): Promise<void> {
  await insertRefreshToken(tables, key.userId, key.sessionId, tokenHash(token));
}
