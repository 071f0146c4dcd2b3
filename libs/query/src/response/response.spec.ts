import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from '@practice/core';
import { checkAffected, problemOfDatabase, readResponse, writeResponse } from '../index.js';
import type { ReadResult, RestHeaders } from '../index.js';
import { practice, readOf, sampleVisits, writeOf, type Sample } from '../testing/sample.js';
import type { WriteOutcome } from './write.js';

const rows = (page: number, total: number | null = null): ReadResult => ({ body: '[…]', page, total });
const counted: RestHeaders = { prefer: 'count=exact' };

describe('the response to a read', () => {
  it.each<[string, RestHeaders, ReadResult, number, string]>([
    ['', {}, rows(3), 200, '0-2/*'],
    ['limit=2', {}, rows(2), 200, '0-1/*'],
    ['offset=4', {}, rows(2), 200, '4-5/*'],
    ['offset=100', {}, rows(0), 200, '*/*'],
    ['', counted, rows(3, 3), 200, '0-2/3'],
    ['limit=2', counted, rows(2, 3), 206, '0-1/3'],
    ['limit=2', { prefer: 'count=planned' }, rows(2, 3), 206, '0-1/3'],
    ['limit=0', counted, rows(0, 3), 206, '*/3'],
    ['offset=3', counted, rows(0, 3), 206, '*/3'],
    ['', counted, rows(0, 0), 200, '*/0'],
    ['', { range: '1-2' }, rows(2), 200, '1-2/*'],
  ])('has a status and a Content-Range: %s %j %j', (...[query, headers, result, status, range]) => {
    const reply = readResponse(readOf(query, { headers }), result);
    expect(reply).toMatchObject({ status, headers: { 'Content-Range': range }, body: '[…]' });
  });

  it('rejects a page past the counted end, with the total and the applied preferences', () => {
    expect(
      outcomeOf(() => readResponse(readOf('offset=100', { headers: counted }), rows(0, 15))),
    ).toMatchObject({
      status: 416,
      code: 'PGRST103',
      details: 'An offset of 100 was requested, but there are only 15 rows.',
      headers: { 'Content-Range': '*/15', 'Preference-Applied': 'count=exact' },
    });
  });

  it.each([0, 2])('rejects %d rows if one object is wanted', (page) => {
    const plan = readOf('', { headers: { accept: 'application/vnd.pgrst.object+json' } });
    expect(outcomeOf(() => readResponse(plan, rows(page)))).toMatchObject({
      status: 406,
      code: 'PGRST116',
      details: `The result contains ${page} rows`,
    });
  });

  it('has no body for HEAD, but the same headers', () => {
    const reply = readResponse(readOf('limit=2', { method: 'HEAD', headers: counted }), {
      body: null,
      page: 2,
      total: 3,
    });
    expect(reply).toMatchObject({ status: 206, body: null, headers: { 'Content-Range': '0-1/3' } });
  });

  it.each([
    [undefined, 'application/json; charset=utf-8'],
    ['text/html, text/csv;q=0.5', 'text/csv; charset=utf-8'],
    ['text/unknown, */*', 'application/json; charset=utf-8'],
    ['application/vnd.pgrst.object+json;q=0.1, application/json', 'application/json; charset=utf-8'],
    ['Application/VND.pgrst.object+json', 'application/vnd.pgrst.object+json; charset=utf-8'],
    [
      'application/vnd.pgrst.array+json; nulls=stripped',
      'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
    ],
  ])('has a Content-Type for Accept %s', (accept, contentType) => {
    expect(readResponse(readOf('', { headers: { accept } }), rows(1)).headers['Content-Type']).toBe(
      contentType,
    );
  });

  it.each([
    ['', '/visits'],
    ['order=day&day=eq.2026-05-01&apikey=secret', '/visits?day=eq.2026-05-01&order=day'],
    ['guest=eq.Zoë<>"\n', '/visits?guest=eq.Zo%C3%AB%3C%3E%22%0A'],
  ])('has a Content-Location for %j', (query, location) => {
    expect(readResponse(readOf(query), rows(1)).headers['Content-Location']).toBe(location);
  });

  it.each([
    ['', rows(1000), '<?offset=1000>; rel="next"'],
    ['limit=5000&offset=500', rows(1000), '<?limit=4000&offset=1500>; rel="next"'],
    ['limit=9&order=day&limit=1001', rows(1000), '<?limit=1&offset=1000&order=day>; rel="next"'],
    ['limit=1000', rows(1000), undefined],
    ['', rows(999), undefined],
  ])('has a Link if the cap cuts off rows: %j', (query, result, link) => {
    expect(readResponse(readOf(query), result).headers['Link']).toBe(link);
  });

  it('leaves out headers that repeat a long URL', () => {
    const answerTo = (length: number) =>
      readResponse(readOf(`guest=eq.${'x'.repeat(length)}`), rows(1000)).headers;
    const repeats = (length: number) =>
      ['Content-Location', 'Link'].filter((name) => answerTo(length)[name] !== undefined);
    expect([4000, 10_000, 16_000].map(repeats)).toEqual([['Content-Location', 'Link'], ['Link'], []]);
  });

  it.each([
    ['return=minimal', undefined],
    ['count=estimated , tx=rollback, foo', 'count=estimated, tx=rollback'],
    ['handling=lenient, count=exact, count=planned', 'count=exact, handling=lenient'],
  ])('has a Preference-Applied for %j', (prefer, applied) => {
    expect(readResponse(readOf('', { headers: { prefer } }), rows(1)).headers['Preference-Applied']).toBe(
      applied,
    );
  });
});

describe('the response to a write', () => {
  const outcome = (affected: number, body: string | null = null): WriteOutcome => ({
    affected,
    ids: Array.from({ length: affected }, (_, index) => `id-${index}`),
    returned: body === null ? null : { body, page: affected },
  });
  const insert: Sample = { method: 'POST', body: {} };
  const update: Sample = { method: 'PATCH', body: {} };
  const remove: Sample = { method: 'DELETE' };
  const back = 'return=representation';
  const rowsBack = { 'Preference-Applied': back, 'Content-Type': 'application/json; charset=utf-8' };
  const count = { 'Preference-Applied': 'count=exact' };

  it.each<[string, Sample, string, WriteOutcome, number, object]>([
    ['one', insert, '', outcome(1), 201, { 'Content-Range': '*/*', Location: '/visits?id=eq.id-0' }],
    ['many', insert, '', outcome(2), 201, { 'Content-Range': '*/*' }],
    ['counted', insert, 'count=exact', outcome(2), 201, { 'Content-Range': '*/2', ...count }],
    ['given back', insert, back, outcome(2, '[…]'), 201, { 'Content-Range': '*/*', ...rowsBack }],
    [
      'minimal',
      insert,
      'return=minimal,missing=default',
      outcome(2),
      201,
      { 'Content-Range': '*/*', 'Preference-Applied': 'missing=default, return=minimal' },
    ],
    ['changed', update, '', outcome(2), 204, { 'Content-Range': '0-1/*' }],
    ['none changed', update, '', outcome(0), 204, { 'Content-Range': '*/*' }],
    ['none changed, counted', update, 'count=exact', outcome(0), 204, { 'Content-Range': '*/0', ...count }],
    ['changed, given back', update, back, outcome(1, '[…]'), 200, { 'Content-Range': '0-0/*', ...rowsBack }],
    [
      'bounded',
      update,
      'max-affected=5,handling=strict,min-affected=1',
      outcome(1),
      204,
      { 'Content-Range': '0-0/*', 'Preference-Applied': 'handling=strict, max-affected=5, min-affected=1' },
    ],
    ['bounded, not strict', update, 'max-affected=5', outcome(1), 204, { 'Content-Range': '0-0/*' }],
    ['removed', remove, '', outcome(1), 204, { 'Content-Range': '*/*' }],
    ['removed, counted', remove, 'count=exact', outcome(2), 204, { 'Content-Range': '*/2', ...count }],
    ['removed, given back', remove, back, outcome(0, '[]'), 200, { 'Content-Range': '*/*', ...rowsBack }],
  ])('has a status and headers: %s', (...[_what, sample, prefer, result, status, headers]) => {
    const plan = writeOf('id=not.is.null', { ...sample, ...(prefer === '' ? {} : { headers: { prefer } }) });
    expect(writeResponse(plan, result)).toEqual({ status, headers, body: result.returned?.body ?? null });
  });

  it.each<[string, RestHeaders, number, string]>([
    ['one object, none there', { accept: 'application/vnd.pgrst.object+json' }, 0, 'PGRST116'],
    [
      'one object, two there',
      { accept: 'application/vnd.pgrst.object+json', prefer: 'return=minimal' },
      2,
      'PGRST116',
    ],
    ['too many', { prefer: 'handling=strict, max-affected=2' }, 3, 'PGRST124'],
    ['too few', { prefer: 'handling=strict, min-affected=1' }, 0, 'PM404'],
    ['more than one request writes', {}, 1001, 'PM413'],
  ])('is rejected before anything is stored: %s', (...[_what, headers, affected, code]) => {
    const plan = writeOf('seats=gt.1', { ...remove, headers });
    expect(outcomeOf(() => checkAffected(plan, affected))).toMatchObject({ code });
  });

  it('has no bounds unless the caller is strict', () => {
    const plan = writeOf('seats=gt.1', { ...remove, headers: { prefer: 'max-affected=2, min-affected=9' } });
    expect(() => checkAffected(plan, 3)).not.toThrow();
  });
});

describe('a planned write', () => {
  it.each<[string, string, Sample, object]>([
    ['an object', '', { body: { seats: 1 } }, { records: [{ seats: 1 }] }],
    ['a scalar', '', { body: 7 }, { records: [] }],
    ['an empty list', '', { body: [] }, { records: [] }],
    ['empty objects', '', { body: [{}, {}] }, { records: [{}, {}] }],
    [
      'columns fill up with null',
      'columns=seats,guest',
      { body: [{ seats: 1, price: 2 }] },
      { records: [{ seats: 1, guest: null }] },
    ],
    [
      'columns with missing=default',
      'columns="seats","guest"',
      { body: [{ seats: 1 }], headers: { prefer: 'missing=default' } },
      { records: [{ seats: 1 }] },
    ],
  ])('has the records of an insert: %s', (...[_what, query, sample, expected]) => {
    expect(writeOf(query, { method: 'POST', ...sample })).toMatchObject(expected);
  });

  it.each<[string, string, Sample, object]>([
    ['an object', '', { body: { guest: null } }, { guest: null }],
    ['the first of a list', '', { body: [{ seats: 1 }, { seats: 2 }] }, { seats: 1 }],
    ['nothing', '', { body: [{}] }, {}],
    ['nothing of an empty list', '&columns=guest', { body: [] }, {}],
    ['columns that an empty object lacks', '&columns=guest', { body: [{}] }, { guest: null }],
    [
      'columns with missing=default',
      '&columns=seats,paid',
      { body: { paid: true }, headers: { prefer: 'missing=default' } },
      { seats: 1, paid: true },
    ],
  ])('has the changes of an update: %s', (...[_what, query, sample, changes]) => {
    const plan = writeOf(`id=eq.1${query}`, { method: 'PATCH', ...sample });
    expect(plan.kind === 'update' && plan.changes).toEqual(changes);
  });

  it('is a dry run with tx=rollback', () => {
    expect(writeOf('', { method: 'POST', body: {}, headers: { prefer: 'tx=rollback' } }).isDryRun).toBe(true);
  });
});

describe('an error of Postgres', () => {
  const key = `Key (therapist_id, id)=(${practice}, 7) already exists.`;

  it.each([
    [
      '23505',
      { constraint: 'visits_place_key' },
      { status: 409, code: 'PM900', message: 'the place is taken' },
    ],
    [
      '23505',
      { constraint: 'visits_guest_key', detail: key },
      { status: 409, code: '23505', message: 'm', details: 'Key (id)=(7) already exists.' },
    ],
    [
      '23505',
      { detail: `Key (id, therapist_id)=(7, ${practice}) already exists.` },
      { status: 409, details: null },
    ],
    ['23502', { detail: 'Failing row contains (…).' }, { status: 400, code: '23502', message: 'm' }],
    ['23503', {}, { status: 409, code: '23503', message: 'm', details: null }],
    ['22P02', {}, { status: 400, code: '22P02', message: 'm' }],
    ['2201B', {}, { status: 400, code: '2201B', message: 'm' }],
    ['42883', {}, { status: 404, code: '42883', message: 'm' }],
    [
      '42601',
      { message: 'syntax error in tsquery: "a b"' },
      { status: 400, message: 'syntax error in tsquery: "a b"' },
    ],
    [
      '42601',
      { message: 'syntax error at or near "x"' },
      { status: 400, message: 'the database rejected the request' },
    ],
    ['42501', {}, { status: 403, code: '42501', message: 'permission denied' }],
    ['42P01', {}, { status: 404, code: '42P01', message: 'the database rejected the request' }],
    ['57014', {}, { status: 504, code: '57014', message: 'canceling statement due to statement timeout' }],
    ['26000', {}, { status: 500, code: '26000', message: 'Internal server error' }],
    ['40001', {}, { status: 500, code: '40001', message: 'Internal server error' }],
    ['XX000', {}, { status: 500, code: 'XX000', message: 'Internal server error' }],
    ['P0001', {}, { status: 400, code: 'P0001' }],
  ])('becomes a problem without details about storage: %s %j', (code, fields, problem) => {
    expect(problemOfDatabase({ code, message: 'm', ...fields }, sampleVisits)).toMatchObject(problem);
  });
});
