// The private tables of archives. A row exists while an archive is made and until it expires; its parts are sealed with a key that
// only the link contains.

import { ownPracticeOnly } from '@practice/log';
import { currentUser, presented } from './row-security.js';

const schema = { schema: 'identity', role: 'identity' };

/**
 * `alive_until`: an archive that is not complete by then has no process that makes it. `expires_at`: of a complete archive. A
 * transaction sees the archives of its practice, and the one whose link its caller presented; it can end the archives of its user.
 * The relay's role looks for archives that have ended.
 */
const archives = [
  `CREATE TABLE identity.archives (
    therapist_id uuid NOT NULL,
    export_id uuid NOT NULL,
    user_id uuid NOT NULL,
    secret_hash text NOT NULL CONSTRAINT archives_hash_key UNIQUE,
    requested_at timestamp with time zone NOT NULL,
    is_begun boolean NOT NULL DEFAULT false,
    alive_until timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    parts integer NOT NULL DEFAULT 0,
    size bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (therapist_id, export_id)
  )`,
  ...ownPracticeOnly(schema, 'archives'),
  `CREATE POLICY presented ON identity.archives FOR SELECT TO identity USING (secret_hash = ${presented})`,
  `CREATE POLICY own_user ON identity.archives FOR SELECT TO identity USING (user_id = ${currentUser})`,
  `CREATE POLICY own_end ON identity.archives FOR UPDATE TO identity USING (user_id = ${currentUser}) WITH CHECK (user_id = ${currentUser})`,
  'CREATE POLICY ended ON identity.archives FOR SELECT TO identity_relay USING (true)',
  'GRANT SELECT, INSERT, UPDATE (is_begun, alive_until, expires_at, parts, size), DELETE ON identity.archives TO identity',
  'GRANT SELECT ON identity.archives TO identity_relay',
];

/** The sealed bytes of archives. They are deleted with their archive. */
const parts = [
  `CREATE TABLE identity.archive_parts (
    therapist_id uuid NOT NULL,
    export_id uuid NOT NULL,
    index integer NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (therapist_id, export_id, index),
    CONSTRAINT archive_parts_archive_fkey FOREIGN KEY (therapist_id, export_id) REFERENCES identity.archives ON DELETE CASCADE
  )`,
  ...ownPracticeOnly(schema, 'archive_parts'),
  'GRANT SELECT, INSERT ON identity.archive_parts TO identity',
];

/** DDL of the tables of this folder. */
export const archiveTables: readonly string[] = [...archives, ...parts];
