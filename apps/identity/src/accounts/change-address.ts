import { users } from '@practice/contracts';
import type { Decider, Row } from '@practice/resource';
import type { RecordTransaction } from '@practice/write';
import { replaceAddress } from '../users/credentials.js';
import { voidTokens } from '../users/mailed-tokens.js';
import { readdressing } from '../practices/membership.js';
import { practice } from '../users/user.js';

/**
 * Gives a user another address, in the user's own transaction. The practice that the user opened, and the user's own membership
 * in it, have the address of the user, unless the practice is erased. Tokens that were mailed to the old address no longer count.
 * @param values the new address, and other new values of the user's record, checked
 */
export async function changeAddress(
  transaction: RecordTransaction,
  id: string,
  values: Row & { readonly email: string },
): Promise<void> {
  const { email } = values;
  const { client } = transaction;
  await transaction.change(users, id, values);
  await transaction.changeBy(practice as unknown as Decider, id, { email });
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM identity.memberships WHERE therapist_id = $1 AND user_id = $1
       AND NOT EXISTS (SELECT FROM identity.practices WHERE therapist_id = $1 AND erased_at IS NOT NULL)`,
    [id],
  );
  for (const own of rows) await transaction.changeBy(readdressing as unknown as Decider, own.id, { email });
  await replaceAddress(client, id, email);
  await voidTokens(client, id);
}
