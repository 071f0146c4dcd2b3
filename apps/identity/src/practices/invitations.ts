// The tokens of invitations: mailed to the invited address, good for seven days, once. Only hashes are stored.

import { randomBytes } from 'node:crypto';
import type { Statement } from '@practice/log';
import type { ClientBase } from 'pg';

const LIVES_DAYS = 7;
const TOKEN_BYTES = 32;

export const invitationToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** An invitation that is open. */
export interface Invitation {
  readonly therapistId: string;
  readonly membershipId: string;
}

/** Makes this the only token of an invitation. The transaction acts for the practice. */
export const keepInvitation = ({ therapistId, membershipId }: Invitation, hash: string): Statement => ({
  text: `INSERT INTO identity.invitations (therapist_id, membership_id, token_hash, expires_at)
VALUES ($1, $2, $3, now() + make_interval(days => ${LIVES_DAYS}))
ON CONFLICT (therapist_id, membership_id) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
  values: [therapistId, membershipId, hash],
});

/** Ends an invitation; its token is worth nothing any more. */
export const dropInvitation = ({ therapistId, membershipId }: Invitation): Statement => ({
  text: 'DELETE FROM identity.invitations WHERE therapist_id = $1 AND membership_id = $2',
  values: [therapistId, membershipId],
});

/** The open invitation behind a hash that the transaction's caller has presented. */
export async function invitationByHash(client: ClientBase, hash: string): Promise<Invitation | undefined> {
  const { rows } = await client.query<Invitation>(
    `SELECT therapist_id AS "therapistId", membership_id AS "membershipId"
     FROM identity.invitations WHERE token_hash = $1 AND expires_at > now()`,
    [hash],
  );
  return rows[0];
}
