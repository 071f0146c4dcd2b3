import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  freePort,
  newPractice,
  ownStack,
  samplesIn,
  scrapeText,
  startStandby,
  sumOf,
} from '@practice/testing';
import type { OwnStack, Practice, Standby } from '@practice/testing';
import pg from 'pg';

let own: OwnStack;
let standby: Standby;
let admin: pg.Client;
let practice: Practice;
let origin: string | undefined;
let metricsOf: Readonly<Record<string, string>>;

const REPLICA = { headers: { prefer: 'read=replica' } };

beforeAll(async () => {
  const port = await freePort();
  own = await ownStack({
    settings: { DATABASE_REPLICA_URL: `postgres://unused@127.0.0.1:${port}/practice` },
  });
  standby = await startStandby({
    primaryUrl: own.adminDatabaseUrl,
    primaryFolder: join(own.dataDir, 'postgres'),
    dataDir: join(own.dataDir, 'replica'),
    port,
  });
  admin = await connected();
  const services = ['gateway', 'identity', 'clients', 'clinical-notes'];
  const [gateway, ...started] = await Promise.all(services.map((service) => own.start(service)));
  metricsOf = Object.fromEntries(started.map(({ metrics }, index) => [services[index + 1], metrics]));
  origin = gateway?.origin;
  practice = await newPractice(origin);
});

afterAll(async () => {
  await admin.end();
  await standby.stop();
  await own.stop();
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: standby.url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function register(name: string): Promise<string> {
  const id = randomUUID();
  const { status } = await practice.rest('clients', { method: 'POST', body: { id, name } });
  expect(status).toBe(201);
  return id;
}

interface Seen {
  readonly status: number;
  readonly names: readonly string[];
  readonly applied: string | null;
}

async function namesOf(id: string, call = {}, by = practice): Promise<Seen> {
  const { status, json, headers } = await by.rest(`clients?id=eq.${id}&select=name`, call);
  const names = (json as { name: string }[]).map(({ name }) => name);
  return { status, names, applied: headers.get('preference-applied') };
}

const fromReplica = (...names: string[]): Seen => ({ status: 200, names, applied: 'read=replica' });
const fromPrimary = (...names: string[]): Seen => ({ status: 200, names, applied: null });

const replicaHas = (id: string, ...names: string[]): Promise<unknown> =>
  eventually('the replica has it', async () => {
    const seen = await namesOf(id, REPLICA);
    return seen.applied === 'read=replica' && seen.names.join() === names.join();
  });

const readsOf = async (server: string): Promise<number> =>
  sumOf(samplesIn(await scrapeText(metricsOf['clients'] ?? '')), 'practice_postgres_replica_reads_total', {
    server,
  });

describe('a read that may be old', () => {
  it('comes from the replica, which has a write once it is replayed', async () => {
    await admin.query('SELECT pg_wal_replay_pause()');
    const id = await register('Ada');
    expect(await namesOf(id, REPLICA)).toEqual(fromReplica());
    expect(await namesOf(id)).toEqual(fromPrimary('Ada'));
    await admin.query('SELECT pg_wal_replay_resume()');
    await replicaHas(id, 'Ada');
  });

  it('names the replica after the other preferences', async () => {
    const { headers } = await practice.rest('clients?limit=1', {
      headers: { prefer: 'read=replica, count=exact' },
    });
    expect(headers.get('preference-applied')).toBe('count=exact, read=replica');
  });

  it('sees only the records of its practice', async () => {
    const id = await register('Bo');
    await replicaHas(id, 'Bo');
    const other = await newPractice(origin);
    await eventually('the other practice is served by the replica', async () => {
      const seen = await namesOf(id, REPLICA, other);
      return seen.applied !== null && seen.names.length === 0;
    });
  });

  it('of confidential records is recorded on the primary', async () => {
    const client_id = await register('Cy');
    const id = randomUUID();
    await eventually('the note is written', async () => {
      const body = { id, client_id, plan: 'rest' };
      return (await practice.rest('sessions', { method: 'POST', body })).status === 201;
    });
    await eventually('the replica has the note', async () => {
      const { headers, json } = await practice.rest(`sessions?id=eq.${id}`, REPLICA);
      return headers.get('preference-applied') === 'read=replica' && (json as unknown[]).length === 1;
    });
    const { headers } = await practice.rest(`sessions?id=eq.${id}`, REPLICA);
    const { json } = await practice.rest(`access_log?request_id=eq.${headers.get('x-request-id')}`);
    expect(json).toMatchObject([{ resource: 'sessions', record_ids: [id] }]);
  });

  it('has related records of another service from its replica too', async () => {
    const client_id = await register('Dot');
    const notesOf = async (call = {}): Promise<number | undefined> => {
      const { json } = await practice.rest(`clients?id=eq.${client_id}&select=sessions(id)`, call);
      return (json as { sessions: unknown[] }[])[0]?.sessions.length;
    };
    await replicaHas(client_id, 'Dot');
    await admin.query('SELECT pg_wal_replay_pause()');
    await eventually('the note is written', async () => {
      const body = { client_id, plan: 'rest' };
      return (await practice.rest('sessions', { method: 'POST', body })).status === 201;
    });
    expect([await notesOf(REPLICA), await notesOf()]).toEqual([0, 1]);
    await admin.query('SELECT pg_wal_replay_resume()');
    await eventually('the replica has the note', async () => (await notesOf(REPLICA)) === 1);
  });

  it('is counted, with the connections to the replica', async () => {
    const before = await readsOf('replica');
    await practice.rest('clients?limit=1', REPLICA);
    expect(await readsOf('replica')).toBe(before + 1);
    const samples = samplesIn(await scrapeText(metricsOf['clients'] ?? ''));
    expect(sumOf(samples, 'practice_postgres_connections', { server: 'replica' })).toBeGreaterThan(0);
  });
});

describe('the lag of the replica', () => {
  const lag = async (): Promise<number | undefined> =>
    samplesIn(await scrapeText(metricsOf['clients'] ?? '')).find(
      ({ name }) => name === 'practice_postgres_replica_lag_seconds',
    )?.value;

  it('is 0 once it has replayed everything, and more while it has not', async () => {
    await eventually('it has replayed everything', async () => (await lag()) === 0);
    await admin.query('SELECT pg_wal_replay_pause()');
    await register('Gil');
    await eventually('it is behind', async () => ((await lag()) ?? 0) > 0);
    await admin.query('SELECT pg_wal_replay_resume()');
    await eventually('it has replayed everything again', async () => (await lag()) === 0);
  });
});

describe('a write', () => {
  it('ignores the preference for the replica, and checks If-Match on the primary', async () => {
    const id = await register('Di');
    await replicaHas(id, 'Di');
    await admin.query('SELECT pg_wal_replay_pause()');
    const change = (headers: object): ReturnType<Practice['rest']> =>
      practice.rest(`clients?id=eq.${id}`, {
        method: 'PATCH',
        body: { name: 'Di King' },
        headers: { prefer: 'read=replica, return=representation', ...headers },
      });
    const old = (await practice.rest(`clients?id=eq.${id}`, REPLICA)).headers.get('etag') ?? '';
    const changed = await change({ 'if-match': old });
    expect([changed.status, changed.headers.get('preference-applied')]).toEqual([
      200,
      'return=representation',
    ]);
    const stale = (await practice.rest(`clients?id=eq.${id}`, REPLICA)).headers.get('etag') ?? '';
    expect(stale).toBe(old);
    expect((await change({ 'if-match': stale })).status).toBe(412);
    await admin.query('SELECT pg_wal_replay_resume()');
  });
});

describe('while the replica is unavailable', () => {
  it('the primary answers, and the replica is used again when it is back', async () => {
    const id = await register('Ed');
    await replicaHas(id, 'Ed');
    await admin.end();
    await standby.stop();
    const before = await readsOf('primary');
    for (let read = 1; read <= 3; read += 1) expect(await namesOf(id, REPLICA)).toEqual(fromPrimary('Ed'));
    expect(await readsOf('primary')).toBe(before + 3);
    await standby.start();
    admin = await connected();
    await replicaHas(id, 'Ed');
  });

  it('reads that it never answers are answered by the primary', async () => {
    const id = await register('Flo');
    await replicaHas(id, 'Flo');
    const goOn = standby.freeze();
    const reads = await Promise.all([1, 2, 3].map(() => namesOf(id, REPLICA)));
    expect(reads).toEqual([1, 2, 3].map(() => fromPrimary('Flo')));
    goOn();
    await replicaHas(id, 'Flo');
  });
});
