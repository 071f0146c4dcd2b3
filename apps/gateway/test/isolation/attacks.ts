// Every place of a request that can contain a foreign id or a foreign practice, for any resource.

import { catalog } from '@practice/contracts';
import type { Resource } from '@practice/resource';
import { changeOf, rowOf, type Body, type Ids } from './rows.js';

export interface Attack {
  readonly name: string;
  readonly method: string;
  readonly query: string;
  readonly body?: Body | readonly Body[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The ids that an attack uses: of the attacker's own record, and of a record that belongs to another practice or does not exist. */
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

/** Requests that name a practice. All of them are forbidden if it is not the attacker's own practice. */
export function namingPractice(resource: Resource, therapistId: string, names: Names): Attack[] {
  const { me, own, ids } = names;
  const row = { ...rowOf(resource, 4, { ids, mark: 'x' }), therapist_id: therapistId };
  const ownRow = { ...rowOf(resource, 5, { ids, mark: 'x' }), therapist_id: me };
  const change = { ...changeOf(resource), therapist_id: therapistId };
  return [
    ...filtersByPractice(resource, therapistId, own).flatMap((query) =>
      readsAndWrites.map((method) => ({
        ...asked(resource, { method, query }),
        name: `${method} ${query.replaceAll(therapistId, 'T').replaceAll(own, 'I')}`,
      })),
    ),
    { name: 'a new record', method: 'POST', query: '', body: row },
    { name: 'one of many new records', method: 'POST', query: '', body: [ownRow, row] },
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

const filtersByPractice = (resource: Resource, therapistId: string, own: string): string[] => [
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

/** Requests for a record. The answers for a record of another practice are the same as for a record that does not exist. */
export function namingRecord(resource: Resource, { own, foreign }: Names): Attack[] {
  const ask = (method: string, query: string, headers?: Attack['headers']): Attack =>
    asked(resource, { method, query, headers });
  const byId = `id=eq.${foreign}`;
  return [
    ...readsOf(resource, own, foreign).flatMap((query) =>
      ['GET', 'HEAD'].map((method) => ask(method, query, { prefer: 'count=exact' })),
    ),
    ask('GET', byId, { accept: 'application/vnd.pgrst.object+json' }),
    ask('GET', byId, { accept: 'text/csv', 'if-none-match': '"1"', range: '0-0' }),
    ...['PATCH', 'DELETE'].flatMap((method) => [
      ...filtersById(foreign).map((query) => ask(method, query)),
      ask(method, byId, { 'if-match': '"1"' }),
      ask(method, byId, prefer('handling=strict,max-affected=0')),
      ask(method, byId, prefer('handling=strict,min-affected=1')),
      ask(method, byId, prefer('tx=rollback')),
    ]),
  ];
}

/** Requests that refer to a record. The answers for a record of another practice are the same as for a record that does not exist. */
export function namingReference(resource: Resource, { own, foreign, ids }: Names): Attack[] {
  const ask = (method: string, query: string): Attack => asked(resource, { method, query });
  const row = rowOf(resource, 4, { ids, mark: 'x' });
  return [
    ...related(resource).map((name) => ask('GET', `select=id,${name}!inner(id)&${name}.id=eq.${foreign}`)),
    ...references(resource).flatMap((column) => [
      ask('GET', `${column}=eq.${foreign}`),
      { ...ask('POST', ''), name: `a reference by ${column}`, body: { ...row, [column]: foreign } },
      { ...ask('PATCH', `id=eq.${own}`), name: `a changed ${column}`, body: { [column]: foreign } },
    ]),
  ];
}

const filtersById = (foreign: string): string[] => [
  `id=eq.${foreign}`,
  `id=in.(${foreign})`,
  `id=eq(any).{${foreign}}`,
  `or=(id.eq.${foreign},and(id.eq.${foreign}))`,
  `not.or=(id.neq.${foreign})`,
  `id=gte.${foreign}&id=lte.${foreign}`,
];

const readsOf = (resource: Resource, own: string, foreign: string): string[] => [
  ...filtersById(foreign),
  `id=in.(${own},${foreign})&order=id`,
  `select=count()&id=eq.${foreign}`,
  `id=eq.${foreign}&limit=1&offset=0`,
  `id=eq.${foreign}&order=therapist_id,id.desc`,
  ...related(resource).map((name) => `select=id,${name}(*)&id=eq.${foreign}`),
];

/** A request, with a body where its method needs one. */
function asked(
  resource: Resource,
  {
    method,
    query,
    headers = back,
  }: Pick<Attack, 'method' | 'query'> & { headers?: Attack['headers'] | undefined },
): Attack {
  const body = method === 'PATCH' ? { body: changeOf(resource) } : {};
  return { name: `${method} ${query}`, method, query, headers, ...body };
}

/** Resources that are related to this one, so a request can embed their records in its records. */
export const related = ({ name }: Resource): string[] => [
  ...new Set(catalog.relations.flatMap(({ from, to }) => (from === name ? [to] : to === name ? [from] : []))),
];

const references = ({ name }: Resource): string[] =>
  catalog.relations.filter(({ from }) => from === name).map(({ column }) => column);
