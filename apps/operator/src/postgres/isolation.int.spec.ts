import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { stack } from '@practice/testing';
import { rolesOf, schemaOf, services, storedServices } from '../settings/services.js';

const running = stack();
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const as = (role: string): Promise<pg.Client> => at(running.databaseUrl(role));
const asAdmin = (): Promise<pg.Client> => at(running.adminDatabaseUrl);

async function at(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  open.push(() => client.end());
  return client;
}

const requestRoles = storedServices.map((service) => rolesOf(service).requests);
const relayRoles = storedServices.map((service) => rolesOf(service).relay);
/** Every role with every schema that is not its own. */
const foreignSchemas = storedServices.flatMap((service) =>
  storedServices
    .filter((other) => other !== service)
    .flatMap((other) => Object.values(rolesOf(service)).map((role) => [role, schemaOf(other)] as const)),
);

describe('a Postgres role of a service', () => {
  it('cannot read the schema of another service or touch a table there', async () => {
    const admin = await asAdmin();
    const { rows } = await admin.query<{ role: string; schema: string }>(
      `select role, schema, tables.name from unnest($1::text[], $2::text[]) as pairs(role, schema),
         lateral (select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = schema) as tables
       where has_schema_privilege(role, schema, 'usage') or has_schema_privilege(role, schema, 'create')
          or has_table_privilege(role, tables.name, 'select,insert,update,delete,truncate,references,trigger')
          or has_any_column_privilege(role, tables.name, 'select,insert,update,references')`,
      [foreignSchemas.map(([role]) => role), foreignSchemas.map(([, schema]) => schema)],
    );
    expect(rows).toEqual([]);
  });

  it.each(storedServices.flatMap((service) => Object.values(rolesOf(service))))(
    '%s cannot connect to another database of the server',
    async (role) => {
      for (const database of ['postgres', 'template1']) {
        const url = new URL(running.databaseUrl(role));
        url.pathname = `/${database}`;
        await expect(at(url.href)).rejects.toMatchObject({
          code: '42501',
          message: `permission denied for database "${database}"`,
        });
      }
    },
  );

  it('has no rights on the schema public, and PUBLIC has none on any database', async () => {
    const roles = storedServices.flatMap((service) => Object.values(rolesOf(service)));
    const admin = await asAdmin();
    const { rows } = await admin.query(
      `select role from unnest($1::text[]) as roles(role)
       where has_schema_privilege(role, 'public', 'usage') or has_schema_privilege(role, 'public', 'create')`,
      [roles],
    );
    expect(rows).toEqual([]);
    const databases = await admin.query(
      `select datname from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) as granted
       where granted.grantee = 0 and datname in (current_database(), 'postgres', 'template1')`,
    );
    expect(databases.rows).toEqual([]);
  });

  it.each(foreignSchemas.filter(([role]) => requestRoles.includes(role)))(
    '%s is refused the events of %s',
    async (role, schema) => {
      const client = await as(role);
      await expect(client.query(`select from ${schema}.events`)).rejects.toMatchObject({ code: '42501' });
    },
  );

  it.each([...requestRoles, ...relayRoles])('%s can neither change nor remove an event', async (role) => {
    const client = await as(role);
    const events = `${role.replace(/_relay$/, '')}.events`;
    for (const statement of [
      `update ${events} set data = '{}'`,
      `delete from ${events}`,
      `truncate ${events}`,
      `alter table ${events} disable row level security`,
      `drop table ${events}`,
      `create trigger mine before insert on ${events} execute function suppress_redundant_updates_trigger()`,
    ])
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it.each([...requestRoles, ...relayRoles])(
    '%s cannot create anything, owns nothing and is a member of no role',
    async (role) => {
      const client = await as(role);
      await expect(client.query('create table mine (x int)')).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('create schema mine')).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('create temp table mine (x int)')).rejects.toMatchObject({ code: '42501' });
      for (const made of ['lo_create(0)', 'lo_creat(-1)', `lo_from_bytea(0, 'x')`])
        await expect(client.query(`select ${made}`)).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('set session authorization postgres')).rejects.toMatchObject({
        code: '42501',
      });
      await expect(client.query('set role postgres')).rejects.toMatchObject({ code: '42501' });
      const { rows } = await client.query(
        `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as mighty,
              exists (select from pg_class where relowner = pg_roles.oid) as owns,
              exists (select from pg_auth_members where member = pg_roles.oid) as belongs
         from pg_roles where rolname = current_user`,
      );
      expect(rows).toEqual([{ mighty: false, owns: false, belongs: false }]);
    },
  );

  it('finds row-level security on every table with records of practices that it may touch', async () => {
    const { rows } = await (
      await asAdmin()
    ).query<{ name: string }>(
      `select format('%s.%s', nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
       where nspname = any ($1) and relkind = 'r' and not relrowsecurity
         and has_any_column_privilege(nspname, pg_class.oid, 'select,insert,update')
         and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'therapist_id')`,
      [services.map(schemaOf)],
    );
    expect(rows).toEqual([]);
  });

  it('cancels a statement that takes longer than five seconds', async () => {
    const { rows } = await (await as('scheduling')).query('show statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '5s' }]);
  });

  it('uses UTC, and finds its own tables without a schema', async () => {
    const { rows } = await (
      await as('scheduling')
    ).query(`select current_setting('timezone') as zone, current_setting('search_path') as path`);
    expect(rows).toEqual([{ zone: 'UTC', path: 'scheduling, extensions' }]);
  });
});
