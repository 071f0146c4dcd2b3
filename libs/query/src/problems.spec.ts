import { describe, expect, it } from '@jest/globals';
import { outcomeOf, type Problem } from '@practice/core';
import { compileRead, parseRequest, planRead, planWrite } from './index.js';
import { otherPractice, practice, requestOf, sampleContext, type Sample } from './testing/sample.js';

/** The problem of a request that is parsed and planned; null for a valid request. */
const problemOf = (query: string, sample: Sample = {}): Problem | null =>
  outcomeOf(() => {
    const parsed = parseRequest(requestOf(query, sample));
    const isRead = parsed.method === 'GET' || parsed.method === 'HEAD';
    if (isRead) compileRead(planRead(parsed, sampleContext), practice);
    else planWrite(parsed, sampleContext);
    return null;
  });

const filters = (count: number): string =>
  Array.from({ length: count }, (_, index) => `seats=gt.${index}`).join('&');
/** A logic tree with this many filters in each of two others, and then text that is not parsed. */
const tooManyWithin = (count: number): string =>
  `or=(${`and(${Array.from({ length: count }, () => 'seats.gt.1').join()}),`.repeat(2)}(`;
const nested = (depth: number): string => `or=${'(and'.repeat(depth)}(seats.eq.1)${')'.repeat(depth)}`;
const list = (count: number): string => Array.from({ length: count }, () => '1').join(',');
/** Each member of a spread relation is a subquery with all conditions of the relation. */
const spread = (members: number): string =>
  `select=...visits(${Array.from({ length: members }, () => 'day').join()})${`&visits.extras${'->a'.repeat(8)}=cs.1`.repeat(32)}`;

describe('a rejected read', () => {
  it.each([
    ['id=0', 400, 'PGRST100', '"failed to parse filter (0)" (line 1, column 1)'],
    ['foo=bar', 400, 'PGRST100', '"failed to parse filter (bar)" (line 1, column 1)'],
    ['guest=', 400, 'PGRST100', '"failed to parse filter ()" (line 1, column 1)'],
    ['guest=EQ.x', 400, 'PGRST100', null],
    ['guest=eqx', 400, 'PGRST100', null],
    ['guest=not.not.eq.x', 400, 'PGRST100', null],
    ['guest=neq(any).{x}', 400, 'PGRST100', null],
    ['guest=eq(some).{x}', 400, 'PGRST100', null],
    ['guest=fts(a;b).x', 400, 'PGRST100', null],
    ['guest=is.nil', 400, 'PGRST100', '"failed to parse filter (is.nil)" (line 1, column 4)'],
    ['guest=in.a', 400, 'PGRST100', null],
    ['guest=in.(a', 400, 'PGRST100', null],
    ['or=()', 400, 'PGRST100', '"failed to parse logic tree (())" (line 1, column 4)'],
    ['or=(guest.eq.a', 400, 'PGRST100', null],
    ['or=(room.guest.eq.x)', 400, 'PGRST100', null],
    ['"a=eq.1', 400, 'PGRST100', null],
    ['a..b=eq.1', 400, 'PGRST100', null],
    ['order=', 400, 'PGRST100', null],
    ['order=day.ascending', 400, 'PGRST100', null],
    ['order=day.', 400, 'PGRST100', null],
    [
      'order=id.asc.nullslasttt',
      400,
      'PGRST100',
      '"failed to parse order (id.asc.nullslasttt)" (line 1, column 17)',
    ],
    ['select=id,', 400, 'PGRST100', null],
    ['select=id!hint', 400, 'PGRST100', null],
    ['select=rooms(name', 400, 'PGRST100', null],
    ['select=a.total()', 400, 'PGRST100', null],
    ['columns=', 400, 'PGRST100', null],
    ['guest=eq.%zz', 400, 'PGRST100', null],
    ['guest=eq.%00', 400, '22021', 'invalid byte sequence for encoding "UTF8": 0x00'],
    ['guest=eq.%ff', 400, '22021', null],
    ['guest=eq.%ed%a0%80', 400, '22021', null],
    ['limit=-1', 416, 'PGRST103', null],
    ['limit=1&limit=-1', 416, 'PGRST103', null],
    ['or=(guest.eq.{a}x,seats.gt.1)', 400, 'PGRST100', null],
    ['select=rooms(visits(nam))', 400, '42703', 'column visits_2.nam does not exist'],
    ['nope=eq.1', 400, '42703', 'column visits.nope does not exist'],
    ['place=eq.1', 400, '42703', 'column visits.place does not exist'],
    ['or=(place.eq.1,id.is.null)', 400, '42703', null],
    ['constructor=eq.1', 400, '42703', null],
    ['select=nope', 400, '42703', null],
    ['select=_json', 400, '42703', null],
    ['order=nope', 400, '42703', null],
    ['day=like.2026*', 404, '42883', 'operator does not exist: date ~~ unknown'],
    ['start_time=ilike.9*', 404, '42883', 'operator does not exist: time without time zone ~~* unknown'],
    ['price=cs.{1}', 404, '42883', 'operator does not exist: numeric @> unknown'],
    ['day=fts.x', 404, '42883', null],
    ['guest=ov.{a}', 404, '42883', null],
    ['guest->>a->b=eq.1', 404, '42883', 'operator does not exist: text -> unknown'],
    ['select=extras->>a->1', 404, '42883', 'operator does not exist: text -> integer'],
    [
      'select=extras->>-78xy',
      400,
      'PGRST100',
      '"failed to parse select parameter (extras->>-78xy)" (line 1, column 13)',
    ],
    [
      'select=extras->>--34',
      400,
      'PGRST100',
      '"failed to parse select parameter (extras->>--34)" (line 1, column 11)',
    ],
    ['select=count()x', 400, 'PGRST100', null],
    ['select=id x)', 400, '42703', null],
    ['guest=is.true', 400, '42804', 'argument of IS TRUE must be type boolean, not type text'],
    ['select=seats::faketype', 400, '42704', 'type "faketype" does not exist'],
    [
      'select=guests(name)',
      400,
      'PGRST200',
      "Could not find a relationship between 'visits' and 'guests' in the schema cache",
    ],
    ['rooms.name=eq.x', 400, 'PGRST108', "'rooms' is not an embedded resource in this request"],
    ['order=rooms(name)', 400, 'PGRST108', null],
    ['select=rooms(name)&guests.name=eq.x', 400, 'PGRST108', null],
    ['select=rooms(nam)', 400, '42703', 'column rooms_1.nam does not exist'],
    ['select=rooms(name)&rooms.name=cs.{a}', 404, '42883', null],
    ['select=rooms(name)&rooms=eq.1', 400, '42703', null],
    ['select=rooms!nope(name)', 400, 'PGRST200', null],
    ['select=entries(content)', 400, 'PGRST127', 'Feature not implemented'],
    ['select=...rooms(name,count)&order=rooms(id)', 400, '42803', null],
    ['select=seats.sum()&order=day', 400, '42803', null],
    [`select=rooms(name)&rooms.therapist_id=eq.${otherPractice}`, 403, '42501', null],
    [`therapist_id=eq.${otherPractice}`, 403, '42501', null],
    [`therapist_id=neq.${otherPractice}`, 403, '42501', null],
    [`therapist_id=not.in.(${practice},${otherPractice})`, 403, '42501', null],
    [`therapist_id=eq(any).{"${otherPractice}"}`, 403, '42501', null],
    [`therapist_id=eq.%7B${otherPractice.toUpperCase()}%7D`, 403, '42501', null],
    [`or=(id.is.null,and(therapist_id.eq.${otherPractice},seats.gt.1))`, 403, '42501', null],
    [filters(65), 400, 'PM400', null],
    [`${filters(65)}&order=(`, 400, 'PM400', null],
    [tooManyWithin(33), 400, 'PM400', null],
    [`${`or=(${'seats.gt.1,'.repeat(39)}seats.gt.1)&`.repeat(2)}order=(`, 400, 'PM400', null],
    [tooManyWithin(31), 400, 'PGRST100', null],
    [nested(9), 400, 'PM400', null],
    [`seats=in.(${list(5001)})`, 400, 'PM400', null],
    [`select=${Array.from({ length: 60 }, () => '*').join(',')}`, 400, 'PM400', null],
    ['select=rooms(visits(rooms(visits(rooms(name)))))', 400, 'PM400', null],
    ['&'.repeat(1_000), 400, 'PM400', null],
    [`select=extras${'->a'.repeat(513)}`, 400, 'PM400', null],
    [`extras${'->a'.repeat(300)}=eq.1&order=extras${'->a'.repeat(300)}`, 400, 'PM400', null],
  ])('has the status and the code of its problem: %.60s', (...[query, status, code, message]) => {
    expect(problemOf(query)).toMatchObject({ status, code, ...(message === null ? {} : { message }) });
  });

  it.each([
    ['an unknown table', '', { resource: 'vists' }, 404, 'PGRST205'],
    ['conditions that each spread member repeats', spread(250), { resource: 'rooms' }, 400, 'PM400'],
    [
      'an order by a to-many relation',
      'select=visits(id)&order=visits(day)',
      { resource: 'rooms' },
      400,
      'PGRST118',
    ],
    ['an unknown schema', '', { headers: { 'accept-profile': 'private' } }, 406, 'PGRST106'],
    ['an unknown method', '', { method: 'BREW' }, 405, 'PGRST117'],
    ['an unknown media type', '', { headers: { accept: 'text/unknown' } }, 406, 'PGRST107'],
    [
      'an unknown preference with handling=strict',
      '',
      { headers: { prefer: 'handling=strict, foo' } },
      400,
      'PGRST122',
    ],
    ['a Range in reverse order', '', { headers: { range: '5-2' } }, 416, 'PGRST103'],
    ['a Range after the limit', 'limit=1', { headers: { range: '1-1' } }, 416, 'PGRST103'],
    ...[
      'select=nope',
      'select=rooms(nope)',
      'nope=eq.1',
      'order=nope',
      'day=like.x',
      'guest=is.true',
      'select=seats::nope',
      'select=guest->>a->b',
      'select=seats.sum()&order=day',
    ].map((query): [string, string, Sample, number, string] => [
      `the media type before the column: ${query}`,
      query,
      { headers: { accept: 'text/x' } },
      406,
      'PGRST107',
    ]),
    ['the relation before the column', 'nope=eq.1&select=nope(id)', {}, 400, 'PGRST200'],
    ['the relation of the order before the column', 'select=nope&order=rooms(id)', {}, 400, 'PGRST108'],
    ['the first of several columns', 'select=rooms(nope),nope&nada=eq.1', {}, 400, '42703'],
    ['a Range far after the limit', 'limit=2', { headers: { range: '5-9' } }, 416, 'PGRST103'],
  ])('reports %s', (...[_what, query, sample, status, code]) => {
    expect(problemOf(query, sample)).toMatchObject({ status, code });
  });

  it.each([
    ['gest=eq.1', 'Perhaps you meant to reference the column "visits.guest".'],
    ['guest=likee.x', 'Perhaps you meant the operator "like".'],
    ['select=romms(name)', "Perhaps you meant 'rooms' instead of 'romms'."],
    ['geust=eq.1', 'Perhaps you meant to reference the column "visits.guest".'],
    ['geusts_=eq.1', 'Perhaps you meant to reference the column "visits.guest".'],
    ['select=dya', 'Perhaps you meant to reference the column "visits.day".'],
    ['select=room(name)', "Perhaps you meant 'rooms' instead of 'room'."],
    ['select=room_id_fkey(name)', null],
    ['zzzzzzzz=eq.1', null],
  ])('has a hint with the nearest name, if there is one: %s', (query, hint) => {
    expect(problemOf(query)?.hint ?? null).toBe(hint);
  });
});

describe('a valid read', () => {
  it.each([
    ['limit=abc&offset=x'],
    ['offset=-4'],
    [`therapist_id=eq.${practice}`],
    [`therapist_id=in.(${practice})`],
    ['therapist_id=not.is.null'],
    [filters(64)],
    [nested(7)],
    [`seats=in.(${list(1000)})`],
    ['id=in.(1,2)zzz'],
    ["select=id,rooms(name)'"],
    ['select=id,rooms(name))'],
    ['select=id)'],
    ['select=extras->a-1->>-2'],
    ['foo'],
    ['on_conflict=nothing!&columns=seats)'],
    ['limit=-1&limit=1'],
    ['or=(guest.eq.{a,b} ,seats.gt.1)'],
    ['or=(guest.eq.{a,b}\t, seats.gt.1 )'],
    ['select=id,count()&order=created_at'],
    ['select=id::text,count()&order=created_at'],
    ['select=...rooms(count())&rooms.order=name'],
    ['select=guest::char,b:guest::bytea,price::money,n:guest::name,t:guest::character varying'],
  ])('has no problem: %.60s', (query) => {
    expect(problemOf(query)).toBeNull();
  });
});

describe('a rejected write', () => {
  const post = (body: unknown, others: Sample = {}): Sample => ({ method: 'POST', body, ...others });
  const csv = (body: string): Sample => post(body, { headers: { 'content-type': 'text/csv' } });
  const once = (method: string, body?: object): Sample => ({
    method,
    resource: 'entries',
    ...(body && { body }),
  });

  it.each<[string, string, Sample, number, string]>([
    ['no body', '', post(''), 400, 'PGRST102'],
    ['broken JSON', '', post('{"seats":'), 400, 'PGRST102'],
    [
      'JSON nested too deep',
      '',
      post(`{"guest":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
      400,
      'PGRST102',
    ],
    ['different keys', '', post([{ seats: 1 }, { guest: 'x' }]), 400, 'PGRST102'],
    ['elements that are no objects', '', post([1]), 400, 'PGRST102'],
    ['elements that are no objects, with columns', 'columns=seats', post([1]), 400, '22023'],
    ['another content type', '', post('x', { headers: { 'content-type': 'text/plain' } }), 400, 'PGRST102'],
    ['ragged CSV', '', csv('seats,guest\n1'), 400, 'PGRST102'],
    ['open CSV', '', csv('seats\n"1'), 400, 'PGRST102'],
    ['CSV of an unknown column', '', csv('sets\n1'), 400, 'PGRST204'],
    ['more rows than one request writes', '', post(Array.from({ length: 1001 }, () => ({}))), 413, 'PM413'],
    ['an unknown column', '', post({ sets: 1 }), 400, 'PGRST204'],
    ['an unknown column in columns', 'columns=sets', post([{}]), 400, 'PGRST204'],
    ['an internal column', '', post({ place: 1 }), 400, 'PGRST204'],
    ['a key that every object has', '', post('{"__proto__":1}'), 400, 'PGRST204'],
    ['an unknown table before bad columns', '', post({ sets: 1 }, { resource: 'nope' }), 404, 'PGRST205'],
    ["another practice's filter", `therapist_id=eq.${otherPractice}`, post({}), 403, '42501'],
    ['PATCH without a filter', '', { method: 'PATCH', body: { seats: 1 } }, 400, '21000'],
    ['DELETE without a filter', 'limit=1', { method: 'DELETE' }, 400, '21000'],
    ['PATCH of an unknown column', 'id=eq.1', { method: 'PATCH', body: { sets: 1 } }, 400, 'PGRST204'],
    ['DELETE by an unknown column', 'sets=eq.1', { method: 'DELETE' }, 400, '42703'],
    ['PATCH of a record that is written once', 'id=eq.1', once('PATCH', {}), 405, 'PGRST117'],
    ['DELETE of a record that is written once', 'id=eq.1', once('DELETE'), 405, 'PGRST117'],
    ['PUT of a record that is written once', 'id=eq.1', once('PUT', {}), 405, 'PGRST117'],
    [
      'strict preferences before the media type',
      'id=eq.1',
      { method: 'DELETE', headers: { prefer: 'handling=strict,x', accept: 'text/x' } },
      400,
      'PGRST122',
    ],
    [
      'an unknown column of the body before an unknown column of the response',
      'select=nope',
      post({ sets: 1 }, { headers: { prefer: 'return=representation' } }),
      400,
      'PGRST204',
    ],
    ['the schema of a write', '', post({}, { headers: { 'content-profile': 'private' } }), 406, 'PGRST106'],
  ])('reports %s', (...[_what, query, sample, status, code]) => {
    expect(problemOf(query, sample)).toMatchObject({ status, code });
  });

  it('has a code for bytes that are not UTF-8', () => {
    const request = { ...requestOf('', { method: 'POST' }), body: Uint8Array.of(0x22, 0xff, 0x22) };
    expect(() => parseRequest(request)).toThrow(/PGRST102/);
  });
});
