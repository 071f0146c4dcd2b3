import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { allSteps } from '@practice/core';
import type { Admitted } from '../http/request.js';
import { parse } from '../parse/parse.js';
import { mayRepeat, patienceFor } from '../services/requesters.js';
import { envelopeOf } from './envelope.js';

/** The envelope of a request. @param body with its headers, if there are any */
function envelope(method: string, path: string, { body, prefer }: { body?: unknown; prefer?: string } = {}) {
  const headers = { 'content-type': 'application/json', ...(prefer !== undefined && { prefer }) };
  const admitted = {
    request: { method, headers, raw: { url: `/rest/v1/${path}` }, id: 'request', ip: '::1' },
    ...{ timings: null, identity: null, reader: null },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  } as unknown as Admitted;
  return envelopeOf(admitted, allSteps(parse(admitted)));
}

const series = (count: number): object[] => Array.from({ length: count }, () => ({ rrule: 'FREQ=DAILY' }));
const change = { series_id: randomUUID(), from_date: '2030-03-04', start_time: '15:00' };
const record = `id=eq.${randomUUID()}`;

describe('the time for a request grows with its records', () => {
  it.each([
    ['a read', 'GET', 'clients', undefined, 3],
    ['a record', 'POST', 'clients', { name: 'Ada' }, 3],
    ['one changed record', 'PATCH', `clients?${record}`, { name: 'Ada' }, 3],
    ['a hundred records', 'POST', 'expenses', Array.from({ length: 100 }, () => ({})), 3.5],
    ['the records of a filter', 'PATCH', 'clients?name=eq.Ada', { name: 'Ada' }, 8],
    ['a series, with its appointments', 'POST', 'appointment_series', series(1), 4.835],
    ['a changed series', 'PATCH', `appointment_series?${record}`, { status: 'ended' }, 4.835],
    ['an ended series', 'DELETE', `appointment_series?${record}`, undefined, 4.835],
    ['ten series', 'POST', 'appointment_series', series(10), 8],
    ['a change of this and the following appointments', 'POST', 'rpc/change_series', change, 8],
  ])('%s', (_, method, path, body, seconds) => {
    expect(patienceFor(3_000)(envelope(method, path, { body })) / 1_000).toBe(seconds);
  });
});

describe('a dry run may be repeated without a key', () => {
  it.each([
    ['a write', 'clients', { name: 'Ada' }],
    ['a function', 'rpc/change_series', change],
  ])('%s', (_, path, body) => {
    expect(mayRepeat(envelope('POST', path, { body, prefer: 'tx=rollback' }))).toBe(true);
    expect(mayRepeat(envelope('POST', path, { body }))).toBe(false);
  });
});
