import { type Sweep, SWEPT_AT_ONCE } from '@practice/storage';
import type { SessionConfig } from '../identity.config.js';
import { AddressChange, PendingSignUp } from './account.entities.js';
import { inPast, statementOf, unbound } from './database.js';
import { OLD_SESSION } from './policies.js';
import { deleteOldSessions } from './raw-sql.js';

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

/** Deletes sessions, with their refresh tokens, 30 days after they ended in any way. */
export const oldSessions = (limits: SessionConfig): Sweep => ({
  table: 'sessions',
  statement: deleteOldSessions(OLD_SESSION, { ...limits, atOnce: SWEPT_AT_ONCE }),
});
