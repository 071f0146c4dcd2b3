import { type Sweep, SWEPT_AT_ONCE } from '@practice/storage';
import { Raw } from 'typeorm';
import type { SessionConfig } from '../identity.config.js';
import { AddressChange, PendingSignUp } from './account.entities.js';
import { deleting, statementOf, unbound } from './database.js';
import { OauthPayload } from './oauth.entities.js';
import { PasskeyChallenge } from './passkey.entities.js';
import { OLD_SESSION } from './policies.js';
import { deleteOldSessions, deleteOldTokens } from './raw-sql.js';

type Expiring = PendingSignUp | AddressChange | PasskeyChallenge | OauthPayload;

/** Up to the time of the last row of the oldest: the relay's role reads no other column. Rows with this time are deleted too. */
const expired = (table: string, entity: new () => Expiring): Sweep => {
  const oldest = `SELECT expires_at FROM identity.${table} WHERE expires_at <= now() ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE}`;
  const isOldest = Raw((column) => `${column} <= (SELECT max(expires_at) FROM (${oldest}) AS oldest)`);
  const deletion = deleting<Expiring>(unbound, entity, { expiresAt: isOldest });
  return { table, statement: statementOf(deletion.returning('1')) };
};

/** Delete rows that were not answered in time. Mailed requests may contain addresses of people who do not know about the request. */
export const unanswered: readonly Sweep[] = [
  expired('pending_sign_ups', PendingSignUp),
  expired('address_changes', AddressChange),
  expired('passkey_challenges', PasskeyChallenge),
  // Codes, refresh tokens and authorizations.
  expired('oauth_payloads', OauthPayload),
];

/** Delete sessions 30 days after they ended in any way, after their refresh tokens. */
export const oldSessions = (limits: SessionConfig): readonly Sweep[] => {
  const old = { ...limits, isOld: OLD_SESSION, atOnce: SWEPT_AT_ONCE };
  return [
    { table: 'refresh_tokens', statement: deleteOldTokens(old) },
    { table: 'sessions', statement: deleteOldSessions(old) },
  ];
};
