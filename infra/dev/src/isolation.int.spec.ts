import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { runningStack } from './running-stack.config.js';

const stack = runningStack();
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function as(role: string): Promise<pg.Client> {
  const client = new pg.Client(stack.databaseUrl(role));
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

/** What the server says to something that is not allowed; `undefined` if it lets it pass. */
async function refusal(connection: NatsConnection, attempt: () => void): Promise<string | undefined> {
  const statuses = connection.status();
  attempt();
  await connection.flush();
  void connection.close();
  for await (const status of statuses) if (status.type === 'error') return status.error.message;
  return undefined;
}

describe('a Postgres role of a service', () => {
  it.each([
    ['scheduling', 'gateway'],
    ['scheduling_owner', 'gateway'],
    ['scheduling_relay', 'gateway'],
    ['gateway', 'scheduling'],
    ['gateway_relay', 'scheduling'],
  ])('%s cannot look into the schema %s', async (role, schema) => {
    const client = await as(role);
    const { rows } = await client.query<{ usage: boolean; making: boolean }>(
      `select has_schema_privilege($1, 'usage') as usage, has_schema_privilege($1, 'create') as making`,
      [schema],
    );
    expect(rows).toEqual([{ usage: false, making: false }]);
  });

  it.each(['scheduling', 'scheduling_relay', 'gateway'])(
    '%s makes nothing, owns nothing, rules nobody',
    async (role) => {
      const client = await as(role);
      await expect(client.query('create table mine (x int)')).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('create schema mine')).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('create temp table mine (x int)')).rejects.toMatchObject({ code: '42501' });
      const { rows } = await client.query(
        `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb as mighty,
              exists (select from pg_class where relowner = pg_roles.oid) as owns
         from pg_roles where rolname = current_user`,
      );
      expect(rows).toEqual([{ mighty: false, owns: false }]);
    },
  );

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

describe('a NATS user of a service', () => {
  it.each([
    ['scheduling', 'practice.events.gateway.practice.PracticeOpened'],
    ['gateway', 'practice.events.scheduling.appointment.AppointmentScheduled'],
    ['gateway', 'practice.reply.scheduling.x'],
    ['scheduling', '$JS.API.STREAM.DELETE.PRACTICE_EVENTS'],
    ['scheduling', '$JS.API.STREAM.PURGE.PRACTICE_EVENTS'],
  ])('%s cannot publish %s', async (user, subject) => {
    const connection = await onBusAs(user);
    expect(await refusal(connection, () => connection.publish(subject, 'x'))).toMatch(
      /permissions violation/i,
    );
  });

  it.each([
    ['gateway', 'practice.rpc.scheduling'],
    ['scheduling', 'practice.reply.gateway.>'],
    ['scheduling', 'practice.events.>'],
    ['scheduling', '_INBOX.gateway.>'],
    ['scheduling', '>'],
  ])('%s cannot hear %s', async (user, subject) => {
    const connection = await onBusAs(user);
    const refused = refusal(connection, () => connection.subscribe(subject, { callback: () => undefined }));
    expect(await refused).toMatch(/permissions violation/i);
  });

  it('hears its own requests and publishes its own events', async () => {
    const connection = await onBusAs('scheduling');
    const refused = refusal(connection, () => {
      connection.subscribe('practice.reply.scheduling.me.>', { callback: () => undefined });
      connection.publish('practice.rpc.nobody', 'x');
    });
    expect(await refused).toBeUndefined();
  });
});
