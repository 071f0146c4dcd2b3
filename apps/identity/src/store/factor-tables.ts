// The private tables of second factors: authenticator apps, the challenges that are open, and recovery codes.

import { beginsMfa, ownRows } from './row-security.js';

export const factorTables: readonly string[] = [
  `CREATE TABLE identity.mfa_factors (
    user_id uuid NOT NULL REFERENCES identity.credentials ON DELETE CASCADE,
    id uuid NOT NULL,
    friendly_name text NOT NULL,
    sealed_secret text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    verified_at timestamp with time zone,
    last_challenged_at timestamp with time zone,
    last_step bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, id)
  )`,
  `CREATE UNIQUE INDEX mfa_factors_name_key ON identity.mfa_factors (user_id, friendly_name)
    WHERE friendly_name <> ''`,
  `CREATE TABLE identity.mfa_challenges (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    factor_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, factor_id) REFERENCES identity.mfa_factors ON DELETE CASCADE
  )`,
  `CREATE TABLE identity.recovery_codes (
    user_id uuid NOT NULL REFERENCES identity.credentials ON DELETE CASCADE,
    code_hash text NOT NULL,
    retired_at timestamp with time zone,
    PRIMARY KEY (user_id, code_hash)
  )`,
  ...['mfa_factors', 'mfa_challenges', 'recovery_codes'].flatMap((table) => ownRows(table)),
  `CREATE POLICY begins_mfa_seen ON identity.mfa_factors FOR SELECT TO identity
    USING (user_id IN (SELECT a.user_id FROM identity.access AS a WHERE a.therapist_id = ${beginsMfa}))`,
  `GRANT SELECT, INSERT, DELETE, UPDATE (verified_at, updated_at, last_challenged_at, last_step)
    ON identity.mfa_factors TO identity`,
  'GRANT SELECT, INSERT, DELETE ON identity.mfa_challenges TO identity',
  'GRANT SELECT, INSERT, DELETE, UPDATE (retired_at) ON identity.recovery_codes TO identity',
];
