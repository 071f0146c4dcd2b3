// The storage quota through the API. The head row claims that the practice has stored almost as much as the running stack allows.

import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readSettings } from '@practice/settings';
import { adminDatabase, eventually, newPractice, type Answer, type Practice } from '@practice/testing';

const QUOTA = readSettings({}).STORAGE_QUOTA_MB * 1_000_000;

const admin = adminDatabase();
let practice: Practice;
let clientId: string;
let appointmentId: string;

/** @param call the method and the path */
function send(
  call: `${'POST' | 'PATCH' | 'DELETE'} ${string}`,
  body?: unknown,
  headers = {},
): Promise<Answer> {
  const [method = '', path = ''] = call.split(' ');
  return practice.rest(path, { method, headers: { prefer: 'return=representation', ...headers }, body });
}

const at = (hour: number) => ({ date: '2031-08-04', start_time: `${hour}:00`, end_time: `${hour}:50` });

const setStored = (bytes: number): Promise<unknown> =>
  admin.query('UPDATE scheduling.practice_head SET bytes = $2 WHERE therapist_id = $1', [
    practice.therapistId,
    bytes,
  ]);

const idOf = ({ json }: Answer): string => (json as { id: string }[])[0]?.id ?? '';

beforeEach(async () => {
  practice = await newPractice();
  clientId = idOf(await send('POST clients', { name: 'Ada Lovelace' }));
  appointmentId = idOf(await send('POST appointments', { ...at(9), client_id: clientId }));
  await setStored(QUOTA - 1);
});

describe('a practice at its quota', () => {
  it('gets 507 for writes after the write that reaches the quota, until it may store more', async () => {
    expect((await send('POST appointments', [at(10), at(11)])).status).toBe(201);
    const key = { 'idempotency-key': randomUUID() };
    const refused = await send('POST appointments', [at(12), at(13)], key);
    expect(refused.status).toBe(507);
    expect(refused.json).toEqual({
      code: 'PM507',
      message: 'the practice has used its storage',
      details: expect.stringContaining('can be read and deleted'),
      hint: expect.stringContaining('STORAGE_QUOTA_MB'),
    });
    await setStored(0);
    expect((await send('POST appointments', [at(12), at(13)], key)).status).toBe(201);
  });

  it('can read and delete, and gets the usual errors for a wrong write', async () => {
    await setStored(QUOTA);
    const { json } = await practice.rest('appointments?select=start_time');
    expect(json).toEqual([{ start_time: '09:00' }]);
    const change = { notes: 'longer' };
    expect((await send(`PATCH appointments?id=eq.${appointmentId}`, change)).status).toBe(507);
    expect((await send(`PATCH appointments?id=eq.${randomUUID()}`, change)).json).toEqual([]);
    expect((await send('POST appointments', at(9))).json).toMatchObject({ code: 'PM002' });
    expect((await send(`DELETE appointments?id=eq.${appointmentId}`)).status).toBe(200);
    const history = await practice.rest(`appointments_history?id=eq.${appointmentId}&select=event`);
    expect(history.json).toHaveLength(2);
  });

  it('applies changes of other services, whose quotas are separate', async () => {
    await setStored(QUOTA);
    await send(`PATCH clients?id=eq.${clientId}`, { name: 'Ada King' });
    await eventually('the appointment has the new name', async () => {
      const { json } = await practice.rest('appointments?select=client_name');
      return (json as { client_name: string }[])[0]?.client_name === 'Ada King';
    });
  });

  it('gets back what a refused batch has deleted', async () => {
    await setStored(QUOTA);
    const operations = [
      { method: 'DELETE', path: `appointments?id=eq.${appointmentId}` },
      { method: 'POST', path: 'clients', body: { phone: '5' } },
    ];
    const refused = await send('POST rpc/batch', { operations });
    expect(refused).toMatchObject({ status: 400, json: { code: '23502' } });
    expect(refused.headers.get('change-id')).toBeNull();
    const { json } = await practice.rest('appointments?select=start_time');
    expect(json).toEqual([{ start_time: '09:00' }]);
  });

  it('has the quota for responses under keys, also of batches, and takes a refused batch back', async () => {
    const keep =
      'UPDATE scheduling.practice_head SET kept_bytes = $2, kept_since = now() WHERE therapist_id = $1';
    await setStored(0);
    await admin.query(keep, [practice.therapistId, QUOTA]);
    const prefer = 'return=representation';
    const many = [10, 11, 12, 13, 14].map(at);
    const key = { 'idempotency-key': randomUUID() };
    const refused = await send('POST appointments', many, key);
    expect(refused).toMatchObject({
      status: 507,
      json: { code: 'PM507', message: expect.stringContaining('Key') },
    });
    const operation = { method: 'POST', path: 'appointments', body: many, prefer };
    const batch = await send(
      'POST rpc/batch',
      { operations: [operation] },
      { 'idempotency-key': randomUUID() },
    );
    expect(batch).toMatchObject({ status: 507, json: { code: 'PM507' } });
    const operations = [
      { method: 'DELETE', path: `appointments?id=eq.${appointmentId}` },
      { method: 'POST', path: 'clients', body: { phone: '5' } },
    ];
    expect(await send('POST rpc/batch', { operations })).toMatchObject({
      status: 400,
      json: { code: '23502' },
    });
    expect((await practice.rest('appointments?select=start_time')).json).toEqual([{ start_time: '09:00' }]);
    expect((await send('POST appointments', many, { ...key, prefer: 'return=minimal' })).status).toBe(201);
  });

  it('does not limit another practice', async () => {
    await setStored(QUOTA);
    const other = await newPractice();
    const answers = await Promise.all(
      [practice, other, practice, other].map((one, index) =>
        one.rest('appointments', { method: 'POST', body: at(14 + index) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([507, 201, 507, 201]);
  });
});
