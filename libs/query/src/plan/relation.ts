// From the names in a select to relations of the catalog.

import { reject } from '@practice/core';
import type { Catalog, Relation, Resource } from '@practice/resource';
import { nearest } from '../nearest.js';
import type { SelectedEmbed } from '../parse/select.js';
import type { PlannedRelation } from './planned.js';

/** A relation with the resource at its other end. */
export interface Followed extends PlannedRelation {
  readonly resource: Resource;
}

/**
 * The relation that an embed names: by the resource at its other end, by its own name, or by the column that refers.
 * @throws {Rejection} PGRST200 when there is none, PGRST201 when there are several
 */
export function planRelation(
  resource: Resource,
  embed: SelectedEmbed,
  { relations, resources }: Catalog,
): Followed {
  const own = relations.filter(({ from, to }) => from === resource.name || to === resource.name);
  const found = own.filter(
    (relation) => leadsTo(relation, resource.name, embed) && isHinted(relation, embed.hint),
  );
  const [relation, ...others] = found;
  if (relation === undefined) return unrelated(resource.name, embed, own);
  if (others.length > 0) return ambiguous(resource.name, embed, found);
  const isToOne = relation.from === resource.name;
  const other = resources.get(otherEnd(relation, resource.name)) as Resource;
  return isToOne
    ? { resource: other, isToOne, here: relation.column, there: 'id' }
    : { resource: other, isToOne, here: 'id', there: relation.column };
}

const leadsTo = (relation: Relation, from: string, { target }: SelectedEmbed): boolean =>
  otherEnd(relation, from) === target ||
  relation.name === target ||
  (relation.from === from && relation.column === target);

const isHinted = ({ name, column }: Relation, hint: string | null): boolean =>
  hint === null || hint === name || hint === column || hint === 'id';

const otherEnd = ({ from, to }: Relation, here: string): string => (from === here ? to : from);

function unrelated(from: string, { target, hint }: SelectedEmbed, own: readonly Relation[]): never {
  const near = nearest(
    target,
    own.map((relation) => otherEnd(relation, from)),
  );
  const hinted = hint === null ? '' : ` using the hint '${hint.slice(0, 100)}'`;
  const named = target.slice(0, 100);
  return reject({
    status: 400,
    code: 'PGRST200',
    message: `Could not find a relationship between '${from}' and '${named}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${from}' and '${named}'${hinted} in the schema 'public', but no matches were found.`,
    hint: near === null || near === target ? null : `Perhaps you meant '${near}' instead of '${named}'.`,
  });
}

function ambiguous(from: string, { target }: SelectedEmbed, found: readonly Relation[]): never {
  const named = target.slice(0, 100);
  return reject({
    status: 300,
    code: 'PGRST201',
    message: `Could not embed because more than one relationship was found for '${from}' and '${named}'`,
    details: found
      .map(({ name, column, ...ends }) => `${name} using ${ends.from}(${column}) and ${ends.to}(id)`)
      .join('; '),
    hint: `Try changing '${named}' to one of the following: ${found.map(({ name }) => `'${named}!${name}'`).join(', ')}.`,
  });
}
