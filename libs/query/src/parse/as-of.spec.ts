import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from '@practice/core';
import { parseRequest } from '../index.js';
import { requestOf, type Sample } from '../testing/sample.js';

const NOW = Date.parse('2026-11-22T12:00:00Z');

const parsed = (query: string, sample?: Sample) => parseRequest(requestOf(query, sample), NOW);

const prefer = (text: string): Sample => ({ headers: { prefer: text } });

const outcome = (query: string, sample?: Sample): object => outcomeOf(() => parsed(query, sample));

describe('the instant of a read', () => {
  it.each<[string, string, Sample?]>([
    ['as_of=2026-11-01T09:00:00Z', '2026-11-01T09:00:00+00:00'],
    ['as_of=2026-11-01', '2026-11-01T00:00:00+00:00'],
    ['as_of=2026-11-01T09:00:00.123456%2B02:00', '2026-11-01T07:00:00.123456+00:00'],
    // A plus sign that was not encoded.
    ['as_of=2026-11-01T09:00:00+02:00', '2026-11-01T07:00:00+00:00'],
    ['as_of=2026-11-01T09:00', '2026-11-01T08:00:00+00:00', prefer('timezone=Europe/Berlin')],
    ['as_of=2026-11-22T12:00:00Z', '2026-11-22T12:00:00+00:00'],
    ['', '2026-11-01T09:00:00+00:00', prefer('as-of="2026-11-01T09:00:00Z"')],
    ['', '2026-11-01T09:00:00+00:00', prefer('count=exact, as-of=2026-11-01T09:00:00Z')],
    ['as_of=2026-11-01T09:00:00Z', '2026-11-01T09:00:00+00:00', prefer('as-of="2026-11-01T10:00:00+01:00"')],
    ['as_of=2026-11-01T09:00:00Z&as_of=2026-11-01T09:00:00Z', '2026-11-01T09:00:00+00:00'],
  ])('%s is %s', (query, instant, sample = {}) => {
    const { preferences, options } = parsed(query, sample);
    expect(preferences).toMatchObject({ asOf: instant, unknown: [] });
    expect(options.conditions).toEqual([]);
  });

  it('is part of links back to the request, even if only a preference names it', () => {
    expect(parsed('seats=eq.1', prefer('as-of="2026-11-01T09:00:00Z"')).canonicalQuery).toBe(
      'as_of=2026-11-01T09%3A00%3A00%2B00%3A00&seats=eq.1',
    );
  });

  it.each<[string, string, Sample?]>([
    ['as_of=', '22007'],
    ['as_of=yesterday', '22007'],
    ['as_of=eq.2026-11-01', '22007'],
    ['as_of=2026-02-30', '22008'],
    ['as_of=2026-11-01T09:00:00%2B99:00', '22009'],
    ['', '22007', prefer('as-of="soon"')],
    ['as_of=2026-11-22T12:00:00.001Z', 'PM015'],
    ['', 'PM015', prefer('as-of="2999-01-01"')],
    ['as_of=2026-11-01', 'PM015', prefer('as-of=2026-11-02')],
    ['as_of=2026-11-01&as_of=2026-11-02', 'PM015'],
    ['as_of=2026-11-01', 'PM015', { method: 'POST', body: {} }],
    ['as_of=2026-11-01&id=eq.1', 'PM015', { method: 'DELETE' }],
    ['id=eq.1', 'PM015', { method: 'PATCH', body: {}, ...prefer('as-of=2026-11-01') }],
  ])('%s is rejected with %s', (query, code, sample = {}) => {
    expect(outcome(query, sample)).toMatchObject({ status: 400, code });
  });

  // A pattern that begins again at each character would take half an hour.
  it('of a million characters is refused', () => {
    expect(outcome(`as_of=${'T'.repeat(1_000_000)}`)).toMatchObject({ code: '22007' });
  });
});
