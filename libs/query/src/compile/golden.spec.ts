// The SQL of every operator is reviewed in golden/<operator>.sql. The SQL of typical requests is beside it, in golden/request-*.sql.

import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from '@practice/core';
import { operators, type Operator } from '../operators.js';
import { compileRead, compileReturning, compileTargets, type SqlQuery } from '../index.js';
import { expectGolden } from '../testing/golden.js';
import { preparedCall } from '../testing/calls.js';
import { practice, readOf, sqlOf, writeOf, type Sample } from '../testing/sample.js';

/** The text of a golden file: each request with its statement or its error. */
function rendered(requests: Readonly<Record<string, () => SqlQuery>>): string {
  return Object.entries(requests)
    .map(([request, compile]) => `-- ${request}\n${attempted(compile)}\n`)
    .join('\n');
}

function attempted(compile: () => SqlQuery): string {
  const outcome = outcomeOf(compile);
  if ('code' in outcome) return `-- ${outcome.status} ${outcome.code} ${outcome.message}`;
  return `${outcome.text};\n${outcome.values.map((value, index) => `-- $${index + 1} ${value}`).join('\n')}`;
}

const matchesGolden = (name: string, requests: Readonly<Record<string, () => SqlQuery>>): void => {
  expectGolden(`${name}.sql`, rendered(requests));
};

const reads = (queries: readonly string[]): Record<string, () => SqlQuery> =>
  Object.fromEntries(queries.map((query) => [`GET ${query}`, () => sqlOf(query)]));

const columnsOfFamily: Readonly<Record<Operator['family'], string>> = {
  equality: 'seats',
  order: 'price',
  pattern: 'guest',
  fullText: 'guest',
  boolean: 'paid',
  containment: 'extras',
  any: 'room_id',
  array: 'day',
  range: 'day',
};

const operands: Readonly<Record<Operator['operand'], readonly string[]>> = {
  value: ['.7'],
  pattern: ['.*Ann*'],
  regex: ['.^A'],
  similar: ['.Ann'],
  list: ['.(1,2,"a,b")', '.()'],
  keyword: ['.null', '.not_null', '.true'],
  search: ['.tea', '(english).tea'],
};

function requestsOf({ name, family, operand, quantified }: Operator): readonly string[] {
  const column = columnsOfFamily[family];
  const plain = operands[operand].flatMap((value) => [
    `${column}=${name}${value}`,
    `${column}=not.${name}${value}`,
  ]);
  return [
    ...plain,
    ...(quantified ? [`${column}=${name}(any).{1,2}`, `${column}=${name}(all).{1,2}`] : []),
    `or=(${column}.${name}${operands[operand][0]},paid.is.true)`,
  ];
}

describe('the SQL of an operator', () => {
  it.each([...operators.values()].map((operator) => [operator.name, operator] as const))(
    '%s',
    (name, operator) => {
      matchesGolden(name, reads(requestsOf(operator)));
    },
  );
});

describe('the SQL of a request', () => {
  it('search', () => {
    matchesGolden(
      'request-search',
      reads([
        'guest=sim.Ann&select=guest,_rank,_snippet&order=_rank.desc',
        'or=(guest.sim.Ann,guest.fts(english).tea)&select=_rank,_snippet&order=_rank.desc',
        'not.or=(guest.sim.Ann,paid.is.true)',
        'guest=sim.Ann&as_of=2026-05-01T00:00:00Z',
        'select=_rank',
        'guest=not.sim.Ann&order=_rank',
      ]),
    );
  });

  it('select', () => {
    matchesGolden(
      'request-select',
      reads([
        'select=*',
        'select=id,start_time,p:price::text',
        'select=start_time::text,paid::int',
        'select=start_time::time,c:start_time::char,n:guest::name,guest::bytea,m:price::money',
        'select=*,s:seats',
        'select=extras->a->>0,guest->>x',
        'select=id,version&version=gt.1&order=version.desc',
      ]),
    );
  });

  it('order and range', () => {
    matchesGolden(
      'request-order',
      reads([
        'order=day.desc,start_time',
        'order=guest.asc.nullsfirst,id.desc',
        'order=extras->>a.desc.nullslast',
        'limit=5&offset=10',
      ]),
    );
  });

  it('pages by cursor', () => {
    const id = '018f0000-0000-7000-8000-000000000001';
    const next = (query: string, key: readonly (string | null)[], resource = 'visits') => ({
      [`GET ${resource}?${query} behind ${JSON.stringify(key)}`]: () =>
        compileRead(readOf(`${query}&after=x`, { resource }), practice, { position: '41', key }),
    });
    matchesGolden('request-cursor', {
      ...reads([
        'after=&limit=2&offset=3',
        'select=guest&order=day.desc&after=',
        'select=seats,count()&after=',
        'select=id,rooms(name)&order=rooms(name)&after=',
        'after=x&offset=1',
      ]),
      ...next('limit=2', [id]),
      ...next('order=day,start_time', ['2026-05-01', '09:00:00', id]),
      ...next('select=guest&order=day.desc,start_time.desc&seats=gt.1', ['2026-05-01', '09:00:00', id]),
      ...next('select=guest&order=price,guest.desc', ['12.50', null, id]),
      ...next('select=guest&order=price.nullsfirst', [null, id]),
      ...next('select=guest&guest=sim.Ann&order=_rank', ['0.5', id]),
      ...next('select=id&order=extras->a', ['{"b":1}', id]),
      ...next('select=event&order=at.desc', ['2026-05-01 10:00:00+00', id, '3'], 'visits_history'),
      ...next('select=id&as_of=2026-05-01T00:00:00Z', [id]),
    });
  });

  it('a history', () => {
    const of = (query: string, resource = 'visits_history') => ({
      [`GET ${resource}?${query}`]: () => sqlOf(query, { resource }),
    });
    matchesGolden('request-history', {
      ...of(''),
      ...of('id=eq.018f0000-0000-7000-8000-000000000001&order=version.desc&limit=1'),
      ...of('select=event,count()&before->>price=gt.1'),
      ...of('select=at,visits(day)'),
      ...of('select=id,visits_history(version,after)', 'visits'),
      ...of('select=at', 'entries_history'),
    });
  });

  it('a past state', () => {
    const asOf = 'as_of=2026-11-01T09:00:00Z';
    const of = (query: string, sample: Sample) => ({
      [`${sample.method ?? 'GET'} ${sample.resource ?? 'visits'}?${query}`]: () => sqlOf(query, sample),
    });
    matchesGolden('request-past', {
      ...reads([
        asOf,
        `id=eq.${practice}&${asOf}`,
        `day=eq.2026-05-01&order=start_time&select=guest,rooms(name)&${asOf}`,
        `select=id,rooms!inner()&rooms.name=eq.Blue&${asOf}`,
        `select=id,visits_history(version,after)&${asOf}`,
      ]),
      ...of(asOf, { headers: { prefer: 'count=exact' } }),
      ...of(`select=id,visits(day.max())&${asOf}`, { resource: 'rooms' }),
      ...of(`select=at&${asOf}`, { resource: 'entries_history' }),
    });
  });

  it('logic and JSON paths', () => {
    matchesGolden(
      'request-filter',
      reads([
        'or=(day.eq.today,and(seats.gt.1,not.or(paid.is.true,guest.is.null)))',
        'extras->a->>0=eq.x',
        'extras->>a=in.(x,y)',
        'guest->>a=like.x*',
      ]),
    );
  });

  it('aggregates', () => {
    matchesGolden(
      'request-aggregate',
      reads([
        'select=count()',
        'select=day,seats.sum(),first:start_time.min()&order=day.desc',
        'select=day,guests:guest.countdistinct(),seats.sum()&order=guests.desc,sum&limit=3',
        'select=seats,seats.sum()&order=seats',
        'select=price::text,count()&order=price',
        'select=paid::text,price::int.avg()::text',
        'select=rooms(name),count()',
        'select=...rooms(name),seats.sum()',
        'select=day,...rooms(name.min())',
        'select=rooms(...visits(day)),count()',
        'select=id,count()&order=day,extras->a',
        'select=x:id,count()&order=day',
        'select=id,count()&guest=sim.x&order=_rank',
        'select=...rooms(count())&rooms.order=name',
        'select=start_time::time,first:start_time::text.min(),last:start_time.max()::time',
      ]),
    );
  });

  it('groups of time', () => {
    matchesGolden(
      'request-time-group',
      reads([
        'select=month:day.month(),price.sum()&order=month.desc&limit=12',
        'select=created_at.hour(),count()',
        'select=week:created_at.week()::text,day.year(),count()&day=gte.2030-01-01&order=year,week',
        'select=guest,quarter:day.quarter()&order=quarter.desc',
        'select=day:day.month(),count()&order=day',
        'select=day,day:day.month(),count()&order=day',
        'select=...rooms(opened:created_at.month()),seats.sum()&order=rooms(opened)',
        'select=guest,rooms(opened:created_at.month())&order=rooms(opened)',
        'select=day.hour(),count()',
        'select=guest.month(),count()',
        'select=extras->>a.month(),count()',
        'select=nothing.month(),count()',
        'select=day.decade(),count()',
        'select=day::text.month(),count()',
        'select=day.month(),count()&order=day',
      ]),
    );
  });

  it('embedded relations', () => {
    const counted = { headers: { prefer: 'count=exact' } };
    matchesGolden('request-embed', {
      ...reads([
        'select=id,rooms(name)',
        'select=id,room:room_id(*)&room.name=eq.Blue&order=room(name).desc',
        'select=id,rooms()&or=(rooms.is.null,seats.gt.1)',
        'select=id,...rooms(name)',
        'select=id,visits_room_id_fkey(name)',
        'select=id,rooms!visits_room_id_fkey!inner(name)&rooms.or=(name.eq.Blue,name.is.null)',
        'select=id,rooms!left!room_id(name,visits(id))&rooms.visits.order=day.desc&rooms.visits.offset=1',
        'select=id,rooms()&rooms=not.is.null',
        'select=id,...rooms(name,visits(count))',
        'select=...rooms(room:name,count())&order=rooms(room)',
        'select=rooms(name),id,...rooms(room:name),day',
        'select=id,a:rooms(name),b:rooms(name)&a.offset=1&b.limit=0',
        'select=id,rooms(visits(rooms()))&rooms.visits=not.is.null&rooms=is.null',
        'select=*,rooms!inner()&rooms.offset=1',
        'select=id,rooms!inner(count())',
        'select=id,rooms()&rooms.name=match.x',
        'select=id,rooms()&rooms=is.null&rooms.limit=0',
        'select=id,rooms(name)&order=rooms(name)&rooms.limit=0',
      ]),
      'GET rooms?select=name,visits!inner(id,rooms(name))&visits.seats=gt.1&visits.order=day&visits.limit=3, counted':
        () =>
          sqlOf(
            'select=name,visits!inner(id,rooms(name))&visits.seats=gt.1&visits.order=day&visits.limit=3',
            {
              resource: 'rooms',
              ...counted,
            },
          ),
      'GET rooms?select=name,visits!inner(id)&visits.offset=8': () =>
        sqlOf('select=name,visits!inner(id)&visits.offset=8', { resource: 'rooms' }),
      'GET rooms?select=name,visits!inner(day,count())&visits.offset=2': () =>
        sqlOf('select=name,visits!inner(day,count())&visits.offset=2', { resource: 'rooms' }),
      'GET rooms?select=name,visits(count)': () => sqlOf('select=name,visits(count)', { resource: 'rooms' }),
      'GET rooms?select=name,...visits(day)': () =>
        sqlOf('select=name,...visits(day)', { resource: 'rooms' }),
      'GET rooms?select=...visits(day),count()': () =>
        sqlOf('select=...visits(day),count()', { resource: 'rooms' }),
      'GET rooms?select=id(day)': () => sqlOf('select=id(day)', { resource: 'rooms' }),
      'GET rooms?select=a:visits(day),b:visits(id)&b.seats=gt.1': () =>
        sqlOf('select=a:visits(day),b:visits(id)&b.seats=gt.1', { resource: 'rooms' }),
    });
  });

  it('shapes of responses', () => {
    const accepting = (accept: string) => () => sqlOf('select=id', { headers: { accept } });
    matchesGolden('request-answer', {
      'GET select=day,count(), counted': () =>
        sqlOf('select=day,count()', { headers: { prefer: 'count=exact' } }),
      'GET select=id, counted': () => sqlOf('select=id', { headers: { prefer: 'count=exact' } }),
      'HEAD select=id, counted': () =>
        sqlOf('select=id', { method: 'HEAD', headers: { prefer: 'count=exact' } }),
      'HEAD select=id,rooms(name)&rooms.name=eq.x': () =>
        sqlOf('select=id,rooms(name)&rooms.name=eq.x', { method: 'HEAD' }),
      'GET select=id, one object': accepting('application/vnd.pgrst.object+json'),
      'GET select=id, nulls stripped': accepting('application/vnd.pgrst.array+json;nulls=stripped'),
      'GET select=id,at:start_time, CSV': () =>
        sqlOf('select=id,at:start_time', { headers: { accept: 'text/csv' } }),
      'GET everything, nulls stripped': () =>
        sqlOf('', { headers: { accept: 'application/vnd.pgrst.array+json;nulls=stripped' } }),
    });
  });

  it('writes', () => {
    const prefer = { prefer: 'return=representation' };
    const changed = writeOf('day=eq.2026-05-01', { method: 'PATCH', body: { seats: 2 } });
    const removed = writeOf('seats=gt.3&select=guest&order=guest.desc', {
      method: 'DELETE',
      headers: prefer,
    });
    const added = writeOf('', { method: 'POST', body: [{ seats: 1 }], headers: prefer });
    const joined = writeOf('select=seats,rooms(name)', { method: 'POST', body: {}, headers: prefer });
    const inner = writeOf('select=seats,rooms!inner()&rooms.name=eq.Blue', {
      method: 'POST',
      body: {},
      headers: prefer,
    });
    if (changed.kind !== 'update' || removed.kind !== 'delete') throw new Error('not planned as requested');
    matchesGolden('request-write', {
      'PATCH day=eq.2026-05-01: the rows it hits': () => compileTargets(changed),
      'DELETE seats=gt.3&select=guest&order=guest.desc: the rows it hits': () => compileTargets(removed),
      'DELETE seats=gt.3&select=guest&order=guest.desc: the response': () =>
        compileReturning(removed, ['id-1', 'id-2']),
      'POST: the response': () => compileReturning(added, ['id-1']),
      'POST select=seats,rooms(name): the response': () => compileReturning(joined, ['id-1']),
      'POST select=seats,rooms!inner()&rooms.name=eq.Blue: the response': () =>
        compileReturning(inner, ['id-1', 'id-2']),
    });
  });

  it('calls of functions', () => {
    const sqlOfCall = (query: string, sample?: Sample) => () =>
      preparedCall('free_rooms', `day=2026-05-01&${query}`, sample).queryFor([]);
    matchesGolden('request-call', {
      free_rooms: sqlOfCall(''),
      'free_rooms select=name,opens&seats=gt.1&order=price.desc, counted': sqlOfCall(
        'select=name,opens&seats=gt.1&order=price.desc',
        { headers: { prefer: 'count=exact' } },
      ),
      'free_rooms as CSV': sqlOfCall('', { headers: { accept: 'text/csv' } }),
      'HEAD free_rooms': sqlOfCall('', { method: 'HEAD' }),
      'free_rooms select=shared,count()': sqlOfCall('select=shared,count()'),
      rename_room: () =>
        preparedCall('rename_room', '', { method: 'POST', body: { name: 'x' } }).queryFor([]),
    });
  });

  it('has the same text for all values', () => {
    const [a, b] = ['seats=in.(1)&limit=5&day=eq.today', 'seats=in.(4,5,6)&limit=9&day=eq.2026-05-01'].map(
      (query) => sqlOf(query).text,
    );
    expect(a).toBe(b);
  });
});
