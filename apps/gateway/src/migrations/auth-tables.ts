import { currentPractice } from '@practice/event-store';

/** The name of the setting that holds what a caller has presented, before its practice is known. */
export const PRESENTED_SETTING = 'app.presented';

const presented = `(select nullif(current_setting('${PRESENTED_SETTING}', true), ''))`;

/** A user is a practice: its id is the `therapist_id` of everything it owns. Only the hash of a password is kept. */
const users = `CREATE TABLE gateway.users (
  therapist_id uuid PRIMARY KEY,
  email text NOT NULL CONSTRAINT users_email_key UNIQUE CHECK (email = lower(email) AND length(email) <= 255),
  password_hash text NOT NULL,
  user_metadata jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  last_sign_in_at timestamp with time zone NOT NULL
)`;

const sessions = `CREATE TABLE gateway.sessions (
  therapist_id uuid NOT NULL REFERENCES gateway.users ON DELETE CASCADE,
  id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  PRIMARY KEY (therapist_id, id)
)`;

/** A token is used once; the next one of its session takes its place. Only hashes are kept. */
const refreshTokens = `CREATE TABLE gateway.refresh_tokens (
  therapist_id uuid NOT NULL,
  token_hash text NOT NULL CONSTRAINT refresh_tokens_hash_key UNIQUE,
  session_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  PRIMARY KEY (therapist_id, token_hash),
  FOREIGN KEY (therapist_id, session_id) REFERENCES gateway.sessions ON DELETE CASCADE
)`;

/** One key signs; those that have been retired still verify the tokens they signed. */
const signingKeys = [
  `CREATE TABLE gateway.signing_keys (
    kid text PRIMARY KEY,
    private_jwk jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    retired_at timestamp with time zone
  )`,
  `CREATE UNIQUE INDEX signing_keys_one_active ON gateway.signing_keys ((true)) WHERE retired_at IS NULL`,
];

/**
 * A sign-in knows an address or a token, and not yet a practice. So these two tables show a transaction also the one
 * row that its caller's credential names, and never more, however a statement is written.
 */
const policies = [
  ...visible('users', `therapist_id = ${currentPractice} OR email = ${presented}`),
  ...visible('sessions', `therapist_id = ${currentPractice}`),
  ...visible('refresh_tokens', `therapist_id = ${currentPractice} OR token_hash = ${presented}`),
];

/** Keys belong to no practice, and hashes of passwords to nobody but the gateway: no other role may read these tables. */
const grants = [
  'GRANT SELECT, INSERT, UPDATE (email, password_hash, user_metadata, updated_at, last_sign_in_at) ON gateway.users TO gateway',
  'GRANT SELECT, INSERT, UPDATE (ended_at) ON gateway.sessions TO gateway',
  'GRANT SELECT, INSERT, UPDATE (used_at) ON gateway.refresh_tokens TO gateway',
  'GRANT SELECT, INSERT, UPDATE (retired_at) ON gateway.signing_keys TO gateway',
];

/** DDL of accounts, sessions and signing keys. */
export const authTables: readonly string[] = [
  users,
  sessions,
  refreshTokens,
  `CREATE INDEX refresh_tokens_session ON gateway.refresh_tokens (therapist_id, session_id)`,
  ...signingKeys,
  ...policies,
  ...grants,
];

function visible(table: string, condition: string): string[] {
  return [
    `ALTER TABLE gateway.${table} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY own_practice ON gateway.${table} TO gateway
      USING (${condition}) WITH CHECK (therapist_id = ${currentPractice})`,
  ];
}
