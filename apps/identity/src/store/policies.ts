// Row-level security of the private tables, and the grants of the service's roles. Rows belong to users, not to practices: a
// transaction sees the rows of the user that it acts for. Before the user is known, it also sees the one row that the presented
// credential names, and no other row, with any statement. The setting of the practice shows none of these rows. When a practice
// begins to require a second factor, another setting shows the sessions and tokens that have to end. The relay's role finds rows
// that have ended, and reads the state that gateways need.

import { ownPracticeOnly } from '@practice/log';
import { tableDdl } from './database.js';

/** The setting that holds the user whose rows a transaction may see. */
export const USER_SETTING = 'app.user_id';

/** The user of the transaction; null, and so no row, if it is not set. */
const currentUser = `(select nullif(current_setting('${USER_SETTING}', true), '')::uuid)`;

/** The setting that holds the credential (an address or the hash of a token) that a caller presented. */
export const PRESENTED_SETTING = 'app.presented';

const presented = `(select nullif(current_setting('${PRESENTED_SETTING}', true), ''))`;

/** The setting that holds the practice that begins to require a second factor in this transaction. */
export const BEGINS_MFA_SETTING = 'app.begins_mfa';

const beginsMfa = `(select nullif(current_setting('${BEGINS_MFA_SETTING}', true), '')::uuid)`;

/** Shows a transaction the rows for which `condition` holds, and lets it write rows of its user only. */
function visible(table: string, condition: string): string[] {
  return [
    `ALTER TABLE identity.${table} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY own_user ON identity.${table} TO identity
      USING (${condition}) WITH CHECK (user_id = ${currentUser})`,
  ];
}

/** Shows a transaction the rows of its user. */
const ownRows = (table: string): string[] => visible(table, `user_id = ${currentUser}`);

/** The condition of an old session. A session that was refreshed within 30 days is always kept. */
export const OLD_SESSION = `refreshed_at < now() - interval '30 days'`;

const ofPractice = (table: string): string[] =>
  ownPracticeOnly({ schema: 'identity', role: 'identity' }, table);

const policy = (name: string, table: string, rule: string): string =>
  `CREATE POLICY ${name} ON identity.${table} ${rule}`;

const grant = (rights: string, table: string, role = 'identity'): string =>
  `GRANT ${rights} ON identity.${table} TO ${role}`;

const seenByRelay = (table: string, columns = ''): string[] => [
  policy('gateway_state', table, 'FOR SELECT TO identity_relay USING (true)'),
  grant(`SELECT${columns}`, table, 'identity_relay'),
];

/** The relay's role deletes the rows that have expired. */
const sweptByRelay = (table: string): string[] => [
  policy('expired', table, 'TO identity_relay USING (expires_at < now())'),
  grant('SELECT (expires_at), DELETE', table, 'identity_relay'),
];

const ofAccounts = [
  ...visible('credentials', `user_id = ${currentUser} OR email = ${presented}`),
  grant(
    'SELECT, INSERT, DELETE, UPDATE (email, password_hash, last_sign_in_at, recovery_sent_at, therapist_id, confirmed_at)',
    'credentials',
  ),
  // For the previous release, which lists accounts without a membership.
  policy('founders', 'credentials', 'FOR SELECT TO identity_relay USING (true)'),
  grant('SELECT (user_id)', 'credentials', 'identity_relay'),
  // A transaction sees the sign-ups with the address, or the sign-up with the token, that its caller presented.
  'ALTER TABLE identity.pending_sign_ups ENABLE ROW LEVEL SECURITY',
  policy(
    'presented',
    'pending_sign_ups',
    `TO identity USING (email = ${presented} OR token_hash = ${presented}) WITH CHECK (email = ${presented})`,
  ),
  grant('SELECT, INSERT, UPDATE (token_hash, code_challenge, expires_at), DELETE', 'pending_sign_ups'),
  ...visible(
    'address_changes',
    `user_id = ${currentUser} OR old_token_hash = ${presented} OR new_token_hash = ${presented}`,
  ),
  grant('SELECT, INSERT, UPDATE (old_confirmed_at, new_confirmed_at), DELETE', 'address_changes'),
  ...['pending_sign_ups', 'address_changes'].flatMap(sweptByRelay),
  ...visible('mailed_tokens', `user_id = ${currentUser} OR token_hash = ${presented}`),
  grant('SELECT, INSERT, DELETE', 'mailed_tokens'),
  grant('SELECT, INSERT', 'signing_keys'),
];

const WEAK = `(therapist_id = ${beginsMfa} AND second_factor_at IS NULL)`;
const OF_MEMBER = `(user_id IN (SELECT a.user_id FROM identity.access AS a WHERE a.therapist_id = ${beginsMfa}))`;

const OF_OLD_SESSION = `EXISTS (SELECT FROM identity.sessions AS s
  WHERE s.user_id = refresh_tokens.user_id AND s.id = refresh_tokens.session_id AND s.${OLD_SESSION})`;

const ofSessions = [
  ...ownRows('sessions'),
  ...seenByRelay('sessions', ' (user_id, id, created_at, refreshed_at, ended_at, tokens_expire_at)'),
  policy('old', 'sessions', `FOR DELETE TO identity_relay USING (${OLD_SESSION})`),
  grant('DELETE', 'sessions', 'identity_relay'),
  policy('begins_mfa_seen', 'sessions', `FOR SELECT TO identity USING ${WEAK}`),
  policy('begins_mfa', 'sessions', `FOR UPDATE TO identity USING ${WEAK} WITH CHECK (ended_at IS NOT NULL)`),
  grant(
    'SELECT, INSERT, DELETE, UPDATE (therapist_id, left_practices, ended_at, tokens_expire_at, refreshed_at, second_factor, second_factor_at)',
    'sessions',
  ),
  ...visible('refresh_tokens', `user_id = ${currentUser} OR token_hash = ${presented}`),
  grant('SELECT, INSERT, UPDATE (used_at)', 'refresh_tokens'),
  policy('old', 'refresh_tokens', `TO identity_relay USING (${OF_OLD_SESSION})`),
  grant('SELECT (user_id, session_id, token_hash), DELETE', 'refresh_tokens', 'identity_relay'),
  ...ownRows('broken_glass'),
  ...seenByRelay('broken_glass'),
  grant('SELECT, INSERT, DELETE, UPDATE (therapist_id, role, id, until)', 'broken_glass'),
  ...visible('personal_tokens', `user_id = ${currentUser} OR token_hash = ${presented}`),
  policy('begins_mfa_seen', 'personal_tokens', `FOR SELECT TO identity USING (therapist_id = ${beginsMfa})`),
  policy('begins_mfa', 'personal_tokens', `FOR DELETE TO identity USING (therapist_id = ${beginsMfa})`),
  grant('SELECT, INSERT, UPDATE (last_used_at, last_used_address), DELETE', 'personal_tokens'),
  ...['mfa_factors', 'mfa_challenges', 'recovery_codes'].flatMap((table) => ownRows(table)),
  policy('begins_mfa_seen', 'mfa_factors', `FOR SELECT TO identity USING ${OF_MEMBER}`),
  grant(
    'SELECT, INSERT, DELETE, UPDATE (verified_at, updated_at, last_challenged_at, last_step)',
    'mfa_factors',
  ),
  grant('SELECT, INSERT, DELETE', 'mfa_challenges'),
  grant('SELECT, INSERT, DELETE, UPDATE (retired_at)', 'recovery_codes'),
];

/** A challenge of a sign-in has no user yet: a caller that presents its id sees it. */
const CHALLENGE = `(user_id = ${currentUser} OR (user_id IS NULL AND id::text = ${presented}))`;

const ofPasskeys = [
  ...visible('passkeys', `user_id = ${currentUser} OR credential_id = ${presented}`),
  policy('begins_mfa_seen', 'passkeys', `FOR SELECT TO identity USING ${OF_MEMBER}`),
  grant('SELECT, INSERT, DELETE, UPDATE (friendly_name, counter, last_used_at)', 'passkeys'),
  'ALTER TABLE identity.passkey_challenges ENABLE ROW LEVEL SECURITY',
  policy('open', 'passkey_challenges', `TO identity USING ${CHALLENGE} WITH CHECK ${CHALLENGE}`),
  grant('SELECT, INSERT, DELETE', 'passkey_challenges'),
  ...sweptByRelay('passkey_challenges'),
];

const ofPractices = [
  ...['access', 'invitations', 'archives', 'archive_parts', 'calendar_links', 'bus_erasures'].flatMap(
    ofPractice,
  ),
  policy('own_user', 'access', `FOR SELECT TO identity USING (user_id = ${currentUser})`),
  policy('own_lock', 'access', `FOR UPDATE TO identity USING (user_id = ${currentUser}) WITH CHECK (false)`),
  ...seenByRelay('access'),
  grant('SELECT, INSERT, UPDATE (role, changed_at, requires_mfa, held_until, held_since)', 'access'),
  policy('presented', 'invitations', `FOR SELECT TO identity USING (token_hash = ${presented})`),
  grant('SELECT, INSERT, UPDATE (token_hash, expires_at), DELETE', 'invitations'),
  // A transaction sees the archives and links of its practice, and the archive or link whose secret its caller presented. It can
  // end the archives and links of its user.
  ...['archives', 'calendar_links'].flatMap((table) => [
    policy('presented', table, `FOR SELECT TO identity USING (secret_hash = ${presented})`),
    policy('own_user', table, `FOR SELECT TO identity USING (user_id = ${currentUser})`),
  ]),
  policy(
    'own_end',
    'archives',
    `FOR UPDATE TO identity USING (user_id = ${currentUser}) WITH CHECK (user_id = ${currentUser})`,
  ),
  policy('ended', 'archives', 'FOR SELECT TO identity_relay USING (true)'),
  grant('SELECT, INSERT, UPDATE (is_begun, alive_until, expires_at, parts, size), DELETE', 'archives'),
  grant('SELECT', 'archives', 'identity_relay'),
  grant('SELECT, INSERT', 'archive_parts'),
  policy('own_end', 'calendar_links', `FOR DELETE TO identity USING (user_id = ${currentUser})`),
  grant('SELECT, INSERT, UPDATE (last_used_at, last_used_address), DELETE', 'calendar_links'),
  policy('relay', 'bus_erasures', 'TO identity_relay USING (true)'),
  grant('INSERT', 'bus_erasures'),
  grant('SELECT, DELETE', 'bus_erasures', 'identity_relay'),
  // Closed practices, for the process that erases them.
  'CREATE INDEX practice_head_erase_at_idx ON identity.practice_head (erase_at) WHERE erase_at IS NOT NULL',
];

/** A row of the OAuth library is shown to a transaction that presents its id, its user code or the id of its grant. */
const isPresented = ['id_hash', 'grant_hash', 'user_code_hash'].map((column) => `${column} = ${presented}`);

const ofOauth = [
  'ALTER TABLE identity.oauth_payloads ENABLE ROW LEVEL SECURITY',
  policy(
    'presented',
    'oauth_payloads',
    `TO identity USING (${isPresented.join(' OR ')}) WITH CHECK (id_hash = ${presented})`,
  ),
  grant(
    'SELECT, INSERT, DELETE, UPDATE (sealed_payload, grant_hash, user_code_hash, consumed_at, expires_at)',
    'oauth_payloads',
  ),
  ...sweptByRelay('oauth_payloads'),
  ...['oauth_registrations', 'oauth_client_secrets', 'oauth_grant_uses'].flatMap(ofPractice),
  // A client presents its id before anybody is signed in; the id is public.
  ...['oauth_registrations', 'oauth_client_secrets'].map((table) =>
    policy('presented', table, `FOR SELECT TO identity USING (client_id::text = ${presented})`),
  ),
  grant('SELECT, INSERT, UPDATE (name, redirect_uris), DELETE', 'oauth_registrations'),
  grant('SELECT, INSERT, UPDATE (ends_at), DELETE', 'oauth_client_secrets'),
  grant('SELECT, INSERT, UPDATE (last_used_at, last_used_address), DELETE', 'oauth_grant_uses'),
  // The relay's role finds grants that ended without a revocation.
  ...seenByRelay('oauth_grant_uses', ' (therapist_id, id, expires_at)'),
  ...seenByRelay('personal_tokens', ' (id)'),
];

/** DDL of the private tables. */
export const privateTables: readonly string[] = [
  ...(await tableDdl()),
  ...ofAccounts,
  ...ofSessions,
  ...ofPasskeys,
  ...ofPractices,
  ...ofOauth,
];
