// A practice checks its own logs through a gateway, which sends the request to every service.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { serviceNames } from '@practice/contracts';
import { adminDatabase, make, newPractice, type Practice } from '@practice/testing';

interface Checked {
  readonly service: string;
  readonly positions: number;
  readonly head_hash: string;
  readonly intact: boolean | null;
  readonly first_broken: number | null;
}

let practice: Practice;
const admin = adminDatabase();

beforeAll(async () => {
  practice = await newPractice();
  for (const amount of [1, 2, 3])
    await make(practice, 'expenses', { date: '2026-01-02', amount, category: 'rent' });
  await make(practice, 'clients', { name: 'Ada' });
});

async function verify(query = ''): Promise<Checked[]> {
  const answer = await practice.rest(`rpc/verify_log${query}`);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json as Checked[];
}

const finance = async (query = ''): Promise<Checked | undefined> =>
  (await verify(`?service=finance${query}`))[0];

/** Changes data as a superuser, checks the log, and takes the change back, because other specs read the same tables. */
async function damaged<T>(sql: string, restore: string, look: () => Promise<T>): Promise<T> {
  await admin.query(sql);
  try {
    return await look();
  } finally {
    await admin.query(restore);
  }
}

describe('verify_log', () => {
  it('returns one row for each service, and supports filters, order and columns like a table', async () => {
    const found = await verify();
    expect(found.map(({ service }) => service).sort()).toEqual([...serviceNames].sort());
    expect(found.every(({ intact, first_broken }) => intact === true && first_broken === null)).toBe(true);
    expect(found.find(({ service }) => service === 'finance')).toMatchObject({
      positions: 3,
      head_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const some = await practice.rest(
      'rpc/verify_log?select=service,positions&positions=gt.0&order=service.desc',
      {
        headers: { prefer: 'count=exact' },
      },
    );
    expect(some.json).toEqual([
      { service: 'identity', positions: expect.any(Number) },
      { service: 'finance', positions: 3 },
      { service: 'clients', positions: 1 },
    ]);
    expect(some.headers.get('content-range')).toBe('0-2/3');
  });

  it('detects a change by a superuser of the database', async () => {
    const event = `finance.events WHERE therapist_id = '${practice.therapistId}' AND position = 2`;
    const { rows } = await admin.query<{ reason: string }>(`SELECT metadata AS reason FROM ${event}`);
    const set = (metadata: object): string =>
      `UPDATE ${event.replace(' WHERE', ` SET metadata = '${JSON.stringify(metadata)}' WHERE`)}`;
    const stored = rows[0]?.reason as unknown as object;
    const found = await damaged(set({ ...stored, requestId: 'another' }), set(stored), () => finance());
    expect(found).toMatchObject({ intact: false, first_broken: 2 });
    expect(await finance()).toMatchObject({ intact: true, first_broken: null });
  });

  it('returns the hash at an earlier position after the log has grown, to compare it with a kept proof', async () => {
    const kept = await finance();
    await make(practice, 'expenses', { date: '2026-01-03', amount: 4, category: 'rent' });
    expect(await finance(`&upto=${kept?.positions}`)).toEqual(kept);
    expect(await finance(`&after=${kept?.positions}`)).toMatchObject({ positions: 4, intact: true });
    expect(await finance('&upto=9')).toMatchObject({ positions: 4, intact: false, first_broken: 5 });
  });

  it('refuses unknown or invalid arguments', async () => {
    for (const query of ['?after=-1', '?upto=0', '?after=x'])
      expect((await practice.rest(`rpc/verify_log${query}`)).status).toBe(400);
    expect(await practice.rest('rpc/verify_log?service=nowhere')).toMatchObject({
      status: 400,
      json: { code: '22023' },
    });
  });
});
