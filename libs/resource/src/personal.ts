// Personal values: their columns, and the client whom they are about. The log stores them sealed with a key of this client.

import { oncePer } from '@practice/core';
import type { Column, Columns } from './column.js';

/** The personal columns of a resource. */
export interface PersonalColumns {
  readonly names: readonly string[];
  /** The column with the id of the client whose values they are. */
  readonly of: string;
}

/** The personal columns of a resource; null if it has none. */
export const personalOf = ({ columns }: { readonly columns: Columns }): PersonalColumns | null =>
  personalAmong(columns);

const personalAmong = oncePer(new WeakMap<Columns, PersonalColumns | null>(), (columns) => {
  const names = Object.keys(columns).filter((name) => columns[name]?.personal !== undefined);
  const of = names.map((name) => columns[name]?.personal?.of ?? '');
  const [first] = of;
  return first === undefined ? null : { names, of: first };
});

type Values = Readonly<Record<string, unknown>>;

/** The values of an event of a record. */
interface OfRecord {
  readonly id: string;
  readonly values: object;
  /** The record that the values belong to, if there is one. */
  readonly state: Values | null;
}

/** The client whose personal values an event has; null for a record without a client. */
export function clientOf({ of }: PersonalColumns, { id, values, state }: OfRecord): string | null {
  if (of === 'id') return id;
  const given = (values as Values)[of];
  const client = given === undefined ? state?.[of] : given;
  return typeof client === 'string' ? client : null;
}

/** @throws {Error} if personal columns of a resource name different client columns, since an event has only one client */
export function checkPersonal(name: string, columns: Columns): void {
  const of = new Set(Object.values(columns).flatMap(({ personal }) => personal?.of ?? []));
  if (of.size > 1)
    throw new Error(`${name}: personal columns are of ${[...of].join(' and ')}, not of one column`);
}

/** A column as readers see it. A personal value is null after its erasure, even in a required column. */
export const asRead = (column: Column): Column =>
  column.personal === undefined ? column : { ...column, nullable: true };
