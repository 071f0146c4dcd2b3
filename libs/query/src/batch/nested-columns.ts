// Which columns of a nested insert are relations: `columns=name,appointments(date,start_time)`, or the keys of the rows.

import { problemFor, reject, type Problem } from '@practice/core';
import { entries, type Catalog, type Resource } from '@practice/resource';
import type { BodyRow } from '../parse/body.js';
import { parseSelect, type SelectedEmbed, type SelectItem } from '../parse/select.js';
import { noColumnToWrite } from '../plan/columns.js';
import { planRelation, relationsNamed, type Followed } from '../plan/relation.js';

/** The most levels of records within records. */
const MAX_DEPTH = 3;

/** The names of columns and relations that a level writes; null: the keys of its rows. */
export type Wanted = readonly (string | SelectedEmbed)[] | null;

/** The records of one relation in each row. */
export interface NestedColumn {
  readonly name: string;
  readonly relation: Followed;
  readonly wanted: Wanted;
}

/** The place of a level: its resource, and its path for errors (`clients.appointments`). */
export interface Level {
  readonly resource: Resource;
  readonly path: string;
  readonly depth: number;
}

/**
 * Reads `columns` with relations in it.
 * @throws {Rejection} PGRST100; PM400 for an alias, a cast, a spread or a join
 */
export function parseNestedColumns(text: string): Wanted {
  return wantedOf(parseSelect(text, 'columns parameter'));
}

const wantedOf = (items: readonly SelectItem[]): Wanted => items.map(nameOf);

function nameOf(item: SelectItem): string | SelectedEmbed {
  if (item.kind === 'embed' && item.alias === null && !item.spread && item.join === 'left') return item;
  if (item.kind === 'column' && item.alias === null && item.cast === null && item.field.path.length === 0)
    return item.field.name;
  return reject(onlyNames);
}

/**
 * Sorts the names of a level into columns and relations.
 * @throws {Rejection} PGRST204 for neither; PGRST200, PGRST201; PM400 for a relation to one record, or too deep
 */
export function chosenColumns(
  level: Level,
  { wanted, rows }: { readonly wanted: Wanted; readonly rows: readonly BodyRow[] },
  catalog: Catalog,
): { readonly own: readonly string[]; readonly nested: readonly NestedColumn[] } {
  const names = wanted ?? [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const own: string[] = [];
  const nested: NestedColumn[] = [];
  for (const name of names) {
    const embed = typeof name === 'string' ? embedNamed(name) : name;
    if (typeof name === 'string' && isColumn(level.resource, name)) own.push(name);
    else if (typeof name === 'string' && !isRelation(level.resource, embed, catalog))
      reject(noColumnToWrite(level.resource, name));
    else nested.push(nestedColumn(level, embed, catalog));
  }
  return { own, nested };
}

/** Whether one of the names is a relation. Otherwise the request is not a nested insert. */
export const namesRelation = (resource: Resource, names: readonly string[], catalog: Catalog): boolean =>
  names.some((name) => !isColumn(resource, name) && isRelation(resource, embedNamed(name), catalog));

const isColumn = ({ columns }: Resource, name: string): boolean => Object.hasOwn(columns, name);

const isRelation = (resource: Resource, embed: SelectedEmbed, catalog: Catalog): boolean =>
  relationsNamed(resource, embed, catalog).length > 0;

const embedNamed = (target: string): SelectedEmbed => ({
  ...{ kind: 'embed', target, alias: null, hint: null, join: 'left', spread: false, select: [] },
});

function nestedColumn(
  { resource, path, depth }: Level,
  embed: SelectedEmbed,
  catalog: Catalog,
): NestedColumn {
  const { target: name, select } = embed;
  const relation = planRelation(resource, embed, catalog);
  if (relation.isToOne) reject(toOne(path, name, relation));
  if (depth === MAX_DEPTH) reject(tooDeep(path, name));
  return { name, relation, wanted: select.length === 0 ? null : wantedOf(select) };
}

/** The only column of a resource that refers to the named resource; null if no column or more than one does. */
export function referenceTo({ columns }: Resource, name: string): string | null {
  const found = entries(columns).filter(([, { references }]) => references === name);
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}

const onlyNames = problemFor('PM400', {
  message: 'columns has only names of columns, and relations with the names of theirs',
  hint: 'columns=name,appointments(date,start_time)',
});

const toOne = (path: string, name: string, { here, resource }: Followed): Problem =>
  problemFor('PM400', {
    message: `"${name}" of ${path} is one record that the new one refers to, so it cannot be created within it`,
    hint: `Give ${here} the id of the record, or nest the other way round, within ${resource.name}.`,
  });

const tooDeep = (path: string, name: string): Problem =>
  problemFor('PM400', {
    message: `"${name}" of ${path} is nested too deep`,
    details: `An insert has at most ${MAX_DEPTH} levels of records within records.`,
  });
