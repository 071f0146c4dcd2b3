// Every place of a request in which records or columns can be named, for any resource.

import { catalog } from '@practice/contracts';
import { visibleColumns } from '@practice/resource';
import type { Resource } from '@practice/resource';
import type { Right } from './expected.js';
import { changeOf, rowOf } from '../isolation/rows.js';
import type { Ids } from '../isolation/rows.js';

/** A request, and the rights that it needs. */
export interface Door {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly needs: readonly (readonly [resource: string, right: Right])[];
}

export const columnsOf = (resource: Resource): string[] => visibleColumns(resource).map(([name]) => name);

/** Requests that name these columns of a resource, each in another place. */
export function columnDoors(resource: Resource, columns: readonly string[]): Door[] {
  const { name } = resource;
  const listed = columns.join(',');
  const present = columns.map((column) => `${column}=not.is.null`).join('&');
  const queries: Record<string, string> = {
    select: `select=${listed}`,
    cast: `select=${columns.map((column) => `${column}::text`).join(',')}`,
    alias: `select=${columns.map((column, index) => `a${index}:${column}`).join(',')}`,
    filter: `select=id&${present}`,
    'logical tree': `select=id&or=(id.is.null,and(${columns.map((column) => `${column}.not.is.null`).join(',')}))`,
    order: `select=id&order=${listed}`,
    aggregate: `select=${columns.map((column, index) => `a${index}:${column}.count()`).join(',')}`,
    group: `select=${listed},count()`,
    'past state': `select=${listed}&as_of=2020-01-01`,
  };
  const reads = Object.entries(queries).map(([place, query]) => ({
    ...{ name: place, method: 'GET', path: `${name}?${query}`, needs: [[name, 'r'] as const] },
  }));
  const [first] = reads;
  if (first === undefined) return [];
  return [
    ...reads,
    { ...first, name: 'HEAD', method: 'HEAD' },
    { ...first, name: 'CSV', headers: { accept: 'text/csv' } },
    ...relatedTo(resource).flatMap((outer) => embedDoors(resource, outer, columns)),
  ];
}

interface Related {
  readonly name: string;
  /** Whether its records refer to records of the resource. */
  readonly isReferring: boolean;
}

const relatedTo = ({ name }: Resource): Related[] =>
  catalog.relations
    .filter(({ from, to }) => from === name || to === name)
    .map(({ from, to }) => ({ name: to === name ? from : to, isReferring: to === name }));

/** The same columns, named by way of another resource that embeds this one. */
function embedDoors({ name }: Resource, outer: Related, columns: readonly string[]): Door[] {
  const filters = columns.map((column) => `${name}.${column}=not.is.null`).join('&');
  const queries: Record<string, string> = {
    embed: `select=id,${name}(${columns.join(',')})`,
    'inner embed': `select=id,${name}!inner(id)&${filters}`,
    'embed filter': `select=id,${name}(id)&${filters}`,
    'null filter': `select=id,${name}(id)&${name}=not.is.null&${filters}`,
    'embed order': `select=id,${name}(id)&${name}.order=${columns.join(',')}`,
    spread: `select=id,...${name}(${columns.map((column, index) => `a${index}:${column}`).join(',')})`,
    ...(outer.isReferring
      ? {
          'related order': `select=id,${name}(id)&order=${columns.map((column) => `${name}(${column})`).join(',')}`,
        }
      : {
          'embed aggregate': `select=id,${name}(${columns.map((column, index) => `a${index}:${column}.count()`).join(',')})`,
        }),
  };
  const needs = [outer.name, name].map((each) => [each, 'r'] as const);
  return Object.entries(queries).map(([place, query]) => ({
    ...{ name: `${place} in ${outer.name}`, method: 'GET', path: `${outer.name}?${query}`, needs },
  }));
}

/** Requests on a resource with every method. Their changes are rolled back. */
export function methodDoors(resource: Resource, ids: Ids): Door[] {
  const { name } = resource;
  const row = rowOf(resource, 5, { ids, mark: 'new' });
  const [referred = '', free = ''] = ids[name] ?? [];
  const prefer = 'return=representation,tx=rollback,count=exact';
  const asked = (right: Right, method: string, query: string): Door => ({
    ...{ name: `${method} ${query}`, method, path: `${name}?${query}`, needs: [[name, right]] },
    headers: { prefer },
  });
  const posted = (query: string, body: unknown, resolution?: string): Door => ({
    ...asked('w', 'POST', query),
    body,
    ...(resolution !== undefined && { headers: { prefer: `${prefer},resolution=${resolution}-duplicates` } }),
  });
  const change = { body: changeOf(resource) };
  return [
    asked('r', 'GET', ''),
    asked('r', 'GET', 'select=count'),
    asked('r', 'HEAD', ''),
    posted('', row),
    posted('on_conflict=id', { ...row, id: free }, 'ignore'),
    ...(resource.appendOnly === true
      ? []
      : [
          posted('', { ...row, id: free }, 'merge'),
          { ...asked('w', 'PUT', `id=eq.${free}`), body: { ...row, id: free } },
          { ...asked('w', 'PATCH', `id=eq.${referred}`), ...change },
          { ...asked('w', 'PATCH', `id=in.(${referred})`), ...change },
          asked('d', 'DELETE', `id=eq.${free}`),
          asked('d', 'DELETE', `id=in.(${free})`),
        ]),
    ...relatedTo(resource).map((near) => ({
      ...posted(`select=id,${near.name}(id)`, row),
      needs: [[name, 'w'] as const, [near.name, 'r'] as const],
    })),
  ];
}
