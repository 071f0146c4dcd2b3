import type { Sweep } from '@practice/storage';
import { AddressChange, PendingSignUp } from '../store/account.entities.js';
import { inPast, statementOf, unbound } from '../store/database.js';

const expired = (table: string, entity: typeof PendingSignUp | typeof AddressChange): Sweep => ({
  table,
  statement: statementOf(
    unbound
      .createQueryBuilder()
      .delete()
      .from<PendingSignUp | AddressChange>(entity)
      .where({ expiresAt: inPast })
      .returning('1'),
  ),
});

/** Deletes mailed requests that were not answered in time. They hold addresses of people who may not know of them. */
export const unanswered: readonly Sweep[] = [
  expired('pending_sign_ups', PendingSignUp),
  expired('address_changes', AddressChange),
];
