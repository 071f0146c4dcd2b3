// Postgres filters and orders the rows of a function, and writes them as JSON.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scratchDatabase, type ScratchDatabase } from '@practice/testing';
import type { Client } from 'pg';
import { callResponse } from '../response/read.js';
import { preparedCall } from '../testing/calls.js';
import type { Sample } from '../testing/sample.js';

let database: ScratchDatabase;
let client: Client;
beforeAll(async () => {
  database = await scratchDatabase();
  client = await database.connect();
  await client.query("SET TIME ZONE 'UTC'");
});
afterAll(() => database.drop());

const room = {
  ...{ id: '018f0000-0000-7000-8000-000000000001', name: 'Blue', seats: 2, opens: '09:00', price: '12.50' },
  ...{ since: '2026-05-01T10:00:00.123456Z', extras: { b: [1, 'x'] }, shared: true },
};
const bare = {
  ...{ id: '018f0000-0000-7000-8000-000000000000', name: 'A "b", c', seats: null, opens: null, price: null },
  ...{ since: null, extras: null, shared: null },
};
const rooms = [room, { ...room, id: room.id.replace(/1$/, '2'), name: 'Red', seats: 4 }, bare];

async function answerTo(query: string, sample: Sample = {}, rows: readonly object[] = rooms) {
  const prepared = preparedCall('free_rooms', `day=2026-05-01&${query}`, sample);
  const { text, values } = prepared.queryFor(rows);
  const result = await client.query<{ body: string | null; page: number; total?: number }>(text, [...values]);
  const [{ body, page, total = null } = { body: null, page: 0 }] = result.rows;
  return callResponse(prepared.plan, { body, page, total });
}

describe('the rows of a function', () => {
  it('have the form of records, and the order of the function', async () => {
    const { body } = await answerTo('');
    expect(body).toBe(
      `[{"id":"${room.id}","name":"Blue","seats":2,"opens":"09:00","price":12.50,` +
        '"since":"2026-05-01T10:00:00.123456+00:00","extras":{"b": [1, "x"]},"shared":true},' +
        `{"id":"${room.id.replace(/1$/, '2')}","name":"Red","seats":4,"opens":"09:00","price":12.50,` +
        '"since":"2026-05-01T10:00:00.123456+00:00","extras":{"b": [1, "x"]},"shared":true},' +
        `{"id":"${bare.id}","name":"A \\"b\\", c","seats":null,"opens":null,"price":null,` +
        '"since":null,"extras":null,"shared":null}]',
    );
  });

  it.each<[string, string]>([
    ['select=name&order=seats.desc.nullslast', '[{"name":"Red"},{"name":"Blue"},{"name":"A \\"b\\", c"}]'],
    ['select=name&seats=gt.1&limit=1&offset=1', '[{"name":"Red"}]'],
    ['select=name&or=(seats.is.null,name.like.B*)', '[{"name":"Blue"},{"name":"A \\"b\\", c"}]'],
    ['select=x:extras->b->>1,opens::text&name=eq.Red', '[{"x":"x","opens":"09:00"}]'],
    ['select=seats.sum(),count()', '[{"sum":6,"count":3}]'],
    ['select=name&price=gte.12.5&since=lt.2027-01-01', '[{"name":"Blue"},{"name":"Red"}]'],
    ['select=name&name=in.(Nothing)', '[]'],
  ])('are selected, filtered and ordered: %s', async (query, body) =>
    expect(await answerTo(query)).toMatchObject({ status: 200, body }),
  );

  it('are counted, in pages, and as CSV', async () => {
    const counted = { headers: { prefer: 'count=exact', accept: 'text/csv' } };
    expect(await answerTo('select=name,shared&order=name&limit=2', counted)).toEqual({
      status: 206,
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Range': '0-1/3',
        'Preference-Applied': 'count=exact',
      },
      body: 'name,shared\n"A ""b"", c",\nBlue,t',
    });
    expect((await answerTo('', {}, [])).body).toBe('[]');
    expect((await answerTo('', { method: 'HEAD' })).body).toBeNull();
  });
});
