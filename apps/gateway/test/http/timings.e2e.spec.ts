// Durations in the response: for an authenticated caller who asks for them, and for no other caller.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { make, newPractice, stack, type Answer, type Practice } from '@practice/testing';

const asked = { prefer: 'metrics=timings' };
const ORIGIN = 'https://calendar.example';
let practice: Practice;
let id: string;

beforeAll(async () => {
  practice = await newPractice();
  ({ id } = await make(practice, 'clients', { name: 'Ada' }));
});

const timingOf = ({ headers }: Pick<Answer, 'headers'>): string | null => headers.get('server-timing');

/** The durations by name, in the order of the header. */
const durations = (answer: Pick<Answer, 'headers'>): Map<string, number> =>
  new Map(
    (timingOf(answer) ?? '').split(', ').map((part) => {
      const [, name = '', ms] = /^(\w+);dur=(\d+\.\d)$/.exec(part) ?? [];
      return [name, Number(ms)];
    }),
  );

const PHASES = ['auth', 'receive', 'parse', 'queue', 'service', 'total'];

describe('durations', () => {
  it.each([
    ['a read', () => practice.rest('clients', { headers: asked })],
    [
      'a read of several services',
      () => practice.rest('clients?select=name,appointments(date)', { headers: asked }),
    ],
    ['a call', () => practice.rest('rpc/my_practices', { headers: asked })],
    [
      'a write',
      () =>
        practice.rest('expenses', {
          method: 'POST',
          body: { amount: 5, date: '2026-01-05' },
          headers: asked,
        }),
    ],
    [
      'a refusal of a service',
      () => practice.rest(`clients?id=eq.${id}`, { method: 'PATCH', body: { name: '' }, headers: asked }),
    ],
  ])('of %s cover all phases, which are parts of the total', async (_, send) => {
    const answer = await send();
    const all = durations(answer);
    expect([...all.keys()]).toEqual(PHASES);
    const { total = 0, ...parts } = Object.fromEntries(all) as Record<string, number>;
    const sum = Object.values(parts).reduce((before, ms) => before + ms, 0);
    // Each duration is rounded separately.
    expect(sum).toBeLessThanOrEqual(total + PHASES.length * 0.05);
    expect(all.get('service')).toBeGreaterThan(0);
    expect(answer.headers.get('preference-applied') ?? asked.prefer).toContain('metrics=timings');
  });

  it('of a malformed request end where it is refused', async () => {
    const answer = await practice.rest('clients?name=nothing', { headers: asked });
    expect([answer.status, ...durations(answer).keys()]).toEqual([400, 'auth', 'receive', 'total']);
  });

  it('are a known preference, which the response lists as applied', async () => {
    const strict = await practice.rest('clients', {
      headers: { prefer: 'handling=strict,  metrics=timings' },
    });
    expect(strict.status).toBe(200);
    expect(strict.headers.get('preference-applied')).toBe('handling=strict, metrics=timings');
    expect([...durations(strict).keys()]).toEqual(PHASES);
  });

  it('are shown to pages of other origins', async () => {
    const { headers } = await practice.rest('clients', { headers: { ...asked, origin: ORIGIN } });
    expect(headers.get('timing-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('Server-Timing');
  });
});

describe('durations are absent', () => {
  it.each(['', 'metrics=timing', 'xmetrics=timings', 'count=exact'])(
    'without the preference: "%s"',
    async (prefer) => {
      const headers = { origin: ORIGIN, ...(prefer !== '' && { prefer }) };
      const answer = await practice.rest('clients', { headers });
      expect([answer.status, timingOf(answer), answer.headers.get('timing-allow-origin')]).toEqual([
        200,
        null,
        null,
      ]);
    },
  );

  it('for an unauthenticated caller, and for account calls', async () => {
    const { baseUrl, apikey } = stack();
    const get = (path: string, headers: Record<string, string>): Promise<Response> =>
      fetch(`${baseUrl}${path}`, { headers: { ...asked, ...headers } });
    const answers = await Promise.all([
      get('/rest/v1/clients', {}),
      get('/rest/v1/clients', { apikey }),
      get('/rest/v1/clients', { apikey, authorization: 'Bearer x' }),
      get('/auth/v1/user', { apikey, authorization: `Bearer ${practice.token}` }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 200]);
    expect(answers.map(timingOf)).toEqual([null, null, null, null]);
  });
});
