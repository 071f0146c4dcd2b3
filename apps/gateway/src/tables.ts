// The tables of accounts, sessions and keys. Row-level security shows a practice its own rows; before the practice is known,
// it also shows the one row that the presented credential names, and never more, however a statement is written.

import { currentPractice } from '@practice/event-store';

/** The setting that holds the credential (an address or the hash of a token) that a caller presented. */
export const PRESENTED_SETTING = 'app.presented';

const presented = `(select nullif(current_setting('${PRESENTED_SETTING}', true), ''))`;

/** A user is a practice: its id is the `therapist_id` of everything it owns. Of passwords and tokens only hashes are kept. */
const accounts = [
  `CREATE TABLE gateway.users (
    therapist_id uuid PRIMARY KEY,
    email text NOT NULL CONSTRAINT users_email_key UNIQUE CHECK (email = lower(email) AND length(email) <= 255),
    password_hash text NOT NULL,
    user_metadata jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    last_sign_in_at timestamp with time zone NOT NULL,
    recovery_sent_at timestamp with time zone
  )`,
  ...visible('users', `therapist_id = ${currentPractice} OR email = ${presented}`),
  `GRANT SELECT, INSERT, UPDATE (email, password_hash, user_metadata, updated_at, last_sign_in_at, recovery_sent_at)
    ON gateway.users TO gateway`,
];

/** A refresh token is used once; the next one of its session replaces it. */
const sessions = [
  `CREATE TABLE gateway.sessions (
    therapist_id uuid NOT NULL REFERENCES gateway.users ON DELETE CASCADE,
    id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    method text NOT NULL DEFAULT 'password' CHECK (method IN ('password', 'otp')),
    PRIMARY KEY (therapist_id, id)
  )`,
  `CREATE TABLE gateway.refresh_tokens (
    therapist_id uuid NOT NULL,
    token_hash text NOT NULL CONSTRAINT refresh_tokens_hash_key UNIQUE,
    session_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    PRIMARY KEY (therapist_id, token_hash),
    FOREIGN KEY (therapist_id, session_id) REFERENCES gateway.sessions ON DELETE CASCADE
  )`,
  'CREATE INDEX refresh_tokens_session ON gateway.refresh_tokens (therapist_id, session_id)',
  ...visible('sessions', `therapist_id = ${currentPractice}`),
  ...visible('refresh_tokens', `therapist_id = ${currentPractice} OR token_hash = ${presented}`),
  'GRANT SELECT, INSERT, UPDATE (ended_at), DELETE ON gateway.sessions TO gateway',
  'GRANT SELECT, INSERT, UPDATE (used_at) ON gateway.refresh_tokens TO gateway',
];

/** Tokens that were mailed to prove who owns an address: used once, until they expire. */
const mailedTokens = [
  `CREATE TABLE gateway.mailed_tokens (
    therapist_id uuid NOT NULL REFERENCES gateway.users ON DELETE CASCADE,
    token_hash text NOT NULL CONSTRAINT mailed_tokens_hash_key UNIQUE,
    purpose text NOT NULL CHECK (purpose IN ('recovery', 'reauthentication', 'code')),
    expires_at timestamp with time zone NOT NULL,
    code_challenge text,
    PRIMARY KEY (therapist_id, token_hash)
  )`,
  ...visible('mailed_tokens', `therapist_id = ${currentPractice} OR token_hash = ${presented}`),
  'GRANT SELECT, INSERT, DELETE ON gateway.mailed_tokens TO gateway',
];

/** Tokens that users make for their scripts. `prefix` is the part that may be shown again. */
const personalTokens = [
  `CREATE TABLE gateway.personal_tokens (
    therapist_id uuid NOT NULL REFERENCES gateway.users ON DELETE CASCADE,
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
  'GRANT SELECT, INSERT, UPDATE (last_used_at), DELETE ON gateway.personal_tokens TO gateway',
];

/** A key signs from its time on, until the next one does. Private parts are encrypted with a key that is not in the database. */
const signingKeys = [
  `CREATE TABLE gateway.signing_keys (
    kid text PRIMARY KEY,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    public_jwk jsonb NOT NULL,
    sealed_private_key text,
    signs_from timestamp with time zone NOT NULL DEFAULT now()
  )`,
  'GRANT SELECT, INSERT ON gateway.signing_keys TO gateway',
];

/** DDL of accounts, sessions, tokens and signing keys. */
export const authTables: readonly string[] = [
  ...accounts,
  ...sessions,
  ...mailedTokens,
  ...personalTokens,
  ...signingKeys,
];

function visible(table: string, condition: string): string[] {
  return [
    `ALTER TABLE gateway.${table} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY own_practice ON gateway.${table} TO gateway
      USING (${condition}) WITH CHECK (therapist_id = ${currentPractice})`,
  ];
}
