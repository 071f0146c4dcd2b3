// Rows for any resource, made only from its definition: a new resource is tested without a change here.

import { catalog } from '@practice/contracts';
import type { Column, Resource } from '@practice/resource';

export type Body = Readonly<Record<string, unknown>>;

/** Ids of records that others may refer to, by resource. */
export type Ids = Readonly<Record<string, readonly string[]>>;

/** Resources in an order in which each comes behind those it refers to. */
export function inOrder(): Resource[] {
  const sorted: Resource[] = [];
  const visit = (resource: Resource): void => {
    if (sorted.includes(resource)) return;
    for (const to of referredTo(resource)) visit(catalog.resources.get(to) as Resource);
    sorted.push(resource);
  };
  for (const resource of catalog.resources.values()) visit(resource);
  return sorted;
}

export const referredTo = ({ name }: Resource): string[] =>
  catalog.relations.filter(({ from, to }) => from === name && to !== name).map(({ to }) => to);

/** Columns that callers set. */
export const settable = ({ columns }: Resource): [string, Column][] =>
  Object.entries(columns as Record<string, Column>).filter(
    ([, { readOnly = false, internal = false, serverKept = false }]) => !readOnly && !internal && !serverKept,
  );

/**
 * A body that is accepted.
 * @param index rows with different indexes do not conflict
 * @param mark part of every text value that may have any content
 */
export function rowOf(resource: Resource, index: number, { ids, mark }: { ids: Ids; mark: string }): Body {
  return Object.fromEntries(
    settable(resource).flatMap(([name, column]) => {
      const value = valueOf(column, index, { ids, mark: `${mark} ${name}` });
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A change that is accepted: of a text, else of whatever there is. */
export function changeOf(resource: Resource): Body {
  const changeable = settable(resource).filter(([, { references }]) => references === undefined);
  const [name, column] =
    changeable.find(([, { kind, oneOf, format }]) => kind.name === 'text' && !oneOf && !format) ??
    (changeable.find(([, { after }]) => after !== undefined) as [string, Column]);
  return { [name]: column.kind.name === 'text' ? 'changed' : '11:30' };
}

function valueOf(column: Column, index: number, { ids, mark }: { ids: Ids; mark: string }): unknown {
  if (column.references !== undefined) return ids[column.references]?.[0];
  // Columns with a default keep it: statuses and similar columns have rules of their own.
  if (column.default !== undefined) return undefined;
  if (column.oneOf !== undefined) return column.oneOf[index % column.oneOf.length];
  const day = String(index + 1).padStart(2, '0');
  const values: Readonly<Record<string, unknown>> = {
    text: column.format === 'email' ? `${mark.replaceAll(/\W/g, '-')}@example.com` : mark,
    integer: Math.max(column.min ?? 1, 1),
    decimal: 10,
    boolean: false,
    date: `2031-01-${day}`,
    timeOfDay: column.after === undefined ? '09:00' : '10:00',
    timestamp: `2031-01-${day}T09:00:00Z`,
    json: { mark },
    uuid: undefined,
  };
  return values[column.kind.name];
}
