// SQL that is written by hand, because TypeORM cannot express it, or takes longer to generate it than Postgres takes to run it.

import type { Statement } from '@practice/log';
import type { EntityManager } from 'typeorm';
import { clientOf } from './database.js';
import type { Credential } from './account.entities.js';
import type { Access } from './practice.entities.js';
import type { RefreshToken, Session } from './session.entities.js';

/** A statement of every sign-in or refresh. Each connection plans it once. */
const frequent =
  <Values extends readonly unknown[], Row extends object = object>(name: string, text: string) =>
  async (tables: EntityManager, ...values: Values): Promise<Row[]> =>
    (await (await clientOf(tables)).query<Row>({ name, text, values: [...values] })).rows;

/** The stored values of a user that sign-ins and the user's calls need. */
export interface UserValues extends Readonly<
  Pick<Credential, 'email' | 'passwordHash' | 'lastSignInAt' | 'recoverySentAt' | 'confirmedAt'>
> {
  readonly id: string;
  readonly metadata: object;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The practice that the user has switched to; null for the practice that the user opened. */
  readonly practiceId: string | null;
  /** The new address that the user has requested, until both addresses are confirmed. */
  readonly newEmail: string | null;
  readonly changeSentAt: Date | null;
}

export interface UserRow extends UserValues {
  readonly factorId: string | null;
  readonly name: string;
  readonly verifiedAt: Date | null;
  readonly addedAt: Date;
  readonly factorUpdatedAt: Date;
  readonly lastChallengedAt: Date | null;
}

/** A row for each factor of a user, or one row without a factor. */
export const selectUser = frequent<[id: string], UserRow>(
  'user',
  `SELECT u.id, c.email, c.password_hash AS "passwordHash", u.metadata, u.created_at AS "createdAt",
  greatest(u.updated_at, c.last_sign_in_at) AS "updatedAt", c.last_sign_in_at AS "lastSignInAt",
  c.recovery_sent_at AS "recoverySentAt", c.therapist_id AS "practiceId", c.confirmed_at AS "confirmedAt",
  a.email AS "newEmail", a.sent_at AS "changeSentAt", f.id AS "factorId", f.friendly_name AS name,
  f.verified_at AS "verifiedAt", f.created_at AS "addedAt", f.updated_at AS "factorUpdatedAt",
  f.last_challenged_at AS "lastChallengedAt"
FROM identity.credentials AS c
JOIN identity.users AS u ON u.therapist_id = c.user_id AND u.id = c.user_id
LEFT JOIN identity.address_changes AS a ON a.user_id = c.user_id AND a.expires_at > now()
LEFT JOIN identity.mfa_factors AS f ON f.user_id = c.user_id
WHERE c.user_id = $1 ORDER BY f.created_at, f.id`,
);

export type StandingRow = Pick<Access, 'therapistId' | 'role' | 'requiresMfa' | 'heldUntil'>;

const STANDING = `SELECT therapist_id AS "therapistId", role, requires_mfa AS "requiresMfa", held_until AS "heldUntil"
FROM identity.access WHERE user_id = $1 AND role IS NOT NULL`;

export const selectStanding = frequent<[userId: string, therapistId: string], StandingRow>(
  'standing',
  `${STANDING} AND therapist_id = $2`,
);
export const keepStanding = frequent<[userId: string, therapistId: string], StandingRow>(
  'kept standing',
  `${STANDING} AND therapist_id = $2 FOR SHARE`,
);

/** The condition of an access that is not held. */
export const FREE = '(held_until IS NULL OR held_until <= now())';

export const keepFirstStanding = frequent<[userId: string, preferred: string | null], StandingRow>(
  'first standing',
  `${STANDING} AND ${FREE}
ORDER BY (therapist_id = $2) IS TRUE DESC, therapist_id = user_id DESC, therapist_id LIMIT 1 FOR SHARE`,
);

/** The columns of a session that hold its practice and its proofs, for RETURNING. */
export const PROVEN = `therapist_id AS "therapistId", created_at AS "createdAt", method,
  second_factor_at AS "secondFactorAt", second_factor AS "secondFactor"`;

export type ProvenRow = Pick<
  Session,
  'therapistId' | 'createdAt' | 'method' | 'secondFactorAt' | 'secondFactor'
>;

type Limits = [userId: string, id: string, idleSeconds: number, maxSeconds: number, tokenSeconds: number];

export const continueSession = frequent<Limits, ProvenRow>(
  'continue session',
  `UPDATE identity.sessions SET refreshed_at = now(), tokens_expire_at = now() + make_interval(secs => $5)
WHERE user_id = $1 AND id = $2 AND ended_at IS NULL AND refreshed_at >= now() - make_interval(secs => $3)
  AND created_at >= now() - make_interval(secs => $4) RETURNING ${PROVEN}`,
);

/** The token that the transaction's caller has presented, locked against simultaneous use. */
export const selectRefreshToken = frequent<
  [hash: string],
  Pick<RefreshToken, 'userId' | 'sessionId' | 'usedAt'>
>(
  'refresh token',
  `SELECT user_id AS "userId", session_id AS "sessionId", used_at AS "usedAt"
FROM identity.refresh_tokens WHERE token_hash = $1 FOR UPDATE`,
);

export const useRefreshToken = frequent<[hash: string, usedAt: Date]>(
  'use refresh token',
  'UPDATE identity.refresh_tokens SET used_at = $2 WHERE token_hash = $1',
);

/** Does nothing when the session can be continued with this token already. */
export const insertRefreshToken = frequent<[userId: string, sessionId: string, hash: string]>(
  'add refresh token',
  `INSERT INTO identity.refresh_tokens (user_id, session_id, token_hash, created_at)
VALUES ($1, $2, $3, now()) ON CONFLICT DO NOTHING`,
);

/** On conflict, the statement also sets `changed_at`, which it does not insert: gateways must know changed roles, not new roles. */
export const upsertAccess = (userId: string, therapistId: string, role: string | null): Statement => ({
  text: `INSERT INTO identity.access (user_id, therapist_id, role, requires_mfa)
SELECT $1::uuid, $2::uuid, $3, EXISTS (SELECT FROM identity.practices AS p WHERE p.therapist_id = $2 AND p.require_mfa)
ON CONFLICT (user_id, therapist_id)
DO UPDATE SET role = excluded.role, requires_mfa = excluded.requires_mfa, changed_at = now()`,
  values: [userId, therapistId, role],
});

/** A window function: a key is superseded when the next one begins to sign. */
const KEYS = `SELECT kid, public_jwk, sealed_private_key, signs_from,
  lead(signs_from) OVER (ORDER BY signs_from, kid) AS superseded_at FROM identity.signing_keys`;

/** Keys that are not superseded, or were superseded less than `aliveSeconds` ago, in the order in which they sign. */
export const selectLiveKeys = (aliveSeconds: number): [text: string, values: unknown[]] => [
  `SELECT kid, public_jwk AS "publicJwk", sealed_private_key AS sealed,
     (extract(epoch FROM signs_from - clock_timestamp()) * 1000)::float8 AS "signsInMs"
   FROM (${KEYS}) AS keys WHERE superseded_at IS NULL OR superseded_at > now() - make_interval(secs => $1)
   ORDER BY signs_from, kid`,
  [aliveSeconds],
];

/** Deletes the keys that `selectLiveKeys` does not return. */
export const deleteDeadKeys = (aliveSeconds: number): [text: string, values: unknown[]] => [
  `DELETE FROM identity.signing_keys WHERE kid IN
     (SELECT kid FROM (${KEYS}) AS keys WHERE superseded_at <= now() - make_interval(secs => $1))`,
  [aliveSeconds],
];

/** An advisory lock: several processes may want to add the first key at the same time. Held until the transaction ends. */
export async function lockKeys(tables: EntityManager): Promise<void> {
  await tables.query(`SELECT pg_advisory_xact_lock(hashtext('identity.signing_keys'))`);
}

/**
 * The state that gateways need, as JSON: the ended sessions with an access token that has not expired, the members whose standing has
 * changed so recently that an access token from before may still be valid, and the open break-glass accesses.
 * @param knownSeconds longer than any access token lives
 */
export const selectGatewayState = (knownSeconds: number): Statement => ({
  text: `SELECT json_build_object(
  'ended', (SELECT coalesce(json_agg(json_build_object('id', id, 'until', ${millisecondsOf('tokens_expire_at')})), '[]')
    FROM identity.sessions WHERE ended_at IS NOT NULL AND tokens_expire_at > now()),
  'members', (SELECT coalesce(json_agg(json_build_object('userId', user_id, 'therapistId', therapist_id, 'role', role, 'requiresMfa', requires_mfa)), '[]')
    FROM identity.access WHERE changed_at > now() - make_interval(secs => $1)),
  'brokenGlass', (SELECT coalesce(json_agg(json_build_object('userId', user_id, 'sessionId', session_id, 'therapistId', therapist_id,
      'role', role, 'id', id, 'until', ${millisecondsOf('until')})), '[]')
    FROM identity.broken_glass WHERE until > now()))`,
  values: [knownSeconds],
});

const millisecondsOf = (column: string): string => `round(extract(epoch FROM ${column}) * 1000)`;

interface OldSessions {
  /** The condition of the policy by which the relay's role sees them. */
  readonly isOld: string;
  readonly idleSeconds: number;
  readonly maxSeconds: number;
  readonly atOnce: number;
}

const isOver = ({ isOld }: OldSessions): string => `${isOld}
    AND least(ended_at, refreshed_at + make_interval(secs => $1), s.created_at + make_interval(secs => $2)) < now() - interval '30 days'`;

const OF_SESSION = '(t.user_id, t.session_id) = (s.user_id, s.id)';

/** Deletes a limited number of the refresh tokens of old sessions. One session may have millions. */
export const deleteOldTokens = (old: OldSessions): Statement => ({
  text: `DELETE FROM identity.refresh_tokens WHERE (user_id, token_hash) IN (
  SELECT t.user_id, t.token_hash FROM identity.sessions AS s JOIN identity.refresh_tokens AS t ON ${OF_SESSION}
  WHERE ${isOver(old)} ORDER BY refreshed_at LIMIT ${old.atOnce}) RETURNING 1`,
  values: [old.idleSeconds, old.maxSeconds],
});

/** Deletes a limited number of the old sessions without refresh tokens. The sweeper of all services repeats it. */
export const deleteOldSessions = (old: OldSessions): Statement => ({
  text: `DELETE FROM identity.sessions WHERE (user_id, id) IN (
  SELECT user_id, id FROM identity.sessions AS s
  WHERE ${isOver(old)} AND NOT EXISTS (SELECT FROM identity.refresh_tokens AS t WHERE ${OF_SESSION})
  ORDER BY refreshed_at LIMIT ${old.atOnce}) RETURNING 1`,
  values: [old.idleSeconds, old.maxSeconds],
});
