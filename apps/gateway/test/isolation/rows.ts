// Rows for any resource, made only from its definition, so a new resource is tested without a change here.

import { catalog } from '@practice/contracts';
import { formats, methodsOf, type Column, type Resource } from '@practice/resource';
import { demandedValues } from './ruled-rows.js';

export type Body = Readonly<Record<string, unknown>>;

/** Ids of records that other records may refer to, by resource. */
export type Ids = Readonly<Record<string, readonly string[]>>;

/** Resources whose records callers create. */
export const creatable: readonly Resource[] = [...catalog.resources.values()].filter((resource) =>
  methodsOf(resource).includes('POST'),
);

/** Resources in an order in which each resource follows the resources that it refers to. */
export function inOrder(): Resource[] {
  const sorted: Resource[] = [];
  const visit = (resource: Resource): void => {
    if (sorted.includes(resource)) return;
    for (const to of referredTo(resource)) visit(catalog.resources.get(to) as Resource);
    sorted.push(resource);
  };
  for (const resource of creatable) visit(resource);
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
  const times = timesOf(resource);
  const suggested = Object.fromEntries(
    settable(resource).map(([name, column]) => [
      name,
      valueOf(column, index, {
        ids,
        mark: `${mark} ${name}${isKey(resource, name) ? ` ${index}` : ''}`,
        times,
      }),
    ]),
  );
  const values = { ...suggested, ...demandedValues(resource.name, { ids, index, mark }) };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

const isKey = ({ uniques = [] }: Resource, column: string): boolean =>
  uniques.some(({ columns: [only, ...others] }) => only === column && others.length === 0);

/** A change that is accepted: of a text column if there is one, otherwise of another column. */
export function changeOf(resource: Resource): Body {
  const changeable = settable(resource).filter(
    ([, { references, fixed = false, kind }]) =>
      references === undefined && !fixed && kind.name !== 'uuid' && kind.name !== 'json',
  );
  const [name, column] =
    changeable.find(([, { kind, oneOf, format }]) => kind.name === 'text' && !oneOf && !format) ??
    changeable.find(([, { after }]) => after !== undefined) ??
    changeable.find(([, { oneOf }]) => oneOf === undefined) ??
    (changeable[0] as [string, Column]);
  return { [name]: changedValue(column) };
}

function changedValue({ kind, oneOf }: Column): unknown {
  if (oneOf !== undefined) return oneOf.at(-1);
  const values: Readonly<Record<string, unknown>> = {
    text: 'changed',
    timeOfDay: '11:30',
    date: '2032-01-01',
    timestamp: '2032-01-01T09:00:00Z',
  };
  return values[kind.name] ?? 2;
}

function textOf({ format }: Column, index: number, mark: string): string {
  const plain = `${mark.replaceAll(/\W/g, '-')}-${index}`;
  if (format === 'email') return `${plain}@example.com`;
  if (format === 'url') return `https://example.com/${plain}`;
  if (format === 'recurrence') return 'FREQ=DAILY;COUNT=1';
  return format === undefined ? mark : formats[format].example(index);
}

/** The start and end time of a record. A series books appointments, which must not overlap with other appointments. */
const timesOf = (resource: Resource): readonly [string, string] =>
  settable(resource).some(([, { format }]) => format === 'recurrence')
    ? ['06:00', '07:00']
    : ['09:00', '10:00'];

interface Given {
  readonly ids: Ids;
  readonly mark: string;
  readonly times: readonly [string, string];
}

function valueOf(column: Column, index: number, { ids, mark, times }: Given): unknown {
  if (column.references !== undefined) return ids[column.references]?.[0];
  // Columns with a default keep it: statuses and similar columns have rules of their own.
  if (column.default !== undefined) return undefined;
  if (column.oneOf !== undefined) return column.oneOf[index % column.oneOf.length];
  const day = String(index + 1).padStart(2, '0');
  const values: Readonly<Record<string, unknown>> = {
    text: textOf(column, index, mark),
    integer: Math.max(column.min ?? 1, 1),
    decimal: 10,
    boolean: false,
    date: `2031-01-${day}`,
    timeOfDay: column.after === undefined ? times[0] : times[1],
    timestamp: `2031-01-${day}T09:00:00Z`,
    json: { mark },
    uuid: undefined,
  };
  return values[column.kind.name];
}
