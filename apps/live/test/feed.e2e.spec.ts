// Pages of the feed from outside, through the gateway.

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, make, newPractice, type Practice, stack } from '@practice/testing';
import { ask, now, pageOf, shortTypes, spend } from './feed.js';

let practice: Practice;

beforeAll(async () => {
  practice = await newPractice();
});

describe('a page of the feed', () => {
  it('has CloudEvents, the cursor after them, and whether there is more', async () => {
    const cursor = await now(practice);
    const spent = [await spend(practice), await spend(practice)];
    const first = await pageOf(practice, `?cursor=${cursor}&limit=1`);
    expect(first).toMatchObject({
      more: true,
      events: [{ specversion: '1.0', source: '/practice/finance' }],
    });
    const second = await pageOf(practice, `?cursor=${first.cursor}`);
    expect(second.more).toBe(false);
    expect([...first.events, ...second.events].map(({ subject }) => subject)).toEqual(
      spent.map(({ id }) => id),
    );
    expect((await pageOf(practice, `?cursor=${second.cursor}`)).events).toEqual([]);
  });

  it('has the events that the filters select, and a cursor after all events', async () => {
    const cursor = await now(practice);
    const client = await make(practice, 'clients', { name: 'Ada' });
    const { id } = await spend(practice);
    expect(shortTypes(await pageOf(practice, `?cursor=${cursor}&service=finance`))).toEqual([
      'ExpenseRecorded',
    ]);
    expect(
      shortTypes(await pageOf(practice, `?cursor=${cursor}&type=ClientRegistered,ClientRenamed`)),
    ).toEqual(['ClientRegistered']);
    const selected = await pageOf(practice, `?cursor=${cursor}&subject=${id}`);
    expect(selected.events.map(({ subject }) => subject)).toEqual([id]);
    expect(await pageOf(practice, `?cursor=${selected.cursor}&subject=${client.id}`)).toMatchObject({
      events: [],
      more: false,
    });
  });

  it('is the same for a URL with a host', async () => {
    const { hostname, port } = new URL(stack().baseUrl);
    const headers = { apikey: stack().apikey, authorization: `Bearer ${practice.token}` };
    const path = 'http://any/events/v1/?cursor=now';
    const asked = request({ hostname, port, path, headers, agent: false }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect([answer.statusCode, await json(answer)]).toEqual([200, expect.objectContaining({ events: [] })]);
  });

  it('waits for an event, but not longer than requested', async () => {
    const cursor = await now(practice);
    const waiting = pageOf(practice, `?cursor=${cursor}&wait=30&type=ExpenseRecorded`);
    await make(practice, 'clients', { name: 'Grace' });
    await spend(practice);
    expect(shortTypes(await waiting)).toEqual(['ExpenseRecorded']);
    const empty = await pageOf(practice, `?cursor=${await now(practice)}&wait=1`);
    expect(empty).toMatchObject({ events: [], more: false });
  });

  it.each([
    ['?cursor=yesterday', 400, 'PM400'],
    ['?limit=0', 400, 'PM400'],
    ['?limit=1001', 400, 'PM400'],
    ['?wait=-1', 400, 'PM400'],
    ['?service=archive', 400, 'PM400'],
    ['?cursors=now', 400, 'PM400'],
    ['?limit=1&limit=2', 400, 'PM400'],
  ])('is refused for %s', async (query, status, code) => {
    expect(await ask(practice, query)).toMatchObject({ status, json: { code } });
  });

  it('is refused without a key, a valid token or an accepted type', async () => {
    expect(await ask(practice, '', { headers: { apikey: '' } })).toMatchObject({
      status: 401,
      json: { code: 'PM401' },
    });
    expect(await ask({ token: 'a.b.c' })).toMatchObject({ status: 401, json: { code: 'PGRST301' } });
    expect(await ask(practice, '', { headers: { accept: 'text/csv' } })).toMatchObject({
      status: 406,
      json: { code: 'PGRST107' },
    });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'refuses %s, with and without a slash at the end',
    async (method) => {
      for (const path of ['/events/v1', '/events/v1/']) {
        const { status, json, headers } = await call(path, { method });
        expect([status, headers.get('allow'), json]).toMatchObject([
          405,
          'OPTIONS,GET,HEAD',
          { code: 'PGRST117' },
        ]);
      }
    },
  );

  it('has no event of another practice, even with a cursor of the other practice', async () => {
    const other = await newPractice();
    const foreign = await spend(other);
    const own = await pageOf(practice, `?cursor=${await now(other)}&limit=1000`);
    expect(JSON.stringify([own, await pageOf(practice, '?limit=1000')])).not.toContain(foreign.id);
    expect((await pageOf(other, '?limit=1000')).events.some(({ subject }) => subject === foreign.id)).toBe(
      true,
    );
  });
});
