// The private tables of what waits for an answer to a mail: sign-ups, and changes of an address.

import { currentUser, presented } from './row-security.js';

/**
 * Sign-ups whose address is not confirmed. There is no account yet, and an address can be in several: the account is made from
 * the one that is confirmed, so the password of a stranger who signed up with the address never opens it. A transaction sees
 * the sign-ups of the address, or the one of the token, that its caller presented. The relay's role deletes expired ones.
 */
const pendingSignUps = [
  `CREATE TABLE identity.pending_sign_ups (
    user_id uuid PRIMARY KEY,
    email text NOT NULL,
    token_hash text NOT NULL CONSTRAINT pending_sign_ups_hash_key UNIQUE,
    password_hash text NOT NULL,
    metadata jsonb NOT NULL,
    code_challenge text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
  )`,
  'CREATE INDEX pending_sign_ups_email_idx ON identity.pending_sign_ups (email, created_at)',
  'CREATE INDEX pending_sign_ups_expiry_idx ON identity.pending_sign_ups (expires_at)',
  'ALTER TABLE identity.pending_sign_ups ENABLE ROW LEVEL SECURITY',
  `CREATE POLICY presented ON identity.pending_sign_ups TO identity
    USING (email = ${presented} OR token_hash = ${presented}) WITH CHECK (email = ${presented})`,
  'CREATE POLICY expired ON identity.pending_sign_ups TO identity_relay USING (expires_at < now())',
  'GRANT SELECT, INSERT, UPDATE (token_hash, expires_at), DELETE ON identity.pending_sign_ups TO identity',
  'GRANT SELECT (expires_at), DELETE ON identity.pending_sign_ups TO identity_relay',
];

/**
 * The address that a user wants instead of the present one. It counts once both mails have been answered. The relay's role
 * deletes expired ones.
 */
const addressChanges = [
  `CREATE TABLE identity.address_changes (
    user_id uuid PRIMARY KEY REFERENCES identity.credentials ON DELETE CASCADE,
    email text NOT NULL,
    old_token_hash text NOT NULL CONSTRAINT address_changes_old_key UNIQUE,
    new_token_hash text NOT NULL CONSTRAINT address_changes_new_key UNIQUE,
    old_confirmed_at timestamp with time zone,
    new_confirmed_at timestamp with time zone,
    code_challenge text,
    sent_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
  )`,
  'CREATE INDEX address_changes_expiry_idx ON identity.address_changes (expires_at)',
  'ALTER TABLE identity.address_changes ENABLE ROW LEVEL SECURITY',
  `CREATE POLICY own_user ON identity.address_changes TO identity
    USING (user_id = ${currentUser} OR old_token_hash = ${presented} OR new_token_hash = ${presented})
    WITH CHECK (user_id = ${currentUser})`,
  'CREATE POLICY expired ON identity.address_changes TO identity_relay USING (expires_at < now())',
  `GRANT SELECT, INSERT, UPDATE (old_confirmed_at, new_confirmed_at), DELETE
    ON identity.address_changes TO identity`,
  'GRANT SELECT (expires_at), DELETE ON identity.address_changes TO identity_relay',
];

/** DDL of the tables of this folder. */
export const confirmationTables: readonly string[] = [...pendingSignUps, ...addressChanges];
