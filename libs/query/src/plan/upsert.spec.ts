import { describe, expect, it } from '@jest/globals';
import { outcomeOf, type Problem } from '@practice/core';
import { parseRequest, planWrite, writeResponse } from '../index.js';
import { practice, requestOf, sampleContext, type Sample } from '../testing/sample.js';
import { isUpsert, type UpsertPlan } from './upsert.js';

const id = '018f0000-0000-7000-8000-000000000001';

const merge = { prefer: 'resolution=merge-duplicates' };
const ignore = { prefer: 'resolution=ignore-duplicates' };

const planOf = (query: string, sample: Sample): UpsertPlan =>
  planWrite(parseRequest(requestOf(query, { body: { id }, ...sample })), sampleContext) as UpsertPlan;

const put = (query: string, body: unknown = { id, seats: 2 }): UpsertPlan =>
  planOf(query, { method: 'PUT', body });

const post = (query: string, sample: Sample): UpsertPlan => planOf(query, { method: 'POST', ...sample });

const codeOf = (action: () => unknown): string => (outcomeOf(action) as Problem).code;

describe('an upsert', () => {
  it.each([
    ['PUT', '', true],
    ['POST', 'resolution=merge-duplicates', true],
    ['POST', 'return=minimal', false],
    ['PATCH', 'resolution=merge-duplicates', false],
  ])('may be a %s with the preference %j: %s', (method, prefer, expected) => {
    expect(isUpsert(parseRequest(requestOf('', { method, body: {}, headers: { prefer } })))).toBe(expected);
  });

  it('is planned as other writes are', () => {
    const parsed = parseRequest(requestOf('', { method: 'POST', body: {}, headers: merge }));
    expect(planWrite(parsed, sampleContext)).toMatchObject({ kind: 'upsert', onConflict: 'merge' });
  });
});

describe('PUT', () => {
  it('writes the one record that the URL names', () => {
    const plan = put(`id=eq.${id.toUpperCase()}&therapist_id=eq.${practice}`, [
      { id, seats: 2 },
      { id, seats: 3 },
    ]);
    expect(plan).toMatchObject({
      isPut: true,
      onConflict: 'merge',
      conflictTarget: ['id'],
      records: [{ id, seats: 2 }],
    });
  });

  it.each([
    ['', 'PGRST105'],
    ['seats=eq.1', 'PGRST105'],
    [`id=neq.${id}`, 'PGRST105'],
    [`id=eq.${id}&seats=eq.1`, 'PGRST105'],
    [`or=(id.eq.${id})`, 'PGRST105'],
    [`id=eq.${id}&limit=1`, 'PGRST114'],
    ['id=eq.018f0000-0000-7000-8000-000000000002', 'PGRST115'],
  ])('is rejected unless the URL names one record: %s is %s', (query, code) => {
    expect(codeOf(() => put(query))).toBe(code);
  });

  it('requires the id in the body', () => {
    expect(codeOf(() => put(`id=eq.${id}`, { seats: 1 }))).toBe('PGRST115');
    expect(codeOf(() => put(`id=eq.${id}`, []))).toBe('PGRST115');
  });

  it('responds with 204, 201 or 200', () => {
    const plain = writeResponse(put(`id=eq.${id}`), { affected: 1, inserted: 1, ids: [id], returned: null });
    expect(plain).toEqual({ status: 204, headers: {}, body: null });
    const plan = planOf(`id=eq.${id}`, { method: 'PUT', headers: { prefer: 'return=representation' } });
    expect(
      writeResponse(plan, { affected: 1, inserted: 1, ids: [id], returned: { body: '[]', page: 1 } }).status,
    ).toBe(201);
    expect(
      writeResponse(plan, { affected: 1, inserted: 0, ids: [id], returned: { body: '[]', page: 1 } }).status,
    ).toBe(200);
  });
});

describe('POST with a resolution', () => {
  it.each([
    ['', merge, { onConflict: 'merge', conflictTarget: ['id'] }],
    ['', ignore, { onConflict: 'ignore', conflictTarget: ['id'] }],
    ['on_conflict=guest', merge, { conflictTarget: ['guest'] }],
    ['on_conflict=therapist_id,guest', ignore, { conflictTarget: ['guest'] }],
    ['on_conflict="id"', merge, { conflictTarget: ['id'] }],
  ])('is planned with its target: %s %j', (query, headers, expected) => {
    expect(post(query, { headers })).toMatchObject(expected);
  });

  it('sets missing columns of existing records to the default if the caller prefers it', () => {
    const query = 'columns=id,seats,guest,price&select=id';
    const body = [{ id, price: 1 }];
    const plan = post(query, { headers: { prefer: `${merge.prefer}, missing=default` }, body });
    expect([plan.records, plan.merges]).toEqual([body, [{ id, price: 1, seats: 1, guest: null }]]);
    const plain = post(query, { headers: merge, body });
    expect(plain.merges).toEqual([{ id, price: 1, seats: null, guest: null }]);
  });

  it('rejects a target without a constraint', () => {
    expect(codeOf(() => post('on_conflict=seats', { headers: merge }))).toBe('42P10');
    expect(codeOf(() => post('on_conflict=seat', { headers: merge }))).toBe('42703');
  });

  it('cannot change records that are written once, but can skip them', () => {
    expect(codeOf(() => post('', { headers: merge, resource: 'entries' }))).toBe('PGRST117');
    const replace = { method: 'PUT', headers: ignore, resource: 'entries', body: { id } };
    expect(codeOf(() => planOf(`id=eq.${id}`, replace))).toBe('PGRST117');
    expect(post('', { headers: ignore, resource: 'entries' }).onConflict).toBe('ignore');
  });

  it.each([
    [merge, 1, 201],
    [merge, 0, 200],
    [ignore, 0, 201],
  ])('with %j and %d new records responds with %d', (headers, inserted, status) => {
    const reply = writeResponse(post('', { headers }), { affected: 1, inserted, ids: [id], returned: null });
    expect(reply).toMatchObject({
      status,
      headers: { 'Preference-Applied': headers.prefer, 'Content-Range': '*/*' },
    });
  });
});
