// Which practices a person may act in, and with which role: the memberships, by person. Each row is written in the
// transaction that changes the membership.

import type { GatewayMember } from '@practice/contracts';
import type { PracticeRole } from '@practice/core';
import { isPracticeRole } from '@practice/core';
import type { Statement } from '@practice/log';
import type { CrossTenantConnection } from '@practice/storage';
import { MAX_TOKEN_SECONDS } from '@practice/settings';
import type { ClientBase } from 'pg';

/** The role of a person in a practice, and the requirement of the practice. */
export interface Standing {
  readonly role: PracticeRole;
  /** Whether the practice requires a second factor. */
  readonly requiresMfa: boolean;
  /** Whether the person must prove who it is before a session can begin there, since the owner of another practice has reset the second factors. */
  readonly isHeld: boolean;
}

/** A practice that a person may act in. */
export interface Access extends Standing {
  readonly therapistId: string;
}

/** The role of a person in a practice; null when the person is no longer a member. */
export interface Granted {
  readonly userId: string;
  readonly therapistId: string;
  readonly role: PracticeRole | null;
}

/** Longer than any access token lives, with room for clocks. */
const KNOWN_SECONDS = MAX_TOKEN_SECONDS + 3600;

/** Gives a role, or takes it away. The transaction acts for the practice. */
export const grantAccess = ({ userId, therapistId, role }: Granted): Statement => ({
  text: `INSERT INTO identity.access (user_id, therapist_id, role, requires_mfa)
SELECT $1::uuid, $2::uuid, $3, EXISTS (SELECT FROM identity.practices AS p WHERE p.therapist_id = $2 AND p.require_mfa)
ON CONFLICT (user_id, therapist_id)
DO UPDATE SET role = excluded.role, requires_mfa = excluded.requires_mfa, changed_at = now()`,
  values: [userId, therapistId, role],
});

/** Sets whether the practice requires a second factor. The transaction acts for the practice. */
export const requireMfa = (therapistId: string, isRequired: boolean): Statement => ({
  text: 'UPDATE identity.access SET requires_mfa = $2, changed_at = now() WHERE therapist_id = $1',
  values: [therapistId, isRequired],
});

const STANDING = 'role, requires_mfa AS "requiresMfa", coalesce(held_until > now(), false) AS "isHeld"';

/**
 * The practice that the user of the transaction acts in: the wanted one if the user is a member of it, else the one that the
 * user opened, else another one, but not one where the access is held. Undefined when the user has no other. The row is locked until the session is stored:
 * a practice that begins to require a second factor waits for it, and ends it.
 */
export async function accessOf(
  client: ClientBase,
  userId: string,
  wanted: string | null,
): Promise<Access | undefined> {
  const { rows } = await client.query<Access>(
    `SELECT therapist_id AS "therapistId", ${STANDING} FROM identity.access
     WHERE user_id = $1 AND role IS NOT NULL AND (held_until IS NULL OR held_until <= now())
     ORDER BY (therapist_id = $2) IS TRUE DESC, therapist_id = user_id DESC, therapist_id LIMIT 1 FOR SHARE`,
    [userId, wanted],
  );
  return rows[0];
}

/** Every practice that the user of the transaction may act in. */
export async function practicesOf(client: ClientBase, userId: string): Promise<Access[]> {
  const { rows } = await client.query<Access>(
    `SELECT therapist_id AS "therapistId", ${STANDING} FROM identity.access
     WHERE user_id = $1 AND role IS NOT NULL ORDER BY therapist_id`,
    [userId],
  );
  return rows;
}

/**
 * The standing of the user of the transaction in a practice; undefined when the user is not a member.
 * @param options.isKept locks it until the transaction ends, as `accessOf` does
 */
export async function standingIn(
  client: ClientBase,
  { userId, therapistId }: { readonly userId: string; readonly therapistId: string },
  { isKept = false } = {},
): Promise<Standing | undefined> {
  const { rows } = await client.query<Standing>(
    `SELECT ${STANDING} FROM identity.access
     WHERE user_id = $1 AND therapist_id = $2 AND role IS NOT NULL${isKept ? ' FOR SHARE' : ''}`,
    [userId, therapistId],
  );
  return rows[0];
}

/** Every standing that has changed while an access token from before may still be shown. */
export async function changedMembers(crossTenant: CrossTenantConnection): Promise<GatewayMember[]> {
  const rows = await crossTenant.run({
    text: `SELECT user_id, therapist_id, role, requires_mfa
      FROM identity.access WHERE changed_at > now() - make_interval(secs => $1)`,
    values: [KNOWN_SECONDS],
  });
  return rows.map(([userId, therapistId, role, requiresMfa]) => ({
    userId: String(userId),
    therapistId: String(therapistId),
    role: isPracticeRole(role) ? role : null,
    requiresMfa: requiresMfa === 't',
  }));
}
