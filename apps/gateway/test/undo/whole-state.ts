// The whole state of a practice: the records, and the mirrors of other services' records.

import { catalog } from '@practice/contracts';
import { schemaOf } from '@practice/core';
import { eventually, type Practice, rowsOf } from '@practice/testing';
import type pg from 'pg';
import { resources } from './commands.js';

/** Services with the resources that they mirror, because of references or for the policy that counts visits. */
const mirrors = [
  ...new Set([
    ...catalog.relations.flatMap(({ from, to }) => {
      const [own, other] = [from, to].map((name) => catalog.resources.get(name)?.service);
      return own === other ? [] : [`${own} ${to}`];
    }),
    'clients appointments',
  ]),
].map((pair) => pair.split(' ') as [string, string]);

/** Selects the records whose last event is missing in a mirror. */
const lagging = mirrors
  .map(([service, name]) => {
    const { service: owner = '', aggregate = '' } = catalog.resources.get(name) ?? {};
    return `SELECT e.stream_id FROM "${schemaOf(owner)}".events e
      LEFT JOIN "${schemaOf(service)}".mirror m ON m.therapist_id = e.therapist_id AND m.id = e.stream_id AND m.resource = '${name}'
      WHERE e.therapist_id = $1 AND e.aggregate = '${aggregate}'
      GROUP BY e.stream_id, m.version HAVING max(e.version) > coalesce(m.version, 0)`;
  })
  .join(' UNION ALL ');

/** Waits until every event of the practice has reached every mirror. Policies run in the same transaction. */
export const settled = (admin: pg.Client, { therapistId }: Practice): Promise<unknown> =>
  eventually('the mirrors follow', async () => {
    const { rowCount } = await admin.query(lagging, [therapistId]);
    return rowCount === 0;
  });

/** The records and the mirrors, without the times of changes. */
export async function wholeState(admin: pg.Client, practice: Practice): Promise<Record<string, unknown>> {
  await settled(admin, practice);
  const state: Record<string, unknown> = {};
  for (const { name } of resources) {
    const rows = await rowsOf<object>(practice, `${name}?order=id`);
    state[name] = rows.map((record) => ({ ...record, updated_at: null }));
  }
  for (const [service, name] of mirrors) {
    const { rows } = await admin.query<{ id: string; data: object }>(
      `SELECT id, data FROM "${schemaOf(service)}".mirror
       WHERE therapist_id = $1 AND resource = $2 AND data IS NOT NULL ORDER BY id`,
      [practice.therapistId, name],
    );
    state[`${name} in ${service}`] = rows;
  }
  return state;
}
