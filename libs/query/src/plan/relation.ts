// From the names in a select to relations of the catalog.

import { problemFor, reject, type Problem } from '@practice/core';
import { areReadApart, type Catalog, type Relation, type Resource, shownBy } from '@practice/resource';
import { nearestRelated } from '../nearest.js';
import type { SelectedEmbed, SelectItem } from '../parse/select.js';
import type { PlannedRelation } from './read-plan.js';

/** A relation with the resource at its other end. */
export interface Followed extends PlannedRelation {
  readonly resource: Resource;
}

/**
 * The relation that an embed names: by the resource at its other end, by its own name, or by its referring column.
 * @throws {Rejection} PGRST200 if the relation does not exist, PGRST201 if there are several
 */
export function planRelation(resource: Resource, embed: SelectedEmbed, catalog: Catalog): Followed {
  const found = relationsNamed(resource, embed, catalog);
  const [relation, ...others] = found;
  if (relation === undefined) return reject(unrelated(resource.name, embed, relationsOf(resource, catalog)));
  if (others.length > 0) return reject(ambiguous(resource.name, embed, found));
  const isToOne = relation.from === resource.name;
  const other = catalog.readable.get(otherEnd(relation, resource.name)) as Resource;
  return isToOne
    ? { resource: other, isToOne, here: relation.column, there: relation.there ?? 'id' }
    : { resource: other, isToOne, here: 'id', there: relation.column };
}

/** Every relation that an embed may name. */
export const relationsNamed = (
  resource: Resource,
  embed: SelectedEmbed,
  catalog: Catalog,
): readonly Relation[] =>
  relationsOf(resource, catalog).filter((relation) => isNamed(relation, resource.name, embed));

const relationsOf = ({ name }: Resource, { links }: Catalog): readonly Relation[] =>
  links.filter(({ from, to, there }) => from === name || (to === name && there === undefined));

/** With a hint the target is a resource; without one it may also be the foreign key, or its column on this side. */
function isNamed(relation: Relation, from: string, { target, hint }: SelectedEmbed): boolean {
  const { name, column } = relation;
  const isOther = otherEnd(relation, from) === target;
  if (hint !== null) return isOther && [name, column, 'id'].includes(hint);
  if (isOther || name === target) return true;
  // A history refers by its id, which is not a name for it.
  return column !== 'id' && (relation.from === from ? column : 'id') === target;
}

/** The resource at the other end of a relation. */
export const otherEnd = ({ from, to }: Relation, here: string): string => (from === here ? to : from);

function unrelated(from: string, { target, hint }: SelectedEmbed, own: readonly Relation[]): Problem {
  const ends = own.map((relation) => otherEnd(relation, from));
  const near = nearestRelated(target, ends);
  const hinted = hint === null ? '' : ` using the hint '${hint.slice(0, 100)}'`;
  const named = target.slice(0, 100);
  return problemFor('PGRST200', {
    message: `Could not find a relationship between '${from}' and '${named}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${from}' and '${named}'${hinted} in the schema 'public', but no matches were found.`,
    hint: near === null || near === target ? null : `Perhaps you meant '${near}' instead of '${named}'.`,
  });
}

function ambiguous(from: string, { target }: SelectedEmbed, found: readonly Relation[]): Problem {
  const named = target.slice(0, 100);
  return problemFor('PGRST201', {
    message: `Could not embed because more than one relationship was found for '${from}' and '${named}'`,
    details: found.map((relation) => described(relation, from)),
    hint: `Try changing '${named}' to one of the following: ${found.map((relation) => `'${otherEnd(relation, from)}!${relation.name}'`).join(', ')}. Find the desired relationship in the 'details' key.`,
  });
}

function described(relation: Relation, here: string): Readonly<Record<string, string>> {
  const { name, column } = relation;
  const other = otherEnd(relation, here);
  const isToOne = relation.from === here;
  const [own, others] = isToOne ? [column, 'id'] : ['id', column];
  return {
    cardinality: isToOne ? 'many-to-one' : 'one-to-many',
    embedding: `${here} with ${other}`,
    relationship: `${name} using ${here}(${own}) and ${other}(${others})`,
  };
}

/**
 * The names of all resources whose records a select embeds, at every depth. An ambiguous embed adds every resource that it may
 * name.
 */
export function embeddedResources(
  resource: Resource,
  select: readonly SelectItem[],
  catalog: Catalog,
): readonly string[] {
  const names = new Set<string>();
  for (const item of select) {
    if (item.kind !== 'embed') continue;
    for (const relation of relationsNamed(resource, item, catalog)) {
      const related = catalog.readable.get(otherEnd(relation, resource.name)) as Resource;
      names.add(shownBy(related));
      for (const name of embeddedResources(related, item.select, catalog)) names.add(name);
    }
  }
  return [...names];
}

/**
 * Whether a select embeds records of a service that does not own the resource. Also true if an embed matches no relation, or
 * several relations: the plan of the request then reports the problem.
 */
export const isCrossService = (
  resource: Resource,
  select: readonly SelectItem[],
  catalog: Catalog,
): boolean =>
  select.some((item) => {
    if (item.kind !== 'embed') return false;
    const [relation, ...others] = relationsNamed(resource, item, catalog);
    const related = relation && catalog.readable.get(otherEnd(relation, resource.name));
    if (related === undefined || others.length > 0) return true;
    return areReadApart(related, resource) || isCrossService(related, item.select, catalog);
  });
