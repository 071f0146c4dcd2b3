// The proofs that a session rests on: the sign-in, and the second factor.

import type { ClientBase } from 'pg';

/** Signed in with a password, or with a token sent by mail. */
export type SignInMethod = 'password' | 'otp';

/** When and how a session began. */
export interface SignedIn {
  readonly at: Date;
  readonly method: SignInMethod;
}

/** A second factor: the code of an authenticator app, or a recovery code in its place. */
export type SecondFactorMethod = 'totp' | 'mfa/recovery_code';

/** The proofs that a session rests on. */
export interface Proven {
  readonly signedIn: SignedIn;
  readonly secondFactor?: { readonly at: Date; readonly method: SecondFactorMethod };
}

/** The columns of `PROVEN`. */
export interface ProvenRow {
  readonly therapistId: string;
  readonly at: Date;
  readonly method: SignInMethod;
  readonly factorAt: Date | null;
  readonly factor: SecondFactorMethod | null;
}

/** The columns of a session that hold its proofs. */
export const PROVEN = `therapist_id AS "therapistId", created_at AS "at", method, second_factor_at AS "factorAt",
  second_factor AS factor`;

export const provenBy = ({ at, method, factorAt, factor }: ProvenRow): Proven => ({
  signedIn: { at, method },
  ...(factorAt !== null && factor !== null && { secondFactor: { at: factorAt, method: factor } }),
});

/**
 * The proofs of a session, if it is open.
 * @param options.isKept keeps it open until the transaction ends
 */
export async function openSession(
  client: ClientBase,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  { isKept = false } = {},
): Promise<Proven | undefined> {
  const { rows } = await client.query<ProvenRow>(
    `SELECT ${PROVEN} FROM identity.sessions
     WHERE user_id = $1 AND id = $2 AND ended_at IS NULL${isKept ? ' FOR SHARE' : ''}`,
    [userId, sessionId],
  );
  return rows[0] && provenBy(rows[0]);
}

/** Whether the user has signed in from this network address within the last month. */
export async function isKnownAddress(client: ClientBase, userId: string, address: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM identity.sessions
     WHERE user_id = $1 AND address = $2 AND created_at > now() - interval '30 days' LIMIT 1`,
    [userId, address],
  );
  return rows.length > 0;
}
