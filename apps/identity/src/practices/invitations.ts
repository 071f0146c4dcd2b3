// The tokens of invitations: mailed to the invited address, good for seven days, once. Only hashes are stored.

import type { Statement } from '@practice/log';
import type { EntityManager } from 'typeorm';
import { inFuture, statementOf, unbound } from '../store/database.js';
import { Invitation } from '../store/practice.entities.js';
import type { Transactions } from '../store/transactions.js';

/** An invitation that is open. */
export type InvitationKey = Pick<Invitation, 'therapistId' | 'membershipId'>;

/** Makes this the only token of an invitation. The transaction acts for the practice. */
export const keepInvitation = (key: InvitationKey, tokenHash: string): Statement =>
  statementOf(
    unbound
      .createQueryBuilder()
      .insert()
      .into(Invitation)
      .values({ ...key, tokenHash, expiresAt: () => `now() + interval '7 days'` })
      .orUpdate(['token_hash', 'expires_at'], ['therapist_id', 'membership_id']),
  );

/** Ends an invitation and voids its token. */
export const dropInvitation = ({ therapistId, membershipId }: InvitationKey): Statement =>
  statementOf(unbound.createQueryBuilder().delete().from(Invitation).where({ therapistId, membershipId }));

/** The open invitation behind a hash that the transaction's caller has presented. */
export const invitationByHash = (tables: EntityManager, tokenHash: string): Promise<Invitation | null> =>
  tables.findOneBy(Invitation, { tokenHash, expiresAt: inFuture });

/** The practice of the open invitation behind a hash, to be locked before the person joins it. */
export async function practicesInviting(
  transactions: Transactions,
  userId: string,
  hash: string,
): Promise<readonly string[]> {
  const invitation = await transactions.run({ userId, presented: hash }, (tables) =>
    invitationByHash(tables, hash),
  );
  return invitation === null ? [] : [invitation.therapistId];
}
