// Access that is held: an owner who resets a member's second factors vouches for the own practice only. Other practices of the
// member keep their protection until one of their owners vouches too, or the member proves who it is. It concerns sign-ins: sessions
// that have passed the removed factor go on, and so do personal access tokens, which no password makes usable.

import { actForGroup, run } from '@practice/log';
import type { Statement } from '@practice/log';
import type { ClientBase } from 'pg';

/** If no other owner of a practice can act, no other person can vouch there, so time has to pass. */
const SOLE_OWNER_DAYS = 7;

/** SQL for whether an owner beside the person of the row `a` can act in its practice: an owner who is held cannot. */
const HAS_OTHER_OWNER = `EXISTS (SELECT FROM identity.access AS o
  WHERE o.therapist_id = a.therapist_id AND o.role = 'owner' AND o.user_id <> a.user_id AND (o.held_until IS NULL OR o.held_until <= now()))`;

interface Reset {
  /** The person whose factors are reset. */
  readonly userId: string;
  /** The practices of the person, but not the one whose owner resets. */
  readonly elsewhere: readonly string[];
  /** The owner. */
  readonly by: string;
}

/** Holds the person's access to other practices, except where the same owner is an owner too. */
export async function holdElsewhere(client: ClientBase, { userId, elsewhere, by }: Reset): Promise<void> {
  if (elsewhere.length === 0) return;
  await run(client, actForGroup(elsewhere));
  await client.query(
    `UPDATE identity.access AS a SET held_since = now(), held_until = CASE
       WHEN ${HAS_OTHER_OWNER} THEN 'infinity'
       ELSE now() + make_interval(days => ${SOLE_OWNER_DAYS}) END
     WHERE a.user_id = $1 AND a.therapist_id = ANY ($2) AND (a.held_until IS NULL OR a.held_until <= now())
       AND NOT EXISTS (SELECT FROM identity.access AS o
         WHERE o.therapist_id = a.therapist_id AND o.role = 'owner' AND o.user_id = $3)`,
    [userId, elsewhere, by],
  );
  await run(client, actForGroup([]));
}

/**
 * Limits the holds of a practice in which no other owner is left to end them. To be run after a role has changed, in a transaction that acts for
 * the practice.
 */
export const limitHolds = (therapistId: string): Statement => ({
  text: `UPDATE identity.access AS a SET held_until = now() + make_interval(days => ${SOLE_OWNER_DAYS})
WHERE therapist_id = $1 AND held_until = 'infinity' AND NOT ${HAS_OTHER_OWNER}`,
  values: [therapistId],
});

/** Ends the hold on a person's access to the practice that the transaction acts for. Returns whether there was one. */
export async function releaseAccess(
  client: ClientBase,
  { userId, therapistId }: { readonly userId: string; readonly therapistId: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE identity.access SET held_until = NULL
     WHERE user_id = $1 AND therapist_id = $2 AND role IS NOT NULL AND held_until > now()`,
    [userId, therapistId],
  );
  return rowCount === 1;
}
