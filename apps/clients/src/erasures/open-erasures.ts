// The erasures that are not done, in a private table. A process finds them there without reading the records of all practices.

import { ownPracticeOnly, type Statement } from '@practice/log';

/** An erasure that is not done. */
export interface OpenErasure {
  readonly therapistId: string;
  readonly id: string;
}

/** DDL of the table. The role of the relay finds the erasures of all practices. */
export const openErasuresTable: readonly string[] = [
  `CREATE TABLE clients.open_erasures (
    therapist_id uuid NOT NULL,
    id uuid NOT NULL,
    PRIMARY KEY (therapist_id, id)
  )`,
  ...ownPracticeOnly({ schema: 'clients', role: 'clients' }, 'open_erasures'),
  'CREATE POLICY relay ON clients.open_erasures FOR SELECT TO clients_relay USING (true)',
  'GRANT SELECT, INSERT, DELETE ON clients.open_erasures TO clients',
  'GRANT SELECT ON clients.open_erasures TO clients_relay',
];

export const openErasure = ({ therapistId, id }: OpenErasure): Statement => ({
  text: 'INSERT INTO clients.open_erasures (therapist_id, id) VALUES ($1, $2)',
  values: [therapistId, id],
});

export const closeErasure = ({ therapistId, id }: OpenErasure): Statement => ({
  text: 'DELETE FROM clients.open_erasures WHERE therapist_id = $1 AND id = $2',
  values: [therapistId, id],
});

/** Selects some of the open erasures: the oldest of each practice first, so that many of one practice do not delay the others. */
export const selectOpen: Statement = {
  text: `SELECT therapist_id, id FROM clients.open_erasures
ORDER BY row_number() OVER (PARTITION BY therapist_id ORDER BY id), id LIMIT 100`,
  values: [],
};
