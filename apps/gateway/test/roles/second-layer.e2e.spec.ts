// Tests only row-level security: statements that no planner has checked are sent to Postgres as a service sends them,
// and compared with the table of rights that is written by hand.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { practices } from '@practice/contracts';
import { practiceRoles, schemaOf, type PracticeRole } from '@practice/core';
import type { Resource } from '@practice/resource';
import { stack } from '@practice/testing';
import pg from 'pg';
import { creatable } from '../isolation/rows.js';
import { mayDo, mayStore } from './expected.js';
import { members, type Members } from './members.js';

const resources = creatable;
const clients = new Map<string, pg.Client>();
let practice: Members;

beforeAll(async () => {
  practice = await members();
  for (const service of new Set(resources.map((resource) => resource.service))) {
    const client = new pg.Client({ connectionString: stack().databaseUrl(schemaOf(service)) });
    await client.connect();
    clients.set(service, client);
  }
});
afterAll(async () => {
  for (const client of clients.values()) await client.end();
  await practice.stop();
});

/** The settings of a transaction of one practice. */
const alone = (reader: string, writer: string): Record<string, string> => ({
  ...{ 'app.therapist_id': practice.therapistId, 'app.reader': reader, 'app.writer': writer },
});

/** The settings of a transaction that this practice shares with another practice, where the caller is an owner. */
const shared = (writer: string): Record<string, string> => ({
  'app.therapist_ids': `{${randomUUID()},${practice.therapistId}}`,
  'app.writers': `{owner,${writer}}`,
  'app.reader': 'system',
});

/** The number of rows that a statement affects, or the code of its error. The transaction is rolled back. */
async function outcome(
  { service }: Resource,
  settings: Record<string, string>,
  statement: string,
): Promise<number | string> {
  const client = clients.get(service) as pg.Client;
  await client.query('BEGIN');
  try {
    for (const setting of Object.entries(settings))
      await client.query(`SELECT set_config($1, $2, true)`, setting);
    return (await client.query(statement)).rowCount ?? 0;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('ROLLBACK');
  }
}

const tableOf = ({ service, name }: Resource): string => `${schemaOf(service)}.${name}`;

/** Adds a replaced version of each record. */
const versionOfAll = (resource: Resource): string => {
  const [table, versions] = [tableOf(resource), `${tableOf(resource)}_versions`];
  return `INSERT INTO ${versions} SELECT (jsonb_populate_record(NULL::${versions}, to_jsonb(t) || jsonb_build_object('replaced_at', now()))).* FROM ${table} AS t`;
};

/** Adds a copy of the last event of the resource, with this type. */
const event = ({ service, aggregate }: Resource, type: string): string => `
  INSERT INTO ${schemaOf(service)}.events SELECT (jsonb_populate_record(e, jsonb_build_object(
    'position', e.position + 1000, 'version', e.version + 1000, 'type', '${type}'))).*
  FROM ${schemaOf(service)}.events AS e WHERE aggregate = '${aggregate}' ORDER BY position DESC LIMIT 1`;

const typeOf = ({ events }: Resource, shape: 'created' | 'deleted'): string | undefined =>
  Object.keys(events).find((type) => events[type] === shape);

const REFUSED = '42501';

describe.each(practiceRoles)('a statement of %s that was not checked', (role: PracticeRole) => {
  it.each(resources.map((resource) => [resource.name, resource] as const))('%s', async (name, resource) => {
    const table = tableOf(resource);
    const events = `SELECT FROM ${schemaOf(resource.service)}.events WHERE aggregate = '${resource.aggregate}'`;
    const own = alone(role, role);
    for (const read of [`SELECT FROM ${table}`, events]) {
      const all = await outcome(resource, alone('system', ''), read);
      expect(all).toBeGreaterThanOrEqual(2);
      expect(await outcome(resource, own, read)).toBe(mayDo(role, name, 'r') ? all : 0);
    }
    const rows = await outcome(resource, alone('system', ''), `SELECT FROM ${table}`);
    const [updated, removed] = [mayStore(role, name) ? rows : 0, mayDo(role, name, 'd') ? rows : 0];
    expect(await outcome(resource, own, `UPDATE ${table} SET version = version`)).toBe(updated);
    for (const deciding of [alone('system', role), shared(role)]) {
      expect(await outcome(resource, deciding, `UPDATE ${table} SET version = version`)).toBe(updated);
      expect(await outcome(resource, deciding, `DELETE FROM ${table}`)).toBe(removed);
      // The row exists. The unique key is checked only if the role may write the row.
      const copy = `INSERT INTO ${table} SELECT * FROM ${table} LIMIT 1`;
      expect(await outcome(resource, deciding, copy)).toBe(mayStore(role, name) ? '23505' : REFUSED);
      expect(await outcome(resource, deciding, versionOfAll(resource))).toBe(
        mayStore(role, name) ? rows : REFUSED,
      );
      const written = await outcome(resource, deciding, event(resource, typeOf(resource, 'created') ?? ''));
      expect(written).toBe(mayStore(role, name) ? 1 : REFUSED);
      const deletion = typeOf(resource, 'deleted');
      if (deletion === undefined) continue;
      const deleted = await outcome(resource, deciding, event(resource, deletion));
      expect(deleted).toBe(mayDo(role, name, 'd') ? 1 : REFUSED);
    }
  });
});

describe('the record of the practice', () => {
  it.each(practiceRoles)('is changed by the owner only and deleted by no one: %s', async (role) => {
    const [table, changed] = [tableOf(practices), role === 'owner' ? 1 : 0];
    expect(await outcome(practices, alone(role, role), `SELECT FROM ${table}`)).toBe(1);
    expect(await outcome(practices, alone('system', role), `UPDATE ${table} SET version = version`)).toBe(
      changed,
    );
    expect(await outcome(practices, alone('system', role), `DELETE FROM ${table}`)).toBe(0);
    const renamed = await outcome(
      practices,
      alone('system', role),
      event(practices, 'PracticeSettingsChanged'),
    );
    expect(renamed).toBe(role === 'owner' ? 1 : REFUSED);
  });
});

describe('a connection', () => {
  it.each(resources.map((resource) => [resource.name, resource] as const))(
    'without a role sees and writes nothing of %s',
    async (_, resource) => {
      const creation = event(resource, typeOf(resource, 'created') ?? '');
      expect(await outcome(resource, alone('', ''), `SELECT FROM ${tableOf(resource)}`)).toBe(0);
      expect(await outcome(resource, alone('system', ''), creation)).toBe(REFUSED);
    },
  );

  it('of several practices reads as the service only', async () => {
    for (const resource of resources)
      for (const reader of practiceRoles)
        expect(
          await outcome(
            resource,
            { ...shared('owner'), 'app.reader': reader },
            `SELECT FROM ${tableOf(resource)}`,
          ),
        ).toBe(0);
  });
});
