// The erased practices whose events are still on the bus with values, in a private table: the list of the work, which any process finds.

import { ownPracticeOnly } from '@practice/log';
import type { Statement } from '@practice/log';

/** DDL of the table. The relay's role finds the practices, and removes the ones that are done. */
export const busErasureTables: readonly string[] = [
  'CREATE TABLE identity.bus_erasures (therapist_id uuid PRIMARY KEY)',
  ...ownPracticeOnly({ schema: 'identity', role: 'identity' }, 'bus_erasures'),
  'CREATE POLICY relay ON identity.bus_erasures TO identity_relay USING (true)',
  'GRANT INSERT ON identity.bus_erasures TO identity',
  'GRANT SELECT, DELETE ON identity.bus_erasures TO identity_relay',
];

/** To be run in the transaction that erases the practice. */
export const openBusErasure = (therapistId: string): Statement => ({
  text: 'INSERT INTO identity.bus_erasures (therapist_id) VALUES ($1)',
  values: [therapistId],
});

export const closeBusErasure = (therapistId: string): Statement => ({
  text: 'DELETE FROM identity.bus_erasures WHERE therapist_id = $1',
  values: [therapistId],
});

export const selectBusErasures: Statement = {
  text: 'SELECT therapist_id FROM identity.bus_erasures ORDER BY therapist_id LIMIT 100',
  values: [],
};
