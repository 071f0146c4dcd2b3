import { beforeAll, expect, it } from '@jest/globals';
import { make, makeAll, newPractice, type Practice, rowsOf, write } from '@practice/testing';

let practice: Practice;
let client_id: string;

beforeAll(async () => {
  practice = await newPractice();
  client_id = (await make(practice, 'clients', { name: 'Ada' })).id;
});

type Row = Readonly<Record<string, unknown>>;

async function post(path: string, body: readonly object[], prefer = ''): Promise<Row[]> {
  const { status, json } = await write(practice, path, {
    method: 'POST',
    body,
    headers: { prefer: `return=representation,${prefer}` },
  });
  expect([path, status]).toEqual([path, 201]);
  return json as Row[];
}

const idsOf = (rows: readonly Row[]): unknown[] => rows.map(({ id }) => id);

const read = async (path: string, order: string): Promise<unknown[]> =>
  idsOf(await rowsOf<Row>(practice, `${path}&order=${order}`));

const day = (index: number): string => new Date(Date.UTC(2031, 0, 1 + index)).toISOString().slice(0, 10);

/** A record of each resource, and the column that contains its mark. */
const resources: readonly (readonly [string, string, (index: number) => object])[] = [
  ['clients', 'name', () => ({ name: 'batch' })],
  ['conversation_log', 'content', () => ({ client_id, content: 'batch' })],
  ['expenses', 'vendor', (index) => ({ date: '2026-01-05', amount: index + 1, vendor: 'batch' })],
  [
    'appointments',
    'notes',
    (index) => ({ date: day(index), start_time: '09:00', end_time: '10:00', notes: 'batch' }),
  ],
];

it.each(resources)('the records of one POST to %s keep their order', async (name, mark, record) => {
  const rows = await makeAll(practice, name, [...Array(1000).keys()].map(record));
  const ids = idsOf(rows);
  const path = `${name}?select=id&${mark}=eq.batch`;
  expect(ids).toHaveLength(1000);
  expect(await read(path, 'created_at.asc')).toEqual(ids);
  expect(await read(path, 'created_at.desc')).toEqual([...ids].reverse());
  expect(await read(path, 'id')).toEqual(ids);
  const createdAt = rows.map((row) => String(row['created_at']));
  expect(new Set(createdAt).size).toBe(1000);
  expect(createdAt.filter((at, index) => at > String(rows[index]?.['updated_at']))).toEqual([]);
});

it('the new records of an upsert keep their order', async () => {
  const body = [...Array(50).keys()].map(() => ({ id: crypto.randomUUID(), name: 'upserted' }));
  const ids = idsOf(await post('clients', body, 'resolution=merge-duplicates'));
  const path = 'clients?select=id&name=eq.upserted';
  expect(await read(path, 'created_at.asc')).toEqual(ids);
  expect(await read(path, 'created_at.desc')).toEqual([...ids].reverse());
});

it('a created_at that the caller gives is kept', async () => {
  const created_at = '2020-05-01T10:00:00+00:00';
  const rows = await post('clients', [
    { name: 'imported', created_at },
    { name: 'imported', created_at },
  ]);
  expect(rows.map((row) => row['created_at'])).toEqual([created_at, created_at]);
});
