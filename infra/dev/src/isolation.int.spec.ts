import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { runningStack } from './running-stack.config.js';
import { rolesOf, schemaOf, services, storedServices } from './services.js';

const stack = runningStack();
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const as = (role: string): Promise<pg.Client> => at(stack.databaseUrl(role));
const asAdmin = (): Promise<pg.Client> => at(stack.adminDatabaseUrl);

async function at(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  open.push(() => client.end());
  return client;
}

async function onBusAs(user: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(stack.natsUrl(user));
  const connection = await connect({
    servers: host,
    user: username,
    pass: password,
    inboxPrefix: `_INBOX.${user}`,
    reconnect: false,
  });
  open.push(() => connection.close());
  return connection;
}

/** How many things the server says are not allowed. */
async function refusals(connection: NatsConnection, attempt: () => void): Promise<number> {
  const statuses = connection.status();
  attempt();
  await connection.flush();
  void connection.close();
  let refused = 0;
  for await (const status of statuses)
    if (status.type === 'error' && /permissions violation/i.test(status.error.message)) refused += 1;
  return refused;
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
  it('cannot look into the schema of another, nor touch a table there', async () => {
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
    '%s creates nothing, owns nothing and has no members',
    async (role) => {
      const client = await as(role);
      await expect(client.query('create table mine (x int)')).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('create schema mine')).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('create temp table mine (x int)')).rejects.toMatchObject({ code: '42501' });
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

  it('gives up a request that takes longer than five seconds', async () => {
    const { rows } = await (await as('scheduling')).query('show statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '5s' }]);
  });

  it('reckons in UTC and finds its own tables without naming the schema', async () => {
    const { rows } = await (
      await as('scheduling')
    ).query(`select current_setting('timezone') as zone, current_setting('search_path') as path`);
    expect(rows).toEqual([{ zone: 'UTC', path: 'scheduling, extensions' }]);
  });
});

const names = services.map(({ name }) => name);
const others = (name: string): string[] => names.filter((other) => other !== name);

/** Requests about a consumer, and acknowledgements of its deliveries. */
const foreignConsumer = (consumer: string): string[] => [
  `$JS.API.CONSUMER.DURABLE.CREATE.PRACTICE_EVENTS.${consumer}`,
  `$JS.API.CONSUMER.CREATE.PRACTICE_EVENTS.${consumer}`,
  `$JS.API.CONSUMER.CREATE.PRACTICE_EVENTS.${consumer}.practice.events.>`,
  `$JS.API.CONSUMER.INFO.PRACTICE_EVENTS.${consumer}`,
  `$JS.API.CONSUMER.MSG.NEXT.PRACTICE_EVENTS.${consumer}`,
  `$JS.API.CONSUMER.DELETE.PRACTICE_EVENTS.${consumer}`,
  `$JS.ACK.PRACTICE_EVENTS.${consumer}.1.1.1.1.1`,
];

describe('a NATS user of a service', () => {
  it.each(names)('%s cannot publish what is another’s to say, nor touch its consumer', async (user) => {
    const subjects = [
      ...others(user).flatMap((other) => [
        `practice.events.${other}.0198a0aa-51b7-7e61-b3ad-2f4d8c6e1a77.thing.ThingHappened`,
        `practice.dead-letters.${other}-mirror-${user}.letter.1`,
        `practice.dead-letters.${other}-mirror-${user}.retry`,
        ...foreignConsumer(`${other}-mirror-${user}`),
        ...foreignConsumer(`${other}-mirror-${user}~2`),
        ...foreignConsumer(`${other}~replay`),
      ]),
      ...foreignConsumer('reminders'),
      '$JS.API.CONSUMER.CREATE.PRACTICE_EVENTS',
      '$JS.API.STREAM.MSG.GET.PRACTICE_EVENTS',
      '$JS.API.STREAM.DELETE.PRACTICE_EVENTS',
      '$JS.API.STREAM.PURGE.PRACTICE_EVENTS',
      '$JS.API.STREAM.UPDATE.PRACTICE_EVENTS',
      '$JS.API.STREAM.MSG.DELETE.PRACTICE_EVENTS',
      '$JS.API.STREAM.CREATE.MINE',
      '$SYS.REQ.SERVER.PING',
    ];
    const connection = await onBusAs(user);
    const refused = await refusals(connection, () => {
      for (const subject of subjects) connection.publish(subject, '{}');
    });
    expect(refused).toBe(subjects.length);
  });

  it.each(names)('%s cannot hear what is another’s to hear', async (user) => {
    const subjects = [
      ...others(user).flatMap((other) => [
        `practice.rpc.${other}`,
        `practice.reply.${other}.>`,
        `_INBOX.${other}.>`,
        `practice.events.${other}.>`,
        `practice.dead-letters.${other}-mirror-${user}.retry`,
      ]),
      ...['practice.rpc.*', 'practice.reply.>', 'practice.events.>', '_INBOX.>', '$JS.>', '$SYS.>', '>'],
    ];
    const connection = await onBusAs(user);
    const refused = await refusals(connection, () => {
      for (const subject of subjects) connection.subscribe(subject, { callback: () => undefined });
    });
    expect(refused).toBe(subjects.length);
  });

  it('that only asks cannot answer', async () => {
    const connection = await onBusAs('gateway');
    const attempt = (): void => connection.publish('practice.reply.scheduling.x', 'x');
    expect(await refusals(connection, attempt)).toBe(1);
  });

  it('hears its own requests and publishes its own events', async () => {
    const connection = await onBusAs('scheduling');
    const refused = refusals(connection, () => {
      connection.subscribe('practice.reply.scheduling.me.>', { callback: () => undefined });
      connection.publish('practice.rpc.nobody', 'x');
    });
    expect(await refused).toBe(0);
  });
});
