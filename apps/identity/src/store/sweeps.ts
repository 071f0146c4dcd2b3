import { type Sweep, SWEPT_AT_ONCE } from '@practice/storage';
import type { SessionConfig } from '../identity.config.js';
import { AddressChange, PendingSignUp } from './account.entities.js';
import { deleting, inPast, statementOf, unbound } from './database.js';
import { OauthPayload } from './oauth.entities.js';
import { PasskeyChallenge } from './passkey.entities.js';
import { OLD_SESSION } from './policies.js';
import { deleteOldSessions } from './raw-sql.js';

type Expiring = PendingSignUp | AddressChange | PasskeyChallenge | OauthPayload;

const expired = (table: string, entity: new () => Expiring): Sweep => ({
  table,
  statement: statementOf(deleting<Expiring>(unbound, entity, { expiresAt: inPast }).returning('1')),
});

/** Delete rows that were not answered in time. Mailed requests may contain addresses of people who do not know about the request. */
export const unanswered: readonly Sweep[] = [
  expired('pending_sign_ups', PendingSignUp),
  expired('address_changes', AddressChange),
  expired('passkey_challenges', PasskeyChallenge),
  // Codes, refresh tokens and authorizations.
  expired('oauth_payloads', OauthPayload),
];

/** Deletes sessions, with their refresh tokens, 30 days after they ended in any way. */
export const oldSessions = (limits: SessionConfig): Sweep => ({
  table: 'sessions',
  statement: deleteOldSessions(OLD_SESSION, { ...limits, atOnce: SWEPT_AT_ONCE }),
});
