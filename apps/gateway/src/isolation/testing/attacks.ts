// Every place of a request in which a foreign id or a foreign practice can stand, for any resource.

import { catalog } from '@practice/contracts';
import type { Resource } from '@practice/resource';
import { changeOf, rowOf } from './rows.js';
import type { Body, Ids } from './rows.js';

export interface Attack {
  readonly name: string;
  readonly method: string;
  readonly query: string;
  readonly body?: Body | readonly Body[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is named: a record of the attacker's own, and one of the resource that is not. */
export interface Names {
  /** The attacker's own practice. */
  readonly me: string;
  readonly own: string;
  readonly foreign: string;
  readonly ids: Ids;
}

const back = { prefer: 'return=representation,count=exact' };
const prefer = (more: string): { prefer: string } => ({ prefer: `${back.prefer},${more}` });
const readsAndWrites = ['GET', 'HEAD', 'PATCH', 'DELETE'];

/** Requests that name a practice: forbidden, all of them, where it is not the own. */
export function namingPractice(resource: Resource, therapistId: string, { me, own, ids }: Names): Attack[] {
  const filters = [
    `therapist_id=eq.${therapistId}`,
    `therapist_id=eq.${therapistId.toUpperCase()}`,
    `therapist_id=neq.${therapistId}`,
    `therapist_id=not.eq.${therapistId}`,
    `therapist_id=in.(${therapistId})`,
    `therapist_id=in.("${therapistId}",${own})`,
    `therapist_id=not.in.(${therapistId})`,
    `therapist_id=eq(any).{${therapistId}}`,
    `therapist_id=isdistinct.${therapistId}`,
    `therapist_id=gte.${therapistId}`,
    `or=(id.eq.${own},therapist_id.eq.${therapistId})`,
    `and=(id.eq.${own},or(therapist_id.eq.${therapistId},id.eq.${own}))`,
    `not.or=(therapist_id.not.eq.${therapistId})`,
    `id=eq.${own}&therapist_id=eq.${therapistId}`,
    ...related(resource).flatMap((name) => [
      `select=id,${name}(id)&${name}.therapist_id=eq.${therapistId}`,
      `select=id,${name}!inner(id)&${name}.or=(therapist_id.eq.${therapistId})`,
    ]),
  ];
  const row = { ...rowOf(resource, 4, { ids, mark: 'x' }), therapist_id: therapistId };
  const change = { ...changeOf(resource), therapist_id: therapistId };
  return [
    ...filters.flatMap((query) =>
      readsAndWrites.map((method) => ({
        name: `${method} ${query.replaceAll(therapistId, 'T').replaceAll(own, 'I')}`,
        method,
        query,
        headers: back,
        ...(method === 'PATCH' && { body: changeOf(resource) }),
      })),
    ),
    { name: 'a new record', method: 'POST', query: '', body: row },
    {
      name: 'one of many new records',
      method: 'POST',
      query: '',
      body: [{ ...rowOf(resource, 5, { ids, mark: 'x' }), therapist_id: me }, row],
    },
    { name: 'a record given away', method: 'PATCH', query: `id=eq.${own}`, body: change },
    { name: 'a whole record', method: 'PUT', query: `id=eq.${own}`, body: { ...row, id: own } },
    ...['merge', 'ignore'].map((how) => ({
      name: `a record to ${how}`,
      method: 'POST',
      query: '',
      body: { ...row, id: own },
      headers: prefer(`resolution=${how}-duplicates`),
    })),
  ];
}

/** Requests that name a record: answered for another practice's as for one there is not. */
export function namingRecord(resource: Resource, { own, foreign, ids }: Names): Attack[] {
  const filters = [
    `id=eq.${foreign}`,
    `id=in.(${foreign})`,
    `id=eq(any).{${foreign}}`,
    `or=(id.eq.${foreign},and(id.eq.${foreign}))`,
    `not.or=(id.neq.${foreign})`,
    `id=gte.${foreign}&id=lte.${foreign}`,
  ];
  const reads = [
    ...filters,
    `id=in.(${own},${foreign})&order=id`,
    `select=count()&id=eq.${foreign}`,
    `id=eq.${foreign}&limit=1&offset=0`,
    `id=eq.${foreign}&order=therapist_id,id.desc`,
    ...related(resource).flatMap((name) => [
      `select=id,${name}(*)&id=eq.${foreign}`,
      `select=id,${name}!inner(id)&${name}.id=eq.${foreign}`,
    ]),
    ...references(resource).map((column) => `${column}=eq.${foreign}`),
  ];
  const row = { ...rowOf(resource, 4, { ids, mark: 'x' }) };
  const change = changeOf(resource);
  const write = (method: string, query: string, headers: Attack['headers'] = back): Attack => ({
    name: `${method} ${query}`,
    method,
    query,
    headers,
    ...(method === 'PATCH' && { body: change }),
  });
  return [
    ...reads.flatMap((query) =>
      ['GET', 'HEAD'].map((method) => write(method, query, { prefer: 'count=exact' })),
    ),
    write('GET', `id=eq.${foreign}`, { accept: 'application/vnd.pgrst.object+json' }),
    write('GET', `id=eq.${foreign}`, { accept: 'text/csv', 'if-none-match': '"1"', range: '0-0' }),
    ...filters.flatMap((query) => ['PATCH', 'DELETE'].map((method) => write(method, query))),
    ...['PATCH', 'DELETE'].flatMap((method) => [
      write(method, `id=eq.${foreign}`, { 'if-match': '"1"' }),
      write(method, `id=eq.${foreign}`, prefer('handling=strict,max-affected=0')),
      write(method, `id=eq.${foreign}`, prefer('handling=strict,min-affected=1')),
      write(method, `id=eq.${foreign}`, prefer('tx=rollback')),
    ]),
    ...references(resource).map((column) => ({
      name: `a reference by ${column}`,
      method: 'POST',
      query: '',
      body: { ...row, [column]: foreign },
      headers: back,
    })),
    ...references(resource).map((column) => ({
      name: `a reference changed by ${column}`,
      method: 'PATCH',
      query: `id=eq.${own}`,
      body: { [column]: foreign },
      headers: back,
    })),
  ];
}

/** Resources of which records can stand beside those of this one. */
export const related = ({ name }: Resource): string[] => [
  ...new Set(catalog.relations.flatMap(({ from, to }) => (from === name ? [to] : to === name ? [from] : []))),
];

const references = ({ name }: Resource): string[] =>
  catalog.relations.filter(({ from }) => from === name).map(({ column }) => column);
