import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { stack } from '@practice/testing';
import { rolesOf, storedServices } from '../settings/services.js';
import { provision } from './provision.js';

const running = stack();
const admin = new pg.Client(running.adminDatabaseUrl);
const [original, restored] = [0, 1].map(() => `provisioned_${randomUUID().slice(0, 8)}`) as [string, string];

const urlOf = (database: string): string => {
  const url = new URL(running.adminDatabaseUrl);
  url.pathname = `/${database}`;
  return url.href;
};
const passwordOf = (role: string): string => new URL(running.databaseUrl(role)).password;
const prepare = (database: string): Promise<void> =>
  provision({
    adminUrl: urlOf(database),
    services: storedServices,
    passwordOf,
    isOurs: true,
    save: () => undefined,
  });

/** The rights on a database, and the settings of roles in it. */
async function stateOf(database: string): Promise<unknown> {
  const { rows } = await admin.query(
    `SELECT (SELECT array_agg(acl.grantee::regrole || ' ' || acl.privilege_type ORDER BY acl.grantee, acl.privilege_type)
       FROM aclexplode(datacl) AS acl) AS rights,
     (SELECT array_agg(setrole::regrole || ' ' || setconfig::text ORDER BY setrole)
       FROM pg_db_role_setting WHERE setdatabase = d.oid) AS settings
     FROM pg_database AS d WHERE datname = $1`,
    [database],
  );
  return rows[0];
}

beforeAll(async () => {
  await admin.connect();
  await admin.query(`CREATE DATABASE ${original}`);
  await prepare(original);
  // The copy is like a restored dump: it has the content, but neither the rights on the database nor the settings of roles.
  await admin.query(`CREATE DATABASE ${restored} TEMPLATE ${original}`);
});

afterAll(async () => {
  for (const database of [original, restored]) await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
  await admin.end();
});

it('gives a restored database the rights and role settings of the original', async () => {
  const before = await stateOf(original);
  expect(await stateOf(restored)).toEqual({ rights: null, settings: null });

  await prepare(restored);

  expect(await stateOf(restored)).toEqual(before);
  const { requests } = rolesOf(storedServices[0] as (typeof storedServices)[number]);
  expect(JSON.stringify(before)).toContain(`${requests} {`);
});

it('takes away rights that were given to PUBLIC or to a role in the meantime', async () => {
  await prepare(restored);
  const before = await stateOf(restored);
  await admin.query(`GRANT CONNECT ON DATABASE ${restored} TO PUBLIC`);
  await admin.query(`ALTER ROLE scheduling IN DATABASE ${restored} SET search_path = public`);

  await prepare(restored);

  expect(await stateOf(restored)).toEqual(before);
});

it('leaves one result when several starts run at once', async () => {
  const before = await stateOf(restored);
  await Promise.all([prepare(restored), prepare(restored), prepare(restored)]);
  expect(await stateOf(restored)).toEqual(before);
});
