// Connections can end at any time. An `error` event without a listener would end the process. Here it fails the test.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { eventually, scratchDatabase, wireTo, type ScratchDatabase, type Wire } from '@practice/testing';
import type { Client, Pool } from 'pg';
import { makePool, openClient } from './connections.js';
import { withClient } from './with-client.js';

let scratch: ScratchDatabase;
let admin: Client;
let wire: Wire;
let pool: Pool;
let errors: Error[];

beforeEach(async () => {
  scratch = await scratchDatabase();
  wire = await wireTo(scratch.url);
  admin = await scratch.connect();
  errors = [];
  pool = makePool({ connectionString: wire.url, max: 1, application_name: 'mine' }, (error) =>
    errors.push(error),
  );
});

afterEach(async () => {
  await pool.end();
  await wire.close();
  await scratch.drop();
});

const others = `FROM pg_stat_activity WHERE application_name = 'mine' AND datname = current_database()`;

/** Ends the sessions, and waits until Postgres has ended them. */
async function terminate(): Promise<void> {
  await admin.query(`SELECT pg_terminate_backend(pid) ${others}`);
  await eventually('they are gone', async () => (await admin.query(`SELECT ${others}`)).rowCount === 0);
}

const canAsk = async (): Promise<unknown> =>
  withClient(pool, async (client) => (await client.query('SELECT 1 AS one')).rows);

describe('a pool goes on after its connection ends', () => {
  it('while it is idle', async () => {
    await canAsk();
    await terminate();
    await eventually('it is noticed', () => errors.length > 0);
    expect(await canAsk()).toEqual([{ one: 1 }]);
  });

  it('while it is taken and nothing runs on it', async () => {
    const kept = withClient(pool, async (client) => {
      const gone = new Promise((resolve) => client.once('end', resolve));
      await terminate();
      await gone;
      return client.query('SELECT 1');
    });
    await expect(kept).rejects.toThrow();
    expect(await canAsk()).toEqual([{ one: 1 }]);
  });

  it('while it is taken without a listener, as code outside the shared functions may do', async () => {
    const client = await pool.connect();
    const gone = new Promise((resolve) => client.once('end', resolve));
    await terminate();
    await gone;
    client.release(true);
    expect(await canAsk()).toEqual([{ one: 1 }]);
  });

  it('in the middle of a statement', async () => {
    const asked = withClient(pool, (client) => client.query('SELECT pg_sleep(60)'));
    const failed = expect(asked).rejects.toMatchObject({ code: '57P01' });
    await eventually('it runs', async () => {
      const { rowCount } = await admin.query(`SELECT ${others} AND query LIKE '%pg_sleep%'`);
      return rowCount === 1;
    });
    await terminate();
    await failed;
    expect(await canAsk()).toEqual([{ one: 1 }]);
  });

  it('while it opens', async () => {
    wire.silence();
    const asked = canAsk();
    wire.cut();
    await expect(asked).rejects.toThrow();
    wire.restore();
    expect(await canAsk()).toEqual([{ one: 1 }]);
  });

  it('at the very moment when it has opened', async () => {
    const cutting = await cutWhenReady();
    const config = { connectionString: cutting.url, max: 1 };
    const early = makePool(config, (error) => errors.push(error));
    await early.connect().then(
      (client) => client.release(true),
      () => undefined,
    );
    await early.end();
    await cutting.close();
    expect(cutting.cut()).toBe(1);
  });
});

it('a statement waits for a connection longer than a connection may take to open', async () => {
  wire.silence();
  const [first, second] = [pool.connect(), canAsk()];
  await expect(first).rejects.toThrow(/timeout/);
  wire.restore();
  expect(await second).toEqual([{ one: 1 }]);
});

describe('a connection of its own', () => {
  it('that ends while nothing runs on it fails the next statement', async () => {
    const client = await openClient({ connectionString: scratch.url, application_name: 'mine' }, (error) =>
      errors.push(error),
    );
    await terminate();
    await eventually('it is noticed', () => errors.length > 0);
    await expect(client.query('SELECT 1')).rejects.toThrow();
    await client.end();
  });

  it('that breaks does no harm without an error listener', async () => {
    const client = await openClient({ connectionString: scratch.url, application_name: 'mine' });
    const gone = new Promise((resolve) => client.once('end', resolve));
    await terminate();
    await gone;
    await expect(client.query('SELECT 1')).rejects.toThrow();
  });

  it('that cannot be opened is reported to the caller', async () => {
    wire.cut();
    await expect(openClient({ connectionString: wire.url })).rejects.toThrow();
  });
});

/** "I am ready" (ReadyForQuery, idle). */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** The last message of Postgres to a session that it ends. */
function farewell(): Buffer {
  const fields = Buffer.from(
    'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
  );
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** A proxy to Postgres that ends each session in the same packet in which the session becomes ready. */
async function cutWhenReady(): Promise<{ url: string; cut: () => number; close: () => Promise<unknown> }> {
  const { hostname, port } = new URL(scratch.url);
  let count = 0;
  const server: Server = createServer((caller) => {
    const callee = connect(Number(port), hostname);
    caller.on('error', () => undefined).pipe(callee);
    callee
      .on('error', () => undefined)
      .on('data', (data: Buffer) => {
        if (!data.subarray(-READY.length).equals(READY)) return void caller.write(data);
        count += 1;
        caller.end(Buffer.concat([data, farewell()]));
        callee.destroy();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: Object.assign(new URL(scratch.url), { host }).href,
    cut: () => count,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
