// Holds on access: an owner who resets a member's second factors decides for one practice only. The member cannot enter other
// practices with a new sign-in until one of their owners agrees or the member proves who it is. Sessions that have passed the
// removed factor continue, and so do personal access tokens, which no password makes usable.

import { actForGroup } from '@practice/log';
import type { Statement } from '@practice/log';
import { In, IsNull, Not } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { inFuture, statementOf, unbound } from '../store/database.js';
import { Access } from '../store/practice.entities.js';
import { FREE } from '../users/access.js';
import type { Member } from '../users/access.js';

/** If no other owner of a practice can end the hold, it ends after this time. */
const SOLE_OWNER_HOLD = `now() + interval '7 days'`;

/** Owners of the practice of the changed row. */
const OWNERS = `FROM identity.access AS o WHERE o.therapist_id = access.therapist_id AND o.role = 'owner'`;

/** SQL for whether another owner can act in the practice: an owner who is held cannot. */
const HAS_OTHER_OWNER = `EXISTS (SELECT ${OWNERS} AND o.user_id <> access.user_id AND (o.held_until IS NULL OR o.held_until <= now()))`;

interface Reset {
  /** The person whose factors are reset. */
  readonly userId: string;
  /** The practices of the person, but not the one whose owner resets. */
  readonly elsewhere: readonly string[];
  /** The owner. */
  readonly by: string;
}

/** Holds the person's access to other practices, except where the same owner is an owner too. */
export async function holdElsewhere(tables: EntityManager, { userId, elsewhere, by }: Reset): Promise<void> {
  if (elsewhere.length === 0) return;
  await act(tables, elsewhere);
  await tables
    .createQueryBuilder()
    .update(Access)
    .set({
      heldSince: () => 'now()',
      heldUntil: () => `CASE WHEN ${HAS_OTHER_OWNER} THEN 'infinity' ELSE ${SOLE_OWNER_HOLD} END`,
    })
    .where({ userId, therapistId: In(elsewhere) })
    .andWhere(FREE)
    .andWhere(`NOT EXISTS (SELECT ${OWNERS} AND o.user_id = :by)`, { by })
    .execute();
  await act(tables, []);
}

async function act(tables: EntityManager, practices: readonly string[]): Promise<void> {
  const { text, values } = actForGroup(practices);
  await tables.query(text, [...values]);
}

/**
 * Limits the holds of a practice in which no other owner is left to end them. To be run after a role has changed, in a transaction that acts for
 * the practice.
 */
export const limitHolds = (therapistId: string): Statement =>
  statementOf(
    unbound
      .createQueryBuilder()
      .update(Access)
      .set({ heldUntil: () => SOLE_OWNER_HOLD })
      .where({ therapistId })
      .andWhere(`held_until = 'infinity' AND NOT ${HAS_OTHER_OWNER}`),
  );

/** Ends the hold on a person's access to the practice that the transaction acts for. Returns whether there was one. */
export async function releaseAccess(
  tables: EntityManager,
  { userId, therapistId }: Member,
): Promise<boolean> {
  const held = { userId, therapistId, role: Not(IsNull()), heldUntil: inFuture };
  return (await tables.update(Access, held, { heldUntil: null })).affected === 1;
}
