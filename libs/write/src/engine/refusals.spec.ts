import { describe, expect, it } from '@jest/globals';
import { problemFor, Rejection } from '@practice/core';
import { ending } from '@practice/storage';
import { Refusals } from './refusals.js';
import type { UnitsOfWork } from './unit-of-work.js';

const refusal = new Rejection(problemFor('PM001', { message: 'not now' }));
const repeatable = { key: 'k', hash: 'h' } as never;
const request = { therapistId: 'p', requestId: 'r', deadline: 0, repeatable };

const keptBy = (run: () => Promise<unknown>, rejection = refusal) =>
  new Refusals({ run } as unknown as UnitsOfWork).keep(rejection, request);

describe('a refusal under an Idempotency-Key', () => {
  it('is the answer once it is stored', async () => {
    await expect(keptBy(() => Promise.resolve(null))).rejects.toBe(refusal);
  });

  it('by a limit gives way to the first response, if the request was answered before', async () => {
    const first = { status: 200, headers: {}, body: '' };
    const limited = new Rejection(problemFor('PM004'));
    expect(await keptBy(() => Promise.resolve(first), limited)).toBe(first);
  });

  it('whose own commit is lost says that the request may be repeated', async () => {
    const cut = Object.assign(new Error('read ECONNRESET'), { syscall: 'read' });
    const lost = keptBy(() => ending('COMMIT', Promise.reject(cut)));
    await expect(lost).rejects.toMatchObject({ problem: { status: 503, headers: { 'Retry-After': '1' } } });
  });
});
