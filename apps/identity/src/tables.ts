// The private tables of the identity service. Row-level security shows a practice its own rows; before the practice is known,
// it also shows the one row that the presented credential names, and never more, however a statement is written.

import { currentPractice } from '@practice/event-store';

/** The setting that holds the credential (an address or the hash of a token) that a caller presented. */
export const PRESENTED_SETTING = 'app.presented';

const presented = `(select nullif(current_setting('${PRESENTED_SETTING}', true), ''))`;

/** The credentials of users. Of passwords and tokens only hashes are stored. The address is unique among all practices. */
const credentials = [
  `CREATE TABLE identity.credentials (
    therapist_id uuid PRIMARY KEY,
    email text NOT NULL CONSTRAINT credentials_email_key UNIQUE,
    password_hash text NOT NULL,
    last_sign_in_at timestamp with time zone NOT NULL,
    recovery_sent_at timestamp with time zone
  )`,
  ...visible('credentials', `therapist_id = ${currentPractice} OR email = ${presented}`),
  `GRANT SELECT, INSERT, UPDATE (email, password_hash, last_sign_in_at, recovery_sent_at)
    ON identity.credentials TO identity`,
];

/** A refresh token is used once; the next one of its session replaces it. Gateways must know ended sessions of all practices. */
const sessions = [
  `CREATE TABLE identity.sessions (
    therapist_id uuid NOT NULL REFERENCES identity.credentials ON DELETE CASCADE,
    id uuid NOT NULL,
    method text NOT NULL CHECK (method IN ('password', 'otp')),
    created_at timestamp with time zone NOT NULL,
    tokens_expire_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    PRIMARY KEY (therapist_id, id)
  )`,
  'CREATE INDEX sessions_ended_idx ON identity.sessions (tokens_expire_at) WHERE ended_at IS NOT NULL',
  `CREATE TABLE identity.refresh_tokens (
    therapist_id uuid NOT NULL,
    token_hash text NOT NULL CONSTRAINT refresh_tokens_hash_key UNIQUE,
    session_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    PRIMARY KEY (therapist_id, token_hash),
    FOREIGN KEY (therapist_id, session_id) REFERENCES identity.sessions ON DELETE CASCADE
  )`,
  'CREATE INDEX refresh_tokens_session_idx ON identity.refresh_tokens (therapist_id, session_id)',
  ...visible('sessions', `therapist_id = ${currentPractice}`),
  ...visible('refresh_tokens', `therapist_id = ${currentPractice} OR token_hash = ${presented}`),
  'CREATE POLICY gateway_state ON identity.sessions FOR SELECT TO identity_relay USING (true)',
  'GRANT SELECT (id, ended_at, tokens_expire_at) ON identity.sessions TO identity_relay',
  'GRANT SELECT, INSERT, UPDATE (ended_at, tokens_expire_at), DELETE ON identity.sessions TO identity',
  'GRANT SELECT, INSERT, UPDATE (used_at) ON identity.refresh_tokens TO identity',
];

/** Tokens that were mailed to prove who owns an address: used once, until they expire. */
const mailedTokens = [
  `CREATE TABLE identity.mailed_tokens (
    therapist_id uuid NOT NULL REFERENCES identity.credentials ON DELETE CASCADE,
    token_hash text NOT NULL CONSTRAINT mailed_tokens_hash_key UNIQUE,
    purpose text NOT NULL CHECK (purpose IN ('recovery', 'reauthentication', 'code')),
    expires_at timestamp with time zone NOT NULL,
    code_challenge text,
    PRIMARY KEY (therapist_id, token_hash)
  )`,
  ...visible('mailed_tokens', `therapist_id = ${currentPractice} OR token_hash = ${presented}`),
  'GRANT SELECT, INSERT, DELETE ON identity.mailed_tokens TO identity',
];

/** Tokens that users make for their scripts. `prefix` is the part that may be shown again. */
const personalTokens = [
  `CREATE TABLE identity.personal_tokens (
    therapist_id uuid NOT NULL REFERENCES identity.credentials ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    token_hash text NOT NULL CONSTRAINT personal_tokens_hash_key UNIQUE,
    prefix text NOT NULL,
    read_only boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    PRIMARY KEY (therapist_id, id)
  )`,
  ...visible('personal_tokens', `therapist_id = ${currentPractice} OR token_hash = ${presented}`),
  'GRANT SELECT, INSERT, UPDATE (last_used_at), DELETE ON identity.personal_tokens TO identity',
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

/** DDL of credentials, sessions, tokens and signing keys. */
export const privateTables: readonly string[] = [
  ...credentials,
  ...sessions,
  ...mailedTokens,
  ...personalTokens,
  ...signingKeys,
];

function visible(table: string, condition: string): string[] {
  return [
    `ALTER TABLE identity.${table} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY own_practice ON identity.${table} TO identity
      USING (${condition}) WITH CHECK (therapist_id = ${currentPractice})`,
  ];
}
