import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, newPractice, ownStack, type OwnStack, type Practice } from '@practice/testing';
import pg from 'pg';

let own: OwnStack;
let practice: Practice;
/** The processes that have ended. */
const ended: string[] = [];

beforeAll(async () => {
  own = await ownStack();
  const started = await Promise.all(
    ['gateway', 'identity', 'clients', 'scheduling', 'webhooks'].map((service) => own.start(service)),
  );
  for (const { name, exited } of started) void exited.then(() => ended.push(name));
  const [gateway] = started;
  practice = await newPractice(gateway?.origin);
});

afterAll(() => own.stop());

/** Kills one server process of a role. Postgres then ends all others and recovers. @returns the time before the crash */
async function crash(role: string): Promise<string> {
  const admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  admin.on('error', () => undefined);
  await admin.connect();
  const { rows } = await admin.query<{ pid: number; now: string }>(
    'select pid, now()::text from pg_stat_activity where usename = $1 limit 1',
    [role],
  );
  process.kill(rows[0]?.pid ?? Number.NaN, 'SIGKILL');
  await admin.end().catch(() => undefined);
  return rows[0]?.now ?? '';
}

/** Whether Postgres takes connections, and has none that began before a time. */
async function hasRecovered(since: string): Promise<boolean> {
  const admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  admin.on('error', () => undefined);
  const text = 'select from pg_stat_activity where usename is not null and backend_start < $1';
  try {
    await admin.connect();
    return (await admin.query(text, [since])).rowCount === 0;
  } catch {
    return false;
  } finally {
    await admin.end().catch(() => undefined);
  }
}

async function clientsStored(): Promise<number> {
  const admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
  const { rows } = await admin.query<{ count: number }>('select count(*)::int from clients.clients');
  await admin.end();
  return rows[0]?.count ?? Number.NaN;
}

describe('while Postgres recovers from a crash', () => {
  it('no process ends; requests succeed, are 503 with Retry-After, or are writes whose outcome is unknown', async () => {
    const seen = new Map<number, number>();
    const withoutRetryAfter: string[] = [];
    let isOver = false;
    const ask = async (work: () => ReturnType<Practice['rest']>): Promise<void> => {
      while (!isOver) {
        const { status, headers, text } = await work();
        seen.set(status, (seen.get(status) ?? 0) + 1);
        if (status === 503 && !headers.has('retry-after')) withoutRetryAfter.push(text);
      }
    };
    const write = (): ReturnType<Practice['rest']> =>
      practice.rest('clients', { method: 'POST', body: { name: 'Ada' } });
    const callers = [
      ...Array.from({ length: 3 }, () => ask(() => practice.rest('clients?limit=1'))),
      ...Array.from({ length: 3 }, () => ask(write)),
    ];
    for (let crashes = 1; crashes <= 3; crashes += 1) {
      const since = await crash('clients');
      // Postgres may be quick enough for every request to succeed in the end.
      await eventually('all connections are new', () => hasRecovered(since));
      const succeeded = seen.get(201) ?? 0;
      await eventually('writes succeed again', () => (seen.get(201) ?? 0) > succeeded + 20);
    }
    isOver = true;
    await Promise.all(callers);
    const [done = 0, unknown = 0] = [seen.get(201), seen.get(504)];
    expect([...seen.keys()].filter((status) => ![200, 201, 503, 504].includes(status))).toEqual([]);
    const stored = await clientsStored();
    expect(stored).toBeGreaterThanOrEqual(done);
    // No write that was answered with 503 is stored.
    expect(stored).toBeLessThanOrEqual(done + unknown);
    expect(withoutRetryAfter).toEqual([]);
    expect(ended).toEqual([]);
  });
});
