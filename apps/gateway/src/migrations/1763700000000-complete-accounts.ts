import { currentPractice } from '@practice/event-store';
import { migration } from '@practice/service';
import { PRESENTED_SETTING } from './auth-tables.js';

const presented = `(select nullif(current_setting('${PRESENTED_SETTING}', true), ''))`;

/** What was sent to an address to prove that it is its owner's: used once, and only until it expires. Only hashes are kept. */
const mailedTokens = `CREATE TABLE gateway.mailed_tokens (
  therapist_id uuid NOT NULL REFERENCES gateway.users ON DELETE CASCADE,
  token_hash text NOT NULL CONSTRAINT mailed_tokens_hash_key UNIQUE,
  purpose text NOT NULL CHECK (purpose IN ('recovery', 'reauthentication')),
  expires_at timestamp with time zone NOT NULL,
  PRIMARY KEY (therapist_id, token_hash)
)`;

/** Tokens that a user made for its scripts. `prefix` is the part of one that may be shown again. */
const personalTokens = `CREATE TABLE gateway.personal_tokens (
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
)`;

/**
 * A key signs from its time on, until the next one does. Private parts are sealed with a key that the database does not
 * know; those that lay here open are forgotten: their public parts go on verifying what they signed.
 */
const signingKeys = [
  'DROP INDEX gateway.signing_keys_one_active',
  `ALTER TABLE gateway.signing_keys
    ADD COLUMN public_jwk jsonb,
    ADD COLUMN sealed_private_key text,
    ADD COLUMN signs_from timestamp with time zone NOT NULL DEFAULT now()`,
  `UPDATE gateway.signing_keys SET public_jwk = private_jwk - 'd', signs_from = created_at`,
  'ALTER TABLE gateway.signing_keys DROP COLUMN private_jwk, DROP COLUMN retired_at, ALTER COLUMN public_jwk SET NOT NULL',
];

/** Recovery by mail, personal access tokens, keys that rotate. */
export const CompleteAccounts1763700000000 = migration('CompleteAccounts1763700000000', [
  'ALTER TABLE gateway.users ADD COLUMN recovery_sent_at timestamp with time zone',
  `ALTER TABLE gateway.sessions ADD COLUMN method text NOT NULL DEFAULT 'password' CHECK (method IN ('password', 'otp'))`,
  mailedTokens,
  personalTokens,
  ...signingKeys,
  ...visibleToOwner('mailed_tokens'),
  ...visibleToOwner('personal_tokens'),
  'GRANT UPDATE (recovery_sent_at) ON gateway.users TO gateway',
  'GRANT SELECT, INSERT, DELETE ON gateway.mailed_tokens TO gateway',
  'GRANT SELECT, INSERT, UPDATE (last_used_at), DELETE ON gateway.personal_tokens TO gateway',
]);

/** As for refresh tokens: a practice sees its own, and whoever presents one sees that one. */
function visibleToOwner(table: string): string[] {
  return [
    `ALTER TABLE gateway.${table} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY own_practice ON gateway.${table} TO gateway
      USING (therapist_id = ${currentPractice} OR token_hash = ${presented})
      WITH CHECK (therapist_id = ${currentPractice})`,
  ];
}
