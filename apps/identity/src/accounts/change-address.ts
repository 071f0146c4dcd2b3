import { users } from '@practice/contracts';
import type { Decider, Row } from '@practice/resource';
import type { RecordTransaction } from '@practice/write';
import { IsNull, Not } from 'typeorm';
import { readdressing } from '../practices/membership.js';
import { Credential } from '../store/account.entities.js';
import { tablesOn } from '../store/database.js';
import { MembershipRecord, PracticeRecord } from '../store/record.entities.js';
import { voidTokens } from '../users/mailed-tokens.js';
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
  const tables = tablesOn(transaction.client);
  await transaction.change(users, id, values);
  await transaction.changeBy(practice as unknown as Decider, id, { email });
  if (!(await tables.existsBy(PracticeRecord, { therapistId: id, erasedAt: Not(IsNull()) })))
    for (const own of await tables.findBy(MembershipRecord, { therapistId: id, userId: id }))
      await transaction.changeBy(readdressing as unknown as Decider, own.id, { email });
  await tables.update(Credential, { userId: id }, { email });
  await voidTokens(tables, id);
}
