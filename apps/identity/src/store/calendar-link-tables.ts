// The private table of calendar links: the hash of each secret, and who made it.

import { ownPracticeOnly } from '@practice/log';
import { currentUser, presented } from './row-security.js';

/** A transaction sees the links of its practice, the ones of its user, and the one that its caller presented. It can end the links of its user. */
export const calendarLinkTables: readonly string[] = [
  `CREATE TABLE identity.calendar_links (
    therapist_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL REFERENCES identity.credentials ON DELETE CASCADE,
    secret_hash text NOT NULL CONSTRAINT calendar_links_hash_key UNIQUE,
    is_full boolean NOT NULL,
    practitioner_id uuid,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    last_used_address text,
    PRIMARY KEY (therapist_id, id)
  )`,
  'CREATE INDEX calendar_links_user_idx ON identity.calendar_links (user_id)',
  ...ownPracticeOnly({ schema: 'identity', role: 'identity' }, 'calendar_links'),
  `CREATE POLICY presented ON identity.calendar_links FOR SELECT TO identity USING (secret_hash = ${presented})`,
  `CREATE POLICY own_user ON identity.calendar_links FOR SELECT TO identity USING (user_id = ${currentUser})`,
  `CREATE POLICY own_end ON identity.calendar_links FOR DELETE TO identity USING (user_id = ${currentUser})`,
  'GRANT SELECT, INSERT, UPDATE (last_used_at, last_used_address), DELETE ON identity.calendar_links TO identity',
];
