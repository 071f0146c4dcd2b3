// Second factors of the user that the transaction acts for.

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Counters, Throttle } from '@practice/limits';
import { Secret, TOTP } from 'otpauth';
import { type EntityManager, IsNull, Raw } from 'typeorm';
import { renderSVG } from 'uqr';
import { COUNTERS } from '../calls/call.js';
import { problems, refuse, requireUnlocked } from '../calls/problems.js';
import { type CallersSession, requireSession } from '../sessions/proven.js';
import { inPast, inserting, rowsOf, UNTIL } from '../store/database.js';
import { Challenge, Factor } from '../store/session.entities.js';
import { practicesOf } from '../users/access.js';
import { hasPasskey, isEnrolled } from '../users/users.js';

/** The maximum number of factors of a user. */
const MAX_FACTORS = 10;
const CHALLENGE_SECONDS = 300;

/**
 * Adds a factor, which takes effect with its first right code. Enrollments that were not finished within an hour are deleted.
 * @returns false if the user already has the maximum number of factors
 */
export async function insertFactor(
  tables: EntityManager,
  factor: Pick<Factor, 'userId' | 'id' | 'friendlyName' | 'sealedSecret'>,
): Promise<boolean> {
  const { userId } = factor;
  const createdAt = Raw((column) => `${column} < now() - interval '1 hour'`);
  await tables.delete(Factor, { userId, verifiedAt: IsNull(), createdAt });
  if ((await tables.countBy(Factor, { userId })) >= MAX_FACTORS) return false;
  await tables.insert(Factor, {
    ...factor,
    lastStep: '0',
    createdAt: () => 'now()',
    updatedAt: () => 'now()',
  });
  return true;
}

/** The factor, locked until the transaction ends: the second of two requests with one code sees that the code was used. */
export const lockedFactor = (tables: EntityManager, userId: string, id: string): Promise<Factor | null> =>
  tables.findOne(Factor, { where: { userId, id }, lock: { mode: 'pessimistic_write' } });

/** Opens a challenge. Returns its id, and when it expires, in seconds since the epoch. */
export async function insertChallenge(tables: EntityManager, userId: string, factorId: string) {
  await tables.delete(Challenge, { userId, expiresAt: inPast });
  await tables.update(Factor, { userId, id: factorId }, { lastChallengedAt: () => 'now()' });
  const id = randomUUID();
  const expiresAt = (): string => `now() + interval '${CHALLENGE_SECONDS} seconds'`;
  const opened = inserting(tables, Challenge, { userId, id, factorId, expiresAt }).returning(UNTIL);
  const [challenge] = await rowsOf<{ until: number }>(opened);
  return { id, expires_at: challenge?.until ?? 0 };
}

/** Stores the step of a right code. The first right code puts the factor into effect. Unfinished enrollments are deleted. */
export async function passFactor(
  tables: EntityManager,
  { userId, id, verifiedAt }: Factor,
  step: number,
): Promise<void> {
  const verified = { verifiedAt: () => 'now()', updatedAt: () => 'now()' };
  const passed = { lastStep: String(step), ...(verifiedAt === null && verified) };
  await tables.update(Factor, { userId, id }, passed);
  await tables.delete(Factor, { userId, verifiedAt: IsNull() });
}

// Locks the check of codes after several wrong codes. A caller who gets this far knows the password and could find six digits by
// trying, so few guesses are allowed, from all addresses together.

const WRONG_CODES = { name: 'failed-factors', points: 10, seconds: 15 * 60 };

@Injectable()
export class FactorLock {
  private readonly failures: Throttle;

  constructor(@Inject(COUNTERS) counters: Counters) {
    this.failures = new Throttle(counters, WRONG_CODES);
  }

  /** @throws {Rejection} 429 while the user's codes are locked */
  async require(userId: string): Promise<void> {
    requireUnlocked(await this.failures.remainingSeconds(userId));
  }

  /**
   * Counts a code as wrong before it is checked, so that codes that arrive at the same time cannot exceed the limit.
   * @throws {Rejection} 429 while the user's codes are locked
   */
  async take(userId: string): Promise<void> {
    requireUnlocked(await this.failures.take(userId));
  }

  /** Resets the count, after a right code. */
  forget(userId: string): Promise<void> {
    return this.failures.reset(userId);
  }
}

/**
 * Requires that the session has passed a second factor.
 * @throws {Rejection} 403 `insufficient_aal`
 */
export async function requireSecondFactor(tables: EntityManager, session: CallersSession): Promise<void> {
  const { secondFactor } = await requireSession(tables, session);
  if (secondFactor === undefined) refuse(problems.insufficientAal);
}

/**
 * Requires a second factor of a session that changes the means of sign-in. Applies if the user has an authenticator app, or has a passkey
 * and works in a practice that requires a second factor. Otherwise a thief of the password could add another means of sign-in.
 * @throws {Rejection} 403 `insufficient_aal`
 */
export async function requireHighestLevel(tables: EntityManager, session: CallersSession): Promise<void> {
  const { userId } = session;
  const isRequired = async (): Promise<boolean> =>
    (await practicesOf(tables, userId)).some(({ requiresMfa }) => requiresMfa);
  const isDue =
    (await isEnrolled(tables, userId)) || ((await hasPasskey(tables, userId)) && (await isRequired()));
  if (isDue) await requireSecondFactor(tables, session);
}

// Time-based one-time passwords (RFC 6238), as authenticator apps make them: six digits, a new one every 30 seconds.

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Codes of the neighbouring steps are accepted too, because clocks differ and typing takes time. */
const WINDOW = 1;

export const newSecret = (): Uint8Array => new Secret({ size: SECRET_BYTES }).bytes;

/**
 * The secret for an authenticator app: as a picture, as text, and in a link.
 * @param issuer the name of the app that the code is for
 * @param label the address of the account
 */
export function enrollmentOf(secret: Uint8Array, issuer: string, label: string) {
  const totp = new TOTP({ issuer, label, secret: secretOf(secret) });
  const uri = totp.toString();
  return { qr_code: renderSVG(uri, { ecc: 'M', border: 2 }), secret: totp.secret.base32, uri };
}

/** The step that a code belongs to: codes of later steps have higher numbers. Undefined when the code is wrong. */
export function stepOf(secret: Uint8Array, code: string, now: number): number | undefined {
  // The library throws for six other characters.
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = TOTP.validate({ token: code, secret: secretOf(secret), timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

const secretOf = (bytes: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer });
