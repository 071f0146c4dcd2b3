// The private tables of the identity service. Their rows belong to users, not to practices: row-level security shows a
// transaction the rows of the user that it acts for. Before the user is known, it also shows the one row that the presented
// credential names, and never more, however a statement is written. The setting of the practice shows none of them. A practice
// that begins to require a second factor has a setting of its own, which shows what has to end.

import { ownPracticeOnly } from '@practice/log';
import { confirmationTables } from './confirmation-tables.js';
import { busErasureTables } from '../practices/bus-erasures.js';
import { calendarLinkTables } from './calendar-link-tables.js';
import { archiveTables } from './archive-tables.js';
import { OLD_SESSION } from '../sessions/old-sessions.js';
import { factorTables } from './factor-tables.js';
import { beginsMfa, currentUser, ownRows, presented, visible } from './row-security.js';

/**
 * The credentials of users. Of passwords and tokens only hashes are stored. An address belongs to one user. `therapist_id` is
 * the practice that the user has switched to: the next session begins there. `confirmed_at` is when the user proved to read the
 * mails to the address.
 */
const credentials = [
  `CREATE TABLE identity.credentials (
    user_id uuid PRIMARY KEY,
    email text NOT NULL CONSTRAINT credentials_email_key UNIQUE,
    password_hash text NOT NULL,
    last_sign_in_at timestamp with time zone NOT NULL,
    recovery_sent_at timestamp with time zone,
    therapist_id uuid,
    confirmed_at timestamp with time zone
  )`,
  ...visible('credentials', `user_id = ${currentUser} OR email = ${presented}`),
  `GRANT SELECT, INSERT, DELETE, UPDATE (email, password_hash, last_sign_in_at, recovery_sent_at, therapist_id, confirmed_at)
    ON identity.credentials TO identity`,
  'CREATE POLICY founders ON identity.credentials FOR SELECT TO identity_relay USING (true)',
  'GRANT SELECT (user_id) ON identity.credentials TO identity_relay',
];

/**
 * A refresh token is used once; the next one of its session replaces it. Gateways must know the ended
 * sessions of all users. `therapist_id` is the practice that the session acts in; `left_practices`
 * has the time at which it left each other one.
 */
const sessions = [
  `CREATE TABLE identity.sessions (
    user_id uuid NOT NULL REFERENCES identity.credentials ON DELETE CASCADE,
    id uuid NOT NULL,
    therapist_id uuid NOT NULL,
    left_practices jsonb NOT NULL DEFAULT '{}',
    method text NOT NULL CHECK (method IN ('password', 'otp')),
    created_at timestamp with time zone NOT NULL,
    tokens_expire_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    refreshed_at timestamp with time zone NOT NULL,
    address text,
    second_factor text CHECK (second_factor IN ('totp', 'mfa/recovery_code')),
    second_factor_at timestamp with time zone,
    PRIMARY KEY (user_id, id)
  )`,
  'CREATE INDEX sessions_ended_idx ON identity.sessions (tokens_expire_at) WHERE ended_at IS NOT NULL',
  `CREATE TABLE identity.refresh_tokens (
    user_id uuid NOT NULL,
    token_hash text NOT NULL CONSTRAINT refresh_tokens_hash_key UNIQUE,
    session_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    PRIMARY KEY (user_id, token_hash),
    FOREIGN KEY (user_id, session_id) REFERENCES identity.sessions ON DELETE CASCADE
  )`,
  'CREATE INDEX refresh_tokens_session_idx ON identity.refresh_tokens (user_id, session_id)',
  ...visible('sessions', `user_id = ${currentUser}`),
  ...visible('refresh_tokens', `user_id = ${currentUser} OR token_hash = ${presented}`),
  'CREATE POLICY gateway_state ON identity.sessions FOR SELECT TO identity_relay USING (true)',
  'CREATE INDEX sessions_refreshed_at_idx ON identity.sessions (refreshed_at)',
  `CREATE POLICY old ON identity.sessions FOR DELETE TO identity_relay USING (${OLD_SESSION})`,
  `GRANT SELECT (user_id, id, created_at, refreshed_at, ended_at, tokens_expire_at), DELETE
    ON identity.sessions TO identity_relay`,
  `CREATE POLICY begins_mfa_seen ON identity.sessions FOR SELECT TO identity
    USING (therapist_id = ${beginsMfa} AND second_factor_at IS NULL)`,
  `CREATE POLICY begins_mfa ON identity.sessions FOR UPDATE TO identity
    USING (therapist_id = ${beginsMfa} AND second_factor_at IS NULL) WITH CHECK (ended_at IS NOT NULL)`,
  `GRANT SELECT, INSERT, DELETE,
    UPDATE (therapist_id, left_practices, ended_at, tokens_expire_at, refreshed_at, second_factor, second_factor_at)
    ON identity.sessions TO identity`,
  'GRANT SELECT, INSERT, UPDATE (used_at) ON identity.refresh_tokens TO identity',
];

/**
 * The break-glass access of a session, which begins with `role`. It is removed when the role of the person changes. `id` is its
 * security event.
 */
const brokenGlass = [
  `CREATE TABLE identity.broken_glass (
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    therapist_id uuid NOT NULL,
    role text NOT NULL,
    id uuid NOT NULL,
    until timestamp with time zone NOT NULL,
    PRIMARY KEY (user_id, session_id),
    FOREIGN KEY (user_id, session_id) REFERENCES identity.sessions ON DELETE CASCADE
  )`,
  'CREATE INDEX broken_glass_until_idx ON identity.broken_glass (until)',
  ...ownRows('broken_glass'),
  'CREATE POLICY gateway_state ON identity.broken_glass FOR SELECT TO identity_relay USING (true)',
  'GRANT SELECT ON identity.broken_glass TO identity_relay',
  'GRANT SELECT, INSERT, DELETE, UPDATE (therapist_id, role, id, until) ON identity.broken_glass TO identity',
];

/** Tokens that were mailed to prove who owns an address: used once, until they expire. */
const mailedTokens = [
  `CREATE TABLE identity.mailed_tokens (
    user_id uuid NOT NULL REFERENCES identity.credentials ON DELETE CASCADE,
    token_hash text NOT NULL CONSTRAINT mailed_tokens_hash_key UNIQUE,
    purpose text NOT NULL CHECK (purpose IN ('recovery', 'reauthentication', 'code')),
    expires_at timestamp with time zone NOT NULL,
    code_challenge text,
    PRIMARY KEY (user_id, token_hash)
  )`,
  ...visible('mailed_tokens', `user_id = ${currentUser} OR token_hash = ${presented}`),
  'GRANT SELECT, INSERT, DELETE ON identity.mailed_tokens TO identity',
];

/** Tokens that users make for their scripts, each for one practice. `prefix` is the part that may be shown again. */
const personalTokens = [
  `CREATE TABLE identity.personal_tokens (
    user_id uuid NOT NULL REFERENCES identity.credentials ON DELETE CASCADE,
    id uuid NOT NULL,
    therapist_id uuid NOT NULL,
    name text NOT NULL,
    token_hash text NOT NULL CONSTRAINT personal_tokens_hash_key UNIQUE,
    prefix text NOT NULL,
    scopes text[],
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    last_used_address text,
    PRIMARY KEY (user_id, id)
  )`,
  ...visible('personal_tokens', `user_id = ${currentUser} OR token_hash = ${presented}`),
  `CREATE POLICY begins_mfa_seen ON identity.personal_tokens FOR SELECT TO identity USING (therapist_id = ${beginsMfa})`,
  `CREATE POLICY begins_mfa ON identity.personal_tokens FOR DELETE TO identity USING (therapist_id = ${beginsMfa})`,
  `GRANT SELECT, INSERT, UPDATE (last_used_at, last_used_address), DELETE
    ON identity.personal_tokens TO identity`,
];

/**
 * The roles of a person in practices; null after the person has left. Written with the membership, so a practice writes it, and
 * the person reads it, or locks it. Gateways must know the changed rows of all practices. `requires_mfa` is the practice's.
 * `held_until` and `held_since` keep the person out after second factors were reset elsewhere.
 */
const access = [
  `CREATE TABLE identity.access (
    user_id uuid NOT NULL,
    therapist_id uuid NOT NULL,
    role text,
    changed_at timestamp with time zone,
    requires_mfa boolean NOT NULL DEFAULT false,
    held_until timestamp with time zone,
    held_since timestamp with time zone,
    PRIMARY KEY (user_id, therapist_id)
  )`,
  'CREATE INDEX access_practice_idx ON identity.access (therapist_id)',
  'CREATE INDEX access_changed_idx ON identity.access (changed_at) WHERE changed_at IS NOT NULL',
  ...ownPracticeOnly({ schema: 'identity', role: 'identity' }, 'access'),
  `CREATE POLICY own_user ON identity.access FOR SELECT TO identity USING (user_id = ${currentUser})`,
  `CREATE POLICY own_lock ON identity.access FOR UPDATE TO identity USING (user_id = ${currentUser}) WITH CHECK (false)`,
  'CREATE POLICY gateway_state ON identity.access FOR SELECT TO identity_relay USING (true)',
  'GRANT SELECT ON identity.access TO identity_relay',
  'GRANT SELECT, INSERT, UPDATE (role, changed_at, requires_mfa, held_until, held_since) ON identity.access TO identity',
];

/** The tokens of open invitations, one for each. */
const invitations = [
  `CREATE TABLE identity.invitations (
    therapist_id uuid NOT NULL,
    membership_id uuid NOT NULL,
    token_hash text NOT NULL CONSTRAINT invitations_hash_key UNIQUE,
    expires_at timestamp with time zone NOT NULL,
    PRIMARY KEY (therapist_id, membership_id)
  )`,
  ...ownPracticeOnly({ schema: 'identity', role: 'identity' }, 'invitations'),
  `CREATE POLICY presented ON identity.invitations FOR SELECT TO identity USING (token_hash = ${presented})`,
  'GRANT SELECT, INSERT, UPDATE (token_hash, expires_at), DELETE ON identity.invitations TO identity',
];

/** Closed practices, for the process that erases them. */
const closedPractices = [
  'CREATE INDEX practice_head_erase_at_idx ON identity.practice_head (erase_at) WHERE erase_at IS NOT NULL',
];

/** A key signs from its time on, until the next one does. Private parts are encrypted with a key that is not in the database. */
const signingKeys = [
  `CREATE TABLE identity.signing_keys (
    kid text PRIMARY KEY,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    public_jwk jsonb NOT NULL,
    sealed_private_key text,
    signs_from timestamp with time zone NOT NULL
  )`,
  'GRANT SELECT, INSERT ON identity.signing_keys TO identity',
];

/** DDL of credentials, sessions, break-glass access, tokens, sign-ups and new addresses that wait for their confirmation, access, invitations, signing keys, second factors, archives, calendar links and the erasures of practices from the bus. */
export const privateTables: readonly string[] = [
  ...credentials,
  ...sessions,
  ...brokenGlass,
  ...mailedTokens,
  ...confirmationTables,
  ...personalTokens,
  ...access,
  ...invitations,
  ...signingKeys,
  ...factorTables,
  ...archiveTables,
  ...calendarLinkTables,
  ...closedPractices,
  ...busErasureTables,
];
