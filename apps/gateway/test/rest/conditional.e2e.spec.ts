// Entity tags: a caller with an old version does not overwrite a newer version, and does not load its own version again.

import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { make, newPractice, slot, type Answer, type Practice, patient, write } from '@practice/testing';

let practice: Practice;
let path: string;
beforeAll(async () => {
  practice = await newPractice();
});
beforeEach(async () => {
  const { id } = await make(practice, 'clients', { name: 'Ada' });
  path = `clients?id=eq.${id}`;
});

const read = (headers = {}, more = ''): Promise<Answer> =>
  patient(() => practice.rest(path + more, { headers }));
const change = (body: object, headers = {}): Promise<Answer> =>
  write(practice, path, { method: 'PATCH', headers, body });
const tagOf = ({ headers }: Answer): string | null => headers.get('etag');

describe('a record by its id', () => {
  it('has the version of its stream as its entity tag in every format', async () => {
    expect(tagOf(await read())).toBe('"1"');
    expect(tagOf(await change({ name: 'Grace' }))).toBe('"2"');
    for (const accept of ['application/vnd.pgrst.object+json', 'text/csv'])
      expect(tagOf(await read({ accept }, '&select=name'))).toBe('"2"');
  });

  it('keeps its tag when a change changes nothing', async () => {
    expect(tagOf(await change({ name: 'Ada' }))).toBe('"1"');
  });

  it('is 304 for a caller that has the version', async () => {
    const same = await read({ 'if-none-match': 'W/"9", "1"' });
    expect([same.status, same.text, tagOf(same)]).toEqual([304, '', '"1"']);
    await change({ name: 'Grace' });
    expect((await read({ 'if-none-match': '"1"' })).status).toBe(200);
  });

  it('is sent again if its instants may have changed with the time zone', async () => {
    const { id } = await make(practice, 'appointments', slot(0));
    const appointment = `appointments?id=eq.${id}&select=starts_at`;
    const headers = { 'if-none-match': '"1"' };
    expect((await practice.rest(appointment, { headers })).status).toBe(304);
    const settings = `practice_settings?id=eq.${practice.therapistId}`;
    const body = { time_zone: 'Asia/Tokyo' };
    expect((await practice.rest(settings, { method: 'PATCH', body })).status).toBe(204);
    const moved = await practice.rest(appointment, { headers });
    expect([moved.status, moved.json, tagOf(moved)]).toEqual([
      200,
      [{ starts_at: expect.stringMatching(/T21:00:00\+00:00$/) }],
      '"1"',
    ]);
  });

  it('is sent again if its instants may have changed with an undo of the first time zone', async () => {
    const own = await newPractice();
    const zoned = await own.rest(`practice_settings?id=eq.${own.therapistId}`, {
      method: 'PATCH',
      body: { time_zone: 'Asia/Tokyo' },
    });
    const { id } = await make(own, 'appointments', slot(0));
    const appointment = `appointments?id=eq.${id}&select=starts_at,start_time`;
    const headers = { 'if-none-match': '"1"' };
    expect((await own.rest(appointment, { headers })).status).toBe(304);
    const change_id = zoned.headers.get('change-id');
    expect((await own.rest('rpc/undo', { method: 'POST', body: { change_id } })).status).toBe(200);
    const moved = await own.rest(appointment, { headers });
    const [{ starts_at, start_time } = {}] = moved.json as Record<string, string>[];
    expect([moved.status, starts_at]).toEqual([200, expect.stringContaining(`T${start_time}:00+00:00`)]);
  });

  it('is sent again if it has values that change without a version', async () => {
    const hook = { url: 'http://127.0.0.1:9/', event_types: ['ExpenseRecorded'] };
    const { id } = await make(practice, 'webhooks', hook);
    const webhook = `webhooks?id=eq.${id}`;
    const headers = { 'if-none-match': '"1"' };
    const body = { webhook_id: id, from: '2020-01-01T00:00:00Z' };
    expect((await practice.rest('rpc/replay_webhook', { method: 'POST', body })).status).toBe(200);
    const delivered_until: unknown = expect.any(String);
    const moved = await practice.rest(`${webhook}&select=delivered_until`, { headers });
    expect([moved.status, moved.json, tagOf(moved)]).toEqual([200, [{ delivered_until }], '"1"']);
    expect((await practice.rest(`${webhook}&select=url`, { headers })).status).toBe(304);
    expect((await practice.rest(`${webhook}&as_of=${new Date().toISOString()}`, { headers })).status).toBe(
      304,
    );
  });

  it('has no entity tag when related records are embedded', async () => {
    expect(tagOf(await read({}, '&select=*,conversation_log(content)'))).toBeNull();
  });
});

describe('a change with If-Match', () => {
  it('is accepted for the current version, and for *', async () => {
    expect((await change({ phone: '1' }, { 'if-match': '"1"' })).status).toBe(204);
    expect((await change({ phone: '2' }, { 'if-match': '*' })).status).toBe(204);
  });

  it('is refused for an older version, and the error lists the changes since', async () => {
    await change({ name: 'Grace' });
    await change({ status: 'inactive' });
    const refused = await change({ phone: '1' }, { 'if-match': '"1"' });
    expect(refused).toMatchObject({ status: 412, json: { code: 'PM006' } });
    const { details } = refused.json as { details: string };
    expect(details).toMatch(/^ClientRenamed at \S+: name\. ClientStatusChanged at \S+: status\.$/);
    expect(((await read()).json as object[])[0]).toMatchObject({ phone: null });
  });

  it.each(['"3000000000"', '"99999999999999999999"'])(
    'is refused for %s, which no record has',
    async (tag) => {
      const refused = await change({ phone: '1' }, { 'if-match': tag });
      expect(refused).toMatchObject({ status: 412, json: { details: 'The record is at version 1.' } });
    },
  );

  it('is refused for a deletion of an older version', async () => {
    await change({ name: 'Grace' });
    const refused = await practice.rest(path, { method: 'DELETE', headers: { 'if-match': '"1"' } });
    expect(refused.status).toBe(412);
    expect((await read()).json).toHaveLength(1);
  });

  it('is refused if the record does not exist', async () => {
    await practice.rest(path, { method: 'DELETE' });
    expect((await change({ phone: '1' }, { 'if-match': '"1"' })).status).toBe(412);
  });

  it('needs one record', async () => {
    const all = await practice.rest('clients?name=eq.Ada', {
      method: 'PATCH',
      headers: { 'if-match': '"1"' },
      body: { phone: '1' },
    });
    expect(all).toMatchObject({ status: 400, json: { code: 'PM006' } });
  });
});
